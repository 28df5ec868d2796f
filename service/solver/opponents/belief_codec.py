"""Beliefs as bytes, without loss; ``compact_profiles.py`` has the short form for clients."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import astuple
from typing import Any, Final

import numpy as np

from service.core.arrays import Floats
from service.core.styles import StyleLibrary
from service.solver.codec import are_probabilities, pack_arrays, unpack_arrays
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.inference import Belief, Evidence

MAX_ROUNDS: Final = 1_000_000
"""More rounds of evidence than anybody plays."""


def pack_beliefs(library: StyleLibrary, beliefs: Sequence[Belief]) -> bytes:
    """Return beliefs as bytes, bit for bit."""
    evidence = [astuple(own.evidence) for own in beliefs]
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
        if len(arrays) % 4:
            raise ValueError("a belief has four arrays")
        beliefs = [
            Belief(
                weights,
                Memory(*(_by_choice(library, own) for own in counts)),
                _evidence(*evidence),
            )
            for evidence, weights, *counts in zip(
                head["evidence"], *(arrays[part::4] for part in range(4)), strict=True
            )
        ]
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not packed beliefs") from error
    shape = len(library.styles), len(HABITS)
    if any(own.weights.shape != shape for own in beliefs):
        raise ValueError("the beliefs belong to another library")
    weights = [own.weights.ravel() for own in beliefs]
    if not all(own.min() > 0.0 and are_probabilities(own) for own in weights):
        raise ValueError("the weights of the beliefs are not probabilities")
    return beliefs


def _evidence(rounds: Any, *nats: Any) -> Evidence:
    if type(rounds) is int and 0 <= rounds <= MAX_ROUNDS and all(type(n) is float for n in nats):
        return Evidence(rounds, *nats)
    raise TypeError("evidence has other values than numbers")


def _by_choice(library: StyleLibrary, counts: Floats) -> Mapping[Hashable, float]:
    if not counts.min(initial=0.0) >= 0.0:
        raise ValueError("a count is negative")
    return dict(zip(library.choices, counts.tolist(), strict=True))
