"""The values of a player's moves against each single reply of another player."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.core.arrays import Floats


def reply_values(
    payoffs: Floats, counts: Sequence[int], strategies: Sequence[Floats], player: int
) -> Floats:
    """Return the value of each move of a player if another player makes a certain move.

    All others play their strategies; so the mean over the moves of any one player is the value of
    the move.

    Args:
        payoffs: float64[profiles], of the player.
        counts: number of moves of each player.
        strategies: by player, float64[moves].
        player: whose moves.

    Returns:
        float64[moves, sum of counts]; the columns of the player itself are 0.
    """
    table = payoffs.reshape(counts)
    result = np.zeros((counts[player], sum(counts)))
    ends = np.cumsum(counts)
    for other, end in enumerate(ends):
        if other == player:
            continue
        mean = table
        for axis in reversed(range(len(counts))):
            if axis not in (player, other):
                mean = np.tensordot(mean, strategies[axis], (axis, 0))
        result[:, end - counts[other] : end] = mean if player < other else mean.T
    return result
