"""JSON schemas of hints."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.core.vocabulary import CARD
from service.games.common.brief_hints import ONLY_FULL
from service.games.common.fields import MapOf, Name, Nested, ResponseSchema, Verbatim
from service.games.common.rounds.hint_schema import (
    by_player,
    hint_schemas,
    listed,
    move_value_schema,
    note,
    number,
)
from service.games.snow_time.api.profile_schema import ProfileSchema
from service.games.snow_time.api.reasons.consequences import CONSEQUENCE_CODES
from service.games.snow_time.api.reasons.nudges import NUDGES
from service.games.snow_time.api.schema import FORM, CardName, moves_by_seat


class ExpectedPoints(ResponseSchema):
    """Expected points in the round, by kind."""

    component = "SnowTimeExpectedPoints"

    fight = fields.Float(required=True)
    fruit = fields.Float(required=True)
    mana = fields.Float(required=True)
    bonus = fields.Float(required=True)


class ReasonParams(ResponseSchema):
    """Only the parameters of the code."""

    component = "SnowTimeReasonParams"

    seat = Name(metadata={"description": "The player's seat that it is about."})
    own = CardName(metadata={"description": "The player's champion."})
    other = Name(metadata={"description": "The seat that plays `card`."})
    by = Name(metadata={"description": "The seat that plays `by_card`."})
    by_card = CardName()
    level = fields.Integer()
    space = fields.Integer()
    chance = fields.Float()
    all = fields.Boolean()
    discarded = fields.Integer()
    finishes = fields.Boolean()
    mana = fields.Boolean()
    card = CardName()
    count = fields.Integer()
    cards = fields.List(CardName())


class ReasonSchema(ResponseSchema):
    """Something that happens on the board after a move, for or against it."""

    component = "SnowTimeReason"

    code = fields.String(
        required=True,
        metadata={"description": f"{listed(CONSEQUENCE_CODES)}\n\nThe list can grow."},
    )
    params = Verbatim(ReasonParams, required=True)
    text = fields.String(required=True)


class FactSchema(ReasonSchema):
    """Something that happens on the board after a move, without a comparison."""

    component = "SnowTimeFact"

    code = fields.String(
        required=True, metadata={"description": "A code of `SnowTimeReason`. The list can grow."}
    )


class RollSchema(ResponseSchema):
    """The hint after one outcome of the roll."""

    component = "SnowTimeRoll"

    dice = fields.List(fields.Integer(), required=True)
    probability = number()
    move = moves_by_seat(required=True, metadata=note("The first of `moves` after this roll."))
    value = number("Expected value after this roll.")
    win_shares = by_player("")


HINT_SCHEMAS: Final = hint_schemas(
    FORM,
    move_value_schema(
        FORM,
        ReasonSchema,
        "Own spaces: `fight`, `fruit`, `mana`, `bonus`; own cards: `champions`, `watcher`, "
        "`blizzard`; `race`; `others_spaces`, `others_cards`; `end`: the exact result of a "
        "finished game; `later`: further rounds.",
        own={
            "points": Nested(ExpectedPoints, metadata=note(ONLY_FULL)),
            "survival": MapOf(
                keys=Name(),
                values=fields.Float(),
                metadata=note(
                    "By seat, the probability that the champion played returns to hand; absent "
                    f"for a seat that plays none. {ONLY_FULL}"
                ),
            ),
        },
        facts={
            "facts": fields.List(
                Nested(FactSchema),
                metadata=note(
                    "What the move does by itself: its gains, then its dangers and costs. Only "
                    "with `include`."
                ),
            )
        },
    ),
    NUDGES,
    order_note=" (with two seats, by the cards of the first seat; seats are ordered by score, hand "
    "and name)",
    profile={
        "opponents": MapOf(
            keys=Name(),
            values=Nested(ProfileSchema),
            metadata=note("Under `learned`, by other player."),
        )
    },
    chance={
        "dice": fields.List(
            Nested(RollSchema),
            metadata=note("Only with `include`: each outcome of the roll; probabilities sum to 1."),
        )
    },
)
"""By hint level."""
CardHint: Final = HINT_SCHEMAS[CARD]
