"""Fill the text of a rules page: numbers, tables, rulings and links between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from service.core.languages import DEFAULT_LANGUAGE
from service.docs.rules.numbers import NUMBERS
from service.docs.rules.tables import TABLES
from service.games.definition import GameDefinition

SOURCES: Final = {"en": "rules.md", "de": "rules.de.md"}
"""File with the rules in each language, in the folder ``rules`` of a game."""
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
_HEADING: Final = re.compile(r"^### ([A-Z]\d+)$", re.MULTILINE)
_LINKABLE: Final = re.compile(r"^```.*?^```$|(?<!### )\b[A-Z]\d+\b", re.DOTALL | re.MULTILINE)
"""A ruling outside headings; a fenced block is matched as a whole, and no ruling."""


def filled(text: str, game: str, language: str) -> str:
    """Return the text with its placeholders filled in, such as ``{dice}`` and ``{table_deck}``.

    Raises:
        KeyError: if the game has no such number or table.
    """
    numbers, tables = NUMBERS.get(game, {}), TABLES.get(game, {})

    def value(placeholder: re.Match[str]) -> str:
        name = placeholder[1]
        return tables[name](language) if name in tables else str(numbers[name])

    return _PLACEHOLDER.sub(value, text)


def rules_text(text: str, definition: GameDefinition, language: str) -> str:
    """Return the complete Markdown text of a page with the rules of a game.

    The one-line texts of the rulings are those of the API; other languages have their own.
    """
    text = filled(text, definition.game.name, language)
    if language == DEFAULT_LANGUAGE:
        rulings: Mapping[str, str] = definition.about["rulings"]
        text = _HEADING.sub(lambda heading: f"{heading[0]}\n\n{rulings[heading[1]]}", text)
    return link_rulings(text, definition)


def link_rulings(text: str, definition: GameDefinition, address: str = "") -> str:
    """Return the Markdown text with a link from each ruling number to the ruling's heading.

    Args:
        text: the Markdown text.
        definition: the game with the rulings.
        address: of the page with the rulings; empty for the same page.
    """
    rulings = definition.about["rulings"]
    return _LINKABLE.sub(
        lambda number: (
            f"[{number[0]}]({address}#{number[0].lower()})" if number[0] in rulings else number[0]
        ),
        text,
    )
