"""Hints in games of turns: positions of them, and how long they take."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from league.running.recording import Agent, Question, RecordingAgent
from league.slopecrashers import agents as slopecrashers
from league.slopecrashers import play as slopecrashers_play
from league.snowcrest import agents as snowcrest
from league.snowcrest import play as snowcrest_play

from benchmarks.rows import MS, Row, Sample
from benchmarks.timing import Patience, timed
from service.core.sequential import TurnQuestion
from service.solver.search.turn_expectimax import solve

PLAYERS: Final = 4
GAMES: Final = 2
POSITIONS: Final = 20
"""Of each kind of player."""
SLOPECRASHERS, SNOWCREST = "slopecrashers", "snowcrest"
SEARCHED: Final[dict[str, Any]] = {
    SLOPECRASHERS: slopecrashers.SOLVER_GAME,
    SNOWCREST: snowcrest.SOLVER_GAME,
}
"""What hints of a game are searched with."""
TARGETS_MS: Final = {(SLOPECRASHERS, "standard"): 150.0, (SNOWCREST, "standard"): 300.0}
"""Of the worst position (issues 5 and 6)."""


@lru_cache(maxsize=2)
def questions(game: str = SLOPECRASHERS) -> tuple[Question, ...]:
    """Decisions evenly through games of greedy players, who keep many gifts, and of players who go
    by the evaluator, as the service does.
    """
    if game == SNOWCREST:
        kinds: tuple[Agent, ...] = (snowcrest.GreedyAgent(), snowcrest.ServiceAgent("quick"))
    else:
        kinds = (slopecrashers.GreedyAgent(), slopecrashers.OneTurnAgent())
    return tuple(question for player in kinds for question in _met(game, player))


def _met(game: str, player: Agent) -> list[Question]:
    watched = RecordingAgent(player)
    for seed in range(GAMES):
        if game == SNOWCREST:
            table = snowcrest_play.initial_state(PLAYERS, seed)
            snowcrest_play.play(table, dict.fromkeys(table.players, watched), seed)
        else:
            first = slopecrashers_play.initial_state(PLAYERS, seed)
            slopecrashers_play.play(first, dict.fromkeys(first.players, watched), seed)
    met = [asked for asked in watched.questions if _has_choice(asked)]
    step = max(1, len(met) // POSITIONS)
    return met[step // 2 :: step][:POSITIONS]


def _has_choice(question: Question) -> bool:
    """Whether there is more to it than one thing or the other."""
    [choices] = question.decision.choices.values()
    return question.decision.name == "turn" and len(choices) > 2


def turn_hints(name: str, patience: Patience, game: str, tier: str) -> Row:
    """Solves from nothing; every position counts for the target."""
    return Row(
        name,
        "ms",
        list(_samples(patience, game, tier)),
        {"game": game, "players": PLAYERS, "tier": tier},
        TARGETS_MS.get((game, tier)),
    )


def _samples(patience: Patience, game: str, tier: str) -> Iterator[Sample]:
    turns = SEARCHED[game]
    for number, question in enumerate(questions(game)):
        asked = TurnQuestion(question.play, question.decision, question.player, tier, None, None)
        found = timed(lambda asked=asked: solve(turns, asked, None), patience)  # type: ignore[misc]
        told = {"resolved": solve(turns, asked, None).nodes}
        yield Sample(f"decision {number}", True, found, MS, told)
