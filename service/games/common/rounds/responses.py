"""Write the hints and reviews of a game in rounds: everything, a shortlist, or nudges only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, Protocol

from marshmallow import Schema

from service.core.advice import MIN_PLAYED
from service.core.game import Choice, Outcome
from service.core.hints import Hint, MoveValue, Question, Reason, Search, WhatIfs
from service.core.profiles import PlayerProfile
from service.core.reviews import JudgedChoice, LearnedPlayer, PlayedRounds, RoundsReview
from service.core.vocabulary import BRIEF, CARD, CONDITIONAL, FACTS, MATRIX, NUDGE, SHORTLIST
from service.games.common.brief_hints import brief
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.habits import FINE, habits
from service.games.common.review_schema import render_account
from service.games.common.rounds.headlines import MoveWords, advice
from service.games.common.rounds.reader import State

MIN_SHORTLIST, MAX_SHORTLIST = 2, 4
"""Number of moves on a shortlist; fewer only if there are fewer legal moves."""
_RESULTS: Final = (
    "best_value", "value", "loss", "probability", "realized_value", "realized_best_value",
)  # fmt: skip
"""Numbers of a graded choice."""


class Explainer(Protocol[Choice]):
    """The reasons of a hint."""

    def of(self, row: MoveValue[Choice]) -> Sequence[Reason]:
        """Return the reasons about a move; none for moves that nobody would consider."""

    def facts(self, row: MoveValue[Choice]) -> Sequence[Reason]:
        """Return what a move does by itself."""


class NoReasons:
    """The reasons of a game that gives none."""

    def of(self, row: MoveValue[Any]) -> Sequence[Reason]:
        return ()

    facts = of


class RoundResponses(ABC, MoveWords, Generic[State, Choice, Outcome]):
    """Writes hints and reviews; a game adds its words, reasons and numbers.

    Args:
        hints: the schema of each hint level.
        review: the schema of reviews.
    """

    def __init__(self, hints: Mapping[str, type[Schema]], review: type[Schema]) -> None:
        self._hints = {level: schema() for level, schema in hints.items()}
        self._review = review()

    # What a game has to define --------------------------------------------------------------

    @abstractmethod
    def nudges(
        self, question: Question[State, Choice], hint: Hint[Choice], language: str
    ) -> list[Document]:
        """Return what the reasons for the pick are about, without naming it: codes and texts."""

    # What a game may define -----------------------------------------------------------------

    def explainer(self, question: Question[State, Choice], hint: Hint[Choice]) -> Explainer[Choice]:
        """Return the reasons of a hint."""
        return NoReasons()

    def render_reasons(
        self, reasons: Sequence[Reason], language: str, names: DisplayNames, *, of_seat: bool
    ) -> list[Document]:
        """Return reasons with their sentences; ``of_seat`` if the player has several actors."""
        return []

    def numbers(self, question: Question[State, Choice], row: MoveValue[Choice]) -> Document:
        """Return further numbers of a move."""
        return {}

    def has_seats(self, question: Question[State, Choice]) -> bool:
        """Return whether the player has several actors, which reasons must name."""
        return len(question.actors) > 1

    def profile(self, profile: PlayerProfile, language: str) -> Document:
        """Return how a player plays."""
        return {}

    def rolls(self, question: Question[State, Choice], what_ifs: WhatIfs[Choice]) -> Document:
        """Return the hint after each outcome of the chance event before the decision."""
        return {}

    # Hints ----------------------------------------------------------------------------------

    def render_suggest(
        self,
        question: Question[State, Choice],
        hint: Hint[Choice],
        what_ifs: WhatIfs[Choice],
        language: str,
        names: DisplayNames,
    ) -> Document:
        """Return the response of ``suggest`` with texts in the given language."""
        level = question.hint_level
        response: Document = {
            "player": question.player,
            "decision": question.decision.name,
            "hint_level": level,
            "search": _search(question, hint.search),
        }
        if level in (NUDGE, SHORTLIST):
            response["nudges"] = self.nudges(question, hint, language)
            if level == SHORTLIST:
                response["shortlist"] = _shortlist(question, hint)
            return _dump(self._hints[level], response)
        response |= {
            "advice": advice(question, hint, self, language, names),
            "pick": hint.pick,
            "pick_public": question.nonce is None,
            "pick_index": hint.pick_index,
            "moves": self._moves(question, hint, language, names),
            "strategies": {
                player: [{"move": move, "probability": chance} for move, chance in mixture]
                for player, mixture in hint.strategies.items()
            },
            "win_shares": hint.win_shares,
            "expected_values": hint.expected_values,
            "grade": hint.grade,
            "opponents": {
                player: self.profile(own, language) for player, own in hint.profiles.items()
            }
            or None,
            "next": what_ifs.follow_ups,
            **_conditional(question, hint, what_ifs),
            **self.rolls(question, what_ifs),
        }
        document = _dump(self._hints[CARD], response)
        return brief(document) if question.detail == BRIEF else document

    def _moves(
        self,
        question: Question[State, Choice],
        hint: Hint[Choice],
        language: str,
        names: DisplayNames,
    ) -> list[Document]:
        explainer, of_seat = self.explainer(question, hint), self.has_seats(question)
        moves = []
        for row in hint.moves:
            compared = row.comparison
            document: Document = {
                "move": row.move,
                "value": row.value,
                "loss": row.loss,
                "probability": row.probability,
                "comparison": compared
                and {
                    "move": compared.other,
                    "difference": compared.difference,
                    "parts": compared.parts,
                },
                **self.numbers(question, row),
            }
            said = {"reasons": explainer.of(row)}
            if FACTS in question.include:
                said["facts"] = explainer.facts(row)
            for name, reasons in said.items():
                document[name] = self.render_reasons(reasons, language, names, of_seat=of_seat)
            moves.append(document)
        return moves

    # Reviews --------------------------------------------------------------------------------

    def render_review(
        self,
        played: PlayedRounds[State, Choice, Outcome],
        review: RoundsReview[State, Choice, Outcome],
        language: str,
        names: DisplayNames,
    ) -> Document:
        """Return the response of ``review`` with texts in the given language."""
        decisions = [self._judged(choice, language, names) for choice in review.decisions]
        response: Document = {
            "progress": review.progress,
            "decisions": decisions,
            "rounds": review.rounds,
            "players": {
                player: render_account(own)
                | self._learned(review.learned.get(player), language)
                | habits(player, decisions, language)
                for player, own in review.accounts.items()
            },
            "game_over": played.over,
            "winners": played.winners,
            "search": {
                "method": review.method,
                "effort": played.effort,
                "complete": review.progress.complete,
                "nodes": review.nodes,
                "evaluator": review.evaluator,
                "epsilon": review.epsilon,
            },
        }
        return _dump(self._review, response)

    def _judged(
        self, choice: JudgedChoice[State, Choice], language: str, names: DisplayNames
    ) -> Document:
        """Return a graded choice; after an error, what went wrong and what the best one does."""
        document: Document = {
            name: getattr(choice, name)
            for name in (*_RESULTS, "round", "decision", "player", "move", "best", "class_")
        }
        if choice.class_ in FINE:
            return document
        question, hint = choice.question, choice.hint
        explainer, of_seat = self.explainer(question, hint), len(question.actors) > 1
        for name, move in (("reasons", choice.move), ("best_reasons", choice.best)):
            row = next(row for row in hint.moves if row.move == move)
            reasons = explainer.of(row)
            document[name] = self.render_reasons(reasons, language, names, of_seat=of_seat)
        return document

    def _learned(self, learned: LearnedPlayer | None, language: str) -> Document:
        if learned is None:
            return {}
        document: Document = {"prediction_gain": learned.prediction_gain}
        if learned.profile.rounds:
            document["profile"] = self.profile(learned.profile, language)
        return document


def _search(question: Question[Any, Any], search: Search) -> Document:
    document = {
        "method": search.method,
        "depth": search.depth,
        "effort": question.effort,
        "exact": search.exact,
        "complete": search.complete,
        "nodes": search.nodes,
        "unsearched": search.unsearched,
        "evaluator": search.evaluator,
        "epsilon": search.epsilon,
        "quantal_residual": search.quantal_residual,
    }
    if search.learned is not None:
        learned = search.learned
        document |= {"trust": learned.trust, "risk": learned.risk, "library": learned.library}
    return document


def _shortlist(question: Question[Any, Choice], hint: Hint[Choice]) -> list[Mapping[str, Choice]]:
    """Return the moves worth considering, with the pick, in deck order to hide the best one."""

    def deck_order(row: MoveValue[Choice]) -> list[int]:
        choices = question.decision.choices
        return [list(choices[actor]).index(move) for actor, move in row.move.items()]

    by_probability = sorted(hint.moves, key=lambda row: -row.probability)
    played = [row for row in by_probability if row.probability >= MIN_PLAYED]
    recommended, _ = hint.good_and_bad
    pick = hint.moves[hint.pick_index]
    chosen = {id(row): row for row in (hint.moves[0], pick, *played, *recommended)}
    for row in hint.moves:
        if len(chosen) >= MIN_SHORTLIST:
            break
        chosen.setdefault(id(row), row)
    return [row.move for row in sorted(list(chosen.values())[:MAX_SHORTLIST], key=deck_order)]


def _conditional(
    question: Question[Any, Choice], hint: Hint[Choice], what_ifs: WhatIfs[Choice]
) -> Document:
    """Return the requested payoff matrices, and the values given another player's move."""
    values, response = what_ifs.conditional_values, dict[str, Any]()
    if values is not None and MATRIX in question.include:
        response[MATRIX] = {
            player: {
                "moves": [row.move for row in hint.moves[: len(against[0].values)]],
                "against": [what_if.move for what_if in against],
                "values": [
                    list(row) for row in zip(*(what_if.values for what_if in against), strict=True)
                ],
            }
            for player, against in values.items()
        }
    if values is not None and CONDITIONAL in question.include:
        names = ("move", "probability", "best_response", "value", "win_shares")
        response[CONDITIONAL] = {
            player: [{name: getattr(what_if, name) for name in names} for what_if in against]
            for player, against in values.items()
        }
    return response


def _dump(schema: Schema, members: Document) -> Document:
    dumped: Document = schema.dump(members)
    return dumped
