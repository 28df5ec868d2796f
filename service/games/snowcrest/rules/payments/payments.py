"""Minimal payments of a cost (C4).

A payment is legal if no source in it could be left out, so no legal payment dominates another one.
Of more than ``MAX_LISTED`` payments, those that give up tokens and buildings rather than cards are
listed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from service.core.violations import Violation, pointer
from service.games.snowcrest.catalogue.cards import Cost
from service.games.snowcrest.rules.actions import Payment
from service.games.snowcrest.rules.payments.resources import NOTHING, PLAIN, Amounts, Resource, plus
from service.games.snowcrest.rules.payments.sources import (
    CARDS,
    Source,
    build_payment,
    payment_sources,
    payment_units,
    payment_value,
    source_violations,
    visible_resources,
)
from service.games.snowcrest.rules.state import State

MAX_LISTED: Final = 200
"""A hint takes about 3 ms for each choice of a list, whatever its effort."""
MAX_SEARCH_STEPS: Final = 5_000
"""Step limit of a search for payments, about 80 ms; it bounds the response time for extreme
positions.  Searches in games with the default catalogue need at most about 700 steps."""
_GOLD: Final = Resource.GOLD


def barley_cost(count: int) -> Cost:
    """Return the cost of playing a villager."""
    return Cost((count, 0, 0, 0, 0))


def covers(total: Amounts, cost: Cost) -> bool:
    """Return whether an amount pays a cost, with gold in place of other resources."""
    gold = total[_GOLD] - cost.plain[_GOLD]
    left = 0
    for resource in PLAIN:
        over = total[resource] - cost.plain[resource]
        if over < 0:
            gold += over
        else:
            left += over
    return gold >= 0 and left + gold >= cost.any


def _missing(total: Amounts, cost: Cost) -> int:
    """Return how many resources an amount lacks at least to pay a cost; 0 if it is enough."""
    gold = total[_GOLD] - cost.plain[_GOLD]
    over = [total[resource] - cost.plain[resource] for resource in PLAIN]
    short = -sum(left for left in over if left < 0)
    spare = sum(left for left in over if left > 0)
    if gold < 0:
        return -gold + short + max(0, cost.any - spare)
    return max(0, short - gold) + max(0, cost.any - spare - max(0, gold - short))


# Payments -------------------------------------------------------------------------------------


def can_pay(state: State, index: int, cost: Cost, acting_cell: int | None = None) -> bool:
    """Return whether a seat has any payment; the villager in ``acting_cell`` pays nothing."""
    total = visible_resources(state, index, acting_cell)
    if covers(total, cost):
        return True
    if not state.seats[index].unknown_count:
        return False  # All sources together are not enough.
    return next(_Search(state, index, cost, acting_cell).covering(), None) is not None


class Listing(NamedTuple):
    """Legal payments or bids.

    Attributes:
        payments: those that are listed.
        truncated: whether others were left out.
    """

    payments: tuple[Payment, ...]
    truncated: bool


def list_payments(state: State, index: int, cost: Cost, acting_cell: int | None) -> Listing:
    """Return the legal payments of a seat, at most :data:`MAX_LISTED`.

    Args:
        index: of the seat.
        cost: to pay.
        acting_cell: of the villager who acts, which pays nothing (C4), or None.
    """
    search = _Search(state, index, cost, acting_cell)
    found = tuple(islice(search.minimal(), MAX_LISTED + 1))
    truncated = len(found) > MAX_LISTED or search.stopped
    return Listing(found[:MAX_LISTED] or tuple(search.any_payment()), truncated)


class _Search:
    """Depth-first search for counts of sources that pay a cost.

    Tokens and buildings come first, then cards, those with most fitting icons first.  In this order
    the search rarely completes a payment with a superfluous source.
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

    @property
    def stopped(self) -> bool:
        """Whether the step limit has stopped the search."""
        return self._steps > MAX_SEARCH_STEPS

    def minimal(self) -> Iterator[Payment]:
        """Yield the payments in which no source could be left out."""
        for used, total in self._covering(
            [0] * len(self.sources), 0, NOTHING, self.seat.unknown_count
        ):
            if self._is_minimal(used, total):
                yield build_payment(self.sources, used)
            if self.stopped:
                return

    def any_payment(self) -> Iterator[Payment]:
        """Yield one minimal payment, if there is any."""
        for used, total in self.covering():
            for position, source in enumerate(self.sources):
                while used[position] and covers(plus(total, source.icons, -1), self.cost):
                    used[position] -= 1
                    total = plus(total, source.icons, -1)
            yield build_payment(self.sources, used)
            return

    def covering(self) -> Iterator[tuple[list[int], Amounts]]:
        """Yield counts of sources that cover the cost, with or without surplus, and their sum."""
        return self._covering([0] * len(self.sources), 0, NOTHING, self.seat.unknown_count)

    def _covering(
        self, used: list[int], position: int, total: Amounts, hidden: int
    ) -> Iterator[tuple[list[int], Amounts]]:
        self._steps += 1
        if covers(total, self.cost):
            yield used, total
            return
        certain, most_units = self._remaining_from[position]
        if _missing(plus(total, certain), self.cost) > hidden * most_units:
            return
        source = self.sources[position]
        maximum = min(source.maximum, source.known + hidden)
        # No more of them than cover the cost.
        maximum = bisect_left(
            range(maximum),
            True,
            key=lambda count: covers(plus(total, source.icons, count), self.cost),
        )
        for count in range(maximum, -1, -1):
            used[position] = count
            unseen = max(0, count - source.known)
            more = plus(total, source.icons, count)
            yield from self._covering(used, position + 1, more, hidden - unseen)
            if self.stopped:
                return
        used[position] = 0

    def _remaining(self, fitting: dict[Source, int]) -> list[tuple[Amounts, int]]:
        """Return what the sources from each one on provide.

        Returns:
            The certain resources, and the most fitting icons that an unknown card may show.
        """
        remaining = [(NOTHING, 0)]
        for source in reversed(self.sources):
            certain, most_units = remaining[-1]
            certain = plus(certain, source.icons, min(source.maximum, source.known))
            if source.known < source.maximum:
                most_units = max(most_units, fitting[source])
            remaining.append((certain, most_units))
        return remaining[::-1]

    def _is_minimal(self, used: list[int], total: Amounts) -> bool:
        """Return whether no source could be left out (C4)."""
        return not any(
            count and covers(plus(total, source.icons, -1), self.cost)
            for source, count in zip(self.sources, used, strict=True)
        )


def payment_violations(
    state: State, index: int, cost: Cost, acting_cell: int | None, payment: Payment
) -> Iterator[Violation]:
    """Yield the violations of a payment; paths are relative to the payment."""
    missing = tuple(source_violations(state, index, acting_cell, payment))
    if missing:
        yield from missing
        return
    total = payment_value(state, index, payment)
    if not covers(total, cost):
        detail = f"Add sources: the payment lacks at least {_missing(total, cost)} of the cost."
        yield Violation("", "too-little", detail, "C4")
        return
    for part, key, icons in payment_units(state, index, payment):
        if covers(plus(total, icons, -1), cost):
            detail = "The payment covers the cost without this source. Remove it."
            yield Violation(pointer(part, key), "could-be-left-out", detail, "C4")
