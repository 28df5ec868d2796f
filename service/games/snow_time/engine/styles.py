"""The styles that people play Snow Time with, and how common each one is.

People count the spaces that they gain and what the cards that they keep are worth to them: h for
a champion, w for the watcher, b for the blizzard, so that the payoff is

    spaces + h × champions kept + w × watcher kept + b × blizzard kept.

The grid covers the values that people state and those that do well.  The probabilities are in
``styles.json`` with their provenance; ``scripts/research/styles.py`` fits them to self-play.
"""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Final

from service.core.styles import Style, StyleLibrary, Valuation
from service.games.snow_time.engine.heuristic_payoffs import KEPT_KINDS
from service.games.snow_time.rules.state import DECK, Move

VERSION: Final = 3
"""Of the library; raise it with any change of the styles, their prior or the solver's families.
``tests/games/snow_time/engine/test_styles.py`` fails if it was forgotten."""

CHAMPION_VALUES: Final = (0.0, 0.25, 0.45, 0.65, 0.9)
SPECIAL_VALUES: Final = ((0.8, 0.8), (1.3, 1.8), (1.8, 2.6))
"""Values of watcher and blizzard."""
GRID: Final = tuple(
    Valuation((champion, *specials))
    for champion, specials in product(CHAMPION_VALUES, SPECIAL_VALUES)
)
SOLVED: Final = tuple(
    Valuation((champion, *specials))
    for champion, specials in product(
        (0.15, 0.3, 0.45, 0.6, 0.75, 0.9), ((0.8, 0.8), (1.2, 1.2), (1.3, 1.8), (1.8, 2.6))
    )
)
"""The same for solvers, whose strategies depend more on the values."""
STEPS: Final = (0.05, 0.15, 0.3)
"""Differences between the values of neighbouring solvers that are added at a table."""
TYPICAL: Final = Valuation((0.45, 1.3, 1.8))
"""The middle of the grid."""
SPACES: Final = Valuation((0.0, 0.0, 0.0))
"""Spaces of this round alone."""

STYLES: Final = (
    Style("equilibrium"),
    Style("chance"),
    Style("greedy", SPACES),
    *(Style("level-1", precision=precision) for precision in (15.0, 40.0, 120.0)),
    *(Style("quantal", precision=precision) for precision in (20.0, 40.0)),
    *(Style("regret-matching", valuation) for valuation in GRID),
    *(Style("level-1", valuation, 4.0) for valuation in GRID),
    *(Style("solver", valuation) for valuation in SOLVED),
    *(
        Style("level-1", Valuation((champion, 1.3, 1.8)), precision)
        for champion, precision in product((0.0, 0.45, 0.9), (1.5, 20.0))
    ),
    Style("level-1", SPACES, 4.0),
    *(Style("level-2", Valuation((champion, 1.3, 1.8)), 4.0) for champion in (0.0, 0.45, 0.9)),
    Style("regret-matching", Valuation(TYPICAL.values, ignores_losses=True)),
    Style("level-1", Valuation(TYPICAL.values, ignores_losses=True), 4.0),
    Style("regret-matching", Valuation(TYPICAL.values, leads=True)),
    Style("regret-matching", Valuation(SPACES.values, leads=True)),
)


@lru_cache(maxsize=1)
def style_library() -> StyleLibrary:
    """Return the styles with their prior.

    Raises:
        ValueError: if the data file does not fit the styles.
    """
    text = Path(__file__).with_name("styles.json").read_text(encoding="utf-8")
    return read_library(json.loads(text)["prior"])


def read_library(prior: dict[str, float]) -> StyleLibrary:
    """Return the styles with a prior by name of the style.

    Raises:
        ValueError: if a style has no probability, or a probability no style.
    """
    names = [style.name for style in STYLES]
    if sorted(names) != sorted(prior) or min(prior.values()) <= 0.0:
        raise ValueError("the prior needs a positive probability for each style")
    total = sum(prior[name] for name in names)
    return StyleLibrary(
        version=VERSION,
        kept_kinds=KEPT_KINDS,
        choices=tuple(Move(card) for card in DECK),
        styles=STYLES,
        prior=tuple(prior[name] / total for name in names),
        steps=STEPS,
    )
