"""Response schemas of reviews that turn-based games share."""

from __future__ import annotations

from marshmallow import fields

from service.core.vocabulary import LUCK_SOURCES
from service.games.common.fields import MapOf, Name, Nested, OneOf, ResponseSchema, StrictSchema
from service.games.common.habits import habits_field
from service.games.common.review_schema import (
    ONLY_ERRORS,
    DecisionValues,
    LuckBySource,
    ReviewProgress,
    ReviewSearch,
    Skill,
)


class Luck(ResponseSchema):
    """A gain or loss by luck."""

    component = "Luck"

    source = OneOf(
        LUCK_SOURCES,
        required=True,
        metadata={
            "description": "What happened since the player's previous decision:\n"
            "- `draws`: a draw or an answer in the same turn\n"
            "- `others`: turns of other players\n"
            "- `search`: nothing; the new search sees one decision further"
        },
    )
    share = fields.Float(required=True, metadata={"description": "Share of the win gained by it."})


class TurnDecision(DecisionValues):
    """A decision of a turn-based game; a game adds its names and actions."""

    turn = fields.Integer(required=True, metadata={"description": "Index in `turns`, from 0."})
    action = fields.Integer(
        required=True,
        metadata={"description": "Number of actions before it in the turn, draws included."},
    )
    luck = Nested(Luck, metadata={"description": "Absent for the player's first decision."})


class PlayerAccount(Skill):
    """The skill and the luck of a player."""

    component = "PlayerAccount"

    luck = Nested(LuckBySource, required=True)
    start = fields.Float(metadata={"description": "`best_value` at the player's first decision."})
    habits = habits_field()
    end = fields.Float(
        metadata={
            "description": "The share won or, in an unfinished game, the value after the last "
            "decision. Equals `start` - `loss` + all `luck`."
        }
    )


def turn_decision_schema(
    name: str,
    action_schema: type[StrictSchema],
    decisions: tuple[str, ...],
    reason: type[ResponseSchema],
) -> type[ResponseSchema]:
    """Return the schema of a judged decision.

    Args:
        name: component name in ``openapi.yaml``.
        action_schema: of an action of the game.
        decisions: names of the game's decisions.
        reason: of a reason of the game.
    """

    class GameDecision(TurnDecision):
        """A decision with its values and grade."""

        component = name

        decision = OneOf(decisions, required=True)
        move = Nested(action_schema, required=True)
        best = Nested(action_schema, required=True)
        reasons = fields.List(
            Nested(reason), metadata={"description": f"What goes wrong. {ONLY_ERRORS}"}
        )
        best_reasons = fields.List(
            Nested(reason), metadata={"description": f"What `best` does. {ONLY_ERRORS}"}
        )
        plan = fields.List(
            Nested(action_schema),
            metadata={"description": f"`move` and the next moves of a hint. {ONLY_ERRORS}"},
        )
        best_plan = fields.List(Nested(action_schema))

    return GameDecision


def review_response_schema(
    name: str, decision_schema: type[ResponseSchema]
) -> type[ResponseSchema]:
    """Return the schema of ``review`` responses; ``name`` is the component name."""

    class ReviewResponse(ResponseSchema):
        """The review of a played game."""

        component = name

        players = MapOf(keys=Name(), values=Nested(PlayerAccount), required=True)
        game_over = fields.Boolean(required=True)
        winners = fields.List(Name(), required=True)
        progress = Nested(ReviewProgress, required=True)
        search = Nested(ReviewSearch, required=True)
        decisions = fields.List(
            Nested(decision_schema),
            required=True,
            metadata={"description": "Those with more than one legal choice, in order."},
        )

    return ReviewResponse
