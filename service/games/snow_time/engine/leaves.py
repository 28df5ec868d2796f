"""Possible results of a player's moves, with their probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.mixed_cells import Mixtures

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Leaves:
    """Possible results of the moves of one player.

    Attributes:
        profiles: int64[k], one option of each seat, the last seat varying fastest.
        cells: int32[k], the final cards of all seats, numbered in the same way.
        chances: float64[k].
        moves: int64[k], the index of the move.
    """

    profiles: Ints
    cells: NDArray[np.int32]
    chances: Floats
    moves: Ints


def leaves_of(
    player: int,
    counts: Sequence[int],
    strategies: Floats,
    cells: NDArray[np.int32],
    mixtures: Mixtures,
) -> Leaves:
    """Return the results of all moves of a player against the others' strategies.

    Args:
        player: index of the player.
        counts: number of moves of each player.
        strategies: float64[sum of moves], of all players.
        cells: int32[profiles], the cell of each profile; ``-1 - k`` for the k-th mixture.
        mixtures: see ``MixedCells.concatenated``.
    """
    by_player = np.split(strategies, np.cumsum(counts)[:-1])
    by_player[player] = np.ones(counts[player])
    supports = [np.flatnonzero(own > 0.0) for own in by_player]
    numbers = np.ix_(*supports)
    profiles = np.ravel_multi_index(np.broadcast_arrays(*numbers), tuple(counts))
    chances = np.ones(())
    for own, support in zip(by_player, supports, strict=True):
        chances = chances[..., None] * own[support]
    moves = np.broadcast_to(numbers[player], profiles.shape)
    # Broadcast arrays are read-only; copies are not.
    numbered = profiles.flatten()
    leaves = Leaves(numbered, cells[numbered], chances.flatten(), moves.flatten())
    return _resolved(leaves, mixtures)


def _resolved(leaves: Leaves, mixtures: Mixtures) -> Leaves:
    """Replace each mixture of cells by its cells."""
    mixed = leaves.cells < 0
    if not mixed.any():
        return leaves
    starts, mixed_cells, mixed_chances = mixtures
    numbers = np.where(mixed, -1 - leaves.cells, 0)
    sizes = np.where(mixed, starts[numbers + 1] - starts[numbers], 1)
    leaf = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(leaf)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    place = np.where(mixed[leaf], starts[numbers[leaf]] + place, 0)
    return Leaves(
        leaves.profiles[leaf],
        np.where(mixed[leaf], mixed_cells[place], leaves.cells[leaf]).astype(np.int32),
        leaves.chances[leaf] * np.where(mixed[leaf], mixed_chances[place], 1.0),
        leaves.moves[leaf],
    )
