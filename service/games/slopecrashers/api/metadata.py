"""Response of ``GET /v1/games/slopecrashers``: names, default set and rulings in our own words."""

from __future__ import annotations

from typing import Final

from service.core.vocabulary import EFFORTS, FACTS
from service.games.common.fields import Document
from service.games.common.turns.request_schema import TURN_OBJECTIVES
from service.games.slopecrashers.api.names import card_names
from service.games.slopecrashers.api.responses import default_set
from service.games.slopecrashers.rules.course import FIELD_BY_LABEL
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK, Gift, card_label
from service.texts.catalogue import translations

RULES_VERSION: Final = "3"

_DECISIONS: Final = {
    "place": "In the first turn, the player chooses the start space on row 0.",
    "turn": "The player steps, plays or discards the top gift, or ends the turn.",
    "answer": "An attacked player may use the magnet on top of the stack.",
    "draw": "No decision: a gift is drawn.",
}

RULINGS: Final = {
    "S1": "Track and deck are data: a state may bring its own, and say how the pieces lie; "
    "otherwise the default set applies.",
    "S2": "Fields are plain, gift, boost, both of these, abyss or obstacle; rows count from 0 at "
    "the start.",
    "S3": "The first turn begins with placing the character on row 0; this costs no movement.",
    "S4": "Both laps use the same track; only a step or a spring crosses the line.",
    "S5": "After every action it must be certain that the turn can end on a free space.",
    "S6": "Gift and boost fields act on every entry, unless another character is there.",
    "S7": "A spring jumps straight over exactly one space and costs no movement.",
    "S8": "Black ice slides all neighbours away by up to two spaces.",
    "S9": "A rocket hits the first character ahead in the lane; obstacles and snowmen stop it.",
    "S10": "Leader and last player are determined by the places when the card is played.",
    "S11": "Missing a turn and being stung do not add up; missed turns are skipped.",
    "S12": "A character that enters the space of a snowman misses its next turn.",
    "S13": "A magnet on top of the stack foils one attack; targets answer before it takes effect.",
    "S14": "Gifts are played or discarded from the top; a dual card is one of its two gifts.",
    "S15": "The pile and the unknown gifts form one pool: the deck without all known cards.",
    "S16": "The first character to leave the last row on the second lap wins at once.",
    "S17": "A whole turn is resolved, with answers, and draws that are given or made from a seed.",
}


def metadata() -> Document:
    """Return what an app needs to know about the game besides its endpoints."""
    duals = [card for card, _ in DEFAULT_DECK.counts if len(card) > 1]
    return {
        "game": "slopecrashers",
        "title": translations("slopecrashers.title"),
        "rules_version": RULES_VERSION,
        "players": {"min": 2, "max": 6},
        "cards": {
            card_label(card): card_names(card) for card in (*((gift,) for gift in Gift), *duals)
        },
        "kinds": {kind: translations(f"slopecrashers.space.{kind}") for kind in FIELD_BY_LABEL},
        "decisions": _DECISIONS,
        "rulings": RULINGS,
        **default_set(),
        "suggest": {
            "objectives": list(TURN_OBJECTIVES),
            "efforts": list(EFFORTS),
            "include": [FACTS],
        },
    }
