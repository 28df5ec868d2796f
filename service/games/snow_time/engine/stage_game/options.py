"""Options of a seat at a simultaneous decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import hand_classes
from service.games.snow_time.engine.kernels.effects import OPEN
from service.games.snow_time.engine.kernels.rounds import NOTHING
from service.games.snow_time.engine.packing import final_card, hand_bits, options_alone
from service.games.snow_time.rules.rules import added_choices, card_choices, recovery_choices
from service.games.snow_time.rules.state import Card, Move, Seat, Track

Preference = tuple[float, ...]
"""Value of each hand class, see ``evaluation.EvaluatorTables``."""


@dataclass(frozen=True)
class Options:
    """The choices of a seat; its later choices are not included.

    Attributes:
        moves: in deck order; one move if there is nothing to decide.
        decides: whether the seat takes part in the decision.
        cards: the final cards that the seat can show, see ``kernels.rounds.SPARED``; first those
            that a watcher can add.
        addable: number of final cards that a watcher can add; of all if it cannot add any.
        showing: for each of these a card of the hand that shows it.
        nothing: index of the final card that shows nothing; 0 if the seat has none.
        shown: for each move the index of its final card, or ``OPEN`` if a watcher will add it.
        classes: int64[moves, 2], hand class after the round, if the champion falls and if it
            returns; a healer takes back the most valuable set.
        added: int64[addable, 2], the same if a watcher adds the card after the reveal.
    """

    moves: tuple[Move, ...]
    decides: bool
    cards: tuple[int, ...]
    addable: int
    showing: tuple[Card, ...]
    nothing: int
    shown: tuple[int, ...]
    classes: NDArray[np.int64]
    added: NDArray[np.int64]


def options_of(
    seat: Seat, revealed: Move | None, decision: str, preference: Preference, track: Track
) -> Options:
    """Return the options of a seat at a decision, given its revealed move so far.

    Of the track only its options matter.
    """
    if revealed is None:
        nameless = replace(seat, name="", player="", score=0)
        return _card_options(nameless, preference, options_alone(track))
    moves: tuple[Move, ...] = (revealed,)
    if decision == "watcher" and revealed.awaits_added_card:
        moves = added_choices(seat, revealed, track)
    elif decision == "healer" and revealed.awaits_recovery:
        moves = recovery_choices(seat, revealed)
    # A healer with one legal set has nothing to decide.
    decides = moves != (revealed,) and (decision != "healer" or len(moves) > 1)
    return _options(seat, moves, decides, preference, track)


@lru_cache(maxsize=4096)
def _card_options(seat: Seat, preference: Preference, track: Track) -> Options:
    return _options(seat, card_choices(seat), True, preference, track)


def _options(
    seat: Seat, moves: tuple[Move, ...], decides: bool, preference: Preference, track: Track
) -> Options:
    at_once = [move for move in moves if not move.awaits_added_card]
    later = [
        added
        for move in moves
        if move.awaits_added_card
        for added in added_choices(seat, move, track)
        # To add no card is at best as good as to add the healer.
        if added.last.card is not Card.NONE
    ]
    addable = tuple(dict.fromkeys(final_card(move, track) for move in later or at_once))
    cards = tuple(dict.fromkeys((*addable, *(final_card(move, track) for move in at_once))))
    return Options(
        moves=moves,
        decides=decides,
        cards=cards,
        addable=len(addable),
        showing=tuple(_first_showing(later or at_once, card, track) for card in addable),
        nothing=cards.index(NOTHING) if NOTHING in cards else 0,
        shown=tuple(
            OPEN if move.awaits_added_card else cards.index(final_card(move, track))
            for move in moves
        ),
        classes=_classes_after(seat, moves, preference),
        added=_classes_after(seat, later or at_once[: len(addable)], preference),
    )


def _first_showing(moves: Sequence[Move], card: int, track: Track) -> Card:
    return next(move.last.card for move in moves if final_card(move, track) == card)


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
    """Return the move with the recovery that leaves the most valuable hand; first one on ties."""
    if not move.awaits_recovery:
        return move
    choices = recovery_choices(seat, move)
    values = [
        preference[hand_classes()[hand_after(seat, choice, returns=False)]] for choice in choices
    ]
    return choices[values.index(max(values))]


def hand_after(seat: Seat, move: Move, *, returns: bool) -> int:
    """Return a seat's hand after the round, as a bit set."""
    hand = {card for card in seat.hand if card not in move.cards} | {Card.HEALER}
    hand |= set(move.last.recover or ())
    if returns and move.champion is not None:
        hand.add(move.champion)
    return hand_bits(hand)
