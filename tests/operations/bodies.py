"""Bodies of suggest and their answers as printed, for the tests of its promises.

A card is one letter (``1`` to ``7``, ``h``ealer, ``w``atcher, ``b``lizzard) and a hand is a word
of them.  Seats are called red, blue, green, black and white.
"""

from __future__ import annotations

import json
from copy import deepcopy
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from service.core.violations import Rejected
from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import UNCACHED, SolutionCache

Body = dict[str, Any]

ENTRY = GAMES["snow-time"]
VERBS = {verb.name: verb for verb in ENTRY.endpoints}
DECK = ("1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard")
LETTERS = dict(zip("1234567hwb", DECK, strict=True))
NAMES = ("red", "blue", "green", "black", "white")
FULL = "1234567hwb"
MODELS = ("equilibrium", "quantal", "level-1", "uniform")
OBJECTIVES = ("win", "points", "lead")


def text(verb: str, body: Body, solves: SolutionCache = UNCACHED) -> str:
    """The answer as JSON; whatever is no JSON number fails here."""
    found = execute(ENTRY, VERBS[verb], deepcopy(body), RequestContext(solutions=solves))
    return json.dumps(found.document, allow_nan=False)


def suggest(body: Body) -> Body:
    found: Body = json.loads(text("suggest", body))
    return found


def legal_moves(body: Body) -> Body:
    asked = {name: body[name] for name in ("state", "revealed") if name in body}
    found: Body = json.loads(text("legal-moves", asked))
    return found


def refused(body: Body) -> Rejected:
    with pytest.raises(Rejected) as refusal:
        suggest(body)
    return refusal.value


def faults(body: Body) -> set[tuple[str, str]]:
    """Path and code of every fault."""
    return {(fault.path, fault.code) for fault in refused(body).faults}


def seats(*hands: str, scores: tuple[int, ...] = (), owners: str = "") -> list[Body]:
    return [
        {"seat": NAMES[place], "hand": [LETTERS[letter] for letter in word]}
        | {"score": scores[place] if scores else 0}
        | ({"player": owners[place]} if owners else {})
        for place, word in enumerate(hands)
    ]


def body(*hands: str, scores: tuple[int, ...] = (), owners: str = "", **more: Any) -> Body:
    """A question of the first player under the uniform model; ``more`` goes into the body."""
    state: Body = {
        "seats": seats(*hands, scores=scores, owners=owners),
        "fruit": more.pop("fruit", [1, 0, 2, 0, 1, 1]),
    }
    if "track" in more:
        state["track"] = more.pop("track")
    asked = {"state": state, "player": owners[:1] or NAMES[0], "opponents": {"model": "uniform"}}
    return asked | more


def owners(asked: Body) -> dict[str, str]:
    return {seat["seat"]: seat.get("player", seat["seat"]) for seat in asked["state"]["seats"]}


def decimals(number: float) -> Decimal:
    """A number exactly as it is printed."""
    return Decimal(repr(number))


def numbers(document: Any) -> list[float]:
    """Every number of an answer that is not a count."""
    if isinstance(document, dict):
        return [number for inner in document.values() for number in numbers(inner)]
    if isinstance(document, list):
        return [number for inner in document for number in numbers(inner)]
    return [document] if isinstance(document, float) else []


def spelled(move: Any) -> str:
    """A joint move as a key."""
    return json.dumps(move, sort_keys=True)


# At random ----------------------------------------------------------------------------------


def random_body(seed: int, model: str = "uniform") -> Body:
    """A question about a random position, at the card, the watcher or the healer decision."""
    random = Random(seed)
    while True:
        asked = _random_body(random, seed)
        asked["opponents"]["model"] = model
        if not asked.get("revealed") or asked["player"] in _deciding(asked):
            return asked


def _random_body(random: Random, seed: int) -> Body:
    shared = random.choice(("", "", "aabb", "abab", "abba"))
    count = 4 if shared else random.randint(3, 5)
    hands = []
    for _ in range(count):
        champions = random.sample("1234567", k=random.choice((0, 1, 2, 4, 6, 7)))
        hands.append("".join([*champions, "h", *random.sample("wb", k=random.randint(0, 2))]))
    fruit = [random.randint(0, 2) for _ in range(6)]
    short = random.random() < 0.4
    track = {"length": 12, "bonuses": [{"space": 10, "kind": "mana", "advance": 2}]}
    asked = body(
        *hands,
        owners=shared,
        scores=tuple(random.randint(8, 11) if short else random.randint(0, 29) for _ in hands),
        fruit=fruit,
        objective=OBJECTIVES[seed % 3],
        **({"track": track} if short else {}),
    )
    asked["player"] = random.choice(list(owners(asked).values()))
    if random.random() < 0.5:
        revealed = {seat["seat"]: _random_move(random, seat) for seat in asked["state"]["seats"]}
        asked["revealed"] = revealed
    elif random.random() < 0.5:
        asked["opponents"]["weights"] = {
            seat["seat"]: {card: random.choice((0, 1, 2.5)) for card in seat["hand"]}
            | {seat["hand"][0]: 1}
            for seat in asked["state"]["seats"]
            if owners(asked)[seat["seat"]] != asked["player"] and random.random() < 0.6
        }
    return asked


def _random_move(random: Random, seat: Body) -> Body:
    special = [card for card in seat["hand"] if card in ("healer", "watcher")]
    move: Body = {"card": random.choice(seat["hand"] + special)}
    if move["card"] == "watcher" and random.random() < 0.5:
        move["then"] = {"card": random.choice([c for c in seat["hand"] if c != "watcher"])}
    return move


def _deciding(asked: Body) -> set[str]:
    return {owners(asked)[seat] for seat in legal_moves(asked)["moves"]}
