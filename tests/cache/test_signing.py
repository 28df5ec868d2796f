"""Seals: what comes back is what was put under that key, by one of us."""

from __future__ import annotations

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cache.signing import SEAL_BYTES, seal, unseal

KEY, VALUE, SECRET = b"key", b"a value", b"secret"


@given(key=st.binary(), value=st.binary(), secret=st.binary(max_size=99))
def test_what_was_sealed_is_unsealed(key: bytes, value: bytes, secret: bytes):
    assert unseal(key, seal(key, value, secret), secret) == value


@pytest.mark.parametrize("secret", [b"", SECRET])
def test_a_bit_that_flipped_breaks_the_seal(secret: bytes):
    sealed = bytearray(seal(KEY, VALUE, secret))
    for place in range(8 * len(sealed)):
        sealed[place // 8] ^= 1 << place % 8
        assert unseal(KEY, bytes(sealed), secret) is None
        sealed[place // 8] ^= 1 << place % 8
    assert unseal(KEY, bytes(sealed), secret) == VALUE


@pytest.mark.parametrize("secret", [b"", SECRET])
def test_what_is_cut_short_breaks_the_seal(secret: bytes):
    sealed = seal(KEY, VALUE, secret)
    for end in range(len(sealed)):
        assert unseal(KEY, sealed[:end], secret) is None


@pytest.mark.parametrize("secret", [b"", SECRET])
def test_what_was_sealed_under_another_key_breaks_the_seal(secret: bytes):
    assert unseal(b"other", seal(KEY, VALUE, secret), secret) is None
    # Nor does it matter where the key ends and the value begins.
    assert unseal(b"keya", seal(b"key", b"avalue", secret), secret) is None
    assert unseal(b"keya", seal(KEY, VALUE, secret)[:SEAL_BYTES] + VALUE[1:], secret) is None


def test_who_does_not_know_the_secret_cannot_seal():
    assert unseal(KEY, seal(KEY, VALUE), SECRET) is None
    assert unseal(KEY, seal(KEY, VALUE, b"guess"), SECRET) is None


def test_the_seal_is_hmac_with_sha_256():
    told = (3).to_bytes(4, "big") + KEY + VALUE
    assert seal(KEY, VALUE, SECRET) == hmac.digest(SECRET, told, "sha256") + VALUE
