"""Tune an evaluator for playing strength: better prediction is not always better play.

A *point* has the logarithms of factors for the worths of an evaluator. Games are played in mirrored
pairs around the current point: the same dice and opponents, once with a deviation and once with its
opposite. The difference of the win shares is regressed on the deviation (evolution strategies with
mirrored sampling: Salimans et al. 2017, arXiv:1703.03864; Wierstra et al. 2014, *Natural Evolution
Strategies*), and the point moves along the gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from research.league.roster import agent
from research.league.running.engine import Engine
from research.league.running.journal import saved_results
from research.league.snow_time.agents import ServiceAgent
from research.league.snow_time.evaluator_report import read
from research.league.snow_time.fitting import Floats
from research.league.snow_time.play import Agent, initial_state, play
from research.league.snow_time.self_play import BLIZZARD, CHAMPION, WATCHER
from service.games.snow_time.engine.evaluation import Evaluator, EvaluatorWeights

PARTS: Final = ("champions", "watcher", "blizzard", "pace")
DIMENSIONS: Final = 2 * len(PARTS)
"""Each part has one factor near the end of the track and one far from it."""
DEVIATION: Final = 0.4
"""Standard deviation of each coordinate."""
STEP: Final = 0.5
"""Length of a step of the point."""
PANEL: Final = ("round-solver", "quantal", "level-1")
"""Kinds of opponents; all opponents at a table are alike.

Round solvers have random worths of cards; the others use the evaluator before tuning.
"""


def tuned(evaluator: Evaluator, players: int, point: Sequence[float]) -> Evaluator:
    """Return the evaluator with the worths for one number of players multiplied by a point.

    The factors are interpolated between near and far.
    """
    weights = evaluator.weights[players]
    last = len(weights.knots) - 1
    factors = {
        part: [float(np.exp(near + (far - near) * place / last)) for place in range(last + 1)]
        for part, near, far in zip(PARTS, point[::2], point[1::2], strict=True)
    }
    changed = EvaluatorWeights(
        knots=weights.knots,
        pace=_multiplied(weights.pace, factors["pace"]),
        champions=[
            [[worth * factor for worth in row] for row in table]
            for table, factor in zip(weights.champions, factors["champions"], strict=True)
        ],
        watcher=_multiplied(weights.watcher, factors["watcher"]),
        blizzard=_multiplied(weights.blizzard, factors["blizzard"]),
    )
    return replace(evaluator, weights={**evaluator.weights, players: changed})


def _multiplied(values: Sequence[float], factors: Sequence[float]) -> list[float]:
    return [value * factor for value, factor in zip(values, factors, strict=True)]


@dataclass(frozen=True)
class Pair:
    """Two games that differ only in the evaluator of one player.

    Attributes:
        number: of the pair, and seed of its dice.
        players: number of players.
        evaluator: path of the data file to tune.
        points: of that player in the first and in the second game.
    """

    number: int
    players: int
    evaluator: str
    points: tuple[tuple[float, ...], tuple[float, ...]]


def mirrored_pairs(
    evaluator: str, players: int, point: Sequence[float], pairs: int, seed: int
) -> list[Pair]:
    """Return pairs with opposite deviations around a point."""
    selected = []
    for number in range(seed, seed + pairs):
        random = Random(f"{number} {players} deviation")
        deviation = [DEVIATION * random.gauss(0.0, 1.0) for _ in point]
        one = tuple(here + by for here, by in zip(point, deviation, strict=True))
        other = tuple(here - by for here, by in zip(point, deviation, strict=True))
        selected.append(Pair(number, players, evaluator, (one, other)))
    return selected


def play_pairs(pairs: Sequence[Pair], path: Path, engine: Engine) -> list[dict[str, Any]]:
    """Return the pairs with the win shares of both games; play those that a file does not have."""
    cases = {pair.number: pair for pair in pairs}
    return saved_results(path, itemgetter("number"), play_pair, cases, engine, path.stem, "pair")


def play_pair(pair: Pair) -> dict[str, Any]:
    """Play both games of a pair; return the pair with the win shares as a document."""
    random = Random(f"{pair.number} {pair.players} table")
    first = initial_state(4 if pair.players == 2 else pair.players, pair.players)
    place = pair.number % pair.players
    rest = _opponent(pair, random)
    evaluator = read(Path(pair.evaluator))
    shares = []
    for point in pair.points:
        own = ServiceAgent(evaluator=tuned(evaluator, pair.players, point))
        agents: dict[str, Agent] = dict.fromkeys(first.players, rest)
        agents[first.players[place]] = own
        shares.append(play(first, agents, pair.number).shares[first.players[place]])
    return asdict(pair) | {"shares": shares}


def _opponent(pair: Pair, random: Random) -> Agent:
    kind = PANEL[pair.number // pair.players % len(PANEL)]
    if kind != "round-solver":
        return ServiceAgent(kind, evaluator=pair.evaluator)
    worth = [random.uniform(*bounds) for bounds in (CHAMPION, WATCHER, BLIZZARD)]
    settings = zip(("champion", "watcher", "blizzard"), worth, strict=True)
    solver: Agent = agent(
        "round-solver:" + ",".join(f"{name}={value:.2f}" for name, value in settings)
    )
    return solver


def win_share_gradient(results: Sequence[dict[str, Any]]) -> tuple[Floats, Floats]:
    """Return the gradient of the win share and its standard errors, by least squares."""
    points = np.array([document["points"] for document in results])
    differences = points[:, 0] - points[:, 1]
    gained = np.array([document["shares"][0] - document["shares"][1] for document in results])
    gradient, *_ = np.linalg.lstsq(differences, gained, rcond=None)
    residuals = gained - differences @ gradient
    variance = residuals @ residuals / (len(gained) - len(gradient))
    errors: Floats = np.sqrt(variance * np.diag(np.linalg.inv(differences.T @ differences)))
    return gradient, errors


def moved(point: Sequence[float], gradient: Floats, errors: Floats) -> list[float]:
    """Return the point after a step along the gradient, shrunk where its error is large."""
    shrunk = gradient * gradient**2 / (gradient**2 + errors**2)
    length = float(np.sqrt(shrunk @ shrunk))
    step = shrunk * (STEP / length) if length else shrunk
    return [float(here + by) for here, by in zip(point, step, strict=True)]
