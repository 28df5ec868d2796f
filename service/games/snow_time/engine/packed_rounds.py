"""Arrays of a round that depend only on hands and revealed moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import hand_classes
from service.games.snow_time.engine.packing import (
    CHAMPION,
    FINAL,
    HAND,
    LINE_WIDTH,
    MAX_FINAL_CARDS,
    Lines,
    Plans,
    Tree,
    hand_of,
    lines_of,
    plans_of,
)
from service.games.snow_time.rules.state import Seat, Track


@dataclass(frozen=True)
class PackedPlans:
    """Lines and plans as arrays.

    Attributes:
        lines: int64[seats, most, 5], padded, see :class:`Lines`.
        probabilities: float64[seats, most].
        counts: int64[seats], lines by seat.
        plans: int64[plans, own seats], a line for each own seat.
        labels: int64[plans], see :class:`Plans`.
        tree: plans by move and added card, see :class:`Plans`.
    """

    lines: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    counts: NDArray[np.int64]
    plans: NDArray[np.int64]
    labels: NDArray[np.int64]
    tree: Tree

    @property
    def hand_classes(self) -> NDArray[np.int64]:
        """int64[seats, most, 2], the class of the hand if the champion falls or returns."""
        hands, champions = self.lines[:, :, HAND], self.lines[:, :, CHAMPION]
        return hand_classes()[np.stack([hands, hands | champions], axis=2)]

    def own_finals(self, final_counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return int64[plans], the index of the asker's joint final card.

        Args:
            final_counts: int64[seats], number of final cards.
        """
        joint = np.zeros(len(self.plans), np.int64)
        for seat, lines in enumerate(self.plans.T):
            joint = joint * final_counts[seat] + self.lines[seat, lines, FINAL]
        return joint


@dataclass(frozen=True)
class PackedRound:
    """Lines and plans of a round, the asker's seats first.

    Attributes:
        lines: by seat.
        plans: of the asker.
        finals: int64[seats, 16], the final cards that each seat can show.
        final_counts: int64[seats], number of final cards.
        full: all lines and plans; used if positions after the round matter.
        merged: lines and plans with duplicates merged, as far as the round and the evaluator can
            distinguish them.
    """

    lines: tuple[Lines, ...]
    plans: Plans
    finals: NDArray[np.int64]
    final_counts: NDArray[np.int64]
    full: PackedPlans
    merged: PackedPlans


@lru_cache(maxsize=1024)
def uniform_round(hands: tuple[int, ...], own: int, track: Track) -> PackedRound:
    """Return the packed card decision in which all seats play uniformly; hands are bit sets.

    Give a track from ``packing.options_alone``, because it is a part of the key of the cache.
    """
    lines = tuple(lines_of(Seat("", "", 0, hand_of(hand)), None, None, track) for hand in hands)
    return pack_round(lines, own, "card")


def pack_round(lines: tuple[Lines, ...], own: int, decision: str) -> PackedRound:
    """Pack the lines of all seats from a decision on; the first ``own`` seats are the asker's."""
    finals = np.zeros((len(lines), MAX_FINAL_CARDS), np.int64)
    for place, of_seat in enumerate(lines):
        finals[place, : len(of_seat.finals)] = of_seat.finals
    plans = plans_of(lines[:own], decision)
    merged = np.stack(
        [lines[place].merged_line[plans.packed[:, place]] for place in range(own)], axis=1
    )
    distinct, first, inverse = np.unique(merged, axis=0, return_index=True, return_inverse=True)
    merged_plan = inverse.ravel()
    tree = tuple(
        tuple(tuple(dict.fromkeys(int(merged_plan[plan]) for plan in group)) for group in groups)
        for groups in plans.tree
    )
    return PackedRound(
        lines=lines,
        plans=plans,
        finals=finals,
        final_counts=np.array([len(of_seat.finals) for of_seat in lines], np.int64),
        full=_pack(
            [(of_seat.packed, of_seat.probabilities) for of_seat in lines],
            plans.packed,
            plans.labels,
            plans.tree,
        ),
        merged=_pack(
            [(of_seat.merged, of_seat.merged_probabilities) for of_seat in lines],
            np.ascontiguousarray(distinct),
            plans.labels[first],
            tree,
        ),
    )


def _pack(
    lines: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]],
    plans: NDArray[np.int64],
    labels: NDArray[np.int64],
    tree: Tree,
) -> PackedPlans:
    most = max(len(packed) for packed, _ in lines)
    stacked = np.zeros((len(lines), most, LINE_WIDTH), np.int64)
    probabilities = np.zeros((len(lines), most), np.float64)
    for place, (packed, chances) in enumerate(lines):
        stacked[place, : len(packed)] = packed
        probabilities[place, : len(packed)] = chances
    counts = np.array([len(packed) for packed, _ in lines], np.int64)
    return PackedPlans(stacked, probabilities, counts, plans, labels, tree)
