"""The choices and the chance outcome of one round in a request body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from service.core.game import Chance, Choice, Decision, Forced, Outcome
from service.core.violations import Violation, pointer


@dataclass(frozen=True, slots=True)
class RoundScript(Generic[Choice, Outcome]):
    """The moves of one round, each with the choices of all its decisions.

    Attributes:
        moves: by actor.
        drawn: the outcome of the chance event before the round, if given.
        at: JSON pointer to the moves.
        drawn_at: JSON pointer to the outcome.
        part: returns what a move chooses up to a decision, or None.
    """

    moves: Mapping[str, Choice]
    drawn: Outcome | None
    at: str
    drawn_at: str
    part: Callable[[Choice, str], Choice | None]

    def pass_forced(self, node: Decision[Any] | Chance[Any] | None, forced: Forced) -> None:
        """Do nothing: what the rules give is part of a move."""

    def choices(self, node: Decision[Any]) -> Mapping[str, Choice]:
        """Return the given choices for a decision; actors without one are absent."""
        given = {
            actor: self.part(self.moves[actor], node.name)
            for actor in node.choices
            if actor in self.moves
        }
        return {actor: choice for actor, choice in given.items() if choice is not None}

    def outcome(self, node: Chance[Any]) -> Outcome | None:
        """Return the given outcome, if any."""
        return self.drawn

    def path_of(self, actor: str | None) -> str:
        """Return the JSON pointer to an actor's move, or to the outcome if ``actor`` is None."""
        return self.drawn_at if actor is None else self.at + pointer(actor)

    def surplus(self) -> tuple[Violation, ...]:
        """Return nothing: checks of the moves report their superfluous parts."""
        return ()
