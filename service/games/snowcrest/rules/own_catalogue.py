"""Parse the catalogue that a request may bring, for its number of players (C1, C2)."""

from __future__ import annotations

from typing import Any, Final

from service.core.violations import pointer
from service.games.common.fields import Document
from service.games.common.validation import INVALID, Violations
from service.games.snowcrest.catalogue.cards import Catalogue, GainKind
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE, parse_catalogue
from service.games.snowcrest.rules.state import JUNIPER_PER_PLAYER

_JUNIPER_GAINS: Final = (GainKind.JUNIPER, GainKind.ANY)


def parse_own_catalogue(raw: Document, violations: Violations, at: str) -> Catalogue | None:
    """Return the catalogue of the document, else the default one; None if it is invalid."""
    document = raw.get("catalogue")
    if document is None:
        return DEFAULT_CATALOGUE
    catalogue = parse_catalogue(document, violations, at + "/catalogue")
    if catalogue is not None and isinstance(raw["seats"], list):
        _check_forest(catalogue, len(raw["seats"]), violations, at + "/catalogue")
    return catalogue


def check_seat_decks(
    raw: Any, catalogue: Catalogue | None, violations: Violations, at: str
) -> None:
    """Check that each seat names a deck if the catalogue has several (C2)."""
    if catalogue is None:
        return
    names = [name for name, _ in catalogue.decks]
    for index, seat in enumerate(raw or ()):
        here = at + pointer(index, "deck")
        if not seat or seat.get("deck", "") is INVALID:
            continue
        given = seat.get("deck")
        if given is not None and not names:
            detail = "Remove `deck`: the catalogue has no `decks`, so all players have equal ones."
            violations.add(here, "no-decks", detail, "C2")
        elif given is None and names:
            detail = f"Add the deck of the player: one of {', '.join(names)}."
            violations.add(here, "deck-missing", detail, "C2")
        elif given is not None and given not in names:
            violations.unknown(here, "unknown-deck", "deck", given, names, "C2")


def _check_forest(catalogue: Catalogue, players: int, violations: Violations, at: str) -> None:
    """Check that no forest card gives all the juniper that reveals the next one (C2, C8)."""
    refill = JUNIPER_PER_PLAYER * players
    for index, card in enumerate(catalogue.forest):
        given = sum(gain.count for gain in card.reward if gain.what in _JUNIPER_GAINS)
        if given >= refill:
            detail = (
                f"A reward of {given} juniper takes all {refill} from the refilled forest, so "
                f"forest cards can follow without end. Reward at most {refill - 1} `juniper` and "
                "`any` together."
            )
            violations.add(at + pointer("forest", index, "reward"), "endless-reward", detail, "C2")
