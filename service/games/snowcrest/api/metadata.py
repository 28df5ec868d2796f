"""Response of ``GET /v1/games/snowcrest``: names, limits and rulings in our own words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from service.core.vocabulary import EFFORTS, FACTS
from service.games.common.fields import Document
from service.games.common.turns.request_schema import TURN_OBJECTIVES
from service.games.snowcrest.catalogue.cards import VillagerKind
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.catalogue.rendering import render_names
from service.games.snowcrest.rules.payments.resources import Building, Resource
from service.games.snowcrest.rules.solo import CURSED, DIFFICULTIES, GRADES
from service.games.snowcrest.rules.state import BUILDING_LIMITS
from service.texts.catalogue import translations

RULES_VERSION: Final = "4"

_DECISIONS: Final = {
    "set-up": "The player places a villager from the hand in the centre.",
    "turn": "The player activates or plays a villager, or has to rest or pass.",
    "pay": "The player pays for a villager or an action.",
    "gain": "The player chooses a resource to gain.",
    "build": "The player chooses a building and, if all slots are full, one to return.",
    "trade": "The player trades or declines.",
    "take-back": "The player takes a card back from the discards, or declines.",
    "redraw": "The player discards any number of cards and draws as many.",
    "recruit": "The player chooses the card that replaces the recruiter.",
    "copy": "The player chooses the villager whose actions to copy.",
    "wake": "The player chooses the exhausted villager to turn face up.",
    "exhaust": "The player chooses the villager to exhaust.",
    "discard": "The player discards a hand card or skips it.",
    "give": "The player gives a hand card or a building of a cost.",
    "penalty": "A player gives a penalty item, settles it, or takes omen.",
    "bid": "A player bids bells in a meditation.",
    "return-bid": "A player who gained no scroll takes the bid back or leaves it spent.",
    "draw": "No decision: a card is drawn or revealed.",
}

_KINDS: Final = (
    *(resource.label for resource in Resource),
    "scroll",
    "omen",
    *(building.label for building in Building),
    *(kind.label for kind in VillagerKind),
    "guardian",
    "forest",
    "challenge",
)
"""What texts name: resources, tokens, buildings and kinds of cards."""

RULINGS: Final = {
    "C1": "Cards are data: a state may bring its own catalogue; otherwise the default applies.",
    "C2": "The effects of cards use a small, closed vocabulary.",
    "C3": "A turn activates, plays or rests; a rest happens only when it is forced.",
    "C4": "A payment names its sources and contains no unnecessary source; so all are listed.",
    "C5": "Actions of a villager run in printed order; every possible one is carried out, but "
    "nobody has to pay or bid with cards from the hand.",
    "C6": "The other players bid once against the player; bids without a scroll can be taken back.",
    "C7": "A penalized player gives item by item, or takes one omen for each missing item. One "
    "source settles items of one kind only.",
    "C8": "A player who takes the last juniper of the forest reveals a forest card, every time.",
    "C9": "After the supply has become empty, the current round is the last one.",
    "C10": "Challenges are claimed automatically for the player in turn, after every action.",
    "C11": "At the end all resources become tokens; the majority in each resource scores a point.",
    "C12": "A state may contain unknown cards; cards put under a pile stay known.",
    "C13": "A solo game has ten difficulties, counts rests and ends with a grade.",
    "C14": "A whole turn is resolved, with answers, and draws that are given or made from a seed.",
    "C15": "Only a villager in the village may settle: one item; its icons pay in addition.",
    "C16": "A rest gains what is visible at its start, juniper last; then all villagers wake.",
    "C17": "The scholar copies the actions of a face-up villager elsewhere.",
    "C18": "The recruiter acts only in later turns and leaves before the new villager comes.",
    "C19": "Discards come before draws; the discards are shuffled when the pile is empty.",
    "C20": "Set-up is part of the game: one villager each, paid with barley, then with omen.",
    "C21": "Buildings and slots are limited, other tokens are not; omen tokens are never returned.",
    "C22": "An icon of any resource pays what gold pays, and becomes an ordinary token.",
}


def metadata() -> Document:
    """Return what an app needs to know about the game besides its endpoints."""
    decks = (
        DEFAULT_CATALOGUE.villagers,
        DEFAULT_CATALOGUE.guardians,
        DEFAULT_CATALOGUE.forest,
        DEFAULT_CATALOGUE.challenges,
    )
    names = ((card.id, card.names) for deck in decks for card in deck)
    return {
        "game": "snowcrest",
        "title": translations("snowcrest.title"),
        "rules_version": RULES_VERSION,
        "players": {"min": 1, "max": 4},
        "cards": {card: render_names(translations) for card, translations in names},
        "kinds": {kind: translations(f"snowcrest.kind.{kind}") for kind in _KINDS},
        "decisions": _DECISIONS,
        "rulings": RULINGS,
        "difficulties": {str(level): asdict(limits) for level, limits in DIFFICULTIES.items()},
        "grades": [
            *(
                {"code": code, "points": points, "text": translations(f"snowcrest.grade.{code}")}
                for points, code in GRADES
            ),
            {"code": CURSED, "text": translations(f"snowcrest.grade.{CURSED}")},
        ],
        "buildings": {kind.label: count for kind, count in BUILDING_LIMITS.items()},
        "catalogues": [
            "/v1/games/snowcrest/catalogues/default",
            "/v1/games/snowcrest/catalogues/schema",
        ],
        "suggest": {
            "objectives": list(TURN_OBJECTIVES),
            "efforts": list(EFFORTS),
            "include": [FACTS],
        },
    }
