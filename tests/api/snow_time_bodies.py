"""Legal Snow Time bodies that together use every request member; small, so that hints are fast."""

from __future__ import annotations

from typing import Any

from tests.api.calls import EXAMPLES, put

TRACK = {
    "length": 20,
    "bonuses": [
        {"space": 12, "kind": "mana", "advance": 3},
        {"space": 4, "kind": "fight", "advance": 1},
    ],
}

# Red has discarded the champions 1 and 4 to 7; blue has discarded all seven.
STATE: dict[str, Any] = {
    "seats": [
        {"seat": "red", "player": "anna", "score": 3, "hand": ["2", "3", "healer", "watcher"]},
        {"seat": "blue", "score": 19, "hand": ["blizzard", "healer"]},
        {"seat": "green", "score": 0, "hand": ["7", "healer", "watcher"]},
    ],
    "fruit": [1, 0, 2, 0, 0, 3],
    "track": TRACK,
}
PAIRS: dict[str, Any] = {
    "seats": [
        {"seat": "a1", "player": "anna", "score": 3, "hand": ["2", "healer"]},
        {"seat": "b1", "player": "bob", "score": 5, "hand": ["6", "healer"]},
        {"seat": "a2", "player": "anna", "score": 1, "hand": ["1", "healer", "watcher"]},
        {"seat": "b2", "player": "bob", "score": 0, "hand": ["healer", "blizzard"]},
    ],
    "fruit": [0, 1, 0, 0, 5, 8],
}
FULL_TREE = put(STATE, ("fruit",), [5, 5, 5, 0, 0, 0])
OVER = put(STATE, ("seats", 1, "score"), 20)

REVEALED = {"red": {"card": "watcher"}, "blue": {"card": "healer"}, "green": {"card": "7"}}
AT_HEALER = {
    "red": {"card": "watcher", "then": {"card": "healer"}},
    "blue": {"card": "blizzard"},
    "green": {"card": "healer", "recover": ["6", "1"]},
}
COMPLETE = {
    "red": {"card": "watcher", "then": {"card": "healer", "recover": ["7", "4"]}},
    "blue": {"card": "healer"},
    "green": {"card": "healer", "recover": []},
}
SECOND = {
    "red": {"card": "7"},
    "blue": {"card": "blizzard"},
    "green": {"card": "watcher", "then": {"card": "7"}},
}
UNIFORM = {"model": "uniform"}


def new(*players: str) -> tuple[str, Any]:
    seats = [{"seat": f"s{n}", "player": player} for n, player in enumerate(players)]
    return "new", {"seats": seats, "track": TRACK}


def suggest(state: Any, **options: Any) -> tuple[str, Any]:
    return "suggest", {"state": state, "player": "anna"} | options


LEGAL: dict[str, tuple[str, Any]] = {
    **{f"example of {endpoint}": (endpoint, body) for endpoint, body in EXAMPLES.items()},
    "new with players and a track": new("x", "x", "y", "y"),
    "grow with dice": ("grow", {"state": STATE, "dice": [6, 1]}),
    "grow with an empty supply": ("grow", {"state": FULL_TREE, "dice": []}),
    "legal-moves at the cards": ("legal-moves", {"state": PAIRS, "revealed": {}}),
    "legal-moves at the healer": ("legal-moves", {"state": STATE, "revealed": AT_HEALER}),
    "legal-moves of a finished game": ("legal-moves", {"state": OVER}),
    "resolve with dice": ("resolve", {"state": STATE, "moves": COMPLETE, "dice": [1, 1]}),
    "suggest at the cards": suggest(
        PAIRS,
        revealed={},
        objective="win",
        opponents={"model": "quantal", "weights": {"b1": {"6": 0.25, "healer": 3}}},
        effort="quick",
        depth=1,
        chosen={"a1": {"card": "2"}, "a2": {"card": "watcher"}},
        nonce="b7 f1~!",
    ),
    "suggest at the watcher": suggest(
        STATE,
        revealed=REVEALED,
        objective="lead",
        opponents={"model": "level-1", "weights": {}},
        effort="deep",
        deadline_ms=30_000,
        chosen={"red": {"card": "watcher", "then": {"card": "3"}}},
    ),
    "suggest at the healer": suggest(
        STATE,
        revealed=AT_HEALER,
        objective="points",
        opponents={"model": "equilibrium"},
        effort="standard",
        chosen={"red": {"card": "watcher", "then": {"card": "healer", "recover": ["7", "1"]}}},
    ),
    "review of two rounds": (
        "review",
        {
            "state": STATE,
            "rounds": [{"dice": [6, 1], "moves": COMPLETE}, {"dice": [2, 2], "moves": SECOND}],
            "effort": "quick",
            "deadline_ms": 30_000,
        },
    ),
}
