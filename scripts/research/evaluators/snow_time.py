"""The evaluator of Snow Time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

import service.games.snow_time.engine.evaluation as evaluation
from research.evaluators.model import Model, Predictor
from research.league.snow_time.agents import RandomAgent, ServiceAgent
from research.league.snow_time.play import initial_state, play
from service.core.arrays import Floats
from service.games.snow_time.engine.evaluation import Evaluator, read_evaluator
from service.games.snow_time.engine.packing import hand_bits
from service.games.snow_time.rules.state import State

PARTS: Final = ("pace", "champions", "watcher", "blizzard")
"""Weights of a number of players; each has a factor at the first knot and one at the last."""
NEAR, FAR = "near", "far"


def _multiplied(evaluator: Evaluator, players: int, factors: Mapping[str, float]) -> Evaluator:
    weights = evaluator.weights[players]
    changed: dict[str, Any] = {}
    for part in PARTS:
        near, far = (factors[f"{part} {end}"] for end in (NEAR, FAR))
        by_knot = near * (far / near) ** np.linspace(0.0, 1.0, len(weights.knots))
        old = np.array(getattr(weights, part))
        changed[part] = (old.T * by_knot).T.round(4).tolist()
    return replace(evaluator, weights={**evaluator.weights, players: replace(weights, **changed)})


def _document(evaluator: Evaluator) -> dict[str, Any]:
    players = {
        str(number): {part: getattr(weights, part) for part in PARTS}
        for number, weights in sorted(evaluator.weights.items())
    }
    knots = next(iter(evaluator.weights.values())).knots
    return {"version": evaluator.version, "knots": list(knots), "players": players}


def _predictor(evaluator: Evaluator, players: int) -> Predictor:
    def shares(state: State) -> Floats:
        tables, leader = evaluator.tables(state.board, players), max(s.score for s in state.seats)
        potentials = dict.fromkeys(state.players, 0.0)
        for seat in state.seats:
            hand = tables.hands[leader, tables.classes[hand_bits(seat.hand)]]
            potentials[seat.player] += tables.potentials[leader, seat.score] * hand
        values = np.array(list(potentials.values()))
        return np.asarray(values / values.sum())

    return shares


def _play(agents: Sequence[Any], seed: int, visit: Callable[[State], None]) -> Sequence[float]:
    players = len(agents)
    first = initial_state(4 if players == 2 else players, players)
    finished = play(first, dict(zip(first.players, agents, strict=True)), seed)
    for state in finished.positions[:-1]:
        visit(state)
    return [finished.shares[player] for player in first.players]


MODEL: Final = Model(
    file=Path(evaluation.__file__).with_name("evaluator.json"),
    read=lambda path: read_evaluator(json.loads(path.read_text(encoding="utf-8"))),
    document=_document,
    names=lambda _: [f"{part} {end}" for part in PARTS for end in (NEAR, FAR)],
    multiplied=_multiplied,
    predictor=_predictor,
    agent=lambda evaluator: ServiceAgent(effort="quick", evaluator=evaluator),
    random_agent=RandomAgent(),
    play=_play,
)
