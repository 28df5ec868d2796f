"""Benchmarks of hints in the games of turns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, Final

from research.league.running.recording import Question, RecordingAgent
from research.league.slopecrashers import agents as slopecrashers
from research.league.slopecrashers import play as slopecrashers_play
from research.league.snowcrest import agents as snowcrest
from research.league.snowcrest import play as snowcrest_play
from research.league.turns import Agent

from benchmarks.rows import MS, Row, Sample
from benchmarks.timing import TimingBudget, measure_time
from service.core.turn_hints import TurnQuestion
from service.solver.search.turn_plans import solve_with_plans

PLAYERS: Final = 4
GAMES: Final = 2
POSITIONS: Final = 20
"""Per kind of agent."""
SLOPECRASHERS, SNOWCREST = "slopecrashers", "snowcrest"
SOLVER_GAMES: Final[dict[str, Any]] = {
    SLOPECRASHERS: slopecrashers.SOLVER_GAME,
    SNOWCREST: snowcrest.SOLVER_GAME,
}
TARGETS_MS: Final = {(SLOPECRASHERS, "standard"): 150.0, (SNOWCREST, "standard"): 300.0}
"""Upper bounds for the worst position (issues 5 and 6)."""


@lru_cache(maxsize=2)
def questions(game: str = SLOPECRASHERS, games: int = GAMES) -> tuple[Question, ...]:
    """Return decisions spread evenly over games, as many of each of two kinds of agents.

    Greedy agents keep many gifts; the others use the evaluator, as the service does.
    """
    if game == SNOWCREST:
        agents: tuple[Agent, ...] = (snowcrest.GreedyAgent(), snowcrest.ServiceAgent("quick"))
    else:
        agents = (slopecrashers.GreedyAgent(), slopecrashers.OneTurnAgent())
    return tuple(question for agent in agents for question in _decisions(game, agent, games))


def _decisions(game: str, agent: Agent, games: int) -> list[Question]:
    recorder = RecordingAgent(agent)
    for seed in range(games):
        if game == SNOWCREST:
            table = snowcrest_play.initial_state(PLAYERS, seed)
            snowcrest_play.play(table, dict.fromkeys(table.players, recorder), seed)
        else:
            first = slopecrashers_play.initial_state(PLAYERS, seed)
            slopecrashers_play.play(first, dict.fromkeys(first.players, recorder), seed)
    decisions = [question for question in recorder.questions if _has_choice(question)]
    step = max(1, len(decisions) // POSITIONS)
    return decisions[step // 2 :: step][:POSITIONS]


def _has_choice(question: Question) -> bool:
    """Return whether a question is a turn with more than two actions."""
    [choices] = question.decision.choices.values()
    return question.decision.name == "turn" and len(choices) > 2


def turn_hints(name: str, budget: TimingBudget, game: str, effort: str) -> Row:
    """Measure hints without a cache; the target applies to every position."""
    return Row(
        name,
        "ms",
        list(_samples(budget, game, effort)),
        {"game": game, "players": PLAYERS, "effort": effort},
        TARGETS_MS.get((game, effort)),
    )


def _samples(budget: TimingBudget, game: str, effort: str) -> Iterator[Sample]:
    solver_game = SOLVER_GAMES[game]
    for number, question in enumerate(questions(game)):
        play, decision, player = question.play, question.decision, question.player
        asked = TurnQuestion(play, decision, player, effort, None, None)
        solved = partial(solve_with_plans, solver_game, asked, None)
        timing = measure_time(solved, budget)
        extra = {"nodes": solved().nodes}
        yield Sample(f"decision {number}", True, timing, MS, extra)
