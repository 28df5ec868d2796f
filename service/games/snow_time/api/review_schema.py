"""JSON schemas of played games and their reviews."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.fields import (
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    StrictSchema,
)
from service.games.common.habits import habits_field
from service.games.common.request_fields import effort_field, review_deadline
from service.games.common.review_schema import (
    ONLY_ERRORS,
    DecisionValues,
    LuckBySource,
    ReviewProgress,
    ReviewSearch,
    Skill,
    share_by_player,
)
from service.games.snow_time.api.hint_schema import ReasonSchema
from service.games.snow_time.api.profile_schema import ProfileSchema
from service.games.snow_time.api.schema import (
    MAX_TRACK_LENGTH,
    StateSchema,
    moves_by_seat,
    round_dice,
)
from service.games.snow_time.rules.state import FRUIT_LEVELS

MAX_ROUNDS = MAX_TRACK_LENGTH
"""More rounds than most games on the longest track need; each round costs up to about 24 solves."""


class PlayedRoundSchema(StrictSchema):
    """A played round; an entry of `opponents.history` with the moves of all seats is one, too."""

    component = "SnowTimePlayedRound"

    dice = round_dice()
    state = Nested(
        StateSchema,
        metadata={
            "description": "The position after growth. Required without `dice`, which follow from "
            "it."
        },
    )
    moves = moves_by_seat(
        required=True, metadata={"description": "The complete move of every seat."}
    )


class ReviewRequest(StrictSchema):
    """A request to review a played game."""

    component = "SnowTimeReviewRequest"

    state = Nested(
        StateSchema,
        required=True,
        metadata={"description": "The position before the growth of the first round."},
    )
    rounds = ListOf(
        Nested(PlayedRoundSchema),
        1,
        MAX_ROUNDS,
        required=True,
        metadata={
            "description": "The rounds played, in order; the game need not be over after them. "
            "Review a longer game in parts: the accounts of a part start where those of the part "
            "before ended."
        },
    )
    effort = effort_field()
    deadline_ms = review_deadline()


# Answers --------------------------------------------------------------------------------------


class RoundDecision(DecisionValues):
    """A decision with its values and grade."""

    component = "SnowTimeRoundDecision"

    round = fields.Integer(required=True, metadata={"description": "Index in `rounds`, from 0."})
    decision = OneOf(("card", "watcher", "healer"), required=True)
    move = moves_by_seat(required=True)
    best = moves_by_seat(
        required=True,
        metadata={"description": "The best move against the others' strategies."},
    )
    probability = fields.Float(
        required=True, metadata={"description": "Probability of `move` in the hint's strategy."}
    )
    realized_value = fields.Float(
        required=True,
        metadata={
            "description": "The player's share of the win once all choices of the decision are "
            "revealed, if later decisions of the round follow the hints."
        },
    )
    realized_best_value = fields.Float(
        required=True,
        metadata={"description": "The same share with `best` in place of `move`."},
    )
    reasons = fields.List(
        Nested(ReasonSchema), metadata={"description": f"What goes wrong. {ONLY_ERRORS}"}
    )
    best_reasons = fields.List(
        Nested(ReasonSchema), metadata={"description": f"What `best` does. {ONLY_ERRORS}"}
    )


class RoundReview(ResponseSchema):
    """The win shares and the luck of a round."""

    component = "SnowTimeRoundReview"

    round = fields.Integer(
        required=True,
        attribute="number",
        metadata={"description": "Index in `rounds`, from 0."},
    )
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2, required=True, attribute="drawn")
    before = share_by_player(
        "Win shares before the dice: the mean of `win_shares` over all outcomes of the dice; they "
        "sum to 1."
    )
    win_shares = share_by_player(
        "Win shares before the card decision, under the strategies; they sum to 1.",
    )
    after = share_by_player(
        "Win shares after the round: `before` of the next round or the final result; sum 1."
    )
    luck = MapOf(
        keys=Name(),
        values=Nested(LuckBySource),
        required=True,
        metadata={
            "description": "By player. `before` minus the losses in the round plus the luck equals "
            "`after`:\n"
            "- `draws`: the effect of the dice, `win_shares` - `before`; sum 0 over all players\n"
            "- `others`: the others' choices compared with the expectation, `realized_value` - "
            "`value` of each decision; mean 0 over their strategies. For decisions without a "
            "choice of the player: the change of its share\n"
            "- `search`: no event: a later solve values the same position more accurately, or the "
            "best move is worth slightly more than the mixed strategy\n"
            "- `indifferent`: no luck: choices of players to whom all were worth the same\n\n"
            "Over all players, all but `draws` equal the losses of the round: what one player "
            "loses the others gain."
        },
    )


class RoundAccount(Skill):
    """The skill, the luck and the style of a player."""

    component = "SnowTimeRoundAccount"

    luck = Nested(
        LuckBySource, metadata={"description": "Luck in all rounds; absent if not `complete`."}
    )
    start = fields.Float(
        metadata={"description": "`before` of the first round; absent if not `complete`."}
    )
    end = fields.Float(
        metadata={
            "description": "`after` of the last round; absent if not `complete`. It equals "
            "`start` - `loss` + the sum of `luck`."
        }
    )
    habits = habits_field()
    profile = Nested(
        ProfileSchema,
        metadata={"description": "From all rounds; absent if not `complete`, or without a choice."},
    )
    prediction_gain = fields.Float(
        metadata={
            "description": "Mean share of the win per round that the best card against the others' "
            "predicted cards would have gained over the hint's strategy, given their actual cards. "
            "Each round is predicted from those before. Absent if not `complete`."
        }
    )


class RoundReviewSearch(ReviewSearch):
    """How a review was computed."""

    component = "SnowTimeRoundReviewSearch"

    epsilon = fields.Float(
        required=True,
        metadata={
            "description": "The largest gain of a player from deviating from the strategies, over "
            "all solves, in shares of the win."
        },
    )


class ReviewResponse(ResponseSchema):
    """The review of a played game."""

    component = "SnowTimeReviewResponse"

    progress = Nested(ReviewProgress, required=True)
    decisions = fields.List(
        Nested(RoundDecision),
        required=True,
        metadata={
            "description": "The decisions of players with more than one choice, in the order of "
            "the game."
        },
    )
    rounds = fields.List(
        Nested(RoundReview),
        required=True,
        metadata={
            "description": "The rounds. They are computed after all decisions: if the deadline "
            "passed, some or all are missing."
        },
    )
    players = MapOf(keys=Name(), values=Nested(RoundAccount), required=True)
    game_over = fields.Boolean(required=True)
    winners = fields.List(Name(), required=True)
    search = Nested(RoundReviewSearch, required=True)
