"""Tables of the default cards of Snowcrest in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from service.docs.markdown_table import Table, markdown_table
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.catalogue.rendering import render_catalogue
from service.games.snowcrest.rules.payments.resources import ANY
from service.texts.catalogue import text

_HEADS: Final = {
    "en": {
        "starters": ("starter", "cost", "exhausted, at a rest", "actions"),
        "villagers": ("villager", "cost", "resources", "actions"),
        "spirits": ("card", "you give", "the others give", "you gain"),
        "challenges": ("challenge", "needed"),
    },
    "de": {
        "starters": ("Start-Bewohner", "Kosten", "erschöpft, beim Ruhen", "Aktionen"),
        "villagers": ("Bewohner", "Kosten", "Ressourcen", "Aktionen"),
        "spirits": ("Karte", "du gibst ab", "die anderen", "du erhältst"),
        "challenges": ("Herausforderung", "nötig"),
    },
}
_Card = Mapping[str, Any]
CARDS: Final = render_catalogue(DEFAULT_CATALOGUE)
"""The default cards by section, as documents."""


def action_words(action: _Card, language: str) -> str:
    """Return an action of a villager in words: its price and its effects."""
    effects = ", ".join(_effect(effect, language) for effect in action["effects"])
    return f"{_amounts(action['pay'], language)} → {effects}" if action.get("pay") else effects


def _table(
    section: str, heads: str, row: Callable[[_Card, str], Iterable[str]], language: str
) -> str:
    rows = ((_name(card, language), *row(card, language)) for card in CARDS[section])
    return markdown_table(_HEADS[language][heads], rows)


def _name(card: _Card, language: str) -> str:
    name: str = card["names"][language]
    copies = card.get("copies", 1)
    return f"{name} ({copies}×)" if copies > 1 else name


def _villager(card: _Card, language: str) -> Iterable[str]:
    shown = _amounts(card.get("icons") or card.get("back") or {}, language)
    if card.get("settles"):
        shown = ", ".join(filter(None, (shown, text("page.snowcrest.settles", language))))
    actions = (action_words(action, language) for action in card.get("actions", ()))
    return str(card["cost"]), shown or "–", "; ".join(actions) or "–"


def _effect(effect: _Card, language: str) -> str:
    kind, building = effect["type"], effect.get("building")
    named = "building" if building == ANY else building
    return text(
        f"page.snowcrest.effect.{'build-any' if (kind, building) == ('build', ANY) else kind}",
        language,
        amount=_amounts({effect["what"]: effect["count"]}, language) if "what" in effect else "",
        building=_amounts({named: 1}, language).removeprefix("1 ") if named else "",
        sets=" ↔ ".join(
            _amounts({each["what"]: each["count"]}, language) for each in effect.get("sets", ())
        ),
    )


def _spirit(card: _Card, language: str) -> Iterable[str]:
    return (_amounts(card[part], language) for part in ("own", "others", "reward"))


def _challenge(card: _Card, language: str) -> Iterable[str]:
    return (", ".join(_condition(each, language) for each in card["conditions"]),)


def _condition(condition: _Card, language: str) -> str:
    of = next((condition[key] for key in ("building", "resource", "kind") if key in condition), "")
    text_id = f"snowcrest.amount.{of}" if of else f"page.snowcrest.condition.{condition['type']}"
    return text(text_id, language, count=condition["at_least"])


def _amounts(amounts: Mapping[str, int], language: str) -> str:
    return ", ".join(
        text(f"snowcrest.amount.{what}", language, count=count) for what, count in amounts.items()
    )


CARD_TABLES: Final[Mapping[str, Table]] = {
    "table_starters": partial(_table, "starters", "starters", _villager),
    "table_villagers": partial(_table, "villagers", "villagers", _villager),
    "table_commons": partial(_table, "commons", "villagers", _villager),
    "table_guardians": partial(_table, "guardians", "spirits", _spirit),
    "table_forest": partial(_table, "forest", "spirits", _spirit),
    "table_challenges": partial(_table, "challenges", "challenges", _challenge),
}
"""Tables by the name of the placeholder."""
