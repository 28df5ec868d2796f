"""The actions of a turn as a script for checked play, for all turn-based games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Generic, TypeVar

from service.core.chance import draw
from service.core.game import Chance, Choice, Decision, Forced
from service.core.violations import Violation, pointer

Drawn = TypeVar("Drawn")


class ActionScript(ABC, Generic[Choice, Drawn]):
    """A turn as a list of actions, in order; implements :class:`~service.core.game.Script`.

    Answers that the rules gave already may be stated, with the player if another answer is
    possible next.  With a seed, the list may omit draws.  Each draw then has its own seed, derived
    from the given seed and the number of draws before it.

    Args:
        actions: choices, answers and draws.
        at: JSON pointer to the list.
        seed: for omitted draws; None if the list has to contain every draw.
    """

    def __init__(self, actions: tuple[Choice, ...], at: str, seed: int | None = None) -> None:
        self._actions, self._at, self._seed = actions, at, seed
        self._next = self._current = 0
        self._draws = 0

    @abstractmethod
    def actor_of(self, action: Choice, decider: str) -> tuple[str, Choice]:
        """Return who acts, and the action; ``decider`` acts if the action names no player."""

    @abstractmethod
    def restates(self, given: Choice, actor: str, answer: Choice) -> bool:
        """Return whether an action is an answer that the rules gave already."""

    @abstractmethod
    def drawn(self, action: Choice) -> Drawn | None:
        """Return what the action draws; None if it is not a draw."""

    def pass_forced(self, node: Decision[Any] | Chance[Any] | None, forced: Forced) -> None:
        remaining = list(forced)
        while remaining and self._next < len(self._actions):
            given = self._actions[self._next]
            matches = [self.restates(given, actor, answer) for actor, answer in remaining]
            if True not in matches:
                return
            if isinstance(node, Decision) and self._answers(given, node):
                return
            place = matches.index(True)
            # Answers have an order; cards revealed together do not.
            del remaining[place if self.drawn(given) else 0 : place + 1]
            self._next += 1

    def _answers(self, given: Choice, node: Decision[Any]) -> bool:
        """Return whether an action has the type and the player of a decision."""
        [(decider, listed)] = node.choices.items()
        actor, _ = self.actor_of(given, decider)
        return actor == decider and _type_of(given) in map(_type_of, listed)

    def choices(self, node: Decision[Any]) -> Mapping[str, Choice]:
        self._current = self._next
        if self._next == len(self._actions):
            return {}
        self._next += 1
        [decider] = node.choices
        actor, action = self.actor_of(self._actions[self._current], decider)
        return {actor: action}

    def outcome(self, node: Chance[Any]) -> Drawn | None:
        self._current = self._next
        self._draws += 1
        if self._next < len(self._actions):
            given = self.drawn(self._actions[self._next])
            if given is not None:
                self._next += 1
                return given
        if self._seed is None:
            return None
        drawn: Drawn = draw(node, _draw_seed(self._seed, self._draws))
        return drawn

    def path_of(self, actor: str | None) -> str:
        return self._at + pointer(self._current)

    def surplus(self) -> tuple[Violation, ...]:
        if self._next == len(self._actions):
            return ()
        at = self._at + pointer(self._next)
        return (
            Violation(
                at,
                "surplus",
                "The turn is complete before this action. Remove it and those after it.",
            ),
        )


def _type_of(action: Any) -> Any:
    """Return the type of an action of any game."""
    return action.type


def _draw_seed(seed: int, number: int) -> int:
    return int.from_bytes(sha256(f"{seed} {number}".encode()).digest()[:8])
