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
from service.games.snowcrest.payments.resources import NOTHING, Amounts, plus
from service.games.snowcrest.rules.scoring import BUILDING_POINTS, Score, scores, winners
from service.games.snowcrest.rules.state import (
    Phase,
    Seat,
    State,
    unseen_deck_of,
)

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


Hidden: TypeAlias = tuple[tuple[Card, ...], int]
"""The unseen cards of a deck, and how many of them are in the hand."""


def is_last_turn(state: State) -> bool:
    """Return whether the game is over after the turn of the seat in turn (C9)."""
    return state.phase is Phase.OVER or (state.ending and state.turn + 1 == len(state.seats))


def final_shares(state: State, determinizations: int) -> Floats:
    """Return the win shares of a game that is over, except for the cards of unknown hands.

    Args:
        state: the final position.
        determinizations: deals to sample if there are too many to enumerate.

    Returns:
        float64[deals, players]; one row, the expectation, if all deals are enumerated.
    """
    if state.solo:
        return np.array([[float(bool(winners(state)))]])
    return _final_shares(scores(state), _hidden_hands(state), state.catalogue, determinizations)


def final_bounds(state: State, seat: int) -> Bounds:
    """Return the smallest and the largest share of a seat over all deals of the unknown hands.

    The bounds are open if there are too many deals to enumerate.
    """
    if state.solo:
        [[share]] = final_shares(state, FINAL_DEALS).tolist()
        return share, share
    shares, deals = _in_deals(scores(state), _hidden_hands(state), state.catalogue, FINAL_DEALS)
    if not deals.exact:
        return UNKNOWN
    return float(shares[:, seat].min()), float(shares[:, seat].max())


def _hidden_hands(state: State) -> tuple[Hidden, ...]:
    return tuple(hidden_cards(seat, state.catalogue) for seat in state.seats)


def _final_shares(
    table: Sequence[Score], hidden: tuple[Hidden, ...], catalogue: Catalogue, determinizations: int
) -> Floats:
    shares, deals = _in_deals(table, hidden, catalogue, determinizations)
    if not deals.exact:
        return shares
    expected: Floats = (deals.probabilities[:, None] * shares).sum(axis=0, keepdims=True)
    return expected


def _in_deals(
    table: Sequence[Score], hidden: tuple[Hidden, ...], catalogue: Catalogue, determinizations: int
) -> tuple[Floats, _Deals]:
    """Return the win shares in each deal of the unknown hands, and the deals."""
    points = np.array([score.points - sum(score.majorities) for score in table])
    deals = _deals(hidden, catalogue, determinizations)
    resources: Ints = np.array([score.resources for score in table])
    return _shares(points, resources + deals.resources), deals


def standing(state: State, seat: int) -> float:
    """Return a number that orders positions of a last turn for a seat, best last.

    The share of the win comes first, then points more than the best other seat, then resources.
    Unknown cards count nothing.
    """
    return _standing(state, scores(state), seat)


def _standing(state: State, table: Sequence[Score], seat: int) -> float:
    own = table[seat].points
    margin = own - max((score.points for score in table if score is not table[seat]), default=0)
    winning = winners(state, table)
    share = (state.players[seat] in winning) / max(1, len(winning))
    return share + (margin + 0.001 * sum(table[seat].resources)) / _MAX_MARGIN


def standings(points: Ints, resources: Ints) -> Floats:
    """Return float64[positions, seats], the vectorized twin of :func:`standing`.

    Args:
        points: int64[positions, seats], see :func:`final_points`.
        resources: int64[positions, seats, kinds], after the final conversion.
    """
    shares, totals = _shares(points, resources), points + _majorities(resources)
    seats = np.arange(points.shape[1])
    others = np.where(seats[:, None] == seats, np.iinfo(np.int64).min, totals[:, None, :])
    margins = totals - others.max(axis=2)
    ordered: Floats = shares + (margins + 0.001 * resources.sum(axis=2)) / _MAX_MARGIN
    return ordered


def final_points(seat: Seat) -> int:
    """Return the points of a seat without majorities (C11)."""
    buildings = BUILDING_POINTS.get(seat.building_count, 0)
    return seat.scrolls + buildings + seat.omen - seat.omen_tokens


def expected_standing(state: State, seat: int) -> float:
    """Return :func:`standing` with the expected share over what a few unknown cards may show."""
    hidden = _hidden_hands(state)
    table = scores(state)
    own = _standing(state, table, seat)
    if state.solo or not _has_few_deals(hidden):
        return own
    share = float(_final_shares(table, hidden, state.catalogue, FINAL_DEALS).mean(axis=0)[seat])
    return share + _TIE_WEIGHT * own


# A search asks again and again: most seats stay as they are.
@lru_cache(maxsize=1024)
def hidden_cards(seat: Seat, catalogue: Catalogue) -> Hidden:
    """Return what the unknown cards of a hand can be."""
    if not seat.unknown_count:
        return (), 0
    return tuple(unseen_deck_of(seat, catalogue).elements()), seat.unknown_count


def expected_standings(
    points: Ints, resources: Ints, hidden: Sequence[tuple[Hidden, ...]], catalogue: Catalogue
) -> Floats:
    """Return float64[positions, seats], the vectorized twin of :func:`expected_standing`.

    Args:
        points: int64[positions, seats], see :func:`final_points`.
        resources: int64[positions, seats, kinds], after the final conversion.
        hidden: of the seats of each position, see :func:`hidden_cards`.
        catalogue: the cards.
    """
    result = standings(points, resources)
    few = [place for place, each in enumerate(hidden) if _has_few_deals(each)]
    if not few:
        return result
    # So few deals are all enumerated.
    deals = [_deals(hidden[place], catalogue, FINAL_DEALS) for place in few]
    counts: Ints = np.array([len(each.probabilities) for each in deals])
    dealt = np.repeat(few, counts)
    shares = _shares(points[dealt], resources[dealt] + np.concatenate([d.resources for d in deals]))
    probabilities = np.concatenate([each.probabilities for each in deals])
    starts = counts.cumsum() - counts
    expected = np.add.reduceat(probabilities[:, None] * shares, starts, axis=0)
    result[few] = expected + _TIE_WEIGHT * result[few]
    return result


def _has_few_deals(hidden: Sequence[Hidden]) -> bool:
    """Return whether there are unknown cards, and few deals of them."""
    deals = prod(comb(len(unseen), count) for unseen, count in hidden)
    return any(count for _, count in hidden) and deals <= _FEW_DEALS


def _shares(points: Ints, resources: Ints) -> Floats:
    """Return float64[deals, seats], the vectorized twin of ``scoring.winners``.

    Args:
        points: int64[seats] or int64[deals, seats], without majorities.
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
