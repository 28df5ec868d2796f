"""What golden games in turns have in common: turns by chance, and paths counted."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from golden.asking import Document, ask, below
from service.core.game import Game
from service.core.perft import perft
from service.games.common.validation import Violations

Some = Callable[[Random, list[Document]], list[Document]]


def _all(_: Random, choices: list[Document]) -> list[Document]:
    return choices


def random_turn(game: str, random: Random, state: Document, some: Some = _all) -> list[Document]:
    """A complete turn, each choice and draw by chance; ``some`` narrows the choices."""
    turn: list[Document] = []
    while True:
        asked = ask(game, "legal-moves", {"state": state, "so_far": turn})
        if asked["decision"] == "none":
            return turn
        if asked["decision"] == "draw":
            turn.append({"type": "draw", "card": _drawn(random, asked["draw"])})
            continue
        [choices] = asked["moves"].values()
        narrowed = some(random, choices)
        turn.append(narrowed[below(random, len(narrowed))])


def _drawn(random: Random, outcomes: list[Document]) -> str:
    threshold = random.random()
    for outcome in outcomes:
        threshold -= outcome["probability"]
        if threshold < 0.0:
            break
    card: str = outcome["card"]
    return card


def counted_by(
    game: Game[Any, Any, Any, Any, Any],
    read_state: Callable[[Any, Violations], Any],
    position: Document,
) -> Document:
    """The position with the number of paths through its turns."""
    state = read_state(position["state"], Violations())
    assert state is not None, f"{position['name']} is no legal position"
    start = game.begin(state).play
    paths = {depth: perft(game, start, int(depth)) for depth in position["paths"]}
    return position | {"paths": paths}
