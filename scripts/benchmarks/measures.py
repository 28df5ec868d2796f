"""The benchmarks, by section."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from research.league.snow_time.agents import SOLVER_GAME, owners

from benchmarks.fresh import peak_mib
from benchmarks.learned import CASES, learned_hints
from benchmarks.positions import TABLE_SIZES, NamedQuestion, TableSize, full_hands, named_questions
from benchmarks.rows import MS, NS, US, Measurement, Row, Sample
from benchmarks.timing import QUICK, THOROUGH, TimingBudget, measure_time
from benchmarks.turns import SOLVER_GAMES, turn_hints
from service.core.hints import Hint
from service.core.vocabulary import EFFORTS, LEVEL_1, OBJECTIVES, UNIFORM
from service.games.snow_time.engine.cells import resolve_cells
from service.games.snow_time.engine.kernels.rounds import BLIZZARD, NOTHING
from service.games.snow_time.rules.state import LEVELS, Move
from service.solver.hints.hint import compute_hint
from service.solver.kernels import action_values
from service.solver.normal_form import fix_strategies

ROOT: Final = Path(__file__).resolve().parents[2]
MODELS: Final = ("equilibrium", "uniform")
"""The default model first."""
DEPTHS: Final = (1, 2)
OPPONENT_MODELS: Final = (UNIFORM, LEVEL_1)
"""Models with a row for each objective, for full hands only."""
FINALS: Final = (*range(1, LEVELS + 1), NOTHING, BLIZZARD)
"""The final cards of a full hand."""

ROUND_TARGETS_NS: Final = {"5 seats": 60.0}
HINT_TARGETS_MS: Final = {
    ("5 seats", "quick"): 25.0,
    ("5 seats", "standard"): 80.0,
    ("5 seats", "deep"): 2500.0,
    ("4 seats", "standard"): 20.0,
    ("3 seats", "standard"): 10.0,
}
"""At depth 1, for every model."""

FIRST_HINT: Final = ("5", "5", MODELS[0], "standard", "1")


@dataclass(frozen=True)
class Benchmark:
    """A benchmark.

    Attributes:
        section: of the JSON.
        name: which ``--only`` matches.
        measure: runs it.
    """

    section: str
    name: str
    measure: Callable[[], Sequence[Row | Measurement]]


def all_benchmarks(*, quick: bool) -> Iterator[Benchmark]:
    """Yield all benchmarks by section; ``quick`` repeats less and omits deep searches."""
    budget = QUICK if quick else THOROUGH
    efforts = [effort for effort in EFFORTS if not (quick and effort == "deep")]
    for table in TABLE_SIZES:
        yield _benchmark("rounds", f"round, {table.name}", _rounds, table, budget, quick)
    for table in TABLE_SIZES:
        yield _benchmark("tensors", f"tensor, {table.name}", _tensors, table, budget, quick)
    for table in TABLE_SIZES:
        yield _benchmark("sweeps", f"sweep, {table.name}", _sweeps, table, budget, quick)
    for model in MODELS:
        for table in TABLE_SIZES:
            for effort in efforts:
                for depth in DEPTHS:
                    options = {"model": model, "effort": effort, "depth": depth}
                    name = f"hint, {table.name}, {model}, {effort}, depth {depth}"
                    yield _benchmark("hints", name, _hints, table, budget, quick, options)
    for model in OPPONENT_MODELS:
        for objective in OBJECTIVES:
            options = {"model": model, "objective": objective, "effort": "standard", "depth": 1}
            name = f"hint, {TABLE_SIZES[2].name}, {model}, {objective}, full hands"
            yield _benchmark("hints", name, _full_hints, TABLE_SIZES[2], budget, quick, options)
    for case in CASES:
        name = f"hint in a game, 4 seats, {case}"
        yield _benchmark("hints", name, learned_hints, budget, case)
    for game in SOLVER_GAMES:
        for effort in efforts:
            name = f"hint, {game}, 4 players, {effort}"
            yield _benchmark("hints", name, turn_hints, budget, game, effort)
    yield Benchmark("warm_up", "warm-up", lambda: _warm_up(1 if quick else 3))
    for model in MODELS:
        for table in TABLE_SIZES:
            for effort in efforts[1:]:
                name = f"memory, {table.name}, {model}, {effort}, depth 2"
                hint = (str(table.seats), str(table.players), model, effort, "2")
                yield _memory(name, hint)
    yield Benchmark(
        "memory",
        "memory, this benchmark",
        lambda: [Measurement("memory, this benchmark", "MiB", [peak_mib()])],
    )


def _benchmark(section: str, name: str, measure: Callable[..., Row], *arguments: Any) -> Benchmark:
    return Benchmark(section, name, lambda: [measure(name, *arguments)])


# In this process -----------------------------------------------------------------------------


def _rounds(name: str, table: TableSize, budget: TimingBudget, few: bool) -> Row:
    """Resolve all joint choices of final cards of full hands, with allocation of the results."""
    seats = table.seats
    finals = np.tile(np.array(FINALS, np.int64), (seats, 1))
    counts = np.full(seats, len(FINALS), np.int64)
    factor = NS / prod(counts.tolist())

    def measure(position: NamedQuestion) -> Sample:
        state = position.question.position
        fruits = np.array([state.fruit], np.int64)
        scores = np.array([seat.score for seat in state.seats], np.int64)
        board = state.board
        timing = measure_time(lambda: resolve_cells(finals, counts, fruits, scores, board), budget)
        return Sample(position.name, True, timing, factor, {"rounds": prod(counts.tolist())})

    samples = [measure(position) for position in full_hands(table, few=few)]
    return Row(name, "ns", samples, _about(table), ROUND_TARGETS_NS.get(table.name))


def _tensors(name: str, table: TableSize, budget: TimingBudget, few: bool) -> Row:
    """Build the payoffs of a decision: its rounds, the added cards, all players."""

    def measure(position: NamedQuestion) -> Sample:
        question = position.question
        size = SOLVER_GAME.stage_game(question).payoffs.size
        timing = measure_time(lambda: SOLVER_GAME.stage_game(question).payoffs, budget)
        return Sample(position.name, True, timing, MS, {"payoffs": size})

    samples = [measure(position) for position in full_hands(table, few=few)]
    return Row(name, "ms", samples, _about(table))


def _sweeps(name: str, table: TableSize, budget: TimingBudget, few: bool) -> Row:
    """Compute the values of all moves once, with uniform strategies."""

    def measure(position: NamedQuestion) -> Sample:
        joint = SOLVER_GAME.stage_game(position.question)
        game = fix_strategies(
            joint.payoffs, joint.counts, joint.symmetry_classes, [None] * len(joint.counts)
        )
        turned, strategies = game.own_action_last, game.uniform
        values = np.empty_like(strategies)
        buffers = np.empty((2, turned.shape[1]), np.float64)
        # Without symmetry classes; equal players would share work.
        alone = np.arange(len(joint.counts))
        timing = measure_time(
            lambda: action_values.action_values(
                turned, game.shape, alone, strategies, buffers, values
            ),
            budget,
        )
        return Sample(position.name, True, timing, US, {"payoffs": turned.size})

    samples = [measure(position) for position in full_hands(table, few=few)]
    return Row(name, "µs", samples, _about(table))


def _hints(
    name: str, table: TableSize, budget: TimingBudget, few: bool, options: Mapping[str, Any]
) -> Row:
    """Solve a question to a hint, without HTTP."""
    samples = [_hint(position, budget, options) for position in named_questions(table, few=few)]
    target = HINT_TARGETS_MS.get((table.name, options["effort"])) if options["depth"] == 1 else None
    return Row(name, "ms", samples, _about(table) | _labels(options), target)


def _full_hints(
    name: str, table: TableSize, budget: TimingBudget, few: bool, options: Mapping[str, Any]
) -> Row:
    """Solve only the positions with full hands."""
    samples = [_hint(position, budget, options) for position in full_hands(table, few=few)]
    return Row(name, "ms", samples, _about(table) | _labels(options))


def _hint(position: NamedQuestion, budget: TimingBudget, options: Mapping[str, Any]) -> Sample:
    question = replace(position.question, **options)
    seat_owners = owners(question)
    hints: list[Hint[Move]] = []

    def ask() -> None:
        hints[:] = [compute_hint(SOLVER_GAME, question, seat_owners)]

    timing = measure_time(ask, budget)
    search = hints[0].search
    extra = {"reached": search.depth, "nodes": search.nodes, "unsearched": search.unsearched}
    return Sample(position.name, position.full, timing, MS, extra)


def _labels(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options under their names in the JSON."""
    return {"effort" if name == "effort" else name: value for name, value in options.items()}


