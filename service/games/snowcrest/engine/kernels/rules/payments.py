"""What payments and bids give up, and what they are worth (C4, C6)."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules import layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

BELLS_PER_SOLO_SCROLL, TWO_PLAYER_SCROLLS = 6, 2


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {VECTOR})")
def pay(s, c, seat, payment):
    """Take the sources of a payment from a seat."""
    at = positions.seat_at(c, seat)
    for resource in range(layout.RESOURCES):
        s[at + layout.TOKENS + resource] -= payment[resource]
    for kind in range(layout.BUILDINGS):
        s[at + layout.UP + kind] -= payment[layout.PAID_BUILDINGS + kind]
        s[at + layout.SPENT + kind] += payment[layout.PAID_BUILDINGS + kind]
    for cell in range(layout.CELLS):
        if payment[layout.PAID_CELLS] >> cell & 1:
            s[at + layout.VILLAGE + cell] |= 1
    for card in range(c[layout.DECK]):
        for _ in range(payment[layout.PAID_CARDS + card]):
            positions.remove_card(s, c, at, card)
            positions.discard(s, c, at, card)


@kernel(f"int64({CATALOGUE}, int64, int64)")
def shown_by(c, card, resource):
    """Return how much of a resource a card shows, with gold in its place."""
    icons = positions.villager_at(c, card) + layout.V_ICONS
    return c[icons + resource] + c[icons + layout.GOLD]


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, {VECTOR})")
def bell_count(s, c, seat, payment):
    """Return the size of a bid (C6)."""
    at = positions.seat_at(c, seat)
    bells = (
        payment[layout.BELL] + payment[layout.GOLD] + payment[layout.PAID_BUILDINGS + layout.BELL]
    )
    for cell in range(layout.CELLS):
        if payment[layout.PAID_CELLS] >> cell & 1:
            bells += shown_by(c, s[at + layout.VILLAGE + cell] >> 1, layout.BELL)
    for card in range(c[layout.DECK]):
        bells += payment[layout.PAID_CARDS + card] * shown_by(c, card, layout.BELL)
    return bells


@kernel(f"{VECTOR}({VECTOR}, {CATALOGUE}, int64)")
def bid_at(s, c, place):
    """Return the bid in a place, in turn order from the active player."""
    first = c[layout.BIDS] + place * c[layout.BID_SIZE]
    return s[first : first + c[layout.BID_SIZE]]


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def add_bid(s, c, payment):
    """Append a bid."""
    positions.copy_vector(payment, bid_at(s, c, s[layout.BID_COUNT]))
    s[layout.BID_COUNT] += 1


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def bid_scrolls(s, c, place):
    """Return the scrolls of the bid in a place."""
    own = bell_count(s, c, s[layout.TURN], bid_at(s, c, 0))
    if s[layout.N] == 1:
        return own // BELLS_PER_SOLO_SCROLL
    prize = TWO_PLAYER_SCROLLS if s[layout.N] == 2 else 1
    if place > 0:
        other = bell_count(s, c, (s[layout.TURN] + place) % s[layout.N], bid_at(s, c, place))
        return prize if other > own else 0
    total = 0
    for each in range(1, s[layout.N]):
        if bell_count(s, c, (s[layout.TURN] + each) % s[layout.N], bid_at(s, c, each)) <= own:
            total += prize
    return total


@kernel(f"void({VECTOR}, {CATALOGUE})")
def compare_bids(s, c):
    """Compare the bids; those who gained no scroll decide about theirs."""
    losers = 0
    for place in range(s[layout.N]):
        if bid_at(s, c, place).any() and bid_scrolls(s, c, place) == 0:
            losers |= 1 << ((s[layout.TURN] + place) % s[layout.N])
    positions.push(s, layout.DECIDE, losers, 0, 0)


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def resolve_meditation(s, c, returned):
    """Take the bids that were not taken back, and give the scrolls, in turn order.

    Args:
        returned: seats that take their bids back, as a set.
    """
    scrolls = 0  # The payments change what the bids are worth, so they are compared first.
    for place in range(s[layout.N]):
        scrolls |= bid_scrolls(s, c, place) << (8 * place)
    for place in range(s[layout.N]):
        seat = (s[layout.TURN] + place) % s[layout.N]
        bid = bid_at(s, c, place)
        if returned >> seat & 1:
            # The others have seen the cards of the bid (C12).
            at = positions.seat_at(c, seat)
            for card in range(c[layout.DECK]):
                shown = bid[layout.PAID_CARDS + card] - s[at + layout.HAND + card]
                if shown > 0:
                    positions.show_card(s, c, at, card, shown)
            continue
        pay(s, c, seat, bid)
        count = scrolls >> (8 * place) & 255
        if count:
            positions.gain_scrolls(s, c, seat, count)
    s[c[layout.BIDS] : c[layout.BIDS] + s[layout.N] * c[layout.BID_SIZE]] = 0
    s[layout.BID_COUNT] = 0
