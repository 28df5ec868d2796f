"""Snow Time hint requests and their rendered responses, for the tests of the operations.

A card is one letter (``1`` to ``7``, ``h``ealer, ``w``atcher, ``b``lizzard) and a hand is a string
of letters. The seats are red, blue, green, black and white.
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
from service.operations.solution_cache import UNCACHED, Solutions

JsonObject = dict[str, Any]
"""A JSON object: the body of a request or a response."""

DEFINITION = GAMES["snow-time"]
ENDPOINTS = {endpoint.name: endpoint for endpoint in DEFINITION.endpoints}
DECK = ("1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard")
LETTERS = dict(zip("1234567hwb", DECK, strict=True))
NAMES = ("red", "blue", "green", "black", "white")
FULL = "1234567hwb"
MODELS = ("equilibrium", "quantal", "level-1", "uniform")
OBJECTIVES = ("win", "points", "lead")
SOLVED = {"model": "equilibrium"}


def response_text(
    endpoint: str, body: JsonObject, cache: Solutions = UNCACHED, language: str = "en"
) -> str:
    """Run an operation and return its response as JSON; NaN and infinity raise ValueError."""
    context = RequestContext(solutions=cache, language=language)
    response = execute(DEFINITION, ENDPOINTS[endpoint], deepcopy(body), context)
    return json.dumps(response.document, allow_nan=False)


def suggest(body: JsonObject, language: str = "en") -> JsonObject:
    """Return the response of suggest."""
    hint: JsonObject = json.loads(response_text("suggest", body, language=language))
    return hint


def picked(hint: JsonObject) -> JsonObject:
    """Return the row of the recommended move."""
    row: JsonObject = hint["moves"][hint["pick_index"]]
    return row


def legal_moves(body: JsonObject) -> JsonObject:
    """Return the response of legal-moves at the position of a hint request."""
    position = {name: body[name] for name in ("state", "revealed") if name in body}
    response: JsonObject = json.loads(response_text("legal-moves", position))
    return response


def violations(body: JsonObject) -> set[tuple[str, str]]:
    """Return path and code of every violation of a hint request."""
    with pytest.raises(Rejected) as raised:
        suggest(body)
    return {(violation.path, violation.code) for violation in raised.value.violations}


def seats(*hands: str, scores: tuple[int, ...] = (), owners: str = "") -> list[JsonObject]:
    """Return the seats of a position; ``owners`` has one player's letter per seat."""
    return [
        {"seat": NAMES[place], "hand": [LETTERS[letter] for letter in word]}
        | {"score": scores[place] if scores else 0}
        | ({"player": owners[place]} if owners else {})
        for place, word in enumerate(hands)
    ]


def suggest_body(
    *hands: str, scores: tuple[int, ...] = (), owners: str = "", **more: Any
) -> JsonObject:
    """Return a hint request of the first player with the uniform model; ``more`` are its fields."""
    state: JsonObject = {
        "seats": seats(*hands, scores=scores, owners=owners),
        "fruit": more.pop("fruit", [1, 0, 2, 0, 1, 1]),
    }
    if "track" in more:
        state["track"] = more.pop("track")
    return {
        "state": state,
        "player": owners[:1] or NAMES[0],
        "opponents": {"model": "uniform"},
    } | more


def shown(word: str) -> JsonObject:
    """Return the revealed cards of the seats, in their order."""
    return {name: {"card": LETTERS[letter]} for name, letter in zip(NAMES, word, strict=False)}


def owners(request: JsonObject) -> dict[str, str]:
    """Return the player of each seat of a hint request."""
    return {seat["seat"]: seat.get("player", seat["seat"]) for seat in request["state"]["seats"]}


def as_decimal(number: float) -> Decimal:
    """Return a number exactly as it is rendered in JSON."""
    return Decimal(repr(number))


def floats(document: Any) -> list[float]:
    """Return every float in a document; integers are counts and are skipped."""
    if isinstance(document, dict):
        return [number for inner in document.values() for number in floats(inner)]
    if isinstance(document, list):
        return [number for inner in document for number in floats(inner)]
    return [document] if isinstance(document, float) else []


def move_key(move: Any) -> str:
    """Return a joint move as a dictionary key."""
    return json.dumps(move, sort_keys=True)


# Random requests ------------------------------------------------------------------------------


def seeded_body(seed: int) -> JsonObject:
    """Return a random hint request with the model of its seed, and print it."""
    body = random_body(seed, MODELS[seed % len(MODELS)])
    print(f"seed {seed}: {json.dumps(body)}")
    return body


def random_body(seed: int, model: str = "uniform") -> JsonObject:
    """Return a hint request at a random card, watcher or healer decision."""
    random = Random(seed)
    while True:
        request = _random_body(random, seed)
        request["opponents"]["model"] = model
        if not request.get("revealed"):
            return request
        if request["player"] in {owners(request)[seat] for seat in legal_moves(request)["moves"]}:
            return request


def _random_body(random: Random, seed: int) -> JsonObject:
    shared = random.choice(("", "", "aabb", "abab", "abba"))
    count = 4 if shared else random.randint(3, 5)
    hands = []
    for _ in range(count):
        champions = random.sample("1234567", k=random.choice((0, 1, 2, 4, 6, 7)))
        hands.append("".join([*champions, "h", *random.sample("wb", k=random.randint(0, 2))]))
    fruit = [random.randint(0, 2) for _ in range(6)]
    short = random.random() < 0.4
    track = {"length": 12, "bonuses": [{"space": 10, "kind": "mana", "advance": 2}]}
    request = suggest_body(
        *hands,
        owners=shared,
        scores=tuple(random.randint(8, 11) if short else random.randint(0, 29) for _ in hands),
        fruit=fruit,
        objective=OBJECTIVES[seed % 3],
        **({"track": track} if short else {}),
    )
    request["player"] = random.choice(list(owners(request).values()))
    if random.random() < 0.5:
        revealed = {seat["seat"]: _random_move(random, seat) for seat in request["state"]["seats"]}
        request["revealed"] = revealed
    elif random.random() < 0.5:
        request["opponents"]["weights"] = {
            seat["seat"]: {card: random.choice((0, 1, 2.5)) for card in seat["hand"]}
            | {seat["hand"][0]: 1}
            for seat in request["state"]["seats"]
            if owners(request)[seat["seat"]] != request["player"] and random.random() < 0.6
        }
    return request


def _random_move(random: Random, seat: JsonObject) -> JsonObject:
    special = [card for card in seat["hand"] if card in ("healer", "watcher")]
    move: JsonObject = {"card": random.choice(seat["hand"] + special)}
    if move["card"] == "watcher" and random.random() < 0.5:
        move["then"] = {"card": random.choice([c for c in seat["hand"] if c != "watcher"])}
    return move
