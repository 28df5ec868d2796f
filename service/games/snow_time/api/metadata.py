"""Response of ``GET /v1/games/snow-time``: names, default track and rulings in our own words."""

from __future__ import annotations

from typing import Final

from service.core.languages import LANGUAGES
from service.core.vocabulary import EFFORTS, HINT_LEVELS, INCLUDES, MODELS, OBJECTIVES
from service.games.common.fields import Document
from service.games.snow_time.api.schema import TrackSchema
from service.games.snow_time.rules.resolution import POINT_KINDS
from service.games.snow_time.rules.state import (
    DECK,
    DICE,
    FRUIT_LEVELS,
    FRUIT_TOKENS,
    LEVELS,
    default_track,
)
from service.texts.catalogue import text, translations

RULES_VERSION: Final = "2"

_DECISIONS: Final = {
    "card": "Every seat chooses a card of its hand; all cards are revealed together.",
    "watcher": "Every seat that revealed its watcher adds another card of its hand. If the track "
    "says so, it may add none.",
    "healer": "Every seat that played its healer chooses the champions that it takes back.",
}

RULINGS: Final = {
    "R1": "The track is data: a state may bring its own; otherwise the default track applies.",
    "R2": "A seat that revealed its watcher must add a card, unless an option of the track lets it "
    "add none.",
    "R3": "The added card may be any other card of the hand, healer and blizzard included.",
    "R4": "A healer takes back up to two own discarded champions, or all seven if all seven are "
    "discarded.",
    "R5": "A blizzard discards every champion played this round, including added ones, unless an "
    "option of the track spares these.",
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
        "title": translations("snow-time.title"),
        "rules_version": RULES_VERSION,
        "players": {"min": 2, "max": 5, "seats_each": {"2": 2, "3": 1, "4": 1, "5": 1}},
        "cards": {
            card.label: {each: card_name(card.label, each) for each in LANGUAGES} for card in DECK
        },
        "kinds": {kind: translations(f"snow-time.kind.{kind}") for kind in POINT_KINDS},
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


def card_name(label: str, language: str) -> str:
    """Return the name of a card."""
    if label.isdecimal():
        return text("snow-time.card.champion", language, level=label)
    return text(f"snow-time.card.{label}", language)
