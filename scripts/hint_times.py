"""Measure the time of a hint for every decision of whole games; not a test.

    python3 scripts/dev.py run scripts/hint_times.py --games 20 --seed 101

The service plays all seats at ``quick``; then each decision with a choice is solved with its plan
and without a cache. A time over the bound is measured three times, and the median counts. The
seeds of the games are SEED, SEED + 1, ...
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from benchmarks.turns import SNOWCREST, SOLVER_GAMES, TARGETS_MS
from research.league.running.recording import Question, RecordingAgent
from research.league.slopecrashers import agents as slopecrashers
from research.league.slopecrashers import play as slopecrashers_play
from research.league.snowcrest import agents as snowcrest
from research.league.snowcrest import play as snowcrest_play
from tqdm import tqdm

from service.core.vocabulary import EFFORTS
from service.solver.search.turn_plans import solve_with_plans

SLOWEST: Final = 10


class Timed(NamedTuple):
    """The time of a hint in milliseconds, and its decision."""

    ms: float
    seed: int
    decision: str
    choices: int


def main(arguments: Sequence[str]) -> int:
    """Measure and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(SOLVER_GAMES), default=SNOWCREST)
    parser.add_argument("--games", type=int, default=10, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--effort", choices=list(EFFORTS), default="standard")
    options = parser.parse_args(arguments)
    bound = TARGETS_MS[options.game, "standard"]
    timed: list[Timed] = []
    for seed in tqdm(range(options.seed, options.seed + options.games), leave=False, unit="game"):
        questions = decisions(options.game, options.players, seed)
        asked = [replace(each, effort=options.effort, chosen=None) for each in questions]
        _solve(options.game, asked[0])  # The first hint of a process takes longer.
        gc.collect()
        gc.disable()
        timed += [_timed(options.game, each, bound, seed) for each in asked]
        gc.enable()
    print(summary([each.ms for each in timed], bound))
    for each in sorted(timed, reverse=True)[:SLOWEST]:
        print(f"{each.ms:6.0f} ms: seed {each.seed}, {each.decision}, {each.choices} choices")
    return 0


def decisions(game: str, players: int, seed: int) -> list[Question]:
    """Return the decisions of a game with more than one choice."""
    if game == SNOWCREST:
        recorder = RecordingAgent(snowcrest.ServiceAgent("quick"))
        table = snowcrest_play.initial_state(players, seed)
        snowcrest_play.play(table, dict.fromkeys(table.players, recorder), seed)
    else:
        recorder = RecordingAgent(slopecrashers.ServiceAgent("quick"))
        first = slopecrashers_play.initial_state(players, seed)
        slopecrashers_play.play(first, dict.fromkeys(first.players, recorder), seed)
    return [each for each in recorder.questions if _choice_count(each) > 1]


def summary(times: Sequence[float], bound: float) -> str:
    """Return one line about times in milliseconds."""
    median, most, almost_all = np.quantile(times, (0.5, 0.9, 0.99), method="inverted_cdf")
    over = sum(ms > bound for ms in times)
    return (
        f"{len(times)} decisions: median {median:.0f}, 90 % {most:.0f}, 99 % {almost_all:.0f},"
        f" slowest {max(times):.0f} ms; {over} over {bound:.0f} ms"
    )


def _timed(game: str, question: Question, bound: float, seed: int) -> Timed:
    times = [_solve(game, question)]
    if times[0] > bound:
        times += [_solve(game, question) for _ in range(2)]
    name = question.decision.name
    return Timed(statistics.median(times), seed, name, _choice_count(question))


def _solve(game: str, question: Question) -> float:
    """Return the time of a hint in milliseconds."""
    began = time.perf_counter()
    solve_with_plans(SOLVER_GAMES[game], question, None)
    return (time.perf_counter() - began) * 1e3


def _choice_count(question: Question) -> int:
    [choices] = question.decision.choices.values()
    return len(choices)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
