"""Golden games and perft counts of Snowcrest."""

from __future__ import annotations

from functools import partial
from random import Random

from golden.asking import Document
from golden.asking import ask as asked_of
from golden.turns import count_paths_of, random_turn
from service.games.snowcrest.rules.legality import parse_state
from service.games.snowcrest.rules.rules import Snowcrest

GAME = Snowcrest()
FOLDER = "snowcrest"

ask = partial(asked_of, GAME.name)

SMALL: Document = {
    "starters": [
        {"id": "digger", "cost": 0, "actions": [{"effects": [{"type": "gain", "what": "juniper"}]}],
         "back": {"barley": 1}},
        {"id": "asker", "cost": 1, "actions": [{"effects": [{"type": "worship"}]}]},
        {"id": "carver", "cost": 1, "actions": [
            {"pay": {"juniper": 1}, "effects": [{"type": "build", "building": "any"}]},
            {"effects": [{"type": "turn-up"}]}]},
        {"id": "giver", "cost": 1, "actions": [
            {"effects": [{"type": "gain", "what": "any"}, {"type": "gain", "what": "card"}]}]},
    ],
    "villagers": [
        {"id": "ringer", "cost": 1, "icons": {"bell": 1}, "copies": 2,
         "actions": [{"effects": [{"type": "meditate"}]}]},
        {"id": "mender", "cost": 1, "settles": True, "icons": {"gold": 1}, "copies": 2,
         "actions": [{"effects": [{"type": "take-back"}]}, {"effects": [{"type": "redraw"}]}]},
        {"id": "watcher", "cost": 2, "actions": [{"effects": [{"type": "copy"}]}]},
    ],
    "commons": [
        {"id": "caller", "cost": 1, "actions": [{"effects": [{"type": "recruit"}]}], "copies": 3},
        {"id": "hawker", "cost": 1, "icons": {"barley": 2}, "copies": 3, "actions": [
            {"effects": [
            {"type": "trade", "sets": [
                {"what": "bowl", "count": 2}, {"what": "scroll"}, {"what": "barley", "count": 2},
            ]}]}]},
        {"id": "keeper", "cost": 2, "copies": 2, "actions": [{"effects": [
            {"type": "per-building", "building": "any", "what": "bowl"},
            {"type": "gain", "what": "less-omen"}]}]},
    ],
    "guardians": [
        {"id": "lynx", "own": {"any": 1, "building": 1}, "others": {"card": 1}, "copies": 2,
         "reward": {"scroll": 2, "card": 1}},
        {"id": "ibex", "own": {"villager": 1}, "others": {"omen": 1}, "reward": {"scroll": 1}},
    ],
    "forest": [{"id": "stump", "own": {"omen": 1}, "others": {"any": 1}, "reward": {"scroll": 1}}],
    "challenges": [
        {"id": f"pair-{number}", "conditions": [{"type": "buildings", "at_least": number}]}
        for number in range(2, 7)
    ],
}  # fmt: skip
"""A small catalogue with every kind of effect."""


def _seats(*players: str) -> list[Document]:
    return [{"player": player} for player in players]


SETUPS: dict[str, tuple[int, Document]] = {
    "two-players": (2, {"seats": _seats("anna", "hugo"), "seed": 2}),
    "three-players": (3, {"seats": _seats("anna", "hugo", "nina"), "seed": 3}),
    "starter-variant": (
        5,
        {"seats": _seats("anna", "hugo"), "seed": 5, "starter_variant": True},
    ),
    "alone": (1, {"seats": _seats("anna"), "seed": 1, "difficulty": 2}),
    "own-catalogue": (
        8,
        {"seats": _seats("anna", "hugo"), "seed": 8, "catalogue": SMALL},
    ),
}


def golden_game(seed: int, setup: Document) -> Document:
    """Return a whole game: its set-up, and the request and response of every turn.

    The request has the state of the previous response, which is not written twice.
    """
    random = Random(seed)
    state = ask("new", setup)["state"]
    rounds = []
    while not ask("legal-moves", {"state": state})["game_over"]:
        moves = random_turn(GAME.name, random, state)
        response = ask("resolve", {"state": state, "moves": moves})
        rounds.append({"moves": moves, "answer": response})
        state = response["state"]
    return {"seed": seed, "new": setup, "rounds": [_without_catalogue(each) for each in rounds]}


def _without_catalogue(played: Document) -> Document:
    """Return a turn without the catalogue, which is the same in every response."""
    answer = played["answer"]
    state = {name: value for name, value in answer["state"].items() if name != "catalogue"}
    return played | {"answer": answer | {"state": state}}


def count_paths(position: Document) -> Document:
    """Return the position with its perft counts."""
    return count_paths_of(GAME, parse_state, position)
