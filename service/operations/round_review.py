"""A game in rounds that was played, decision by decision and roll by roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic

from service.core.game import Choice, Outcome, State
from service.core.hints import Hint, Question
from service.core.round_reviews import (
    JudgedChoice,
    JudgedRound,
    PastRound,
    PlayedRounds,
    RoundsReview,
    Shares,
)
from service.core.rounding import rounded
from service.core.simultaneous import Canonical
from service.core.violations import OutOfTime, Overloaded, Violation
from service.games.common.validation import Document
from service.games.definition import GameDefinition, ReviewRounds
from service.operations.solution_cache import SolutionCache, SolveCost
from service.solver.canonical import canonical, key
from service.solver.hints.hint import tell
from service.solver.review.rounds import RoundLedger, accounts, judged, mean, outlook, printed
from service.solver.solution import Solution


def review_rounds(
    entry: GameDefinition,
    verb: ReviewRounds[State, Choice, Outcome],
    document: Document,
    faults: list[Violation],
    received: float,
    solves: SolutionCache,
) -> tuple[Document, bool, SolveCost | None]:
    """Judges each decision by the hint that its player would have had, then weighs the dice.

    The dice come last, since each position between two rounds takes a solve for every outcome.
    Whatever stops it, what was found by then is told; each solve is kept as a hint's is, so that
    the same review asked again goes on from there.

    Args:
        entry: the game.
        verb: how it reads the game played and writes the review.
        document: the body.
        faults: of its shape.
        received: ``time.monotonic()`` when the request came; its deadline counts from there.
        solves: finds the solves.

    Returns:
        the answer, whether it is complete, and what it took.

    Raises:
        Rejected: with every fault of the body.
        OutOfTime: if its deadline passed before anything was found.
        Overloaded: if too much is being solved already.
    """
    played = verb.read(document, faults)
    stop_at = received + played.deadline_ms / 1000
    search = _Search(entry, verb, played.players, solves, stop_at)
    decisions: list[JudgedChoice[Choice]] = []
    rounds: list[JudgedRound[Outcome]] = []
    try:
        ledgers = [
            search.judge(number, past, decisions) for number, past in enumerate(played.rounds)
        ]
        search.weigh(played, ledgers, rounds)
    except (OutOfTime, Overloaded):
        if not decisions:
            raise
    complete = len(rounds) == len(played.rounds)
    told = RoundsReview(
        decisions=decisions,
        rounds=rounds,
        accounts=accounts(played.players, decisions, rounds, complete=complete),
        method=played.rounds[0].opening.model,
        gap=rounded(search.gap),
        evaluator=verb.stages.evaluator,
        complete=complete,
        resolved=search.resolved,
    )
    return verb.write(played, told), complete, search.took


class _Search(Generic[State, Choice, Outcome]):
    """What one review looks at.

    Attributes:
        took: what its solves took by now.
        gap: the greatest of theirs.
        resolved: rounds resolved for them.
    """

    def __init__(
        self,
        entry: GameDefinition,
        verb: ReviewRounds[State, Choice, Outcome],
        players: Sequence[str],
        solves: SolutionCache,
        stop_at: float,
    ) -> None:
        self._entry, self._verb, self._players = entry, verb, players
        self._solves, self._stop_at = solves, stop_at
        self._known: dict[bytes, Solution] = {}
        self.took: SolveCost | None = None
        self.gap = 0.0
        self.resolved = 0

    def judge(
        self,
        number: int,
        past: PastRound[State, Choice, Outcome],
        decisions: list[JudgedChoice[Choice]],
    ) -> RoundLedger:
        """Adds a round's decisions, each as soon as it is judged."""
        ledger = RoundLedger.opened(self._printed(self._outlook(past.opening)))
        for choices in past.decisions:
            came_to = self._standing(past, choices.told)
            for question in choices.questions:
                hint = self._hint(question)
                best_came_to = came_to
                if hint.best != question.chosen:
                    best_came_to = self._standing(past, {**choices.told, **hint.best})
                choice = judged(number, question, hint, came_to, best_came_to)
                decisions.append(choice)
                ledger.decide(choice)
            ledger.come_to(came_to)
        return ledger

    def weigh(
        self,
        played: PlayedRounds[State, Choice, Outcome],
        ledgers: list[RoundLedger],
        rounds: list[JudgedRound[Outcome]],
    ) -> None:
        """Adds the rounds, each as soon as the positions before and after it are weighed."""
        before = self._before(played.rounds[0], played.rounds[0].before)
        for number, (past, ledger) in enumerate(zip(played.rounds, ledgers, strict=True)):
            if number + 1 < len(played.rounds):
                after = self._before(past, played.rounds[number + 1].before)
            elif played.over:
                after = dict(ledger.stand)
            else:
                after = self._before(past, played.last)
            rounds.append(ledger.closed(number, past.drawn, before, after))
            before = after

    def _before(self, past: PastRound[State, Choice, Outcome], position: State) -> Shares:
        """What a position is worth before chance: the mean over all that it may bring."""
        ahead = self._verb.stages.next_rounds(past.opening, position)
        return self._printed(
            mean((chance, self._outlook(question, keep=False)) for chance, question, _ in ahead)
        )

    def _standing(
        self, past: PastRound[State, Choice, Outcome], told: Mapping[str, Choice]
    ) -> Shares:
        return self._printed(self._outlook(self._verb.standing(past.opening, told)))

    def _printed(self, shares: Mapping[str, float]) -> Shares:
        return printed(shares, self._players)

    def _outlook(
        self, question: Question[State, Choice], *, keep: bool = True
    ) -> Mapping[str, float]:
        asked = canonical(self._verb.stages, question)
        return outlook(self._find(asked, keep=keep), self._verb.stages, asked)

    def _hint(self, question: Question[State, Choice]) -> Hint[Choice]:
        stages, owners = self._verb.stages, self._verb.owners(question.position)
        asked = canonical(stages, question)
        return tell(self._find(asked, keep=True), stages, question, asked, owners)

    def _find(self, asked: Canonical[State, Choice], *, keep: bool) -> Solution:
        """A complete solve, kept here if it may be needed again in this review."""
        at = key(self._verb.stages, asked)
        known = self._known.get(at)
        if known is not None:
            return known
        found = self._solves.find(self._entry.rules, self._verb.stages, asked, self._stop_at)
        self.took = found.took if self.took is None else self.took.and_also(found.took)
        if not found.solve.complete:
            raise OutOfTime
        self.gap = max(self.gap, found.solve.gap or 0.0)
        self.resolved += found.solve.resolved
        if keep:
            self._known[at] = found.solve
        return found.solve
