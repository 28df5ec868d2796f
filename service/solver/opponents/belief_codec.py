"""Beliefs as bytes, without loss; ``compact_profiles.py`` has the short form for clients."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from service.core.arrays import Floats
from service.core.styles import StyleLibrary
from service.solver.codec import pack_arrays, unpack_arrays
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.inference import Belief, Evidence


def pack_beliefs(library: StyleLibrary, beliefs: Sequence[Belief]) -> bytes:
    """Return beliefs as bytes, bit for bit."""
    evidence = [
        (own.evidence.rounds, own.evidence.nats_over_chance, own.evidence.nats_over_equilibrium)
        for own in beliefs
    ]
    arrays = [
        array
        for own in beliefs
        for array in (
            own.weights,
            *(
                np.array([counts.get(choice, 0.0) for choice in library.choices])
                for counts in (own.memory.chosen, own.memory.expected, own.memory.last)
            ),
        )
    ]
    return pack_arrays({"evidence": evidence}, arrays)


def unpack_beliefs(library: StyleLibrary, packed: bytes) -> list[Belief]:
    """Return the beliefs that :func:`pack_beliefs` packed.

    Raises:
        ValueError: if the bytes are not beliefs over this library.
    """
    try:
        head, arrays = unpack_arrays(packed)
        beliefs = [
            Belief(
                weights,
                Memory(*(_by_choice(library, own) for own in counts)),
                Evidence(*evidence),
            )
            for evidence, weights, *counts in zip(
                head["evidence"], *(arrays[part::4] for part in range(4)), strict=True
            )
        ]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not packed beliefs") from error
    shape = len(library.styles), len(HABITS)
    if any(own.weights.shape != shape for own in beliefs):
        raise ValueError("the beliefs belong to another library")
    return beliefs


def _by_choice(library: StyleLibrary, counts: Floats) -> Mapping[Hashable, float]:
    return dict(zip(library.choices, counts.tolist(), strict=True))
