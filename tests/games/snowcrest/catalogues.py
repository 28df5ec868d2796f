"""Random catalogues of Snowcrest, parsed, for comparisons of the rules."""

from __future__ import annotations

import copy
from itertools import cycle, islice
from random import Random
from typing import Any

from expensive import catalogues

from service.games.common.validation import Violations, validate_shape
from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.catalogue.parsing import parse_catalogue
from service.games.snowcrest.catalogue.schema import CatalogueSchema


def random_catalogue(random: Random, players: int) -> Catalogue:
    """Return a legal catalogue for a number of players with random cards of all kinds.

    Half of them have several decks.
    """
    document = catalogues.random_catalogue(random, players)
    # From other random numbers, so that every seed keeps its cards.
    more = Random(repr(sorted(card["id"] for card in document["villagers"])))
    return parsed(with_decks(document, more) if more.random() < 0.5 else document)


def parsed(document: Any) -> Catalogue:
    shaped, faults = validate_shape(CatalogueSchema(), document)
    violations = Violations(faults)
    return violations.require(parse_catalogue(shaped, violations, ""))


def with_decks(document: Any, random: Random, names: tuple[str, ...] = ("red", "blue")) -> Any:
    """Return a catalogue in which each colour has own starters and some of the villagers."""
    changed = copy.deepcopy(document)
    changed["starters"] = [
        card | {"id": f"{name}-{card['id']}"[:32]}
        for name in names
        for card in document["starters"]
    ]
    first = [card["id"] for card in changed["starters"]]
    others = [card["id"] for card in document["villagers"]]
    changed["decks"] = {
        name: [
            *first[4 * place : 4 * place + 4],
            *random.sample(others, random.randint(min(3, len(others)), len(others))),
        ]
        for place, name in enumerate(names)
    }
    return changed


def decks_for(catalogue: Catalogue | None, players: int) -> list[str | None]:
    """Return a deck for each player."""
    names = [name for name, _ in catalogue.decks] if catalogue else []
    return list(islice(cycle(names or [None]), players))
