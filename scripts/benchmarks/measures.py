"""What is measured, section by section."""

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
from league.snow_time.agents import SOLVER_GAME, owners

from benchmarks.fresh import peak_mib
from benchmarks.positions import TABLES, Posed, Table, full_hands, posed
from benchmarks.rows import MS, NS, US, Figure, Row, Sample
from benchmarks.timing import QUICK, THOROUGH, Patience, timed
from benchmarks.turns import SEARCHED, turn_hints
from service.core.hints import Hint
from service.core.vocabulary import EFFORTS
from service.games.snow_time.engine.cells import resolve_cells
from service.games.snow_time.engine.kernels.rounds import BLIZZARD, NOTHING
from service.games.snow_time.rules.state import LEVELS, Move
from service.solver.hints.hint import compute_hint
from service.solver.kernels import mixed
from service.solver.normal_form import reduced

ROOT: Final = Path(__file__).resolve().parents[2]
MODELS: Final = ("equilibrium", "uniform")
"""The default one first."""
DEPTHS: Final = (1, 2)
FINALS: Final = (*range(1, LEVELS + 1), NOTHING, BLIZZARD)
"""The final cards that a full hand can show."""

ROUND_TARGETS_NS: Final = {"5 seats": 60.0}
HINT_TARGETS_MS: Final = {
    ("5 seats", "quick"): 25.0,
    ("5 seats", "standard"): 80.0,
    ("5 seats", "deep"): 2500.0,
    ("4 seats", "standard"): 20.0,
    ("3 seats", "standard"): 10.0,
}
"""At depth 1, whatever the model."""

FIRST_HINT: Final = ("5", "5", MODELS[0], "standard", "1")


@dataclass(frozen=True)
class Plan:
    """Something to be measured.

    Attributes:
        section: where it stands in the JSON.
        name: what ``--only`` looks into.
        measure: does it.
    """

    section: str
    name: str
    measure: Callable[[], Sequence[Row | Figure]]


def plans(*, quick: bool) -> Iterator[Plan]:
    """Everything, in the order of the sections; ``quick`` is less often and without deep."""
    patience = QUICK if quick else THOROUGH
    tiers = [tier for tier in EFFORTS if not (quick and tier == "deep")]
    for table in TABLES:
        yield _plan("rounds", f"round, {table.name}", _rounds, table, patience, quick)
    for table in TABLES:
        yield _plan("tensors", f"tensor, {table.name}", _tensors, table, patience, quick)
    for table in TABLES:
        yield _plan("sweeps", f"sweep, {table.name}", _sweeps, table, patience, quick)
    for model in MODELS:
        for table in TABLES:
            for tier in tiers:
                for depth in DEPTHS:
                    asked = {"model": model, "tier": tier, "depth": depth}
                    name = f"hint, {table.name}, {model}, {tier}, depth {depth}"
                    yield _plan("hints", name, _hints, table, patience, quick, asked)
    for game in SEARCHED:
        for tier in tiers:
            name = f"hint, {game}, 4 players, {tier}"
            yield _plan("hints", name, turn_hints, patience, game, tier)
    yield Plan("warm_up", "warm-up", lambda: _warm_up(1 if quick else 3))
    for model in MODELS:
        for table in TABLES:
            for tier in tiers[1:]:
                name = f"memory, {table.name}, {model}, {tier}, depth 2"
                hint = (str(table.seats), str(table.players), model, tier, "2")
                yield _memory(name, hint)
    yield Plan(
        "memory",
        "memory, this benchmark",
        lambda: [Figure("memory, this benchmark", "MiB", [peak_mib()])],
    )


def _plan(section: str, name: str, measure: Callable[..., Row], *arguments: Any) -> Plan:
    return Plan(section, name, lambda: [measure(name, *arguments)])


# In this process -----------------------------------------------------------------------------


def _rounds(name: str, table: Table, patience: Patience, few: bool) -> Row:
    """All joint choices of final cards of full hands, the arrays for the results included."""
    seats = table.seats
    finals = np.tile(np.array(FINALS, np.int64), (seats, 1))
    counts = np.full(seats, len(FINALS), np.int64)
    share = NS / prod(counts.tolist())

    def measure(position: Posed) -> Sample:
        state = position.question.position
        fruits = np.array([state.fruit], np.int64)
        scores = np.array([seat.score for seat in state.seats], np.int64)
        board = state.board
        found = timed(lambda: resolve_cells(finals, counts, fruits, scores, board), patience)
        return Sample(position.name, True, found, share, {"rounds": prod(counts.tolist())})

    samples = [measure(position) for position in full_hands(table, few=few)]
    return Row(name, "ns", samples, _about(table), ROUND_TARGETS_NS.get(table.name))


