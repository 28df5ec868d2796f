"""Perft: the number of ways in which a game can continue.

The name comes from chess programming.  Two implementations of the rules that count the same paths
from many positions rarely differ.
"""

from __future__ import annotations

from itertools import product

from service.core.game import Chance, Choice, Event, Game, Outcome, Play, State


def perft(game: Game[State, Play, Choice, Outcome, Event], play: Play, rounds: int) -> int:
    """Return the number of paths of choices and chance outcomes through some rounds or turns.

    A path ends early if the game ends.  Simultaneous choices count as one joint choice.  Each
    chance outcome counts once, whatever its probability.
    """
    node = game.pending(play)
    if node is None:
        state = game.rest(play)
        if rounds <= 1 or game.over(state):
            return 1
        return perft(game, game.begin(state).play, rounds - 1)
    if isinstance(node, Chance):
        return sum(
            perft(game, game.draw(play, outcome).play, rounds) for outcome, _ in node.outcomes
        )
    actors = tuple(node.choices)
    return sum(
        perft(game, game.choose(play, dict(zip(actors, joint, strict=True))).play, rounds)
        for joint in product(*node.choices.values())
    )
