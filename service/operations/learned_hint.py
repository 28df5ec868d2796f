"""A hint against players whose styles are inferred from the history of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Generic

from service.cache.keys import key_of
from service.core.game import Choice, State
from service.core.hints import ConditionalValues, Hint, ObservedRound, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.styles import Style, StyleLibrary
from service.core.violations import OutOfTime, Overloaded, Rejected, Violation, pointer
from service.core.vocabulary import EQUILIBRIUM, STANDARD
from service.operations.hint_sources import HintSource
from service.operations.solution_cache import costliest_layer
from service.operations.versions import ENGINE_VERSION
from service.solver.budget import WorkMeter
from service.solver.canonical import canonicalize
from service.solver.hints.conditional_values import render_conditional_values
from service.solver.hints.hint import render_hint
from service.solver.opponents.belief_codec import pack_table, unpack_table
from service.solver.opponents.compact_profiles import (
    InvalidProfile,
    UnknownProfileVersion,
    decode_profile,
)
from service.solver.opponents.histories import canonical_decision, observe, round_key
from service.solver.opponents.inference import Belief, Round
from service.solver.opponents.learned import conditional_values, respond
from service.solver.opponents.learned_play import LearnedPlay, learned_play
from service.solver.opponents.predictions import Predictions, plus_added
from service.solver.opponents.profiles import profile_of
from service.solver.opponents.refinement import TableBeliefs
from service.solver.solution import Solution

LOOKBACK: Final = 3
"""How many histories are looked up: the one in question and those without the last rounds."""


def read_profiles(
    game: RoundGame[State, Choice], question: Question[State, Choice]
) -> dict[str, Belief]:
    """Return what the profiles of a question say about the other players.

    Raises:
        Rejected: if a profile is damaged or belongs to another version of the library.
    """
    beliefs, violations = {}, []
    for player, text in question.profiles.items():
        here = pointer("opponents", "profiles", player)
        try:
            beliefs[player] = decode_profile(game.style_library, text)
        except UnknownProfileVersion:
            detail = (
                f"The profile of {player} belongs to another version of the service. Remove it: "
                "the history of this game replaces it after a few rounds."
            )
            violations.append(Violation(here, "profile-version", detail))
        except InvalidProfile:
            detail = f"Send `compact` of a hint unchanged, or remove the profile of {player}."
            violations.append(Violation(here, "bad-profile", detail))
    if violations:
        raise Rejected(violations)
    return beliefs


@dataclass(frozen=True, slots=True)
class _Learned(Generic[State, Choice]):
    """An answer, and what it was made from.

    Attributes:
        asked: the question in canonical form.
        equilibrium: the solution of the question under the model ``equilibrium``.
        table: what is believed about the other players.
        play: of the other players.
        answer: the solution against them.
    """

    asked: CanonicalQuestion[State, Choice]
    equilibrium: Solution
    table: TableBeliefs
    play: LearnedPlay
    answer: Solution


class Learner(HintSource[State, Choice]):
    """Gives hints against opponents whose way of playing a history or profiles show.

    If the deadline passes, the added styles or the oldest rounds are left out, and the hint is not
    complete.
    """

    def hint(self, question: Question[State, Choice]) -> Hint[Choice]:
        learned = self._respond(question)
        owners, table = self._owners(question.position), learned.table
        hint = render_hint(learned.answer, self._game, question, learned.asked, owners)
        profiles = {
            player: profile_of(table.library, own) for player, own in table.by_player.items()
        }
        return replace(hint, profiles=profiles)

    def conditional_values(
        self, question: Question[State, Choice], hint: Hint[Choice]
    ) -> Mapping[str, Sequence[ConditionalValues[Choice]]]:
        learned = self._respond(question)
        asker = learned.asked.players.index(question.player)
        with self._solutions.slot(self._stop_at, question.effort):
            table = conditional_values(
                self._game,
                learned.asked,
                asker,
                learned.equilibrium,
                learned.play,
                learned.answer,
                WorkMeter(self._stop_at),
            )
        return render_conditional_values(table, self._game, question, learned.asked, hint)

    def _respond(self, question: Question[State, Choice]) -> _Learned[State, Choice]:
        asked = canonicalize(self._game, replace(question, model=EQUILIBRIUM))
        solved = self._solutions.solve(self._rules, self._game, asked, self._stop_at)
        self.layer = costliest_layer(self.layer, solved.layer)
        # Without predictions of this decision there is no hint, so they get more CPU time.
        predictions = self._predict(STANDARD, asked)
        table, complete = self._table(question)
        try:
            predictions = self._plus_added(STANDARD, table.library, asked, predictions)
        except (OutOfTime, Overloaded):
            table, complete = table.without_added(), False
        first = not question.revealed
        play = learned_play(table.library, asked, predictions, table.by_player, first=first)
        asker = asked.players.index(question.player)
        # Observed rounds may have used all CPU time.
        with self._solutions.slot(self._stop_at, question.effort, searching=False):
            meter = WorkMeter(self._stop_at)
            answer = respond(self._game, asked, asker, solved.solution, play, meter)
        answer = replace(answer, complete=answer.complete and complete)
        return _Learned(asked, solved.solution, table, play, answer)

    def _table(self, question: Question[State, Choice]) -> tuple[TableBeliefs, bool]:
        """Return what is believed about the other players, and whether nothing was left out.

        The beliefs after earlier rounds are cached, so each round of a game is observed once.
        """
        players = dict.fromkeys(self._owners(question.position).values())
        others = sorted(player for player in players if player != question.player)
        keys = self._keys(question, others)
        table, known = self._recall(keys, others)
        if table is None:
            profiles = read_profiles(self._game, question)
            table = TableBeliefs.start(self._game.style_library, others, profiles)
        history = question.history[known:]
        newest_first: list[Sequence[Predictions]] = []
        for past in reversed(history):
            try:
                newest_first.append(self._predict_round(question.effort, past))
            except (OutOfTime, Overloaded):
                break
        complete = len(newest_first) == len(history)
        predicted = newest_first[::-1]
        for past, own in zip(history[len(history) - len(predicted) :], predicted, strict=True):
            try:
                observed = self._observe(question.effort, table.library, past, own)
            except (OutOfTime, Overloaded):
                table, complete = table.without_added(), False
                observed = self._observe(question.effort, table.library, past, own)
            # Added styles need predictions of every later round.
            table = table.after(observed, refined=complete)
        if complete and history:
            self._solutions.cache.remember(keys[-1], pack_table(table, others))
        return table, complete

    def _predict_round(
        self, effort: str, past: ObservedRound[State, Choice]
    ) -> Sequence[Predictions]:
        """Return the predictions of the styles of the library for each decision of a round."""
        owners = self._owners(past[0].position)
        return [
            self._predict(effort, canonical_decision(self._game, decision, owners))
            for decision in past
        ]

    def _observe(
        self,
        effort: str,
        library: StyleLibrary,
        past: ObservedRound[State, Choice],
        predicted: Sequence[Predictions],
    ) -> Round:
        """Return the observations of a round.

        Args:
            effort: limits the CPU time.
            library: the styles, with added ones.
            past: the decisions of the round.
            predicted: the predictions of the styles that were not added, for each decision.
        """
        in_order = iter(predicted)

        def predict(asked: CanonicalQuestion[State, Choice]) -> Predictions:
            return self._plus_added(effort, library, asked, next(in_order))

        return observe(self._game, past, self._owners(past[0].position), predict)

    def _keys(self, question: Question[State, Choice], others: Sequence[str]) -> list[bytes]:
        """Return the cache keys of the beliefs before the first round and after each one."""
        game = self._game
        versions = (self._rules, ENGINE_VERSION, game.evaluator, str(game.style_library.version))
        start = repr((others, sorted(question.profiles.items())))
        keys = [key_of("beliefs", *versions, start)]
        for past in question.history:
            observed = round_key(game, past, self._owners(past[0].position))
            keys.append(key_of(keys[-1], observed))
        return keys

    def _recall(
        self, keys: Sequence[bytes], others: Sequence[str]
    ) -> tuple[TableBeliefs | None, int]:
        """Return the newest cached beliefs, if any, and the number of rounds behind them."""
        decode = partial(unpack_table, self._game.style_library, others)
        for rounds in range(len(keys) - 1, max(0, len(keys) - 1 - LOOKBACK), -1):
            table = self._solutions.cache.recall(keys[rounds], decode)
            if table is not None:
                return table, rounds
        return None, 0

    def _predict(
        self, effort: str, question: CanonicalQuestion[State, Choice], added: Sequence[Style] = ()
    ) -> Predictions:
        cached = self._solutions.predict(
            self._rules, self._game, question, effort, self._stop_at, added
        )
        self.layer = costliest_layer(self.layer, cached.layer)
        return cached.solution

    def _plus_added(
        self,
        effort: str,
        library: StyleLibrary,
        question: CanonicalQuestion[State, Choice],
        predictions: Predictions,
    ) -> Predictions:
        return plus_added(library, question, predictions, partial(self._predict, effort, question))
