"""Writes the golden games and the perft counts of Snow Time anew, or says whether they drifted.

    python3 scripts/dev.py run scripts/regenerate_golden.py [--check]

A golden game is a whole game played by seeded, uniformly random moves through the operations of
the service: every round's question and its full answer.  They change when an answer changes, on
purpose or not; the difference in the files shows what a client would see.  Perft counts change
only when the rules do (``tests/games/snow_time/test_snow_time_perft.py`` derives them by hand).

``--check`` writes nothing and ends with 1 if anything differs.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from service.core.perft import perft
from service.games.entry import Verb
from service.games.reading import Findings
from service.games.registry import GAMES
from service.games.snow_time.legality import read_position
from service.games.snow_time.rules import Round
from service.operations.answer import answer

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "games" / "snow_time" / "data"
GOLDEN = DATA / "golden"
PERFT = DATA / "perft.json"
WIDTH = 120

Document = dict[str, Any]

ENTRY = GAMES["snow-time"]
VERBS: dict[str, Verb] = {verb.name: verb for verb in ENTRY.verbs}

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
    """Seats from words: ``name`` or ``name=player``."""
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


def ask(verb: str, body: Document) -> Document:
    """The answer of a route, without HTTP."""
    return answer(ENTRY, VERBS[verb], body, (), 0.0).document


# Golden games -------------------------------------------------------------------------------


def golden_game(seed: int, setup: Document) -> Document:
    """A whole game: its set-up, and for every round the question and the answer."""
    random = Random(seed)
    state = ask("new", setup)["state"]
    rounds = []
    while not ask("legal-moves", {"state": state})["game_over"]:
        grown = ask("grow", {"state": state, "seed": _below(random, 2**32)})
        moves = _random_moves(random, grown["state"])
        question = {"state": state, "dice": grown["dice"], "moves": moves}
        answered = ask("resolve", question)
        rounds.append({"question": question, "answer": answered})
        state = answered["state"]
    return {"seed": seed, "new": setup, "rounds": rounds}


def _random_moves(random: Random, state: Document) -> Document:
    """Complete moves of all seats, each decision drawn from the legal moves."""
    moves: Document = {}
    while True:
        asked = ask("legal-moves", {"state": state} | ({"revealed": moves} if moves else {}))
        if asked["decision"] == "none":
            return moves
        for seat, choices in asked["moves"].items():
            moves[seat] = choices[_below(random, len(choices))]


def _below(random: Random, count: int) -> int:
    # Of all methods, random() alone keeps its sequence in every version of Python.
    return int(random.random() * count)


# Perft --------------------------------------------------------------------------------------


def counted(position: Document) -> Document:
    """The position with the number of paths through its rounds."""
    state = read_position(position["state"], Findings()).state
    assert state is not None, f"{position['name']} is no legal position"
    start = Round(state, grown=position["grown"])
    paths = {depth: perft(ENTRY.game, start, int(depth)) for depth in position["paths"]}
    return position | {"paths": paths}


# Files --------------------------------------------------------------------------------------


def readable(value: Any, indent: str = "") -> str:
    """JSON in which whatever fits a line stands on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= WIDTH or not isinstance(value, (dict, list)):
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        members = [readable(inner, deeper) for inner in value]
        start, end = "[", "]"
    else:
        members = [f"{json.dumps(name)}: {readable(value[name], deeper)}" for name in value]
        start, end = "{", "}"
    return f"{start}\n{deeper}" + f",\n{deeper}".join(members) + f"\n{indent}{end}"


def files() -> Iterator[tuple[Path, str]]:
    """Every file as it has to read now."""
    for name, (seed, setup) in SETUPS.items():
        yield GOLDEN / f"{name}.json", readable(golden_game(seed, setup)) + "\n"
    positions = json.loads(PERFT.read_text(encoding="utf-8"))
    yield PERFT, readable([counted(position) for position in positions]) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, tell what drifted")
    check = parser.parse_args(arguments).check
    drifted = []
    expected = dict(files())
    for path in sorted({*expected, *GOLDEN.glob("*.json")}):
        present = path.read_text(encoding="utf-8") if path.exists() else None
        if present == expected.get(path):
            continue
        drifted.append(path.relative_to(ROOT))
        if check:
            continue
        if path in expected:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(expected[path], encoding="utf-8")
        else:
            path.unlink()
    for path in drifted:
        print(f"{path}: {'differs' if check else 'written anew'}")
    return 1 if check and drifted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
