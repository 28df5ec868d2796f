"""Drawing from enumerated outcomes, reproducibly."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from service.core.game import Chance, Outcome


def draw(chance: Chance[Outcome], seed: int) -> Outcome:
    """One outcome, with its probability; the same seed always draws the same.

    Only ``Random.random`` is used, whose sequence Python keeps for a seed across versions.
    """
    threshold = Fraction(Random(seed).random())
    reached = Fraction(0)
    for outcome, probability in chance.outcomes:
        reached += probability
        if threshold < reached:
            return outcome
    raise AssertionError("the probabilities of a chance event sum to 1")
