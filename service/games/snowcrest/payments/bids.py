"""Bids of bells: what they count, which are listed, and which are none (C6).

A bid with a gold token where a bell token is left is dominated by that.  Where there are too many
bids, some of each size are listed; the others are accepted all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from service.core.violations import Violation, pointer
from service.games.snowcrest.payments.payments import MAX_LISTED, MAX_SEARCH_STEPS
from service.games.snowcrest.payments.resources import Amounts, Resource
from service.games.snowcrest.payments.sources import (
    CARDS,
    TOKENS,
    Source,
    build_payment,
    payment_sources,
    payment_units,
    source_violations,
)
from service.games.snowcrest.rules.actions import Payment
from service.games.snowcrest.rules.state import Seat, State

_GOLD: Final = Resource.GOLD


def bell_count(have: Amounts) -> int:
    """The size of a bid (C6)."""
    return have[Resource.BELL] + have[_GOLD]


def list_bids(state: State, index: int, acting_cell: int | None) -> tuple[Payment, ...]:
    """What a seat may bid, that of nothing left out; the smallest first."""
    sources = tuple(
        sorted(
            (
                source
                for source in payment_sources(state, index, acting_cell)
                if bell_count(source.icons)
            ),
            key=_sort_key,
        )
    )
    search = _Search(sources, state.seats[index])
    largest = search.largest
    each, steps = MAX_LISTED // max(1, largest), MAX_SEARCH_STEPS // max(1, largest)
    return tuple(
        bid
        for size in range(1, largest + 1)
        for bid in islice(search.of_size(size, steps), max(1, each))
    )


def _sort_key(source: Source) -> tuple[bool, int]:
    """Tokens and buildings first, then the cards that show most; gold tokens last."""
    if source.part == TOKENS and source.key == _GOLD:
        return (True, 1)
    return (source.part in CARDS, -bell_count(source.icons))


class _Search:
    """Counts of sources that come to a given number of bells."""

    def __init__(self, sources: tuple[Source, ...], seat: Seat) -> None:
        self.sources, self.seat = sources, seat
        rests = [(0, 0)]
        for source in reversed(sources):
            certain, best = rests[-1]
            shown = bell_count(source.icons)
            certain += shown * min(source.maximum, source.known)
            rests.append((certain, max(best, shown) if source.known < source.maximum else best))
        self._remaining_from = rests[::-1]
        self._steps = 0

    @property
    def largest(self) -> int:
        """No bid is larger."""
        certain, best = self._remaining_from[0]
        return certain + self.seat.unknown_count * best

    def of_size(self, size: int, steps: int) -> Iterator[Payment]:
        self._steps = steps
        return self._search([0] * len(self.sources), 0, size, self.seat.unknown_count)

    def _search(self, used: list[int], at: int, due: int, hidden: int) -> Iterator[Payment]:
        self._steps -= 1
        if due == 0:
            bid = build_payment(self.sources, used)
            spare = self.seat.tokens[Resource.BELL] - bid.tokens[Resource.BELL]
            if not (bid.tokens[_GOLD] and spare):
                yield bid
            return
        certain, best = self._remaining_from[at]
        if at == len(self.sources) or due > certain + hidden * best:
            return
        source, each = self.sources[at], bell_count(self.sources[at].icons)
        maximum = min(source.maximum, source.known + hidden)
        for count in range(min(maximum, due // each), -1, -1):
            used[at] = count
            unseen = max(0, count - source.known)
            yield from self._search(used, at + 1, due - count * each, hidden - unseen)
            if self._steps < 0:
                return
        used[at] = 0


def bid_violations(
    state: State, index: int, acting_cell: int | None, bid: Payment
) -> Iterator[Violation]:
    """Why a seat cannot bid that; the bid of nothing has no fault here."""
    missing = tuple(source_violations(state, index, acting_cell, bid))
    if missing:
        yield from missing
        return
    for part, key, icons in payment_units(state, index, bid):
        if not bell_count(icons):
            yield Violation(pointer(part, key), "no-bell", "This shows no bell and no gold.", "C6")
