"""Golden games and perft counts of Slopecrashers."""

from __future__ import annotations

from functools import partial
from random import Random

from golden.asking import Document
from golden.asking import ask as asked_of
from golden.turns import count_paths_of, random_turn
from service.games.slopecrashers.rules.legality import parse_state
from service.games.slopecrashers.rules.rules import Slopecrashers

GAME = Slopecrashers()
FOLDER = "slopecrashers"
AHEAD = 0.7
"""Probability of a step ahead if one is legal; uniformly random games take too long."""

ask = partial(asked_of, GAME.name)


def _seats(*players: str) -> list[Document]:
    return [{"player": player} for player in players]


SHORT_COURSE = {
    "low": [["plain", "gift", "gift"], ["boost", "plain", "obstacle"], ["gift", "plain", "gift"]],
    "high": [["plain", "abyss", "boost"], ["gift", "plain", "plain"]],
}
SMALL_DECK = {
    "spring": 1,
    "chili": 1,
    "rocket": 2,
    "magnet": 2,
    "black-ice": 1,
    "snowman": 1,
    "bee-sting-or-carrier-pigeon": 2,
}

OWN_SET = {
    "bend": [["plain", "gift-boost", "plain"], ["abyss", "plain", "boost"]],
    "gorge": [["gift", "plain"], ["plain", "gift-boost"], ["obstacle", "plain"]],
    "plain": [["plain", "gift", "plain", "gift"]],
}

SETUPS: dict[str, tuple[int, Document]] = {
    "two-players": (2, {"seats": _seats("anna", "hugo"), "seed": 2}),
    "four-players": (
        4,
        {"seats": _seats("anna", "hugo", "nina", "vincent"), "course": ["cedar", "birch"]},
    ),
    "six-players": (6, {"seats": _seats("a", "b", "c", "d", "e", "f"), "course": ["pine"]}),
    "own-pieces": (
        29,
        {
            "seats": _seats("anna", "hugo", "nina"),
            "course": ["low", "high"],
            "pieces": SHORT_COURSE,
            "deck": SMALL_DECK,
        },
    ),
    "own-set": (
        5,
        {
            "seats": _seats("anna", "hugo", "nina"),
            "course": ["bend", "gorge", "plain"],
            "reversed": ["bend"],
            "offsets": {"bend": 1, "gorge": 2},
            "pieces": OWN_SET,
        },
    ),
}


def golden_game(seed: int, setup: Document) -> Document:
    """Return a whole game: its set-up, the moves of every turn, and its response."""
    random = Random(seed)
    state = ask("new", setup)["state"]
    rounds = []
    while not ask("legal-moves", {"state": state})["game_over"]:
        moves = random_turn(GAME.name, random, state, _prefer_ahead)
        response = ask("resolve", {"state": state, "moves": moves})
        rounds.append({"moves": moves, "answer": response})
        state = response["state"]
    return {"seed": seed, "new": setup, "rounds": rounds}


def _prefer_ahead(random: Random, choices: list[Document]) -> list[Document]:
    ahead = [choice for choice in choices if choice.get("direction") == "forward"]
    return ahead if ahead and random.random() < AHEAD else choices


def count_paths(position: Document) -> Document:
    """Return the position with its perft counts."""
    return count_paths_of(GAME, parse_state, position)
