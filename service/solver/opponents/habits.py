"""Habits: small preferences for single choices, whatever the position.

A habit multiplies the row of a style, which is then scaled to sum 1 again:

    row′(a) ∝ row(a) × m(a)

- *none*: m = 1.
- *favourites*: m(a) = (nₐ + c) / (eₐ + c), where nₐ is how often the player has chosen a, and eₐ
  how often the styles without habits expected it, both over the rounds in which a was possible.
  With c = 1.5 this is the shrinkage of a Dirichlet prior over the choices.
- *variety*: m = 0.4 for the last choice, 1 for others.
- *repetition*: m = 2.5 for the last choice, 1 for others.

A joint move multiplies the factors of its choices.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final

import numpy as np

from service.core.arrays import Floats

HABITS: Final = ("none", "favourites", "variety", "repetition")
PRIOR: Final = (0.7, 0.1, 0.1, 0.1)
"""Probability of each habit, independent of the style."""
PSEUDO_COUNT: Final = 1.5
VARIETY, REPETITION = 0.4, 2.5

Labels = Sequence[Sequence[Hashable]]
"""For each move, the choice of each of the player's actors."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What habits depend on.

    Attributes:
        chosen: how often each choice was made; a partly known move counts in parts.
        expected: how often it was expected.
        last: the probability that each choice was made in the last round, by any actor.
    """

    chosen: Mapping[Hashable, float] = field(default_factory=dict)
    expected: Mapping[Hashable, float] = field(default_factory=dict)
    last: Mapping[Hashable, float] = field(default_factory=dict)

    def factors(self, labels: Labels) -> Floats:
        """Return float64[habits, moves], the factor of each move under each habit."""

        def favourite(choice: Hashable) -> float:
            chosen, expected = self.chosen.get(choice, 0.0), self.expected.get(choice, 0.0)
            return (chosen + PSEUDO_COUNT) / (expected + PSEUDO_COUNT)

        def after_last(choice: Hashable, factor: float) -> float:
            return 1.0 + (factor - 1.0) * self.last.get(choice, 0.0)

        return np.array(
            [
                [1.0 for _ in labels],
                [prod(favourite(choice) for choice in move) for move in labels],
                [prod(after_last(choice, VARIETY) for choice in move) for move in labels],
                [prod(after_last(choice, REPETITION) for choice in move) for move in labels],
            ]
        )

    def after(self, labels: Labels, expected: Floats, chosen: Floats) -> Memory:
        """Return the memory after a decision.

        Args:
            labels: of the moves.
            expected: float64[moves], the prediction without habits.
            chosen: float64[moves], the probability that each move was the choice.
        """
        return Memory(
            _plus(self.chosen, _by_choice(labels, chosen)),
            _plus(self.expected, _by_choice(labels, expected)),
            # Two actors can make the same choice, and the probability is at most 1.
            _by_choice([tuple(dict.fromkeys(move)) for move in labels], chosen),
        )


def _by_choice(labels: Labels, probabilities: Floats) -> dict[Hashable, float]:
    totals: dict[Hashable, float] = {}
    for move, probability in zip(labels, probabilities.tolist(), strict=True):
        for choice in move:
            totals[choice] = totals.get(choice, 0.0) + probability
    return totals


def _plus(one: Mapping[Hashable, float], other: Mapping[Hashable, float]) -> dict[Hashable, float]:
    return {choice: one.get(choice, 0.0) + other.get(choice, 0.0) for choice in {**one, **other}}
