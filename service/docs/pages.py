"""Pages of the documentation site, rendered once in each process.

The API reference and the search index follow at their first request, because the specification
takes some time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from service.api.assets import Asset, asset_of, json_asset
from service.api.openapi import published as openapi
from service.core.languages import DEFAULT_LANGUAGE
from service.docs import guide_chapters, reference
from service.docs.error_sections import error_sections
from service.docs.game_sections import game_sections
from service.docs.layout import (
    HOME,
    LANGUAGE_TITLES,
    PAGE,
    REFERENCE,
    SCHEMAS,
    SEARCHES,
    Link,
    html_document,
)
from service.docs.markdown import RenderedMarkdown, render, sections
from service.docs.phrase_sections import phrase_sections
from service.docs.rules.text import SOURCES, rules_text
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
        language: language of the text.
    """

    name: str
    title: str
    source: str
    description: str
    extend: Callable[[str], str] | None = None
    sections: Callable[[], RenderedMarkdown] | None = None
    play: str = PAGE
    language: str = DEFAULT_LANGUAGE

    @property
    def address(self) -> str:
        """URL path of the page."""
        return HOME + self.name


def _rules_pages() -> Iterator[Page]:
    """Yield the pages with the rules of each game in all languages that they are written in."""
    for name, definition in GAMES.items():
        for language, (title, description) in _RULES.items():
            source = f"{_folder(name)}/rules/{SOURCES[language]}"
            if (_ROOT / source).exists():
                yield Page(
                    f"{_PREFIXES[language]}rules/{name}",
                    title.format(game=definition.about["title"][language]),
                    source,
                    description,
                    partial(_with_game, definition=definition, language=language),
                    play=f"{PAGE}#{name}",
                    language=language,
                )


_PREFIXES: Final = {"en": "", "de": "de/"}
"""Beginning of the names of pages in each language."""
_RULES: Final = {
    "en": ("Rules of {game}", "The whole game, its variants, and numbered rulings with reasons."),
    "de": ("Regeln von {game}", "The same in German."),
}
"""Title and description of the rules pages in each language."""


def _with_game(text: str, definition: GameDefinition, language: str) -> str:
    """Return the complete rules; the English page also has the decisions, data and names."""
    rules = rules_text(text, definition, language)
    return f"{rules}\n{game_sections(definition)}" if language == DEFAULT_LANGUAGE else rules


def _with_errors(text: str) -> str:
    return f"{text}\n{error_sections()}"


def _folder(name: str) -> str:
    return f"service/games/{name.replace('-', '_')}"


def _contents() -> RenderedMarkdown:
    return guide_chapters.contents(_text)


def _text(source: str) -> str:
    return (_ROOT / source).read_text(encoding="utf-8")


