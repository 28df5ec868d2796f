"""Cached beliefs are those that were stored, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from service.games.snow_time.engine.styles import style_library
from service.solver.opponents.belief_codec import pack_beliefs, unpack_beliefs
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.inference import Belief, Evidence, prior_belief

LIBRARY = style_library()


def some_belief(number: int) -> Belief:
    random = np.random.default_rng(number)
    weights = random.dirichlet(np.full(len(LIBRARY.styles) * len(HABITS), 0.1))
    counts = [dict(zip(LIBRARY.choices, random.random(10).tolist(), strict=True)) for _ in "abc"]
    evidence = Evidence(number, *random.normal(size=3).tolist())
    return Belief(weights.reshape(len(LIBRARY.styles), len(HABITS)), Memory(*counts), evidence)


def test_unpacking_restores_every_bit():
    beliefs = [some_belief(number) for number in range(3)]
    restored = unpack_beliefs(LIBRARY, pack_beliefs(LIBRARY, beliefs))
    for own, other in zip(beliefs, restored, strict=True):
        assert own.weights.tolist() == other.weights.tolist()
        assert (own.memory, own.evidence) == (other.memory, other.evidence)


def test_a_choice_that_was_never_possible_counts_zero():
    [restored] = unpack_beliefs(LIBRARY, pack_beliefs(LIBRARY, [prior_belief(LIBRARY)]))
    assert set(restored.memory.chosen.values()) == {0.0}
    assert restored.evidence == Evidence()


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-8], lambda data: b"", lambda data: b"x" * 9]
)
def test_damaged_bytes_are_refused(damage):
    packed = pack_beliefs(LIBRARY, [some_belief(1)])
    with pytest.raises(ValueError, match="beliefs"):
        unpack_beliefs(LIBRARY, damage(packed))
