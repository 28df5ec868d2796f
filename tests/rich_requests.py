"""One request for each operation of each game, with more to decide than the examples.

The examples of the game definitions are in ``openapi.yaml``, so they are as short as possible.
"""

from __future__ import annotations

from typing import Any, Final

Body = dict[str, Any]

# Snow Time ------------------------------------------------------------------------------------

_SNOW_TIME: Final[Body] = {
    "seats": [
        {"seat": "marie", "score": 25, "hand": ["3", "6", "healer", "watcher"]},
        {"seat": "vincent", "score": 27, "hand": ["5", "6", "healer"]},
        {"seat": "anna", "score": 26, "hand": ["4", "healer", "blizzard"]},
    ],
    "fruit": [0, 0, 1, 0, 0, 1],
}
_SNOW_TIME_HINT: Final[Body] = {
    "state": {
        "seats": [
            {"seat": "marie", "score": 25, "hand": ["3", "6", "healer"]},
            {"seat": "vincent", "score": 27, "hand": ["5", "healer"]},
            {"seat": "anna", "score": 26, "hand": ["4", "healer"]},
        ],
        "fruit": [0, 0, 1, 0, 0, 1],
    },
    "player": "marie",
    "objective": "points",
    "opponents": {"model": "uniform"},
    "chosen": {"marie": {"card": "3"}},
}
_SNOW_TIME_REVIEW: Final[Body] = {
    "state": {
        "seats": [
            {"seat": "red", "score": 25, "hand": ["3", "6", "healer"]},
            {"seat": "blue", "score": 27, "hand": ["5", "6", "healer"]},
            {"seat": "green", "score": 26, "hand": ["4", "healer", "watcher"]},
        ],
        "fruit": [0, 0, 1, 0, 0, 1],
    },
    "rounds": [
        {
            "dice": [1, 6],
            "moves": {
                "red": {"card": "6"},
                "blue": {"card": "5"},
                "green": {"card": "watcher", "then": {"card": "4"}},
            },
        }
    ],
    "effort": "quick",
}

# Slopecrashers --------------------------------------------------------------------------------

_SLOPECRASHERS: Final[Body] = {
    "seats": [
        {"player": "anna", "lap": 1, "row": 1, "lane": 3, "gifts": ["rocket"]},
        {"player": "hugo", "lap": 1, "row": 4, "lane": 3, "gifts": ["magnet"]},
    ],
    "turn": "anna",
    "course": ["cedar", "fir"],
    "reversed": ["fir"],
    "offsets": {"fir": 1},
}
_ATTACK: Final[Body] = {"type": "play", "gift": "rocket"}
_DEFENCE: Final[Body] = {"type": "answer", "player": "hugo", "magnet": True}
_STEP: Final[Body] = {"type": "step", "direction": "forward"}
_END: Final[Body] = {"type": "end"}

# Snowcrest ------------------------------------------------------------------------------------


def _village(cards: dict[int, str]) -> list[Body]:
    """Return villagers by cell; an exhausted one has an asterisk."""
    return [
        {"cell": cell, "card": card.rstrip("*")} | ({"exhausted": True} if "*" in card else {})
        for cell, card in cards.items()
    ]


