"""HTML sections that list all texts of the catalogue, in all languages side by side.

They are not Markdown, because each cell names its language (WCAG 3.1.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from service.core.languages import DEFAULT_LANGUAGE, LANGUAGE_NAMES, LANGUAGES
from service.docs.markdown import Heading, RenderedMarkdown
from service.docs.phrase_examples import examples
from service.texts.catalogue import texts

_TITLES: Final = {
    "snow-time.": "Snow Time",
    "slopecrashers.": "Slopecrashers",
    "snowcrest.": "Snowcrest",
    "rounds.": "All games of rounds",
    "turns.": "All games of turns",
    "spoken.": "Numbers",
    "page.": "The page",
    "page.slopecrashers.": "The page: Slopecrashers",
    "page.snowcrest.": "The page: Snowcrest",
    "": "Other texts",
}
"""Titles of sections in their order, by what the ids of their texts begin with."""


def phrase_sections() -> RenderedMarkdown:
    """Return a section with a table for each part of the catalogue."""
    by_section: dict[str, list[str]] = {prefix: [] for prefix in _TITLES}
    for text_id in texts(DEFAULT_LANGUAGE):
        by_section[max(filter(text_id.startswith, _TITLES), key=len)].append(text_id)
    sections = {prefix: ids for prefix, ids in by_section.items() if ids}
    return RenderedMarkdown(
        "".join(_section(prefix, ids) for prefix, ids in sections.items()),
        tuple(Heading(2, _anchor(prefix), _TITLES[prefix]) for prefix in sections),
    )


def _anchor(prefix: str) -> str:
    return f"texts-{prefix.rstrip('.').replace('.', '-')}"


def _section(prefix: str, ids: Sequence[str]) -> str:
    anchor, title = _anchor(prefix), escape(_TITLES[prefix])
    heads = "".join(f"<th>{escape(LANGUAGE_NAMES[language])}</th>" for language in LANGUAGES)
    rows = "".join(map(_row, ids))
    return (
        f'<h2 id="{anchor}"><a href="#{anchor}">{title}</a></h2>\n'
        f'<div class="wide table phrases" aria-label="{title}" tabindex="0" role="group">\n'
        f"<table>\n<thead><tr><th>Id</th>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )


def _row(text_id: str) -> str:
    cells = "".join(
        f'<td lang="{language}">{"<br>".join(map(escape, examples(text_id, language)))}</td>'
        for language in LANGUAGES
    )
    return f"<tr><td><code>{escape(text_id).replace('.', '.<wbr>')}</code></td>{cells}</tr>\n"
