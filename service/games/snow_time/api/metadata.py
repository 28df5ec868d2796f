"""Response of ``GET /v1/games/snow-time``: names, default track and rulings in our own words."""

from __future__ import annotations

from typing import Final

from service.core.vocabulary import EFFORTS, HINT_LEVELS, INCLUDES, MODELS, OBJECTIVES
from service.games.common.fields import Document
from service.games.snow_time.api.schema import TrackSchema
from service.games.snow_time.rules.state import (
    DECK,
    DICE,
    FRUIT_LEVELS,
    FRUIT_TOKENS,
    LEVELS,
    default_track,
)

RULES_VERSION: Final = "1"

TITLE: Final = {"en": "Snow Time", "de": "Snow Time", "zh-Hans": "雪之时", "zh-Hant": "雪之時"}

_SPECIALS: Final = {
    "healer": {"en": "Healer", "de": "Heiler", "zh-Hans": "治疗师", "zh-Hant": "治療師"},
    "watcher": {"en": "Watcher", "de": "Wächter", "zh-Hans": "警戒者", "zh-Hant": "警戒者"},
    "blizzard": {"en": "Blizzard", "de": "Schneesturm", "zh-Hans": "暴风雪", "zh-Hant": "暴風雪"},
}

KIND_NAMES: Final[dict[str, dict[str, str]]] = {
    "fight": {"en": "Fight", "de": "Kampf", "zh-Hans": "雪仗", "zh-Hant": "雪仗"},
    "fruit": {"en": "Fruit", "de": "Frucht", "zh-Hans": "水果", "zh-Hant": "水果"},
    "mana": {"en": "Mana", "de": "Mana", "zh-Hans": "魔力", "zh-Hant": "魔力"},
    "bonus": {"en": "Bonus", "de": "Bonus", "zh-Hans": "奖励", "zh-Hant": "獎勵"},
}

CARD_NAMES: Final[dict[str, dict[str, str]]] = {
    card.label: _SPECIALS.get(card.label)
    or {
        "en": f"Champion {card}",
        "de": f"Champion {card}",
        "zh-Hans": f"人物 {card}",
        "zh-Hant": f"人物 {card}",
    }
    for card in DECK
}

_DECISIONS: Final = {
    "card": "Every seat chooses a card of its hand; all cards are revealed together.",
    "watcher": "Every seat that revealed its watcher adds another card of its hand.",
    "healer": "Every seat that played its healer chooses the champions that it takes back.",
}

RULINGS: Final = {
    "R1": "The track is data: a state may bring its own; otherwise the default track applies.",
    "R2": "A seat that revealed its watcher must add a card.",
    "R3": "The added card may be any other card of the hand, healer and blizzard included.",
    "R4": "A healer takes back up to two own discarded champions, or all seven if all seven are "
    "discarded.",
    "R5": "A blizzard discards every champion played this round, including added ones.",
    "R6": "Levels are resolved from 7 down to 1: fight and fruit of a level before the next level.",
    "R7": "All bonus advances of a round happen simultaneously.",
    "R8": "A bonus advance is automatic.",
    "R9": "A marker stops at the last space; points are still counted as awarded.",
    "R10": "Seats that reach the last space by the same award share the win.",
    "R11": "If the game ends during a round, champions on the tree return to hand and fruit on the "
    "tree stays.",
    "R12": "With two players, watcher and healer concern their own seat's cards only.",
}


def metadata() -> Document:
    """Return everything that an app needs to know about the game besides its endpoints."""
    return {
        "game": "snow-time",
        "title": TITLE,
        "rules_version": RULES_VERSION,
        "players": {"min": 2, "max": 5, "seats_each": {"2": 2, "3": 1, "4": 1, "5": 1}},
        "cards": CARD_NAMES,
        "kinds": KIND_NAMES,
        "decisions": _DECISIONS,
        "levels": LEVELS,
        "fruit": {"tokens": FRUIT_TOKENS, "levels": FRUIT_LEVELS, "dice": DICE},
        "default_track": TrackSchema().dump(default_track()),
        "rulings": RULINGS,
        "suggest": {
            "objectives": list(OBJECTIVES),
            "efforts": list(EFFORTS),
            "models": list(MODELS),
            "hint_levels": list(HINT_LEVELS),
            "include": list(INCLUDES),
        },
    }
