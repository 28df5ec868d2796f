"""Schemas that do not belong to a game: problems, lists, versions, health."""

from __future__ import annotations

from collections.abc import Mapping

from marshmallow import fields, validate

from service.games.common.metadata import GameSummary
from service.games.common.validation import Nested, ResponseSchema
from service.operations import catalogue


def _markdown_list(codes: Mapping[str, str]) -> str:
    """Return codes and their meanings as a Markdown list."""
    return "\n".join(f"- `{code}`: {meaning}" for code, meaning in codes.items())


class ProblemError(ResponseSchema):
    component = "ProblemError"

    path = fields.String(required=True, metadata={"description": "A JSON pointer (RFC 6901)."})
    code = fields.String(
        required=True,
        validate=validate.OneOf(list(catalogue.violation_codes())),
        metadata={"description": _markdown_list(catalogue.violation_codes())},
    )
    detail = fields.String(required=True)
    rule = fields.String(metadata={"description": "The numbered ruling that decides, if any."})


class Problem(ResponseSchema):
    component = "Problem"

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(
        required=True,
        validate=validate.OneOf(list(catalogue.problem_codes())),
        metadata={"description": _markdown_list(catalogue.problem_codes())},
    )
    request_id = fields.String(required=True)
    errors = fields.List(
        Nested(ProblemError), metadata={"description": "All violations of the body."}
    )


class BatchResult(ResponseSchema):
    component = "BatchResult"

    id = fields.String(required=True, metadata={"description": "The id of the request."})
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
    component = "BatchAnswer"

    results = fields.List(
        Nested(BatchResult),
        required=True,
        metadata={"description": "One result per request, in the same order."},
    )


class GamesAnswer(ResponseSchema):
    component = "GamesAnswer"

    games = fields.List(Nested(GameSummary), required=True)


class VersionAnswer(ResponseSchema):
    component = "VersionAnswer"

    api = fields.String(required=True)
    engine = fields.String(required=True)
    rules = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    evaluator = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class BatchLimits(ResponseSchema):
    component = "BatchLimits"

    body_bytes = fields.Integer(required=True)
    requests = fields.Integer(required=True, metadata={"description": "Requests of one batch."})
    start_seconds = fields.Float(
        required=True,
        metadata={"description": "A request not started by then has status 503."},
    )


class RateLimit(ResponseSchema):
    component = "RateLimit"

    units = fields.Integer(
        required=True,
        metadata={"description": "One per request and one per CPU millisecond of solving."},
    )
    window_seconds = fields.Integer(required=True)


class LimitsAnswer(ResponseSchema):
    component = "LimitsAnswer"

    body_bytes = fields.Integer(required=True, metadata={"description": "Of one request."})
    batch = Nested(BatchLimits, required=True)
    rate_limit = Nested(RateLimit, metadata={"description": "Absent if there is none."})


class Health(ResponseSchema):
    component = "Health"

    status = fields.String(required=True)
