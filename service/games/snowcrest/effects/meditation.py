"""Meditation: bids in the order of turns, and who gains scrolls by them (C6)."""

from __future__ import annotations

from typing import Final

from service.games.snowcrest.effects.options import without_unknown
from service.games.snowcrest.payments.bids import bells, bids
from service.games.snowcrest.payments.sources import paid, worth
from service.games.snowcrest.rules.actions import NO_PAYMENT, SKIP, Act, Atom, Payment
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.turn import Bid, Turn, skipped, with_scrolls

SOLO_PRICE: Final = 6
"""Bells for a scroll in the game of one."""
PAIR_SCROLLS: Final = 2
"""For the higher bid of two."""


def bid_choices(turn: Turn, task: Bid) -> tuple[Atom, ...]:
    """What the next one may bid; the player has to bid something, if that is possible."""
    seat = task.waiting[0]
    own = seat == turn.state.turn
    listed = tuple(
        Atom(Act.BID, payment=bid) for bid in bids(turn.state, seat, turn.idle if own else None)
    )
    if not own:
        return (Atom(Act.BID, payment=NO_PAYMENT), *listed)
    known = without_unknown(turn.state, seat)
    return listed if bids(known, seat, turn.idle) else (*listed, SKIP)


def bid_made(turn: Turn, task: Bid, atom: Atom) -> Turn:
    """A bid is announced; its task is gone already."""
    seat, *waiting = task.waiting
    if atom.act is Act.SKIP:
        return skipped(turn, "meditate", "C6")
    assert atom.payment is not None, "a bid has its sources"
    event = Event(
        "bid",
        "C6",
        player=turn.state.seats[seat].player,
        payment=atom.payment,
        count=size_of(turn, seat, atom.payment),
    )
    return turn.noting(event).first(Bid(tuple(waiting), (*task.bids, atom.payment)))


def size_of(turn: Turn, seat: int, bid: Payment) -> int:
    """How many bells a bid comes to."""
    return bells(worth(turn.state, seat, bid))


def meditated(turn: Turn, task: Bid) -> Turn:
    """All have bid: scrolls are taken in the order of turns, then bids that brought some paid."""
    player = turn.state.turn
    seats = (player, *turn.state.after(player))
    sizes = [size_of(turn, seat, bid) for seat, bid in zip(seats, task.bids, strict=True)]
    gains = dict(zip(seats, scrolls_for(sizes), strict=True))
    for seat, bid in zip(seats, task.bids, strict=True):
        if gains[seat]:
            turn = turn.at(paid(turn.state, seat, bid))
            turn = with_scrolls(turn, seat, gains[seat], "C6")
        elif bid != NO_PAYMENT:
            turn = turn.noting(Event("keep", "C6", player=turn.state.seats[seat].player))
    return turn


def scrolls_for(sizes: list[int]) -> list[int]:
    """What bids bring, that of the player first.

    Everybody else compares with the player alone; of two the higher one gains double.
    """
    own, *others = sizes
    if not others:
        return [own // SOLO_PRICE]
    each = PAIR_SCROLLS if len(others) == 1 else 1
    higher = [bid > own for bid in others]
    return [each * higher.count(False), *(each * better for better in higher)]
