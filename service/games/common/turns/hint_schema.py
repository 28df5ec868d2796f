"""Response schemas of hints that turn-based games share.

A game passes its schemas of actions and its codes, and the component names in ``openapi.yaml``.
"""

from __future__ import annotations

from collections.abc import Mapping

from marshmallow import fields

from service.core.vocabulary import CARD, EFFORTS
from service.games.common.advice_schema import Advice
from service.games.common.brief_hints import ONLY_FULL
from service.games.common.fields import (
    MapOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    StrictSchema,
    Verbatim,
)
from service.games.common.review_schema import grade_class, share_by_player
from service.games.common.turns.request_schema import ListOfActions


class TurnSearch(ResponseSchema):
    """How a hint was computed."""

    component = "TurnSearch"

    method = fields.String(required=True, metadata={"description": "`turn-expectimax`."})
    depth = fields.Integer(
        required=True,
        metadata={"description": "Rounds of other players' turns searched after this turn."},
    )
    effort = OneOf(EFFORTS, required=True)
    exact = fields.Boolean(
        required=True,
        metadata={"description": "True if no value was cut off, sampled or estimated."},
    )
    complete = fields.Boolean(
        required=True, metadata={"description": "False if the deadline stopped the search."}
    )
    nodes = fields.Integer(required=True, metadata={"description": "Positions searched."})
    determinizations = fields.Integer(
        required=True,
        metadata={
            "description": "Deals of the hidden cards: all if few, and then they add no `error`;"
            " otherwise a sample."
        },
    )
    evaluator = fields.String(required=True)


class SuggestMetadata(ResponseSchema):
    """The options of ``suggest``."""

    component = "TurnSuggestAbout"

    objectives = fields.List(fields.String(), required=True)
    efforts = fields.List(fields.String(), required=True)
    include = fields.List(fields.String(), required=True)


# Texts ----------------------------------------------------------------------------------------


def code_field(codes: Mapping[str, str]) -> fields.String:
    """Return a field for codes with their meanings."""
    listed = "\n".join(f"- `{code}`: {meaning}" for code, meaning in codes.items())
    return fields.String(required=True, metadata={"description": f"{listed}\n\nThe list can grow."})


class ReasonParams(ResponseSchema):
    """Only the parameters of the code."""

    component = "TurnReasonParams"

    count = fields.Integer()
    player = Name()
    players = fields.List(Name())
    space = fields.String(metadata={"description": "Such as `C5`."})
    kind = fields.String(metadata={"description": "What is on `space`."})
    gift = fields.String()
    card = fields.String()
    cards = fields.List(fields.String())
    gained = MapOf(keys=fields.String(), values=fields.Integer())
    resource = fields.String()
    building = fields.String()
    buildings = fields.Integer()
    challenge = fields.String()
    ability = fields.String()
    instead = fields.Integer()
    most = fields.Integer()


def reason_schema(name: str, codes: Mapping[str, str]) -> type[ResponseSchema]:
    """Return the schema of a reason; ``codes`` are those of the game."""

    class TurnReason(ResponseSchema):
        """What happens with an action and not with the one that it is compared with."""

        component = name

        code = code_field(codes)
        params = Verbatim(ReasonParams, required=True)
        text = fields.String(required=True)

    return TurnReason


def fact_schema(
    name: str, codes: Mapping[str, str], params_schema: type[ResponseSchema]
) -> type[ResponseSchema]:
    """Return the schema of a fact; ``codes`` and parameters are those of the game."""

    class Fact(ResponseSchema):
        """What an action does by itself."""

        component = name

        code = code_field(codes)
        params = Verbatim(params_schema, required=True)
        text = fields.String(required=True)

    return Fact


# Hints ----------------------------------------------------------------------------------------


