"""What each seat may do at a decision that everybody faces at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import hand_classes
from service.games.snow_time.engine.kernels.effects import OPEN
from service.games.snow_time.engine.kernels.rounds import NOTHING
from service.games.snow_time.engine.packing import final_card, hand_bits, hand_of
from service.games.snow_time.rules.rules import added_choices, card_choices, recovery_choices
from service.games.snow_time.rules.state import Card, Move, Seat

Preference = tuple[float, ...]
"""What each class of hands is worth, see ``evaluation.Scale``."""


@dataclass(frozen=True)
class Options:
    """A seat's choices; what it decides later is left out of them.

    Attributes:
        moves: in deck order; a single one where there is nothing to decide.
        decides: whether the seat is among those who decide.
        cards: the final cards it can show: 0 nothing, 1 to 7 a champion, 8 a blizzard.
        showing: a card of the hand that shows each of them.
        nothing: the place of the final card of a healer, 0 where it cannot be shown.
        shown: for each move the place of its final card, or ``OPEN`` if a watcher will add it.
        classes: int64[moves, 2], of the hand after the round, if the champion falls or returns;
            a healer takes back what is worth most.
        added: int64[cards, 2], the same where a watcher adds the card after the reveal.
    """

    moves: tuple[Move, ...]
    decides: bool
    cards: tuple[int, ...]
    showing: tuple[Card, ...]
    nothing: int
    shown: tuple[int, ...]
    classes: NDArray[np.int64]
    added: NDArray[np.int64]


def options_of(seat: Seat, told: Move | None, decision: str, preference: Preference) -> Options:
    """The options of a seat that has told so much at a decision."""
    if told is None:
        return _card_options(hand_bits(seat.hand), preference)
    moves: tuple[Move, ...] = (told,)
    if decision == "watcher" and told.awaits_added_card:
        moves = added_choices(seat, told)
    elif decision == "healer" and told.awaits_recovery:
        moves = recovery_choices(seat, told)
    # A healer with one legal set has nothing to decide.
    decides = moves != (told,) and (decision != "healer" or len(moves) > 1)
    return _options(seat, moves, decides, preference)


@lru_cache(maxsize=4096)
def _card_options(hand: int, preference: Preference) -> Options:
    seat = Seat("", "", 0, hand_of(hand))
    return _options(seat, card_choices(seat), True, preference)


def _options(seat: Seat, moves: tuple[Move, ...], decides: bool, preference: Preference) -> Options:
    showing = [move for move in moves if not move.awaits_added_card]
    cards = tuple(dict.fromkeys(final_card(move) for move in showing))
    watchers = [move for move in moves if move.awaits_added_card]
    adding = [watcher.adding(move.card) for watcher in watchers for move in showing]
    return Options(
        moves=moves,
        decides=decides,
        cards=cards,
        showing=tuple(_first_showing(showing, card) for card in cards),
        nothing=cards.index(NOTHING) if NOTHING in cards else 0,
        shown=tuple(
            OPEN if move.awaits_added_card else cards.index(final_card(move)) for move in moves
        ),
        classes=_classes_after(seat, moves, preference),
        added=_classes_after(seat, adding or showing[: len(cards)], preference),
    )


def _first_showing(moves: Sequence[Move], card: int) -> Card:
    return next(move.last.card for move in moves if final_card(move) == card)


def _classes_after(seat: Seat, moves: Sequence[Move], preference: Preference) -> NDArray[np.int64]:
    table = np.zeros((len(moves), 2), np.int64)
    for row, move in enumerate(moves):
        if not move.awaits_added_card:
            complete = best_recovery(seat, move, preference)
            for back in range(2):
                hand = hand_after(seat, complete, returns=bool(back))
                table[row, back] = hand_classes()[hand]
    return table


def best_recovery(seat: Seat, move: Move, preference: Preference) -> Move:
    """The move with the set taken back that leaves the best hand, the first in order of those."""
    if not move.awaits_recovery:
        return move
    complete = recovery_choices(seat, move)
    values = [
        preference[hand_classes()[hand_after(seat, told, returns=False)]] for told in complete
    ]
    return complete[values.index(max(values))]


def hand_after(seat: Seat, move: Move, *, returns: bool) -> int:
    """A seat's hand after the round, as bits."""
    kept = {card for card in seat.hand if card not in move.cards} | {Card.HEALER}
    kept |= set(move.last.recover or ())
    if returns and move.champion is not None:
        kept.add(move.champion)
    return hand_bits(kept)
