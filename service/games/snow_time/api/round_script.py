"""The moves and dice of one round in a request body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.core.game import Chance, Decision, Forced, Step, follow
from service.core.violations import Violation, pointer
from service.games.snow_time.rules.rules import Dice, Round, SnowTime
from service.games.snow_time.rules.state import Move, State


@dataclass(frozen=True, slots=True)
class RoundScript:
    """The moves and dice of one round in a request body.

    Attributes:
        moves: by seat.
        dice: ascending, if given.
        at: JSON pointer to the moves.
        dice_at: JSON pointer to the dice.
    """

    moves: Mapping[str, Move]
    dice: Dice | None
    at: str
    dice_at: str = "/dice"

    def pass_forced(self, node: Decision[Any] | Chance[Any] | None, forced: Forced) -> None:
        """Do nothing: a forced recovery is part of its seat's move."""

    def choices(self, node: Decision[Any]) -> Mapping[str, Move]:
        """Return the given choices for a decision; seats without one are absent."""
        given = {
            actor: self.moves[actor].at(node.name) for actor in node.choices if actor in self.moves
        }
        return {actor: move for actor, move in given.items() if move is not None}

    def outcome(self, node: Chance[Any]) -> Dice | None:
        """Return the given dice, if any."""
        return self.dice

    def path_of(self, actor: str | None) -> str:
        """Return the JSON pointer to a seat's move, or to the dice if ``actor`` is None."""
        return self.dice_at if actor is None else self.at + pointer(actor)

    def surplus(self) -> tuple[Violation, ...]:
        """Return nothing: legality checks report the superfluous parts of a move."""
        return ()


def decision_after(state: State, revealed: Mapping[str, Move]) -> Decision[Move]:
    """Return the decision that follows the revealed cards."""
    node = follow(SnowTime(), Step(Round(state)), RoundScript(revealed, None, "/revealed")).open
    return node if isinstance(node, Decision) else Decision("none", {})
