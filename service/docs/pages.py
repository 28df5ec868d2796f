"""Pages of the documentation site, rendered once in each process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from service.api.assets import Asset, asset_of
from service.docs.error_sections import error_sections
from service.docs.game_sections import game_sections, link_rulings
from service.docs.layout import HOME, REFERENCE, html_document
from service.docs.markdown import RenderedMarkdown, render
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
    """

    name: str
    title: str
    source: str
    description: str
    extend: Callable[[str], str] | None = None
    sections: Callable[[], RenderedMarkdown] | None = None

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


PAGES: Final = (
    Page(
        "guide",
        "Guide",
        "service/docs/guide.md",
        "For app developers: quickstart, tasks, errors, caching and compatibility.",
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
        )
        for name, definition in GAMES.items()
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
    "images/snow-time-evaluator.png": (f"{_folder('snow-time')}/engine/evaluator.png", "image/png"),
}
"""Files that pages load: path below ``/docs/`` -> (path in the repository, media type)."""


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """Return all pages, the style sheet and images by path below ``/docs/`` (index: empty)."""
    addresses = {page.source: page.address for page in PAGES}
    addresses |= {file: HOME + name for name, (file, _) in _FILES.items()}
    addresses["openapi.yaml"] = REFERENCE
    navigation = [(page.address, page.title) for page in PAGES]
    navigation.append((REFERENCE, "API reference"))
    site = {
        name: asset_of((_ROOT / file).read_bytes(), kind) for name, (file, kind) in _FILES.items()
    }
    site[""] = _html_asset(html_document("Documentation", _index(), navigation, HOME))
    for page in PAGES:
        text = (_ROOT / page.source).read_text(encoding="utf-8")
        if page.extend is not None:
            text = page.extend(text)
        content = render(text, page.source, addresses)
        if page.sections is not None:
            content += page.sections()
        document = html_document(page.title, content, navigation, page.address)
        site[page.name] = _html_asset(document)
    return site


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
            f"- [API reference]({REFERENCE}): every route, with a form to send requests.",
            "- [openapi.yaml](/openapi.yaml): the specification in OpenAPI 3.1.",
            "",
        ]
    )
    return render(text, "", {})


def _html_asset(document: str) -> Asset:
    return asset_of(document.encode(), _HTML)
