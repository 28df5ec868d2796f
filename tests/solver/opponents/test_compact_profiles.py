"""Compact profiles: short, bounded, and refused if anything is wrong."""

from __future__ import annotations

import base64
from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.games.snow_time.engine.styles import style_library
from service.solver.opponents.compact_profiles import (
    MAX_LENGTH,
    MAX_ROUNDS,
    MAX_STYLES,
    InvalidProfile,
    UnknownProfileVersion,
    decode_profile,
    encode_profile,
)
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.inference import Belief, Evidence, prior_belief

LIBRARY = style_library()
PRIOR = prior_belief(LIBRARY)
COUNT = len(LIBRARY.styles)


def random_belief(seed: int, rounds: int = 6) -> Belief:
    random = np.random.default_rng(seed)
    styles, habits = random.dirichlet(np.full(COUNT, 0.1)), random.dirichlet(np.ones(len(HABITS)))
    styles = 0.98 * styles + 0.02 * PRIOR.styles
    counts = [dict(zip(LIBRARY.choices, random.random(10) * rounds, strict=True)) for _ in range(2)]
    return Belief(styles[:, None] * habits, Memory(*counts), Evidence.even(rounds, 3.25, -1.5))


def packed(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))[4:]


def with_check_sum(content: bytes) -> str:
    whole = crc32(content).to_bytes(4, "big") + content
    return base64.urlsafe_b64encode(whole).rstrip(b"=").decode()


TEXT = encode_profile(LIBRARY, random_belief(1))
CONTENT = packed(TEXT)


@given(st.integers(0, 10**6), st.integers(0, 60))
def test_a_decoded_profile_is_close_to_the_belief(seed: int, rounds: int):
    belief = random_belief(seed, min(rounds, MAX_ROUNDS))
    text = encode_profile(LIBRARY, belief)
    decoded = decode_profile(LIBRARY, text)
    assert len(text) <= MAX_LENGTH
    assert decoded.weights.sum() == pytest.approx(1.0)
    assert decoded.weights.min() >= 0.0
    assert decoded.evidence == belief.evidence
    largest = np.argsort(-belief.styles)[: MAX_STYLES // 2]  # Beyond, rounded weights can tie.
    np.testing.assert_allclose(decoded.styles[largest], belief.styles[largest], atol=2e-3)
    np.testing.assert_allclose(decoded.habits, belief.habits, atol=2e-3)
    for choice in LIBRARY.choices:
        assert decoded.memory.chosen.get(choice, 0.0) == pytest.approx(
            belief.memory.chosen[choice], abs=1 / 16
        )


def test_evidence_is_capped_at_eight_rounds():
    belief = random_belief(2, rounds=32)
    decoded = decode_profile(LIBRARY, encode_profile(LIBRARY, belief))
    assert decoded.evidence == Evidence.even(MAX_ROUNDS, 3.25 / 4, -1.5 / 4)
    weakened = PRIOR.styles**0.75 * belief.styles**0.25
    weakened /= weakened.sum()
    largest = np.argsort(-weakened)[: MAX_STYLES // 2]
    np.testing.assert_allclose(decoded.styles[largest], weakened[largest], atol=2e-3)
    for choice in LIBRARY.choices:
        assert decoded.memory.chosen.get(choice, 0.0) == pytest.approx(
            belief.memory.chosen[choice] / 4, abs=1 / 16
        )


def assert_refused(text: str, case: str) -> None:
    try:
        decode_profile(LIBRARY, text)
    except InvalidProfile:
        return
    pytest.fail(f"not refused: {case}")


def test_a_changed_character_is_refused():
    for at in range(0, len(TEXT), 7):
        other = "A" if TEXT[at] != "A" else "B"
        assert_refused(TEXT[:at] + other + TEXT[at + 1 :], f"character {at}")


def test_other_texts_are_refused():
    for text in ("", "A", "AAAA", "=", "ä" * 8, "A" * (MAX_LENGTH + 1), "A" * 100_000, "+/+/" * 20):
        assert_refused(text, text[:20])
    for text in (TEXT + "=", TEXT[:-1], TEXT[:-4], TEXT + "AAAA", " " + TEXT, TEXT + "\n"):
        assert_refused(text, text)


def test_a_profile_of_another_version_is_refused_as_such():
    other = replace(LIBRARY, version=LIBRARY.version + 1)
    with pytest.raises(UnknownProfileVersion):
        decode_profile(other, TEXT)
    with pytest.raises(UnknownProfileVersion):
        decode_profile(LIBRARY, with_check_sum(b"\x02" + CONTENT[1:]))


def style(index: int, weight: int) -> bytes:
    return bytes([index]) + weight.to_bytes(2, "big")


HABIT = (4096).to_bytes(2, "big") + bytes(6)


OUT_OF_RANGE = {
    "nine rounds": CONTENT[:3] + b"\x09" + CONTENT[4:],
    "habits without weight": CONTENT[:8] + bytes(8) + CONTENT[16:],
    "too much habit": CONTENT[:8] + HABIT[:2] + HABIT[:2] + bytes(4) + CONTENT[16:],
    "a cut style": CONTENT[:-1],
    "no counts": CONTENT[:16],
    "a style twice": CONTENT[:36] + style(1, 9) * 2,
    "an unknown style": CONTENT[:36] + style(COUNT, 9),
    "a style without weight": CONTENT[:36] + style(1, 0),
    "too much weight": CONTENT[:36] + style(1, 4000) + style(2, 96),
    "too many styles": CONTENT[:36] + b"".join(style(own, 9) for own in range(17)),
    "styles out of order": CONTENT[:36] + style(1, 9) + style(2, 10),
}


def test_numbers_out_of_range_are_refused():
    assert decode_profile(LIBRARY, with_check_sum(CONTENT[:16] + bytes(20)))
    for case, content in OUT_OF_RANGE.items():
        assert_refused(with_check_sum(content), case)


@given(st.binary(max_size=120))
def test_random_bytes_with_a_check_sum_are_refused_or_give_a_distribution(content: bytes):
    try:
        decoded = decode_profile(LIBRARY, with_check_sum(CONTENT[:3] + content))
    except InvalidProfile:
        return
    assert decoded.weights.sum() == pytest.approx(1.0)
    assert decoded.weights.min() >= 0.0
