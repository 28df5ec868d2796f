"""Markdown sections from the API's description of a game: decisions, data and names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from service.core.languages import LANGUAGE_NAMES
from service.docs.markdown_table import markdown_table
from service.games.definition import GameDefinition
from service.operations import catalogue

_DEFAULT_DATA_PREFIX: Final = "default_"
"""Prefix of the fields of ``GET /v1/games/{game}`` that contain default data."""


def game_sections(definition: GameDefinition) -> str:
    """Return sections for the decisions, default data and names of a game."""
    description = catalogue.game(definition)
    parts = [
        "## Decisions",
        f"Decisions, data and names are those of `GET /v1/games/{definition.game.name}`.",
        markdown_table(("decision", "meaning"), _coded(description["decisions"].items())),
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
        parts += [f"## Names of {name}", markdown_table(heads, _coded(rows))]
    return "\n\n".join(parts) + "\n"


def _data(value: Any) -> str:
    """Return JSON data as Markdown: lists, tables of objects, and grids row by row."""
    match value:
        case [str(), *_]:
            return ", ".join(f"`{each}`" for each in value)
        case [dict() as first, *_]:
            return markdown_table(tuple(first), (row.values() for row in value))
        case [list() as first, *_]:
            heads = ("row", *(f"lane {lane}" for lane in range(len(first))))
            return markdown_table(heads, ((row, *lanes) for row, lanes in enumerate(value)))
        case dict() if not any(isinstance(each, dict | list) for each in value.values()):
            return markdown_table(("name", "value"), _coded(value.items()))
        case dict():
            return "\n\n".join(f"`{name}`:\n\n{_data(each)}" for name, each in value.items())
    return str(value)


def _coded(rows: Iterable[Iterable[Any]]) -> Iterable[tuple[str, ...]]:
    """Format the first cell of each row as code."""
    for first, *rest in rows:
        yield (f"`{first}`", *(str(each) for each in rest))
