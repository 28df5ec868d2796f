"""What is told beside a hint: what to do next, and what if."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Generic

from service.core.game import Choice, State
from service.core.hints import Against, FollowUp, Further, Hint, Question
from service.core.rounding import rounded
from service.core.simultaneous import Canonical
from service.core.violations import OutOfTime, Overloaded
from service.core.vocabulary import CONDITIONAL, DICE, MATRIX, NEXT
from service.games.definition import GameDefinition, Suggest
from service.operations.solution_cache import SolutionCache, SolveCost
from service.solver.canonical import canonical
from service.solver.hints.conditional_values import tell_crossings
from service.solver.hints.hint import tell
from service.solver.hints.reveals import likely_reveals

REVEALS: Final = 3
"""For each move so many ways in which it can go on are told."""


class Looking(Generic[State, Choice]):
    """Looks further from one hint.

    Args:
        entry: the game.
        verb: how its questions go on, and what the solver works on.
        question: what was asked.
        hint: the answer to it.
        solves: finds further ones.
        stop_at: ``time.monotonic()`` at which to stop, if ever.

    Attributes:
        took: what all solves took, None if there were none.
    """

    def __init__(
        self,
        entry: GameDefinition,
        verb: Suggest[State, Choice],
        question: Question[State, Choice],
        hint: Hint[Choice],
        solves: SolutionCache,
        stop_at: float | None,
    ) -> None:
        self._entry, self._verb, self._question = entry, verb, question
        self._hint, self._solves, self._stop_at = hint, solves, stop_at
        self.took: SolveCost | None = None

    def further(self) -> Further[Choice]:
        """All that was asked for; nothing if time is short."""
        question = self._question
        try:
            return Further(
                follow_ups=self._follow_ups() if NEXT in question.include else None,
                against=self._against() if question.include & {MATRIX, CONDITIONAL} else None,
                rolls=self._rolls() if DICE in question.include else None,
            )
        except (OutOfTime, Overloaded):
            return Further(complete=False)

    def _hint_of(self, question: Question[State, Choice]) -> Hint[Choice]:
        asked = canonical(self._verb.stages, question)
        found = self._solves.find(self._entry.rules, self._verb.stages, asked, self._stop_at)
        if not found.solve.complete:
            raise OutOfTime
        self._count(found.took)
        owners = self._verb.owners(question.position)
        return tell(found.solve, self._verb.stages, question, asked, owners)

    def _count(self, took: SolveCost) -> None:
        self.took = took if self.took is None else self.took.and_also(took)

    def _follow_ups(self) -> list[FollowUp[Choice]]:
        hint, question = self._hint, self._question
        found = []
        for move in [hint.pick] if hint.pick == hint.best else [hint.pick, hint.best]:
            for chance, revealed in likely_reveals(hint, question.player, move, REVEALS):
                after = self._verb.follow(question, revealed)
                if after is None:
                    continue
                [best, *_] = self._hint_of(after).moves
                found.append(FollowUp(move, revealed, rounded(chance), best.move, best.value))
        return found

    def _against(self) -> Mapping[str, list[Against[Choice]]]:
        game, question = self._verb.stages, self._question
        asked: Canonical[State, Choice] = game.canonical(question)
        found = self._solves.find_crossed(self._entry.rules, game, asked, self._stop_at)
        self._count(found.took)
        return tell_crossings(found.solve, game, question, asked, self._hint)

    def _rolls(self) -> list[tuple[float, Hint[Choice]]]:
        question = self._question
        return [
            (chance, self._hint_of(rolled))
            for chance, rolled, _ in self._verb.stages.next_rounds(question, question.position)
        ]