def action_value_schema(
    name: str,
    action_schema: type[StrictSchema],
    reason: type[ResponseSchema],
    fact: type[ResponseSchema],
    value_note: str = "",
) -> type[ResponseSchema]:
    """Return the schema of one legal action with its value.

    Args:
        name: component name.
        action_schema: of an action of the game.
        reason: of a reason of the game.
        fact: of a fact of the game.
        value_note: what the value is in special cases of the game.
    """

    class Comparison(ResponseSchema):
        """The difference from the pick; for the pick, from the best different action."""

        component = name.replace("ActionValue", "Comparison")

        move = Nested(action_schema, required=True)
        difference = fields.Float(
            required=True, metadata={"description": "The value minus that of `move`."}
        )
        error = fields.Float(
            required=True,
            metadata={
                "description": "Bound for the error of `difference` that holds in nine of ten "
                "positions."
            },
        )
        parts = MapOf(
            keys=fields.String(),
            values=fields.Float(),
            required=True,
            metadata={"description": "Its parts, which sum to it."},
        )

    class ActionValue(ResponseSchema):
        """A legal action with its value and reasons."""

        component = name

        move = Nested(action_schema, required=True)
        value = fields.Float(
            required=True,
            metadata={
                "description": "The player's share of the win if the rest of the turn is played "
                "optimally." + value_note
            },
        )
        loss = fields.Float(required=True, metadata={"description": "Best value minus this value."})
        probability = fields.Float(
            required=True, metadata={"description": "1 for the best move, else 0."}
        )
        error = fields.Float(
            metadata={
                "description": "Bound for its error that holds in nine of ten positions. "
                + ONLY_FULL
            },
        )
        comparison = Nested(Comparison)
        reasons = fields.List(
            Nested(reason),
            required=True,
            metadata={
                "description": "Of the pick what it gains, then its cost; of another move worth "
                "considering, or of `chosen`, what goes wrong with it."
            },
        )
        facts = fields.List(Nested(fact), metadata={"description": "Only with `include`."})

    return ActionValue


def grade_schema(name: str, action_schema: type[StrictSchema]) -> type[ResponseSchema]:
    """Return the schema of the grade of the player's choice."""

    class Grade(ResponseSchema):
        """The grade of the chosen action."""

        component = name

        move = Nested(action_schema, required=True)
        loss = fields.Float(required=True)
        class_ = grade_class()

    return Grade


def suggest_response_schema(
    name: str,
    state_schema: type[StrictSchema],
    action_schema: type[StrictSchema],
    action_value: type[ResponseSchema],
    grade_schema: type[ResponseSchema],
    decisions: tuple[str, ...],
    legal_moves: type[ResponseSchema],
    list_of_actions: ListOfActions,
    *,
    moves_note: str = "",
    shares_note: str = "",
) -> type[ResponseSchema]:
    """Return the schema of ``suggest`` responses: one list of members.

    Args:
        name: component name.
        state_schema: of a position of the game.
        action_schema: of an action of the game.
        action_value: of a legal action with its value.
        grade_schema: of the grade of the player's choice.
        decisions: names of the game's decisions.
        legal_moves: of the response of ``legal-moves``.
        list_of_actions: returns a field for actions of the game.
        moves_note: which further moves the game lists.
        shares_note: what the shares are in special cases of the game.
    """

    class SuggestResponse(ResponseSchema):
        """A hint for one player."""

        component = name

        player = Name(required=True)
        decision = OneOf(decisions, required=True)
        hint_level = OneOf((CARD,), required=True)
        position = Nested(
            state_schema,
            metadata={
                "description": f"The position after `so_far`, as `player` sees it. {ONLY_FULL}"
            },
        )
        advice = Nested(Advice, required=True)
        pick = Nested(
            action_schema,
            required=True,
            metadata={"description": "The best move."},
        )
        pick_public = fields.Boolean(
            required=True,
            metadata={"description": "Whether other players can compute `pick`."},
        )
        pick_index = fields.Integer(
            required=True, metadata={"description": "The index of `pick` in `moves`."}
        )
        moves = fields.List(
            Nested(action_value),
            required=True,
            metadata={
                "description": "All moves that `legal-moves` lists, best first; of equal ones, "
                "those that keep more, then in the order of `legal-moves`." + moves_note
            },
        )
        win_shares = share_by_player(
            "Win shares of all players after the best move; their sum is 1." + shares_note
        )
        expected_values = share_by_player(
            f"The value of the objective for every player. {ONLY_FULL}", required=False
        )
        grade = Nested(grade_schema)
        plan = list_of_actions(
            "`pick` and the next moves, up to a draw, another decider or the end of turn "
            "or search.",
            required=True,
        )
        after_plan = Nested(
            legal_moves,
            metadata={
                "description": "The response of `legal-moves` after `plan`, as `player` sees it. "
                + ONLY_FULL
            },
        )
        search = Nested(TurnSearch, required=True)

    return SuggestResponse
