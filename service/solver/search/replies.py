"""The values of a player's moves against each single reply of another player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from service.core.arrays import Floats, Ints
from service.core.game import Choice
from service.core.hints import Position
from service.core.simultaneous import RoundGame


def shown_groups(
    game: RoundGame[Position, Choice], moves: Sequence[Mapping[str, Choice]]
) -> tuple[int, Ints]:
    """Group moves by what the others see when they are revealed.

    Returns:
        The number of groups, and int64[moves], the group of each move. Positions that differ only
        in the order of their moves have the same groups.
    """
    shown = [game.shown(move) for move in moves]
    places = {each: place for place, each in enumerate(sorted(set(shown)))}
    return len(places), np.array([places[each] for each in shown], np.int64)


def reply_values(
    payoffs: Floats,
    groups: Sequence[tuple[int, Ints]],
    strategies: Sequence[Floats],
    player: int,
) -> Floats:
    """Return the value of each move of a player if another player shows a certain reply.

    All others play their strategies; so the mean over the replies of any one player is the value
    of the move.

    Args:
        payoffs: float64[profiles], of the player.
        groups: by player, see :func:`shown_groups`; the moves of a group are one reply.
        strategies: by player, float64[moves].
        player: whose moves.

    Returns:
        float64[moves, groups of all other players]; a reply that is never made has the mean of its
        moves.
    """
    counts = [len(own) for own in strategies]
    table = payoffs.reshape(counts)
    columns = [np.zeros((counts[player], 0))]
    for other, (count, group) in enumerate(groups):
        if other == player:
            continue
        mean = table
        for axis in reversed(range(len(counts))):
            if axis not in (player, other):
                mean = np.tensordot(mean, strategies[axis], (axis, 0))
        members = (group == np.arange(count)[:, None]).astype(np.float64)
        weights = members * strategies[other]
        never = weights.sum(axis=1) == 0.0
        weights[never] = members[never]
        weights /= weights.sum(axis=1, keepdims=True)
        columns.append((mean if player < other else mean.T) @ weights.T)
    return np.concatenate(columns, axis=1)
