"""Optional parts of a hint: what to do next, conditional values, and values by dice roll."""

from __future__ import annotations

from typing import Final, Generic

from service.core.game import Choice, State
from service.core.hints import FollowUp, Hint, Question, WhatIfs
from service.core.rounding import rounded
from service.core.violations import OutOfTime, Overloaded
from service.core.vocabulary import CONDITIONAL, DICE, MATRIX, NEXT
from service.games.definition import Suggest
from service.operations.hint_sources import HintSource
from service.solver.hints.reveals import likely_reveals

MAX_REVEALS: Final = 3
"""For each move, the likeliest reveals that get a follow-up."""


class WhatIf(Generic[State, Choice]):
    """Computes the optional parts of one hint.

    Args:
        endpoint: follows its questions and names the game for the solver.
        question: the question of the hint.
        hint: the hint itself.
        source: computes further hints.
    """

    def __init__(
        self,
        endpoint: Suggest[State, Choice],
        question: Question[State, Choice],
        hint: Hint[Choice],
        source: HintSource[State, Choice],
    ) -> None:
        self._endpoint, self._question = endpoint, question
        self._hint, self._source = hint, source

    def answer(self) -> WhatIfs[Choice]:
        """Return all requested parts, or none of them if time runs out."""
        include = self._question.include
        try:
            return WhatIfs(
                follow_ups=self._follow_ups() if NEXT in include else None,
                conditional_values=self._source.conditional_values(self._question, self._hint)
                if include & {MATRIX, CONDITIONAL}
                else None,
                rolls=self._rolls() if DICE in include else None,
            )
        except (OutOfTime, Overloaded):
            return WhatIfs(complete=False)

    def _hint_of(self, question: Question[State, Choice]) -> Hint[Choice]:
        hint = self._source.hint(question)
        if not hint.search.complete:
            raise OutOfTime
        return hint

    def _follow_ups(self) -> list[FollowUp[Choice]]:
        hint, question = self._hint, self._question
        follow_ups = []
        first = hint.moves[0].move
        for move in [hint.pick] if hint.pick == first else [hint.pick, first]:
            for chance, revealed in likely_reveals(hint, question.player, move, MAX_REVEALS):
                after = self._endpoint.follow(question, revealed)
                if after is None:
                    continue
                best = self._hint_of(after).moves[0]
                follow_ups.append(FollowUp(move, revealed, rounded(chance), best.move, best.value))
        return follow_ups

    def _rolls(self) -> list[tuple[float, Hint[Choice]]]:
        question = self._question
        return [
            (chance, self._hint_of(rolled))
            for chance, rolled, _ in self._endpoint.search_game.next_rounds(
                question, question.position
            )
        ]
