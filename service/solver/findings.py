"""What a search found out, before it is told to anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic

import numpy as np

from service.core.hint import Mixture
from service.core.play import Choice
from service.core.stage import Columns
from service.solver.games import Floats


@dataclass(frozen=True, slots=True)
class Findings(Generic[Choice]):
    """The asker's moves and everybody's strategies.

    Attributes:
        players: in the order of an outcome's columns.
        asker: the place of the asker among them.
        columns: of an outcome.
        weights: float64[width], the objective of the asker as a linear form of an outcome.
        moves: the asker's, in deck order.
        outcomes: float64[moves, width], of each against the others' strategies.
        own: float64[moves], the asker's strategy, or None to play what is best.
        others: the strategies of all other players.
        common: an outcome that is everybody's, whoever asks, or None if it is the asker's own.
        gap: see :class:`~service.core.hint.Search`, as the next ones.
        residual: how far quantal strategies are from the response to each other.
        method: the algorithm.
        depth: rounds looked ahead.
        settled: no choice behind the values was cut or guessed.
        complete: False if the deadline stopped the search.
        resolved: rounds resolved.
        left_out: the greatest share of what a move may come to that was not looked beyond.
    """

    players: Sequence[str]
    asker: int
    columns: Columns
    weights: Floats
    moves: Sequence[Mapping[str, Choice]]
    outcomes: Floats
    own: Floats | None
    others: Mapping[str, Mixture[Choice]]
    common: Floats | None
    gap: float | None
    residual: float | None
    method: str
    depth: int
    settled: bool
    complete: bool
    resolved: int
    left_out: float

    @property
    def values(self) -> Floats:
        """float64[moves]: what each is worth to the asker."""
        return valued(self.outcomes, self.weights)


WIN: Final = "win"
LEAD: Final = "lead"


def objective_weights(objective: str, columns: Columns, player: int, players: int) -> Floats:
    """float64[width]: a player's objective as a linear form of an outcome."""
    weights = np.zeros(columns.width, np.float64)
    if objective == WIN:
        weights[columns.shares.start + player] = 1.0
        return weights
    if objective == LEAD:
        weights[columns.gains] = -1.0 / (players - 1)
    weights[columns.gains.start + player] = 1.0
    return weights


def valued(outcomes: Floats, weights: Floats) -> Floats:
    """float64[...]: the objective of float64[..., width]; sums in a fixed order."""
    total: Floats = np.zeros(outcomes.shape[:-1])
    for column in np.flatnonzero(weights):
        total += weights[column] * outcomes[..., column]
    return total
