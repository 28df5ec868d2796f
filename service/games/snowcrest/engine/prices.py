"""Payments by what they give up: the few that are worth thinking about, of hundreds.

What each source is worth, the evaluator's judge tells; whatever cannot be left out of a payment
found so is legal (C4).
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
    """A source and what one of it is worth."""

    source: Source
    price: float
    shows: int


def source_price(model: PhaseModel, state: State, index: int, source: Source) -> float:
    """What is given up with one of a source."""
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
    """What is given up with a payment."""
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
    """Some payments of a seat with the cards that it is known to have, the cheapest first."""
    wanted = [resource for resource in Resource if cost.any or cost.plain[resource]]
    found = _priced_sources(model, state, index, acting_cell, {*wanted, _GOLD})
    priced: dict[Payment, float] = {}
    for ordered in _orders(found):
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
    """The sources of a seat that show what is wanted, unknown cards left out."""
    found = []
    for source in payment_sources(state, index, acting_cell):
        shows = sum(source.icons[resource] for resource in wanted)
        if shows and source.known:
            found.append(Priced(source, source_price(model, state, index, source), shows))
    return found


def _orders(found: Sequence[Priced]) -> Iterator[list[Priced]]:
    """In which orders sources are taken: for a start the cheapest by what they show."""

    def each(priced: Priced) -> float:
        return priced.price / priced.shows

    def is_card(priced: Priced) -> bool:
        return priced.source.part in CARDS

    yield sorted(found, key=each)
    yield sorted(found, key=lambda one: (is_card(one), each(one)))
    yield sorted(found, key=lambda one: (one.source.part != HAND, each(one)))
    yield sorted(found, key=lambda one: (one.source.part != CELLS, each(one)))
    yield sorted(found, key=lambda one: (one.source.part == SPENT, each(one)))
    yield sorted(found, key=lambda one: (one.source.part == TOKENS, each(one)))
    yield sorted(found, key=lambda one: (-one.shows, one.price))


def _fill(ordered: Sequence[Priced], cost: Cost) -> Payment | None:
    """Sources in order until they are enough, less those that could be left out."""
    used, total = [0] * len(ordered), NOTHING
    for place, (source, _, _) in enumerate(ordered):
        while used[place] < source.known and not covers(total, cost):
            if not _helps(total, source.icons, cost):
                break
            used[place] += 1
            total = plus(total, source.icons)
    if not covers(total, cost):
        return None
    for place in sorted(range(len(ordered)), key=lambda position: -ordered[position].price):
        while used[place] and covers(plus(total, ordered[place].source.icons, -1), cost):
            used[place] -= 1
            total = plus(total, ordered[place].source.icons, -1)
    return build_payment(tuple(priced.source for priced in ordered), used)


def _helps(total: Amounts, icons: Amounts, cost: Cost) -> bool:
    """Whether one more of a source pays anything of what is still missing."""
    if cost.any or icons[_GOLD]:
        return True
    return any(icons[resource] and total[resource] < cost.plain[resource] for resource in Resource)


def cheap_bids(
    model: PhaseModel, state: State, index: int, acting_cell: int | None, limit: int
) -> list[Payment]:
    """So many bids of a seat with what it is known to have, from small to large, none left out."""
    found = _priced_sources(model, state, index, acting_cell, {Resource.BELL, _GOLD})
    ordered = sorted(found, key=lambda one: one.price / one.shows)
    sources = tuple(priced.source for priced in ordered)
    used = [0] * len(sources)
    offered: list[Payment] = []
    for place, source in enumerate(sources):
        for _ in range(min(source.known, limit - len(offered)) if bell_count(source.icons) else 0):
            used[place] += 1
            offered.append(build_payment(sources, used))
    return offered


def known_bid_size(state: State, index: int, bid: Payment) -> int:
    """How many bells a bid of cards that are known comes to."""
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
