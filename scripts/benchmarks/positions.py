"""The fixed positions that are measured, the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from league.snow_time.play import GAME, initial_state, question_for

from service.core.game import Decision
from service.core.hints import Question
from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import DECK, Card, Move, State, default_track

HELD: Final = 0.6
"""The chance of each card but the healer, which is always held, in a random hand."""
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
class Table:
    """Who sits at a table."""

    seats: int
    players: int

    @property
    def name(self) -> str:
        return "two players" if self.players < self.seats else f"{self.seats} seats"


TABLES: Final = (Table(3, 3), Table(4, 4), Table(5, 5), Table(4, 2))


@dataclass(frozen=True)
class Posed:
    """The card decision at a named position, as the first player is asked."""

    name: str
    full: bool
    question: Question[State, Move]


def posed(table: Table, *, few: bool = False) -> list[Posed]:
    """Full hands first, then random ones; with ``few``, two of each."""
    begun = initial_state(table.seats, table.players)
    found = []
    for name, (scores, fruit) in list(_FULL.items())[: 2 if few else None]:
        seats = tuple(
            replace(seat, score=score) for seat, score in zip(begun.seats, scores, strict=False)
        )
        found.append(_posed(name, True, replace(begun, seats=seats, fruit=fruit)))
    for seed in RANDOM_SEEDS[: 2 if few else None]:
        found.append(random_position(table, seed))
    return found


def random_position(table: Table, seed: int) -> Posed:
    """Scores, fruit and hands at random; the same for the same seed."""
    return _posed(
        f"random {seed}", False, _at_random(initial_state(table.seats, table.players), seed)
    )


def full_hands(table: Table, *, few: bool = False) -> Sequence[Posed]:
    """Those where every seat holds all ten cards."""
    return [position for position in posed(table, few=few) if position.full]


def _posed(name: str, full: bool, state: State) -> Posed:
    # A round without moves is one whose fruit has grown.
    ongoing = Round(state)
    node = GAME.pending(ongoing)
    assert isinstance(node, Decision)
    return Posed(name, full, question_for(ongoing, node, state.players[0]))


def _at_random(begun: State, seed: int) -> State:
    random = Random(seed)
    fruit = [0] * 6
    for _ in range(random.choice((2, 5, 9, 14))):
        fruit[random.randrange(6)] += 1
    seats = tuple(
        replace(
            seat,
            score=random.randrange(default_track().length),
            hand=tuple(c for c in DECK if c is Card.HEALER or random.random() < HELD),
        )
        for seat in begun.seats
    )
    return State(seats, tuple(fruit))
