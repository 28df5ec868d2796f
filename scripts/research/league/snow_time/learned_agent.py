"""An agent that plays the service's hints under the model ``learned``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from research.league.snow_time.agents import SOLVER_GAME, Strategy, draw_move, owners
from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import SingleFlight, WaitList
from service.core.arrays import Floats
from service.core.hints import ObservedRound, Question
from service.core.simultaneous import CanonicalQuestion
from service.core.styles import Style, StyleLibrary
from service.core.vocabulary import STANDARD
from service.games.snow_time.rules.state import Move, State
from service.operations.solution_cache import SolutionCache, Solutions
from service.solver.budget import WorkMeter
from service.solver.canonical import canonicalize
from service.solver.opponents.fixed_models import joint_moves
from service.solver.opponents.histories import observe
from service.solver.opponents.learned import respond
from service.solver.opponents.learned_play import learned_play
from service.solver.opponents.predictions import Predictions, plus_added
from service.solver.opponents.refinement import TableBeliefs
from service.solver.opponents.safety import MAX_TRUST
from service.solver.solution import Solution

CACHE_BYTES: Final = 64 * 2**20
MAX_HISTORY: Final = 60
"""Largest number of rounds in a request."""
RULES: Final = "league"

SOLUTIONS: Final = Solutions(
    SolutionCache(SingleFlight(Cache(Memory(CACHE_BYTES), None), WaitList(1)))
)
"""Shared by all agents of a process, as by the requests of a worker."""


def predict(library: StyleLibrary, canonical: CanonicalQuestion[State, Move]) -> Predictions:
    """Return the predictions of the styles of a library, with added ones, for a decision."""

    def known(added: Sequence[Style] = ()) -> Predictions:
        return SOLUTIONS.predict(RULES, SOLVER_GAME, canonical, STANDARD, None, added).solution

    return plus_added(library, canonical, known(), known)


def learn(
    table: TableBeliefs, past: ObservedRound[State, Move], names: Mapping[str, str]
) -> TableBeliefs:
    """Return what is believed after one more round; ``names`` are the players of the actors."""
    observed = observe(SOLVER_GAME, past, names, partial(predict, table.library))
    return table.after(observed)


class LearnedAgent:
    """Draws moves from the service's hints under the model ``learned``.

    Args:
        rounds: from how many rounds at the start of the game it learns; 0 to trust the prior.
        safe: whether it limits what an adversary may gain; otherwise it plays a best response.
    """

    def __init__(self, *, rounds: int = MAX_HISTORY, safe: bool = True) -> None:
        self._rounds, self._safe = rounds, safe
        self._last: tuple[Question[State, Move], Strategy] | None = None
        self._known: dict[str, list[tuple[ObservedRound[State, Move], TableBeliefs]]] = {}
        """By asker: the rounds of the last history, and the beliefs after each."""

    def strategy(self, question: Question[State, Move]) -> Strategy:
        if self._last is None or self._last[0] is not question:
            self._last = question, self._solve(question)
        return self._last[1]

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        return draw_move(self.strategy(question), random)

    def _solve(self, question: Question[State, Move]) -> Strategy:
        history = question.history[: self._rounds][-MAX_HISTORY:]
        canonical = canonicalize(SOLVER_GAME, question)
        solution = SOLUTIONS.solve(RULES, SOLVER_GAME, canonical, None).solution
        if history or not self._rounds:
            solution = self._respond(question, canonical, history, solution)
        assert solution.strategies is not None
        return _named(canonical, question.player, solution.strategies)

    def _respond(
        self,
        question: Question[State, Move],
        canonical: CanonicalQuestion[State, Move],
        history: Sequence[ObservedRound[State, Move]],
        solution: Solution,
    ) -> Solution:
        table = self._table(question, history)
        play = learned_play(
            table.library,
            canonical,
            predict(table.library, canonical),
            table.by_player,
            first=not question.revealed,
        )
        if not self._safe:
            play = replace(play, trust=1.0)
        elif not history:
            play = replace(play, trust=MAX_TRUST)
        asker = canonical.players.index(question.player)
        return respond(SOLVER_GAME, canonical, asker, solution, play, WorkMeter(None))

    def _table(
        self,
        question: Question[State, Move],
        history: Sequence[ObservedRound[State, Move]],
    ) -> TableBeliefs:
        """Return what is believed after a history; it is usually the last one and a round more."""
        names = owners(question)
        others = [player for player in dict.fromkeys(names.values()) if player != question.player]
        known = self._known.setdefault(question.player, [])
        same = 0
        while same < min(len(known), len(history)) and known[same][0] is history[same]:
            same += 1
        del known[same:]
        table = known[-1][1] if known else TableBeliefs.start(SOLVER_GAME.style_library, others)
        for past in history[same:]:
            table = learn(table, past, names)
            known.append((past, table))
        return table


def _named(
    canonical: CanonicalQuestion[State, Move], player: str, strategies: Sequence[Floats]
) -> Strategy:
    """Return a player's strategy with the names of its actors."""
    number = canonical.players.index(player)
    names = dict(zip(canonical.owners, canonical.actors, strict=True))
    actors = [actor for actor, owner in canonical.owners.items() if owner == str(number)]
    moves = joint_moves(canonical.question, actors)
    return [
        ({names[actor]: choice for actor, choice in move.items()}, probability)
        for move, probability in zip(moves, strategies[number].tolist(), strict=True)
    ]
