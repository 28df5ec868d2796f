"""Golden games and perft counts of Slopecrashers."""

from __future__ import annotations

from functools import partial
from random import Random

from golden.asking import Document, below
from golden.asking import ask as asked_of
from service.core.perft import perft
from service.games.reading import Findings
from service.games.slopecrashers.legality import read_state
from service.games.slopecrashers.rules import Slopecrashers

GAME = Slopecrashers()
FOLDER = "slopecrashers"
AHEAD = 0.7
"""How often a step ahead is taken where there is one: by chance alone races take too long."""

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
}


def golden_game(seed: int, setup: Document) -> Document:
    """A whole game: its set-up, and for every turn the question and the answer."""
    random = Random(seed)
    state = ask("new", setup)["state"]
    rounds = []
    while not ask("legal-moves", {"state": state})["game_over"]:
        question = {"state": state, "moves": _random_turn(random, state)}
        answered = ask("resolve", question)
        rounds.append({"question": question, "answer": answered})
        state = answered["state"]
    return {"seed": seed, "new": setup, "rounds": rounds}


def _random_turn(random: Random, state: Document) -> list[Document]:
    """A complete turn, each choice and draw by chance, and often ahead."""
    turn: list[Document] = []
    while True:
        asked = ask("legal-moves", {"state": state, "so_far": turn})
        if asked["decision"] == "none":
            return turn
        if asked["decision"] == "draw":
            turn.append({"type": "draw", "card": _drawn(random, asked["draw"])})
            continue
        [choices] = asked["moves"].values()
        ahead = [choice for choice in choices if choice.get("direction") == "forward"]
        some = ahead if ahead and random.random() < AHEAD else choices
        turn.append(some[below(random, len(some))])


def _drawn(random: Random, outcomes: list[Document]) -> str:
    threshold = random.random()
    for outcome in outcomes:
        threshold -= outcome["probability"]
        if threshold < 0.0:
            break
    card: str = outcome["card"]
    return card


def counted(position: Document) -> Document:
    """The position with the number of paths through its turns."""
    state = read_state(position["state"], Findings())
    assert state is not None, f"{position['name']} is no legal position"
    start = GAME.begin(state).play
    paths = {depth: perft(GAME, start, int(depth)) for depth in position["paths"]}
    return position | {"paths": paths}
