"""Meditation: bids in turn order, and the scrolls they gain (C6)."""

from __future__ import annotations

from typing import Final

from service.games.snowcrest.rules.actions import (
    LEAVE_BID,
    NO_PAYMENT,
    RETURN_BID,
    SKIP,
    Action,
    ActionType,
    Payment,
)
from service.games.snowcrest.rules.effects.options import without_hand
from service.games.snowcrest.rules.payments.bids import bell_count, list_bids
from service.games.snowcrest.rules.payments.payments import Listing
from service.games.snowcrest.rules.payments.sources import apply_payment, payment_value
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.turn import CollectBids, DecideBids, Turn, gain_scrolls, skip

BELLS_PER_SOLO_SCROLL: Final = 6
"""Bells per scroll in a solo game."""
TWO_PLAYER_SCROLLS: Final = 2
"""Scrolls for the higher bid of two players."""


def bid_choices(turn: Turn, task: CollectBids) -> tuple[Action, ...]:
    """Return the bids of the next bidder.

    The active player must bid if bells outside the hand suffice (C5).
    """
    seat = task.waiting[0]
    listed = tuple(Action(ActionType.BID, payment=bid) for bid in bids_of(turn, seat).payments)
    if seat != turn.state.turn:
        return (Action(ActionType.BID, payment=NO_PAYMENT), *listed)
    public = turn.with_state(without_hand(turn.state, seat))
    return listed if bids_of(public, seat).payments else (*listed, SKIP)


def bids_of(turn: Turn, seat: int) -> Listing:
    """Return the bids of a seat, without the empty one."""
    own = seat == turn.state.turn
    return list_bids(turn.state, seat, turn.acting_cell if own else None)


def return_choices() -> tuple[Action, ...]:
    """Return the choices of a player who gained no scroll."""
    return (RETURN_BID, LEAVE_BID)


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


def compare_bids(turn: Turn, task: CollectBids) -> Turn:
    """Compare the bids; those who gained no scroll decide about theirs."""
    gains = _scrolls(turn, task.bids)
    losers = tuple(
        seat
        for seat, bid in zip(bidders(turn), task.bids, strict=True)
        if not gains[seat] and bid != NO_PAYMENT
    )
    return turn.push(DecideBids(task.bids, losers))


def apply_return(turn: Turn, task: DecideBids, action: Action) -> Turn:
    """Record whether a seat takes its bid back; the task has been popped."""
    seat, *waiting = task.waiting
    returned = action.type is ActionType.RETURN_BID
    event = Event("keep" if returned else "leave", "C6", player=turn.state.seats[seat].player)
    done = (*task.returned, seat) if returned else task.returned
    return turn.with_events(event).push(DecideBids(task.bids, tuple(waiting), done))


def resolve_meditation(turn: Turn, task: DecideBids) -> Turn:
    """Take the bids that were not taken back, and give the scrolls, in turn order."""
    gains = _scrolls(turn, task.bids)
    for seat, bid in zip(bidders(turn), task.bids, strict=True):
        if seat in task.returned:
            # The others have seen the cards of the bid (C12).
            seen = turn.state.seats[seat].with_seen_cards(bid.hand)
            turn = turn.with_state(turn.state.with_seat(seat, seen))
            continue
        turn = turn.with_state(apply_payment(turn.state, seat, bid))
        if gains[seat]:
            turn = gain_scrolls(turn, seat, gains[seat], "C6")
    return turn


def bidders(turn: Turn) -> tuple[int, ...]:
    """Return the seats in the order of their bids."""
    player = turn.state.turn
    return (player, *turn.state.seats_after(player))


def _scrolls(turn: Turn, bids: tuple[Payment, ...]) -> dict[int, int]:
    """Return the scrolls of each seat."""
    seats = bidders(turn)
    sizes = [bid_size(turn, seat, bid) for seat, bid in zip(seats, bids, strict=True)]
    return dict(zip(seats, meditation_scrolls(sizes), strict=True))


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
