"""The JSON shapes of hints: everything, a shortlist, or a nudge."""

from __future__ import annotations

from marshmallow import fields

from service.core.vocabulary import EFFORTS, NUDGE, SHORTLIST
from service.games.common.turn_review_schema import grade_class
from service.games.common.validation import Answer, Name, Nested, OneOf, Table, Written
from service.games.snow_time.api.reasons import CODES, MIN_CHANCE, MIN_RETURN_CHANCE
from service.games.snow_time.api.schema import BonusSchema, CardName, moves_by_seat


class JointProbability(Answer):
    component = "SnowTimeJointProbability"

    move = moves_by_seat(required=True)
    probability = fields.Float(required=True)


class ExpectedPoints(Answer):
    component = "SnowTimeExpectedPoints"

    fight = fields.Float(required=True)
    fruit = fields.Float(required=True)
    mana = fields.Float(required=True)
    bonus = fields.Float(required=True)


class ReasonParams(Answer):
    component = "SnowTimeReasonParams"

    seat = Name(metadata={"description": "Which of the player's own it is about."})
    level = fields.Integer()
    chance = fields.Float()
    others = Table(
        keys=Name(),
        values=fields.Float(),
        metadata={"description": "By seat, the likeliest first."},
    )
    tokens = fields.Integer()
    points = fields.Float()
    next = Table(keys=Name(), values=Nested(BonusSchema), metadata={"description": "By seat."})
    card = CardName()
    to_go = Table(keys=Name(), values=fields.Integer(), metadata={"description": "By seat."})
    count = fields.Integer()
    cards = fields.List(CardName())


class ReasonSchema(Answer):
    component = "SnowTimeReason"

    code = OneOf(
        tuple(CODES),
        required=True,
        metadata={
            "description": "\n".join(f"- `{code}`: {told}" for code, told in CODES.items())
            + f"\n\nWhat has a chance or is worth points below {MIN_CHANCE} is not told, and "
            f"`returns` from {MIN_RETURN_CHANCE} on."
        },
    )
    params = Written(
        ReasonParams,
        required=True,
        metadata={
            "description": "What the code speaks of, and nothing else. Chances and points are the "
            "solve's, the later decisions of the round in it; `others` are the printed strategies "
            "of this decision, summed up."
        },
    )
    text = fields.String(
        required=True, metadata={"description": "A sentence, as `Accept-Language` has it."}
    )


class MoveValue(Answer):
    component = "SnowTimeMoveValue"

    move = moves_by_seat(required=True)
    value = fields.Float(required=True, metadata={"description": "In the objective's unit."})
    loss = fields.Float(required=True, metadata={"description": "Best value minus this value."})
    probability = fields.Float(required=True)
    points = Nested(ExpectedPoints, required=True)
    survival = Table(
        keys=Name(),
        values=fields.Float(allow_none=True),
        required=True,
        metadata={"description": "Chance that the champion played returns; null without one."},
    )
    reasons = fields.List(Nested(ReasonSchema), required=True)


class GradeSchema(Answer):
    component = "SnowTimeGrade"

    move = moves_by_seat(required=True)
    loss = fields.Float(required=True)
    class_ = grade_class()


class SearchSchema(Answer):
    component = "SnowTimeSearch"

    method = fields.String(required=True)
    depth = fields.Integer(required=True, metadata={"description": "Rounds looked ahead."})
    tier = OneOf(EFFORTS, required=True)
    exact = fields.Boolean(
        required=True,
        metadata={"description": "Nothing of the stated values was cut, sampled or estimated."},
    )
    complete = fields.Boolean(
        required=True, metadata={"description": "False if the deadline stopped the search."}
    )
    resolved = fields.Integer(required=True, metadata={"description": "Rounds resolved."})
    gap = fields.Float(
        required=True,
        allow_none=True,
        metadata={
            "description": "The most that a solved player could gain by leaving the printed "
            "strategies at this decision, in the objective's unit; null where none was solved."
        },
    )
    residual = fields.Float(
        required=True,
        allow_none=True,
        metadata={
            "description": "How far a printed probability is at most from the quantal response "
            "to the printed strategies; null but under `quantal`."
        },
    )
    left_out = fields.Float(
        required=True,
        metadata={
            "description": "The greatest share of what a player's move may come to that was not "
            "looked beyond; 0 at depth 1."
        },
    )
    evaluator = fields.String(required=True, metadata={"description": "Its version."})


