"""Bids of bells: size, listed bids and violations (C6).

If there are too many bids, only some of each size are listed; the others are legal too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from service.core.violations import Violation, pointer
from service.games.snowcrest.rules.actions import Payment
from service.games.snowcrest.rules.payments.payments import MAX_LISTED, Listing
from service.games.snowcrest.rules.payments.resources import Amounts, Resource
from service.games.snowcrest.rules.payments.sources import (
    CARDS,
    TOKENS,
    Source,
    build_payment,
    payment_sources,
    payment_units,
    source_violations,
)
from service.games.snowcrest.rules.state import State

MAX_SEARCH_STEPS: Final = 20_000
"""Step limit of a search for bids of all sizes."""
_GOLD: Final = Resource.GOLD


def bell_count(total: Amounts) -> int:
    """Return the size of a bid (C6)."""
    return total[Resource.BELL] + total[_GOLD]


def list_bids(state: State, index: int, acting_cell: int | None) -> Listing:
    """Return the bids of a seat, smallest first, without the empty bid."""
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
    search = _Search(sources)
    possible = search.largest(state.seats[index].unknown_count)
    largest = min(possible, MAX_LISTED)
    per_size = max(1, MAX_LISTED // max(1, largest))
    steps = MAX_SEARCH_STEPS // max(1, largest)
    bids: list[Payment] = []
    truncated = possible > largest
    for size in range(1, largest + 1):
        found = search.of_size(size, state.seats[index].unknown_count, steps)
        bids += islice(found, per_size)
        truncated |= next(found, None) is not None or search.stopped
    return Listing(tuple(bids), truncated)


def _sort_key(source: Source) -> tuple[bool, int]:
    """Return the search order: tokens and buildings, then cards by bells; gold tokens last."""
    if source.part == TOKENS and source.key == _GOLD:
        return (True, 1)
    return (source.part in CARDS, -bell_count(source.icons))


class _Search:
    """Depth-first search for counts of sources with a given number of bells."""

    def __init__(self, sources: tuple[Source, ...]) -> None:
        self.sources = sources
        remaining = [(0, 0)]
        for source in reversed(sources):
            certain, best = remaining[-1]
            shown = bell_count(source.icons)
            certain += shown * min(source.maximum, source.known)
            remaining.append((certain, max(best, shown) if source.known < source.maximum else best))
        self._remaining_from = remaining[::-1]
        self._steps = 0

    def largest(self, hidden: int) -> int:
        """Return an upper bound of the size of a bid with a number of unknown cards."""
        certain, best = self._remaining_from[0]
        return certain + hidden * best

    @property
    def stopped(self) -> bool:
        """Whether the step limit has stopped the last search."""
        return self._steps < 0

    def of_size(self, size: int, hidden: int, steps: int) -> Iterator[Payment]:
        """Yield the bids of a size, within a number of search steps."""
        self._steps = steps
        return self._search([0] * len(self.sources), 0, size, hidden)

    def _search(
        self, used: list[int], position: int, bells_left: int, hidden: int
    ) -> Iterator[Payment]:
        self._steps -= 1
        if bells_left == 0:
            yield build_payment(self.sources, used)
            return
        certain, best = self._remaining_from[position]
        if position == len(self.sources) or bells_left > certain + hidden * best:
            return
        source, bells_each = self.sources[position], bell_count(self.sources[position].icons)
        maximum = min(source.maximum, source.known + hidden)
        for count in range(min(maximum, bells_left // bells_each), -1, -1):
            used[position] = count
            unseen = max(0, count - source.known)
            yield from self._search(
                used, position + 1, bells_left - count * bells_each, hidden - unseen
            )
            if self.stopped:
                return
        used[position] = 0


def bid_violations(
    state: State, index: int, acting_cell: int | None, bid: Payment
) -> Iterator[Violation]:
    """Yield the violations of a bid; the empty bid has none here."""
    missing = tuple(source_violations(state, index, acting_cell, bid))
    if missing:
        yield from missing
        return
    for part, key, icons in payment_units(state, index, bid):
        if not bell_count(icons):
            yield Violation(
                pointer(part, key),
                "no-bell",
                "This source shows no bell, gold or resource of any kind. Remove it.",
                "C6",
            )
