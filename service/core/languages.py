"""The languages of sentences and names, and their negotiation (RFC 9110 and RFC 4647)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

LANGUAGES: Final = ("en", "de", "zh-Hans", "zh-Hant")
"""Tags of all languages (BCP 47), as in ``Content-Language`` and as keys of names."""
DEFAULT_LANGUAGE: Final = "en"
LANGUAGE_NAMES: Final = {
    "en": "English",
    "de": "German",
    "zh-Hans": "Simplified Chinese",
    "zh-Hant": "Traditional Chinese",
}
FALLBACKS: Final = {
    "zh": "zh-Hans",
    "zh-CN": "zh-Hans",
    "zh-SG": "zh-Hans",
    "zh-HK": "zh-Hant",
    "zh-MO": "zh-Hant",
    "zh-TW": "zh-Hant",
}
"""Ranges without a script, and the script that their readers expect (CLDR, likely subtags)."""

_ANY: Final = "*"
_LANGUAGE_OF: Final = {language.lower(): language for language in LANGUAGES} | {
    tag.lower(): language for tag, language in FALLBACKS.items()
}
_MAX_SUBTAGS: Final = max(tag.count("-") for tag in _LANGUAGE_OF) + 1


def look_up(language_range: str) -> str | None:
    """Return the language for a range, or None (RFC 4647, 3.4).

    The range is shortened from its end until it is a language or has a fallback: ``de-AT`` is
    ``de``, and ``zh-Hant-HK`` is ``zh-Hant``.
    """
    # Longer ranges cannot match, so the cost does not depend on the number of subtags.
    subtags = language_range.lower().split("-", _MAX_SUBTAGS)[:_MAX_SUBTAGS]
    for length in range(len(subtags), 0, -1):
        language = _LANGUAGE_OF.get("-".join(subtags[:length]))
        if language:
            return language
    return None


def preferred_language(accepted: Iterable[tuple[str, float]]) -> str:
    """Return the language for the ranges of ``Accept-Language`` (RFC 9110, 12.5.4).

    The accepted range with the highest quality decides, or the first of several. A range with
    quality 0 refuses the languages that it is a prefix of (``zh`` refuses both scripts), except one
    that a longer accepted range looks up. ``*`` is the first language that is not refused, and
    counts only if no other range has a result (RFC 4647, 3.4). Without any result, the default
    applies even if it is refused, because a text in it is more useful than status 406.

    Args:
        accepted: ranges in the order of the header, with their qualities from 0 to 1.
    """
    ranges = sorted(accepted, key=lambda each: each[1], reverse=True)
    named = [tag for tag, quality in ranges if quality > 0 and tag != _ANY]
    refusals = [tag for tag, quality in ranges if not quality and tag != _ANY]
    available = [each for each in LANGUAGES if not _is_refused(each, refusals, named)]
    for tag in named:
        # A refused script leaves the other one: "zh, zh-Hans;q=0" is Traditional Chinese.
        candidates = (look_up(tag), *(each for each in available if _is_prefix(tag, each)))
        for language in candidates:
            if language in available:
                return language
    if available and any(tag == _ANY and quality > 0 for tag, quality in ranges):
        return available[0]
    return DEFAULT_LANGUAGE


def _is_refused(language: str, refusals: Iterable[str], named: Iterable[str]) -> bool:
    lengths = [tag.count("-") for tag in refusals if _is_prefix(tag, language)]
    return bool(lengths) and not any(
        tag.count("-") > max(lengths) and look_up(tag) == language for tag in named
    )


def _is_prefix(language_range: str, language: str) -> bool:
    """Whether a range matches a language by basic filtering (RFC 4647, 3.3.1)."""
    return f"{language}-".lower().startswith(f"{language_range}-".lower())