_SNOWCREST: Final[Body] = {
    "seats": [
        {
            "player": "anna",
            "tokens": {"barley": 2, "bowl": 1, "gold": 1},
            "scrolls": 4,
            "omen": 1,
            "village": _village({0: "farmer*", 2: "woodcutter", 4: "potter*", 6: "acolyte"})
            + _village({7: "abbess", 8: "builder"}),
            "buildings": {"farm": {"spent": 1}, "temple": {"up": 1}},
            "hand": ["monk", "nun"],
            "discards": ["officer"],
        },
        {
            "player": "hugo",
            "tokens": {"barley": 1, "bell": 2},
            "scrolls": 5,
            "village": _village({0: "builder", 2: "farmer*", 4: "monk"})
            + _village({6: "woodcutter", 8: "acolyte"}),
            "buildings": {"farm": {"up": 1}},
            "hand": ["unknown", "unknown"],
        },
    ],
    "turn": "anna",
    "supply": 11,
    "juniper": 4,
    "row": ["merchant", "poet", "strong-woodcutter", "shepherd", "guide"],
    "challenges": [{"challenge": "wide-fields"}, {"challenge": "good-omens", "by": "hugo"}],
}
_WORSHIP: Final[list[Body]] = [
    {"type": "activate", "cell": 6},
    {"type": "pay", "payment": {"tokens": {"bowl": 1}, "buildings": {"temple": 1}}},
    {"type": "draw", "card": "snow-leopard"},
    {"type": "settle", "item": "any", "cell": 7},
    {"type": "give", "player": "hugo", "item": "any", "resource": "barley"},
]
_BIDDERS: Final[Body] = {
    "seats": [
        {"player": "anna", "tokens": {"bell": 2}, "village": [{"cell": 4, "card": "monk"}]},
        {"player": "hugo", "tokens": {"bell": 1}},
    ],
    "turn": "anna",
    "supply": 11,
    "juniper": 4,
    "row": ["merchant", "poet", "strong-woodcutter", "shepherd", "guide"],
}
_MEDITATION: Final[list[Body]] = [
    {"type": "activate", "cell": 4},
    {"type": "bid", "player": "anna", "payment": {"tokens": {"bell": 2}}},
    {"type": "bid", "player": "hugo", "payment": {"tokens": {"bell": 1}}},
    {"type": "return-bid", "player": "hugo"},
]

_TWO_PLAYERS: Final[Body] = {"seats": [{"player": "anna"}, {"player": "hugo"}], "seed": 7}

RICH: Final[dict[str, dict[str, Body]]] = {
    "snow-time": {
        "new": {"seats": [{"seat": "red"}, {"seat": "blue"}, {"seat": "green"}]},
        "grow": {"state": _SNOW_TIME, "seed": 7},
        "legal-moves": {
            "state": _SNOW_TIME,
            "revealed": {
                "marie": {"card": "watcher"},
                "vincent": {"card": "5"},
                "anna": {"card": "4"},
            },
        },
        "resolve": {
            "state": _SNOW_TIME,
            "moves": {
                "marie": {"card": "watcher", "then": {"card": "6"}},
                "vincent": {"card": "5"},
                "anna": {"card": "4"},
            },
            "dice": [2, 5],
        },
        "suggest": _SNOW_TIME_HINT,
        "review": _SNOW_TIME_REVIEW,
    },
    "slopecrashers": {
        "new": _TWO_PLAYERS,
        "legal-moves": {"state": _SLOPECRASHERS, "so_far": [_ATTACK]},
        "resolve": {"state": _SLOPECRASHERS, "moves": [_ATTACK, _DEFENCE, _STEP, _END], "seed": 7},
        "suggest": {
            "state": _SLOPECRASHERS,
            "player": "hugo",
            "so_far": [_ATTACK],
            "chosen": {"type": "answer", "magnet": True},
        },
        "review": {
            "state": _SLOPECRASHERS,
            "turns": [[_ATTACK, _DEFENCE, _STEP, {"type": "draw", "card": "chili"}, _END]],
            "effort": "quick",
        },
    },
    "snowcrest": {
        "new": _TWO_PLAYERS,
        "legal-moves": {"state": _BIDDERS, "so_far": _MEDITATION[:1]},
        "resolve": {"state": _SNOWCREST, "moves": _WORSHIP, "seed": 7},
        "suggest": {
            "state": _BIDDERS,
            "player": "anna",
            "so_far": _MEDITATION[:1],
            "chosen": {"type": "bid", "payment": {"tokens": {"bell": 2}}},
        },
        "review": {"state": _BIDDERS, "turns": [_MEDITATION], "effort": "quick"},
    },
}
"""Request bodies by game and operation; not to be changed in place."""
