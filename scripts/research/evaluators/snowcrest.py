"""The evaluator of Snowcrest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from research.evaluators.model import Model, Predictor
from research.league.snowcrest.agents import RandomAgent, ServiceAgent
from research.league.snowcrest.play import initial_state, play
from service.core.arrays import Floats
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.engine.evaluation import (
    EVALUATOR_FILE,
    Evaluator,
    load_evaluator,
    models_of,
)
from service.games.snowcrest.engine.features import FEATURES
from service.games.snowcrest.engine.kernels.choices import estimation
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import Phase, State
from service.games.snowcrest.rules.turn import Turn


def to_document(evaluator: Evaluator) -> dict[str, Any]:
    """Return the document of an evaluator, see :func:`evaluation.from_document`."""

    def weights(sets: Sequence[Sequence[float]]) -> dict[str, list[float]]:
        columns = zip(*sets, strict=True)
        return {
            name: [round(number, 4) for number in column]
            for name, column in zip(FEATURES, columns, strict=True)
            if any(round(number, 4) for number in column)
        }

    return {
        "version": evaluator.version,
        "slopes": [round(slope, 4) for slope in evaluator.slopes],
        "calibration": {str(players): list(own) for players, own in evaluator.calibration.items()},
        "several": weights(evaluator.several),
        "solo": weights(evaluator.solo),
    }


def _multiplied(evaluator: Evaluator, players: int, factors: Mapping[str, float]) -> Evaluator:
    columns = [factors[feature] for feature in FEATURES]
    before = evaluator.solo if players == 1 else evaluator.several
    after = tuple(map(tuple, (np.array(before) * columns).round(4).tolist()))
    if players == 1:
        return replace(evaluator, solo=after)
    return replace(evaluator, several=after)


def _predictor(evaluator: Evaluator, players: int) -> Predictor:
    packing = packing_of(DEFAULT_CATALOGUE, players)
    models = models_of(evaluator, DEFAULT_CATALOGUE, players)
    memos = np.zeros((players, estimation.memo_size(packing.cards)))

    def shares(state: State) -> Floats:
        vector, out = packing.pack(Turn(state)), np.zeros(players)
        memos[:, estimation.MEMO_PHASE] = -1.0
        following = estimation.next_turn(vector)
        estimation.shares(vector, packing.cards, models, following, memos, out)
        return out

    return shares


def _play(agents: Sequence[Any], seed: int, visit: Callable[[State], None]) -> Sequence[float]:
    def visit_turn(state: State) -> None:
        if state.phase is Phase.TURNS:
            visit(state)

    first = initial_state(len(agents), seed, difficulty=1 + seed % len(DIFFICULTIES))
    finished = play(first, dict(zip(first.players, agents, strict=True)), seed, visit_turn)
    return list(finished.shares.values())


MODEL: Final = Model(
    file=EVALUATOR_FILE,
    read=load_evaluator,
    document=to_document,
    names=lambda _: FEATURES,
    multiplied=_multiplied,
    predictor=_predictor,
    agent=lambda evaluator: ServiceAgent("quick", evaluator),
    random_agent=RandomAgent(),
    play=_play,
)
