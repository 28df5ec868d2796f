"""A table that plays Snow Time over HTTP and knows nothing but what the service tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.api.calls import answer_of, post

MOST_ROUNDS = 400


@dataclass(frozen=True)
class Round:
    """One round as it was asked and answered.

    Attributes:
        before: the position before growth.
        dice: what was rolled.
        grown: the position after growth.
        decisions: the answers of legal-moves, in order; the last one has the decision none.
        moves: everybody's complete moves, but for sets that have no alternative.
        answer: what resolve answered.
    """

    before: Any
    dice: list[int]
    grown: Any
    decisions: list[Any]
    moves: dict[str, Any]
    answer: Any


def play(client: Any, setup: Any, rng: Random) -> Iterator[Round]:
    """Plays a game to its end by choosing among the legal moves at random."""
    state = answer_of(post(client, "new", setup))["state"]
    for _ in range(MOST_ROUNDS):
        growth = answer_of(post(client, "grow", {"state": state, "seed": rng.randrange(2**53)}))
        grown, moves, decisions = growth["state"], {}, []
        while True:
            told = {"revealed": moves} if moves else {}
            legal = answer_of(post(client, "legal-moves", {"state": grown} | told))
            decisions.append(legal)
            if legal["decision"] == "none":
                break
            moves |= {seat: rng.choice(choices) for seat, choices in legal["moves"].items()}
        answer = answer_of(post(client, "resolve", {"state": grown, "moves": moves}))
        yield Round(state, growth["dice"], grown, decisions, dict(moves), answer)
        state = answer["state"]
        if answer["game_over"]:
            return
    raise AssertionError(f"no end after {MOST_ROUNDS} rounds")
