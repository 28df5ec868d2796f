"""Exact win shares at the end of the game, also with unknown hands (C11, C12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import product
from math import comb, prod
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from service.core.advice import UNKNOWN
from service.core.arrays import Floats, Ints
from service.core.turn_hints import Bounds
from service.games.snowcrest.catalogue.cards import Card, Catalogue
from service.games.snowcrest.engine.kernels.choices.endings import WINNING_POINTS, final_numbers
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.packing import Packing
from service.games.snowcrest.rules.payments.resources import NOTHING, Amounts, plus

FINAL_DEALS: Final = 64
"""Deals of unknown hands at the end of the game, if there are too many to enumerate."""
_MAX_HANDS: Final = 5_000
"""Largest number of hands of one seat that are enumerated."""
_MAX_DEALS: Final = 1_000
"""Largest number of different deals of all unknown hands that are enumerated."""
_MAX_MARGIN: Final = 100.0
"""Bound of a difference in points, for an order that puts the share of the win first."""
_FEW_DEALS: Final = 100
"""Largest number of deals over which other players take the mean when they answer."""
_TIE_WEIGHT: Final = 1e-4
"""Weight of the standing without unknown cards, for positions with equal expected shares."""
_MAX_RESOURCES: Final = 100_000
"""Bound of the resources of a seat, for ranks that put points first."""

Hidden: TypeAlias = tuple[tuple[Card, ...], int]
"""The unseen cards of a deck, and how many of them are in the hand."""


class FinalNumbers(NamedTuple):
    """What the final scores of positions depend on.

    Attributes:
        points: int64[positions, seats], without majorities.
        resources: int64[positions, seats, kinds], after the final conversion.
        hidden: of the seats of each position.
        ending: bool[positions], whether the supply has been empty.
    """

    points: Ints
    resources: Ints
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
        resources = np.zeros((len(positions), seats, at.RESOURCES), np.int64)
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
        if self._packing.players == 1:
            return _won(numbers), _deals((((), 0),), self._catalogue, 1)
        deals = _deals(numbers.hidden[0], self._catalogue, determinizations)
        return _shares(numbers.points, numbers.resources + deals.resources), deals

    def standings(self, numbers: FinalNumbers) -> Floats:
        """Return numbers that order final positions for each seat, float64[positions, seats].

        The share of the win comes first, expected over what a few unknown cards may show; then
        points more than the best other seat, then resources, without unknown cards.
        """
        if self._packing.players == 1:
            return _won(numbers) + _margin(numbers.points, numbers.resources)
        result = _standings(numbers.points, numbers.resources)
        few = [place for place, each in enumerate(numbers.hidden) if _has_few_deals(each)]
        if not few:
            return result
        # So few deals are all enumerated.
        deals = [_deals(numbers.hidden[place], self._catalogue, FINAL_DEALS) for place in few]
        counts: Ints = np.array([len(each.probabilities) for each in deals])
        dealt = np.repeat(few, counts)
        hands = np.concatenate([each.resources for each in deals])
        shares = _shares(numbers.points[dealt], numbers.resources[dealt] + hands)
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


def _won(numbers: FinalNumbers) -> Floats:
    """Return float64[positions, 1], whether a solo game is won (C13)."""
    won: Floats = (numbers.ending[:, None] & (numbers.points >= WINNING_POINTS)).astype(float)
    return won


def _standings(points: Ints, resources: Ints) -> Floats:
    shares, totals = _shares(points, resources), points + _majorities(resources)
    seats = np.arange(points.shape[1])
    others = np.where(seats[:, None] == seats, np.iinfo(np.int64).min, totals[:, None, :])
    ordered: Floats = shares + _margin(totals - others.max(axis=2), resources)
    return ordered


def _margin(points: Ints, resources: Ints) -> Floats:
    margin: Floats = (points + 0.001 * resources.sum(axis=2)) / _MAX_MARGIN
    return margin


def _has_few_deals(hidden: Sequence[Hidden]) -> bool:
    """Return whether there are unknown cards, and few deals of them."""
    deals = prod(comb(len(unseen), count) for unseen, count in hidden)
    return any(count for _, count in hidden) and deals <= _FEW_DEALS


def _shares(points: Ints, resources: Ints) -> Floats:
    """Return float64[deals, seats], the vectorized twin of ``scoring.winners``.

    Args:
        points: int64[1 or deals, seats], without majorities.
        resources: int64[deals, seats, kinds], after the final conversion.
    """
    ranks = (points + _majorities(resources)) * _MAX_RESOURCES + resources.sum(axis=2)
    winning = ranks == ranks.max(axis=1, keepdims=True)
    shares: Floats = winning / winning.sum(axis=1, keepdims=True)
    return shares


def _majorities(resources: Ints) -> Ints:
    """Return int64[deals, seats], of how many kinds no seat has more."""
    most = resources.max(axis=1, keepdims=True)
    count: Ints = ((resources == most) & (resources > 0)).sum(axis=2)
    return count


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
    resources = np.array(
        [
            [_icons(_shuffled(unseen, random)[:count], catalogue) for unseen, count in hidden]
            for _ in range(determinizations)
        ],
        np.int16,
    )
    return _Deals(resources, np.full(determinizations, 1.0 / determinizations), exact=False)


# Hands of other players stay the same in most positions of a search.
@lru_cache(maxsize=256)
def _sums_of_hands(
    unseen: tuple[Card, ...], count: int, catalogue: Catalogue
) -> dict[Amounts, int]:
    """Return what the unknown cards of a hand may show, with weights; nothing if too many."""
    if comb(len(unseen), count) > _MAX_HANDS:
        return {}
    sums: list[Counter[Amounts]] = [Counter({NOTHING: 1}), *(Counter() for _ in range(count))]
    for card in unseen:
        icons = catalogue.villagers[card].icons
        for held in range(count, 0, -1):
            for total, ways in sums[held - 1].items():
                sums[held][plus(total, icons)] += ways
    return sums[count]


def _icons(hand: tuple[Card, ...], catalogue: Catalogue) -> Amounts:
    total = NOTHING
    for card in hand:
        total = plus(total, catalogue.villagers[card].icons)
    return total


def _shuffled(cards: tuple[Card, ...], random: Random) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda _: random.random()))
