"""Several requests in one: the shape of a batch, and its requests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from marshmallow import fields, validate

from service.core.violation_codes import ErrorCode
from service.core.violations import Rejected, Violation, pointer
from service.games.common.fields import FullMatch, ListOf, Nested, OneOf, StrictSchema, Text
from service.games.common.validation import INVALID, validate_shape
from service.games.definition import Endpoint, GameDefinition
from service.games.registry import GAMES

PATH: Final = "/v1/batch"
POST, GET = "POST", "GET"
MAX_REQUESTS: Final = 64
MAX_ID_LENGTH: Final = 64
MAX_PATH_LENGTH: Final = 256

Target = tuple[GameDefinition, Endpoint]

TARGETS: Final[dict[str, Target]] = {
    f"/v1/games/{name}/{endpoint.name}": (definition, endpoint)
    for name, definition in GAMES.items()
    for endpoint in definition.endpoints
}
"""The operations that a batch may ask for, by path."""

VIOLATION_CODES: Final = {
    "bad-id": ErrorCode(
        "The `id` of a request in a batch is empty, too long or not printable ASCII.",
        f"Use 1 to {MAX_ID_LENGTH} printable ASCII characters, for example a number as a string.",
    ),
    "nested-batch": ErrorCode(
        "A batch contains a batch.",
        "Put the requests of the inner batch into the outer one.",
    ),
}


class BatchItem(StrictSchema):
    """One request of a batch."""

    component = "BatchItem"
    example: ClassVar = {"id": "a", "method": GET, "path": "/v1/version"}

    id = Text(
        required=True,
        examples=("a", "b"),
        validate=FullMatch(
            rf"^[ -~]{{1,{MAX_ID_LENGTH}}}$",
            error=f"bad-id: Expected 1 to {MAX_ID_LENGTH} printable ASCII characters.",
        ),
        metadata={"description": "Chosen by the client; the result repeats it."},
    )
    method = OneOf((POST, GET), metadata={"description": f"Default: {POST}."})
    path = Text(
        required=True,
        examples=tuple(TARGETS),
        validate=validate.Length(max=MAX_PATH_LENGTH, error="wrong-length: No path is this long."),
        metadata={
            "description": "Of an operation of a game, or with `GET` of a document below `/v1`."
        },
    )
    body = fields.Raw(
        error_messages={"null": "null: Remove it, or send an object."},
        metadata={
            "type": "object",
            "additionalProperties": True,
            "description": "The body for that route, at most 128 KiB; required unless the method "
            "is `GET`, which has none.",
        },
    )


class BatchRequest(StrictSchema):
    """The requests of a batch."""

    component = "BatchRequest"

    requests = ListOf(Nested(BatchItem), 1, MAX_REQUESTS, required=True)


@dataclass(frozen=True, slots=True)
class BatchedRequest:
    """One request of a batch.

    Attributes:
        id: chosen by the client.
        method: POST or GET.
        path: as given.
        target: the game and the endpoint of the path; None if there is no such route.
        body: JSON text of the body, equal for equal bodies.
        value: JSON value of the body.
        violations: of the JSON text of the body.
    """

    id: str
    method: str
    path: str
    target: Target | None
    body: bytes
    value: Any
    violations: tuple[Violation, ...]


def parse_batch(raw: Any, text_violations: Sequence[Violation]) -> list[BatchedRequest]:
    """Return the requests of a batch.

    Args:
        raw: the decoded JSON value.
        text_violations: those of the JSON text; violations inside the body of a request belong to
            that request.

    Raises:
        Rejected: with all violations that belong to the batch.
    """
    document, violations = validate_shape(BatchRequest(), raw)
    items = document["requests"] or ()
    by_request: dict[int, list[Violation]] = {}
    for violation in text_violations:
        _, *steps = violation.path.split("/")
        if steps[:1] == ["requests"] and steps[2:3] == ["body"]:
            number = int(steps[1])
            prefix = pointer("requests", number, "body")
            inner = replace(violation, path=violation.path.removeprefix(prefix))
            by_request.setdefault(number, []).append(inner)
        else:
            violations.append(violation)
    violations += _cross_violations(items)
    if violations:
        raise Rejected(violations)
    return [_request(item, tuple(by_request.get(number, ()))) for number, item in enumerate(items)]


def _cross_violations(items: Sequence[Any]) -> list[Violation]:
    """Return the violations that a schema cannot express."""
    violations = []
    first: dict[str, int] = {}
    for number, item in enumerate(items):
        if item is INVALID:
            continue
        at = pointer("requests", number)
        if item["path"] == PATH:
            detail = "A batch must not contain a batch. Add its requests to this one."
            violations.append(Violation(at + "/path", "nested-batch", detail))
        is_get = item.get("method") == GET
        if is_get == ("body" in item):
            code = "not-of-this-type" if is_get else "missing"
            detail = "Remove the body, or use POST." if is_get else "Add the body, or use GET."
            violations.append(Violation(at + "/body", code, detail))
        if item["id"] is INVALID:
            continue
        earlier = first.setdefault(item["id"], number)
        if earlier != number:
            detail = f"Request {earlier} has this id as well; give each a different one."
            violations.append(Violation(at + "/id", "duplicate-id", detail))
    return violations


def _request(item: dict[str, Any], violations: tuple[Violation, ...]) -> BatchedRequest:
    # The standard library, because orjson refuses integers beyond 64 bits.
    text = json.dumps(item.get("body"), ensure_ascii=False, separators=(",", ":"))
    if violations:
        # The value has lost what the text gave twice: it must not equal one without violations.
        text += repr(violations)
    return BatchedRequest(
        id=item["id"],
        method=item.get("method", POST),
        path=item["path"],
        target=TARGETS.get(item["path"]),
        body=text.encode(),
        value=item.get("body"),
        violations=violations,
    )
