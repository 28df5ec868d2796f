"""Sources of payments: what a seat can give up, and how it does so (C4).

There are four kinds: tokens, buildings, hand cards and villagers.  Identical sources are
interchangeable and therefore counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from service.core.frozen import replace
from service.core.violations import Violation, pointer
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Catalogue
from service.games.snowcrest.rules.actions import NO_PAYMENT, Payment
from service.games.snowcrest.rules.payments.resources import (
    ONE,
    Amounts,
    Building,
    Resource,
    amounts,
    plus,
)
from service.games.snowcrest.rules.state import (
    BuildingCount,
    Resident,
    Seat,
    State,
    unseen_deck_of,
)


@dataclass(frozen=True, slots=True)
class Source:
    """A number of identical sources.

    Attributes:
        part: the member of a payment that it belongs to: tokens, buildings, hand or cells.
        key: resource, building, card or cell.
        icons: resources that each unit pays.
        maximum: largest possible number of units.
        known: number of units that exist for certain; the others may be unknown hand cards (C12).
    """

    part: int
    key: int
    icons: Amounts
    maximum: int
    known: int = 0


TOKENS, SPENT, HAND, CELLS = range(4)
CARDS: Final = (HAND, CELLS)


def possible_hand_cards(state: State, index: int) -> dict[Card, tuple[int, int]]:
    """Return the certain and the largest possible number of each card in a seat's hand."""
    return possible_cards_of(state.seats[index], state.catalogue)


def possible_cards_of(seat: Seat, catalogue: Catalogue) -> dict[Card, tuple[int, int]]:
    """Return the same as :func:`possible_hand_cards` for a seat and a catalogue."""
    known = Counter(card for card in seat.hand if card != UNKNOWN)
    hidden = seat.unknown_count
    possible = unseen_deck_of(seat, catalogue) if hidden else Counter[Card]()
    return {
        card: (known[card], known[card] + min(hidden, possible[card]))
        for card in catalogue.deck
        if known[card] or possible[card]
    }


def payment_sources(state: State, index: int, acting_cell: int | None) -> tuple[Source, ...]:
    """Return the sources of a seat, tokens and buildings first, without the acting villager."""
    return _sources_of(state.seats[index], state.catalogue, acting_cell)


# A search asks again and again: most seats stay as they are.
@lru_cache(maxsize=1024)
def _sources_of(seat: Seat, catalogue: Catalogue, acting_cell: int | None) -> tuple[Source, ...]:
    villagers = catalogue.villagers
    tokens = (
        Source(TOKENS, resource, ONE[resource], seat.tokens[resource], seat.tokens[resource])
        for resource in Resource
    )
    buildings = (
        Source(SPENT, kind, ONE[kind.yields], seat.buildings[kind].up, seat.buildings[kind].up)
        for kind in Building
    )
    cells = (
        Source(CELLS, cell, villagers[resident.card].icons, 1, 1)
        for cell, resident in enumerate(seat.village)
        if resident is not None and not resident.exhausted and cell != acting_cell
    )
    hand = (
        Source(HAND, card, villagers[card].icons, maximum, known)
        for card, (known, maximum) in possible_cards_of(seat, catalogue).items()
    )
    return tuple(each for each in (*tokens, *buildings, *cells, *hand) if each.maximum)


def visible_resources(state: State, index: int, acting_cell: int | None) -> Amounts:
    """Return the sum of a seat's sources, without unknown hand cards."""
    seat = state.seats[index]
    total = seat.tokens
    for kind in Building:
        total = plus(total, ONE[kind.yields], seat.buildings[kind].up)
    villagers = state.catalogue.villagers
    for cell, resident in enumerate(seat.village):
        if resident is not None and not resident.exhausted and cell != acting_cell:
            total = plus(total, villagers[resident.card].icons)
    for card in seat.hand:
        if card != UNKNOWN:
            total = plus(total, villagers[card].icons)
    return total


def build_payment(sources: tuple[Source, ...], used: Sequence[int]) -> Payment:
    """Return the payment with the given number of units of each source."""
    tokens, buildings = [0] * len(Resource), [0] * len(Building)
    hand: list[Card] = []
    cells: list[int] = []
    for source, count in zip(sources, used, strict=True):
        if source.part == TOKENS:
            tokens[source.key] = count
        elif source.part == SPENT:
            buildings[source.key] = count
        elif source.part == CELLS:
            cells += [source.key] * count
        else:
            hand += [source.key] * count
    farms, forges, temples = buildings
    return Payment(
        amounts(tokens), (farms, forges, temples), tuple(sorted(hand)), tuple(sorted(cells))
    )


