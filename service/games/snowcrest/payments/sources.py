"""The four kinds of sources that pay: what a seat has of them, and how they are given up (C4).

Identical sources are interchangeable and counted, not told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service.core.frozen import replace
from service.core.violations import Violation, pointer
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card
from service.games.snowcrest.payments.resources import (
    ONE,
    Amounts,
    Building,
    Resource,
    amounts,
    plus,
)
from service.games.snowcrest.rules.actions import NO_PAYMENT, Payment
from service.games.snowcrest.rules.state import BuildingCount, Resident, Seat, State, unseen_deck


@dataclass(frozen=True, slots=True)
class Source:
    """Identical sources, counted.

    Attributes:
        part: which member of a payment it stands in.
        key: which resource, building, hand card or cell.
        icons: what each of them pays.
        most: how many there are at most.
        known: how many are there for certain; the others may be among the unknown hand cards.
    """

    part: int
    key: int
    icons: Amounts
    maximum: int
    known: int = 0


TOKENS, SPENT, HAND, CELLS = range(4)
CARDS: Final = (HAND, CELLS)


def possible_hand_cards(state: State, index: int) -> dict[Card, tuple[int, int]]:
    """Of each card that a seat may hold, how many it holds for certain and at most."""
    seat = state.seats[index]
    known = Counter(card for card in seat.hand if card != UNKNOWN)
    hidden = seat.unknown_count
    possible = unseen_deck(state, index) if hidden else Counter[Card]()
    return {
        card: (known[card], known[card] + min(hidden, possible[card]))
        for card in state.catalogue.deck
        if known[card] or possible[card]
    }


def payment_sources(state: State, index: int, acting_cell: int | None) -> tuple[Source, ...]:
    """All of a seat, but for the villager in the ``acting_cell`` cell, tokens and buildings first."""
    seat = state.seats[index]
    tokens = (
        Source(TOKENS, resource, ONE[resource], seat.tokens[resource], seat.tokens[resource])
        for resource in Resource
    )
    buildings = (
        Source(SPENT, kind, ONE[kind.yields], seat.buildings[kind].up, seat.buildings[kind].up)
        for kind in Building
    )
    cells = (
        Source(CELLS, cell, state.villager(resident.card).icons, 1, 1)
        for cell, resident in enumerate(seat.village)
        if resident is not None and not resident.exhausted and cell != acting_cell
    )
    hand = (
        Source(HAND, card, state.villager(card).icons, maximum, known)
        for card, (known, maximum) in possible_hand_cards(state, index).items()
    )
    return tuple(each for each in (*tokens, *buildings, *cells, *hand) if each.maximum)


def visible_resources(state: State, index: int, acting_cell: int | None) -> Amounts:
    """All that a seat's sources show together, unknown hand cards left out."""
    seat = state.seats[index]
    have = seat.tokens
    for kind in Building:
        have = plus(have, ONE[kind.yields], seat.buildings[kind].up)
    villagers = state.catalogue.villagers
    for cell, resident in enumerate(seat.village):
        if resident is not None and not resident.exhausted and cell != acting_cell:
            have = plus(have, villagers[resident.card].icons)
    for card in seat.hand:
        if card != UNKNOWN:
            have = plus(have, villagers[card].icons)
    return have


def build_payment(sources: tuple[Source, ...], used: Sequence[int]) -> Payment:
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
    """The resources that a payment's sources show."""
    seat = state.seats[index]
    have = payment.tokens
    for kind in Building:
        have = plus(have, ONE[kind.yields], payment.buildings[kind])
    for card in payment.hand:
        have = plus(have, state.villager(card).icons)
    for cell in payment.cells:
        resident = seat.village[cell]
        assert resident is not None, "only villagers are exhausted"
        have = plus(have, state.villager(resident.card).icons)
    return have


def source_violations(
    state: State, index: int, acting_cell: int | None, payment: Payment
) -> Iterator[Violation]:
    """What of the sources a seat does not have, or cannot use now."""
    seat = state.seats[index]
    for resource in Resource:
        if payment.tokens[resource] > seat.tokens[resource]:
            detail = f"{seat.player} has {seat.tokens[resource]} of {resource.label}."
            yield Violation(pointer("tokens", resource.label), "not-owned", detail, "C4")
    for kind in Building:
        up = seat.buildings[kind].up
        if payment.buildings[kind] > up:
            detail = f"{seat.player} has {up} of {kind.label} to spend."
            yield Violation(pointer("buildings", kind.label), "not-owned", detail, "C4")
    held = possible_hand_cards(state, index)
    told = Counter(payment.hand)
    unseen = sum(max(0, count - held.get(card, (0, 0))[0]) for card, count in told.items())
    for place, card in enumerate(payment.hand):
        if told[card] > held.get(card, (0, 0))[1] or unseen > seat.unknown_count:
            detail = f"{state.catalogue.id(card)} is not in the hand so many times."
            yield Violation(pointer("hand", place), "not-in-hand", detail, "C4")
    for place, cell in enumerate(payment.cells):
        resident = seat.village[cell]
        if resident is None or resident.exhausted:
            yield Violation(
                pointer("village", place), "not-face-up", "Nobody is face up there.", "C4"
            )
        elif cell == acting_cell:
            detail = "A villager who acts or has just come pays nothing."
            yield Violation(pointer("village", place), "busy", detail, "C4")


def payment_units(
    state: State, index: int, payment: Payment
) -> Iterator[tuple[str, object, Amounts]]:
    """Each source of a payment once: where it stands, and what it shows."""
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


# Giving up ------------------------------------------------------------------------------------


def apply_payment(state: State, index: int, payment: Payment) -> State:
    """The state once a seat has given that up; juniper goes beside the board (C8)."""
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
    for card in payment.hand:
        seat = seat.without_card(card).with_discard(card)
    for cell in payment.cells:
        seat = with_exhausted(seat, cell)
    return state.with_seat(index, seat)


def with_exhausted(seat: Seat, cell: int) -> Seat:
    """With the villager of a cell turned down."""
    resident = seat.village[cell]
    assert resident is not None, "only villagers are exhausted"
    return seat.with_resident(cell, Resident(resident.card, True))
