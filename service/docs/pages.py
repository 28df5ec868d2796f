"""Pages of the documentation site, rendered once in each process.

The API reference and the search index follow at their first request, because the specification
takes some time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from service.api.assets import Asset, asset_of, json_asset
from service.api.openapi import published as openapi
from service.docs import guide_chapters, reference
from service.docs.error_sections import error_sections
from service.docs.game_sections import game_sections, link_rulings
from service.docs.layout import HOME, PAGE, REFERENCE, SCHEMAS, SEARCH, html_document
from service.docs.markdown import RenderedMarkdown, render, sections
from service.docs.phrase_sections import phrase_sections
from service.games.definition import GameDefinition
from service.games.registry import GAMES

_ROOT: Final = Path(__file__).resolve().parents[2]
_HTML: Final = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the site, rendered from a Markdown file.

    Attributes:
        name: path below ``/docs/``.
        title: title of the window and in the navigation.
        source: path of the Markdown file in the repository.
        description: one line for the index.
        extend: returns the Markdown text of the file with generated sections added.
        sections: returns generated sections that follow the text.
        play: address of the same on the web page that plays.
    """

    name: str
    title: str
    source: str
    description: str
    extend: Callable[[str], str] | None = None
    sections: Callable[[], RenderedMarkdown] | None = None
    play: str = PAGE

    @property
    def address(self) -> str:
        """URL path of the page."""
        return HOME + self.name


def _english_title(definition: GameDefinition) -> str:
    title: str = definition.about["title"]["en"]
    return title


def _with_game(text: str, definition: GameDefinition) -> str:
    """Return the text with rulings linked, and with rulings, data and names of the game added."""
    return f"{link_rulings(text, definition)}\n{game_sections(definition)}"


def _with_errors(text: str) -> str:
    return f"{text}\n{error_sections()}"


def _folder(name: str) -> str:
    return f"service/games/{name.replace('-', '_')}"


def _chapter(text: str, name: str) -> str:
    return guide_chapters.split(text)[name]


def _contents() -> RenderedMarkdown:
    return guide_chapters.contents(guide_chapters.split(_text(guide_chapters.SOURCE)))


def _text(source: str) -> str:
    return (_ROOT / source).read_text(encoding="utf-8")


PAGES: Final = (
    *(
        Page(
            chapter.name,
            chapter.title,
            guide_chapters.SOURCE,
            chapter.description,
            partial(_chapter, name=chapter.name),
            _contents if chapter is guide_chapters.START else None,
        )
        for chapter in guide_chapters.CHAPTERS
    ),
    Page(
        "errors",
        "Errors",
        "service/docs/errors.md",
        "Cause and remedy of every error code.",
        _with_errors,
    ),
    *(
        Page(
            f"rules/{name}",
            f"Rules of {_english_title(definition)}",
            f"{_folder(name)}/rules/rules.md",
            "Numbered rulings, decisions, default data, and names in four languages.",
            partial(_with_game, definition=definition),
            play=f"{PAGE}#{name}",
        )
        for name, definition in GAMES.items()
        if (_ROOT / _folder(name) / "rules/rules.md").exists()
    ),
    Page(
        "solver",
        "Solver",
        "service/solver/README.md",
        "The mathematics of the hints, with sources.",
    ),
    *(
        Page(
            f"evaluators/{name}",
            f"Evaluator of {_english_title(definition)}",
            f"{_folder(name)}/engine/evaluator.md",
            "How the service evaluates positions, how accurate it is, and how that was measured.",
        )
        for name, definition in GAMES.items()
        if (_ROOT / _folder(name) / "engine/evaluator.md").exists()
    ),
    Page(
        "operations",
        "Operations",
        "deploy/README.md",
        "For operators: settings, failures, monitoring and scaling.",
    ),
    Page(
        "texts",
        "Texts",
        "service/texts/README.md",
        "For translators: the catalogue of texts, and how to add or correct one.",
    ),
    Page(
        "phrases",
        "Phrases",
        "service/docs/phrases.md",
        "For translators: every sentence with an example, in all languages side by side.",
        sections=phrase_sections,
    ),
    Page(
        "core",
        "Core contracts",
        "service/core/README.md",
        "For developers of the service: the interfaces between games, solver and API.",
    ),
)

