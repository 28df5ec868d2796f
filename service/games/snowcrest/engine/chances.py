"""What an event of the search may bring: revealed cards, or the hands of a player who answers."""

from __future__ import annotations

from hashlib import blake2b
from itertools import combinations
from math import comb, prod
from random import Random
from typing import Final

from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.rules.positions import next_task, show_card
from service.games.snowcrest.engine.packing import Packing, Vector
from service.games.snowcrest.rules.state import Below

MAX_HANDS: Final = 66
"""Hands that are followed one by one: two of twelve cards."""


def revealed_cards(
    position: Vector, packing: Packing, limit: int
) -> tuple[list[tuple[Card, float]], bool]:
    """Return the cards that may be revealed with their probabilities, or a sample of them.

    Args:
        position: equal positions have equal samples, in every process.
        limit: size of a sample.

    Returns:
        The cards, and whether no other one is possible.
    """
    possible = _unseen_cards(position, packing)
    cards = [card for card, count in possible.items() for _ in range(count)]
    if len(cards) > limit:
        supply, juniper, turn = position[[at.SUPPLY, at.JUNIPER, at.TURN]].tolist()
        seed = supply, juniper, _below(position, packing), turn, sorted(possible)
        digest = blake2b(repr(seed).encode(), digest_size=8).digest()
        random = Random(int.from_bytes(digest))
        cards = sorted(cards, key=lambda _: random.random())[:limit]
    found = [(card, cards.count(card) / len(cards)) for card in dict.fromkeys(cards)]
    return found, len(found) == sum(count > 0 for count in possible.values())


def _unseen_cards(position: Vector, packing: Packing) -> dict[Card, int]:
    """Return the guardians or forest cards that may be revealed next, with their copies."""
    forest, catalogue = bool(position[next_task(position) + 1]), packing.catalogue
    pool = int(packing.cards[at.POOLS] - packing.cards[at.DECK])
    pile = catalogue.forest_pile if forest else catalogue.guardian_pile
    left = {card: int(position[pool + card]) for card in pile}
    below = _below(position, packing)
    first = (below.forest if forest else below.guardians)[:1]
    return {card: count for card, count in left.items() if count > 0} or dict.fromkeys(first, 1)


def _below(position: Vector, packing: Packing) -> Below:
    """Return the known cards under the piles."""
    piles = []
    for pile in (at.COMMONS, at.GUARDIAN_PILE, at.FOREST_PILE):
        first, count = packing.cards[at.BELOW_COMMONS + pile], position[at.COMMONS_BELOW + pile]
        piles.append(tuple(position[first : first + count].tolist()))
    return Below(*piles)


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
        shown = ((villagers[card].icons, villagers[card].any_icons) for card in hand)
        alike.setdefault(tuple(sorted(shown)), []).append(hand)
    found = list[tuple[float, Vector]]()
    for each in alike.values():
        dealt = position.copy()
        for card in each[0]:
            show_card(dealt, packing.cards, firsts[seat], card, 1)
        found.append((len(each) / len(hands), dealt))
    return found
