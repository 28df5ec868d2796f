"""Versions of the API and of the solver; each game has versions of its rules and evaluator."""

from __future__ import annotations

from typing import Final

API_VERSION: Final = "1.1.0"
ENGINE_VERSION: Final = "61"
"""Raised whenever the same request may get another response."""
