"""Hints in games of turns: positions of Slopecrashers, and how long they take."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from league.slopes_agents import TURNS, GreedyRacer, HastyRacer
from league.slopes_games import Racer, Watched, race, start

from benchmarks.rows import MS, Row, Sample
from benchmarks.timing import Patience, timed
from service.core.turn_tree import TurnQuestion
from service.games.slopecrashers.state import Atom
from service.games.slopecrashers.turn import Turn
from service.solver.turns import solve

PLAYERS: Final = 4
GAMES: Final = 2
POSITIONS: Final = 20
"""Of each kind of player."""
TARGETS_MS: Final = {"standard": 150.0}
"""Of the worst position (issue 5)."""


@lru_cache(maxsize=1)
def questions() -> tuple[TurnQuestion[Turn, Atom], ...]:
    """Decisions evenly through games of greedy players, who keep many gifts, and of players who go
    by the evaluator, as the service does.
    """
    return tuple(question for racer in (GreedyRacer(), HastyRacer()) for question in _met(racer))


def _met(racer: Racer) -> list[TurnQuestion[Turn, Atom]]:
    watched = Watched(racer)
    for seed in range(GAMES):
        first = start(PLAYERS, seed)
        race(first, dict.fromkeys(first.players, watched), seed)
    met = [asked for asked in watched.questions if _has_choice(asked)]
    step = len(met) // POSITIONS
    return met[step // 2 :: step][:POSITIONS]


def _has_choice(question: TurnQuestion[Turn, Atom]) -> bool:
    """Whether there is more to it than one thing or the other."""
    [choices] = question.decision.choices.values()
    return question.decision.name == "turn" and len(choices) > 2


def turn_hints(name: str, patience: Patience, tier: str) -> Row:
    """Solves from nothing; every position counts for the target."""
    return Row(
        name,
        "ms",
        list(_samples(patience, tier)),
        {"game": "slopecrashers", "players": PLAYERS, "tier": tier},
        TARGETS_MS.get(tier),
    )


def _samples(patience: Patience, tier: str) -> Iterator[Sample]:
    for number, question in enumerate(questions()):
        asked = TurnQuestion(question.play, question.decision, question.player, tier, None, None)
        found = timed(lambda asked=asked: solve(TURNS, asked, None), patience)  # type: ignore[misc]
        told = {"resolved": solve(TURNS, asked, None).resolved}
        yield Sample(f"decision {number}", True, found, MS, told)
