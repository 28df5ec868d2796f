"""Response schemas of reviews that all games or all turn-based games share."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.core.vocabulary import GRADES, LUCK_SOURCES
from service.games.common.fields import MapOf, Name, Nested, OneOf, ResponseSchema, StrictSchema
from service.games.common.habits import habits_field

ONLY_ERRORS: Final = "Only after an error."


def grade_class() -> OneOf:
    """Return the field of a loss's grade, ``class`` in JSON."""
    return OneOf(GRADES, required=True, attribute="class_", data_key="class")


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


class DecisionValues(ResponseSchema):
    """The values of a decision of any game."""

    player = Name(required=True)
    best_value = fields.Float(
        required=True,
        metadata={"description": "Share of the win with the best choice."},
    )
    value = fields.Float(
        required=True, metadata={"description": "Share of the win with the player's choice."}
    )
    loss = fields.Float(required=True, metadata={"description": "`best_value` minus `value`."})
    class_ = grade_class()


class TurnDecision(DecisionValues):
    """A decision of a turn-based game; a game adds its names and actions."""

    turn = fields.Integer(required=True, metadata={"description": "Index in `turns`, from 0."})
    action = fields.Integer(
        required=True,
        metadata={"description": "Number of actions before it in the turn, draws included."},
    )
    luck = Nested(Luck, metadata={"description": "Absent for the player's first decision."})


class LuckBySource(ResponseSchema):
    """Shares of the win gained by luck, by source."""

    component = "LuckBySource"

    draws = fields.Float(required=True)
    others = fields.Float(required=True)
    search = fields.Float(required=True)
    indifferent = fields.Float(metadata={"description": "Only in games of rounds."})


class Skill(ResponseSchema):
    """A player's grades and total loss."""

    classes = MapOf(keys=OneOf(GRADES), values=fields.Integer(), required=True)
    loss = fields.Float(
        required=True, metadata={"description": "Sum over all decisions: the skill part."}
    )


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


class ReviewProgress(ResponseSchema):
    """How much of a review is finished."""

    component = "ReviewProgress"

    done = fields.Integer(required=True, metadata={"description": "Finished steps."})
    total = fields.Integer(
        required=True,
        metadata={
            "description": "Steps of the whole review, the same in each call: the solutions that "
            "decisions, luck and profiles need."
        },
    )


class ReviewSearch(ResponseSchema):
    """How a review was computed."""

    component = "TurnReviewSearch"

    method = fields.String(required=True, metadata={"description": "`turn-expectimax`."})
    effort = fields.String(required=True)
    complete = fields.Boolean(
        required=True,
        metadata={"description": "False if the deadline stopped the review."},
    )
    nodes = fields.Integer(required=True, metadata={"description": "Positions searched."})
    evaluator = fields.String(required=True)


# Turn-based games -----------------------------------------------------------------------------


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
