"""Measure evaluators of Snowcrest by compiled games of players who search their own turn.

    python3 scripts/dev.py run -m research measure FILE --reference OTHER

Printed are the win shares of the evaluator in FILE, or that of the service, with 95 % confidence
intervals: against greedy players, against those with the reference, and in solo games.  A game of
four takes about 11 ms, a hundredth of a game of hints.  The numbers do not depend on ``--jobs``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from research.league.running.engine import Engine, add_options, run_script
from research.league.snowcrest.agents import GREEDY_EVALUATOR
from research.league.snowcrest.game_kernels import play_game
from research.league.statistics.intervals import Estimate, estimate
from service.core.arrays import Floats
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.engine.evaluation import (
    EVALUATOR_FILE,
    Evaluator,
    load_evaluator,
    models_of,
)
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.turn import Turn

FIRST_SEED: Final = 20261123
PLAYERS: Final = "abcd"
Ahead: TypeAlias = tuple[int, int, int]
"""How a player looks ahead: choices that are played on, deals for each, and rounds of turns."""
OWN_TURN: Final[Ahead] = (1, 0, 0)


def main(arguments: Sequence[str]) -> int:
    """Measure and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("evaluator", type=Path, nargs="?", default=EVALUATOR_FILE)
    parser.add_argument(
        "--reference", type=Path, default=EVALUATOR_FILE, help="evaluator of fixed opponents"
    )
    parser.add_argument("--games", type=int, default=1000, help="games per table")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first games")
    parser.add_argument(
        "--only", metavar="TEXT", default="", help="only tables with TEXT in the name"
    )
    parser.add_argument(
        "--ahead", type=int, nargs=3, default=OWN_TURN, metavar=("CHOICES", "DEALS", "ROUNDS"),
        help="play on after the best choices, so many deals and rounds of turns for each",
    )  # fmt: skip
    add_options(parser)
    return run_script(_measure, parser.parse_args(arguments))


def _measure(options: argparse.Namespace, engine: Engine) -> int:
    evaluator = load_evaluator(options.evaluator)
    chosen = [
        table for table in tables(load_evaluator(options.reference)) if options.only in table.name
    ]
    ahead = tuple(options.ahead)
    print(report(evaluator, chosen, options.games, options.seed, engine, ahead=ahead))
    return 0


@dataclass(frozen=True)
class Table:
    """A composition of a table.

    Attributes:
        name: shown in reports.
        players: number of players.
        others: evaluator of all other players; None in a solo game.
        difficulty: of a solo game.
    """

    name: str
    players: int
    others: Evaluator | None = None
    difficulty: int = 1

    @property
    def par(self) -> float | None:
        """Win share of equally strong players; None in a solo game."""
        return None if self.others is None else 1.0 / self.players


@dataclass(frozen=True)
class Result:
    """A game.

    Attributes:
        share: the odd player's share of the win.
        points: of the odd player.
        turns: of all players.
    """

    share: float
    points: int
    turns: int


def tables(reference: Evaluator) -> tuple[Table, ...]:
    """Return the tables of a report: greedy players, a reference, and solo games."""
    return (
        Table("three greedy players", 4, GREEDY_EVALUATOR),
        Table(f"three players with {reference.version}", 4, reference),
        Table("one greedy player", 2, GREEDY_EVALUATOR),
        Table(f"one player with {reference.version}", 2, reference),
        Table("difficulty 1, alone", 1, difficulty=1),
        Table("difficulty 10, alone", 1, difficulty=10),
    )


@lru_cache(maxsize=32)
def _models(evaluator: Evaluator, players: int) -> Floats:
    return models_of(evaluator, DEFAULT_CATALOGUE, players)


def play_match(
    table: Table, evaluator: Evaluator, seed: int, *, ahead: Ahead = OWN_TURN
) -> list[Result]:
    """Play one game with the odd player in each place; all have the same set-up.

    Args:
        table: composition of the table.
        evaluator: of the odd player.
        seed: of the set-up and of all chance.
        ahead: how the odd player looks ahead.

    Raises:
        RuntimeError: if a game does not end.
    """
    count = table.players
    packing = packing_of(DEFAULT_CATALOGUE, count)
    odd = models_of(evaluator, DEFAULT_CATALOGUE, count)
    rest = odd if table.others is None else _models(table.others, count)
    state = set_up(PLAYERS[:count], seed, difficulty=table.difficulty)
    results = []
    for place in range(count):
        position = packing.pack(Turn(state))
        agents = np.array([odd if seat == place else rest for seat in range(count)])
        won, points = np.zeros(count), np.zeros(count, np.int64)
        plans = np.array([ahead if seat == place else OWN_TURN for seat in range(count)])
        turns = play_game(position, packing.cards, agents, plans, seed, won, points)
        if turns < 0:
            raise RuntimeError(f"the game with seed {seed} does not end")
        results.append(Result(float(won[place]), int(points[place]), turns))
    return results


def measure(
    table: Table,
    evaluator: Evaluator,
    games: int,
    seed: int,
    engine: Engine,
    *,
    ahead: Ahead = OWN_TURN,
) -> tuple[Estimate, float]:
    """Return the win share of an evaluator at a table, and the mean points.

    Args:
        games: rounded up to whole groups with the odd player in every place.
        seed: of the first group; each group has the next seed.
        engine: plays the games; the result does not depend on its processes.
        ahead: how the odd player looks ahead.
    """
    groups = -(-games // table.players)
    seeds = range(seed, seed + groups)
    work = partial(play_match, table, evaluator, ahead=ahead)
    played = [results for _, results in engine.run(work, seeds, table.name, "group")]
    points = [result.points for group in played for result in group]
    # The order of the groups does not change the estimate.
    shares = sorted([result.share for result in group] for group in played)
    return estimate(shares), float(np.mean(points))


def report(
    evaluator: Evaluator,
    chosen: Sequence[Table],
    games: int,
    seed: int,
    engine: Engine,
    *,
    ahead: Ahead = OWN_TURN,
) -> str:
    """Return the win shares at tables with 95 % confidence intervals, as Markdown."""
    rows = [
        f"| {evaluator.version} against | games | win share | 95 % interval | par | points |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for table in chosen:
        found, points = measure(table, evaluator, games, seed, engine, ahead=ahead)
        par = "" if table.par is None else f"{table.par:.0%}"
        rows.append(
            f"| {table.name} | {found.games} | {found.share:.1%} |"
            f" {found.low:.1%} to {found.high:.1%} | {par} | {points:.1f} |"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
