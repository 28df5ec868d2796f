"""Shared by the golden games of turns: random turns and perft counts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from golden.asking import Document, ask, below
from service.core.game import Game
from service.core.perft import perft
from service.games.common.validation import Violations

Selector = Callable[[Random, list[Document]], list[Document]]


def _all(_: Random, choices: list[Document]) -> list[Document]:
    return choices


def random_turn(
    game: str, random: Random, state: Document, select: Selector = _all
) -> list[Document]:
    """Return a complete random turn; ``select`` narrows the choices."""
    turn: list[Document] = []
    while True:
        legal = ask(game, "legal-moves", {"state": state, "so_far": turn})
        if legal["decision"] == "none":
            return turn
        if legal["decision"] == "draw":
            turn.append({"type": "draw", "card": _drawn(random, legal["draw"])})
            continue
        [choices] = legal["moves"].values()
        narrowed = select(random, choices)
        turn.append(narrowed[below(random, len(narrowed))])


def _drawn(random: Random, outcomes: list[Document]) -> str:
    threshold = random.random()
    for outcome in outcomes:
        threshold -= outcome["probability"]
        if threshold < 0.0:
            break
    card: str = outcome["card"]
    return card


def count_paths_of(
    game: Game[Any, Any, Any, Any, Any],
    read_state: Callable[[Any, Violations], Any],
    position: Document,
) -> Document:
    """Return the position with its perft counts."""
    state = read_state(position["state"], Violations())
    assert state is not None, f"{position['name']} is not a legal position"
    start = game.begin(state).play
    paths = {depth: perft(game, start, int(depth)) for depth in position["paths"]}
    return position | {"paths": paths}
