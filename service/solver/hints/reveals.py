"""What everybody is likely to reveal at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

from service.core.game import Choice
from service.core.hints import Hint


def likely_reveals(
    hint: Hint[Choice], player: str, move: Mapping[str, Choice], most: int
) -> list[tuple[float, Mapping[str, Choice]]]:
    """The likeliest joint choices of all actors with their probabilities, the player's own being
    known; of equally likely ones those first that come first in deck order.

    Args:
        hint: with everybody's strategies.
        player: whose.
        move: the player's.
        most: at most so many.
    """
    # No combination is among the likeliest unless each part is, of its player's.
    others = [
        sorted(mixture, key=lambda row: -row[1])[:most]
        for name, mixture in hint.strategies.items()
        if name != player and mixture
    ]
    stage_game: list[tuple[float, Mapping[str, Choice]]] = [
        (prod(chance for _, chance in rows), {**_together(told for told, _ in rows), **move})
        for rows in product(*others)
    ]
    return sorted(stage_game, key=lambda one: -one[0])[:most]


def _together(parts: Iterable[Mapping[str, Choice]]) -> dict[str, Choice]:
    return {actor: choice for part in parts for actor, choice in part.items()}
