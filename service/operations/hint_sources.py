"""Where hints come from: solutions of one question, or what was learned about the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic

from service.core.game import Choice, State
from service.core.hints import ConditionalValues, Hint, Question
from service.games.definition import GameDefinition, Suggest
from service.operations.solution_cache import Solutions, costliest_layer
from service.solver.canonical import canonicalize
from service.solver.hints.conditional_values import render_conditional_values
from service.solver.hints.hint import render_hint


class HintSource(ABC, Generic[State, Choice]):
    """Computes the hints of a request, from cached solutions if possible.

    Args:
        definition: the game.
        endpoint: names the game for the solver.
        solutions: cached solutions.
        stop_at: ``time.monotonic()`` at which to stop, or None.

    Attributes:
        layer: of the costliest_layer solution; None before the first one.
    """

    def __init__(
        self,
        definition: GameDefinition,
        endpoint: Suggest[State, Choice],
        solutions: Solutions,
        stop_at: float | None,
    ) -> None:
        self._rules, self._game = definition.rules, endpoint.search_game
        self._owners = endpoint.owners
        self._solutions, self._stop_at = solutions, stop_at
        self.layer: str | None = None

    @abstractmethod
    def hint(self, question: Question[State, Choice]) -> Hint[Choice]:
        """Return the hint of a question.

        Raises:
            OutOfTime: if the deadline passed before there was any result.
            Overloaded: if the solve queue is full.
        """

    @abstractmethod
    def conditional_values(
        self, question: Question[State, Choice], hint: Hint[Choice]
    ) -> Mapping[str, Sequence[ConditionalValues[Choice]]]:
        """Return the values of the hint's moves against each move of the others, by player.

        Raises:
            OutOfTime: if the deadline passed.
            Overloaded: if the solve queue is full.
        """


class Solver(HintSource[State, Choice]):
    """Hints under a model that needs nothing but the position."""

    def hint(self, question: Question[State, Choice]) -> Hint[Choice]:
        asked = canonicalize(self._game, question)
        cached = self._solutions.solve(self._rules, self._game, asked, self._stop_at)
        self.layer = costliest_layer(self.layer, cached.layer)
        owners = self._owners(question.position)
        return render_hint(cached.solution, self._game, question, asked, owners)

    def conditional_values(
        self, question: Question[State, Choice], hint: Hint[Choice]
    ) -> Mapping[str, Sequence[ConditionalValues[Choice]]]:
        asked = self._game.canonicalize(question)
        cached = self._solutions.conditional_values(self._rules, self._game, asked, self._stop_at)
        self.layer = costliest_layer(self.layer, cached.layer)
        return render_conditional_values(cached.solution, self._game, question, asked, hint)