def _about(table: TableSize) -> dict[str, Any]:
    return {"seats": table.seats, "players": table.players}


# In fresh processes --------------------------------------------------------------------------


def _warm_up(repetitions: int) -> list[Measurement]:
    """Measure the start of a process until it is ready, and its first ``standard`` hint."""
    with TemporaryDirectory() as cache:
        cold = [_fresh(FIRST_HINT, cache)]
        warm = [_fresh(FIRST_HINT, cache) for _ in range(repetitions)]
    return [
        Measurement(
            f"warm-up, {state} compile cache, {what}", unit, [one[key] * times for one in runs]
        )
        for state, runs in (("empty", cold), ("filled", warm))
        for what, unit, key, times in (
            ("until ready", "s", "until_ready_s", 1.0),
            ("memory when ready", "MiB", "ready_mib", 1.0),
            ("first hint, 5 seats", "ms", "hint_s", MS),
        )
    ]


def _memory(name: str, hint: Sequence[str]) -> Benchmark:
    return Benchmark(
        "memory", name, lambda: [Measurement(name, "MiB", [_fresh(hint, None)["hint_mib"]])]
    )


def _fresh(hint: Sequence[str], cache: str | None) -> dict[str, float]:
    """Return the measurements of ``fresh.py``, and the seconds from its start until it was ready.

    Args:
        hint: arguments of ``fresh.py``.
        cache: folder of the compile cache; None uses that of this process.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "scripts")])}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    command = [sys.executable, "-m", "benchmarks.fresh", *hint]
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        ready = child.stdout.readline()
        ready_s = time.perf_counter() - start
        output = child.stdout.read()
    if ready.strip() != "ready" or child.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")
    return {"until_ready_s": ready_s, **json.loads(output)}
