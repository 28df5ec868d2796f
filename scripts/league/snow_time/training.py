"""Generations of evaluators: play, learn from all games so far, keep what gains.

A generation is kept if it wins more, or if it knows noticeably better who wins and does not win
clearly less: between generations that differ little, thousands of games tell no winner, but their
positions tell who knows better.

Each generation plays against itself, rash players, older generations and round solvers, so that it
does not only learn its own habits (the idea of DORA, Bakhtin et al. 2021).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from league.running.cells import Cell, fixtures
from league.running.journal import write_whole
from league.running.play import play_all
from league.running.records import read_records
from league.snow_time.evaluator_report import known, read
from league.snow_time.fitting import Floats, Sample, document, fit, simple_prior
from league.snow_time.self_play import Table, play_tables, sample_of, tables
from service.operations.versions import ENGINE_VERSION

PRIOR: Final = (0.75, 2.5, 3.5)
"""Spaces that a champion, a watcher and a blizzard in hand are worth before anything is learned."""
PULL: Final = 1e-3
RIVALS: Final = ("round-solver", "round-solver:champion=0.5,watcher=1,blizzard=2")
"""Against three of whom a generation has to gain, besides against the one before."""
NOTICEABLE: Final = 1e-3
"""A log-loss less by that, in nats a position, is known better."""
SIZES: Final = (4, 3, 5, 2)
OTHER_TRACKS: Final = (20, 50)
"""Lengths on which what was learned on the default track is tried."""


@dataclass(frozen=True)
class Plan:
    """A training run.

    Attributes:
        folder: where games, generations and the report lie.
        generations: at most so many.
        games: of a generation, of four players; a third of that of any other number.
        gate_games: in each cell that decides whether a generation gains.
        seed: of all games.
        jobs: processes.
    """

    folder: Path
    generations: int
    games: int
    gate_games: int
    seed: int
    jobs: int


class WrongPlan(Exception):
    """A folder holds another training run."""


def train(plan: Plan) -> list[Path]:
    """Runs what the folder does not hold yet; the data files of the generations kept, the last
    being the newest.  Generation 0 is set by hand.

    Raises:
        WrongPlan: if the folder holds games of another seed or engine, of more or fewer games, or
            stood elsewhere: games name evaluators by their paths.
    """
    _begin(plan)
    kept = [_written(plan, 0, lambda players: simple_prior(*PRIOR))]
    for number in range(1, plan.generations + 1):
        seed = plan.seed + 1_000_000 * number
        for players in SIZES:
            games = plan.games if players == 4 else plan.games // 3
            due = tables(players, games, [str(path) for path in kept], seed)
            play_tables(due, _games(plan, number, players), plan.jobs)
        newest = _written(plan, number, partial(_fitted, plan, number))
        gain, error = gains(plan, number, newest, kept[-1])
        learnt = ignorance(plan, number, kept[-1]) - ignorance(plan, number, newest)
        print(
            f"generation {number}: {gain:+.3f} ± {error:.3f} shares of the win,"
            f" {learnt:+.4f} nats of log-loss less"
        )
        if gain <= (-error if learnt > NOTICEABLE else 0.0):
            break
        kept.append(newest)
    return kept


def games_until(plan: Plan, newest: int, players: int) -> Sample:
    """All games of so many players up to a generation."""
    return sample_of([_games(plan, n, players) for n in range(1, newest + 1)], players)


def _fitted(plan: Plan, newest: int, players: int) -> Floats:
    """The weights fitted to them.

    Those for four are pulled towards the first generation, those for others towards these, for
    there are most games of four.
    """
    prior = simple_prior(*PRIOR) if players == 4 else _fitted(plan, newest, 4)
    return fit(games_until(plan, newest, players), prior, PULL).weights


def elsewhere(plan: Plan, newest: Path, length: int) -> Sample:
    """Games of four on a track of another length, nobody having learned anything there."""
    agents = (f"service:tier=quick,evaluator={newest}",) * 4
    due = [Table(plan.seed + game, 4, agents, length) for game in range(max(1, plan.games // 8))]
    path = plan.folder / f"games-of-{newest.stem}-on-{length}.jsonl"
    play_tables(due, path, plan.jobs)
    return sample_of([path], 4, length)


def gains(plan: Plan, number: int, newest: Path, before: Path) -> tuple[float, float]:
    """How much a generation wins more than the one before it, and half a 95 % interval.

    Each sits alone among three of the other, since who is alone among three who know each other's
    ways fares badly whoever it is, and each among three round solvers of several kinds.
    """
    one, other = (f"service:tier=quick,evaluator={path}" for path in (newest, before))
    pairs = [(Cell(one, other, 4), Cell(other, one, 4))]
    pairs += [(Cell(one, rival, 4), Cell(other, rival, 4)) for rival in RIVALS]
    cells = [cell for pair in pairs for cell in pair]
    folder = plan.folder / f"gate-{number}"
    folder.mkdir(exist_ok=True)
    due = [own for cell in cells for own in fixtures(cell, plan.gate_games, plan.seed)]
    play_all(due, folder, plan.jobs)
    shares: dict[str, dict[tuple[int, int], float]] = {cell.name: {} for cell in cells}
    for record in read_records(folder).values():
        shares[record.cell][record.group, record.place] = record.share
    differences = [
        share - shares[against.name][key]
        for cell, against in pairs
        for key, share in shares[cell.name].items()
    ]
    spread = float(np.std(differences)) / len(differences) ** 0.5
    return float(np.mean(differences)), 1.96 * spread


def ignorance(plan: Plan, number: int, path: Path) -> float:
    """An evaluator's mean log-loss over tables of all sizes, in games that no fit has seen."""
    evaluator = read(path)
    samples = [games_until(plan, number, players) for players in SIZES]
    return float(np.mean([known(path.stem, evaluator, sample).log_loss for sample in samples]))


def _begin(plan: Plan) -> None:
    plan.folder.mkdir(parents=True, exist_ok=True)
    path = plan.folder / "plan.json"
    told = {
        "folder": str(plan.folder.resolve()),
        "engine": ENGINE_VERSION,
        "seed": plan.seed,
        "games": plan.games,
        "gate_games": plan.gate_games,
    }
    if not path.exists():
        write_whole(path, json.dumps(told) + "\n")
    before = json.loads(path.read_text(encoding="utf-8"))
    if before != told:
        raise WrongPlan(f"{plan.folder} holds a run of {before}, not {told}")


def _written(plan: Plan, number: int, weigh: Callable[[int], Floats]) -> Path:
    """The data file of a generation, which stays what it is once games were played with it."""
    path = plan.folder / f"generation-{number}.json"
    if not path.exists():
        told = document(path.stem, {players: weigh(players) for players in SIZES})
        write_whole(path, json.dumps(told, indent=1) + "\n")
    return path


def _games(plan: Plan, number: int, players: int) -> Path:
    return plan.folder / f"games-{number}-{players}.jsonl"