PAGES: Final = (
    *(
        Page(
            chapter.name,
            chapter.title,
            chapter.source,
            chapter.description,
            sections=_contents if chapter is guide_chapters.START else None,
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
    *_rules_pages(),
    Page(
        "solver",
        "Solver",
        "service/solver/README.md",
        "The mathematics of the hints, with sources.",
    ),
    *(
        Page(
            f"evaluators/{name}",
            f"Evaluator of {definition.about['title']['en']}",
            f"{_folder(name)}/engine/evaluator.md",
            "How the service evaluates positions, how accurate it is, and how that was measured.",
        )
        for name, definition in GAMES.items()
        if (_ROOT / _folder(name) / "engine/evaluator.md").exists()
    ),
    Page(
        "comparisons",
        "Comparisons",
        "docs/comparisons.md",
        "What the difference between two choices consists of.",
    ),
    Page(
        "performance",
        "Performance",
        "docs/performance.md",
        "Every measurement of speed and strength, with the command that repeats it.",
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
    "boards.css": ("service/docs/boards/boards.css", "text/css; charset=utf-8"),
    "docs.js": ("service/docs/docs.js", "text/javascript; charset=utf-8"),
    "images/snow-time-evaluator.png": (f"{_folder('snow-time')}/engine/evaluator.png", "image/png"),
    "images/learning.png": ("docs/learning.png", "image/png"),
    "images/learning-wins.png": ("docs/learning-wins.png", "image/png"),
    **{
        f"examples/{name}": (f"docs/examples/{name}", "text/plain; charset=utf-8")
        for name in (
            *("winter_games.py", "winter_games.ts", "companion.py", "companion.ts"),
            "assistant.py",
        )
    },
    **{
        f"examples/{name}.json": (f"docs/examples/{name}.json", "application/json")
        for game in ("snow-time", "slopecrashers", "snowcrest")
        for name in (f"{game}-box", f"{game}-box.schema")
    },
}
"""Files that pages load or link to, by path below ``/docs/``: path in the repository, and type."""


LATE: Final = frozenset(
    address.removeprefix(HOME) for address in (REFERENCE, SCHEMAS, *SEARCHES.values())
)
"""Paths of the files that follow at their first request."""
_MAX_SECTION: Final = 500
"""Characters of a section in the search index."""


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """Return all pages, the style sheet and images by path below ``/docs/`` (index: empty)."""
    site = {
        name: asset_of((_ROOT / file).read_bytes(), kind) for name, (file, kind) in _FILES.items()
    }
    site[""] = _html_asset(html_document("Documentation", _index(), _navigation(), HOME))
    for page, content in _rendered():
        document = html_document(
            page.title,
            content,
            _navigation(),
            page.address,
            page.play,
            page.language,
            _translations(page),
        )
        site[page.name] = _html_asset(document)
    return site


def _translations(page: Page) -> list[Link]:
    """Return links to the same page in other languages."""
    name = page.name.removeprefix(_PREFIXES[page.language])
    return [
        Link(other.address, LANGUAGE_TITLES[other.language], other.language)
        for other in PAGES
        if other.name == _PREFIXES[other.language] + name and other is not page
    ]


@lru_cache(maxsize=1)
def late_assets() -> dict[str, Asset]:
    """Return the API reference and the search indexes by path below ``/docs/``."""
    document = openapi.document()
    late = {}
    found: dict[str, list[tuple[str, ...]]] = {language: [] for language in SEARCHES}
    for page, content in _rendered():
        found[page.language] += _found(page.address, page.title, content)
    for address, title, text in (
        (REFERENCE, "API reference", reference.routes(document)),
        (SCHEMAS, "Schemas", reference.schemas(document)),
    ):
        content = render(text, "", {})
        html = html_document(title, content, _navigation(), address)
        late[address.removeprefix(HOME)] = _html_asset(html)
        found[DEFAULT_LANGUAGE] += _found(address, title, content)
    for language, address in SEARCHES.items():
        late[address.removeprefix(HOME)] = json_asset(found[language])
    return late


def _found(address: str, title: str, content: RenderedMarkdown) -> list[tuple[str, ...]]:
    """Return the sections of a page for the search index."""
    return [
        (f"{address}#{heading.anchor}", title, heading.text, text[:_MAX_SECTION])
        for heading, text in sections(content)
    ]


def _navigation() -> list[Link]:
    """Return links to every page."""
    pages = [Link(page.address, page.title, page.language) for page in PAGES]
    return [*pages, Link(REFERENCE, "API reference"), Link(SCHEMAS, "Schemas")]


@lru_cache(maxsize=1)
def _rendered() -> tuple[tuple[Page, RenderedMarkdown], ...]:
    """Return every page with its content."""
    addresses = {page.source: page.address for page in reversed(PAGES)}
    addresses |= {file: HOME + name for name, (file, _) in _FILES.items()}
    addresses["openapi.yaml"] = REFERENCE
    rendered = []
    for page in PAGES:
        text = _text(page.source)
        if page.extend is not None:
            text = page.extend(text)
        content = render(text, page.source, addresses, page.language)
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
