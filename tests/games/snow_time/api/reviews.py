"""Random games of Snow Time and their reviews."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any

import pytest

from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import UNCACHED, Solutions
from tests.games.snow_time.positions import (
    DEFINITION,
    ENDPOINTS,
    ask,
    move_documents,
    seat_document,
)

Body = dict[str, Any]
PRINTED = 1.1e-9
LUCK_SOURCES = ("draws", "others", "search", "indifferent")
SHORT = {
    "length": 12,
    "bonuses": [
        {"space": 3, "kind": "fight", "advance": 1},
        {"space": 8, "kind": "mana", "advance": 2},
    ],
}


def played(state: Body, seed: int, most: int = 4) -> Body:
    """Return the review request of a random game, or of its first rounds."""
    random, now, rounds = Random(seed), state, []
    while len(rounds) < most and not ask("legal-moves", {"state": now})["game_over"]:
        grown = ask("grow", {"state": now, "seed": random.getrandbits(40)})
        moves: Body = {}
        while True:
            asked = {"state": grown["state"]} | ({"revealed": moves} if moves else {})
            legal = ask("legal-moves", asked)
            if legal["decision"] == "none":
                break
            moves = moves | {seat: random.choice(own) for seat, own in legal["moves"].items()}
        rounds.append({"dice": grown["dice"], "moves": moves})
        now = ask("resolve", {"state": grown["state"], "moves": moves})["state"]
    return json.loads(json.dumps({"state": state, "rounds": rounds, "effort": "quick"}))


def table(*words: str, scores: tuple[int, ...] = (), owners: str = "", **more: Any) -> Body:
    """Return a position on the short track."""
    scores = scores or (0,) * len(words)
    seats = [
        seat_document(name, word, score)
        for name, word, score in zip("abcde", words, scores, strict=False)
    ]
    for seat, owner in zip(seats, owners, strict=False):
        seat["player"] = owner
    return {"seats": seats, "fruit": [0, 1, 0, 2, 0, 1], "track": SHORT} | more


def one_round(state: Body, *words: str, dice: tuple[int, ...] = (1, 1), **more: Any) -> Body:
    """Return the review request of a round with these moves, in the order of the seats."""
    played = {"dice": list(dice), "moves": move_documents(*words)}
    return {"state": state, "rounds": [played], "effort": "quick"} | more


TABLES = {
    "three": table("136hw", "24hb", "157hw", scores=(2, 0, 1)),
    "four, late": table("12h", "4hw", "3567h", "h", scores=(9, 10, 8, 9)),
    "five": table("13h", "2hb", "4h", "57hw", "6h", scores=(6, 5, 7, 3, 4)),
    "two players": table("1h", "26h", "3hw", "5h", scores=(5, 7, 6, 4), owners="xyyx"),
    "no supply": table("17h", "26hw", "34hb", fruit=[3, 2, 2, 3, 2, 3]),
}
WITHOUT_WATCHERS = {
    "three, no watchers": table("136hb", "24hb", "157h", scores=(2, 0, 1)),
    "two players, no watchers": table("1h", "26h", "3hb", "5h", scores=(5, 7, 6, 4), owners="xyyx"),
}
"""The payoffs of the cards do not depend on later simultaneous decisions."""
CASES = [
    pytest.param(name, seed, id=f"{name}-{seed}", marks=[pytest.mark.slow] if seed > 1 else [])
    for name in TABLES
    for seed in (1, 2)
]
every_game = pytest.mark.parametrize(("name", "seed"), CASES)


@cache
def text_of(name: str, seed: int, most: int) -> str:
    body = played((TABLES | WITHOUT_WATCHERS)[name], seed, most)
    return json.dumps([body, reviewed(body).document])


def game(name: str, seed: int, most: int = 30) -> tuple[Body, Body]:
    """Return a game, or its first rounds, and its review."""
    body, review = json.loads(text_of(name, seed, most))
    return body, review


def reviewed(body: Body, solves: Solutions = UNCACHED) -> OperationResponse:
    return execute(DEFINITION, ENDPOINTS["review"], body, RequestContext(solutions=solves))


def exact(number: float) -> Decimal:
    """Return a number exactly as it is printed."""
    return Decimal(repr(number))


def total(numbers: Any) -> Decimal:
    return sum((exact(number) for number in numbers), Decimal(0))


def positions(body: Body) -> list[Body]:
    """Return the positions before each round and after the last one."""
    states = [body["state"]]
    for one in body["rounds"]:
        states.append(ask("resolve", {"state": states[-1], **one})["state"])
    return states


def grown(state: Body, dice: list[int]) -> Body:
    return ask("grow", {"state": state, "dice": dice})["state"]


def revealed_before(one: Body, decision: str) -> Body:
    """Return the revealed moves of a round before a decision."""
    if decision == "card":
        return {}
    if decision == "watcher":
        return {seat: {"card": move["card"]} for seat, move in one["moves"].items()}
    shown = copy.deepcopy(one["moves"])
    for move in shown.values():
        if move.get("then", move)["card"] == "healer":
            move.get("then", move).pop("recover", None)
    return shown


def questions(body: Body, review: Body) -> Iterator[tuple[Body, Body]]:
    """Yield each decision with the request of its hint."""
    states = positions(body)
    for each in review["decisions"]:
        one = body["rounds"][each["round"]]
        asked = {
            "state": grown(states[each["round"]], one["dice"]),
            "player": each["player"],
            "chosen": each["move"],
            "effort": body["effort"],
        }
        yield each, asked | {"revealed": revealed_before(one, each["decision"])}
