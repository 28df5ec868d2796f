"""The steps of a turn that the searches of one plan take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.games.snowcrest.engine.choices.candidates import candidate_actions
from service.games.snowcrest.engine.evaluation import Evaluator
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.progress import apply_choice
from service.games.snowcrest.rules.turn import Turn

MOST_STEPS: Final = 20_000
"""Steps of about 1 kB that are stored; then all are forgotten. A last turn with many resources
takes 9,000.
"""


class TurnSteps:
    """What follows choices, and the promising ones, computed once.

    The rough tree of a decision, its tree and those of the later decisions of the plan reach the
    same turns.

    Args:
        evaluator: of the positions.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._turns: dict[tuple[Turn, Action], Turn] = {}
        self._candidates: dict[tuple[Turn, int], Sequence[Action]] = {}

    def after(self, turn: Turn, action: Action) -> Turn:
        """Return the turn after a legal choice."""
        key = turn, action
        if key not in self._turns:
            if len(self._turns) >= MOST_STEPS:
                self._turns.clear()
                self._candidates.clear()
            self._turns[key] = apply_choice(turn, action).play
        return self._turns[key]

    def candidates(self, turn: Turn, limit: int) -> Sequence[Action]:
        """Return about ``limit`` choices of the deciding player, most promising first."""
        key = turn, limit
        if key not in self._candidates:
            model = self._evaluator.model(turn.state)
            self._candidates[key] = candidate_actions(turn, model, limit)
        return self._candidates[key]
