"""JSON schemas of hints: everything, a shortlist, or nudges only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from marshmallow import fields

from service.core.vocabulary import CARD, EFFORTS, NUDGE, SHORTLIST
from service.games.common.advice_schema import Advice
from service.games.common.brief_hints import ONLY_FULL
from service.games.common.fields import MapOf, Name, Nested, OneOf, ResponseSchema, Verbatim
from service.games.common.review_schema import grade_class
from service.games.snow_time.api.profile_schema import ProfileSchema
from service.games.snow_time.api.reasons.consequences import CONSEQUENCE_CODES
from service.games.snow_time.api.reasons.nudges import NO_DIFFERENCE, NUDGES
from service.games.snow_time.api.schema import CardName, moves_by_seat


class JointProbability(ResponseSchema):
    """A player's move with its probability."""

    component = "SnowTimeJointProbability"

    move = moves_by_seat(required=True)
    probability = fields.Float(required=True)


class ExpectedPoints(ResponseSchema):
    """Expected points in the round, by kind."""

    component = "SnowTimeExpectedPoints"

    fight = fields.Float(required=True)
    fruit = fields.Float(required=True)
    mana = fields.Float(required=True)
    bonus = fields.Float(required=True)


def _listed(codes: Mapping[str, str]) -> str:
    """Return codes with their meanings; codes of the same meaning share a line."""
    by_meaning: dict[str, list[str]] = {}
    for code, meaning in codes.items():
        by_meaning.setdefault(meaning, []).append(f"`{code}`")
    return "\n".join(f"- {', '.join(own)}: {meaning}" for meaning, own in by_meaning.items())


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
        metadata={"description": f"{_listed(CONSEQUENCE_CODES)}\n\nThe list can grow."},
    )
    params = Verbatim(ReasonParams, required=True)
    text = fields.String(required=True)


class FactSchema(ReasonSchema):
    """Something that happens on the board after a move, without a comparison."""

    component = "SnowTimeFact"

    code = fields.String(
        required=True, metadata={"description": "A code of `SnowTimeReason`. The list can grow."}
    )


class ComparisonSchema(ResponseSchema):
    """A move compared with another one."""

    component = "SnowTimeComparison"

    move = moves_by_seat(required=True, metadata={"description": "The other move."})
    difference = fields.Float(
        required=True, metadata={"description": "Value of the move minus that of the other one."}
    )
    parts = MapOf(
        keys=fields.String(),
        values=fields.Float(),
        required=True,
        metadata={
            "description": "What it consists of; the parts sum to `difference`. Own spaces: "
            "`fight`, `fruit`, `mana`, `bonus`; own cards: `champions`, `watcher`, `blizzard`; "
            "`race`; `others_spaces`, `others_cards`; `end`: the exact result of a finished game; "
            "`later`: further rounds."
        },
    )


class MoveValue(ResponseSchema):
    """A legal move with its value and reasons."""

    component = "SnowTimeMoveValue"

    move = moves_by_seat(required=True)
    value = fields.Float(required=True, metadata={"description": "In the objective's unit."})
    loss = fields.Float(required=True, metadata={"description": "Best value minus this value."})
    probability = fields.Float(required=True)
    points = Nested(ExpectedPoints, metadata={"description": ONLY_FULL})
    survival = MapOf(
        keys=Name(),
        values=fields.Float(),
        metadata={
            "description": "By seat, the probability that the champion played returns to "
            f"hand; absent for a seat that plays none. {ONLY_FULL}"
        },
    )
    comparison = Nested(
        ComparisonSchema,
        metadata={
            "description": "With `pick`, and for `pick` with the best other move; absent if only "
            "one move is legal."
        },
    )
    reasons = fields.List(
        Nested(ReasonSchema),
        required=True,
        metadata={
            "description": "Of the pick at most two gains, then its danger or cost. Of another "
            "move that a player would consider, or of `chosen`, what goes wrong with it; of all "
            "others none."
        },
    )
    facts = fields.List(
        Nested(FactSchema),
        metadata={
            "description": "What the move does by itself: its gains, then its dangers and costs. "
            "Only with `include`."
        },
    )


