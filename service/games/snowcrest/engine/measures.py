"""What the reasons of a hint count in a position: scrolls, cards of a kind, points to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from service.core.arrays import Floats
from service.core.sequential import RIVALS
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card
from service.games.snowcrest.engine.abilities import ACTING_KINDS, KINDS, kinds
from service.games.snowcrest.engine.features import FREE_BY_MASK, exhausted_mask
from service.games.snowcrest.engine.parts import rival_potentials
from service.games.snowcrest.payments.resources import Building, Resource
from service.games.snowcrest.rules.scoring import Score
from service.games.snowcrest.rules.state import State, exhausted_lines

Cards: TypeAlias = Sequence[Card] | NDArray[np.integer[Any]]

READY: Final = {f"ready-{kind}": kind for kind in ACTING_KINDS}
HELD: Final = {f"held-{kind}": kind for kind in KINDS}
AVAILABLE: Final = {f"available-{resource.label}": resource.label for resource in Resource}
"""Measures of kinds: face-up villagers, hand cards, and resources that can be paid."""
FACE_UP: Final = "face-up"
OPEN: Final = 1e6
"""The last one of :data:`LATER` if the game is not over: too much to be an argument."""
LATER: Final = ("later-points", "later-omen", "later-lead")
MEASURES: Final = (
    "scrolls", "omen", "resources", "buildings", "villagers", "hand", "rest-due", "rest-sooner",
    *(resource.label for resource in Resource), *(each.label for each in Building), FACE_UP,
    *KINDS, *READY, *HELD, *AVAILABLE, *LATER, *RIVALS,
)  # fmt: skip
"""What is counted.

- of the asker at the end of the turn: scrolls, the omen marker minus omen tokens, resource tokens,
  buildings, face-up villagers, hand cards, whether a rest is forced, minus the villagers that can
  be exhausted before; tokens of each resource, buildings of each kind and those that are face up,
  villagers of each kind, and the measures of kinds
- of the asker in the leaves (``LATER``): points for scrolls and buildings, the omen marker minus
  omen tokens, and all points minus those of the best other player, or :data:`OPEN`
- of the others in the leaves: minus their potential
"""


def measures_of(asker: int, own: Floats, later: Floats, by_part: Floats) -> Floats:
    """Return float64[leaves, measures], see :data:`MEASURES`.

    Args:
        asker: index of the asker's seat.
        own: float64[leaves, own measures] of the end of the turn that each leaf belongs to.
        later: float64[leaves, LATER].
        by_part: the terms of the leaves, see ``parts.py``.
    """
    return np.concatenate([own, later, rival_potentials(asker, by_part)], axis=1)


def own_measures(state: State, asker: int, table: Sequence[Score]) -> list[float]:
    """Return the measures of the end of a turn; ``table`` has the scores if the game ended now."""
    seat = state.seats[asker]
    village = [each for each in seat.village if each is not None]
    ready = [each.card for each in village if not each.exhausted]
    hand = [card for card in seat.hand if card != UNKNOWN]
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
        *counts_of_kinds(kinds(state.catalogue), [each.card for each in village], ready, hand),
        *table[asker].resources,
    ]


def counts_of_kinds(
    table: NDArray[np.int64], village: Cards, ready: Cards, hand: Cards
) -> list[int]:
    """Return the cards of each kind in the village, ready to act, and in hand.

    Args:
        table: see :func:`~service.games.snowcrest.engine.abilities.kinds`.
        village: villagers.
        ready: those that are face up.
        hand: hand cards that are known.
    """
    of_village, of_ready, of_hand = (
        table[np.asarray(cards, np.int64)].sum(axis=0).tolist() for cards in (village, ready, hand)
    )
    return [*of_village, *of_ready[: len(ACTING_KINDS)], *of_hand]


def later_measures(asker: int, table: Sequence[Score]) -> list[float]:
    """Return the numbers of :data:`LATER` in a position with these scores."""
    own = table[asker]
    best = max((each.points for each in table if each is not own), default=0)
    return [own.scrolls + own.buildings, own.omen + own.omen_tokens, own.points - best]
