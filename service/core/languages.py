"""The languages of the texts in responses."""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "de", "zh")
DEFAULT_LANGUAGE: Final = "en"