def _tensors(name: str, table: Table, patience: Patience, few: bool) -> Row:
    """A decision in normal form: its rounds, the watchers' answers, everybody's payoffs."""

    def measure(position: Posed) -> Sample:
        question = position.question
        size = SOLVER_GAME.joint(question).payoffs.size
        found = timed(lambda: SOLVER_GAME.joint(question).payoffs, patience)
        return Sample(position.name, True, found, MS, {"payoffs": size})

    samples = [measure(position) for position in full_hands(table, few=few)]
    return Row(name, "ms", samples, _about(table))


def _sweeps(name: str, table: Table, patience: Patience, few: bool) -> Row:
    """What every move is worth, once, while everybody plays every move."""

    def measure(position: Posed) -> Sample:
        joint = SOLVER_GAME.joint(position.question)
        game = reduced(joint.payoffs, joint.counts, joint.alike, [None] * len(joint.counts))
        turned, strategies = game.turned, game.uniform
        values = np.empty_like(strategies)
        buffers = np.empty((2, turned.shape[1]), np.float64)
        # Equal players would share their work.
        alone = np.arange(len(joint.counts))
        found = timed(
            lambda: mixed.respond(turned, game.shape, alone, strategies, buffers, values),
            patience,
        )
        return Sample(position.name, True, found, US, {"payoffs": turned.size})

    samples = [measure(position) for position in full_hands(table, few=few)]
    return Row(name, "µs", samples, _about(table))


def _hints(name: str, table: Table, patience: Patience, few: bool, asked: Mapping[str, Any]) -> Row:
    """From a question to a hint, without HTTP."""

    def measure(position: Posed) -> Sample:
        question = replace(position.question, **asked)
        whose = owners(question)
        hints: list[Hint[Move]] = []

        def ask() -> None:
            hints[:] = [compute_hint(SOLVER_GAME, question, whose)]

        found = timed(ask, patience)
        search = hints[0].search
        told = {"reached": search.depth, "resolved": search.nodes, "left_out": search.unsearched}
        return Sample(position.name, position.full, found, MS, told)

    samples = [measure(position) for position in posed(table, few=few)]
    target = HINT_TARGETS_MS.get((table.name, asked["tier"])) if asked["depth"] == 1 else None
    return Row(name, "ms", samples, {**_about(table), **asked}, target)


def _about(table: Table) -> dict[str, Any]:
    return {"seats": table.seats, "players": table.players}


# In fresh processes --------------------------------------------------------------------------


def _warm_up(repetitions: int) -> list[Figure]:
    """From the start of a process until the app stands, and its first hint, at ``standard``."""
    with TemporaryDirectory() as cache:
        cold = [_fresh(FIRST_HINT, cache)]
        warm = [_fresh(FIRST_HINT, cache) for _ in range(repetitions)]
    return [
        Figure(f"warm-up, {state} compile cache, {what}", unit, [one[key] * times for one in found])
        for state, found in (("empty", cold), ("filled", warm))
        for what, unit, key, times in (
            ("until ready", "s", "until_ready_s", 1.0),
            ("memory when ready", "MiB", "ready_mib", 1.0),
            ("first hint, 5 seats", "ms", "hint_s", MS),
        )
    ]


def _memory(name: str, hint: Sequence[str]) -> Plan:
    return Plan("memory", name, lambda: [Figure(name, "MiB", [_fresh(hint, None)["hint_mib"]])])


def _fresh(hint: Sequence[str], cache: str | None) -> dict[str, float]:
    """What ``fresh.py`` tells, and the seconds from its start until it was ready.

    Args:
        hint: to ask for.
        cache: folder of the compile cache; None for the one of this process.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "scripts")])}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    command = [sys.executable, "-m", "benchmarks.fresh", *hint]
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        ready = child.stdout.readline()
        took = time.perf_counter() - began
        told = child.stdout.read()
    if ready.strip() != "ready" or child.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")
    return {"until_ready_s": took, **json.loads(told)}
