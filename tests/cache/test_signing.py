"""Signatures: a value is accepted only under its key and with the secret."""

from __future__ import annotations

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cache.signing import SEAL_BYTES, seal, unseal

KEY, VALUE, SECRET = b"key", b"a value", b"secret"


@given(key=st.binary(), value=st.binary(), secret=st.binary(max_size=99))
def test_a_signed_value_is_returned(key: bytes, value: bytes, secret: bytes):
    assert unseal(key, seal(key, value, secret), secret) == value


@pytest.mark.parametrize("secret", [b"", SECRET])
def test_a_flipped_bit_or_a_missing_end_invalidates_the_signature(secret: bytes):
    sealed = seal(KEY, VALUE, secret)
    for place in range(len(sealed)):
        assert unseal(KEY, sealed[:place], secret) is None
        for bit in range(8):
            flipped = bytes([sealed[place] ^ 1 << bit])
            assert unseal(KEY, sealed[:place] + flipped + sealed[place + 1 :], secret) is None


@pytest.mark.parametrize("secret", [b"", SECRET])
def test_a_value_signed_for_another_key_is_invalid(secret: bytes):
    assert unseal(b"other", seal(KEY, VALUE, secret), secret) is None
    # The boundary between key and value is part of the signature.
    assert unseal(b"keya", seal(b"key", b"avalue", secret), secret) is None
    assert unseal(b"keya", seal(KEY, VALUE, secret)[:SEAL_BYTES] + VALUE[1:], secret) is None


def test_a_signature_needs_the_secret():
    assert unseal(KEY, seal(KEY, VALUE), SECRET) is None
    assert unseal(KEY, seal(KEY, VALUE, b"guess"), SECRET) is None


def test_the_signature_is_hmac_with_sha_256():
    signed_bytes = (3).to_bytes(4, "big") + KEY + VALUE
    assert seal(KEY, VALUE, SECRET) == hmac.digest(SECRET, signed_bytes, "sha256") + VALUE
