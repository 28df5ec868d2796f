"""Shapes of what is no game's own: problems, lists, versions, health."""

from __future__ import annotations

from collections.abc import Mapping

from marshmallow import fields, validate

from service.games.common.about import GameInShort
from service.games.common.validation import Answer, Nested
from service.operations import catalogue


def _listed(codes: Mapping[str, str]) -> str:
    """Codes with their meanings as Markdown."""
    return "\n".join(f"- `{code}`: {meaning}" for code, meaning in codes.items())


class ProblemError(Answer):
    component = "ProblemError"

    path = fields.String(required=True, metadata={"description": "A JSON pointer (RFC 6901)."})
    code = fields.String(
        required=True,
        validate=validate.OneOf(list(catalogue.violation_codes())),
        metadata={"description": _listed(catalogue.violation_codes())},
    )
    detail = fields.String(required=True)
    rule = fields.String(metadata={"description": "The numbered ruling, where one decides."})


class Problem(Answer):
    component = "Problem"

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(
        required=True,
        validate=validate.OneOf(list(catalogue.problem_codes())),
        metadata={"description": _listed(catalogue.problem_codes())},
    )
    request_id = fields.String(required=True)
    errors = fields.List(
        Nested(ProblemError), metadata={"description": "For a bad body, every fault found."}
    )


class BatchResult(Answer):
    component = "BatchResult"

    id = fields.String(required=True, metadata={"description": "Of the request."})
    status = fields.Integer(
        required=True, metadata={"description": "As if the request had come alone."}
    )
    body = fields.Dict(
        required=True,
        metadata={"description": "The answer of the route with status 200, else a problem."},
    )


class BatchAnswer(Answer):
    component = "BatchAnswer"

    results = fields.List(
        Nested(BatchResult),
        required=True,
        metadata={"description": "One for each request, in their order."},
    )


class GamesAnswer(Answer):
    component = "GamesAnswer"

    games = fields.List(Nested(GameInShort), required=True)


class VersionAnswer(Answer):
    component = "VersionAnswer"

    api = fields.String(required=True)
    engine = fields.String(required=True)
    rules = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    evaluator = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class Health(Answer):
    component = "Health"

    status = fields.String(required=True)