class NextSchema(Answer):
    component = "SnowTimeNext"

    move = moves_by_seat(required=True, metadata={"description": "What is played first."})
    revealed = moves_by_seat(required=True, metadata={"description": "What all seats show then."})
    probability = fields.Float(
        required=True, metadata={"description": "How often, that being played."}
    )
    next = moves_by_seat(required=True, metadata={"description": "What is best then."})
    value = fields.Float(required=True, metadata={"description": "Of that."})


class MatrixSchema(Answer):
    component = "SnowTimeMatrix"

    moves = fields.List(moves_by_seat(), required=True, metadata={"description": "The own ones."})
    against = fields.List(moves_by_seat(), required=True, metadata={"description": "The other's."})
    values = fields.List(
        fields.List(fields.Float()),
        required=True,
        metadata={"description": "A row for each own move, a column for each of the other's."},
    )


class ConditionalSchema(Answer):
    component = "SnowTimeConditional"

    move = moves_by_seat(required=True)
    probability = fields.Float(required=True, metadata={"description": "How often it is played."})
    best = moves_by_seat(required=True, metadata={"description": "Best against it."})
    value = fields.Float(required=True, metadata={"description": "Of that."})
    outlook = Table(
        keys=Name(),
        values=fields.Float(),
        required=True,
        metadata={"description": "Win shares, nobody expecting that move."},
    )


class RollSchema(Answer):
    component = "SnowTimeRoll"

    dice = fields.List(fields.Integer(), required=True)
    probability = fields.Float(required=True)
    best = moves_by_seat(required=True)
    value = fields.Float(required=True, metadata={"description": "Expected after that roll."})
    outlook = Table(keys=Name(), values=fields.Float(), required=True)


class SuggestAnswer(Answer):
    component = "SnowTimeSuggestAnswer"

    player = Name(required=True)
    decision = OneOf(("card", "watcher", "healer"), required=True)
    pick = moves_by_seat(
        required=True, metadata={"description": "Drawn from the player's own strategy."}
    )
    pick_public = fields.Boolean(
        required=True, metadata={"description": "Whether anybody can compute it: without nonce."}
    )
    best = moves_by_seat(required=True, metadata={"description": "The first of `moves`."})
    moves = fields.List(
        Nested(MoveValue),
        required=True,
        metadata={
            "description": "Every legal one, the best first, ties in deck order (of two seats "
            "by the cards of the first, seats taken by score, hand and name)."
        },
    )
    strategies = Table(
        keys=Name(),
        values=fields.List(Nested(JointProbability)),
        required=True,
        metadata={"description": "By player, what they play at this decision, with chances."},
    )
    outlook = Table(
        keys=Name(),
        values=fields.Float(),
        required=True,
        metadata={"description": "Win shares of all players under the strategies; sum 1."},
    )
    expected = Table(
        keys=Name(),
        values=fields.Float(),
        required=True,
        metadata={"description": "The objective's value for every player."},
    )
    grade = Nested(GradeSchema)
    next = fields.List(
        Nested(NextSchema),
        metadata={
            "description": "With `include`: where `pick` or `best` leaves something to decide "
            "after the reveal, what to do then, for the three likeliest reveals of each."
        },
    )
    matrix = Table(
        keys=Name(),
        values=Nested(MatrixSchema),
        metadata={
            "description": "By other player, with `include`. The mean of a row by that player's "
            "strategy is the move's value. Of a player with more than 20 moves, those played most; "
            "without players who have one move only."
        },
    )
    conditional = Table(
        keys=Name(),
        values=fields.List(Nested(ConditionalSchema)),
        metadata={"description": "By other player, with `include`."},
    )
    dice = fields.List(
        Nested(RollSchema),
        metadata={"description": "Each outcome of the roll, with `include`; chances sum to 1."},
    )
    search = Nested(SearchSchema, required=True)


class NudgeSchema(Answer):
    component = "SnowTimeNudge"

    code = OneOf(
        (*CODES, "even"),
        required=True,
        metadata={"description": "As of reasons; `even` if nothing stands out."},
    )
    text = fields.String(required=True)


class NudgeAnswer(Answer):
    component = "SnowTimeNudgeAnswer"

    player = Name(required=True)
    decision = OneOf(("card", "watcher", "healer"), required=True)
    hint_level = OneOf((NUDGE,), required=True)
    nudges = fields.List(Nested(NudgeSchema), required=True)
    search = Nested(SearchSchema, required=True)


class ShortlistAnswer(NudgeAnswer):
    component = "SnowTimeShortlistAnswer"

    hint_level = OneOf((SHORTLIST,), required=True)
    shortlist = fields.List(
        moves_by_seat(),
        required=True,
        metadata={
            "description": "Two to four with the best among them, or the only one, in deck order."
        },
    )
