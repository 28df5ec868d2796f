"""Chapters of the guide: one Markdown file, shown as several pages of readable length."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from service.docs.layout import HOME
from service.docs.markdown import Heading, RenderedMarkdown, render

SOURCE: Final = "service/docs/guide.md"


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some sections of the guide.

    Attributes:
        name: path below ``/docs/``.
        title: title of the page.
        first: heading of its first section; it ends before the first section of the next chapter.
        description: one line for the index.
    """

    name: str
    title: str
    first: str
    description: str

    @property
    def address(self) -> str:
        """URL path of the page."""
        return HOME + self.name


START: Final = Chapter("guide", "Guide", "", "For app developers: a first hint, and all chapters.")
CHAPTERS: Final = (
    START,
    Chapter(
        "guide/round",
        "Play a round of Snow Time",
        "Play a round of Snow Time",
        "From the first position to the resolved round, in four languages.",
    ),
    Chapter(
        "guide/turn",
        "Play a turn",
        "Play a turn of Slopecrashers",
        "Slopecrashers and Snowcrest: decisions, draws, and the resolved turn.",
    ),
    Chapter(
        "guide/hints",
        "Work with hints",
        "Work with hints",
        "Values, opponents, reasons, hint levels, effort and time.",
    ),
    Chapter(
        "guide/reviews",
        "Review a game",
        "Review a game",
        "What each decision lost, luck and skill, and progress.",
    ),
    Chapter(
        "guide/production",
        "Batches, errors and caching",
        "Send several requests at once",
        "What an app needs before its release.",
    ),
    Chapter(
        "guide/clients",
        "Clients",
        "Copy a thin client",
        "A client to copy, types, generated clients for other languages, and complete apps.",
    ),
)


def split(text: str) -> dict[str, str]:
    """Return the Markdown text of each chapter by its name.

    Raises:
        ValueError: if the guide has no section with which a chapter begins.
    """
    parts: dict[str, list[str]] = {START.name: []}
    by_heading = {chapter.first: chapter for chapter in CHAPTERS if chapter.first}
    current = START
    for section in _sections(text):
        [heading] = re.findall(r"\A#+ (.*)", section)
        if heading in by_heading:
            current = by_heading.pop(heading)
            parts[current.name] = []
        parts[current.name].append(section)
    if by_heading:
        raise ValueError(f"{SOURCE} has no section {', '.join(by_heading)}")
    return {chapter.name: _with_title(chapter, parts[chapter.name]) for chapter in CHAPTERS}


def anchors(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the address of each heading by its place in the source: ``guide.md#quickstart``."""
    return {
        f"{SOURCE}#{heading.anchor}": f"{HOME}{name}#{heading.anchor}"
        for name, text in texts.items()
        for heading in render(text, "", {}).headings
    }


def contents(texts: Mapping[str, str]) -> RenderedMarkdown:
    """Return the list of the other chapters.

    Each entry has the id that its heading had when the guide was one page, so that old links lead
    to the entry.
    """
    items = []
    for chapter in CHAPTERS[1:]:
        title, *sections = render(texts[chapter.name], "", {}).headings
        entries = "".join(_entry(chapter.address, section) for section in sections)
        link = f'<a href="{chapter.address}">{escape(chapter.title)}</a>'
        items.append(
            f'<li id="{escape(title.anchor)}">{link}: {escape(chapter.description)}'
            f"\n<ul>\n{entries}</ul></li>\n"
        )
    html = '<h2 id="chapters"><a href="#chapters">Chapters</a></h2>\n'
    html += f'<ul class="chapters">\n{"".join(items)}</ul>\n'
    return RenderedMarkdown(html, (Heading(2, "chapters", "Chapters"),))


def _entry(address: str, heading: Heading) -> str:
    anchor = escape(heading.anchor)
    return f'<li id="{anchor}"><a href="{address}#{anchor}">{escape(heading.text)}</a></li>\n'


def _sections(text: str) -> list[str]:
    """Return the text in parts that begin with a heading of the first or second level."""
    sections: list[list[str]] = []
    is_code = False
    for line in text.splitlines():
        is_code ^= line.startswith("```")
        if not is_code and line.startswith(("# ", "## ")):
            sections.append([])
        sections[-1].append(line)
    return ["\n".join(section) + "\n" for section in sections]


def _with_title(chapter: Chapter, sections: Sequence[str]) -> str:
    """Return a chapter with its title; the heading of an only section becomes the title."""
    if chapter is START:
        return "".join(sections)
    if len(sections) > 1:
        return f"# {chapter.title}\n\n{''.join(sections)}"
    return re.sub(r"^#(##? )", r"\1", sections[0], flags=re.MULTILINE)
