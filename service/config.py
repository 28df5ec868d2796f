"""The environment as one frozen configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Config:
    """How this process is to behave.

    Attributes:
        log_level: of the service's own logger, ``LOG_LEVEL``.
    """

    log_level: str = "INFO"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        return cls(log_level=environment.get("LOG_LEVEL", "INFO").upper())
