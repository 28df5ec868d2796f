"""Request schemas that turn-based games share.

A game passes its schemas of positions and actions, and the component name in ``openapi.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from service.core.vocabulary import (
    DEFAULT_EFFORT,
    DEFAULT_REVIEW_MS,
    EFFORTS,
    FACTS,
    MAX_DEADLINE_MS,
    WIN,
)
from service.games.common.brief_hints import detail_field
from service.games.common.fields import (
    Integer,
    ListOf,
    Name,
    Nested,
    Number,
    OneOf,
    StrictSchema,
)

TURN_OBJECTIVES: Final = (WIN,)
MAX_TURNS: Final = 300
"""In a reviewed game."""
MAX_SEED: Final = 2**53 - 1
"""The largest integer that every JSON reader reads exactly."""

SO_FAR: Final = "This turn so far."

ListOfActions = Callable[..., ListOf]
"""Returns a field with a list of the game's actions, given its description and its options."""


# Fields ---------------------------------------------------------------------------------------


def seed_field(note: str, **kwargs: Any) -> Integer:
    return Integer(0, MAX_SEED, metadata={"description": note}, **kwargs)


def drawn_with() -> Number:
    """Return the field that lets a listed draw be sent as it is."""
    note = "Of a draw, as `legal-moves` lists it; the service does not use it."
    return Number(0.0, 1.0, metadata={"description": note})


def _deadline(note: str) -> Integer:
    description = "Milliseconds from receipt, waiting time included. The search stops at the "
    return Integer(10, MAX_DEADLINE_MS, metadata={"description": description + note})


def suggest_deadline() -> Integer:
    """Milliseconds after which a search stops."""
    return _deadline(
        f"deadline (default: {MAX_DEADLINE_MS}); `complete` is then false, or the response is 503 "
        "if there is no result yet."
    )


def review_deadline() -> Integer:
    """Milliseconds for all decisions of a game together."""
    return _deadline(
        f"deadline (default: {DEFAULT_REVIEW_MS}, but none for a stream); `complete` is then "
        "false. The response contains what is finished; send the same request again to continue "
        "from there."
    )


def objective_field() -> OneOf:
    return OneOf(
        TURN_OBJECTIVES,
        load_default="win",
        metadata={"description": "`win`: the player's share of the win."},
    )


def effort_field() -> OneOf:
    return OneOf(EFFORTS, load_default=DEFAULT_EFFORT)


# Requests -------------------------------------------------------------------------------------


def suggest_request_schema(
    name: str,
    state_schema: type[StrictSchema],
    action_schema: type[StrictSchema],
    list_of_actions: ListOfActions,
) -> type[StrictSchema]:
    """Return the schema of ``suggest`` requests."""

    class SuggestRequest(StrictSchema):
        """A request for a hint."""

        component = name

        state = Nested(state_schema, required=True)
        player = Name(
            required=True,
            metadata={
                "description": "The player who gets the hint. Cards that this player cannot see "
                "are ignored, even if `state` or `so_far` contains them."
            },
        )
        so_far = list_of_actions(SO_FAR)
        objective = objective_field()
        effort = effort_field()
        deadline_ms = suggest_deadline()
        chosen = Nested(
            action_schema,
            metadata={
                "description": "The chosen action, to grade. It is searched as far as the best"
                " ones, so its value can differ from that in a hint without it."
            },
        )
        detail = detail_field()
        include = ListOf(
            OneOf((FACTS,)),
            0,
            1,
            metadata={"description": "`facts`: what each action does by itself."},
        )

    return SuggestRequest


def review_request_schema(
    name: str, state_schema: type[StrictSchema], list_of_actions: ListOfActions
) -> type[StrictSchema]:
    """Return the schema of ``review`` requests."""

    class ReviewRequest(StrictSchema):
        """A request to review a played game."""

        component = name

        state = Nested(
            state_schema,
            required=True,
            metadata={"description": "The position before the first turn."},
        )
        turns = ListOf(
            list_of_actions(),
            1,
            MAX_TURNS,
            required=True,
            metadata={"description": "Complete turns in order, with all answers and draws."},
        )
        effort = effort_field()
        deadline_ms = review_deadline()

    return ReviewRequest
