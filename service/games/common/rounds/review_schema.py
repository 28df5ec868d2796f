"""Schemas of played games in rounds and their reviews."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.games.common.fields import (
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
)
from service.games.common.rounds.form import RoundForm
from service.games.common.rounds.hint_schema import NONE, Members, by_player, note, number


def review_request_schema(
    form: RoundForm,
    state: type[StrictSchema],
    most_rounds: int,
    state_note: str,
    round_members: Members = NONE,
    round_note: str = "A played round.",
) -> type[StrictSchema]:
    """Return the schema of ``review`` requests.

    Args:
        form: of the game.
        state: of a position.
        most_rounds: of a request.
        state_note: which position comes first.
        round_members: what a round has besides its moves, such as dice.
        round_note: what a round is.
    """
    played = form.request(
        "PlayedRound",
        round_note,
        **round_members,
        moves=form.moves(required=True, metadata=note("The complete move of every seat.")),
    )
    return form.request(
        "ReviewRequest",
        "A request to review a played game.",
        state=Nested(state, required=True, metadata=note(state_note)),
        rounds=ListOf(
            Nested(played),
            1,
            most_rounds,
            required=True,
            metadata=note(
                "The rounds played, in order; the game need not be over after them. Review a "
                "longer game in parts: the accounts of a part start where those of the part "
                "before ended."
            ),
        ),
        effort=effort_field(),
        deadline_ms=review_deadline(),
    )


def review_response_schema(
    form: RoundForm,
    reason: type[ResponseSchema],
    drawn: Members = NONE,
    learned: Members = NONE,
) -> type[ResponseSchema]:
    """Return the schema of ``review`` responses.

    Args:
        form: of the game.
        reason: of a reason of the game.
        drawn: the chance outcome of a round, if the game has chance events.
        learned: what an account says about how a player plays, if the game knows.
    """
    search = _extended(
        form,
        "RoundReviewSearch",
        ReviewSearch,
        "How a review was computed.",
        epsilon=number(
            "The largest gain of a player from deviating from the strategies, over all solves, in "
            "shares of the win."
        ),
    )
    return form.response(
        "ReviewResponse",
        "The review of a played game.",
        progress=Nested(ReviewProgress, required=True),
        decisions=fields.List(
            Nested(_decision_schema(form, reason)),
            required=True,
            metadata=note(
                "The decisions of players with more than one choice, in the order of the game."
            ),
        ),
        rounds=fields.List(
            Nested(_round_schema(form, drawn)),
            required=True,
            metadata=note(
                "The rounds. They are computed after all decisions: if the deadline passed, some "
                "or all are missing."
            ),
        ),
        players=MapOf(keys=Name(), values=Nested(_account_schema(form, learned)), required=True),
        game_over=fields.Boolean(required=True),
        winners=fields.List(Name(), required=True),
        search=Nested(search, required=True),
    )


def _extended(
    form: RoundForm,
    name: str,
    base: type[ResponseSchema],
    description: str,
    **members: fields.Field[Any],
) -> type[ResponseSchema]:
    """Return a schema with the fields of another one first."""
    component = {"component": form.prefix + name, "__doc__": description}
    return type(name, (base,), {**component, **members})


def _decision_schema(form: RoundForm, reason: type[ResponseSchema]) -> type[ResponseSchema]:
    return _extended(
        form,
        "RoundDecision",
        DecisionValues,
        "A decision with its values and grade.",
        round=fields.Integer(required=True, metadata=note("Index in `rounds`, from 0.")),
        decision=OneOf(form.decisions, required=True),
        move=form.moves(required=True),
        best=form.moves(
            required=True, metadata=note("The best move against the others' strategies.")
        ),
        probability=number("Probability of `move` in the hint's strategy."),
        realized_value=number(
            "The player's share of the win once all choices of the decision are revealed, if later "
            "decisions of the round follow the hints."
        ),
        realized_best_value=number("The same share with `best` in place of `move`."),
        reasons=fields.List(Nested(reason), metadata=note(f"What goes wrong. {ONLY_ERRORS}")),
        best_reasons=fields.List(Nested(reason), metadata=note(f"What `best` does. {ONLY_ERRORS}")),
    )


def _round_schema(form: RoundForm, drawn: Members) -> type[ResponseSchema]:
    return form.response(
        "RoundReview",
        "The win shares and the luck of a round.",
        round=fields.Integer(
            required=True, attribute="number", metadata=note("Index in `rounds`, from 0.")
        ),
        **drawn,
        before=by_player(
            "Win shares before the dice: the mean of `win_shares` over all outcomes of the dice; "
            "they sum to 1."
        ),
        win_shares=by_player(
            "Win shares before the card decision, under the strategies; they sum to 1."
        ),
        after=by_player(
            "Win shares after the round: `before` of the next round or the final result; sum 1."
        ),
        luck=MapOf(
            keys=Name(),
            values=Nested(LuckBySource),
            required=True,
            metadata=note(
                "By player. `before` minus the losses in the round plus the luck equals `after`:\n"
                "- `draws`: the effect of the dice, `win_shares` - `before`; sum 0 over all "
                "players\n"
                "- `others`: the others' choices compared with the expectation, `realized_value` - "
                "`value` of each decision; mean 0 over their strategies. For decisions without a "
                "choice of the player: the change of its share\n"
                "- `search`: no event: a later solve values the same position more accurately, or "
                "the best move is worth slightly more than the mixed strategy\n"
                "- `indifferent`: no luck: choices of players to whom all were worth the same\n\n"
                "Over all players, all but `draws` equal the losses of the round: what one player "
                "loses the others gain."
            ),
        ),
    )


def _account_schema(form: RoundForm, learned: Members) -> type[ResponseSchema]:
    return _extended(
        form,
        "RoundAccount",
        Skill,
        "The skill, the luck and the style of a player.",
        luck=Nested(LuckBySource, metadata=note("Luck in all rounds; absent if not `complete`.")),
        start=number("`before` of the first round; absent if not `complete`.", required=False),
        end=number(
            "`after` of the last round; absent if not `complete`. It equals `start` - `loss` + the "
            "sum of `luck`.",
            required=False,
        ),
        habits=habits_field(),
        **learned,
    )
