"""What pays for what: payments without a source too many (C4).

Two things are left out of the lists, and accepted all the same: a payment with a gold token where
a plain token that is left would do as well is dominated by that; and where more than
``MAX_LISTED`` remain, those come first that give up tokens and buildings rather than cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from service.core.violations import Violation, pointer
from service.games.snowcrest.catalogue.cards import Cost
from service.games.snowcrest.payments.resources import NOTHING, ONE, PLAIN, Amounts, Resource, plus
from service.games.snowcrest.payments.sources import (
    CARDS,
    TOKENS,
    Source,
    build_payment,
    payment_sources,
    payment_units,
    payment_value,
    source_violations,
    visible_resources,
)
from service.games.snowcrest.rules.actions import Payment
from service.games.snowcrest.rules.state import State

MAX_LISTED: Final = 400
MAX_SEARCH_STEPS: Final = 20_000
"""Of a search for payments: a table that is out of all proportion is answered in time too."""
_GOLD: Final = Resource.GOLD


def barley_cost(count: int) -> Cost:
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


def _missing(have: Amounts, cost: Cost) -> int:
    """How many resources at least are missing to a cost; 0 if it can be paid."""
    gold = have[_GOLD] - cost.plain[_GOLD]
    over = [have[resource] - cost.plain[resource] for resource in PLAIN]
    short = -sum(left for left in over if left < 0)
    spare = sum(left for left in over if left > 0)
    if gold < 0:
        return -gold + short + max(0, cost.any - spare)
    return max(0, short - gold) + max(0, cost.any - spare - max(0, gold - short))


# Payments -------------------------------------------------------------------------------------


def can_pay(state: State, index: int, cost: Cost, acting_cell: int | None = None) -> bool:
    """Whether there is any payment; the villager in the ``acting_cell`` cell pays nothing."""
    have = visible_resources(state, index, acting_cell)
    if covers(have, cost):
        return True
    if not state.seats[index].unknown_count:
        return False  # All that is there together is not enough.
    return next(_Search(state, index, cost, acting_cell).enough(), None) is not None


def list_payments(
    state: State, index: int, cost: Cost, acting_cell: int | None
) -> tuple[Payment, ...]:
    """The undominated ways for a seat to pay."""
    search = _Search(state, index, cost, acting_cell)
    return tuple(islice(search.undominated(), MAX_LISTED)) or tuple(search.some())


class _Search:
    """Counts of sources that pay a cost, found source by source.

    Tokens and buildings come first, then cards, those that show most before others: then what
    completes a payment is seldom one too many.
    """

    def __init__(self, state: State, index: int, cost: Cost, acting_cell: int | None) -> None:
        wanted = {resource for resource in Resource if cost.plain[resource] or cost.any}
        wanted.add(_GOLD)
        fitting = {
            source: sum(source.icons[resource] for resource in wanted)
            for source in payment_sources(state, index, acting_cell)
        }
        self.sources = tuple(
            sorted(
                (source for source, shown in fitting.items() if shown),
                key=lambda each: (each.part in CARDS, each.part in CARDS and -fitting[each]),
            )
        )
        self.cost, self.seat = cost, state.seats[index]
        self._remaining_from = self._remaining(fitting)
        self._steps = 0

    def undominated(self) -> Iterator[Payment]:
        """Payments without a source too many, and without gold where plain tokens would do."""
        for used, have in self._covering(
            [0] * len(self.sources), 0, NOTHING, self.seat.unknown_count
        ):
            if self._is_minimal(used, have) and not self._wastes_gold(used, have):
                yield build_payment(self.sources, used)
            if self._steps > MAX_SEARCH_STEPS:
                return

    def some(self) -> Iterator[Payment]:
        """One payment, if there is any: the first that is enough, less what can be left out."""
        for used, have in self.enough():
            for at, source in enumerate(self.sources):
                while used[at] and covers(plus(have, source.icons, -1), self.cost):
                    used[at] -= 1
                    have = plus(have, source.icons, -1)
            yield build_payment(self.sources, used)
            return

    def enough(self) -> Iterator[tuple[list[int], Amounts]]:
        """Counts of sources, with what they show, that pay and perhaps more."""
        return self._covering([0] * len(self.sources), 0, NOTHING, self.seat.unknown_count)

    def _covering(
        self, used: list[int], at: int, have: Amounts, hidden: int
    ) -> Iterator[tuple[list[int], Amounts]]:
        self._steps += 1
        if covers(have, self.cost):
            yield used, have
            return
        certain, most_units = self._remaining_from[at]
        if _missing(plus(have, certain), self.cost) > hidden * most_units:
            return
        source = self.sources[at]
        maximum = min(source.maximum, source.known + hidden)
        while maximum and covers(plus(have, source.icons, maximum - 1), self.cost):
            maximum -= 1
        for count in range(maximum, -1, -1):
            used[at] = count
            unseen = max(0, count - source.known)
            more = plus(have, source.icons, count)
            yield from self._covering(used, at + 1, more, hidden - unseen)
            if self._steps > MAX_SEARCH_STEPS:
                return
        used[at] = 0

    def _remaining(self, fitting: dict[Source, int]) -> list[tuple[Amounts, int]]:
        """From each source on: what all known ones show, and the most that an unknown card may."""
        rests = [(NOTHING, 0)]
        for source in reversed(self.sources):
            certain, most_units = rests[-1]
            certain = plus(certain, source.icons, min(source.maximum, source.known))
            if source.known < source.maximum:
                most_units = max(most_units, fitting[source])
            rests.append((certain, most_units))
        return rests[::-1]

    def _is_minimal(self, used: list[int], have: Amounts) -> bool:
        """Whether no source could be left out (C4)."""
        return not any(
            count and covers(plus(have, source.icons, -1), self.cost)
            for source, count in zip(self.sources, used, strict=True)
        )

    def _wastes_gold(self, used: list[int], have: Amounts) -> bool:
        """Whether a plain token would do where one of gold is given."""
        spent = {
            source.key: count
            for source, count in zip(self.sources, used, strict=True)
            if source.part == TOKENS
        }
        if not spent.get(_GOLD):
            return False
        without = plus(have, ONE[_GOLD], -1)
        return any(
            self.seat.tokens[resource] > spent.get(resource, 0)
            and covers(plus(without, ONE[resource]), self.cost)
            for resource in PLAIN
        )


def payment_violations(
    state: State, index: int, cost: Cost, acting_cell: int | None, payment: Payment
) -> Iterator[Violation]:
    """Why a seat cannot pay like that; paths are relative to the payment."""
    missing = tuple(source_violations(state, index, acting_cell, payment))
    if missing:
        yield from missing
        return
    have = payment_value(state, index, payment)
    if not covers(have, cost):
        yield Violation("", "too-little", "This does not pay for it.", "C4")
        return
    for part, key, icons in payment_units(state, index, payment):
        if covers(plus(have, icons, -1), cost):
            detail = "This could be left out, and so it is none of the payment."
            yield Violation(pointer(part, key), "could-be-left-out", detail, "C4")
