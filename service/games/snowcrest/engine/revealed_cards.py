"""The cards that an event of the search may reveal: all of them, or a fixed sample."""

from __future__ import annotations

from hashlib import blake2b
from random import Random

from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.packing import Packing, Vector
from service.games.snowcrest.rules.state import Below


def _unseen_cards(position: Vector, packing: Packing) -> dict[Card, int]:
    """Return the guardians or forest cards that may be revealed next, with their copies."""
    top = at.STACK + (int(position[at.TASKS]) - 1) * at.TASK_SIZE
    forest, catalogue = bool(position[top + 1]), packing.catalogue
    pool = int(packing.cards[at.POOLS] - packing.cards[at.DECK])
    pile = catalogue.forest_pile if forest else catalogue.guardian_pile
    left = {card: int(position[pool + card]) for card in pile}
    below = _below(position, packing)
    first = (below.forest if forest else below.guardians)[:1]
    return {card: count for card, count in left.items() if count > 0} or dict.fromkeys(first, 1)


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


def _below(position: Vector, packing: Packing) -> Below:
    """Return the known cards under the piles."""
    piles = []
    for count, first_at in (
        (at.COMMONS_BELOW, at.BELOW_COMMONS),
        (at.GUARDIANS_BELOW, at.BELOW_GUARDIANS),
        (at.FOREST_BELOW, at.BELOW_FOREST),
    ):
        first = int(packing.cards[first_at])
        piles.append(tuple(position[first : first + int(position[count])].tolist()))
    return Below(*piles)
