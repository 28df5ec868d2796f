"""What ``GET /v1/games/slopecrashers`` tells: names, house data, rulings in our own words."""

from __future__ import annotations

from typing import Final

from service.core.vocabulary import EFFORTS
from service.games.common.turn_request_schema import TURN_OBJECTIVES
from service.games.common.validation import Document
from service.games.slopecrashers.api.names import GIFT_NAMES
from service.games.slopecrashers.api.responses import default_set
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK, card_label

RULES_VERSION: Final = "1"

TITLE: Final = {"en": "Slopecrashers", "de": "Slopecrashers", "zh": "Slopecrashers"}

_KINDS: Final = {
    "plain": {"en": "Snow", "de": "Schnee", "zh": "雪地"},
    "gift": {"en": "Gift", "de": "Geschenk", "zh": "禮物"},
    "boost": {"en": "Boost", "de": "Schub", "zh": "加速"},
    "abyss": {"en": "Abyss", "de": "Abgrund", "zh": "深淵"},
    "obstacle": {"en": "Obstacle", "de": "Hindernis", "zh": "障礙"},
}

_OR: Final = {"en": " or ", "de": " oder ", "zh": "或"}

_DECISIONS: Final = {
    "place": "The player's first turn: where the character begins on row 0.",
    "turn": "The player steps, plays or discards the top gift, or ends the turn.",
    "answer": "An attacked player uses the magnet on top of the stack, or does not.",
    "draw": "Nobody decides: a gift has to be drawn.",
}

RULINGS: Final = {
    "S1": "Track and deck are data: a state may bring its own, else the house set is used.",
    "S2": "Fields are plain, gift, boost, abyss or obstacle; rows count from 0 along the course.",
    "S3": "The first turn begins with placing the character on row 0, which is no movement.",
    "S4": "Both laps use one board; only a step or a spring crosses the line.",
    "S5": "After every atom it must be certain that the turn can end on a free space.",
    "S6": "Gift and boost fields act whenever entered, unless somebody else stands there.",
    "S7": "A spring jumps straight over exactly one space, without a movement.",
    "S8": "Black ice slides the neighbours up to two spaces away.",
    "S9": "A rocket hits the first character ahead in the lane; obstacles and snowmen stop it.",
    "S10": "Who leads and who is last is counted where everybody stands when a card is played.",
    "S11": "Missing a turn and being stung are flags; turns that are missed are passed over.",
    "S12": "A snowman costs whoever runs into it the next turn.",
    "S13": "A magnet on top of the stack foils one attack; all answer before it takes effect.",
    "S14": "Gifts are used or discarded from the top; a dual card is used as one of its two.",
    "S15": "The pile and the unknown gifts are one pool, the deck less all known cards.",
    "S16": "Who first leaves the last row on the second lap wins at once.",
    "S17": "A whole turn is resolved with its answers and draws, told or drawn from a seed.",
}


def about() -> Document:
    """Everything an app needs to know about the game besides its routes."""
    cards = {card_label((gift,)): names for gift, names in GIFT_NAMES.items()}
    duals = [card for card, _ in DEFAULT_DECK.counts if len(card) > 1]
    for card in duals:
        cards[card_label(card)] = {
            language: joint.join(GIFT_NAMES[gift][language] for gift in card)
            for language, joint in _OR.items()
        }
    return {
        "game": "slopecrashers",
        "title": TITLE,
        "rules_version": RULES_VERSION,
        "players": {"min": 2, "max": 6},
        "cards": cards,
        "kinds": _KINDS,
        "decisions": _DECISIONS,
        "rulings": RULINGS,
        **default_set(),
        "suggest": {"objectives": list(TURN_OBJECTIVES), "efforts": list(EFFORTS)},
    }
