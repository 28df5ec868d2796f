"""The languages that sentences come in."""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "de", "zh")
DEFAULT_LANGUAGE: Final = "en"
