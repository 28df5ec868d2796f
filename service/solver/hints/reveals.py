"""The likeliest joint choices of all players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

from service.core.game import Choice
from service.core.hints import Hint


def likely_reveals(
    hint: Hint[Choice], player: str, move: Mapping[str, Choice], limit: int
) -> list[tuple[float, Mapping[str, Choice]]]:
    """Return the likeliest joint choices of all actors, given one player's move.

    Args:
        hint: with the strategies of all players.
        player: whose move is given.
        move: the given move.
        limit: number of joint choices.

    Returns:
        Probabilities and joint choices, the likeliest first, ties in deck order.
    """
    # A combination is among the likeliest only if each part is among the likeliest of its player.
    others = [
        sorted(mixture, key=lambda row: -row[1])[:limit]
        for name, mixture in hint.strategies.items()
        if name != player and mixture
    ]
    joint: list[tuple[float, Mapping[str, Choice]]] = [
        (prod(chance for _, chance in rows), {**_merged(part for part, _ in rows), **move})
        for rows in product(*others)
    ]
    return sorted(joint, key=lambda row: -row[0])[:limit]


def _merged(moves: Iterable[Mapping[str, Choice]]) -> dict[str, Choice]:
    return {actor: choice for move in moves for actor, choice in move.items()}
