"""What each seat may do at a decision that everybody faces at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.kernels.joint import OPEN
from service.games.snow_time.kernels.rounds import NOTHING
from service.games.snow_time.packing import final_card, hand_bits, hand_of
from service.games.snow_time.rules import added_choices, card_choices, recovery_choices
from service.games.snow_time.state import Card, Move, Seat

Worth = tuple[int, ...]
"""What each hand is worth, by its bits."""


@dataclass(frozen=True)
class Options:
    """A seat's choices; what it decides later is left out of them.

    Attributes:
        moves: in deck order; a single one where there is nothing to decide.
        decides: whether the seat is among those who decide.
        cards: the final cards it can show: 0 nothing, 1 to 7 a champion, 8 a blizzard.
        nothing: the place of the final card of a healer, 0 where it cannot be shown.
        shown: for each move the place of its final card, or ``OPEN`` if a watcher will add it.
        worth: int64[moves, 2], the hand after the round, as bits, if the champion falls or
            returns; a healer takes back what is worth most.
        added: int64[cards, 2], the same where a watcher adds the card after the reveal.
    """

    moves: tuple[Move, ...]
    decides: bool
    cards: tuple[int, ...]
    nothing: int
    shown: tuple[int, ...]
    worth: NDArray[np.int64]
    added: NDArray[np.int64]


def options_of(seat: Seat, told: Move | None, decision: str, worth: Worth) -> Options:
    """The options of a seat that has told so much at a decision."""
    if told is None:
        return _card_options(hand_bits(seat.hand), worth)
    moves: tuple[Move, ...] = (told,)
    if decision == "watcher" and told.awaits_added_card:
        moves = added_choices(seat, told)
    elif decision == "healer" and told.awaits_recovery:
        moves = recovery_choices(seat, told)
    return _options(seat, moves, moves != (told,), worth)


@lru_cache(maxsize=4096)
def _card_options(hand: int, worth: Worth) -> Options:
    seat = Seat("", "", 0, hand_of(hand))
    return _options(seat, card_choices(seat), True, worth)


def _options(seat: Seat, moves: tuple[Move, ...], decides: bool, worth: Worth) -> Options:
    showing = [move for move in moves if not move.awaits_added_card]
    cards = tuple(dict.fromkeys(final_card(move) for move in showing))
    watchers = [move for move in moves if move.awaits_added_card]
    adding = [watcher.adding(move.card) for watcher in watchers for move in showing]
    return Options(
        moves=moves,
        decides=decides,
        cards=cards,
        nothing=cards.index(NOTHING) if NOTHING in cards else 0,
        shown=tuple(
            OPEN if move.awaits_added_card else cards.index(final_card(move)) for move in moves
        ),
        worth=_worth_after(seat, moves, worth),
        added=_worth_after(seat, adding or showing[: len(cards)], worth),
    )


def _worth_after(seat: Seat, moves: Sequence[Move], worth: Worth) -> NDArray[np.int64]:
    table = np.zeros((len(moves), 2), np.int64)
    for row, move in enumerate(moves):
        if not move.awaits_added_card:
            complete = best_recovery(seat, move, worth)
            for back in range(2):
                table[row, back] = worth[hand_after(seat, complete, returns=bool(back))]
    return table


def best_recovery(seat: Seat, move: Move, worth: Worth) -> Move:
    """The move with the set taken back that leaves the best hand, the first in order of those."""
    if not move.awaits_recovery:
        return move
    complete = recovery_choices(seat, move)
    values = [worth[hand_after(seat, told, returns=False)] for told in complete]
    return complete[values.index(max(values))]


def hand_after(seat: Seat, move: Move, *, returns: bool) -> int:
    """A seat's hand after the round, as bits."""
    kept = {card for card in seat.hand if card not in move.cards} | {Card.HEALER}
    kept |= set(move.last.recover or ())
    if returns and move.champion is not None:
        kept.add(move.champion)
    return hand_bits(kept)
