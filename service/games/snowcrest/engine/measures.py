"""What the reasons of a hint count in a position: scrolls, cards of a kind, points to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from service.core.arrays import Floats
from service.core.sequential import ENDINGS, RIVALS, endings_of
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card
from service.games.snowcrest.engine.abilities import ACTING_KINDS, KINDS, kinds
from service.games.snowcrest.engine.features import (
    FREE_BY_MASK,
    PLAIN_FEATURES,
    exhausted_mask,
)
from service.games.snowcrest.engine.parts import rival_potentials
from service.games.snowcrest.payments.resources import Building, Resource
from service.games.snowcrest.rules.scoring import Score
from service.games.snowcrest.rules.state import State, exhausted_lines

Cards: TypeAlias = Sequence[Card] | NDArray[np.integer[Any]]

READY: Final = {f"ready-{kind}": kind for kind in ACTING_KINDS}
HELD: Final = {f"held-{kind}": kind for kind in KINDS}
PAID: Final = {f"paid-{resource.label}": resource.label for resource in Resource}
AVAILABLE: Final = {f"available-{resource.label}": resource.label for resource in Resource}
"""Measures of kinds: face-up villagers, hand cards, and resources that can be paid by face-up
villagers and at all."""
MOST_CARDS: Final = 32
"""Measured one by one, see :func:`cards_of`; more than this are rare."""
VILLAGE_CARDS: Final = tuple(f"village-card-{place}" for place in range(1, MOST_CARDS + 1))
READY_CARDS: Final = tuple(f"ready-card-{place}" for place in range(1, MOST_CARDS + 1))
HELD_CARDS: Final = tuple(f"held-card-{place}" for place in range(1, MOST_CARDS + 1))
FACE_UP: Final = "face-up"
UNCOUNTED: Final = 1e9
"""A measure of the leaves that counts nothing there: too much to be an argument.  The last one of
:data:`LATER_POINTS` counts in finished games only, features and scrolls left in the others."""
CHANCES: Final = {
    "later-worship": "ready_worship",
    "later-worship-twice": "ready_more_worship",
    "later-build": "ready_build",
    "later-scroll": "ready_scrolls",
    "later-turn-up": "ready_turn_up",
}
LATER_RESOURCES: Final = {f"later-{resource.label}": resource.label for resource in Resource}
LATER_FEATURES: Final = {
    **CHANCES,
    **LATER_RESOURCES,
    "later-villagers": "residents",
    "later-room": "free",
    "later-hand": "hand",
    "later-majorities": "majorities",
}
"""Measures that are features of the asker in the leaves, and those of what it can do next."""
FEATURE_COLUMNS: Final = tuple(map(PLAIN_FEATURES.index, LATER_FEATURES.values()))
LATER_POINTS: Final = ("later-points", "later-omen", "later-lead")
LATER: Final = (*LATER_FEATURES, "supply", *LATER_POINTS)
MEASURES: Final = (
    "scrolls", "omen", "resources", "buildings", "villagers", "hand", "rest-due", "rest-sooner",
    *(resource.label for resource in Resource), *(each.label for each in Building), FACE_UP,
    *KINDS, *READY, *HELD, *PAID, *AVAILABLE,
    *VILLAGE_CARDS, *READY_CARDS, *HELD_CARDS, *LATER, *RIVALS, *ENDINGS,
)  # fmt: skip
"""What is counted.

- of the asker at the end of the turn: scrolls, the omen marker minus omen tokens, resource tokens,
  buildings, face-up villagers, hand cards, whether a rest is forced, minus the villagers that can
  be exhausted before; tokens of each resource, buildings of each kind and those that are face up,
  villagers of each kind, the measures of kinds, and whether each measured card is in the village,
  face up, and in hand
- in the leaves (``LATER``): features of the asker; scrolls left in the supply; of the asker, points
  for scrolls and buildings, the omen marker minus omen tokens, and all points minus those of the
  best other player
