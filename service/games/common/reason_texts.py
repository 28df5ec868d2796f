"""Sentences of reasons, in the same form in all games."""

from __future__ import annotations

from service.core.languages import DEFAULT_LANGUAGE
from service.texts.catalogue import text


def as_exception(sentence: str, language: str) -> str:
    """Return the sentence of a cost that follows a gain, such as "But you spend the watcher."."""
    exception = text("reason.but", language, text=sentence[0].lower() + sentence[1:])
    return exception[0].upper() + exception[1:]


def within_sentence(name: str, language: str) -> str:
    """Return a name within a sentence; English names begin with a capital letter only alone."""
    return name[0].lower() + name[1:] if language == DEFAULT_LANGUAGE else name
