"""Random walks through any game, and scripts for checked play, knowing core/game.py alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from service.core.chance import draw
from service.core.game import Chance, Decision, Step
from service.core.violations import Violation

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
    begun: tuple[Step[Any, Any], ...]
    completed: tuple[Any, ...]

    @property
    def nodes(self) -> tuple[Passed, ...]:
        return tuple(passed for played in self.rounds for passed in played)


def walk(game: Any, state: Any, seed: int) -> Walk:
    """Plays to the end, choosing uniformly and drawing by the probabilities."""
    random = Random(seed)
    states, rounds, begun, completed = [state], [], [], []
    while not game.over(state):
        begun.append(game.begin(state))
        play, passed = begun[-1].play, []
        while (node := game.pending(play)) is not None:
            if isinstance(node, Chance):
                told = draw(node, random.getrandbits(32))
                step = game.draw(play, told)
            else:
                told = {actor: random.choice(legal) for actor, legal in node.choices.items()}
                step = game.choose(play, told)
            passed.append(Passed(play, node, told, step))
            play = step.play
        assert len(states) + sum(map(len, rounds)) < MOST_NODES, f"no end with seed {seed}"
        state = game.rest(play)
        states.append(state)
        rounds.append(tuple(passed))
        completed.append(play)
    return Walk(tuple(states), tuple(rounds), tuple(begun), tuple(completed))


class Told:
    """A script that tells what stands in a list, node by node; beyond its end, nothing.

    With a ``seed`` draws are made instead of being told, so that the list holds choices alone.
    """

    def __init__(self, entries: Sequence[Any], seed: int | None = None) -> None:
        self._entries = tuple(entries)
        self._random = None if seed is None else Random(seed)
        self._next = 0
        self._at = 0

    def choices(self, node: Decision[Any]) -> Mapping[str, Any]:
        return self._take({})

    def outcome(self, node: Chance[Any]) -> Any:
        if self._random is not None:
            return draw(node, self._random.getrandbits(32))
        return self._take(None)

    def where(self, actor: str | None) -> str:
        return f"/told/{self._at}" + ("" if actor is None else f"/{actor}")

    def surplus(self) -> tuple[Violation, ...]:
        places = range(self._next, len(self._entries))
        return tuple(Violation(f"/told/{at}", "surplus", "The turn is over.") for at in places)

    def _take(self, otherwise: Any) -> Any:
        self._at = self._next
        if self._next == len(self._entries):
            return otherwise
        self._next += 1
        return self._entries[self._at]
