"""A game in rounds that was played, and what a review says of it.

Everybody chooses at once, so what a player did is judged against what the others were to be
expected to do, their mixtures, and not against what they did; that is left to luck.  Shares of the
win sum to 1 at every moment, so they are followed for the whole table: before the dice, before the
choice, once all cards lie, and after the round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from service.core.game import Choice, Outcome
from service.core.hints import Position, Question
from service.core.turn_reviews import Account

Shares = Mapping[str, float]
"""Of the win, by player; they sum to 1."""


@dataclass(frozen=True, slots=True)
class PastChoices(Generic[Position, Choice]):
    """A decision that everybody took at once.

    Attributes:
        questions: of every player with more than one choice, ``chosen`` being what it did.
        revealed: the choices that are revealed after it, by actor.
    """

    questions: Sequence[Question[Position, Choice]]
    revealed: Mapping[str, Choice]


@dataclass(frozen=True, slots=True)
class PastRound(Generic[Position, Choice, Outcome]):
    """A legal round.

    Attributes:
        before: the position before chance.
        drawn: the outcome of chance.
        opening: the first decision after it, as a question of any player.
        decisions: in the order in which they were taken.
    """

    before: Position
    drawn: Outcome
    opening: Question[Position, Choice]
    decisions: Sequence[PastChoices[Position, Choice]]


@dataclass(frozen=True, slots=True)
class PlayedRounds(Generic[Position, Choice, Outcome]):
    """A legal stretch of a game, of one round at least.

    Attributes:
        players: in the order of seats.
        rounds: in order.
        last: the position that they led to.
        over: whether the game has ended.
        winners: none while the game goes on.
        tier: how much work each decision is worth.
        deadline_ms: milliseconds from receipt after which no more is looked at.
    """

    players: tuple[str, ...]
    rounds: Sequence[PastRound[Position, Choice, Outcome]]
    last: Position
    over: bool
    winners: tuple[str, ...]
    effort: str
    deadline_ms: int

    @property
    def decisions(self) -> int:
        """How many there are to judge."""
        return sum(len(past.questions) for one in self.rounds for past in one.decisions)


@dataclass(frozen=True, slots=True)
class JudgedChoice(Generic[Choice]):
    """A player's choice and how good it was, in shares of the win as printed.

    Attributes:
        round: which of the rounds, from 0.
        decision: its name.
        player: whose.
        move: what was chosen.
        best: what would have been best against the others' strategies.
        best_value: the share of whoever does that.
        value: the share of what was chosen, against the same strategies.
        loss: the one minus the other.
        class_: the loss as a class.
        probability: how often the hint would have done the same.
        came_to: the share once everybody's choice lay on the table.
        best_came_to: what it would have been with the best choice, the others having done what
            they did.
    """

    round: int
    decision: str
    player: str
    move: Mapping[str, Choice]
    best: Mapping[str, Choice]
    best_value: float
    value: float
    loss: float
    class_: str
    probability: float
    realized_value: float
    realized_best_value: float


@dataclass(frozen=True, slots=True)
class JudgedRound(Generic[Outcome]):
    """A round in shares of the win: before - losses + luck = after, for each player.

    Attributes:
        number: which of the rounds, from 0.
        drawn: the outcome of chance.
        before: the mean over all outcomes of chance.
        outlook: before the first choice, chance having fallen.
        after: like ``before``, of the position that the round led to; at the end the share won.
        luck: by player and source, see :data:`~service.core.vocabulary.LUCK_SOURCES`.
    """

    number: int
    drawn: Outcome
    before: Shares
    win_shares: Shares
    after: Shares
    luck: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class RoundsReview(Generic[Choice, Outcome]):
    """What a review says.

    Attributes:
        decisions: all, or the first ones if time was short.
        rounds: all, or the first ones; rounds come after all decisions.
        accounts: by player; if time was short, without luck, start and end.
        method: of the solves.
        gap: the greatest of them, in shares of the win.
        evaluator: its version.
        complete: whether it is all.
        resolved: rounds resolved.
    """

    decisions: Sequence[JudgedChoice[Choice]]
    rounds: Sequence[JudgedRound[Outcome]]
    accounts: Mapping[str, Account]
    method: str
    epsilon: float
    evaluator: str
    complete: bool
    nodes: int
