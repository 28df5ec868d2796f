"""Random games of turns, played by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from golden.asking import ask
from golden.turns import random_turn

PLAYERS = ("Anna", "Hugo", "Mila", "Paul")


def random_turns(game: str, players: int, seed: int) -> Iterator[tuple[Any, list[Any], Any]]:
    """Yield the turns of a game to its end, each with its position, its moves and its result."""
    random = Random(seed)
    seats = [{"player": player} for player in PLAYERS[:players]]
    state, over = ask(game, "new", {"seats": seats, "seed": seed})["state"], False
    while not over:
        moves = random_turn(game, random, state)
        result = ask(game, "resolve", {"state": state, "moves": moves})
        yield state, moves, result
        state, over = result["state"], result["game_over"]
