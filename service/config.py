"""The environment as one frozen configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Config:
    """How this process is to behave.

    Attributes:
        log_level: of the service's own logger, ``LOG_LEVEL``.
        cache_mib: of memory for what was solved before, ``CACHE_MIB``, in each worker.
    """

    log_level: str = "INFO"
    cache_mib: int = 64

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        return cls(
            log_level=environment.get("LOG_LEVEL", "INFO").upper(),
            cache_mib=int(environment.get("CACHE_MIB") or 64),
        )
