"""Chapters of the guide for app developers: a Markdown file each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Final

from service.docs.layout import HOME
from service.docs.markdown import Heading, RenderedMarkdown, render

FOLDER: Final = "service/docs/guide"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of the guide.

    Attributes:
        file: its text, in the folder of the guide.
        title: in the navigation.
        description: one line for the index.
    """

    file: str
    title: str
    description: str

    @property
    def source(self) -> str:
        """Path of the Markdown file in the repository."""
        return f"{FOLDER}/{self.file}.md"

    @property
    def name(self) -> str:
        """Path below ``/docs/``."""
        return "guide" if self is START else f"guide/{self.file}"


START: Final = Chapter("start", "Guide", "For app developers: a first hint, and all chapters.")
CHAPTERS: Final = (
    START,
    Chapter(
        "round",
        "Play a round of Snow Time",
        "Tutorial: from the first position to the end of a round.",
    ),
    Chapter("turn", "Play a turn", "Tutorial: a turn of Slopecrashers and one of Snowcrest."),
    Chapter("hint", "A hint, field by field", "What an app shows, and what it can read."),
    Chapter(
        "options", "Options of a hint", "Every field of the request: default, effect and cost."
    ),
    Chapter("hints", "Work with hints", "Opponents, grades, spoilers, weaker opponents and time."),
    Chapter("reviews", "Review a game", "What each decision lost, luck and skill, and progress."),
    Chapter("production", "Batches, errors and caching", "What an app needs before its release."),
    Chapter("clients", "Clients", "A client to copy, generated clients, and complete apps."),
    Chapter(
        "assistants", "Assistants at the table", "Photos and spoken sentences become positions."
    ),
)


def contents(text_of: Callable[[str], str]) -> RenderedMarkdown:
    """Return the list of the other chapters with their headings.

    Args:
        text_of: returns the Markdown text of a source.
    """
    items = []
    for chapter in CHAPTERS[1:]:
        _, *sections = render(text_of(chapter.source), "", {}).headings
        address = HOME + chapter.name
        entries = "".join(
            f'<li><a href="{address}#{escape(section.anchor)}">{escape(section.text)}</a></li>\n'
            for section in sections
            if section.level == 2
        )
        link = f'<a href="{address}">{escape(chapter.title)}</a>'
        items.append(f"<li>{link}: {escape(chapter.description)}\n<ul>\n{entries}</ul></li>\n")
    html = '<h2 id="chapters"><a href="#chapters">Chapters</a></h2>\n'
    html += f'<ul class="chapters">\n{"".join(items)}</ul>\n'
    return RenderedMarkdown(html, (Heading(2, "chapters", "Chapters"),))
