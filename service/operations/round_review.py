"""Review of a played simultaneous game, decision by decision and dice roll by dice roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic

from service.core.game import Choice, Outcome, State
from service.core.hints import Hint, Question
from service.core.reviews import (
    JudgedChoice,
    JudgedRound,
    PastRound,
    PlayedRounds,
    RoundsReview,
    Shares,
)
from service.core.rounding import rounded
from service.core.simultaneous import CanonicalQuestion
from service.core.violations import OutOfTime, Overloaded
from service.games.definition import GameDefinition, ReviewRounds
from service.operations.context import OperationResponse, RequestContext
from service.operations.solution_cache import SolutionCache, SolveCost
from service.solver.canonical import cache_key, canonicalize
from service.solver.hints.hint import render_hint
from service.solver.review.rounds import (
    LuckTracker,
    accounts,
    judge,
    mean_shares,
    rounded_shares,
    win_shares,
)
from service.solver.solution import Solution


def review_rounds(
    definition: GameDefinition,
    endpoint: ReviewRounds[State, Choice, Outcome],
    played: PlayedRounds[State, Choice, Outcome],
    context: RequestContext,
) -> OperationResponse:
    """Grade each decision against the hint that its player would have received, then the dice.

    The dice come last because each position between two rounds needs a solution for every
    outcome. When time runs out, the response has what is graded so far. The solutions are cached
    like those of hints, so that the same request sent again continues from there.

    Raises:
        OutOfTime: if the deadline passed before the first decision was graded.
        Overloaded: if the solve queue is full.
    """
    stop_at = context.stop_at(played.deadline_ms)
    search = _ReviewSearch(definition, endpoint, played.players, context.solutions, stop_at)
    decisions: list[JudgedChoice[Choice]] = []
    rounds: list[JudgedRound[Outcome]] = []
    try:
        ledgers = [
            search.grade_decisions(number, past, decisions)
            for number, past in enumerate(played.rounds)
        ]
        search.grade_rounds(played, ledgers, rounds)
    except (OutOfTime, Overloaded):
        if not decisions:
            raise
    complete = len(rounds) == len(played.rounds)
    review = RoundsReview(
        decisions=decisions,
        rounds=rounds,
        accounts=accounts(played.players, decisions, rounds, complete=complete),
        method=played.rounds[0].opening.model,
        epsilon=rounded(search.epsilon),
        evaluator=endpoint.search_game.evaluator,
        complete=complete,
        nodes=search.nodes,
    )
    return OperationResponse(endpoint.render(played, review), complete, search.cost)


class _ReviewSearch(Generic[State, Choice, Outcome]):
    """The solutions that one review needs.

    Attributes:
        cost: of the solutions so far; None if there were none.
        epsilon: the largest of the solutions.
        nodes: rounds resolved for the solutions.
    """

    def __init__(
        self,
        definition: GameDefinition,
        endpoint: ReviewRounds[State, Choice, Outcome],
        players: Sequence[str],
        solutions: SolutionCache,
        stop_at: float | None,
    ) -> None:
        self._definition, self._endpoint, self._players = definition, endpoint, players
        self._solutions, self._stop_at = solutions, stop_at
        self._local: dict[bytes, Solution] = {}
        self.cost: SolveCost | None = None
        self.epsilon = 0.0
        self.nodes = 0

    def grade_decisions(
        self,
        number: int,
        past: PastRound[State, Choice, Outcome],
        decisions: list[JudgedChoice[Choice]],
    ) -> LuckTracker:
        """Append the graded decisions of a round, each as soon as it is graded."""
        ledger = LuckTracker.start(self._printed(self._win_shares(past.opening)))
        for choices in past.decisions:
            realized_value = self._standing(past, choices.revealed)
            for question in choices.questions:
                hint = self._hint(question)
                realized_best_value = realized_value
                best = hint.best_response.move
                if best != question.chosen:
                    realized_best_value = self._standing(past, {**choices.revealed, **best})
                choice = judge(number, question, hint, realized_value, realized_best_value)
                decisions.append(choice)
                ledger.add_choice(choice)
            ledger.add_reveal(realized_value)
        return ledger

    def grade_rounds(
        self,
        played: PlayedRounds[State, Choice, Outcome],
        ledgers: list[LuckTracker],
        rounds: list[JudgedRound[Outcome]],
    ) -> None:
        """Append the rounds, each as soon as the positions before and after it are valued."""
        before = self._before(played.rounds[0], played.rounds[0].before)
        for number, (past, ledger) in enumerate(zip(played.rounds, ledgers, strict=True)):
            if number + 1 < len(played.rounds):
                after = self._before(past, played.rounds[number + 1].before)
            elif played.over:
                after = dict(ledger.current)
            else:
                after = self._before(past, played.last)
            rounds.append(ledger.finish(number, past.drawn, before, after))
            before = after

    def _before(self, past: PastRound[State, Choice, Outcome], position: State) -> Shares:
        """Return the win shares before a dice roll: the mean over all its outcomes."""
        outcomes = self._endpoint.search_game.next_rounds(past.opening, position)
        return self._printed(
            mean_shares(
                (chance, self._win_shares(question, reused=False))
                for chance, question, _ in outcomes
            )
        )

    def _standing(
        self, past: PastRound[State, Choice, Outcome], revealed: Mapping[str, Choice]
    ) -> Shares:
        return self._printed(self._win_shares(self._endpoint.standing(past.opening, revealed)))

    def _printed(self, shares: Mapping[str, float]) -> Shares:
        return rounded_shares(shares, self._players)

    def _win_shares(
        self, question: Question[State, Choice], *, reused: bool = True
    ) -> Mapping[str, float]:
        asked = canonicalize(self._endpoint.search_game, question)
        return win_shares(self._solve(asked, reused=reused), self._endpoint.search_game, asked)

    def _hint(self, question: Question[State, Choice]) -> Hint[Choice]:
        stages, owners = self._endpoint.search_game, self._endpoint.owners(question.position)
        asked = canonicalize(stages, question)
        return render_hint(self._solve(asked, reused=True), stages, question, asked, owners)

    def _solve(self, asked: CanonicalQuestion[State, Choice], *, reused: bool) -> Solution:
        """Return a complete solution; with `reused`, keep it for the rest of this review."""
        local_key = cache_key(self._endpoint.search_game, asked)
        local = self._local.get(local_key)
        if local is not None:
            return local
        cached = self._solutions.solve(
            self._definition.rules, self._endpoint.search_game, asked, self._stop_at
        )
        self.cost = self.cost + cached.cost if self.cost else cached.cost
        solution = cached.solution
        if not solution.complete:
            raise OutOfTime
        self.epsilon = max(self.epsilon, solution.epsilon or 0.0)
        self.nodes += solution.nodes
        if reused:
            self._local[local_key] = solution
        return solution
