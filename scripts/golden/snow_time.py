"""Golden games and perft counts of Snow Time."""

from __future__ import annotations

from functools import partial
from random import Random

from golden.asking import Document, below
from golden.asking import ask as asked_of
from service.core.perft import perft
from service.games.common.validation import Violations
from service.games.snow_time.rules.legality import read_position
from service.games.snow_time.rules.rules import Round, SnowTime

GAME = SnowTime()
FOLDER = "snow_time"

ask = partial(asked_of, GAME.name)

SHORT_TRACK = {
    "length": 12,
    "bonuses": [
        {"space": 2, "kind": "fight", "advance": 1},
        {"space": 4, "kind": "fruit", "advance": 3},
        {"space": 7, "kind": "mana", "advance": 2},
        {"space": 11, "kind": "fruit", "advance": 1},
    ],
}


def _seats(*pairs: str) -> list[Document]:
    """Return seats from words: ``name`` or ``name=player``."""
    named = (pair.partition("=") for pair in pairs)
    return [{"seat": seat} | ({"player": owner} if owner else {}) for seat, _, owner in named]


SETUPS: dict[str, tuple[int, Document]] = {
    "three-players": (3, {"seats": _seats("red", "blue", "green")}),
    "four-players": (4, {"seats": _seats("red", "blue", "green", "white")}),
    "five-players": (5, {"seats": _seats("red", "blue", "green", "white", "black")}),
    "two-players": (
        2,
        {"seats": _seats("red=ann", "blue=bob", "green=ann", "white=bob")},
    ),
    "short-track": (
        12,
        {"seats": _seats("red", "blue", "green"), "track": SHORT_TRACK},
    ),
}


def golden_game(seed: int, setup: Document) -> Document:
    """Return a whole game: its set-up, the dice and moves of every round, and its response."""
    random = Random(seed)
    state = ask("new", setup)["state"]
    rounds = []
    while not ask("legal-moves", {"state": state})["game_over"]:
        grown = ask("grow", {"state": state, "seed": below(random, 2**32)})
        moves = _random_moves(random, grown["state"])
        asked = {"dice": grown["dice"], "moves": moves}
        response = ask("resolve", {"state": state, **asked})
        rounds.append({**asked, "answer": response})
        state = response["state"]
    return {"seed": seed, "new": setup, "rounds": rounds}


def _random_moves(random: Random, state: Document) -> Document:
    """Return random legal and complete moves of all seats."""
    moves: Document = {}
    while True:
        legal = ask("legal-moves", {"state": state} | ({"revealed": moves} if moves else {}))
        if legal["decision"] == "none":
            return moves
        for seat, choices in legal["moves"].items():
            moves[seat] = choices[below(random, len(choices))]


def count_paths(position: Document) -> Document:
    """Return the position with its perft counts."""
    state = read_position(position["state"], Violations()).state
    assert state is not None, f"{position['name']} is not a legal position"
    start = Round(state, grown=position["grown"])
    paths = {depth: perft(GAME, start, int(depth)) for depth in position["paths"]}
    return position | {"paths": paths}
