"""Which pages there are, and everything below ``/docs`` as it is sent: made once a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from service.api.assets import Asset, asset_of
from service.docs.layout import HOME, REFERENCE, framed
from service.docs.markdown import Rendered, render
from service.docs.rulings import chapters, cited
from service.games.definition import GameDefinition
from service.games.registry import GAMES

_ROOT: Final = Path(__file__).resolve().parents[2]
_HTML: Final = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown file and its address.

    Attributes:
        name: its path below ``/docs/``.
        title: as lists of pages have it.
        source: its path in the repository.
        about: a line on what it has.
        game: whose rulings and names follow what the file says.
    """

    name: str
    title: str
    source: str
    about: str
    game: GameDefinition | None = None

    @property
    def address(self) -> str:
        return HOME + self.name


def _titled(entry: GameDefinition) -> str:
    title: str = entry.about["title"]["en"]
    return title


def _folder(name: str) -> str:
    return f"service/games/{name.replace('-', '_')}"


PAGES: Final = (
    Page(
        "guide",
        "Guide",
        "service/docs/guide.md",
        "For developers of apps: a first hint, a round, a turn, and what to rely on.",
    ),
    *(
        Page(
            f"rules/{name}",
            f"Rules of {_titled(entry)}",
            f"{_folder(name)}/rules/rules.md",
            "What the service plays by: numbered rulings, data that is ours, names in three "
            "languages.",
            entry,
        )
        for name, entry in GAMES.items()
    ),
    Page(
        "solver",
        "Solver",
        "service/solver/README.md",
        "How hints are found: the mathematics, and where it is from.",
    ),
    *(
        Page(
            f"evaluators/{name}",
            f"Evaluator of {_titled(entry)}",
            f"{_folder(name)}/engine/evaluator.md",
            "How well positions are judged, and how that was measured.",
        )
        for name, entry in GAMES.items()
    ),
    Page(
        "operations",
        "Operations",
        "deploy/README.md",
        "For operators: settings, faults, what to watch, growing.",
    ),
    Page(
        "house",
        "House",
        "service/core/README.md",
        "For developers of the service: the contracts that everything else keeps to.",
    ),
)

_FILES: Final = {
    "style.css": ("service/docs/style.css", "text/css; charset=utf-8"),
    "images/snow-time-evaluator.png": (f"{_folder('snow-time')}/engine/evaluator.png", "image/png"),
}
"""What pages load: by its path below ``/docs/``, the file in the repository and its type."""


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """All pages and what they load, by their paths below ``/docs/``; the index is ``""``."""
    addresses = {page.source: page.address for page in PAGES}
    addresses |= {file: HOME + name for name, (file, _) in _FILES.items()}
    addresses["openapi.yaml"] = REFERENCE
    listed = [(page.address, page.title) for page in PAGES]
    listed.append((REFERENCE, "API reference"))
    made = {
        name: asset_of((_ROOT / file).read_bytes(), kind) for name, (file, kind) in _FILES.items()
    }
    made[""] = _html(framed("Documentation", _index(), listed, HOME))
    for page in PAGES:
        text = (_ROOT / page.source).read_text(encoding="utf-8")
        if page.game is not None:
            text = f"{cited(text, page.game)}\n{chapters(page.game)}"
        content = render(text, page.source, addresses)
        made[page.name] = _html(framed(page.title, content, listed, page.address))
    return made


def _index() -> Rendered:
    """What there is to read, and where the service itself is."""
    lines = [f"- [{page.title}]({page.address}): {page.about}" for page in PAGES]
    text = "\n".join(
        [
            "# Documentation",
            "",
            "A service that plays winter board games by their rules and gives hints.",
            "",
            *lines,
            f"- [API reference]({REFERENCE}): every route, to be tried out.",
            "- [openapi.yaml](/openapi.yaml): the same for machines (OpenAPI 3.1).",
            "",
        ]
    )
    served = [page.address for page in PAGES] + [REFERENCE, "/openapi.yaml"]
    return render(text, "", {address: address for address in served})


def _html(document: str) -> Asset:
    return asset_of(document.encode(), _HTML)