def payment_value(state: State, index: int, payment: Payment) -> Amounts:
    """Return the resources that the sources of a payment show."""
    seat = state.seats[index]
    total = payment.tokens
    if any(payment.buildings):
        for kind in Building:
            total = plus(total, ONE[kind.yields], payment.buildings[kind])
    for card in payment.hand:
        total = plus(total, state.villager(card).icons)
    for cell in payment.cells:
        resident = seat.village[cell]
        assert resident is not None, "only villagers are exhausted"
        total = plus(total, state.villager(resident.card).icons)
    return total


def source_violations(
    state: State, index: int, acting_cell: int | None, payment: Payment
) -> Iterator[Violation]:
    """Yield a violation for each source that the seat does not have or cannot use now."""
    seat = state.seats[index]
    for resource in Resource:
        if payment.tokens[resource] > seat.tokens[resource]:
            detail = f"{seat.player} has only {seat.tokens[resource]} {resource.label}. Give fewer."
            yield Violation(pointer("tokens", resource.label), "not-owned", detail, "C4")
    for kind in Building:
        up = seat.buildings[kind].up
        if payment.buildings[kind] > up:
            detail = f"{seat.player} has only {up} face-up {kind.label}. Give fewer."
            yield Violation(pointer("buildings", kind.label), "not-owned", detail, "C4")
    hand = possible_hand_cards(state, index)
    counts = Counter(payment.hand)
    unseen = sum(max(0, count - hand.get(card, (0, 0))[0]) for card, count in counts.items())
    for place, card in enumerate(payment.hand):
        if counts[card] > hand.get(card, (0, 0))[1] or unseen > seat.unknown_count:
            detail = f"{state.catalogue.id(card)} is not in the hand that many times. Remove it."
            yield Violation(pointer("hand", place), "not-in-hand", detail, "C4")
    for place, cell in enumerate(payment.cells):
        resident = seat.village[cell]
        if resident is None or resident.exhausted:
            yield Violation(
                pointer("village", place),
                "not-face-up",
                "The cell has no face-up villager. Remove it.",
                "C4",
            )
        elif cell == acting_cell:
            detail = "A villager who acts or has just entered pays nothing. Remove the cell."
            yield Violation(pointer("village", place), "busy", detail, "C4")


def payment_units(
    state: State, index: int, payment: Payment
) -> Iterator[tuple[str, object, Amounts]]:
    """Yield one unit of each source of a payment: member, key and icons."""
    for resource in Resource:
        if payment.tokens[resource]:
            yield "tokens", resource.label, ONE[resource]
    for kind in Building:
        if payment.buildings[kind]:
            yield "buildings", kind.label, ONE[kind.yields]
    for place, card in enumerate(payment.hand):
        yield "hand", place, state.villager(card).icons
    for place, cell in enumerate(payment.cells):
        resident = state.seats[index].village[cell]
        assert resident is not None, "only villagers are exhausted"
        yield "village", place, state.villager(resident.card).icons


# Applying a payment ---------------------------------------------------------------------------


def apply_payment(state: State, index: int, payment: Payment) -> State:
    """Return the state after a seat has paid; paid juniper does not return to the forest (C8)."""
    if payment == NO_PAYMENT:
        return state
    seat = state.seats[index]
    farms, forges, temples = (
        BuildingCount(stock.up - count, stock.spent + count)
        for stock, count in zip(seat.buildings, payment.buildings, strict=True)
    )
    seat = replace(
        seat,
        tokens=plus(seat.tokens, payment.tokens, -1),
        buildings=(farms, forges, temples),
    )
    if payment.hand:
        hand = list(seat.hand)
        for card in payment.hand:
            hand.remove(card if card in hand else UNKNOWN)
        discards = tuple(sorted((*seat.discards, *payment.hand)))
        seat = replace(seat, hand=tuple(hand), discards=discards)
    for cell in payment.cells:
        seat = with_exhausted(seat, cell)
    return state.with_seat(index, seat)


def with_exhausted(seat: Seat, cell: int) -> Seat:
    """Return the seat with the villager of a cell exhausted."""
    resident = seat.village[cell]
    assert resident is not None, "only villagers are exhausted"
    return seat.with_resident(cell, Resident(resident.card, True))
