"""Review of a played simultaneous game, decision by decision and dice roll by dice roll."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import fsum
from typing import Generic, TypeAlias

from service.cache.keys import key_of
from service.core.game import Choice, Outcome, State
from service.core.hints import Hint, Question
from service.core.reviews import (
    JudgedChoice,
    JudgedRound,
    LearnedPlayer,
    PastRound,
    PlayedRounds,
    Progress,
    RoundsReview,
    Shares,
)
from service.core.rounding import rounded
from service.core.simultaneous import CanonicalQuestion
from service.core.styles import Style, StyleLibrary
from service.core.violations import OutOfTime, Overloaded, Violation
from service.core.vocabulary import STANDARD
from service.games.common.fields import Document
from service.games.definition import GameDefinition, ReviewRounds
from service.operations.context import OperationResponse, RequestContext, Steps
from service.operations.review_run import ReviewRun
from service.operations.solution_cache import Solutions
from service.operations.versions import ENGINE_VERSION
from service.solver.canonical import cache_key, canonicalize
from service.solver.hints.hint import render_hint
from service.solver.opponents.histories import observe, round_key
from service.solver.opponents.predictions import Predictions, plus_added
from service.solver.opponents.profiles import profile_of
from service.solver.opponents.refinement import TableBeliefs
from service.solver.review.indifference import indifferent_effects
from service.solver.review.learning import observed_round, prediction_gains
from service.solver.review.rounds import (
    LuckTracker,
    accounts,
    judge,
    mean_shares,
    rounded_shares,
    win_shares,
)
from service.solver.solution import Solution

_Outcomes: TypeAlias = Sequence[tuple[float, Question[State, Choice]]]
"""The questions after each outcome of the dice, with probabilities."""


def review_rounds(
    definition: GameDefinition,
    endpoint: ReviewRounds[State, Choice, Outcome],
    body: Document,
    violations: list[Violation],
    context: RequestContext,
) -> Steps:
    """Grade each decision against the hint that its player would have received, then the dice.

    The dice come after all decisions because each position between two rounds needs a solution for
    every outcome. Profiles come last. When time runs out, the response has what is graded so far.
    The solutions are cached like those of hints, so that the same request sent again continues from
    there.

    The steps of the progress are the opening of each round, the position after each reveal, for
    each decision of a player its hint and the position after the best choice, each outcome of the
    dice before each round and after the last one, the predictions for each decision, and what they
    were worth in each round.

    Raises:
        Rejected: with all violations of the body, or ``deadline-too-short``.
        Overloaded: if the solve queue is full and this call has solved nothing.
        ClientGone: if the client has closed the connection.
    """
    run = ReviewRun(context, body)
    played = run.replay(endpoint.parse, body, violations)
    search = _ReviewSearch(definition, endpoint, played, context.solutions, run)
    decisions: list[JudgedChoice[State, Choice]] = []
    rounds: list[JudgedRound[Outcome]] = []
    learned: Mapping[str, LearnedPlayer] = {}
    run.total = search.count_steps()
    yield run.progress
    try:
        ledgers: list[LuckTracker] = []
        for number, past in enumerate(played.rounds):
            ledgers.append((yield from search.grade_decisions(number, past, decisions)))
        yield from search.grade_rounds(ledgers, rounds)
        learned = yield from search.learn()
    except (OutOfTime, Overloaded) as error:
        run.require_solve(error)
    complete = run.progress.complete
    review = RoundsReview(
        decisions=decisions,
        rounds=rounds,
        accounts=accounts(played.players, decisions, rounds, complete=complete),
        learned=learned,
        method=played.rounds[0].opening.model,
        epsilon=rounded(search.epsilon),
        evaluator=endpoint.search_game.evaluator,
        progress=run.progress,
        nodes=run.nodes,
    )
    return OperationResponse(
        endpoint.render(played, review, context.language, context.names), complete, run.layer
    )


class _ReviewSearch(Generic[State, Choice, Outcome]):
    """The solutions that one review needs.

    Attributes:
        epsilon: the largest of the solutions.
    """

    def __init__(
        self,
        definition: GameDefinition,
        endpoint: ReviewRounds[State, Choice, Outcome],
        played: PlayedRounds[State, Choice, Outcome],
        solutions: Solutions,
        run: ReviewRun,
    ) -> None:
        self._definition, self._endpoint, self._played = definition, endpoint, played
        self._solutions, self._run = solutions, run
        self._rolls = list(self._list_rolls())
        self._observed = [observed_round(past) for past in played.rounds]
        self._local: dict[bytes, Solution] = {}
        self.epsilon = 0.0

    def count_steps(self) -> int:
        """Return the number of steps of the whole review."""
        rounds = len(self._played.rounds)
        reveals = [past for one in self._played.rounds for past in one.decisions]
        hints = sum(len(past.questions) for past in reveals)
        rolls, predictions = (sum(map(len, own)) for own in (self._rolls, self._observed))
        return 2 * rounds + len(reveals) + 2 * hints + rolls + predictions

    def grade_decisions(
        self,
        number: int,
        past: PastRound[State, Choice, Outcome],
        decisions: list[JudgedChoice[State, Choice]],
    ) -> Generator[Progress, None, LuckTracker]:
        """Append the graded decisions of a round, each as soon as it is graded."""
        ledger = LuckTracker.start(self._printed(self._win_shares(past.opening)))
        for choices in past.decisions:
            realized_value = self._standing(past, choices.revealed)
            yield self._run.progress
            for question in choices.questions:
                hint = self._hint(question)
                realized_best_value = realized_value
                best = hint.best_response.move
                if best != question.chosen:
                    realized_best_value = self._standing(past, {**choices.revealed, **best})
                else:
                    self._run.done += 1
                choice = judge(number, question, hint, realized_value, realized_best_value)
                decisions.append(choice)
                ledger.add_choice(choice)
                yield self._run.progress
            ledger.add_indifferent(self._indifferent_effects(choices.questions))
            ledger.add_reveal(realized_value)
        return ledger

    def grade_rounds(
        self, ledgers: Sequence[LuckTracker], rounds: list[JudgedRound[Outcome]]
    ) -> Iterator[Progress]:
        """Append the rounds, each as soon as the positions before and after it are valued."""
        before = yield from self._mean(self._rolls[0])
        for number, (past, ledger) in enumerate(zip(self._played.rounds, ledgers, strict=True)):
            if number + 1 < len(self._rolls):
                after = yield from self._mean(self._rolls[number + 1])
            else:
                after = dict(ledger.current)
            rounds.append(ledger.finish(number, past.drawn, before, after))
            before = after

    def learn(self) -> Generator[Progress, None, Mapping[str, LearnedPlayer]]:
        """Return what the rounds tell about each player, and what predictions were worth."""
        game, players = self._endpoint.search_game, self._played.players
        table = TableBeliefs.start(game.style_library, players)
        gains: dict[str, list[float]] = {player: [] for player in players}
        library = str(game.style_library.version)
        versions = (self._definition.rules, ENGINE_VERSION, game.evaluator, library)
        key = key_of("prediction-gains", *versions, self._played.effort)
        for past, decisions in zip(self._played.rounds, self._observed, strict=True):
            owners = self._endpoint.owners(past.opening.position)
            key = key_of(key, round_key(game, decisions, owners))
            predictions: list[Predictions] = []
            predict = partial(self._predict, predictions, table.library)
            observed = observe(game, decisions, owners, predict)
            asked = canonicalize(game, past.opening)
            compute = partial(
                prediction_gains,
                game,
                asked,
                self._local[cache_key(game, asked)],
                predictions[0],
                table.by_player,
                decisions[0].choices,
            )
            realized = self._run.obtain(
                partial(
                    self._solutions.prediction_gains,
                    key,
                    players,
                    self._played.effort,
                    compute,
                    self._run.stop_at,
                )
            )
            table = table.after(observed)
            for player, gain in realized.by_player.items():
                gains[player].append(gain)
            self._run.done += 1
            yield self._run.progress
        return {
            player: LearnedPlayer(
                profile_of(table.library, belief),
                rounded(fsum(gains[player]) / len(gains[player])),
            )
            for player, belief in table.by_player.items()
        }

    def _predict(
        self,
        predictions: list[Predictions],
        library: StyleLibrary,
        asked: CanonicalQuestion[State, Choice],
    ) -> Predictions:
        game, rules = self._endpoint.search_game, self._definition.rules
        # The first step may take the time of `standard`, so that every call gets further.
        effort = self._played.effort if self._run.solved else STANDARD
        predict = partial(self._solutions.predict, rules, game, asked, effort, self._run.stop_at)

        def predict_added(added: Sequence[Style]) -> Predictions:
            return self._run.obtain(partial(predict, added))

        known = self._run.obtain(predict)
        predictions.append(plus_added(library, asked, known, predict_added))
        self._run.done += 1
        return predictions[-1]

    def _list_rolls(self) -> Iterator[_Outcomes[State, Choice]]:
        """Yield the outcomes of the dice before each round, and after the last if it goes on."""
        past = self._played.rounds[0]
        yield self._roll(past, past.before)
        for past, following in pairwise(self._played.rounds):
            yield self._roll(past, following.before)
        if not self._played.over:
            yield self._roll(self._played.rounds[-1], self._played.last)

    def _roll(
        self, past: PastRound[State, Choice, Outcome], position: State
    ) -> _Outcomes[State, Choice]:
        outcomes = self._endpoint.search_game.next_rounds(past.opening, position)
        return [(chance, question) for chance, question, _ in outcomes]

    def _mean(self, rolls: _Outcomes[State, Choice]) -> Generator[Progress, None, Shares]:
        """Return the win shares before a dice roll: the mean over all its outcomes."""
        weighted = []
        for chance, question in rolls:
            weighted.append((chance, self._win_shares(question, reused=False)))
            yield self._run.progress
        return self._printed(mean_shares(weighted))

    def _standing(
        self, past: PastRound[State, Choice, Outcome], revealed: Mapping[str, Choice]
    ) -> Shares:
        return self._printed(self._win_shares(self._endpoint.standing(past.opening, revealed)))

    def _printed(self, shares: Mapping[str, float]) -> Shares:
        return rounded_shares(shares, self._played.players)

    def _win_shares(
        self, question: Question[State, Choice], *, reused: bool = True
    ) -> Mapping[str, float]:
        asked = canonicalize(self._endpoint.search_game, question)
        return win_shares(self._solve(asked, reused=reused), self._endpoint.search_game, asked)

    def _hint(self, question: Question[State, Choice]) -> Hint[Choice]:
        stages, owners = self._endpoint.search_game, self._endpoint.owners(question.position)
        asked = canonicalize(stages, question)
        return render_hint(self._solve(asked, reused=True), stages, question, asked, owners)

    def _indifferent_effects(
        self, questions: Sequence[Question[State, Choice]]
    ) -> Mapping[str, float]:
        if not questions:
            return {}
        game = self._endpoint.search_game
        asked = canonicalize(game, questions[0])
        return indifferent_effects(game, questions, asked, self._local[cache_key(game, asked)])

    def _solve(self, asked: CanonicalQuestion[State, Choice], *, reused: bool) -> Solution:
        """Return the solution of a step; with `reused`, keep it for the rest of this review."""
        game = self._endpoint.search_game
        local_key = cache_key(game, asked)
        solution = self._local.get(local_key)
        if solution is None:
            solve = partial(
                self._solutions.solve, self._definition.rules, game, asked, self._run.stop_at
            )
            solution = self._run.obtain(solve)
            self.epsilon = max(self.epsilon, solution.epsilon or 0.0)
            if reused:
                self._local[local_key] = solution
        self._run.done += 1
        return solution
