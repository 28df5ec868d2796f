"""Cache keys."""

from __future__ import annotations

from itertools import combinations

from service.cache.keys import DIGEST_BYTES, key_of

EXPECTED = "82e62a5b6b7f36c6e19c8ffb2294c6f46f2adb71e5c929dfb55560424876927b"
"""BLAKE2b with 32 bytes over all parts; each part follows its length in eight bytes."""
PARTS = [
    (),
    ("",),
    ("", ""),
    ("ab",),
    ("a", "b"),
    ("", "ab"),
    ("ab", ""),
    ("b", "a"),
    ("a", "b", ""),
    (b"\x00" * 8,),
    (b"\x00" * 16,),
]


def test_different_parts_have_different_keys():
    for one, other in combinations(PARTS, 2):
        assert key_of(*one) != key_of(*other)


def test_text_and_its_utf_8_bytes_have_the_same_key():
    assert key_of("é", b"x") == key_of("é".encode(), "x")
    assert len(key_of("é")) == DIGEST_BYTES


def test_a_key_is_the_same_in_every_process():
    assert key_of("solve", "1").hex() == EXPECTED
