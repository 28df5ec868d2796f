"""Legal bodies at the limits of what is legal."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from tests.api.calls import DECK, Path, post, put, result_of
from tests.api.snow_time_bodies import (
    AT_HEALER,
    COMPLETE,
    FULL_TREE,
    REVEALED,
    STATE,
    TRACK,
    UNIFORM,
)
from tests.api.snow_time_oracle import legal
from tests.loops import for_each

NEW = {"seats": [{"seat": "a"}, {"seat": "b"}, {"seat": "c"}], "track": TRACK}
GROW = {"state": STATE, "dice": [6, 1]}
RESOLVE = {"state": STATE, "moves": COMPLETE, "dice": [2, 2]}
SUGGEST = {"state": STATE, "player": "anna", "opponents": UNIFORM}
NO_WEIGHTS = {"opponents": UNIFORM | {"weights": {}}}


def owners(*players: str) -> Any:
    return {"seats": [{"seat": f"s{n}", "player": player} for n, player in enumerate(players)]}


def weighted(**weights: float) -> Any:
    return put(SUGGEST, ("opponents", "weights"), {"green": weights})


def bonus(space: int, kind: str = "mana", advance: int = 1) -> dict[str, Any]:
    return {"space": space, "kind": kind, "advance": advance}


SEATS: Path = ("state", "seats")


# Limits of legal bodies -----------------------------------------------------------------------

ACCEPTED: list[tuple[str, str, Any]] = [
    ("five seats", "new", owners(*"abcde")),
    ("four seats of four", "new", owners(*"abcd")),
    ("pairs", "new", owners("a", "b", "b", "a")),
    ("players with the names of other seats", "new", owners("s1", "s2", "s0")),
    ("names of 32 of all characters", "new", put(NEW, ("seats", 0, "seat"), "aZ09_-" + "x" * 26)),
    ("a seat called _schema", "new", put(NEW, ("seats", 0, "seat"), "_schema")),
    ("the shortest track", "new", NEW | {"track": {"length": 5, "bonuses": [bonus(4)]}}),
    ("no bonus", "new", NEW | {"track": {"length": 200, "bonuses": []}}),
    (
        "199 bonuses",
        "new",
        NEW | {"track": {"length": 200, "bonuses": [bonus(space) for space in range(1, 200)]}},
    ),
    (
        "15 fruit on one level",
        "grow",
        put(GROW, ("state", "fruit"), [0, 0, 15, 0, 0, 0]) | {"dice": []},
    ),
    ("a score before the last space", "grow", put(GROW, (*SEATS, 0, "score"), 19)),
    ("the least seed", "grow", {"state": STATE, "seed": 0}),
    ("the greatest seed", "grow", {"state": STATE, "seed": 2**53 - 1}),
    ("a hand of one", "grow", put(GROW, (*SEATS, 0, "hand"), ["healer"])),
    ("a hand of ten in any order", "grow", put(GROW, (*SEATS, 0, "hand"), list(reversed(DECK)))),
    ("one die for one token", "grow", {"state": put(FULL_TREE, ("fruit", 0), 4), "dice": [6]}),
    ("all seven recovered", "resolve", put(RESOLVE, ("moves", "blue", "recover"), list("7351246"))),
    (
        "recoveries given before the watcher decides",
        "legal-moves",
        {"state": STATE, "revealed": AT_HEALER | {"red": {"card": "watcher"}}},
    ),
    ("every default empty", "suggest", SUGGEST | {"revealed": {}, "chosen": {}} | NO_WEIGHTS),
    ("empty weights after the reveal", "suggest", SUGGEST | {"revealed": REVEALED} | NO_WEIGHTS),
    ("a nonce of 128 spaces", "suggest", SUGGEST | {"nonce": " " * 128}),
    ("a nonce of all characters", "suggest", SUGGEST | {"nonce": bytes(range(32, 127)).decode()}),
    ("the longest deadline", "suggest", SUGGEST | {"deadline_ms": 30_000}),
    ("tiny weights", "suggest", weighted(**{"7": 5e-324})),
    ("a weight of zero among others", "suggest", weighted(**{"7": 0, "healer": 3})),
]


@for_each("name, endpoint, body", ACCEPTED)
def test_a_legal_body_at_a_limit_is_accepted(
    client: FlaskClient, name: str, endpoint: str, body: Any
) -> None:
    assert legal(endpoint, body), name

    assert result_of(post(client, endpoint, body))
