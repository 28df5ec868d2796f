"""German articles and cases of the villagers of the game; those of own catalogues have none."""

from __future__ import annotations

from typing import Final

from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE

GERMAN: Final = "de"
_NAMES: Final = frozenset(
    dict(villager.names or ()).get(GERMAN, "") for villager in DEFAULT_CATALOGUE.villagers
)
_WOMEN: Final = ("in", "Nonne", "Gelehrte", "Kräuterkundige")
"""What names of women end with."""
_WEAK: Final = {"Novize": "Novizen"}
"""Names of men with an ending in the accusative."""


def with_article(name: str, language: str, *, accusative: bool) -> str:
    """Return a German name of the game with its article; any other name as it is.

    Args:
        name: in the nominative, without an article, such as "Oberster Abt".
        language: other languages have no such articles.
        accusative: "den Obersten Abt", else the nominative, "der Oberste Abt".
    """
    if language != GERMAN or name not in _NAMES:
        return name
    if name.endswith(_WOMEN):
        return f"die {name}"
    adjective, space, noun = name.rpartition(" ")
    # After "der" and "den", the adjective loses the ending of the gender.
    adjective = adjective.removesuffix("r") + ("n" if accusative and space else "")
    noun = _WEAK.get(noun, noun) if accusative else noun
    return f"{'den' if accusative else 'der'} {adjective}{space}{noun}"
