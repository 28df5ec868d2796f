"""Fields of requests that all games share."""

from __future__ import annotations

from typing import Any, Final

from service.core.vocabulary import DEFAULT_EFFORT, DEFAULT_REVIEW_MS, EFFORTS, MAX_DEADLINE_MS
from service.games.common.fields import Integer, OneOf

MAX_SEED: Final = 2**53 - 1
"""The largest integer that every JSON reader reads exactly."""


def seed_field(note: str, **kwargs: Any) -> Integer:
    """Return the field of a random seed."""
    return Integer(0, MAX_SEED, metadata={"description": note}, **kwargs)


def effort_field() -> OneOf:
    """Return the field that limits the work of a search."""
    return OneOf(EFFORTS, load_default=DEFAULT_EFFORT)


def _deadline(note: str) -> Integer:
    description = "Milliseconds from receipt, waiting time included. The search stops at the "
    return Integer(10, MAX_DEADLINE_MS, metadata={"description": description + note})


def suggest_deadline() -> Integer:
    """Return the field of the deadline of a hint, in milliseconds."""
    return _deadline(
        f"deadline (default: {MAX_DEADLINE_MS}); `complete` is then false, or the response is 503 "
        "if there is no result yet."
    )


def review_deadline() -> Integer:
    """Return the field of the deadline of a review, in milliseconds for all its decisions."""
    return _deadline(
        f"deadline (default: {DEFAULT_REVIEW_MS}, but none for a stream); `complete` is then "
        "false. The response contains what is finished; send the same request again to continue "
        "from there."
    )