_FILES: Final = {
    "style.css": ("service/docs/style.css", "text/css; charset=utf-8"),
    "docs.js": ("service/docs/docs.js", "text/javascript; charset=utf-8"),
    "images/snow-time-evaluator.png": (f"{_folder('snow-time')}/engine/evaluator.png", "image/png"),
    **{
        f"examples/{name}": (f"docs/examples/{name}", "text/plain; charset=utf-8")
        for name in ("winter_games.py", "winter_games.ts", "companion.py", "companion.ts")
    },
}
"""Files that pages load or link to, by path below ``/docs/``: path in the repository, and type."""


LATE: Final = frozenset(address.removeprefix(HOME) for address in (REFERENCE, SCHEMAS, SEARCH))
"""Paths of the files that follow at their first request."""
_MAX_SECTION: Final = 600
"""Characters of a section in the search index."""


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """Return all pages, the style sheet and images by path below ``/docs/`` (index: empty)."""
    site = {
        name: asset_of((_ROOT / file).read_bytes(), kind) for name, (file, kind) in _FILES.items()
    }
    site[""] = _html_asset(html_document("Documentation", _index(), _navigation(), HOME))
    for page, content in _rendered():
        document = html_document(page.title, content, _navigation(), page.address, page.play)
        site[page.name] = _html_asset(document)
    return site


@lru_cache(maxsize=1)
def late_assets() -> dict[str, Asset]:
    """Return the API reference and the search index by path below ``/docs/``."""
    document = openapi.document()
    late = {}
    index = [
        (f"{page.address}#{heading.anchor}", page.title, heading.text, text[:_MAX_SECTION])
        for page, content in _rendered()
        for heading, text in sections(content)
    ]
    for address, title, text in (
        (REFERENCE, "API reference", reference.routes(document)),
        (SCHEMAS, "Schemas", reference.schemas(document)),
    ):
        content = render(text, "", {})
        html = html_document(title, content, _navigation(), address)
        late[address.removeprefix(HOME)] = _html_asset(html)
        index += [
            (f"{address}#{heading.anchor}", title, heading.text, text[:_MAX_SECTION])
            for heading, text in sections(content)
        ]
    late[SEARCH.removeprefix(HOME)] = json_asset(index)
    return late


def _navigation() -> list[tuple[str, str]]:
    """Return address and title of every page."""
    pages = [(page.address, page.title) for page in PAGES]
    return [*pages, (REFERENCE, "API reference"), (SCHEMAS, "Schemas")]


@lru_cache(maxsize=1)
def _rendered() -> tuple[tuple[Page, RenderedMarkdown], ...]:
    """Return every page with its content."""
    addresses = {page.source: page.address for page in reversed(PAGES)}
    addresses |= {file: HOME + name for name, (file, _) in _FILES.items()}
    addresses["openapi.yaml"] = REFERENCE
    addresses |= guide_chapters.anchors(guide_chapters.split(_text(guide_chapters.SOURCE)))
    rendered = []
    for page in PAGES:
        text = _text(page.source)
        if page.extend is not None:
            text = page.extend(text)
        content = render(text, page.source, addresses)
        if page.sections is not None:
            content += page.sections()
        rendered.append((page, content))
    return tuple(rendered)


def _index() -> RenderedMarkdown:
    """Return the index: a list of all pages and of the API reference."""
    lines = [f"- [{page.title}]({page.address}): {page.description}" for page in PAGES]
    text = "\n".join(
        [
            "# Documentation",
            "",
            "This service plays three winter board games by their rules and gives hints.",
            "",
            *lines,
            f"- [API reference]({REFERENCE}): every route, with an example.",
            f"- [Schemas]({SCHEMAS}): every field of every body.",
            "- [openapi.yaml](/openapi.yaml): the specification in OpenAPI 3.1.",
            "",
        ]
    )
    return render(text, "", {})


def _html_asset(document: str) -> Asset:
    return asset_of(document.encode(), _HTML)
