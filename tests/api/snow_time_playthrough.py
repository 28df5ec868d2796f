"""Random Snow Time games over HTTP, played only from the responses of the service."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.api.calls import post, result_of

MAX_ROUNDS = 400


@dataclass(frozen=True)
class Round:
    """One round: its requests and responses.

    Attributes:
        before: the position before growth.
        dice: the growth dice.
        grown: the position after growth.
        decisions: the responses of legal-moves in order; the last has the decision ``none``.
        moves: the moves of all seats; a recovery without an alternative is omitted.
        result: the response of resolve.
    """

    before: Any
    dice: list[int]
    grown: Any
    decisions: list[Any]
    moves: dict[str, Any]
    result: Any


def play(client: Any, setup: Any, rng: Random) -> Iterator[Round]:
    """Play a game to its end with random legal moves and yield its rounds."""
    state = result_of(post(client, "new", setup))["state"]
    for _ in range(MAX_ROUNDS):
        growth = result_of(post(client, "grow", {"state": state, "seed": rng.randrange(2**53)}))
        grown, moves, decisions = growth["state"], {}, []
        while True:
            revealed = {"revealed": moves} if moves else {}
            legal = result_of(post(client, "legal-moves", {"state": grown} | revealed))
            decisions.append(legal)
            if legal["decision"] == "none":
                break
            moves |= {seat: rng.choice(choices) for seat, choices in legal["moves"].items()}
        result = result_of(post(client, "resolve", {"state": grown, "moves": moves}))
        yield Round(state, growth["dice"], grown, decisions, dict(moves), result)
        state = result["state"]
        if result["game_over"]:
            return
    raise AssertionError(f"the game did not end within {MAX_ROUNDS} rounds")
