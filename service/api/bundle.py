"""Join the ES modules of the page into one script with a source map, and its style sheets into one.

The modules use a part of the language that this module can join line by line; it raises a
``ValueError`` for anything else:

- Imports name what they import from a relative path, on one line:
  ``import { h, s as svg } from "./dom.js";``.
- Exports are declarations: ``export function``, ``export async function``, ``export class`` or
  ``export const``.
- Modules do not import each other in a circle, and no template literal spans lines.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Final

_IMPORT: Final = re.compile(r'import \{ ([\w$, ]+) \} from "(\.{1,2}/[^"]+)";')
_EXPORT: Final = re.compile(r"export (?=(?:async )?(?:function|class|const) ([\w$]+))")
_COMMENT: Final = re.compile(r"^[ \t]*/\*(?:[^*]|\*(?!/))*\*/[ \t]*$", re.MULTILINE)
_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Line = tuple[str, str, int, int]
"""A line of the script: its text, and the path, line and column (from 0) that it comes from."""


def join_scripts(sources: Mapping[str, str], entry: str) -> tuple[str, str]:
    """Return one ES module that does what a module does, and its source map (version 3).

    Lines without code and indentation are left out.

    Args:
        sources: text of every module by its path.
        entry: path of the module that no other one imports.

    Raises:
        ValueError: if a module uses what cannot be joined; it names the file and the line.
        KeyError: if a module imports a path that is not in ``sources``.
    """
    lines: list[Line] = []
    paths = _in_order(sources, entry)
    for path in paths:
        body, exported = _body(path, sources[path])
        end = f"return {{ {', '.join(exported)} }};}})();"
        begin = "{" if path == entry else f"const {_name(path)} = (() => {{"
        lines += [(begin, path, 0, 0), *body, ("}" if path == entry else end, path, 0, 0)]
    return "\n".join(text for text, *_ in lines) + "\n", _source_map(lines, paths)


def join_styles(sheets: Iterable[str]) -> str:
    """Return one style sheet without comments between rules and without indentation."""
    lines = (line.strip() for sheet in sheets for line in _COMMENT.sub("", sheet).splitlines())
    return "\n".join(filter(None, lines)) + "\n"


def _in_order(sources: Mapping[str, str], entry: str) -> list[str]:
    """Return the modules that the entry needs, each after the modules that it imports."""
    ordered: list[str] = []
    open_paths: list[str] = []

    def visit(path: str) -> None:
        if path in ordered:
            return
        if path in open_paths:
            raise ValueError(f"modules import each other: {' -> '.join([*open_paths, path])}")
        open_paths.append(path)
        for _, target in _IMPORT.findall(sources[path]):
            visit(_resolved(target, path))
        open_paths.pop()
        ordered.append(path)

    visit(entry)
    return ordered


def _body(path: str, source: str) -> tuple[list[Line], list[str]]:
    """Return the lines of a module with its imports resolved, and the names that it exports."""
    # A comment leaves its line breaks, so that the numbers of lines stay.
    without_comments = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source)
    body: list[Line] = []
    exported: list[str] = []
    for number, line in enumerate(without_comments.splitlines()):
        text = line.strip()
        if not text or text.startswith("//"):
            continue
        if text.count("`") % 2:
            raise ValueError(f"{path}:{number + 1}: a template literal spans lines")
        import_ = _IMPORT.fullmatch(line)
        export = _EXPORT.match(line)
        if import_:
            names = import_[1].replace(" as ", ": ")
            text = f"const {{ {names} }} = {_name(_resolved(import_[2], path))};"
        elif export:
            exported.append(export[1])
            text = text[export.end() :]
        elif re.match(r"(?:import|export)\b", line):
            raise ValueError(f"{path}:{number + 1}: cannot join this import or export")
        body.append((text, path, number, len(line) - len(line.lstrip())))
    return body, exported


def _resolved(target: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _name(path: str) -> str:
    """Return the variable with the exports of a module; no source has a name like this."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _source_map(lines: Iterable[Line], paths: list[str]) -> str:
    """Return the source map: each line of the script comes from one line of a module."""
    indices = {path: index for index, path in enumerate(paths)}
    mappings = []
    before = (0, 0, 0)
    for _, path, line, column in lines:
        place = (indices[path], line, column)
        steps = (new - old for new, old in zip(place, before, strict=True))
        mappings.append("A" + "".join(map(_vlq, steps)))
        before = place
    document = {"version": 3, "sources": paths, "names": [], "mappings": ";".join(mappings)}
    return json.dumps(document)


def _vlq(number: int) -> str:
    """Return a number as a variable-length quantity in base 64 (ECMA-426)."""
    rest = -number << 1 | 1 if number < 0 else number << 1
    digits = ""
    while True:
        digit, rest = rest & 31, rest >> 5
        digits += _BASE64[digit | 32 if rest else digit]
        if not rest:
            return digits