- of the others in the leaves: minus their potential
"""


def measures_of(asker: int, own: Floats, later: Floats, results: Floats, by_part: Floats) -> Floats:
    """Return float64[leaves, measures], see :data:`MEASURES`.

    Args:
        asker: index of the asker's seat.
        own: float64[leaves, own measures] of the end of the turn that each leaf belongs to.
        later: float64[leaves, LATER].
        results: float64[leaves], see :class:`~service.core.sequential.Leaves`.
        by_part: the terms of the leaves, see ``parts.py``.
    """
    rivals = rival_potentials(asker, by_part)
    endings = np.stack(endings_of(results), axis=1)
    return np.concatenate([own, later, rivals, endings], axis=1)


def cards_of(state: State, asker: int) -> list[Card]:
    """Return the player's cards and those of the row, the most expensive ones first.

    The player's cards are villagers, discards and known hand cards.  There are at most
    :data:`MOST_CARDS`.

    Args:
        state: the position at the decision.
        asker: index of the player's seat.
    """
    seat = state.seats[asker]
    village = {resident.card for resident in seat.village if resident is not None}
    cards = village.union(seat.hand, seat.discards, state.row) - {UNKNOWN}
    return sorted(cards, key=lambda card: (-state.villager(card).cost, card))[:MOST_CARDS]


def own_measures(
    state: State, asker: int, table: Sequence[Score], measured: Sequence[Card]
) -> list[float]:
    """Return the measures of the end of a turn.

    Args:
        state: the position.
        asker: index of the asker's seat.
        table: the scores if the game ended now.
        measured: see :func:`cards_of`.
    """
    seat = state.seats[asker]
    village = [each for each in seat.village if each is not None]
    ready = [each.card for each in village if not each.exhausted]
    hand = [card for card in seat.hand if card != UNKNOWN]
    cards = [each.card for each in village], ready, hand
    return [
        seat.scrolls,
        seat.omen - seat.omen_tokens,
        sum(seat.tokens),
        seat.building_count,
        len(ready),
        len(seat.hand),
        exhausted_lines(seat.village) > 0,
        -max(0, FREE_BY_MASK[exhausted_mask(seat.village)]),
        *seat.tokens,
        *(stock.up + stock.spent for stock in seat.buildings),
        sum(stock.up for stock in seat.buildings),
        *counts_of_kinds(kinds(state.catalogue), *cards),
        *table[asker].resources,
        *presence_of_cards(measured, *cards),
    ]


def counts_of_kinds(
    table: NDArray[np.int64], village: Cards, ready: Cards, hand: Cards
) -> list[int]:
    """Return the cards of each kind in the village, ready to act, and in hand, and what they pay.

    Args:
        table: see :func:`~service.games.snowcrest.engine.abilities.kinds`.
        village: villagers.
        ready: those that are face up.
        hand: hand cards that are known.
    """
    of_village, of_ready, of_hand = (
        table[np.asarray(cards, np.int64)].sum(axis=0).tolist() for cards in (village, ready, hand)
    )
    acting, paid = of_ready[: len(ACTING_KINDS)], of_ready[len(KINDS) :]
    return [*of_village[: len(KINDS)], *acting, *of_hand[: len(KINDS)], *paid]


def presence_of_cards(
    measured: Sequence[Card], village: Cards, ready: Cards, hand: Cards
) -> list[int]:
    """Return whether each measured card is in the village, ready to act, and in hand, as 0 or 1.

    Args:
        measured: see :func:`cards_of`.
        village: villagers.
        ready: those that are face up.
        hand: hand cards that are known.
    """
    none = [0] * (MOST_CARDS - len(measured))
    found: list[int] = []
    for cards in map(set, (village, ready, hand)):
        found += [*(int(card in cards) for card in measured), *none]
    return found


def later_measures(
    asker: int, supply: int, table: Sequence[Score], features: Floats
) -> list[float]:
    """Return the numbers of :data:`LATER` in a position.

    Args:
        asker: index of the asker's seat.
        supply: scrolls that are left for several players; 0 in a solo game, where they say no more
            than the own scrolls.
        table: the scores if the game ended now.
        features: float64[LATER_FEATURES], of the asker.
    """
    own = table[asker]
    best = max((each.points for each in table if each is not own), default=0)
    points = own.scrolls + own.buildings, own.omen + own.omen_tokens, own.points - best
    return [*features.tolist(), supply, *points]
