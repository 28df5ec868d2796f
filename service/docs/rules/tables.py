"""Tables of the rules pages in Markdown, generated from the constants of the games."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from service.docs.markdown_table import Table, markdown_table
from service.docs.rules.cards import CARD_TABLES
from service.games.slopecrashers.api.names import card_names
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK
from service.games.snowcrest.rules import solo
from service.games.snowcrest.rules.payments.resources import Resource
from service.games.snowcrest.rules.scoring import BUILDING_POINTS
from service.games.snowcrest.rules.setup import SCROLLS, set_up
from service.texts.catalogue import text

_NAMES: Final = ("anna", "bob", "cleo", "dan")
_HEADS: Final = {
    "en": {
        "deck": ("gift card", "cards"),
        "supplies": ("players", "scrolls", "starter variant", "challenges", "juniper"),
        "barley": ("place in turn order", "barley"),
        "difficulties": ("difficulty", "scrolls", "barley", "losing rest"),
        "buildings": ("buildings", "points"),
        "grades": ("points", "result"),
    },
    "de": {
        "deck": ("Geschenkkarte", "Karten"),
        "supplies": ("Personen", "Schriftrollen", "Einstieg", "Herausforderungen", "Wacholder"),
        "barley": ("Platz in der Zugfolge", "Gerste"),
        "difficulties": ("Schwierigkeit", "Schriftrollen", "Gerste", "Ruhen Nr."),
        "buildings": ("Gebäude", "Punkte"),
        "grades": ("Punkte", "Ergebnis"),
    },
}


def _deck(language: str) -> str:
    rows = ((card_names(card)[language], count) for card, count in DEFAULT_DECK.counts)
    return markdown_table(_HEADS[language]["deck"], rows)


def _supplies(language: str) -> str:
    rows = []
    for players in SCROLLS:
        state, simple = (
            set_up(_NAMES[:players], 0, starter_variant=variant) for variant in (False, True)
        )
        counts = (state.supply, simple.supply, len(state.challenges), state.juniper)
        rows.append((players, *counts))
    return markdown_table(_HEADS[language]["supplies"], rows)


def _barley(language: str) -> str:
    seats = set_up(_NAMES[: max(SCROLLS)], 0).seats
    rows = ((place, seat.tokens[Resource.BARLEY]) for place, seat in enumerate(seats, 1))
    return markdown_table(_HEADS[language]["barley"], rows)


def _difficulties(language: str) -> str:
    rows = []
    for level, limits in solo.DIFFICULTIES.items():
        state = set_up(_NAMES[:1], 0, difficulty=level)
        barley = state.seats[0].tokens[Resource.BARLEY]
        rows.append((level, state.supply, barley, limits.rests))
    return markdown_table(_HEADS[language]["difficulties"], rows)


def _buildings(language: str) -> str:
    return markdown_table(_HEADS[language]["buildings"], BUILDING_POINTS.items())


def _grades(language: str) -> str:
    """Return a row for each grade with its range of points, the lowest one first."""
    rising = [*reversed(solo.GRADES)]
    rows = [(f"< {rising[0][0]}", solo.CURSED)]
    for (least, code), (above, _) in pairwise(rising):
        rows.append((str(least) if above == least + 1 else f"{least}–{above - 1}", code))
    rows.append((f"≥ {rising[-1][0]}", rising[-1][1]))
    named = ((points, text(f"snowcrest.grade.{code}", language)) for points, code in rows)
    return markdown_table(_HEADS[language]["grades"], named)


TABLES: Final[Mapping[str, Mapping[str, Table]]] = {
    "slopecrashers": {"table_deck": _deck},
    "snowcrest": {
        "table_supplies": _supplies,
        "table_barley": _barley,
        "table_difficulties": _difficulties,
        "table_buildings": _buildings,
        "table_grades": _grades,
        **CARD_TABLES,
    },
}
"""Tables of each game, by the name of the placeholder."""
