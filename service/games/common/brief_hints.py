"""The short form of a hint: what to do and why, for apps that show a sentence."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.core.vocabulary import BRIEF, DEFAULT_DETAIL, DETAILS
from service.games.common.fields import Document, OneOf
from service.games.common.validation import Violations

MOST_MOVES: Final = 3
ONLY_FULL: Final = "Not in brief hints."
_KEPT: Final = ("move", "value", "loss", "probability", "reasons")
_INDICES: Final = ("choices", "mistakes", "chances")
_LEFT_OUT: Final = ("position", "after_plan", "strategies", "expected_values", "opponents")


def detail_field() -> fields.String:
    """Return the field of a request that chooses the short form."""
    return OneOf(
        DETAILS,
        load_default=DEFAULT_DETAIL,
        metadata={
            "description": "`brief`: advice, pick with reasons, three best moves, win shares, plan."
        },
    )


def check_detail(document: Document, violations: Violations) -> None:
    """Report ``include`` in a request for a brief hint, which has none of its results."""
    if document.get("detail") == BRIEF and document.get("include"):
        detail = "A brief hint has no further parts. Remove `include`, or set `detail` to `full`."
        violations.add("/include", "include-with-brief", detail)


def brief(hint: Document) -> Document:
    """Return the short form of a rendered hint.

    The three best moves, and the pick if it is not among them, stay in their order; only the pick
    has reasons.  The headline has no indices of moves, some of which are left out.
    """
    pick = hint["pick_index"]
    places = [*range(min(MOST_MOVES, len(hint["moves"])))]
    if pick not in places:
        places.append(pick)
    moves = []
    for place in places:
        row = {name: hint["moves"][place][name] for name in _KEPT}
        moves.append(row if place == pick else row | {"reasons": []})
    params = hint["advice"]["params"]
    advice = hint["advice"] | {
        "params": {name: value for name, value in params.items() if name not in _INDICES}
    }
    short = {name: value for name, value in hint.items() if name not in _LEFT_OUT}
    return short | {"advice": advice, "moves": moves, "pick_index": places.index(pick)}
