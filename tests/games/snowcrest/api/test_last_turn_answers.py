"""The last turn of a game: what others give up, and bids, as the final scores count them."""

from typing import Any

import pytest

from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import execute

Body = dict[str, Any]
EFFORTS = ("quick", "standard", "deep")
OLD_BEAR: Body = {
    "player": "b",
    "state": {
        "seats": [
            {
                "player": "a",
                "village": [
                    {"cell": 3, "card": "acolyte"},
                    {"cell": 8, "card": "woodcutter", "exhausted": True},
                    {"cell": 5, "card": "innkeeper"},
                ],
                "hand": [],
                "discards": (
                    [
                        "priest",
                        "officer",
                        "gardener",
                        "potter",
                        "farmer",
                        "builder",
                        "monk",
                        "nun",
                        "mason",
                        "abbess",
                    ]
                ),
                "tokens": {"barley": 1, "bowl": 1, "juniper": 2},
                "buildings": {"farm": {"up": 2}, "temple": {"spent": 1}},
                "scrolls": 6,
            },
            {
                "player": "b",
                "village": [
                    {"cell": 4, "card": "abbess"},
                    {"cell": 3, "card": "monk", "exhausted": True},
                    {"cell": 6, "card": "nun", "exhausted": True},
                    {"cell": 2, "card": "woodcutter"},
                    {"cell": 0, "card": "prophet"},
                ],
                "hand": ["gardener"],
                "discards": ["scholar", "priest", "mason", "potter", "officer", "farmer"],
                "tokens": {"bowl": 1, "juniper": 1},
                "buildings": {"farm": {"up": 2}, "forge": {"up": 1, "spent": 1}},
                "scrolls": 4,
                "omen": -1,
            },
        ],
        "turn": "b",
        "supply": 0,
        "juniper": 4,
        "row": ["pilgrim", "baker", "carpenter", "merchant", "miller"],
        "ending": True,
    },
}
SACRIFICE = [
    {"type": "activate", "cell": 0},
    {"type": "draw", "card": "old-bear"},
    {"type": "give", "item": "barley", "building": "farm"},
    {"type": "settle", "item": "barley", "cell": 4},
]
BELLS: Body = {
    "player": "b",
    "state": {
        "seats": [
            {
                "player": "a",
                "village": [
                    {"cell": 7, "card": "builder", "exhausted": True},
                    {"cell": 2, "card": "farmer"},
                    {"cell": 3, "card": "officer"},
                    {"cell": 4, "card": "herbalist", "exhausted": True},
                    {"cell": 5, "card": "nun"},
                ],
                "hand": [],
                "discards": [
                    "gardener",
                    "potter",
                    "scholar",
                    "monk",
                    "abbess",
                    "woodcutter",
                    "acolyte",
                    "priest",
                ],
                "tokens": {"bell": 1, "juniper": 1, "gold": 1},
                "buildings": {
                    "farm": {"up": 2, "spent": 1},
                    "temple": {"spent": 1},
                    "forge": {"up": 1},
                },
                "scrolls": 5,
                "omen": 1,
            },
            {
                "player": "b",
                "village": [
                    {"cell": 1, "card": "farmer", "exhausted": True},
                    {"cell": 7, "card": "monk"},
                    {"cell": 2, "card": "scholar", "exhausted": True},
                    {"cell": 8, "card": "builder", "exhausted": True},
                    {"cell": 3, "card": "bell-ringer"},
                ],
                "hand": ["priest"],
                "discards": [
                    "abbess",
                    "gardener",
                    "mason",
                    "potter",
                    "nun",
                    "woodcutter",
                    "acolyte",
                    "officer",
                ],
                "tokens": {"bell": 1, "bowl": 1, "gold": 1},
                "buildings": {"farm": {"spent": 1}, "temple": {"up": 1, "spent": 1}},
                "scrolls": 5,
                "omen": 2,
            },
        ],
        "turn": "b",
        "supply": 2,
        "juniper": 2,
        "row": ["strong-woodcutter", "ploughwoman", "pilgrim", "high-abbot", "bell-founder"],
        "ending": True,
    },
}


def values_of(body: Body) -> dict[str, float]:
    """Return the values of a hint by action, and for plays and activations by card or cell."""
    definition = GAMES["snowcrest"]
    [endpoint] = [each for each in definition.endpoints if each.name == "suggest"]
    response = execute(definition, endpoint, body, RequestContext(language="en")).document
    return {
        f"{move['type']} {move.get('card', move.get('cell', ''))}": each["value"]
        for each in reversed(response["moves"])
        for move in [each["move"]]
    }


@pytest.mark.parametrize("effort", EFFORTS)
def test_c7_another_player_takes_omen_if_its_resources_decide_the_game(effort: str) -> None:
    """With 7 points each, a wins by 7 resources to 6 if it takes the omen twice.

    The hint let a give up a resource, and so said that b surely wins.
    """
    inside = values_of({**OLD_BEAR, "so_far": SACRIFICE, "effort": effort})
    assert inside["suffer "] == 0.0


def test_c7_the_answers_of_all_choices_are_followed_at_deep() -> None:
    """The other efforts have no time for the 45 choices."""
    whole = values_of({**OLD_BEAR, "effort": "deep"})
    assert whole["play pilgrim"] == 1.0
    assert whole["activate 0"] == pytest.approx(11 / 12)


@pytest.mark.parametrize("effort", EFFORTS)
def test_c6_each_size_of_a_bid_counts_in_the_last_turn(effort: str) -> None:
    """The bids that win were not among those followed, so the action before them was worth 0."""
    assert values_of({**BELLS, "effort": effort})["activate 3"] == 1.0
