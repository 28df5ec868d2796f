"""Refinement: styles between those of the library, where the players at a table seem to be.

Players who solve each round play quite differently if they value kept cards a little differently. A
grid that is fine enough for all of them would be too large, so the library grows at a table:

1. After each round the likeliest solvers get neighbours, whose valuation is one step higher or
   lower in one value.  A neighbour takes a part of the weight and of the prior of its neighbour.
2. All players at a table share the added styles: one is as important as it is to any of them.
3. Above the capacity, the least important ones return their weight to the style of the library
   that they come from.

So the added styles move through the valuations like the particles of a filter, except that all
steps are deterministic and do not depend on the order of the players (Gordon, Salmond, Smith 1993,
*Novel approach to nonlinear/non-Gaussian Bayesian state estimation*).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.styles import Style, StyleLibrary
from service.solver.opponents.inference import Belief, Round, infer

FAMILY: Final = "solver"
"""The styles of this family are refined."""
CAPACITY: Final = 16
"""Largest number of added styles."""
NEW: Final = 6
"""Largest number of styles that one round adds."""
PARENTS: Final = 8
"""How many of the likeliest solvers get neighbours after a round."""
PART: Final = 0.4
"""Part of the weight of a style that its new neighbour takes."""
MIN_WEIGHT: Final = 0.02
"""A solver that is less likely for every player gets no neighbours."""
_DIGITS: Final = 6
"""Decimal places of values, so that equal valuations are found equal."""


@dataclass(frozen=True, slots=True)
class TableBeliefs:
    """What is believed about the players at a table.

    Attributes:
        library: the styles, with those that were added for this table.
        by_player: the beliefs over these styles.
    """

    library: StyleLibrary
    by_player: Mapping[str, Belief]

    @classmethod
    def start(
        cls,
        library: StyleLibrary,
        players: Sequence[str],
        known: Mapping[str, Belief] | None = None,
    ) -> TableBeliefs:
        """Return the beliefs before the first round; ``known`` are those from earlier games."""
        return cls(library, infer(library, players, [], known))

    def after(self, observed: Round, *, refined: bool = True) -> TableBeliefs:
        """Return the beliefs after one more round.

        Args:
            observed: of the round; predicted by all styles of ``library``.
            refined: whether to add styles.
        """
        beliefs = infer(self.library, list(self.by_player), [observed], self.by_player)
        table = TableBeliefs(self.library, beliefs)
        return _refine(table) if refined and self.library.steps else table

    def without_added(self) -> TableBeliefs:
        """Return the beliefs over the styles of the library alone."""
        return TableBeliefs(
            fold_library(self.library),
            {player: fold(self.library, belief) for player, belief in self.by_player.items()},
        )


def fold_library(library: StyleLibrary) -> StyleLibrary:
    """Return a library without the added styles."""
    return replace(
        library,
        styles=library.styles[: library.size],
        prior=tuple(_fold(library, np.array(library.prior)).tolist()),
        origins=(),
    )


def fold(library: StyleLibrary, belief: Belief) -> Belief:
    """Return a belief in which the weights of added styles are those of their origins."""
    return replace(belief, weights=_fold(library, belief.weights))


def _fold(library: StyleLibrary, weights: Floats) -> Floats:
    folded = weights[: library.size].copy()
    for added, origin in enumerate(library.origins):
        folded[origin] += weights[library.size + added]
    return folded


def _refine(table: TableBeliefs) -> TableBeliefs:
    """Return the beliefs with styles added where players seem to be."""
    library, size = table.library, table.library.size
    scores = _scores(table)
    new = list(_neighbours(library, scores))
    kept = _most_important(scores[size:], CAPACITY - len(new))
    places = [*range(size), *(size + place for place in kept)]
    # A parent never gives way: PARENTS <= CAPACITY - NEW.
    parents = [(places.index(parent), style) for parent, style in new]
    origins = [library.origins[place] for place in kept]
    for parent, _ in parents:
        origins.append(parent if parent < size else origins[parent - size])

    def change(weights: Floats) -> Floats:
        """Return weights or probabilities by style, after all changes."""
        changed = weights[places]
        for added, origin in enumerate(library.origins):
            if added not in kept:
                changed[origin] += weights[size + added]
        for parent, _ in parents:
            changed = np.concatenate([changed, PART * changed[parent : parent + 1]])
            changed[parent] *= 1.0 - PART
        return changed

    refined = replace(
        library,
        styles=(*(library.styles[place] for place in places), *(style for _, style in parents)),
        prior=tuple(change(np.array(library.prior)).tolist()),
        origins=tuple(origins),
    )
    return TableBeliefs(
        refined,
        {
            player: replace(belief, weights=change(belief.weights))
            for player, belief in table.by_player.items()
        },
    )


def _scores(table: TableBeliefs) -> list[float]:
    """Return the largest weight of each style for any player."""
    scores: list[float] = np.max([own.styles for own in table.by_player.values()], axis=0).tolist()
    return scores


def _most_important(scores: Sequence[float], count: int) -> list[int]:
    """Return the places of the largest scores, in order."""
    return sorted(sorted(range(len(scores)), key=lambda place: -scores[place])[:count])


def _neighbours(library: StyleLibrary, scores: Sequence[float]) -> Iterator[tuple[int, Style]]:
    """Yield the styles to add, each with the index of the style that it comes from.

    A style that has got a neighbour counts half as much for the next one.
    """
    solvers = [place for place, own in enumerate(library.styles) if own.family == FAMILY]
    taken = {library.styles[place] for place in solvers}
    parents = sorted(solvers, key=lambda place: -scores[place])[:PARENTS]
    urgency = {place: scores[place] for place in parents if scores[place] >= MIN_WEIGHT}
    for _ in range(NEW):
        while urgency:
            parent = max(urgency, key=lambda place: urgency[place])
            free = [own for own in _around(library, library.styles[parent]) if own not in taken]
            if free:
                urgency[parent] /= 2.0
                taken.add(free[0])
                yield parent, free[0]
                break
            del urgency[parent]


def _around(library: StyleLibrary, style: Style) -> Iterator[Style]:
    """Yield the styles whose valuation differs by one step in one value."""
    values = style.valuation.values
    for kind, step in enumerate(library.steps):
        for change in (step, -step):
            value = round(values[kind] + change, _DIGITS)
            if value >= 0.0:
                changed = (*values[:kind], value, *values[kind + 1 :])
                yield replace(style, valuation=replace(style.valuation, values=changed))
