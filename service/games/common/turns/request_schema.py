"""Request schemas that turn-based games share.

A game passes its schemas of positions and actions, and the component name in ``openapi.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from service.core.vocabulary import CARD, FACTS, WIN
from service.games.common.brief_hints import detail_field
from service.games.common.fields import (
    ListOf,
    Name,
    Nested,
    Number,
    OneOf,
    StrictSchema,
)
from service.games.common.request_fields import effort_field, review_deadline, suggest_deadline

TURN_OBJECTIVES: Final = (WIN,)
MAX_TURNS: Final = 300
"""In a reviewed game."""

SO_FAR: Final = "This turn so far."

ListOfActions = Callable[..., ListOf]
"""Returns a field with a list of the game's actions, given its description and its options."""


# Fields ---------------------------------------------------------------------------------------


def drawn_with() -> Number:
    """Return the field that lets a listed draw be sent as it is."""
    note = "Of a draw, as `legal-moves` lists it; the service does not use it."
    return Number(0.0, 1.0, metadata={"description": note})


def objective_field() -> OneOf:
    """Return the field that says what the players of a game of turns maximise."""
    return OneOf(
        TURN_OBJECTIVES,
        load_default="win",
        metadata={"description": "`win`: the player's share of the win."},
    )


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
        hint_level = OneOf(
            (CARD,),
            load_default=CARD,
            metadata={"description": "`card`: everything. These games have no other level."},
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