class GradeSchema(ResponseSchema):
    """The grade of the chosen move."""

    component = "SnowTimeGrade"

    move = moves_by_seat(required=True)
    loss = fields.Float(required=True)
    class_ = grade_class()


class SearchSchema(ResponseSchema):
    """How a hint was computed."""

    component = "SnowTimeSearch"

    method = fields.String(
        required=True,
        metadata={
            "description": "`equilibrium`, `quantal`, `level-1`, `learned`, or `expectimax` under "
            "`uniform`."
        },
    )
    depth = fields.Integer(required=True, metadata={"description": "Rounds looked ahead."})
    effort = OneOf(EFFORTS, required=True)
    exact = fields.Boolean(
        required=True,
        metadata={"description": "True if no value was cut off, sampled or estimated."},
    )
    complete = fields.Boolean(
        required=True, metadata={"description": "False if the deadline stopped the search."}
    )
    nodes = fields.Integer(required=True, metadata={"description": "Rounds resolved."})
    epsilon = fields.Float(
        metadata={
            "description": "The largest gain of a solved player from deviating from the printed "
            "strategies at this decision (the epsilon of an epsilon-equilibrium), in the "
            "objective's unit; absent if no player was solved."
        },
    )
    quantal_residual = fields.Float(
        metadata={
            "description": "The largest difference between a printed probability and the quantal "
            "response to the printed strategies; only with the model `quantal`."
        },
    )
    unsearched = fields.Float(
        required=True,
        metadata={
            "description": "The largest probability, over all moves, of reaching positions that "
            "were not searched further; 0 at depth 1."
        },
    )
    evaluator = fields.String(required=True)
    trust = fields.Float(
        metadata={
            "description": "Under `learned`: the weight of the value against predicted play, from "
            "0 to 1; the rest is that of the worst case."
        }
    )
    risk = fields.Float(
        metadata={
            "description": "Under `learned`: what the strategy can lose, compared with the "
            "equilibrium strategy, against one opponent who knows it."
        }
    )
    library = fields.Integer(
        metadata={"description": "Under `learned`: version of the library of styles."}
    )


class NextSchema(ResponseSchema):
    """The best choice after a reveal."""

    component = "SnowTimeNext"

    move = moves_by_seat(required=True, metadata={"description": "The first move."})
    revealed = moves_by_seat(
        required=True, metadata={"description": "The revealed cards of all seats."}
    )
    probability = fields.Float(
        required=True, metadata={"description": "Probability of this reveal after `move`."}
    )
    next = moves_by_seat(
        required=True, metadata={"description": "The first of `moves` after this reveal."}
    )
    value = fields.Float(
        required=True,
    )


class MatrixSchema(ResponseSchema):
    """Payoffs against the moves of one other player."""

    component = "SnowTimeMatrix"

    moves = fields.List(
        moves_by_seat(), required=True, metadata={"description": "The player's moves."}
    )
    against = fields.List(
        moves_by_seat(), required=True, metadata={"description": "The other player's."}
    )
    values = fields.List(
        fields.List(fields.Float()),
        required=True,
        metadata={
            "description": "One row per move of the player, one column per move of the other."
        },
    )


class ConditionalSchema(ResponseSchema):
    """What changes with one move of another player."""

    component = "SnowTimeConditional"

    move = moves_by_seat(required=True)
    probability = fields.Float(required=True)
    best_response = moves_by_seat(
        required=True, metadata={"description": "The best move against it."}
    )
    value = fields.Float(required=True, metadata={"description": "The value of `best_response`."})
    win_shares = MapOf(
        keys=Name(),
        values=fields.Float(),
        required=True,
        metadata={"description": "Win shares if no other player expects that move."},
    )


class RollSchema(ResponseSchema):
    """The hint after one outcome of the roll."""

    component = "SnowTimeRoll"

    dice = fields.List(fields.Integer(), required=True)
    probability = fields.Float(required=True)
    move = moves_by_seat(
        required=True, metadata={"description": "The first of `moves` after this roll."}
    )
    value = fields.Float(required=True, metadata={"description": "Expected value after this roll."})
    win_shares = MapOf(keys=Name(), values=fields.Float(), required=True)


