"""Names of the features: numbers for each seat that depend on neither card ids nor player names.

Nearly all features are linear, so one more resource has the same value wherever it comes from.
Combinations, such as a villager who worships with enough bowls, have features of their own.
``kernels/choices/features.py`` computes them.
"""

from __future__ import annotations

from typing import Final

from service.games.snowcrest.engine.abilities import ABILITIES
from service.games.snowcrest.rules.payments.resources import Building, Resource
from service.games.snowcrest.rules.state import LINES

OWN_FEATURES: Final = (
    "scrolls",
    "building_points",
    "omen",
    *(f"{kind.label}_up" for kind in Building),
    *(f"{kind.label}_spent" for kind in Building),
    *(resource.label for resource in Resource),
    "hoard",
    "hand",
    "residents",
    "free",
    "due",
    "challenges",
    "ready_worship",
    "ready_more_worship",
    "ready_build",
    "ready_scrolls",
    "ready_turn_up",
)
"""Features of a seat that do not depend on the other seats."""
TABLE_FEATURES: Final = (
    "ready_meditation", "majorities", "to_move", "waits", "left", "rests_left", "one",
)  # fmt: skip
"""Features of a seat relative to the table."""
PLAIN_FEATURES: Final = (*OWN_FEATURES, *TABLE_FEATURES)
FACE_UP, EXHAUSTED, IN_HAND = "up", "down", "held"
FEATURES: Final = (
    *PLAIN_FEATURES,
    *(f"{FACE_UP}_{name}" for name in ABILITIES),
    *(f"{EXHAUSTED}_{name}" for name in ABILITIES),
    *(f"{IN_HAND}_{name}" for name in ABILITIES),
)
"""Feature names in the order of the weights.

- ``hoard``: tokens beyond eight; ``free``: villagers that can be exhausted before a rest is forced;
  ``due``: whether a rest is forced
- ``ready_…``: what a face-up villager could do at once with all resources; for
  ``ready_more_worship``, whether a second one could worship, too; for a meditation, the fraction
  of the other seats whose bells it matches
- ``challenges``: progress towards the open challenges; ``majorities``: points for resources if the
  game ended now
- ``to_move``: whether the seat moves next; ``waits``: fraction of the seats that move before it;
  ``left``: whether it has another turn in this round
- ``up_…``, ``down_…``, ``held_…``: abilities of villagers face up, exhausted, and in hand
"""

_LINE_MASKS: Final = tuple(sum(1 << cell for cell in line) for line in LINES)


# Lines ----------------------------------------------------------------------------------------


def _free_by_mask() -> tuple[int, ...]:
    """Return how many more exhausted cells fit before a line is full, by mask.

    The value is -1 if a line is full already.
    """
    free = [0] * 512
    for mask in range(511, -1, -1):
        if any(mask & line == line for line in _LINE_MASKS):
            free[mask] = -1
            continue
        next_free = [free[mask | 1 << cell] for cell in range(9) if not mask >> cell & 1]
        free[mask] = 1 + max((cells for cells in next_free if cells >= 0), default=-1)
    return tuple(free)


FREE_BY_MASK: Final = _free_by_mask()
