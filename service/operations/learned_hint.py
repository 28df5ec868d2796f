"""A hint against players whose styles are inferred from the history of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Generic

from service.cache.keys import key_of
from service.core.game import Choice, State
from service.core.hints import ConditionalValues, Hint, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.violations import OutOfTime, Overloaded, Rejected, Violation, pointer
from service.core.vocabulary import EQUILIBRIUM, STANDARD
from service.operations.hint_sources import HintSource
from service.operations.solution_cache import costliest
from service.operations.versions import ENGINE_VERSION
from service.solver.budget import WorkMeter
from service.solver.canonical import canonicalize
from service.solver.hints.conditional_values import render_conditional_values
from service.solver.hints.hint import render_hint
from service.solver.opponents.belief_codec import pack_beliefs, unpack_beliefs
from service.solver.opponents.compact_profiles import (
    InvalidProfile,
    UnknownProfileVersion,
    decode_profile,
)
from service.solver.opponents.histories import observe, round_key
from service.solver.opponents.inference import Belief, Round, infer
from service.solver.opponents.learned import conditional_values, respond
from service.solver.opponents.learned_play import LearnedPlay, learned_play
from service.solver.opponents.predictions import Predictions
from service.solver.opponents.profiles import profile_of
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
        beliefs: about the other players.
        play: of the other players.
        answer: the solution against them.
    """

    asked: CanonicalQuestion[State, Choice]
    equilibrium: Solution
    beliefs: Mapping[str, Belief]
    play: LearnedPlay
    answer: Solution


class Learner(HintSource[State, Choice]):
    """Hints from a history or profiles.

    If the deadline passes, the oldest rounds are left out, and the hint is not complete.
    """

    def hint(self, question: Question[State, Choice]) -> Hint[Choice]:
        learned = self._respond(question)
        owners, library = self._owners(question.position), self._game.style_library
        hint = render_hint(learned.answer, self._game, question, learned.asked, owners)
        profiles = {player: profile_of(library, own) for player, own in learned.beliefs.items()}
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
        self.layer = costliest(self.layer, solved.layer)
        # Without predictions of this decision there is no hint, so they get more CPU time.
        predictions = self._predict(STANDARD, asked)
        beliefs, complete = self._beliefs(question)
        library, first = self._game.style_library, not question.revealed
        play = learned_play(library, asked, predictions, beliefs, first=first)
        asker = asked.players.index(question.player)
        # Observed rounds may have used all CPU time.
        with self._solutions.slot(self._stop_at, question.effort, searching=False):
            meter = WorkMeter(self._stop_at)
            answer = respond(self._game, asked, asker, solved.solution, play, meter)
        answer = replace(answer, complete=answer.complete and complete)
        return _Learned(asked, solved.solution, beliefs, play, answer)

    def _beliefs(self, question: Question[State, Choice]) -> tuple[Mapping[str, Belief], bool]:
        """Return what is believed about each other player, and whether no round was left out.

        The beliefs after earlier rounds are cached, so each round of a game is observed once.
        """
        library = self._game.style_library
        players = dict.fromkeys(self._owners(question.position).values())
        others = sorted(player for player in players if player != question.player)
        keys = self._keys(question, others)
        beliefs, known = self._recall(keys, others)
        if beliefs is None:
            beliefs = infer(library, others, [], read_profiles(self._game, question))
        rounds: list[Round] = []
        predict = partial(self._predict, question.effort)
        for past in reversed(question.history[known:]):
            owners = self._owners(past[0].position)
            try:
                rounds.append(observe(self._game, past, owners, predict))
            except (OutOfTime, Overloaded):
                break
        beliefs = infer(library, others, rounds[::-1], beliefs)
        complete = known + len(rounds) == len(question.history)
        if complete and rounds:
            in_order = [beliefs[player] for player in others]
            self._solutions.remember(keys[-1], pack_beliefs(library, in_order))
        return beliefs, complete

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
    ) -> tuple[Mapping[str, Belief] | None, int]:
        """Return the newest cached beliefs, if any, and the number of rounds behind them."""

        def decode(packed: bytes) -> dict[str, Belief]:
            beliefs = unpack_beliefs(self._game.style_library, packed)
            return dict(zip(others, beliefs, strict=True))

        for rounds in range(len(keys) - 1, max(0, len(keys) - 1 - LOOKBACK), -1):
            beliefs = self._solutions.recall(keys[rounds], decode)
            if beliefs is not None:
                return beliefs, rounds
        return None, 0

    def _predict(self, effort: str, question: CanonicalQuestion[State, Choice]) -> Predictions:
        cached = self._solutions.predict(self._rules, self._game, question, effort, self._stop_at)
        self.layer = costliest(self.layer, cached.layer)
        return cached.solution
