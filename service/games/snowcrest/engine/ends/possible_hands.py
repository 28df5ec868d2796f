"""The hands that a player with unknown cards may hold."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Final

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card
from service.games.snowcrest.rules.state import Seat, State, unseen_deck

MAX_HANDS: Final = 66
"""Hands that are followed one by one: two of twelve cards."""


def possible_seats(state: State, index: int) -> list[tuple[float, Seat]]:
    """Return a seat with each hand that it may hold, with probabilities.

    Hands with the same icons are one: in the last turn cards are worth their icons (C11).

    Returns:
        Nothing if no card is unknown, or if there are more than :data:`MAX_HANDS` hands of all
        players.
    """
    hidden = {
        each: seat.unknown_count for each, seat in enumerate(state.seats) if seat.unknown_count
    }
    if index not in hidden:
        return []
    count = 1
    for each, unknown in hidden.items():
        count *= comb(unseen_deck(state, each).total(), unknown)
    if count > MAX_HANDS:
        return []
    seat = state.seats[index]
    known = tuple(card for card in seat.hand if card != UNKNOWN)
    hands = list(combinations(unseen_deck(state, index).elements(), seat.unknown_count))
    alike: dict[object, list[tuple[Card, ...]]] = {}
    for hand in hands:
        icons = sorted(state.villager(card).icons for card in hand)
        alike.setdefault(tuple(icons), []).append(hand)
    return [
        (len(each) / len(hands), replace(seat, hand=(*known, *each[0]))) for each in alike.values()
    ]
