"""Chinese texts are in the script of their language."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from service.games.snowcrest.catalogue.parsing import CATALOGUE_FILE
from service.texts.catalogue import texts

CHARACTER_SETS: Final = {"zh-Hans": "gb2312", "zh-Hant": "big5"}
"""GB 2312 has the Simplified characters, Big5 the Traditional ones."""
RARE: Final = {"鸮"}
"""Simplified characters that GB 2312 lacks."""

OTHER_WORD: Final = "村民"
"""A second word for a villager, 居民."""


def names(document: Any, language: str) -> list[str]:
    """Return all names in a language inside a document."""
    if isinstance(document, dict):
        own = [document[language]] if language in document else []
        return own + [name for inner in document.values() for name in names(inner, language)]
    if isinstance(document, list):
        return [name for inner in document for name in names(inner, language)]
    return []


def fits(character: str, language: str) -> bool:
    try:
        character.encode(CHARACTER_SETS[language])
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize("language", CHARACTER_SETS)
def test_chinese_texts_are_in_their_script_and_have_one_word_for_a_villager(language: str) -> None:
    cards = names(json.loads(CATALOGUE_FILE.read_text("utf-8")), language)
    assert cards
    everything = "".join(
        [*cards, *(form for forms in texts(language).values() for form in forms.values())]
    )
    chinese = {character for character in everything if "\u3400" <= character <= "\u9fff"}

    others = {character for character in chinese if not fits(character, language)}
    assert others <= RARE, others
    assert OTHER_WORD not in everything


def test_the_character_sets_tell_the_scripts_apart() -> None:
    assert [fits("雪", language) for language in CHARACTER_SETS] == [True, True]
    assert [fits("风", language) for language in CHARACTER_SETS] == [True, False]
    assert [fits("風", language) for language in CHARACTER_SETS] == [False, True]
