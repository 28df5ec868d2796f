"""Bids of bells: what they count, which are listed, and which are none (C6).

A bid with a gold token where a bell token is left is dominated by that.  Where there are too many
bids, some of each size are listed; the others are accepted all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from service.core.violations import Violation, pointer
from service.games.snowcrest.payments.payments import MOST_LISTED, MOST_STEPS
from service.games.snowcrest.payments.resources import Amounts, Resource
from service.games.snowcrest.payments.sources import (
    CARDS,
    TOKENS,
    Source,
    payment_of,
    singles,
    source_faults,
    sources_of,
)
from service.games.snowcrest.rules.actions import Payment
from service.games.snowcrest.rules.state import Seat, State

_GOLD: Final = Resource.GOLD


def bells(have: Amounts) -> int:
    """The size of a bid (C6)."""
    return have[Resource.BELL] + have[_GOLD]


def bids(state: State, index: int, idle: int | None) -> tuple[Payment, ...]:
    """What a seat may bid, that of nothing left out; the smallest first."""
    sources = tuple(
        sorted(
            (source for source in sources_of(state, index, idle) if bells(source.icons)),
            key=_place,
        )
    )
    search = _Search(sources, state.seats[index])
    largest = search.largest
    each, steps = MOST_LISTED // max(1, largest), MOST_STEPS // max(1, largest)
    return tuple(
        bid
        for size in range(1, largest + 1)
        for bid in islice(search.of_size(size, steps), max(1, each))
    )


def _place(source: Source) -> tuple[bool, int]:
    """Tokens and buildings first, then the cards that show most; gold tokens last."""
    if source.part == TOKENS and source.key == _GOLD:
        return (True, 1)
    return (source.part in CARDS, -bells(source.icons))


class _Search:
    """Counts of sources that come to a given number of bells."""

    def __init__(self, sources: tuple[Source, ...], seat: Seat) -> None:
        self.sources, self.seat = sources, seat
        rests = [(0, 0)]
        for source in reversed(sources):
            certain, best = rests[-1]
            shown = bells(source.icons)
            certain += shown * min(source.most, source.known)
            rests.append((certain, max(best, shown) if source.known < source.most else best))
        self._rests = rests[::-1]
        self._steps = 0

    @property
    def largest(self) -> int:
        """No bid is larger."""
        certain, best = self._rests[0]
        return certain + self.seat.unknown * best

    def of_size(self, size: int, steps: int) -> Iterator[Payment]:
        self._steps = steps
        return self._search([0] * len(self.sources), 0, size, self.seat.unknown)

    def _search(self, used: list[int], at: int, due: int, hidden: int) -> Iterator[Payment]:
        self._steps -= 1
        if due == 0:
            bid = payment_of(self.sources, used)
            spare = self.seat.tokens[Resource.BELL] - bid.tokens[Resource.BELL]
            if not (bid.tokens[_GOLD] and spare):
                yield bid
            return
        certain, best = self._rests[at]
        if at == len(self.sources) or due > certain + hidden * best:
            return
        source, each = self.sources[at], bells(self.sources[at].icons)
        most = min(source.most, source.known + hidden)
        for count in range(min(most, due // each), -1, -1):
            used[at] = count
            unseen = max(0, count - source.known)
            yield from self._search(used, at + 1, due - count * each, hidden - unseen)
            if self._steps < 0:
                return
        used[at] = 0


def bid_faults(state: State, index: int, idle: int | None, bid: Payment) -> Iterator[Violation]:
    """Why a seat cannot bid that; the bid of nothing has no fault here."""
    missing = tuple(source_faults(state, index, idle, bid))
    if missing:
        yield from missing
        return
    for part, key, icons in singles(state, index, bid):
        if not bells(icons):
            yield Violation(pointer(part, key), "no-bell", "This shows no bell and no gold.", "C6")
