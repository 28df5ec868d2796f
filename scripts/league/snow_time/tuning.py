"""Tunes an evaluator by play: how well it predicts who wins is not how well it plays.

A *point* multiplies the worths of an evaluator, in logarithms.  Around the point so far, games are
played in mirrored pairs: the same dice and opponents, once with a deviation and once with its
opposite.  What the one wins more than the other is regressed on the deviation (evolution
strategies with mirrored sampling: Salimans et al. 2017, arXiv:1703.03864; Wierstra et al. 2014,
*Natural Evolution Strategies*), and the point moves along the slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from league.roster import agent
from league.running.journal import Journal, read_lines
from league.running.processes import finished
from league.snow_time.agents import SolvingAgent
from league.snow_time.evaluator_report import read
from league.snow_time.fitting import Floats
from league.snow_time.play import Agent, play, start
from league.snow_time.self_play import BLIZZARD, CHAMPION, WATCHER
from service.games.snow_time.engine.evaluation import Evaluator, EvaluatorWeights

PARTS: Final = ("champions", "watcher", "blizzard", "pace")
DIMENSIONS: Final = 2 * len(PARTS)
"""Each part has a factor near the end of the track and one far from it."""
DEVIATION: Final = 0.4
"""Of each coordinate, one standard deviation."""
STEP: Final = 0.5
"""How far the point moves at most, all coordinates together."""
PANEL: Final = ("round-solver", "quantal", "level-1")
"""Who sits at the table, all others alike; services with the evaluator that is tuned, but for the
round solvers, who value what they keep in many ways."""


def tuned(evaluator: Evaluator, players: int, point: Sequence[float]) -> Evaluator:
    """The evaluator with one table's worths multiplied, between near and far in proportion."""
    weights = evaluator.weights[players]
    last = len(weights.knots) - 1
    factors = {
        part: [float(np.exp(near + (far - near) * place / last)) for place in range(last + 1)]
        for part, near, far in zip(PARTS, point[::2], point[1::2], strict=True)
    }
    changed = EvaluatorWeights(
        knots=weights.knots,
        pace=_times(weights.pace, factors["pace"]),
        champions=[
            [[worth * factor for worth in row] for row in table]
            for table, factor in zip(weights.champions, factors["champions"], strict=True)
        ],
        watcher=_times(weights.watcher, factors["watcher"]),
        blizzard=_times(weights.blizzard, factors["blizzard"]),
    )
    return replace(evaluator, weights={**evaluator.weights, players: changed})


def _times(values: Sequence[float], factors: Sequence[float]) -> list[float]:
    return [value * factor for value, factor in zip(values, factors, strict=True)]


@dataclass(frozen=True)
class Pair:
    """Two games that differ in one player's evaluator alone.

    Attributes:
        number: of the pair, and of its dice.
        players: at the table.
        evaluator: the path of the data file that is tuned.
        points: of the one player in the first game, and in the second.
    """

    number: int
    players: int
    evaluator: str
    points: tuple[tuple[float, ...], tuple[float, ...]]


def mirrored(
    evaluator: str, players: int, point: Sequence[float], pairs: int, seed: int
) -> list[Pair]:
    """Pairs of opposite deviations around a point."""
    found = []
    for number in range(seed, seed + pairs):
        random = Random(f"{number} {players} deviation")
        away = [DEVIATION * random.gauss(0.0, 1.0) for _ in point]
        one = tuple(here + by for here, by in zip(point, away, strict=True))
        other = tuple(here - by for here, by in zip(point, away, strict=True))
        found.append(Pair(number, players, evaluator, (one, other)))
    return found


def play_pairs(pairs: Sequence[Pair], path: Path, jobs: int) -> list[dict[str, Any]]:
    """The pairs with what each game's player won; plays what a file does not hold yet."""
    held = {told["number"]: told for told in read_lines(path)}
    due = [pair for pair in pairs if pair.number not in held]
    bar = tqdm(total=len(pairs), initial=len(pairs) - len(due), unit="pair", desc=path.stem)
    with Journal(path) as journal, bar, finished(play_pair, due, jobs) as results:
        for told in results:
            journal.add(told)
            held[told["number"]] = told
            bar.update()
    return [held[pair.number] for pair in pairs]


def play_pair(pair: Pair) -> dict[str, Any]:
    """Plays both games of a pair."""
    random = Random(f"{pair.number} {pair.players} table")
    first = start(4 if pair.players == 2 else pair.players, pair.players)
    place = pair.number % pair.players
    rest = _opponent(pair, random)
    evaluator = read(Path(pair.evaluator))
    shares = []
    for point in pair.points:
        own = SolvingAgent(evaluator=tuned(evaluator, pair.players, point))
        agents: dict[str, Agent] = dict.fromkeys(first.players, rest)
        agents[first.players[place]] = own
        shares.append(play(first, agents, pair.number).shares[first.players[place]])
    return asdict(pair) | {"shares": shares}


def _opponent(pair: Pair, random: Random) -> Agent:
    kind = PANEL[pair.number // pair.players % len(PANEL)]
    if kind != "round-solver":
        return SolvingAgent(kind, evaluator=pair.evaluator)
    worth = [random.uniform(*bounds) for bounds in (CHAMPION, WATCHER, BLIZZARD)]
    told = zip(("champion", "watcher", "blizzard"), worth, strict=True)
    solver: Agent = agent("round-solver:" + ",".join(f"{name}={value:.2f}" for name, value in told))
    return solver


def slope(results: Sequence[dict[str, Any]]) -> tuple[Floats, Floats]:
    """Win share for each unit of each coordinate, and the standard errors, by least squares."""
    points = np.array([told["points"] for told in results])
    away = points[:, 0] - points[:, 1]
    gained = np.array([told["shares"][0] - told["shares"][1] for told in results])
    found, *_ = np.linalg.lstsq(away, gained, rcond=None)
    residuals = gained - away @ found
    variance = residuals @ residuals / (len(gained) - len(found))
    errors: Floats = np.sqrt(variance * np.diag(np.linalg.inv(away.T @ away)))
    return found, errors


def moved(point: Sequence[float], found: Floats, errors: Floats) -> list[float]:
    """A step along the slope, each coordinate trusted as far as it stands out of its error."""
    trusted = found * found**2 / (found**2 + errors**2)
    length = float(np.sqrt(trusted @ trusted))
    step = trusted * (STEP / length) if length else trusted
    return [float(here + by) for here, by in zip(point, step, strict=True)]
