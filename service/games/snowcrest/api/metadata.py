"""What ``GET /v1/games/snowcrest`` tells: names, house data, rulings in our own words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from service.core.vocabulary import EFFORTS
from service.games.common.turn_request_schema import TURN_OBJECTIVES
from service.games.common.validation import Document
from service.games.snowcrest.api.names import KIND_NAMES
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.catalogue.rendering import render_names
from service.games.snowcrest.rules.solo import CURSED, DIFFICULTIES, GRADES
from service.games.snowcrest.rules.state import BUILDING_LIMITS

RULES_VERSION: Final = "1"

TITLE: Final = {"en": "Snowcrest", "de": "Snowcrest", "zh": "Snowcrest"}

_DECISIONS: Final = {
    "set-up": "The player puts a villager of the hand into the centre.",
    "turn": "The player activates or plays a villager; or rests, or passes, where that is due.",
    "pay": "The player pays for a villager or an action.",
    "gain": "The player chooses a resource to gain.",
    "build": "The player chooses a building, and on a full row one that goes back.",
    "trade": "The player trades, or does not.",
    "take-back": "The player takes a card back from the discards.",
    "redraw": "The player discards any cards to draw as many.",
    "recruit": "The player chooses who comes in the recruiter's place.",
    "copy": "The player chooses whose actions to copy.",
    "penalty": "Somebody gives an item of a penalty, settles it, or suffers omen.",
    "bid": "Somebody bids bells in a meditation.",
    "draw": "Nobody decides: a card has to be drawn or turned up.",
}

_GRADE_TEXTS: Final = {
    "inner-peace": {
        "en": "Inner peace is yours.",
        "de": "Der innere Frieden ist dein.",
        "zh": "你得到了內心的平靜。",
    },
    "lasting-fame": {
        "en": "People will speak of you long after you are gone.",
        "de": "Noch lange wird man von dir erzählen.",
        "zh": "人們將長久傳頌你的名字。",
    },
    "widely-known": {
        "en": "Your village is known beyond the mountains.",
        "de": "Dein Dorf kennt man auch jenseits der Berge.",
        "zh": "你的村莊名揚群山之外。",
    },
    "well-earned-rest": {
        "en": "Your village did well and may rest.",
        "de": "Deinem Dorf geht es gut; es darf ausruhen.",
        "zh": "你的村莊表現良好，可以休息了。",
    },
    "survived": {
        "en": "Your village is still there, and a hard winter is coming.",
        "de": "Dein Dorf steht noch, doch ein harter Winter kommt.",
        "zh": "你的村莊倖存了，但嚴冬將至。",
    },
    CURSED: {
        "en": "You learned much, and your village pays for it.",
        "de": "Du hast viel gelernt, und dein Dorf büßt dafür.",
        "zh": "你學到許多，村莊卻為此受苦。",
    },
}

RULINGS: Final = {
    "C1": "Cards are data: a state may bring its own catalogue, else the house's is used.",
    "C2": "What cards do is told in a small, closed vocabulary.",
    "C3": "A turn activates, plays or rests; resting is forced, and never possible otherwise.",
    "C4": "A payment names its sources, none of which could be left out.",
    "C5": "Actions run in printed order and are carried out wherever they can be.",
    "C6": "Everybody bids once against the player; bids that bring no scroll are taken back.",
    "C7": "Who is punished gives item by item, or takes an omen for each item not given.",
    "C8": "Whoever takes the last juniper of the forest turns a forest card up, every time.",
    "C9": "Once the supply has been empty, the round is played to its end, and that is all.",
    "C10": "Challenges are claimed by themselves, for whose turn it is, after everything done.",
    "C11": "In the end everything becomes tokens; the most of each resource are worth a point.",
    "C12": "A state may hold unknown cards; what was put under a pile is known there.",
    "C13": "One player alone has ten difficulties, counted rests and grades.",
    "C14": "A whole turn is resolved with its answers and draws, told or drawn from a seed.",
    "C15": "Only a villager in the village settles, one item, and its icons pay besides.",
    "C16": "What is seen as a rest begins is gained, juniper last; then all villagers wake.",
    "C17": "The scholar does what a face-up villager elsewhere would do.",
    "C18": "The recruiter acts in later turns only, and leaves before somebody comes.",
    "C19": "Discards come first, then draws; the discards are shuffled when the pile is empty.",
    "C20": "The set-up is played: one villager each, for barley and then for omen.",
    "C21": "Buildings and slots are limited, other tokens are not; omen tokens stay.",
}


def metadata() -> Document:
    """Everything an app needs to know about the game besides its routes."""
    sorts = (
        DEFAULT_CATALOGUE.villagers,
        DEFAULT_CATALOGUE.guardians,
        DEFAULT_CATALOGUE.forest,
        DEFAULT_CATALOGUE.challenges,
    )
    names = ((card.id, card.names) for sort in sorts for card in sort)
    return {
        "game": "snowcrest",
        "title": TITLE,
        "rules_version": RULES_VERSION,
        "players": {"min": 1, "max": 4},
        "cards": {name: render_names(told) for name, told in names},
        "kinds": KIND_NAMES,
        "decisions": _DECISIONS,
        "rulings": RULINGS,
        "difficulties": {str(level): asdict(each) for level, each in DIFFICULTIES.items()},
        "grades": [
            *(
                {"code": code, "points": points, "text": _GRADE_TEXTS[code]}
                for points, code in GRADES
            ),
            {"code": CURSED, "text": _GRADE_TEXTS[CURSED]},
        ],
        "buildings": {kind.label: count for kind, count in BUILDING_LIMITS.items()},
        "catalogues": [
            "/v1/games/snowcrest/catalogues/house",
            "/v1/games/snowcrest/catalogues/schema",
        ],
        "suggest": {"objectives": list(TURN_OBJECTIVES), "tiers": list(EFFORTS)},
    }
