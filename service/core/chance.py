"""Reproducible draws from enumerated outcomes."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from service.core.game import Chance, Outcome


def draw(chance: Chance[Outcome], seed: int) -> Outcome:
    """Return an outcome drawn with its probability; equal seeds give equal outcomes.

    Only ``Random.random`` is used: Python guarantees its sequence for a seed across versions.
    """
    threshold = Fraction(Random(seed).random())
    cumulative = Fraction(0)
    for outcome, probability in chance.outcomes:
        cumulative += probability
        if threshold < cumulative:
            return outcome
    raise AssertionError("the probabilities of a chance event sum to 1")
