"""JSON schemas of played games and their reviews."""

from __future__ import annotations

from typing import Final

from service.games.common.fields import Integer, ListOf, Nested
from service.games.common.rounds.hint_schema import note, number
from service.games.common.rounds.review_schema import review_request_schema, review_response_schema
from service.games.snow_time.api.hint_schema import ReasonSchema
from service.games.snow_time.api.profile_schema import ProfileSchema
from service.games.snow_time.api.schema import FORM, MAX_TRACK_LENGTH, StateSchema, round_dice
from service.games.snow_time.rules.state import FRUIT_LEVELS

MAX_ROUNDS = MAX_TRACK_LENGTH
"""More rounds than most games on the longest track need; each round costs up to about 24 solves."""


ReviewRequest: Final = review_request_schema(
    FORM,
    StateSchema,
    MAX_ROUNDS,
    "The position before the growth of the first round.",
    round_members={
        "dice": round_dice(),
        "state": Nested(
            StateSchema,
            metadata=note(
                "The position after growth. Required without `dice`, which follow from it."
            ),
        ),
    },
    round_note="A played round; an entry of `opponents.history` with the moves of all seats is "
    "one, too.",
)
ReviewResponse: Final = review_response_schema(
    FORM,
    ReasonSchema,
    drawn={
        "dice": ListOf(Integer(1, FRUIT_LEVELS), 0, 2, required=True, attribute="drawn"),
    },
    learned={
        "profile": Nested(
            ProfileSchema,
            metadata=note("From all rounds; absent if not `complete`, or without a choice."),
        ),
        "prediction_gain": number(
            "Mean share of the win per round that the best card against the others' predicted "
            "cards would have gained over the hint's strategy, given their actual cards. Each "
            "round is predicted from those before. Absent if not `complete`.",
            required=False,
        ),
    },
)
