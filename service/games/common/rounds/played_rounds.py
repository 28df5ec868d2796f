"""Read what was played in earlier rounds: histories, and whole games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from service.core.game import Choice, Decision, Event, Outcome, Play, follow
from service.core.hints import ObservedDecision, ObservedRound, Question
from service.core.reviews import PastChoices, PastRound, PlayedRounds
from service.core.violations import GAME_OVER, Violation, pointer
from service.core.vocabulary import DEFAULT_EFFORT
from service.games.common.fields import Document
from service.games.common.rounds.reader import Parsed, RoundReader, State
from service.games.common.rounds.request_schema import (
    DEFAULT_DEPTH,
    DEFAULT_MODEL,
    DEFAULT_OBJECTIVE,
)
from service.games.common.validation import INVALID, Violations, fully_valid


class PlayedRoundReader(RoundReader[Parsed, State, Play, Choice, Outcome, Event]):
    """Reads the rounds of histories and reviews."""

    def parse_review(
        self, document: Document, schema_violations: list[Violation], check: Callable[[], None]
    ) -> PlayedRounds[State, Choice, Outcome]:
        """Return the rounds of a game, up to the first round with violations.

        Args:
            document: the body.
            schema_violations: reported for it.
            check: called before each round; may raise an exception to stop.

        Raises:
            Rejected: with all violations up to that round.
        """
        violations = Violations(schema_violations)
        position = self.read_position(document["state"], violations)
        effort = document.get("effort", DEFAULT_EFFORT)
        rounds: list[PastRound[State, Choice, Outcome]] = []
        last = position.state
        for number, raw in enumerate(document["rounds"] or ()):
            check()
            at = pointer("rounds", number)
            if last is not None and self.game.over(last):
                violations.add(
                    at,
                    GAME_OVER,
                    "The game is over before this round. Remove this round and those after it.",
                )
                break
            played = None
            if raw is not INVALID:
                position = position if last is None else self.as_parsed(last)
                played = self._read_round(raw, position, violations, at, effort)
            if played is None:
                break
            past, last = played
            rounds.append(past)
        state = violations.require(last)
        return PlayedRounds(
            players=state.players,
            rounds=rounds,
            last=state,
            over=self.game.over(state),
            winners=self.game.winners(state),
            effort=effort,
        )

    def value_question(
        self, question: Question[State, Choice], revealed: Mapping[str, Choice]
    ) -> Question[State, Choice]:
        """Return the question that values the revealed moves: the next decision, if it does.

        Otherwise the question has no decision, and the evaluator values the round.
        """
        decision = self.decision_after(question.position, revealed)
        if not self.decides_value(decision):
            none: Decision[Choice] = Decision("none", {})
            return replace(question, revealed=revealed, decision=none, actors=(), chosen=None)
        player = self.owners(question.position)[next(iter(decision.choices))]
        return replace(
            question,
            revealed=revealed,
            decision=decision,
            player=player,
            actors=self.deciding(question.position, decision, player),
            chosen=None,
        )

    def read_history(
        self, raw: Any, violations: Violations, at: str
    ) -> tuple[ObservedRound[State, Choice], ...]:
        """Parse the rounds of a history and add their violations.

        The rounds are independent: a missing round does no harm. A move may be given as far as it
        is known.

        Returns:
            The decisions of each round without a violation, at least one each; rounds without moves
            tell nothing and are left out.
        """
        rounds = []
        for number, entry in enumerate(raw or ()):
            if entry is INVALID:
                continue
            here, before = at + pointer(number), len(violations)
            position = self.read_position(entry["state"], violations, here + "/state")
            moves = self.read_moves(
                entry["moves"], position, violations, here + "/moves", every_seat=False
            )
            if position.state is not None and moves and len(violations) == before:
                rounds.append(tuple(self._observed(position.state, moves, here + "/moves")))
        return tuple(rounds)

    def _observed(
        self, state: State, moves: Mapping[str, Choice], at: str
    ) -> Iterator[ObservedDecision[State, Choice]]:
        """Yield the decisions of a round, up to the first one that is not completely known."""
        script = self.script(moves, at)
        followed = follow(self.game, self.begin(state, drawn=False), script)
        revealed: Mapping[str, Choice] = {}
        for taken in followed.decided:
            yield ObservedDecision(state, revealed, taken.node, taken.choices)
            revealed = {**revealed, **taken.choices}
        node = self.game.pending(followed.play)
        if isinstance(node, Decision):
            choices = script.choices(node)
            if choices:
                yield ObservedDecision(state, revealed, node, choices)

    def _read_round(
        self,
        document: Document,
        position: Parsed,
        violations: Violations,
        at: str,
        effort: str,
    ) -> tuple[PastRound[State, Choice, Outcome], State] | None:
        """Return a round and the state after it; None if it or its position has a violation."""
        before = len(violations)
        drawn = self.read_past_drawn(document, position, violations, at)
        moves = self.read_moves(
            document["moves"], position, violations, at + "/moves", every_seat=True
        )
        self.require_complete(moves, position, violations, at + "/moves")
        state = position.state
        if state is None or drawn is None or len(violations) > before or not fully_valid(document):
            return None
        script = self.script(moves, at + "/moves", drawn, at)
        followed = follow(self.game, self.game.begin(state), script)
        followed.require_complete()
        first, *_ = followed.decided
        opening = self._opening(self.grown(state, drawn), first.node, effort)
        revealed: Mapping[str, Choice] = {}
        decisions = []
        for decided in followed.decided:
            question = replace(opening, revealed=revealed, decision=decided.node)
            revealed = {**revealed, **decided.choices}
            decisions.append(PastChoices(self._questions_of(question, decided.choices), revealed))
        return PastRound(state, drawn, opening, decisions), self.game.rest(followed.play)

    def _opening(
        self, state: State, decision: Decision[Choice], effort: str
    ) -> Question[State, Choice]:
        """Return the first decision as the first player's question, without any options."""
        player = state.players[0]
        return Question(
            position=state,
            revealed={},
            decision=decision,
            player=player,
            actors=self.deciding(state, decision, player),
            objective=DEFAULT_OBJECTIVE,
            model=DEFAULT_MODEL,
            weights={},
            effort=effort,
            depth=DEFAULT_DEPTH,
            deadline_ms=None,
            chosen=None,
            nonce=None,
        )

    def _questions_of(
        self, question: Question[State, Choice], chosen: Mapping[str, Choice]
    ) -> list[Question[State, Choice]]:
        """Return the question of each player with more than one choice at a decision."""
        questions = []
        for player in question.position.players:
            actors = self.deciding(question.position, question.decision, player)
            if any(len(question.decision.choices[name]) > 1 for name in actors):
                own = {name: chosen[name] for name in actors}
                questions.append(replace(question, player=player, actors=actors, chosen=own))
        return questions
