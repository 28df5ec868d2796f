"""Errors of the same kind that a player of a reviewed game made several times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from marshmallow import fields

from service.core.vocabulary import BEST, GOOD
from service.games.common.fields import Document, Nested, ResponseSchema
from service.texts.catalogue import text

LEAST: Final = 3
"""Fewer errors of one kind are no habit."""
FINE: Final = (BEST, GOOD)
"""Grades that need no explanation."""


class Habit(ResponseSchema):
    """Errors of one kind, at least three."""

    component = "Habit"

    code = fields.String(required=True, metadata={"description": "Of their reasons."})
    count = fields.Integer(required=True)
    text = fields.String(required=True)


def habits_field() -> fields.Field[Any]:
    """Return the field of a player's habits."""
    return fields.List(Nested(Habit), metadata={"description": "The most frequent first."})


def habits(player: str, decisions: Sequence[Document], language: str) -> Document:
    """Return the member ``habits`` of a player, if it has any, given all rendered decisions."""
    own = [each for each in decisions if each["player"] == player]
    reasons = [reason for each in own for reason in each.get("reasons", ())]
    counts = Counter(reason["code"] for reason in reasons)
    examples = {reason["code"]: reason["text"] for reason in reversed(reasons)}
    found = [
        {
            "code": code,
            "count": count,
            "text": text("review.habit", language, count=count, example=examples[code]),
        }
        for code, count in counts.most_common()
        if count >= LEAST
    ]
    return {"habits": found} if found else {}
