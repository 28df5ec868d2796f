"""Measure whether printed win shares are right, in games of players who take every hint.

    python3 scripts/dev.py run -m research calibrate --game slopecrashers --players 3 --games 400

Each player follows the plan of its hint, and asks again where the plan ends. Every hint predicts
the win shares of all players. Printed is, by tenths of these shares, how often those players won,
with 95 % intervals over games; then the mean absolute difference, weighted by the number of
predictions, and the Brier score and the log loss next to those of equal shares.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import log
from typing import Final

import numpy as np
from tqdm import tqdm

from research.league.public_play import NAMES, Document, Table
from research.league.statistics.intervals import estimate
from service.core.vocabulary import EFFORTS
from service.games.registry import GAMES

TENTHS: Final = 10
LEAST: Final = 1e-6
"""A share below this counts like it in the log loss."""

Predictions = list[tuple[float, float]]
"""Predicted shares and shares of the win, of one game."""


def main(arguments: Sequence[str]) -> int:
    """Play, print the table and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(GAMES), required=True)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--effort", choices=list(EFFORTS), default="standard")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    seeds = range(options.seed, options.seed + options.games)
    play = partial(predictions, options.game, options.players, options.effort)
    with ProcessPoolExecutor(options.jobs) as pool:
        games = list(tqdm(pool.map(play, seeds), total=len(seeds), unit="game"))
    print(f"{options.game}, {options.games} games of {options.players}, {options.effort}")
    report(games, options.players)
    return 0


def predictions(game: str, players: int, effort: str, seed: int) -> Predictions:
    """Play a game and return the predicted shares of all hints with the shares of the win."""
    table, printed = Table(game, effort), list[dict[str, float]]()
    planned, expected = list[Document](), list[Document]()

    def choose(player: str, body: Document, _: list[Document]) -> Document:
        nonlocal planned, expected
        if not planned or body["so_far"] != expected:
            hint = table.hint(player, body)
            printed.append(hint["win_shares"])
            planned = list(hint.get("plan", ())) or [hint["pick"]]
        pick = planned.pop(0)
        expected = [*body.get("so_far", ()), pick]
        return pick

    winners = table.played(players, seed, choose).winners
    won = {name: (name in winners) / max(1, len(winners)) for name in NAMES[:players]}
    return [(share, won[name]) for shares in printed for name, share in shares.items()]


def report(games: Sequence[Predictions], players: int) -> None:
    """Print the reliability by tenths and the scores."""
    print("| predicted | mean | won | 95 % interval | predictions | games |")
    print("|---|--:|--:|--:|--:|--:|")
    difference = total = 0.0
    for tenth in range(TENTHS):
        groups = [[pair for pair in game if _tenth(pair[0]) == tenth] for game in games]
        groups = [group for group in groups if group]
        pairs = [pair for group in groups for pair in group]
        if not pairs:
            continue
        found = estimate([[won for _, won in group] for group in groups])
        mean = float(np.mean([share for share, _ in pairs]))
        difference += len(pairs) * abs(mean - found.share)
        total += len(pairs)
        print(
            f"| {tenth / TENTHS:.1f} to {(tenth + 1) / TENTHS:.1f} | {mean:.3f} | {found.share:.3f}"
            f" | {found.low:.3f} to {found.high:.3f} | {len(pairs)} | {len(groups)} |"
        )
    pairs = [pair for game in games for pair in game]
    even = [(1.0 / max(2, players), won) for _, won in pairs]
    print(f"mean absolute difference: {difference / total:.3f}")
    print(f"Brier score: {_brier(pairs):.4f}; of equal shares {_brier(even):.4f}")
    print(f"log loss: {_log_loss(pairs):.4f}; of equal shares {_log_loss(even):.4f}")


def _tenth(share: float) -> int:
    return min(TENTHS - 1, int(share * TENTHS))


def _brier(pairs: Predictions) -> float:
    return float(np.mean([(share - won) ** 2 for share, won in pairs]))


def _log_loss(pairs: Predictions) -> float:
    clipped = [(min(max(share, LEAST), 1.0 - LEAST), won) for share, won in pairs]
    losses = [won * log(share) + (1.0 - won) * log(1.0 - share) for share, won in clipped]
    return -float(np.mean(losses))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
