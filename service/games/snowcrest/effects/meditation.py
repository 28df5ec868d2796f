"""Meditation: bids in turn order, and the scrolls they gain (C6)."""

from __future__ import annotations

from typing import Final

from service.games.snowcrest.effects.options import without_unknown_cards
from service.games.snowcrest.payments.bids import bell_count, list_bids
from service.games.snowcrest.payments.sources import apply_payment, payment_value
from service.games.snowcrest.rules.actions import NO_PAYMENT, SKIP, Action, ActionType, Payment
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.turn import CollectBids, Turn, gain_scrolls, skip

BELLS_PER_SOLO_SCROLL: Final = 6
"""Bells per scroll in a solo game."""
TWO_PLAYER_SCROLLS: Final = 2
"""Scrolls for the higher bid of two players."""


def bid_choices(turn: Turn, task: CollectBids) -> tuple[Action, ...]:
    """Return the bids of the next bidder; the active player must bid if possible."""
    seat = task.waiting[0]
    own = seat == turn.state.turn
    listed = tuple(
        Action(ActionType.BID, payment=bid)
        for bid in list_bids(turn.state, seat, turn.acting_cell if own else None)
    )
    if not own:
        return (Action(ActionType.BID, payment=NO_PAYMENT), *listed)
    known = without_unknown_cards(turn.state, seat)
    return listed if list_bids(known, seat, turn.acting_cell) else (*listed, SKIP)


def apply_bid(turn: Turn, task: CollectBids, action: Action) -> Turn:
    """Record a bid whose task has been popped."""
    seat, *waiting = task.waiting
    if action.type is ActionType.SKIP:
        return skip(turn, "meditate", "C6")
    assert action.payment is not None, "a bid has its sources"
    event = Event(
        "bid",
        "C6",
        player=turn.state.seats[seat].player,
        payment=action.payment,
        count=bid_size(turn, seat, action.payment),
    )
    return turn.with_events(event).push(CollectBids(tuple(waiting), (*task.bids, action.payment)))


def bid_size(turn: Turn, seat: int, bid: Payment) -> int:
    """Return the number of bells in a bid."""
    return bell_count(payment_value(turn.state, seat, bid))


def resolve_meditation(turn: Turn, task: CollectBids) -> Turn:
    """Give the scrolls in turn order; each seat that gains some pays its bid."""
    player = turn.state.turn
    seats = (player, *turn.state.seats_after(player))
    sizes = [bid_size(turn, seat, bid) for seat, bid in zip(seats, task.bids, strict=True)]
    gains = dict(zip(seats, meditation_scrolls(sizes), strict=True))
    for seat, bid in zip(seats, task.bids, strict=True):
        if gains[seat]:
            turn = turn.with_state(apply_payment(turn.state, seat, bid))
            turn = gain_scrolls(turn, seat, gains[seat], "C6")
        elif bid != NO_PAYMENT:
            turn = turn.with_events(Event("keep", "C6", player=turn.state.seats[seat].player))
    return turn


def meditation_scrolls(sizes: list[int]) -> list[int]:
    """Return the scrolls of each bidder, with the active player first.

    Each other player compares with the active player only.  Of two players the higher bidder gains
    ``TWO_PLAYER_SCROLLS``, and the active player wins ties.
    """
    own, *others = sizes
    if not others:
        return [own // BELLS_PER_SOLO_SCROLL]
    prize = TWO_PLAYER_SCROLLS if len(others) == 1 else 1
    higher = [bid > own for bid in others]
    return [prize * higher.count(False), *(prize * is_higher for is_higher in higher)]