class CardHint(ResponseSchema):
    """A hint that discloses everything; its texts are in the language of the response."""

    component = "SnowTimeCardHint"

    hint_level = OneOf((CARD,), required=True)
    player = Name(required=True)
    decision = OneOf(("card", "watcher", "healer"), required=True)
    pick = moves_by_seat(
        required=True,
        metadata={"description": "Drawn from the player's strategy."},
    )
    pick_index = fields.Integer(
        required=True, metadata={"description": "The index of `pick` in `moves`."}
    )
    pick_public = fields.Boolean(
        required=True,
        metadata={"description": "True without a `nonce`: others can then compute `pick`."},
    )
    advice = Nested(Advice, required=True)
    moves = fields.List(
        Nested(MoveValue),
        required=True,
        metadata={
            "description": "All legal moves in the order of recommendation: by value, where values "
            "that differ by no more than `search.epsilon` are equal; equal values by probability, "
            "then in deck order (with two seats, by the cards of the first seat; seats are ordered "
            "by score, hand and name)."
        },
    )
    strategies = MapOf(
        keys=Name(),
        values=fields.List(Nested(JointProbability)),
        metadata={
            "description": f"By player, the moves at this decision with probabilities. {ONLY_FULL}"
        },
    )
    win_shares = MapOf(
        keys=Name(),
        values=fields.Float(),
        required=True,
        metadata={"description": "Win shares of all players under the strategies; they sum to 1."},
    )
    expected_values = MapOf(
        keys=Name(),
        values=fields.Float(),
        metadata={"description": f"Expected value of the objective for every player. {ONLY_FULL}"},
    )
    grade = Nested(GradeSchema)
    opponents = MapOf(
        keys=Name(),
        values=Nested(ProfileSchema),
        metadata={"description": "Under `learned`, by other player."},
    )
    next = fields.List(
        Nested(NextSchema),
        metadata={
            "description": "Only with `include`: the best choice after each of the three likeliest "
            "reveals, if `pick` or the first of `moves` leads to a further decision of the player."
        },
    )
    matrix = MapOf(
        keys=Name(),
        values=Nested(MatrixSchema),
        metadata={
            "description": "Only with `include`: by other player, a payoff matrix, in which the "
            "remaining players play their strategies. The mean of a row, weighted by that player's "
            "strategy, is the value of the move. At most the 20 most frequent moves of a player "
            "are listed. Players with a single move are omitted."
        },
    )
    conditional = MapOf(
        keys=Name(),
        values=fields.List(Nested(ConditionalSchema)),
        metadata={
            "description": "Only with `include`: by other player, what changes with each move."
        },
    )
    dice = fields.List(
        Nested(RollSchema),
        metadata={
            "description": "Only with `include`: each outcome of the roll; probabilities sum to 1."
        },
    )
    search = Nested(SearchSchema, required=True)


class NudgeSchema(ResponseSchema):
    """Something to consider."""

    component = "SnowTimeNudge"

    code = fields.String(
        required=True,
        metadata={
            "description": "What the hint will name: "
            + ", ".join(f"`{code}`" for code in NUDGES)
            + f"; `{NO_DIFFERENCE}` if nothing stands out."
        },
    )
    text = fields.String(required=True)


class NudgeHint(ResponseSchema):
    """A hint that names no moves."""

    component = "SnowTimeNudgeHint"

    player = Name(required=True)
    decision = OneOf(("card", "watcher", "healer"), required=True)
    hint_level = OneOf((NUDGE,), required=True)
    nudges = fields.List(Nested(NudgeSchema), required=True)
    search = Nested(SearchSchema, required=True)


class ShortlistHint(NudgeHint):
    """A hint that names some moves."""

    component = "SnowTimeShortlistHint"

    hint_level = OneOf((SHORTLIST,), required=True)
    shortlist = fields.List(
        moves_by_seat(),
        required=True,
        metadata={
            "description": "Two to four moves, including the recommended one, in deck order; one "
            "move if only one is legal."
        },
    )


SCHEMA_BY_HINT_LEVEL: Final = {NUDGE: NudgeHint, SHORTLIST: ShortlistHint, CARD: CardHint}
