"""The JSON shapes of a game that was played, and of its review."""

from __future__ import annotations

from marshmallow import fields

from service.core.vocabulary import DEFAULT_EFFORT, EFFORTS
from service.games.common.turn_hint_schema import review_deadline, share_of_each
from service.games.common.turn_review_schema import Judgement, LuckBySource, ReviewSearch, Skill
from service.games.common.validation import (
    Answer,
    Integer,
    ListOf,
    Name,
    Nested,
    OneOf,
    Shape,
    Table,
)
from service.games.snow_time.api.schema import MAX_TRACK_LENGTH, StateSchema, moves_by_seat
from service.games.snow_time.rules.state import FRUIT_LEVELS

MAX_ROUNDS = MAX_TRACK_LENGTH
"""A round in which nobody moves is rare, so that is more than most games on any track take; and
every round costs up to two dozen solves."""


class PlayedRoundSchema(Shape):
    component = "SnowTimePlayedRound"

    dice = ListOf(
        Integer(1, FRUIT_LEVELS),
        0,
        2,
        required=True,
        metadata={"description": "What was rolled when fruit grew, in any order."},
    )
    moves = moves_by_seat(
        required=True, metadata={"description": "The complete move of every seat."}
    )


class ReviewRequest(Shape):
    component = "SnowTimeReviewRequest"

    state = Nested(
        StateSchema,
        required=True,
        metadata={"description": "The position before the first of the rounds, before growth."},
    )
    rounds = ListOf(
        Nested(PlayedRoundSchema),
        1,
        MAX_ROUNDS,
        required=True,
        metadata={
            "description": "The rounds that were played, one after the other; the game may go on "
            "after them. A longer one is reviewed in stretches: the accounts of one begin where "
            "those of the one before ended."
        },
    )
    tier = OneOf(
        EFFORTS,
        load_default=DEFAULT_EFFORT,
        metadata={"description": "How much work is done for each solve."},
    )
    deadline_ms = review_deadline()


# Answers --------------------------------------------------------------------------------------


class RoundDecision(Judgement):
    component = "SnowTimeRoundDecision"

    round = fields.Integer(required=True, metadata={"description": "Which of `rounds`, from 0."})
    decision = OneOf(("card", "watcher", "healer"), required=True)
    move = moves_by_seat(required=True, metadata={"description": "What was done."})
    best = moves_by_seat(
        required=True,
        metadata={"description": "What would have been best against the others' strategies."},
    )
    probability = fields.Float(
        required=True, metadata={"description": "How often the hint would have done the same."}
    )
    came_to = fields.Float(
        required=True,
        metadata={
            "description": "Share of the win once everybody's choice lay on the table, what is "
            "decided later in the round being decided as a hint would."
        },
    )
    best_came_to = fields.Float(
        required=True,
        metadata={"description": "What it would have been with `best`, the others as they did."},
    )


class RoundReview(Answer):
    component = "SnowTimeRoundReview"

    round = fields.Integer(
        required=True,
        attribute="number",
        metadata={"description": "Which of `rounds`, from 0."},
    )
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2, required=True, attribute="drawn")
    before = share_of_each(
        "Win shares before the dice: the mean over all that may fall, each weighed with its "
        "`outlook`; sum 1."
    )
    outlook = share_of_each("Win shares before the cards are chosen, under the strategies; sum 1.")
    after = share_of_each(
        "Win shares after the round: `before` of the next one, or at the end what was won; sum 1."
    )
    luck = Table(
        keys=Name(),
        values=Nested(LuckBySource),
        required=True,
        metadata={
            "description": "By player, so that `before` less the player's losses of the round plus "
            "all its luck is `after`:\n"
            "- `draws`: what the dice gave, `outlook` - `before`; 0 over the table\n"
            "- `others`: what the others did against what was to be expected of them, `came_to` - "
            "`value` of each decision, 0 on average over their strategies; of decisions in "
            "which the player had no choice, by how much they moved its share\n"
            "- `search`: no event: a later solve sees the same moment from nearer, or the best "
            "move is worth a little more than the mixture\n\n"
            "Over the table `others` and `search` sum to all losses of the round: what one gives "
            "away the others get."
        },
    )


class RoundAccount(Skill):
    component = "SnowTimeRoundAccount"

    luck = Nested(
        LuckBySource, metadata={"description": "Of all rounds; absent if not `complete`."}
    )
    start = fields.Float(
        metadata={"description": "`before` of the first round; absent if not `complete`."}
    )
    end = fields.Float(
        metadata={
            "description": "`after` of the last round; absent if not `complete`. It is `start` - "
            "`loss` + all `luck`."
        }
    )


class RoundReviewSearch(ReviewSearch):
    component = "SnowTimeRoundReviewSearch"

    gap = fields.Float(
        required=True,
        metadata={
            "description": "The most that a player could gain by leaving the strategies of any of "
            "the solves, in shares of the win."
        },
    )


class ReviewAnswer(Answer):
    component = "SnowTimeReviewAnswer"

    decisions = fields.List(
        Nested(RoundDecision),
        required=True,
        metadata={"description": "Of each player with more than one choice, in order."},
    )
    rounds = fields.List(
        Nested(RoundReview),
        required=True,
        metadata={
            "description": "Each of the rounds. They come after all decisions: if time ended, "
            "some may be missing, or all."
        },
    )
    players = Table(keys=Name(), values=Nested(RoundAccount), required=True)
    game_over = fields.Boolean(required=True)
    winners = fields.List(Name(), required=True)
    search = Nested(RoundReviewSearch, required=True)
