"""Optional parts of a hint: what to do next, conditional values, and values by dice roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Generic

from service.core.game import Choice, State
from service.core.hints import ConditionalValues, FollowUp, Hint, Question, WhatIfs
from service.core.rounding import rounded
from service.core.simultaneous import CanonicalQuestion
from service.core.violations import OutOfTime, Overloaded
from service.core.vocabulary import CONDITIONAL, DICE, MATRIX, NEXT
from service.games.definition import GameDefinition, Suggest
from service.operations.solution_cache import SolutionCache, costliest
from service.solver.canonical import canonicalize
from service.solver.hints.conditional_values import render_conditional_values
from service.solver.hints.hint import render_hint
from service.solver.hints.reveals import likely_reveals

MAX_REVEALS: Final = 3
"""For each move, the likeliest reveals that get a follow-up."""


class WhatIf(Generic[State, Choice]):
    """Computes the optional parts of one hint.

    Args:
        definition: the game.
        endpoint: follows its questions and names the game for the solver.
        question: the question of the hint.
        hint: the hint itself.
        solutions: cached solutions.
        stop_at: ``time.monotonic()`` at which to stop, or None.

    Attributes:
        cost: of the solutions; None if there were none.
    """

    def __init__(
        self,
        definition: GameDefinition,
        endpoint: Suggest[State, Choice],
        question: Question[State, Choice],
        hint: Hint[Choice],
        solutions: SolutionCache,
        stop_at: float | None,
    ) -> None:
        self._definition, self._endpoint, self._question = definition, endpoint, question
        self._hint, self._solutions, self._stop_at = hint, solutions, stop_at
        self.layer: str | None = None

    def answer(self) -> WhatIfs[Choice]:
        """Return all requested parts, or none of them if time runs out."""
        include = self._question.include
        try:
            return WhatIfs(
                follow_ups=self._follow_ups() if NEXT in include else None,
                conditional_values=self._conditional_values()
                if include & {MATRIX, CONDITIONAL}
                else None,
                rolls=self._rolls() if DICE in include else None,
            )
        except (OutOfTime, Overloaded):
            return WhatIfs(complete=False)

    def _hint_of(self, question: Question[State, Choice]) -> Hint[Choice]:
        game = self._endpoint.search_game
        asked = canonicalize(game, question)
        cached = self._solutions.solve(self._definition.rules, game, asked, self._stop_at)
        if not cached.solution.complete:
            raise OutOfTime
        self.layer = costliest(self.layer, cached.layer)
        return render_hint(
            cached.solution, game, question, asked, self._endpoint.owners(question.position)
        )

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

    def _conditional_values(self) -> Mapping[str, list[ConditionalValues[Choice]]]:
        game, question = self._endpoint.search_game, self._question
        asked: CanonicalQuestion[State, Choice] = game.canonicalize(question)
        cached = self._solutions.conditional_values(
            self._definition.rules, game, asked, self._stop_at
        )
        self.layer = costliest(self.layer, cached.layer)
        return render_conditional_values(cached.solution, game, question, asked, self._hint)

    def _rolls(self) -> list[tuple[float, Hint[Choice]]]:
        question = self._question
        return [
            (chance, self._hint_of(rolled))
            for chance, rolled, _ in self._endpoint.search_game.next_rounds(
                question, question.position
            )
        ]
