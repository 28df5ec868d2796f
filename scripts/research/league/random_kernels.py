"""Compiled pseudorandom numbers for the tree searches of all games."""

from __future__ import annotations

from service.compiling import kernel

_TOP_57, _TOP_53 = (1 << 57) - 1, (1 << 53) - 1


@kernel("float64(int64[::1])")
def next_random(state):
    """Return a number in [0, 1) (xorshift64: Marsaglia 2003, *Xorshift RNGs*).

    Args:
        state: int64[1], not 0; changed in place.
    """
    x = state[0]
    x ^= x << 13
    x ^= x >> 7 & _TOP_57
    x ^= x << 17
    state[0] = x
    return (x >> 11 & _TOP_53) / 9007199254740992.0
