"""The evaluator of Slopecrashers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import numpy as np

from research.evaluators.model import Model, Predictor
from research.league.slopecrashers.agents import RandomAgent, ServiceAgent
from research.league.slopecrashers.play import GAME, initial_state, play
from service.core.arrays import Floats
from service.games.slopecrashers.engine.evaluation import FILE, Evaluator, read
from service.games.slopecrashers.engine.kernels import estimation
from service.games.slopecrashers.engine.packing import make_board, pack_turn, race_of
from service.games.slopecrashers.rules.gifts import Gift
from service.games.slopecrashers.rules.state import State

NUMBERS: Final = ("missing", "stung", "order", "slope", "room", "hidden", "field")
DEEP: Final = "deep"
"""Factor of all values of gifts further down in a stack."""
NAMES: Final = (*NUMBERS, DEEP, *(gift.label for gift in Gift))
"""A gift's factor is for its value on top of a stack and further down."""
LARGEST_FIELD: Final = 0.95
"""A gift field must not save a whole movement, see ``packing.distances``."""


def _multiplied(evaluator: Evaluator, _: int, factors: Mapping[str, float]) -> Evaluator:
    numbers = {name: round(getattr(evaluator, name) * factors[name], 3) for name in NUMBERS}
    # The distances of a course are computed again for each value of a gift field.
    numbers["field"] = round(min(LARGEST_FIELD, numbers["field"]), 2)
    return replace(
        evaluator,
        **numbers,
        worth={gift: round(worth * factors[gift], 3) for gift, worth in evaluator.worth.items()},
        deep={
            gift: round(worth * factors[gift] * factors[DEEP], 3)
            for gift, worth in evaluator.deep.items()
        },
    )


def _predictor(evaluator: Evaluator, players: int) -> Predictor:
    def shares(state: State) -> Floats:
        board, out = make_board(state.course, state.deck), np.empty(players)
        vector = pack_turn(GAME.begin(state).play, board)
        estimation.shares(vector, race_of(board, evaluator), out)
        return out

    return shares


def _play(agents: Sequence[Any], seed: int, visit: Callable[[State], None]) -> Sequence[float]:
    first = initial_state(len(agents), seed)
    finished = play(first, dict(zip(first.players, agents, strict=True)), seed, visit)
    return list(finished.shares.values())


MODEL: Final = Model(
    file=FILE,
    read=read,
    document=asdict,
    names=lambda _: NAMES,
    multiplied=_multiplied,
    predictor=_predictor,
    agent=lambda evaluator: ServiceAgent("quick", evaluator),
    random_agent=RandomAgent(),
    play=_play,
)
