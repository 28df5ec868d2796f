"""Exact win shares at the end of the game, also with unknown hands (C11, C12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, reduce
from hashlib import blake2b
from itertools import product
from math import comb, prod
from operator import add
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from service.core.advice import UNKNOWN
from service.core.arrays import Floats, Ints
from service.core.turn_hints import Bounds
from service.games.snowcrest.catalogue.cards import Card, Catalogue
from service.games.snowcrest.engine.kernels.choices.endings import compare_seats, final_numbers
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.packing import Packing
from service.games.snowcrest.rules.payments.resources import NOTHING, plus

FINAL_DEALS: Final = 64
"""Deals of unknown hands at the end of the game, if there are too many to enumerate."""
_MAX_HANDS: Final = 5_000
"""Largest number of hands of one seat that are enumerated."""
_MAX_DEALS: Final = 1_000
"""Largest number of different deals of all unknown hands that are enumerated."""
_FEW_DEALS: Final = 100
"""Largest number of deals over which other players take the mean when they answer."""
_TIE_WEIGHT: Final = 1e-4
"""Weight of the standing without unknown cards, for positions with equal expected shares."""

Icons: TypeAlias = tuple[int, ...]
"""What cards show: amounts of resources, and the number of icons of any kind among the gold."""
Hidden: TypeAlias = tuple[tuple[Card, ...], int]
"""The unseen cards of a deck, and how many of them are in the hand."""


class FinalNumbers(NamedTuple):
    """What the final scores of positions depend on.

    Attributes:
        points: int64[positions, seats], without majorities.
        resources: float64[positions, seats, kinds], after the final conversion.
        hidden: of the seats of each position.
        ending: bool[positions], whether the supply has been empty.
    """

    points: Ints
    resources: Floats
    hidden: Sequence[tuple[Hidden, ...]]
    ending: NDArray[np.bool_]


class _Deals(NamedTuple):
    """What the unknown cards of all hands may show.

    Attributes:
        resources: int16[deals, seats, kinds].
        probabilities: float64[deals].
        exact: whether these are all deals, and not a sample.
    """

    resources: NDArray[np.int16]
    probabilities: Floats
    exact: bool


class FinalScores:
    """Scores packed positions in which the game is over, except for the cards of unknown hands.

    Args:
        packing: of the positions.
    """

    def __init__(self, packing: Packing) -> None:
        self._packing, self._catalogue = packing, packing.catalogue

    def numbers(self, positions: NDArray[np.int16]) -> FinalNumbers:
        """Return what the scores of positions, int16[positions, length], depend on."""
        seats = self._packing.players
        points = np.zeros((len(positions), seats), np.int64)
        resources = np.zeros((len(positions), seats, at.ICON_KINDS))
        final_numbers(positions, self._packing.cards, points, resources)
        hidden = [
            tuple(self._hidden(position, seat) for seat in range(seats)) for position in positions
        ]
        return FinalNumbers(points, resources, hidden, positions[:, at.ENDING] > 0)

    def _hidden(self, position: NDArray[np.int16], seat: int) -> Hidden:
        first, deck = self._packing.seat_at(seat), len(self._catalogue.deck)
        unknown = int(position[first + at.UNKNOWN_COUNT])
        if not unknown:
            return (), 0
        unseen = position[first + at.HAND + 2 * deck : first + at.HAND + 3 * deck]
        return _cards(unseen.tobytes()), unknown

    def shares(self, position: NDArray[np.int16], determinizations: int = FINAL_DEALS) -> Floats:
        """Return the win shares.

        Args:
            position: int16[length].
            determinizations: deals to sample if there are too many to enumerate.

        Returns:
            float64[deals, seats]; one row, the expectation, if all deals are enumerated.
        """
        shares, deals = self._in_deals(position, determinizations)
        if not deals.exact:
            return shares
        expected: Floats = (deals.probabilities[:, None] * shares).sum(axis=0, keepdims=True)
        return expected

    def bounds(self, position: NDArray[np.int16], seat: int) -> Bounds:
        """Return the smallest and the largest share of a seat over all deals of the unknown hands.

        The bounds are open if there are too many deals to enumerate.
        """
        shares, deals = self._in_deals(position, FINAL_DEALS)
        if not deals.exact:
            return UNKNOWN
        return float(shares[:, seat].min()), float(shares[:, seat].max())

    def _in_deals(
        self, position: NDArray[np.int16], determinizations: int
    ) -> tuple[Floats, _Deals]:
        """Return the win shares in each deal of the unknown hands, and the deals."""
        numbers = self.numbers(position[None])
        # In a solo game the cards in hand count nothing (C13).
        hidden = numbers.hidden[0] if self._packing.players > 1 else (((), 0),)
        deals = _deals(hidden, self._catalogue, determinizations)
        dealt = np.zeros(len(deals.probabilities), np.int64)
        return _compared(numbers, dealt, deals.resources)[0], deals

    def standings(self, numbers: FinalNumbers) -> Floats:
        """Return numbers that order final positions for each seat, float64[positions, seats].

        The share of the win comes first, expected over what a few unknown cards may show; then
        points more than the best other seat, then resources, without unknown cards.
        """
        every = np.arange(len(numbers.points))
        _, result = _compared(numbers, every, np.zeros(numbers.resources.shape))
        few = [place for place, each in enumerate(numbers.hidden) if _has_few_deals(each)]
        if not few or self._packing.players == 1:
            return result
        # So few deals are all enumerated.
        deals = [_deals(numbers.hidden[place], self._catalogue, FINAL_DEALS) for place in few]
        counts: Ints = np.array([len(each.probabilities) for each in deals])
        dealt = np.repeat(few, counts)
        hands = np.concatenate([each.resources for each in deals])
        shares, _ = _compared(numbers, dealt, hands)
        probabilities = np.concatenate([each.probabilities for each in deals])
        starts = counts.cumsum() - counts
        expected = np.add.reduceat(probabilities[:, None] * shares, starts, axis=0)
        result[few] = expected + _TIE_WEIGHT * result[few]
        return result


# A search asks again and again: most hands stay as they are.
@lru_cache(maxsize=1024)
def _cards(unseen: bytes) -> tuple[Card, ...]:
    """Return the cards of an int16 vector of their copies."""
    copies = enumerate(np.frombuffer(unseen, np.int16).tolist())
    return tuple(card for card, count in copies for _ in range(count))


def _has_few_deals(hidden: Sequence[Hidden]) -> bool:
    """Return whether there are unknown cards, and few deals of them."""
    deals = prod(comb(len(unseen), count) for unseen, count in hidden)
    return any(count for _, count in hidden) and deals <= _FEW_DEALS


def _compared(numbers: FinalNumbers, places: Ints, hands: NDArray[Any]) -> tuple[Floats, Floats]:
    """Return the shares of the win, and the ranks, float64[deals, seats].

    Args:
        numbers: of positions.
        places: the position of each deal.
        hands: [deals, seats, kinds], what the unknown cards show.
    """
    points, ending = numbers.points[places], numbers.ending[places]
    shares, ranks = np.zeros(points.shape), np.zeros(points.shape)
    compare_seats(points, numbers.resources[places] + hands, ending, shares, ranks)
    return shares, ranks


@lru_cache(maxsize=256)
def _deals(hidden: tuple[Hidden, ...], catalogue: Catalogue, determinizations: int) -> _Deals:
    """Return all deals of the unknown hands, or a sample that depends on nothing else."""
    by_seat = [_sums_of_hands(unseen, count, catalogue) for unseen, count in hidden]
    if all(by_seat) and prod(map(len, by_seat)) <= _MAX_DEALS:
        deals = list(product(*(sums.items() for sums in by_seat)))
        weights = np.array([float(prod(count for _, count in deal)) for deal in deals])
        resources = np.array([[icons for icons, _ in deal] for deal in deals], np.int16)
        return _Deals(resources, weights / weights.sum(), exact=True)
    digest = blake2b(repr(hidden).encode(), digest_size=8).digest()
    random = Random(int.from_bytes(digest))
    hands = [
        [sorted(unseen, key=lambda _: random.random())[:count] for unseen, count in hidden]
        for _ in range(determinizations)
    ]
    resources = np.array([[_icons(each, catalogue) for each in deal] for deal in hands], np.int16)
    return _Deals(resources, np.full(determinizations, 1.0 / determinizations), exact=False)


# Hands of other players stay the same in most positions of a search.
@lru_cache(maxsize=256)
def _sums_of_hands(unseen: tuple[Card, ...], count: int, catalogue: Catalogue) -> dict[Icons, int]:
    """Return what the unknown cards of a hand may show, with weights; nothing if too many."""
    if comb(len(unseen), count) > _MAX_HANDS:
        return {}
    sums: list[Counter[Icons]] = [Counter({_icons((), catalogue): 1})]
    sums += (Counter() for _ in range(count))
    for card in unseen:
        icons = _icons((card,), catalogue)
        for held in range(count, 0, -1):
            for total, ways in sums[held - 1].items():
                sums[held][tuple(map(add, total, icons))] += ways
    return sums[count]


def _icons(hand: Sequence[Card], catalogue: Catalogue) -> Icons:
    villagers = [catalogue.villagers[card] for card in hand]
    shown = reduce(plus, (villager.icons for villager in villagers), NOTHING)
    return *shown, sum(villager.any_icons for villager in villagers)
