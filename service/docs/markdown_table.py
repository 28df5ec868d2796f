"""A table in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

Table: TypeAlias = Callable[[str], str]
"""Returns the Markdown of a table in a language."""


def markdown_table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table in Markdown.

    Args:
        heads: of the columns.
        rows: as many cells each; a cell must not contain ``|`` or a line break.
    """
    heads = tuple(heads)
    lines: list[Iterable[object]] = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
