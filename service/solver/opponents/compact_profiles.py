"""Compact profiles: a belief in at most 200 characters, for the next game with the same people.

Base64url without padding of these bytes, big-endian:

| bytes | content |
|---|---|
| 4 | CRC-32 of the rest |
| 1 | format |
| 2 | version of the library |
| 1 | rounds of evidence, at most 8 |
| 4 | nats over chance and over equilibrium, signed, in 1/1024 |
| 8 | weight of each habit, in 1/4096 |
| 2 each | how often each choice was made, and was expected, in 1/8 |
| 3 each | at most 16 styles: index, and weight in 1/4096, the largest weight first |

More than 8 rounds of evidence count like 8: weights w become prior¹⁻ᵗ × wᵗ with t = 8 / rounds, and
all counts are multiplied by t.  So somebody who sends an old or a false profile is predicted
correctly again after a few rounds.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Hashable, Mapping, Sequence
from typing import Final
from zlib import crc32

import numpy as np

from service.core.arrays import Floats
from service.core.styles import StyleLibrary
from service.solver.kernels.logit import exponential
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.inference import (
    Belief,
    Evidence,
    natural_logarithm,
    prior_belief,
)

FORMAT: Final = 1
MAX_LENGTH: Final = 200
"""Of the text; longer ones are refused unread."""
MAX_ROUNDS: Final = 8
MAX_STYLES: Final = 16
_WHOLE: Final = 4096
_NAT: Final = 1024
_COUNT: Final = 8
_CHECK: Final = struct.Struct(">I")
_HEAD: Final = struct.Struct(f">BHBhh{len(HABITS)}H")
_STYLE: Final = struct.Struct(">BH")


class InvalidProfile(ValueError):
    """The text is not a compact profile."""


class UnknownProfileVersion(InvalidProfile):
    """The profile belongs to another version of the library."""


def encode_profile(library: StyleLibrary, belief: Belief) -> str:
    """Return a belief in compact form; the memory of the last round is left out."""
    evidence = belief.evidence
    kept = min(1.0, MAX_ROUNDS / max(1, evidence.rounds))
    prior = prior_belief(library)
    habits = [int(weight * _WHOLE) for weight in _weaken(belief.habits, prior.habits, kept)]
    habits[habits.index(max(habits))] += _WHOLE - sum(habits)
    packed = _HEAD.pack(
        FORMAT,
        library.version,
        min(MAX_ROUNDS, evidence.rounds),
        _limited(evidence.nats_over_chance * kept * _NAT),
        _limited(evidence.nats_over_equilibrium * kept * _NAT),
        *habits,
    )
    for counts in (belief.memory.chosen, belief.memory.expected):
        packed += bytes(
            min(255, round(counts.get(choice, 0.0) * kept * _COUNT)) for choice in library.choices
        )
    weights = _weaken(belief.styles, prior.styles, kept)
    # Rounded down, so that something is left for all other styles.
    units = [int(weight * (_WHOLE - 1)) for weight in weights.tolist()]
    for style, weight in sorted(enumerate(units), key=_largest_first)[:MAX_STYLES]:
        if weight:
            packed += _STYLE.pack(style, weight)
    return _text(_CHECK.pack(crc32(packed)) + packed)


def decode_profile(library: StyleLibrary, text: str) -> Belief:
    """Return the belief of a compact profile.

    Raises:
        UnknownProfileVersion: if it belongs to another version of the library.
        InvalidProfile: if it is not a compact profile.
    """
    packed = _checked_bytes(text)
    if len(packed) < 3 or struct.unpack_from(">BH", packed) != (FORMAT, library.version):
        raise UnknownProfileVersion("the profile belongs to another version of the library")
    choices = len(library.choices)
    styles_at = _HEAD.size + 2 * choices
    if len(packed) < styles_at or (len(packed) - styles_at) % _STYLE.size:
        raise InvalidProfile("the profile has a wrong length")
    _, _, rounds, over_chance, over_equilibrium, *habits = _HEAD.unpack_from(packed)
    chosen, expected = (
        packed[_HEAD.size : styles_at - choices],
        packed[styles_at - choices : styles_at],
    )
    styles = list(_STYLE.iter_unpack(packed[styles_at:]))
    _check(library, rounds, habits, styles)
    prior = np.array(library.prior)
    weights = np.zeros(len(prior))
    for style, units in styles:
        weights[style] = units / _WHOLE
    rest = np.where(weights > 0.0, 0.0, prior)
    if not rest.any():
        rest = prior
    weights += (1.0 - weights.sum()) * rest / rest.sum()
    return Belief(
        weights[:, None] * np.array(habits) / _WHOLE,
        Memory(_counts(library.choices, chosen), _counts(library.choices, expected)),
        Evidence.even(rounds, over_chance / _NAT, over_equilibrium / _NAT),
    )


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _checked_bytes(text: str) -> bytes:
    """Return the bytes after the check sum."""
    if len(text) > MAX_LENGTH:
        raise InvalidProfile("the profile is too long")
    try:
        content = base64.b64decode(
            text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True
        )
    except (UnicodeEncodeError, binascii.Error) as error:
        raise InvalidProfile("the profile is not base64url") from error
    if _text(content) != text:
        raise InvalidProfile("the profile is not base64url without padding")
    packed = content[_CHECK.size :]
    if content[: _CHECK.size] != _CHECK.pack(crc32(packed)):
        raise InvalidProfile("the check sum of the profile is wrong")
    return packed


def _check(
    library: StyleLibrary, rounds: int, habits: Sequence[int], styles: Sequence[tuple[int, int]]
) -> None:
    """Raise :class:`InvalidProfile` if the numbers are not those of a profile."""
    indices, units = [style for style, _ in styles], [weight for _, weight in styles]
    if (
        rounds > MAX_ROUNDS
        or sum(habits) != _WHOLE
        or len(styles) > MAX_STYLES
        or len(set(indices)) < len(indices)
        or any(index >= len(library.styles) for index in indices)
        or any(weight == 0 for weight in units)
        or sum(units) >= _WHOLE
        or styles != sorted(styles, key=_largest_first)
    ):
        raise InvalidProfile("the numbers of the profile are out of range")


def _largest_first(style: tuple[int, int]) -> tuple[int, int]:
    """Return the sort key of a style's index and weight."""
    index, weight = style
    return -weight, index


def _weaken(weights: Floats, prior: Floats, kept: float) -> Floats:
    """Return weights that are proportional to prior¹⁻ᵗ × weightsᵗ, where t is the part kept."""
    if kept == 1.0:
        return weights
    logarithms = np.array(
        [
            kept * natural_logarithm(weight / before) if weight else -1e3
            for weight, before in zip(weights.tolist(), prior.tolist(), strict=True)
        ]
    )
    factors = np.array([exponential(own - logarithms.max()) for own in logarithms.tolist()])
    weakened: Floats = prior * factors / (prior * factors).sum()
    return weakened


def _limited(number: float) -> int:
    return max(-(1 << 15), min((1 << 15) - 1, round(number)))


def _counts(choices: Sequence[Hashable], packed: bytes) -> Mapping[Hashable, float]:
    return {choice: count / _COUNT for choice, count in zip(choices, packed, strict=True) if count}
