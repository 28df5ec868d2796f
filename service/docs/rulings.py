"""What a game tells of itself, as Markdown, so that its page cannot drift from the API."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from service.games.definition import GameDefinition
from service.operations import catalogue

_LANGUAGES: Final = {"en": "English", "de": "German", "zh": "Chinese"}
_HOUSE: Final = "house_"
"""What members of ``GET /v1/games/{game}`` begin with that hold data of ours."""


def chapters(entry: GameDefinition) -> str:
    """Rulings, house data, decisions and names of a game, each under a heading of its own.

    Every ruling has a heading, so that its number is the end of its address: ``#r4``.
    """
    told = catalogue.game(entry)
    address = f"/v1/games/{entry.game.name}"
    parts = [
        "## Rulings",
        f"Version {told['rules_version']} of the rules, as `GET {address}` tells them. Events and "
        "faults cite them as `rule`.",
        *(f"### {number}\n\n{text}" for number, text in told["rulings"].items()),
        "## Decisions",
        _table(("decision", "who decides what"), _coded(told["decisions"].items())),
    ]
    house = {name: value for name, value in told.items() if name.startswith(_HOUSE)}
    if house:
        parts.append("## House data")
        parts.append("Ours, not the publisher's; a state that brings its own does without them.")
        for name, value in house.items():
            parts.append(f"### {name}")
            parts.append(_data(value))
    for name in ("kinds", "cards"):
        heads = ("code", *_LANGUAGES.values())
        rows = ((code, *(names[each] for each in _LANGUAGES)) for code, names in told[name].items())
        parts += [f"## Names of {name}", _table(heads, _coded(rows))]
    return "\n\n".join(parts) + "\n"


def cited(text: str, entry: GameDefinition) -> str:
    """The Markdown text with each ruling that it names linked to its heading."""
    rulings = entry.about["rulings"]
    return re.sub(
        r"\b[A-Z]\d+\b",
        lambda named: f"[{named[0]}](#{named[0].lower()})" if named[0] in rulings else named[0],
        text,
    )


def _data(value: Any) -> str:
    """Data as tables: objects by their members, grids by their rows."""
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
    """The first of each row as code."""
    for first, *rest in rows:
        yield (f"`{first}`", *(str(each) for each in rest))


def _table(heads: tuple[str, ...], rows: Iterable[Iterable[Any]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)
