"""The positions of the benchmarks, the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from research.league.snow_time.play import GAME, initial_state, question_for

from service.core.game import Decision
from service.core.hints import Question
from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import DECK, Card, Move, State, default_track

CARD_RATE: Final = 0.6
"""Probability of each card in a random hand; the healer is always in it."""
_GROWN: Final = (0, 0, 1, 0, 1, 0)
_FULL: Final = {
    "start": ((0, 0, 0, 0, 0), _GROWN),
    "full early": ((3, 0, 5, 2, 4), (0, 1, 0, 2, 0, 3)),
    "full middle": ((12, 9, 14, 8, 11), (1, 0, 2, 1, 0, 1)),
    "full late": ((24, 27, 22, 26, 20), (2, 1, 3, 0, 2, 1)),
}
"""Full hands: scores on the default track of 30 spaces, and fruit on levels 1 to 6."""
RANDOM_SEEDS: Final = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class TableSize:
    """A number of seats and players."""

    seats: int
    players: int

    @property
    def name(self) -> str:
        """How the table is called in the rows of a benchmark."""
        return "two players" if self.players < self.seats else f"{self.seats} seats"


TABLE_SIZES: Final = (TableSize(3, 3), TableSize(4, 4), TableSize(5, 5), TableSize(4, 2))


@dataclass(frozen=True)
class NamedQuestion:
    """The first player's card decision at a named position.

    Attributes:
        name: of the position.
        full: whether every hand has all ten cards.
        question: of the first player.
    """

    name: str
    full: bool
    question: Question[State, Move]


def named_questions(table: TableSize, *, few: bool = False) -> list[NamedQuestion]:
    """Return positions with full hands, then random ones; with ``few``, two of each."""
    first = initial_state(table.seats, table.players)
    questions = []
    for name, (scores, fruit) in list(_FULL.items())[: 2 if few else None]:
        seats = tuple(
            replace(seat, score=score) for seat, score in zip(first.seats, scores, strict=False)
        )
        questions.append(_named_question(name, True, replace(first, seats=seats, fruit=fruit)))
    for seed in RANDOM_SEEDS[: 2 if few else None]:
        questions.append(random_position(table, seed))
    return questions


def random_position(table: TableSize, seed: int) -> NamedQuestion:
    """Return a position with random scores, fruit and hands; the seed fixes it."""
    return _named_question(
        f"random {seed}", False, _random_state(initial_state(table.seats, table.players), seed)
    )


def full_hands(table: TableSize, *, few: bool = False) -> Sequence[NamedQuestion]:
    """Return the positions where every hand has all ten cards."""
    return [position for position in named_questions(table, few=few) if position.full]


def _named_question(name: str, full: bool, state: State) -> NamedQuestion:
    # A round without moves starts after growth.
    ongoing = Round(state)
    node = GAME.pending(ongoing)
    assert isinstance(node, Decision)
    return NamedQuestion(name, full, question_for(ongoing, node, state.players[0]))


def _random_state(first: State, seed: int) -> State:
    random = Random(seed)
    fruit = [0] * 6
    for _ in range(random.choice((2, 5, 9, 14))):
        fruit[random.randrange(6)] += 1
    seats = tuple(
        replace(
            seat,
            score=random.randrange(default_track().length),
            hand=tuple(c for c in DECK if c is Card.HEALER or random.random() < CARD_RATE),
        )
        for seat in first.seats
    )
    return State(seats, tuple(fruit))
