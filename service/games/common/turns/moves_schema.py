"""Response schema of ``legal-moves`` that turn-based games share."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.games.common.fields import Name, Nested, OneOf, ResponseSchema, StrictSchema
from service.games.common.unions import Kind

DRAW: Final = "draw"
NONE: Final = "none"
ALWAYS: Final = ("moves", "position", "game_over")
"""Fields of every kind."""
COMPLETE: Final = Kind(ALWAYS, description="The turn is complete.", values=(NONE,))


def legal_moves_schema(
    decisions: tuple[str, ...],
    state_schema: type[StrictSchema],
    action_schema: type[StrictSchema],
    card_schema: type[ResponseSchema],
) -> type[ResponseSchema]:
    """Return the fields that the responses to ``legal-moves`` of all games of turns have.

    A game inherits from the schema and adds its own fields, the component and the kinds.

    Args:
        decisions: names of the game's decisions.
        state_schema: of a position of the game.
        action_schema: of an action of the game.
        card_schema: of a card with its probability.
    """

    class LegalMoves(ResponseSchema):
        decision = OneOf((*decisions, DRAW, NONE), required=True)
        player = Name()
        moves = fields.Dict(
            keys=fields.String(), values=fields.List(Nested(action_schema)), required=True
        )
        draw = fields.List(Nested(card_schema))
        position = Nested(state_schema, required=True)
        game_over = fields.Boolean(required=True)

    return LegalMoves
