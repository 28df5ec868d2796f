"""Cheap payments and bids: a few of the possibly hundreds of legal ones.

The evaluator's model gives the price of each source.  Every payment is minimal and thus legal (C4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.games.snowcrest.catalogue.cards import Cost
from service.games.snowcrest.engine.evaluation import PhaseModel
from service.games.snowcrest.payments.bids import bell_count
from service.games.snowcrest.payments.payments import covers
from service.games.snowcrest.payments.resources import NOTHING, Amounts, Building, Resource, plus
from service.games.snowcrest.payments.sources import (
    CARDS,
    CELLS,
    HAND,
    SPENT,
    TOKENS,
    Source,
    build_payment,
    payment_sources,
)
from service.games.snowcrest.rules.actions import NO_PAYMENT, Payment
from service.games.snowcrest.rules.state import State

_GOLD: Final = Resource.GOLD


class Priced(NamedTuple):
    """A source with the price and the wanted icons of one unit."""

    source: Source
    price: float
    shows: int


def source_price(model: PhaseModel, state: State, index: int, source: Source) -> float:
    """Return the value that one unit of a source gives up."""
    if source.part == TOKENS:
        return model.token(Resource(source.key))
    if source.part == SPENT:
        return model.spending(Building(source.key))
    if source.part == CELLS:
        resident = state.seats[index].village[source.key]
        assert resident is not None, "only villagers are exhausted"
        return model.exhausting(resident.card)
    return model.discarding(source.key)


def payment_price(model: PhaseModel, state: State, index: int, payment: Payment) -> float:
    """Return the value that a payment gives up."""
    price = 0.0
    for resource in Resource:
        price += payment.tokens[resource] * model.token(resource)
    for kind in Building:
        price += payment.buildings[kind] * model.spending(kind)
    for card in payment.hand:
        price += model.discarding(card)
    for cell in payment.cells:
        resident = state.seats[index].village[cell]
        assert resident is not None, "only villagers are exhausted"
        price += model.exhausting(resident.card)
    return price


def cheap_payments(
    model: PhaseModel, state: State, index: int, cost: Cost, acting_cell: int | None, limit: int
) -> list[Payment]:
    """Return up to ``limit`` payments from a seat's known sources, cheapest first."""
    wanted = [resource for resource in Resource if cost.any or cost.plain[resource]]
    sources = _priced_sources(model, state, index, acting_cell, {*wanted, _GOLD})
    priced: dict[Payment, float] = {}
    for ordered in _orders(sources):
        payment = _fill(ordered, cost)
        if payment is None:
            break
        if payment not in priced:
            priced[payment] = payment_price(model, state, index, payment)
        if limit == 1:
            break
    return sorted(priced, key=lambda payment: priced[payment])[:limit]


def _priced_sources(
    model: PhaseModel, state: State, index: int, acting_cell: int | None, wanted: set[Resource]
) -> list[Priced]:
    """Return the known sources of a seat that show a wanted resource."""
    priced = []
    for source in payment_sources(state, index, acting_cell):
        shows = sum(source.icons[resource] for resource in wanted)
        if shows and source.known:
            priced.append(Priced(source, source_price(model, state, index, source), shows))
    return priced


def _orders(sources: Sequence[Priced]) -> Iterator[list[Priced]]:
    """Yield orders in which to use the sources, beginning with the cheapest per icon."""

    def unit_price(priced: Priced) -> float:
        return priced.price / priced.shows

    def is_card(priced: Priced) -> bool:
        return priced.source.part in CARDS

    yield sorted(sources, key=unit_price)
    yield sorted(sources, key=lambda one: (is_card(one), unit_price(one)))
    yield sorted(sources, key=lambda one: (one.source.part != HAND, unit_price(one)))
    yield sorted(sources, key=lambda one: (one.source.part != CELLS, unit_price(one)))
    yield sorted(sources, key=lambda one: (one.source.part == SPENT, unit_price(one)))
    yield sorted(sources, key=lambda one: (one.source.part == TOKENS, unit_price(one)))
    yield sorted(sources, key=lambda one: (-one.shows, one.price))


def _fill(ordered: Sequence[Priced], cost: Cost) -> Payment | None:
    """Return the payment that uses sources in order, without the superfluous ones."""
    used, total = [0] * len(ordered), NOTHING
    for item, (source, _, _) in enumerate(ordered):
        while used[item] < source.known and not covers(total, cost):
            if not _helps(total, source.icons, cost):
                break
            used[item] += 1
            total = plus(total, source.icons)
    if not covers(total, cost):
        return None
    for item in sorted(range(len(ordered)), key=lambda position: -ordered[position].price):
        while used[item] and covers(plus(total, ordered[item].source.icons, -1), cost):
            used[item] -= 1
            total = plus(total, ordered[item].source.icons, -1)
    return build_payment(tuple(priced.source for priced in ordered), used)


def _helps(total: Amounts, icons: Amounts, cost: Cost) -> bool:
    """Return whether one more unit of a source pays part of what is missing."""
    if cost.any or icons[_GOLD]:
        return True
    return any(icons[resource] and total[resource] < cost.plain[resource] for resource in Resource)


def cheap_bids(
    model: PhaseModel, state: State, index: int, acting_cell: int | None, limit: int
) -> list[Payment]:
    """Return bids of a seat from its known sources, one source larger each time, cheapest first."""
    priced_sources = _priced_sources(model, state, index, acting_cell, {Resource.BELL, _GOLD})
    ordered = sorted(priced_sources, key=lambda one: one.price / one.shows)
    sources = tuple(priced.source for priced in ordered)
    used = [0] * len(sources)
    offered: list[Payment] = []
    for item, source in enumerate(sources):
        for _ in range(min(source.known, limit - len(offered)) if bell_count(source.icons) else 0):
            used[item] += 1
            offered.append(build_payment(sources, used))
    return offered


def known_bid_size(state: State, index: int, bid: Payment) -> int:
    """Return the number of bells in a bid of known cards."""
    if bid == NO_PAYMENT:
        return 0
    villagers, seat = state.catalogue.villagers, state.seats[index]
    size = bell_count(bid.tokens) + bid.buildings[Building.FORGE]
    size += sum(bell_count(villagers[card].icons) for card in bid.hand)
    for cell in bid.cells:
        resident = seat.village[cell]
        assert resident is not None, "only villagers are exhausted"
        size += bell_count(villagers[resident.card].icons)
    return size
