"""Versions of what the service itself does; games have their own."""

from __future__ import annotations

from typing import Final

API_VERSION: Final = "1"
ENGINE_VERSION: Final = "9"
"""Of the solver: raised whenever the same question may get another answer."""
