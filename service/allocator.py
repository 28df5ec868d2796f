"""Memory that a solve frees is kept for the next one, which needs as much.

By default glibc gives large pieces back to the system as soon as they are free, and the system
hands out every page anew, filled with noughts: some 7,000 of them in a solve with five full hands,
a tenth of its time.  Threads share two arenas instead of eight for each core, so that a process
keeps what two solves need and not what all its threads ever did.
"""

from __future__ import annotations

import ctypes
import platform
from typing import Final

MIB: Final = 1 << 20
# From glibc's malloc.h.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_KEPT: Final = {_TRIM_THRESHOLD: 128 * MIB, _MMAP_THRESHOLD: 32 * MIB, _ARENA_MAX: 2}


def keep_freed() -> bool:
    """Tells glibc so, for this process and those it forks; whether it could be told."""
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    told = [library.mallopt(option, value) for option, value in _KEPT.items()]
    return all(told)
