"""What pays for what: four kinds of sources, payments without a source too many, bids (C4, C6).

Identical sources are interchangeable and counted, not told apart.  Two things are left out of the
lists, and accepted all the same: a payment or bid with a gold token where a plain token that is
left would do as well is dominated by that; and where more than ``MOST_LISTED`` remain, those come
first that give up tokens and buildings rather than cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from service.core.faults import Fault, pointer
from service.games.snowcrest.catalogue import UNKNOWN, Card, Cost
from service.games.snowcrest.moves import NO_PAYMENT, Payment
from service.games.snowcrest.resources import (
    NOTHING,
    ONE,
    PLAIN,
    Amounts,
    Building,
    Resource,
    amounts,
    plus,
)
from service.games.snowcrest.state import Resident, Seat, State, Stock, pool

MOST_LISTED: Final = 400
MOST_STEPS: Final = 20_000
"""Of a search for payments: a table that is out of all proportion is answered in time too."""
_GOLD: Final = Resource.GOLD


def barley(count: int) -> Cost:
    """What a villager costs."""
    return Cost((count, 0, 0, 0, 0))


def covers(have: Amounts, cost: Cost) -> bool:
    """Whether these resources pay that, gold standing in for the others."""
    gold = have[_GOLD] - cost.plain[_GOLD]
    left = 0
    for resource in PLAIN:
        over = have[resource] - cost.plain[resource]
        if over < 0:
            gold += over
        else:
            left += over
    return gold >= 0 and left + gold >= cost.any


def bells(have: Amounts) -> int:
    """The size of a bid (C6)."""
    return have[Resource.BELL] + have[_GOLD]


# Sources --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Source:
    """Identical sources: what each of them pays, and how many there are.

    Attributes:
        part: which member of a payment it stands in.
        key: which resource, building, hand card or cell.
        known: how many are there for certain; the others may be among the unknown hand cards.
    """

    part: int
    key: int
    icons: Amounts
    most: int
    known: int = 0


_TOKENS, _BUILDINGS, _HAND, _CELLS = range(4)
_CARDS: Final = (_HAND, _CELLS)


def hand_cards(state: State, index: int) -> dict[Card, tuple[int, int]]:
    """Of each card that a seat may hold, how many it holds for certain and at most."""
    seat = state.seats[index]
    known = Counter(card for card in seat.hand if card != UNKNOWN)
    hidden = seat.unknown
    possible = pool(state, index) if hidden else Counter[Card]()
    return {
        card: (known[card], known[card] + min(hidden, possible[card]))
        for card in state.catalogue.deck
        if known[card] or possible[card]
    }


def _sources(state: State, index: int, idle: int | None) -> tuple[_Source, ...]:
    """All of a seat, but for the villager in the ``idle`` cell, tokens and buildings first."""
    seat = state.seats[index]
    tokens = (
        _Source(_TOKENS, resource, ONE[resource], seat.tokens[resource], seat.tokens[resource])
        for resource in Resource
    )
    buildings = (
        _Source(
            _BUILDINGS, kind, ONE[kind.yields], seat.buildings[kind].up, seat.buildings[kind].up
        )
        for kind in Building
    )
    cells = (
        _Source(_CELLS, cell, state.villager(resident.card).icons, 1, 1)
        for cell, resident in enumerate(seat.village)
        if resident is not None and not resident.exhausted and cell != idle
    )
    hand = (
        _Source(_HAND, card, state.villager(card).icons, most, known)
        for card, (known, most) in hand_cards(state, index).items()
    )
    return tuple(each for each in (*tokens, *buildings, *cells, *hand) if each.most)


def _payment(sources: tuple[_Source, ...], used: list[int]) -> Payment:
    tokens, buildings = [0] * len(Resource), [0] * len(Building)
    hand: list[Card] = []
    cells: list[int] = []
    for source, count in zip(sources, used, strict=True):
        if source.part == _TOKENS:
            tokens[source.key] = count
        elif source.part == _BUILDINGS:
            buildings[source.key] = count
        elif source.part == _CELLS:
            cells += [source.key] * count
        else:
            hand += [source.key] * count
    farms, forges, temples = buildings
    return Payment(
        amounts(tokens), (farms, forges, temples), tuple(sorted(hand)), tuple(sorted(cells))
    )


def worth(state: State, index: int, payment: Payment) -> Amounts:
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


# Payments -------------------------------------------------------------------------------------


def can_pay(state: State, index: int, cost: Cost, idle: int | None = None) -> bool:
    """Whether there is any payment; the villager in the ``idle`` cell pays nothing."""
    return next(_Search(state, index, cost, idle).enough(), None) is not None


def payments(state: State, index: int, cost: Cost, idle: int | None) -> tuple[Payment, ...]:
    """The undominated ways for a seat to pay."""
    search = _Search(state, index, cost, idle)
    return tuple(islice(search.undominated(), MOST_LISTED)) or tuple(search.some())


class _Search:
    """Counts of sources that pay a cost, found source by source.

    Tokens and buildings come first, then cards, those that show most before others: then what
    completes a payment is seldom one too many.
    """

    def __init__(self, state: State, index: int, cost: Cost, idle: int | None) -> None:
        wanted = {resource for resource in Resource if cost.plain[resource] or cost.any}
        wanted.add(_GOLD)
        fitting = {
            source: sum(source.icons[resource] for resource in wanted)
            for source in _sources(state, index, idle)
        }
        self.sources = tuple(
            sorted(
                (source for source, shown in fitting.items() if shown),
                key=lambda each: (each.part in _CARDS, each.part in _CARDS and -fitting[each]),
            )
        )
        self.cost, self.seat = cost, state.seats[index]
        self._rests = _rests(self.sources)
        self._steps = 0

    def undominated(self) -> Iterator[Payment]:
        """Payments without a source too many, and without gold where plain tokens would do."""
        for used, have in self._covering([0] * len(self.sources), 0, NOTHING, self.seat.unknown):
            if self._needed(used, have) and not self._golden(used, have):
                yield _payment(self.sources, used)
            if self._steps > MOST_STEPS:
                return

    def some(self) -> Iterator[Payment]:
        """One payment, if there is any: the first that is enough, less what can be left out."""
        for used, have in self.enough():
            for at, source in enumerate(self.sources):
                while used[at] and covers(plus(have, source.icons, -1), self.cost):
                    used[at] -= 1
                    have = plus(have, source.icons, -1)
            yield _payment(self.sources, used)
            return

    def enough(self) -> Iterator[tuple[list[int], Amounts]]:
        """Counts of sources, with what they show, that pay and perhaps more."""
        return self._covering([0] * len(self.sources), 0, NOTHING, self.seat.unknown)

    def _covering(
        self, used: list[int], at: int, have: Amounts, hidden: int
    ) -> Iterator[tuple[list[int], Amounts]]:
        self._steps += 1
        if covers(have, self.cost):
            yield used, have
            return
        certain, best = self._rests[at]
        if not covers(plus(plus(have, certain), best, hidden), self.cost):
            return
        source = self.sources[at]
        most = min(source.most, source.known + hidden)
        while most and covers(plus(have, source.icons, most - 1), self.cost):
            most -= 1
        for count in range(most, -1, -1):
            used[at] = count
            unseen = max(0, count - source.known)
            more = plus(have, source.icons, count)
            yield from self._covering(used, at + 1, more, hidden - unseen)
            if self._steps > MOST_STEPS:
                return
        used[at] = 0

    def _needed(self, used: list[int], have: Amounts) -> bool:
        """Whether no source could be left out (C4)."""
        return not any(
            count and covers(plus(have, source.icons, -1), self.cost)
            for source, count in zip(self.sources, used, strict=True)
        )

    def _golden(self, used: list[int], have: Amounts) -> bool:
        """Whether a plain token would do where one of gold is given."""
        spent = {
            source.key: count
            for source, count in zip(self.sources, used, strict=True)
            if source.part == _TOKENS
        }
        if not spent.get(_GOLD):
            return False
        without = plus(have, ONE[_GOLD], -1)
        return any(
            self.seat.tokens[resource] > spent.get(resource, 0)
            and covers(plus(without, ONE[resource]), self.cost)
            for resource in PLAIN
        )


def _rests(sources: tuple[_Source, ...]) -> list[tuple[Amounts, Amounts]]:
    """From each source on: what all known ones pay, and the most that an unknown card may."""
    rests = [(NOTHING, NOTHING)]
    for source in reversed(sources):
        certain, best = rests[-1]
        certain = plus(certain, source.icons, min(source.most, source.known))
        if source.known < source.most:
            best = amounts(map(max, best, source.icons))
        rests.append((certain, best))
    return rests[::-1]


# Bids (C6) ------------------------------------------------------------------------------------


def bids(state: State, index: int, idle: int | None) -> tuple[Payment, ...]:
    """What a seat may bid, that of nothing left out; the smallest first."""
    sources = tuple(source for source in _sources(state, index, idle) if bells(source.icons))
    certain, best = _rests(sources)[0]
    largest = bells(certain) + state.seats[index].unknown * bells(best)
    each = max(1, MOST_LISTED // max(1, largest))
    gold_last = sorted(sources, key=lambda source: source.icons == ONE[_GOLD] and not source.part)
    ordered = tuple(gold_last)
    return tuple(
        bid
        for size in range(1, largest + 1)
        for bid in islice(_of_size(ordered, size, state.seats[index]), each)
    )


def _of_size(sources: tuple[_Source, ...], size: int, seat: Seat) -> Iterator[Payment]:
    rests = [(bells(certain), bells(best)) for certain, best in _rests(sources)]
    used = [0] * len(sources)

    def search(at: int, due: int, left: int) -> Iterator[Payment]:
        if due == 0:
            bid = _payment(sources, used)
            spare = seat.tokens[Resource.BELL] - bid.tokens[Resource.BELL]
            if not (bid.tokens[_GOLD] and spare):
                yield bid
            return
        certain, best = rests[at]
        if at == len(sources) or due > certain + left * best:
            return
        source, each = sources[at], bells(sources[at].icons)
        most = min(source.most, source.known + left)
        for count in range(min(most, due // each), -1, -1):
            used[at] = count
            unseen = max(0, count - source.known)
            yield from search(at + 1, due - count * each, left - unseen)
        used[at] = 0

    yield from search(0, size, seat.unknown)


# What is wrong with one -----------------------------------------------------------------------


def payment_faults(
    state: State, index: int, cost: Cost, idle: int | None, payment: Payment
) -> Iterator[Fault]:
    """Why a seat cannot pay like that; paths are relative to the payment."""
    missing = tuple(source_faults(state, index, idle, payment))
    if missing:
        yield from missing
        return
    have = worth(state, index, payment)
    if not covers(have, cost):
        yield Fault("", "too-little", "This does not pay for it.", "C4")
        return
    for part, key, icons in _singles(state, index, payment):
        if covers(plus(have, icons, -1), cost):
            detail = "This could be left out, and so it is none of the payment."
            yield Fault(pointer(part, key), "could-be-left-out", detail, "C4")


def bid_faults(state: State, index: int, idle: int | None, bid: Payment) -> Iterator[Fault]:
    """Why a seat cannot bid that; the bid of nothing has no fault here."""
    missing = tuple(source_faults(state, index, idle, bid))
    if missing:
        yield from missing
        return
    for part, key, icons in _singles(state, index, bid):
        if not bells(icons):
            yield Fault(pointer(part, key), "no-bell", "This shows no bell and no gold.", "C6")


def source_faults(state: State, index: int, idle: int | None, payment: Payment) -> Iterator[Fault]:
    """What of the sources a seat does not have, or cannot use now."""
    seat = state.seats[index]
    for resource in Resource:
        if payment.tokens[resource] > seat.tokens[resource]:
            detail = f"{seat.player} has {seat.tokens[resource]} of {resource.label}."
            yield Fault(pointer("tokens", resource.label), "not-owned", detail, "C4")
    for kind in Building:
        up = seat.buildings[kind].up
        if payment.buildings[kind] > up:
            detail = f"{seat.player} has {up} of {kind.label} to spend."
            yield Fault(pointer("buildings", kind.label), "not-owned", detail, "C4")
    held = hand_cards(state, index)
    told = Counter(payment.hand)
    unseen = sum(max(0, count - held.get(card, (0, 0))[0]) for card, count in told.items())
    for place, card in enumerate(payment.hand):
        if told[card] > held.get(card, (0, 0))[1] or unseen > seat.unknown:
            detail = f"{state.catalogue.id(card)} is not in the hand so many times."
            yield Fault(pointer("hand", place), "not-in-hand", detail, "C4")
    for place, cell in enumerate(payment.cells):
        resident = seat.village[cell]
        if resident is None or resident.exhausted:
            yield Fault(pointer("village", place), "not-face-up", "Nobody is face up there.", "C4")
        elif cell == idle:
            detail = "A villager who acts or has just come pays nothing."
            yield Fault(pointer("village", place), "busy", detail, "C4")


def _singles(state: State, index: int, payment: Payment) -> Iterator[tuple[str, object, Amounts]]:
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


def paid(state: State, index: int, payment: Payment) -> State:
    """The state once a seat has given that up; juniper goes beside the board (C8)."""
    if payment == NO_PAYMENT:
        return state
    seat = state.seats[index]
    farms, forges, temples = (
        Stock(stock.up - count, stock.spent + count)
        for stock, count in zip(seat.buildings, payment.buildings, strict=True)
    )
    seat = replace(
        seat,
        tokens=plus(seat.tokens, payment.tokens, -1),
        buildings=(farms, forges, temples),
    )
    for card in payment.hand:
        seat = seat.without_card(card).discarding(card)
    for cell in payment.cells:
        seat = exhausted(seat, cell)
    return state.with_seat(index, seat)


def exhausted(seat: Seat, cell: int) -> Seat:
    """With the villager of a cell turned down."""
    resident = seat.village[cell]
    assert resident is not None, "only villagers are exhausted"
    return seat.with_resident(cell, Resident(resident.card, True))
