"""Join the ES modules of the page into few scripts with source maps, and its style sheets into one.

A browser loads the script of the entry at once and each part when the page calls ``import()``.
The modules use a subset of the language that this module can join line by line; it raises a
``ValueError`` for anything else:

- Imports name what they import from a relative path, on one line:
  ``import { h, s as svg } from "./dom.js";``.
- Exports are declarations: ``export function``, ``export async function``, ``export class`` or
  ``export const``.
- Modules do not import each other in a circle, and no template literal spans lines.
- ``import("./game/part.js")`` begins a part, with the name of the folder. The entry does not wait
  for it before its own end (no top-level ``await``).
"""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_IMPORT: Final = re.compile(r'import \{ ([\w$, ]+) \} from "(\.{1,2}/[^"]+)";')
_PART: Final = re.compile(r'\bimport\("(\.{1,2}/[^"]+)"\)')
_EXPORT: Final = re.compile(r"export (?=(?:async )?(?:function|class|const) ([\w$]+))")
_COMMENT: Final = re.compile(r"^[ \t]*/\*(?:[^*]|\*(?!/))*\*/[ \t]*$", re.MULTILINE)
_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Line = tuple[str, str, int, int]
"""A line of the script: its text, and the path, line and column (from 0) that it comes from."""


@dataclass(frozen=True, slots=True)
class Script:
    """A joined script.

    Attributes:
        text: an ES module.
        source_map: where its lines come from, as a JSON document (version 3).
    """

    text: str
    source_map: str


def join_scripts(
    sources: Mapping[str, str],
    entry: str,
    *,
    name: str = "page.js",
    query: str = "",
    copied: str | None = None,
) -> dict[str, Script]:
    """Return scripts that together do what a module does, by name; that of the entry comes first.

    A module that only one part needs is in the script of that part, and a module of the copied
    folder is in the script of each part that needs it; all others are in the script of the entry.
    Lines without code and indentation are left out.

    Args:
        sources: text of every module by its path.
        entry: path of the module that no other one imports.
        name: of the script of the entry.
        query: appended to the addresses by which the scripts load each other.
        copied: beginning of the paths of modules that some parts share and others do not need;
            they have no state.

    Raises:
        ValueError: if a module uses what cannot be joined, or a module that is not copied imports
            one that is; it names the file.
        KeyError: if a module imports a path that is not in ``sources``.
    """
    shared = _in_order(sources, entry)
    parts = _parts(sources, shared)
    needed = Counter(path for part in parts.values() for path in part)
    # The order in which a part needs its modules suits all scripts.
    common = [
        path
        for part in parts.values()
        for path in part
        if needed[path] > 1 and not (copied and path.startswith(copied))
    ]
    ordered = list(dict.fromkeys([*shared[:-1], *common, entry]))
    for path in ordered:
        if not set(_in_order(sources, path)) <= {*ordered}:
            raise ValueError(f"{path}: imports a module of {copied}, which is in the parts only")
    imported = {path for part in parts.values() for path in part if path in ordered}
    exports = f"export {{ {', '.join(_name(path) for path in ordered if path in imported)} }};"
    end: list[Line] = [(exports, entry, 0, 0)] if imported else []
    scripts = {name: _script(sources, [*ordered], end=end, query=query, entry=entry)}
    for part, paths in parts.items():
        own = [path for path in paths if path not in ordered]
        used = [_name(path) for path in paths if path in ordered]
        begin: list[Line] = []
        if used:
            begin = [(f'import {{ {", ".join(used)} }} from "./{name}{query}";', part, 0, 0)]
        exported = ", ".join(_body(part, sources[part], query)[1])
        end = [(f"export const {{ {exported} }} = {_name(part)};", part, 0, 0)]
        scripts[part_name(part)] = _script(sources, own, begin=begin, end=end, query=query)
    return scripts


def _parts(sources: Mapping[str, str], paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the parts that modules begin, directly or by other parts, with their modules."""
    parts: dict[str, list[str]] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop(0)
        for target in _PART.findall(sources[path]):
            part = _resolved(target, path)
            if part not in parts:
                parts[part] = _in_order(sources, part)
                waiting += parts[part]
    return parts


def part_name(path: str) -> str:
    """Return the name of the script of a part."""
    return f"{posixpath.dirname(path)}.js"


def _script(
    sources: Mapping[str, str],
    paths: list[str],
    *,
    begin: Iterable[Line] = (),
    end: Iterable[Line] = (),
    query: str,
    entry: str | None = None,
) -> Script:
    """Return the modules in this order, between other lines."""
    lines = [*begin]
    for path in paths:
        body, exported = _body(path, sources[path], query)
        if path == entry:
            lines += [("{", path, 0, 0), *body, ("}", path, 0, 0)]
            continue
        last = f"return {{ {', '.join(exported)} }};}})();"
        lines += [(f"const {_name(path)} = (() => {{", path, 0, 0), *body, (last, path, 0, 0)]
    lines += end
    return Script("\n".join(text for text, *_ in lines) + "\n", _source_map(lines, paths))


def join_styles(sheets: Iterable[str]) -> str:
    """Return one style sheet without comments between rules and without indentation."""
    return "".join(map(stripped, sheets))


def stripped(source: str) -> str:
    """Return a script or a style sheet without indentation and without comments that fill lines."""
    lines = map(str.strip, _COMMENT.sub("", source).splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


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


def _body(path: str, source: str, query: str) -> tuple[list[Line], list[str]]:
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
        text = _PART.sub(
            lambda part: f'import("./{part_name(_resolved(part[1], path))}{query}")', text
        )
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
