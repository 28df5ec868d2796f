"""Schemas that do not belong to a game: problems, lists, versions, health."""

from __future__ import annotations

from marshmallow import Schema, fields

from service.api.streaming import PROBLEM, PROGRESS, RESULT
from service.games.common.fields import Nested, OneOf, ResponseSchema, Ruling
from service.games.common.metadata import GameSummary
from service.games.common.review_schema import ReviewProgress
from service.games.definition import ResponseUnion


class ProblemError(ResponseSchema):
    """A violation and how to correct it."""

    component = "ProblemError"

    path = fields.String(required=True, metadata={"description": "A JSON pointer (RFC 6901)."})
    code = fields.String(
        required=True,
        metadata={"description": "In the [error catalogue](/docs/errors), which can grow."},
    )
    detail = fields.String(
        required=True,
        metadata={"description": "What is wrong and how to correct it. The wording can change."},
    )
    rule = Ruling(
        metadata={
            "description": "The number of the ruling that applies; `GET /v1/games/{game}` has its "
            "text."
        }
    )


class Problem(ResponseSchema):
    """A problem document (RFC 9457)."""

    component = "Problem"

    type = fields.String(
        required=True,
        metadata={
            "description": "URL of the error's explanation, relative to the service.",
            "format": "uri-reference",
        },
    )
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(
        required=True,
        metadata={"description": "In the [error catalogue](/docs/errors), which can grow."},
    )
    request_id = fields.String(required=True)
    errors = fields.List(
        Nested(ProblemError), metadata={"description": "All violations of the body."}
    )


class ReviewProgressLine(ResponseSchema):
    """The progress of a streamed review."""

    component = "ReviewProgressLine"

    type = OneOf((PROGRESS,), required=True)
    progress = Nested(ReviewProgress, required=True)


class ReviewProblemLine(ResponseSchema):
    """The last line if the review ended without a result."""

    component = "ReviewProblemLine"

    type = OneOf((PROBLEM,), required=True)
    problem = Nested(Problem, required=True)


def review_lines(response_schema: type[Schema]) -> ResponseUnion:
    """Return the lines of a streamed review, given the schema of its result."""
    prefix = vars(response_schema)["component"].removesuffix("Response")

    class ReviewResultLine(ResponseSchema):
        """The last line of a complete stream."""

        component = f"{prefix}ResultLine"

        type = OneOf((RESULT,), required=True)
        result = Nested(response_schema, required=True)

    kinds = {
        PROGRESS: ReviewProgressLine,
        RESULT: ReviewResultLine,
        PROBLEM: ReviewProblemLine,
    }
    return ResponseUnion(f"{prefix}Line", "A line of a streamed review, by `type`.", "type", kinds)


class BatchResult(ResponseSchema):
    """The result of one request."""

    component = "BatchResult"

    id = fields.String(required=True)
    status = fields.Integer(
        required=True, metadata={"description": "The status as if the request had come alone."}
    )
    body = fields.Dict(
        required=True,
        metadata={
            "description": "The response of the route if the status is 200, otherwise a problem."
        },
    )


class BatchAnswer(ResponseSchema):
    """The results of a batch."""

    component = "BatchResponse"

    results = fields.List(
        Nested(BatchResult),
        required=True,
        metadata={"description": "One result per request, in the same order."},
    )


class GamesAnswer(ResponseSchema):
    """All games of the service."""

    component = "GamesResponse"

    games = fields.List(Nested(GameSummary), required=True)


class VersionAnswer(ResponseSchema):
    """The versions that responses depend on."""

    component = "VersionResponse"

    api = fields.String(required=True)
    engine = fields.String(required=True)
    rules = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    evaluator = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class BatchLimits(ResponseSchema):
    """Limits of a batch."""

    component = "BatchLimits"

    body_bytes = fields.Integer(required=True)
    requests = fields.Integer(required=True, metadata={"description": "Requests of one batch."})
    start_seconds = fields.Float(
        required=True,
        metadata={"description": "A request not started by then has status 503."},
    )


class RateLimit(ResponseSchema):
    """The units that a client has in a time window."""

    component = "RateLimit"

    units = fields.Integer(
        required=True,
        metadata={
            "description": "One per request, which includes 5 ms of CPU time, and one per further "
            "millisecond, also if the request fails."
        },
    )
    window_seconds = fields.Integer(required=True)


class LimitsAnswer(ResponseSchema):
    """Limits of request bodies, batches and rates."""

    component = "LimitsResponse"

    body_bytes = fields.Integer(required=True, metadata={"description": "Of one request."})
    batch = Nested(BatchLimits, required=True)
    rate_limit = Nested(RateLimit, metadata={"description": "Absent if there is none."})


class Health(ResponseSchema):
    """The status of the process."""

    component = "Health"

    status = fields.String(required=True)
