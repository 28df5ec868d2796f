"""Write the templates of own boxes: ``python3 scripts/dev.py run scripts/export_boxes.py``.

What a box contains and no rule sheet states is data: a track, pieces, a deck, a catalogue.  For
each game, ``docs/examples`` has a complete document that the page and ``new`` take, and the JSON
Schema that explains its members in an editor.

With ``--check``, write nothing and fail if a committed file differs from the code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from service.api.openapi.document import build
from service.games.registry import GAMES
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE_DOCUMENT

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs/examples"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
REFERENCE: Final = "#/components/schemas/"
OPTIONS: Final = {"optional_watcher": False, "spared_champion": False}
PARTS: Final[dict[str, dict[str, Callable[[Any], Any]]]] = {
    "snow-time": {"track": lambda about: {**about["default_track"], **OPTIONS}},
    "slopecrashers": {
        "pieces": lambda about: about["default_pieces"],
        "deck": lambda about: about["default_deck"],
    },
    "snowcrest": {"catalogue": lambda _: DEFAULT_CATALOGUE_DOCUMENT},
}
"""For each game, the parts of a box, each with what returns the default."""

Document = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Return the exit code."""
    stale = []
    for path, text in files().items():
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
    if stale:
        command = "python3 scripts/dev.py run scripts/export_boxes.py"
        print(f"Out of date: {', '.join(stale)}. Run {command}")
    return 1 if stale else 0


def files() -> dict[Path, str]:
    """Return the text of each file."""
    components = build()["components"]["schemas"]
    texts: dict[Path, str] = {}
    for game, parts in PARTS.items():
        about = GAMES[game].about
        schema = f"{game}-box.schema.json"
        box = {"$schema": schema, **{name: default(about) for name, default in parts.items()}}
        texts[FOLDER / f"{game}-box.json"] = json.dumps(box, indent=1, ensure_ascii=False) + "\n"
        text = json.dumps(schema_of(game, tuple(parts), components), ensure_ascii=False)
        texts[FOLDER / schema] = text + "\n"
    return texts


def schema_of(game: str, parts: tuple[str, ...], components: Document) -> Document:
    """Return the JSON Schema of a box: the parts of the request ``new``, with all components."""
    word = "".join(part.capitalize() for part in game.split("-"))
    request = components[f"{word}NewRequest"]["properties"]
    properties = {"$schema": {"type": "string"}, **{name: request[name] for name in parts}}
    used: Document = {}
    waiting = _references(properties)
    while waiting:
        name = waiting.pop()
        if name not in used:
            used[name] = components[name]
            waiting |= _references(components[name])
    schema = {
        "$schema": DIALECT,
        "title": f"Own parts of a box of {GAMES[game].about['title']['en']}",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$defs": dict(sorted(used.items())),
    }
    moved: Document = _moved(schema)
    return moved


def _references(node: Any) -> set[str]:
    if isinstance(node, list):
        return {name for each in node for name in _references(each)}
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].removeprefix(REFERENCE)} if "$ref" in node else set()
    return own | {name for each in node.values() for name in _references(each)}


def _moved(node: Any) -> Any:
    """Return a schema whose references point to ``$defs``, without what only OpenAPI has."""
    if isinstance(node, list):
        return [_moved(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {name: _moved(each) for name, each in node.items() if name != "discriminator"}
    if isinstance(kept.get("$ref"), str):
        kept["$ref"] = kept["$ref"].replace(REFERENCE, "#/$defs/")
    return kept


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
