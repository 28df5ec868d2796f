"""Lookahead over further rounds in which all players follow one model.

After the first round is solved, the search looks at the positions that its strategies lead to,
also after another move of one player, the likeliest first.  It weighs the dice exactly, solves
each following round anew, folds its expected values into the payoffs, and solves the first round
again.  Profiles that are not searched keep the estimate of one round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic

import numpy as np

from service.core.arrays import Floats, Ints
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import ContinuationValue, SimultaneousGame
from service.core.vocabulary import LEVEL_1, WIN
from service.solver.budget import LOOKAHEAD_BUDGETS, SOLVE_COST
from service.solver.equilibrium.subgames import SAME, counterfactual_reach
from service.solver.search.strategy_profile import (
    SolveContext,
    StrategyProfile,
    remeasure,
    solve_profile,
    solve_round,
)

LATER_SHARE: Final = 64
"""A later round that looks ahead may use this fraction (1/64) of the remaining budget."""
PASSES: Final = 3
"""How often the search looks beyond the profiles and solves the first round again."""
MAX_UNSEARCHED: Final = 0.5
"""With a larger unsearched share the solution is one round shallower."""

Successors = Sequence[tuple[float, Position | None]]
"""Positions with their probabilities; None if the game is over."""
Deeper = tuple[SimultaneousGame[Choice, Position], StrategyProfile, float]
"""A round with continuation values, its strategy profile, and the unsearched share."""


def look_ahead(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    depth: int,
    first: tuple[SimultaneousGame[Choice, Position], StrategyProfile],
    rounds: int | None = None,
) -> Deeper[Choice, Position] | None:
    """Return the strategy profile when all players look ``depth`` rounds ahead.

    Args:
        context: of the search.
        question: the round in question.
        depth: number of rounds, at least 2.
        first: the first round and its strategy profile at depth 1; its payoffs change.
        rounds: rounds of final choices to resolve after the first round; by default the budget of
            the effort.

    Returns:
        None if too much would remain unsearched.

    Raises:
        OutOfTime: if the deadline passed.
    """
    stage_game, profile = first
    meter = context.meter
    budget = LOOKAHEAD_BUDGETS[question.effort] if rounds is None else rounds
    asker = question.player if rounds is None else None
    start = meter.nodes

    def evaluate(later: Question[Position, Choice]) -> ContinuationValue:
        solved = solve_round(context, later, None)
        if depth == 2:
            return _value_of(*solved, 0.0)
        shallow = _value_of(*solved, 1.0)
        share = max(0, budget - (meter.nodes - start)) // LATER_SHARE
        deeper = look_ahead(context, later, depth - 1, solved, share)
        return shallow if deeper is None else _value_of(*deeper)

    later_question = replace(question, chosen=None, nonce=None)
    lookahead = Lookahead(context, later_question, evaluate, budget)
    for _ in range(PASSES):
        before = stage_game.payoffs.copy()
        unsearched = lookahead.search(stage_game, profile.strategies)
        if unsearched > MAX_UNSEARCHED:
            return None
        if np.array_equal(before, stage_game.payoffs):
            return stage_game, profile, unsearched
        if question.objective != WIN:
            stage_game.set_default_gains(lookahead.mean_gains(stage_game, profile.strategies))
        if question.model == LEVEL_1:
            # Level-1 players ignore how others react to the continuation values.
            return stage_game, profile, unsearched
        profile = solve_profile(context, stage_game, question, asker)
    unsearched = lookahead.search(stage_game, profile.strategies)
    if unsearched > MAX_UNSEARCHED:
        return None
    return stage_game, remeasure(stage_game, question, profile), unsearched


def _value_of(
    stage_game: SimultaneousGame[Choice, Position], profile: StrategyProfile, unsearched: float
) -> ContinuationValue:
    return continuation_value(stage_game, profile.strategies, unsearched)


def continuation_value(
    stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats], unsearched: float
) -> ContinuationValue:
    """Return what a round is worth to each player.

    Args:
        stage_game: the round.
        strategies: by player, float64[moves].
        unsearched: the share that was not searched.
    """
    together = np.concatenate(strategies)
    outcome = (strategies[0][:, None] * stage_game.outcomes(0, together)).sum(axis=0)
    columns = stage_game.columns(0)
    return ContinuationValue(
        gains=dict(zip(stage_game.players, outcome[columns.gains].tolist(), strict=True)),
        shares=dict(zip(stage_game.players, outcome[columns.shares].tolist(), strict=True)),
        unsearched=unsearched,
    )


@dataclass
class Lookahead(Generic[Position, Choice]):
    """The continuation values computed in one search.

    Attributes:
        context: of the search.
        question: its model, objective and effort apply to every later round.
        evaluate: returns the expected values of a later round, with the remaining depth.
        rounds: rounds of final choices that may still be resolved.
    """

    context: SolveContext[Position, Choice]
    question: Question[Position, Choice]
    evaluate: Callable[[Question[Position, Choice]], ContinuationValue]
    rounds: int
    _values: dict[Position, ContinuationValue] = field(default_factory=dict)
    _costs: dict[Position, int] = field(default_factory=dict)

    def search(
        self, stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
    ) -> float:
        """Compute continuation values of the likeliest profiles, unless too few can be searched.

        The reach of a profile is the probability of the others' parts if one player, the most
        favourable one, plays its own part.  Profiles with equal reach are searched together or
        not at all, so that symmetric players stay symmetric.

        Returns:
            Over all moves, played or not, the largest unsearched share of the profiles that a
            player's move can lead to.  If it is above MAX_UNSEARCHED, nothing was searched or
            later rounds left much unsearched.
        """
        profiles = _one_deviation_profiles(stage_game, strategies)
        reach_by_player = counterfactual_reach(stage_game, strategies, profiles)
        reach = reach_by_player.max(axis=0)
        order = np.argsort(-reach, kind="stable")
        ends = np.flatnonzero(np.diff(reach[order]) < -SAME * reach[order[:-1]]) + 1
        affordable: dict[int, Successors[Position]] = {}
        left = self.rounds
        due: set[Position] = set()
        for group in np.split(order, ends):
            in_group: dict[int, Successors[Position]] = {}
            for place in group.tolist():
                self.context.meter.check()
                in_group[place] = stage_game.successors(int(profiles[place]))
                new = {p for _, p in in_group[place] if p is not None} - due
                left -= sum(map(self._cost, new))
                due |= new
                if left < 0:
                    break
            if left < 0:
                break
            affordable |= in_group
        missing = np.ones(len(profiles))
        missing[list(affordable)] = 0.0
        moves = np.unravel_index(profiles, stage_game.counts)
        unsearched = _largest_share(reach_by_player * missing, moves)
        if unsearched > MAX_UNSEARCHED:
            return unsearched
        for place, successors in affordable.items():
            missing[place] = self._set_continuation(stage_game, int(profiles[place]), successors)
        return _largest_share(reach_by_player * missing, moves)

    def _cost(self, position: Position) -> int:
        """Return the cost of a position in rounds resolved; 0 if its value is known."""
        if position in self._values:
            return 0
        if position not in self._costs:
            following = self.context.game.next_rounds(self.question, position)
            self._costs[position] = sum(rounds + SOLVE_COST for _, _, rounds in following)
        return self._costs[position]

    def _set_continuation(
        self,
        stage_game: SimultaneousGame[Choice, Position],
        profile: int,
        successors: Successors[Position],
    ) -> float:
        """Fold in the values after one profile; return the share that later rounds left out."""
        values = [None if p is None else self._value(p) for _, p in successors]
        stage_game.set_continuation(profile, values)
        return sum(
            chance * value.unsearched
            for (chance, _), value in zip(successors, values, strict=True)
            if value is not None
        )

    def _value(self, position: Position) -> ContinuationValue:
        """Return the expected values of a position over all chance outcomes."""
        if position in self._values:
            return self._values[position]
        gains: dict[str, float] = {}
        shares: dict[str, float] = {}
        unsearched = 0.0
        self.rounds -= self._cost(position)
        for chance, question, _ in self.context.game.next_rounds(self.question, position):
            self.context.meter.check()
            value = self.evaluate(question)
            unsearched += chance * value.unsearched
            for player in value.gains:
                gains[player] = gains.get(player, 0.0) + chance * value.gains[player]
                shares[player] = shares.get(player, 0.0) + chance * value.shares[player]
        self._values[position] = ContinuationValue(gains, shares, unsearched)
        return self._values[position]

    def mean_gains(
        self, stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
    ) -> dict[str, float]:
        """Return the mean later gains of the players over the searched, unfinished positions."""
        profiles = _one_deviation_profiles(stage_game, strategies)
        played = counterfactual_reach(stage_game, strategies, profiles)[0]
        played *= strategies[0][np.unravel_index(profiles, stage_game.counts)[0]]
        gains = dict.fromkeys(stage_game.players, 0.0)
        mass = 0.0
        for profile, chance in zip(profiles.tolist(), played.tolist(), strict=True):
            for part, position in stage_game.successors(profile) if chance else ():
                if position is not None and position in self._values:
                    mass += chance * part
                    for player in gains:
                        gains[player] += chance * part * self._values[position].gains[player]
        return {player: gain / mass if mass else 0.0 for player, gain in gains.items()}


def _largest_share(shares: Floats, moves: Sequence[Ints]) -> float:
    """Return the largest sum of float64[players, profiles] over the profiles of any move."""
    return max(
        float(np.bincount(own, share).max()) for own, share in zip(moves, shares, strict=True)
    )


def _one_deviation_profiles(
    stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
) -> Ints:
    """Return the profiles played, also after another move of one player, ascending."""
    supports = [np.flatnonzero(own) for own in strategies]
    profiles = []
    for player, count in enumerate(stage_game.counts):
        moves = [*supports[:player], np.arange(count), *supports[player + 1 :]]
        by_player = np.ravel_multi_index(np.meshgrid(*moves, indexing="ij"), stage_game.counts)
        profiles.append(by_player.ravel())
    return np.unique(np.concatenate(profiles))
