"""Train generations of evaluators: play, fit to all games so far, accept what improves.

A generation is accepted if it wins more, or if its log-loss is clearly lower and it does not win
clearly less. Between similar generations thousands of games do not show which one is stronger, but
the log-loss of their positions does.

Each generation plays against itself, agents with random moves, older generations and round solvers,
so that it does not only fit its own style (the idea of DORA, Bakhtin et al. 2021).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from research.league.running.cells import Cell, schedule
from research.league.running.engine import Engine
from research.league.running.journal import write_atomically
from research.league.running.play import play_all
from research.league.running.records import read_records
from research.league.snow_time.evaluator_report import assess, read
from research.league.snow_time.fitting import Floats, Sample, document, fit, simple_prior
from research.league.snow_time.self_play import (
    SelfPlayGame,
    load_sample,
    play_games,
    self_play_games,
)
from service.operations.versions import ENGINE_VERSION

PRIOR: Final = (0.75, 2.5, 3.5)
"""Worth of a champion, a watcher and a blizzard in hand before training, in spaces."""
PULL: Final = 1e-3
RIVALS: Final = ("round-solver", "round-solver:champion=0.5,watcher=1,blizzard=2")
"""Opponents of the gate, in threes, besides the previous generation."""
LOG_LOSS_MARGIN: Final = 1e-3
"""A clear improvement of the log-loss, in nats per position."""
SIZES: Final = (4, 3, 5, 2)
OTHER_TRACKS: Final = (20, 50)
"""Track lengths on which the evaluator for the default track is tested."""


@dataclass(frozen=True)
class Plan:
    """A training run.

    Attributes:
        folder: of the games, evaluators and the report.
        generations: maximum number.
        games: per generation with four players; a third of it for other numbers of players.
        gate_games: per cell of the comparison of two generations.
        seed: of all games.
        engine: that plays the games.
    """

    folder: Path
    generations: int
    games: int
    gate_games: int
    seed: int
    engine: Engine


class PlanMismatch(Exception):
    """The folder has another training run."""


def train(plan: Plan) -> list[Path]:
    """Run what the folder does not have yet; return the files of accepted generations, newest last.

    Generation 0 is set by hand.

    Raises:
        PlanMismatch: if the folder has games of another seed, engine or number of games, or was
            moved: games name evaluators by their paths.
    """
    _check_plan(plan)
    accepted = [_evaluator_file(plan, 0, lambda players: simple_prior(*PRIOR))]
    for number in range(1, plan.generations + 1):
        seed = plan.seed + 1_000_000 * number
        for players in SIZES:
            games = plan.games if players == 4 else plan.games // 3
            due = self_play_games(players, games, [str(path) for path in accepted], seed)
            play_games(due, _games(plan, number, players), plan.engine)
        newest = _evaluator_file(plan, number, partial(_fitted, plan, number))
        gain, error = compare_strength(plan, number, newest, accepted[-1])
        improvement = mean_log_loss(plan, number, accepted[-1]) - mean_log_loss(
            plan, number, newest
        )
        print(
            f"generation {number}: {gain:+.3f} ± {error:.3f} win share,"
            f" {improvement:+.4f} nats lower log-loss"
        )
        if gain <= (-error if improvement > LOG_LOSS_MARGIN else 0.0):
            break
        accepted.append(newest)
    return accepted


def games_until(plan: Plan, newest: int, players: int) -> Sample:
    """Return the positions of all games with this number of players up to a generation."""
    return load_sample([_games(plan, n, players) for n in range(1, newest + 1)], players)


def _fitted(plan: Plan, newest: int, players: int) -> Floats:
    """Return the weights fitted to all games up to a generation.

    Weights for four players are pulled towards generation 0, the others towards those for four
    players, because most games have four players.
    """
    prior = simple_prior(*PRIOR) if players == 4 else _fitted(plan, newest, 4)
    return fit(games_until(plan, newest, players), prior, PULL).weights


def games_on_track(plan: Plan, newest: Path, length: int) -> Sample:
    """Return games of four players on a track of another length, which no fit has used."""
    agents = (f"service:effort=quick,evaluator={newest}",) * 4
    games = [
        SelfPlayGame(plan.seed + game, 4, agents, length) for game in range(max(1, plan.games // 8))
    ]
    path = plan.folder / f"games-of-{newest.stem}-on-{length}.jsonl"
    play_games(games, path, plan.engine)
    return load_sample([path], 4, length)


def compare_strength(plan: Plan, number: int, newest: Path, before: Path) -> tuple[float, float]:
    """Return how much more a generation wins than the previous one, and half a 95 % interval.

    Each plays alone against three of the other, since an odd player does badly against three
    alike players whatever its strength, and each against three round solvers of several kinds.
    """
    one, other = (f"service:effort=quick,evaluator={path}" for path in (newest, before))
    pairs = [(Cell(one, other, 4), Cell(other, one, 4))]
    pairs += [(Cell(one, rival, 4), Cell(other, rival, 4)) for rival in RIVALS]
    cells = [cell for pair in pairs for cell in pair]
    folder = plan.folder / f"gate-{number}"
    folder.mkdir(exist_ok=True)
    games = [game for cell in cells for game in schedule(cell, plan.gate_games, plan.seed)]
    play_all(games, folder, plan.engine)
    shares: dict[str, dict[tuple[int, int], float]] = {cell.name: {} for cell in cells}
    for record in read_records(folder).values():
        shares[record.cell][record.group, record.place] = record.share
    differences = [
        share - shares[against.name][key]
        for cell, against in pairs
        for key, share in shares[cell.name].items()
    ]
    error = float(np.std(differences)) / len(differences) ** 0.5
    return float(np.mean(differences)), 1.96 * error


def mean_log_loss(plan: Plan, number: int, path: Path) -> float:
    """Return the mean log-loss over all numbers of players, on held-out games."""
    evaluator = read(path)
    samples = [games_until(plan, number, players) for players in SIZES]
    return float(np.mean([assess(path.stem, evaluator, sample).log_loss for sample in samples]))


def _check_plan(plan: Plan) -> None:
    plan.folder.mkdir(parents=True, exist_ok=True)
    path = plan.folder / "plan.json"
    document = {
        "folder": str(plan.folder.resolve()),
        "engine": ENGINE_VERSION,
        "seed": plan.seed,
        "games": plan.games,
        "gate_games": plan.gate_games,
    }
    if not path.exists():
        write_atomically(path, json.dumps(document) + "\n")
    before = json.loads(path.read_text(encoding="utf-8"))
    if before != document:
        raise PlanMismatch(f"{plan.folder} has a run of {before}, not {document}")


def _evaluator_file(plan: Plan, number: int, weigh: Callable[[int], Floats]) -> Path:
    """Return the file of a generation; write it only once, because games depend on it."""
    path = plan.folder / f"generation-{number}.json"
    if not path.exists():
        weights = document(path.stem, {players: weigh(players) for players in SIZES})
        write_atomically(path, json.dumps(weights, indent=1) + "\n")
    return path


def _games(plan: Plan, number: int, players: int) -> Path:
    return plan.folder / f"games-{number}-{players}.jsonl"
