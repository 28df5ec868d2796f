"""Markdown sections from the API's description of a game: rulings, decisions, data and names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from service.core.languages import LANGUAGE_NAMES
from service.games.definition import GameDefinition
from service.operations import catalogue

_DEFAULT_DATA_PREFIX: Final = "default_"
"""Prefix of the fields of ``GET /v1/games/{game}`` that contain default data."""


def game_sections(definition: GameDefinition) -> str:
    """Return sections for the rulings, decisions, default data and names of a game.

    Every ruling has its own heading, so its number is the end of its address: ``#r4``.
    """
    description = catalogue.game(definition)
    address = f"/v1/games/{definition.game.name}"
    parts = [
        "## Rulings",
        f"Version {description['rules_version']} of the rules, from `GET {address}`. Events and "
        "errors cite a ruling as `rule`.",
        *(f"### {number}\n\n{text}" for number, text in description["rulings"].items()),
        "## Decisions",
        _table(("decision", "meaning"), _coded(description["decisions"].items())),
    ]
    defaults = {
        name: value for name, value in description.items() if name.startswith(_DEFAULT_DATA_PREFIX)
    }
    if defaults:
        parts.append("## Default data")
        parts.append("Our own work, not the publisher's. A state can contain other data instead.")
        for name, value in defaults.items():
            parts.append(f"### {name}")
            parts.append(_data(value))
    for name in ("kinds", "cards"):
        heads = ("code", *LANGUAGE_NAMES.values())
        rows = (
            (code, *(names[language] for language in LANGUAGE_NAMES))
            for code, names in description[name].items()
        )
        parts += [f"## Names of {name}", _table(heads, _coded(rows))]
    return "\n\n".join(parts) + "\n"


def link_rulings(text: str, definition: GameDefinition, address: str = "") -> str:
    """Return the Markdown text with a link from each ruling number to the ruling's heading.

    Args:
        text: the Markdown text.
        definition: the game with the rulings.
        address: of the page with the rulings; empty for the same page.
    """
    rulings = definition.about["rulings"]
    return re.sub(
        r"\b[A-Z]\d+\b",
        lambda number: (
            f"[{number[0]}]({address}#{number[0].lower()})" if number[0] in rulings else number[0]
        ),
        text,
    )


def _data(value: Any) -> str:
    """Return JSON data as Markdown: lists, tables of objects, and grids row by row."""
    match value:
        case [str(), *_]:
            return ", ".join(f"`{each}`" for each in value)
        case [dict() as first, *_]:
            return _table(tuple(first), (row.values() for row in value))
        case [list() as first, *_]:
            heads = ("row", *(f"lane {lane}" for lane in range(len(first))))
            return _table(heads, ((row, *lanes) for row, lanes in enumerate(value)))
        case dict() if not any(isinstance(each, dict | list) for each in value.values()):
            return _table(("name", "value"), _coded(value.items()))
        case dict():
            return "\n\n".join(f"`{name}`:\n\n{_data(each)}" for name, each in value.items())
    return str(value)


def _coded(rows: Iterable[Iterable[Any]]) -> Iterable[tuple[str, ...]]:
    """Format the first cell of each row as code."""
    for first, *rest in rows:
        yield (f"`{first}`", *(str(each) for each in rest))


def _table(heads: tuple[str, ...], rows: Iterable[Iterable[Any]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)
