"""Several requests in one: which they are, each to be answered as if it had come alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from marshmallow import fields, validate

from service.core.violations import Rejected, Violation, pointer
from service.games.common.validation import INVALID, ListOf, Nested, Shape, Text, judge_shape
from service.games.definition import Endpoint, GameDefinition
from service.games.registry import GAMES

PATH: Final = "/v1/batch"
MOST_ITEMS: Final = 64
LONGEST_ID: Final = 64
LONGEST_PATH: Final = 256

VERBS: Final[dict[str, tuple[GameDefinition, Endpoint]]] = {
    f"/v1/games/{name}/{verb.name}": (entry, verb)
    for name, entry in GAMES.items()
    for verb in entry.verbs
}
"""What can be asked, by its path."""

FAULT_CODES: Final = {
    "bad-id": f"Ids are 1 to {LONGEST_ID} printable ASCII characters.",
    "duplicate-id": "Two requests have the same id.",
    "nested-batch": "A batch holds no batches.",
}


class BatchItem(Shape):
    component = "BatchItem"

    id = Text(
        required=True,
        validate=validate.Regexp(
            rf"^[ -~]{{1,{LONGEST_ID}}}$(?!\n)",
            error=f"bad-id: 1 to {LONGEST_ID} printable ASCII characters are due.",
        ),
        metadata={"description": "The client's own; its result has it too."},
    )
    path = Text(
        required=True,
        validate=validate.Length(max=LONGEST_PATH, error="wrong-length: No path is so long."),
        metadata={"description": "Of one of the POST routes of the games."},
    )
    body = fields.Raw(
        required=True,
        allow_none=True,
        error_messages={"required": "missing: This field is required."},
        metadata={"description": "As that route takes it; 64 KiB at most."},
    )


class BatchRequest(Shape):
    component = "BatchRequest"

    requests = ListOf(Nested(BatchItem), 1, MOST_ITEMS, required=True)


@dataclass(frozen=True, slots=True)
class Item:
    """One of the requests.

    Attributes:
        id: the client's own.
        path: as told.
        asked: what it asks; None where there is no such path.
        text: of its body, the same for the same.
        value: of its body.
        faults: of its text that did not keep it from being read.
    """

    id: str
    path: str
    asked: tuple[GameDefinition, Endpoint] | None
    text: bytes
    value: Any
    faults: tuple[Violation, ...]


def read_batch(raw: Any, known: Sequence[Violation]) -> list[Item]:
    """The requests of a batch.

    Args:
        raw: the decoded JSON text.
        known: faults of the text that did not keep it from being read; those within the body of a
            request are its own.

    Raises:
        Rejected: with every fault that is no single request's own.
    """
    document, faults = judge_shape(BatchRequest(), raw)
    told = document["requests"] or ()
    owned: dict[int, list[Violation]] = {}
    for fault in known:
        _, *steps = fault.path.split("/")
        if steps[:1] == ["requests"] and steps[2:3] == ["body"]:
            at = pointer("requests", int(steps[1]), "body")
            own = replace(fault, path=fault.path.removeprefix(at))
            owned.setdefault(int(steps[1]), []).append(own)
        else:
            faults.append(fault)
    faults += _faults_between(told)
    if faults:
        raise Rejected(faults)
    return [_item(one, tuple(owned.get(number, ()))) for number, one in enumerate(told)]


def _faults_between(told: Sequence[Any]) -> list[Violation]:
    """What no shape tells."""
    faults = []
    first: dict[str, int] = {}
    for number, one in enumerate(told):
        if one is INVALID:
            continue
        at = pointer("requests", number)
        if one["path"] == PATH:
            faults.append(Violation(at + "/path", "nested-batch", "A batch holds no batches."))
        if one["id"] is INVALID:
            continue
        earlier = first.setdefault(one["id"], number)
        if earlier != number:
            detail = f"Request {earlier} has this id as well."
            faults.append(Violation(at + "/id", "duplicate-id", detail))
    return faults


def _item(told: dict[str, Any], faults: tuple[Violation, ...]) -> Item:
    # Every integer that is read fits into JSON, but not all into 64 bits.
    text = json.dumps(told["body"], ensure_ascii=False, separators=(",", ":"))
    if faults:
        # What a text says twice is not in it any more; it is not to be taken for one without.
        text += repr(faults)
    return Item(
        id=told["id"],
        path=told["path"],
        asked=VERBS.get(told["path"]),
        text=text.encode(),
        value=told["body"],
        faults=faults,
    )
