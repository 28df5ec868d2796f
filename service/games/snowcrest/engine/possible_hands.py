"""The hands that a player with unknown cards may hold."""

from __future__ import annotations

from itertools import combinations
from math import comb, prod
from typing import Final

from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.packing import Packing, Vector

MAX_HANDS: Final = 66
"""Hands that are followed one by one: two of twelve cards."""


def possible_hands(position: Vector, packing: Packing, seat: int) -> list[tuple[float, Vector]]:
    """Return a position with each hand that a seat may hold, with probabilities.

    Hands with the same icons are one: in the last turn cards are worth their icons (C11).

    Returns:
        Nothing if no card of the seat is unknown, or if there are more than :data:`MAX_HANDS` hands
        of all players.
    """
    firsts = [packing.seat_at(each) for each in range(packing.players)]
    if not position[firsts[seat] + at.UNKNOWN_COUNT]:
        return []
    counts = [position[[first + at.UNSEEN_COUNT, first + at.UNKNOWN_COUNT]] for first in firsts]
    if prod(comb(int(unseen), int(unknown)) for unseen, unknown in counts) > MAX_HANDS:
        return []
    villagers, deck = packing.catalogue.villagers, len(packing.catalogue.deck)
    pile = firsts[seat] + at.HAND + 2 * deck
    unseen = [card for card in range(deck) for _ in range(position[pile + card])]
    hands = list(combinations(unseen, int(position[firsts[seat] + at.UNKNOWN_COUNT])))
    alike: dict[object, list[tuple[Card, ...]]] = {}
    for hand in hands:
        alike.setdefault(tuple(sorted(villagers[card].icons for card in hand)), []).append(hand)
    return [
        (len(each) / len(hands), _with_hand(position, firsts[seat], deck, each[0]))
        for each in alike.values()
    ]


def _with_hand(position: Vector, first: int, deck: int, hand: tuple[Card, ...]) -> Vector:
    """Return a position in which the unknown cards of the seat at an offset are these."""
    dealt = position.copy()
    dealt[first + at.UNKNOWN_COUNT] = 0
    dealt[first + at.UNSEEN_COUNT] -= len(hand)
    for card in hand:
        dealt[first + at.HAND + card] += 1
        dealt[first + at.HAND + 2 * deck + card] -= 1
    return dealt
