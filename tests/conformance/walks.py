"""Random playouts of any game, and scripts for checked play; they only use core/game.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from service.core.chance import draw
from service.core.game import Chance, Decision, Step
from service.core.violations import Violation

MAX_NODES = 5_000
"""A longer playout counts as endless."""


@dataclass(frozen=True)
class VisitedNode:
    """One node of a playout; ``revealed`` has the choices of all actors, or the outcome."""

    play: Any
    node: Decision[Any] | Chance[Any]
    revealed: Any
    step: Step[Any, Any]


@dataclass(frozen=True)
class Playout:
    """A game from a state to its end.

    Attributes:
        states: the resting states.
        rounds: the nodes of each round or turn.
        begun: the first step of each round.
        completed: the complete play of each round.
    """

    states: tuple[Any, ...]
    rounds: tuple[tuple[VisitedNode, ...], ...]
    begun: tuple[Step[Any, Any], ...]
    completed: tuple[Any, ...]

    @property
    def nodes(self) -> tuple[VisitedNode, ...]:
        return tuple(node for nodes in self.rounds for node in nodes)


def random_turns(
    game: Any, state: Any, random: Random
) -> Iterator[tuple[Any, Step[Any, Any], tuple[VisitedNode, ...], Any]]:
    """Yield rounds or turns to the end, with uniform choices and draws by their probabilities.

    Each is the state before it, its first step, its nodes, and the complete play.
    """
    while not game.over(state):
        begun = game.begin(state)
        play, nodes = begun.play, []
        while (node := game.pending(play)) is not None:
            if isinstance(node, Chance):
                revealed = draw(node, random.getrandbits(32))
                step = game.draw(play, revealed)
            else:
                revealed = {actor: random.choice(legal) for actor, legal in node.choices.items()}
                step = game.choose(play, revealed)
            nodes.append(VisitedNode(play, node, revealed, step))
            play = step.play
        yield state, begun, tuple(nodes), play
        state = game.rest(play)


def random_playout(game: Any, state: Any, seed: int) -> Playout:
    """Play to the end."""
    states, rounds, begun, completed = [state], [], [], []
    for _, first, nodes, play in random_turns(game, state, Random(seed)):
        states.append(game.rest(play))
        rounds.append(nodes)
        begun.append(first)
        completed.append(play)
        assert len(states) + sum(map(len, rounds)) < MAX_NODES, f"no end with seed {seed}"
    return Playout(tuple(states), tuple(rounds), tuple(begun), tuple(completed))


class ListScript:
    """A script with one entry per node; nothing is given after its end."""

    def __init__(self, entries: Sequence[Any]) -> None:
        self._entries = tuple(entries)
        self._next = 0
        self._at = 0

    def pass_forced(self, node: Any, forced: Any) -> None:
        """Do nothing: the list has one entry per node."""

    def choices(self, node: Decision[Any]) -> Mapping[str, Any]:
        return self._take({})

    def outcome(self, node: Chance[Any]) -> Any:
        return self._take(None)

    def path_of(self, actor: str | None) -> str:
        return f"/script/{self._at}" + ("" if actor is None else f"/{actor}")

    def surplus(self) -> tuple[Violation, ...]:
        places = range(self._next, len(self._entries))
        return tuple(Violation(f"/script/{at}", "surplus", "The turn is over.") for at in places)

    def _take(self, otherwise: Any) -> Any:
        self._at = self._next
        if self._next == len(self._entries):
            return otherwise
        self._next += 1
        return self._entries[self._at]
