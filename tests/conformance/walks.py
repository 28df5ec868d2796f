"""Random walks through any game, and scripts for checked play, knowing core/play.py alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from service.core.chance import draw
from service.core.play import Chance, Decision, Step

MOST_NODES = 5_000
"""A playout that is longer is taken not to end."""


@dataclass(frozen=True)
class Passed:
    """One node of a walk: where it was, what was chosen or drawn there, and what came of it."""

    play: Any
    node: Decision[Any] | Chance[Any]
    told: Any
    step: Step[Any, Any]


@dataclass(frozen=True)
class Walk:
    """A game from a state to its end: the resting states and all nodes, round by round."""

    states: tuple[Any, ...]
    rounds: tuple[tuple[Passed, ...], ...]
    completed: tuple[Any, ...]

    @property
    def nodes(self) -> tuple[Passed, ...]:
        return tuple(passed for played in self.rounds for passed in played)


def walk(game: Any, state: Any, seed: int) -> Walk:
    """Plays to the end, choosing uniformly and drawing by the probabilities."""
    random = Random(seed)
    states, rounds, completed = [state], [], []
    while not game.winners(state):
        play, passed = game.begin(state), []
        while (node := game.pending(play)) is not None:
            if isinstance(node, Chance):
                told = draw(node, random.getrandbits(32))
                step = game.draw(play, told)
            else:
                told = {actor: random.choice(legal) for actor, legal in node.choices.items()}
                step = game.choose(play, told)
            passed.append(Passed(play, node, told, step))
            play = step.play
        assert passed, "the game is neither over nor goes on"
        assert sum(map(len, rounds)) < MOST_NODES, f"no end with seed {seed}"
        state = game.rest(play)
        states.append(state)
        rounds.append(tuple(passed))
        completed.append(play)
    return Walk(tuple(states), tuple(rounds), tuple(completed))


@dataclass(frozen=True)
class Told:
    """A script that tells what stands in a list, node by node; beyond its end, nothing."""

    entries: Sequence[Any]

    def choices(self, node: Decision[Any], index: int) -> Mapping[str, Any]:
        return self.entries[index] if index < len(self.entries) else {}

    def outcome(self, node: Chance[Any], index: int) -> Any:
        return self.entries[index] if index < len(self.entries) else None

    def where(self, index: int, actor: str | None) -> str:
        return f"/told/{index}" + ("" if actor is None else f"/{actor}")
