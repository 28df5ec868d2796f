"""The steps of a turn that several searches of one decision take."""

from __future__ import annotations

from collections.abc import Sequence

from service.games.snowcrest.engine.choices.candidates import candidate_actions
from service.games.snowcrest.engine.evaluation import PhaseModel
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.progress import apply_choice
from service.games.snowcrest.rules.turn import Turn


class TurnSteps:
    """What follows choices, and the promising ones, computed once.

    The rough tree of a decision and the tree itself reach the same turns.
    """

    def __init__(self) -> None:
        self._turns: dict[tuple[Turn, Action], Turn] = {}
        self._candidates: dict[tuple[Turn, int], Sequence[Action]] = {}

    def after(self, turn: Turn, action: Action) -> Turn:
        """Return the turn after a legal choice."""
        key = turn, action
        if key not in self._turns:
            self._turns[key] = apply_choice(turn, action).play
        return self._turns[key]

    def candidates(self, turn: Turn, model: PhaseModel, limit: int) -> Sequence[Action]:
        """Return the same as ``candidate_actions`` for the model of the turn."""
        key = turn, limit
        if key not in self._candidates:
            self._candidates[key] = candidate_actions(turn, model, limit)
        return self._candidates[key]
