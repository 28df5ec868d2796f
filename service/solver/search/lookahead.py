"""Further rounds under solved models: everybody plays each of them by the same model.

After the first round is solved, the positions that its strategies lead to, or would with another
move of one player, are looked beyond, the likeliest first: growth is weighed exactly, every round
that follows is solved afresh, and what everybody can expect of it is folded into the payoffs; then
the first round is solved again.  Profiles that are left out keep the estimate of one round.
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
from service.core.vocabulary import LEVEL_1, QUICK, WIN
from service.solver.budget import LOOKAHEAD_BUDGETS, SOLVE_COST
from service.solver.equilibrium.subgames import SAME, counterfactual_reach
from service.solver.search.strategy_profile import (
    SolveContext,
    StrategyProfile,
    remeasure,
    solve_profile,
    solve_round,
)

LATER_EFFORT: Final = QUICK
"""Of every round after the first."""
LATER_SHARE: Final = 64
"""A later round may spend this part of what is left, when it looks ahead itself."""
LOOKS: Final = 3
"""How often what is played is looked beyond and then solved again."""
MAX_UNSEARCHED: Final = 0.5
"""With more left out the answer is one round shallower."""

ReachablePositions = Sequence[tuple[float, Position | None]]
"""Positions with their probabilities; None where the game is over."""
Ahead = tuple[SimultaneousGame[Choice, Position], StrategyProfile, float]
"""A round, how everybody plays it looking ahead, and the share left out, see :class:`Lookahead`."""


def look_ahead(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    depth: int,
    first: tuple[SimultaneousGame[Choice, Position], StrategyProfile],
    rounds: int | None = None,
) -> Ahead[Choice, Position] | None:
    """How everybody plays when all look so many rounds ahead.

    Args:
        first: how everybody plays who looks no further; its payoffs change.
        rounds: how many rounds of final choices may be resolved after the first round; without,
            as many as the tier allows.

    Returns:
        None where too much would be left out.

    Raises:
        OutOfTime: in the middle of it.
    """
    stage_game, found = first
    meter = context.meter
    most = LOOKAHEAD_BUDGETS[question.effort] if rounds is None else rounds
    asker = question.player if rounds is None else None
    begun = meter.nodes

    def expects(asked: Question[Position, Choice]) -> ContinuationValue:
        later = solve_round(context, asked, None)
        if depth == 2:
            return _prospect(*later, 0.0)
        shallow = _prospect(*later, 1.0)
        share = max(0, most - (meter.nodes - begun)) // LATER_SHARE
        deeper = look_ahead(context, asked, depth - 1, later, share)
        return shallow if deeper is None else _prospect(*deeper)

    asked = replace(question, effort=LATER_EFFORT, chosen=None, nonce=None)
    ahead = Lookahead(context, asked, expects, most)
    for _ in range(LOOKS):
        before = stage_game.payoffs.copy()
        unsearched = ahead.look(stage_game, found.strategies)
        if unsearched > MAX_UNSEARCHED:
            return None
        if np.array_equal(before, stage_game.payoffs):
            return stage_game, found, unsearched
        if question.objective != WIN:
            stage_game.set_default_gains(ahead.average(stage_game, found.strategies))
        if question.model == LEVEL_1:
            # Nobody looks at what others make of it.
            return stage_game, found, unsearched
        found = solve_profile(context, stage_game, question, asker)
    unsearched = ahead.look(stage_game, found.strategies)
    if unsearched > MAX_UNSEARCHED:
        return None
    return stage_game, remeasure(stage_game, question, found), unsearched


def _prospect(
    stage_game: SimultaneousGame[Choice, Position], found: StrategyProfile, unsearched: float
) -> ContinuationValue:
    together = np.concatenate(found.strategies)
    outcome = (found.strategies[0][:, None] * stage_game.outcomes(0, together)).sum(axis=0)
    columns = stage_game.columns(0)
    return ContinuationValue(
        gains=dict(zip(stage_game.players, outcome[columns.gains].tolist(), strict=True)),
        shares=dict(zip(stage_game.players, outcome[columns.shares].tolist(), strict=True)),
        unsearched=unsearched,
    )


@dataclass
class Lookahead(Generic[Position, Choice]):
    """Positions looked beyond in one search.

    Attributes:
        setting: of the search.
        question: what was asked, whose model, objective and tier every round has.
        expects: what everybody can expect of a question, as many rounds ahead as are left.
        rounds: how many rounds of final choices may still be resolved.
    """

    context: SolveContext[Position, Choice]
    question: Question[Position, Choice]
    expects: Callable[[Question[Position, Choice]], ContinuationValue]
    rounds: int
    _known: dict[Position, ContinuationValue] = field(default_factory=dict)
    _costs: dict[Position, int] = field(default_factory=dict)

    def look(
        self, stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
    ) -> float:
        """Looks beyond the profiles likeliest to be met, unless too much would be left out.

        A profile is met as often as the others' strategies lead there when one player, any, goes
        for it.  Those that are met equally often go together, so that equals stay equal.

        Returns:
            The greatest share of the profiles that any player's move, played or not, may come to
            that is left out.  Above MOST_LEFT_OUT nothing was done, or later rounds left out much.
        """
        profiles = _near(stage_game, strategies)
        others = counterfactual_reach(stage_game, strategies, profiles)
        chances = others.max(axis=0)
        order = np.argsort(-chances, kind="stable")
        ends = np.flatnonzero(np.diff(chances[order]) < -SAME * chances[order[:-1]]) + 1
        found: dict[int, ReachablePositions[Position]] = {}
        left = self.rounds
        due: set[Position] = set()
        for group in np.split(order, ends):
            some: dict[int, ReachablePositions[Position]] = {}
            for place in group.tolist():
                self.context.meter.check()
                some[place] = stage_game.successors(int(profiles[place]))
                fresh = {p for _, p in some[place] if p is not None} - due
                left -= sum(map(self._cost, fresh))
                due |= fresh
                if left < 0:
                    break
            if left < 0:
                break
            found |= some
        missing = np.ones(len(profiles))
        missing[list(found)] = 0.0
        moves = np.unravel_index(profiles, stage_game.counts)
        unsearched = _most_missing(others * missing, moves)
        if unsearched > MAX_UNSEARCHED:
            return unsearched
        for place, reached in found.items():
            missing[place] = self._look_beyond(stage_game, int(profiles[place]), reached)
        return _most_missing(others * missing, moves)

    def _cost(self, position: Position) -> int:
        """What looking beyond a position costs, in rounds resolved; nothing if that was done."""
        if position in self._known:
            return 0
        if position not in self._costs:
            due = self.context.game.next_rounds(self.question, position)
            self._costs[position] = sum(rounds + SOLVE_COST for _, _, rounds in due)
        return self._costs[position]

    def _look_beyond(
        self,
        stage_game: SimultaneousGame[Choice, Position],
        profile: int,
        reached: ReachablePositions[Position],
    ) -> float:
        """Looks beyond one profile, and returns the share that later rounds leave out."""
        prospects = [None if p is None else self._prospect(p) for _, p in reached]
        stage_game.set_continuation(profile, prospects)
        return sum(
            chance * prospect.unsearched
            for (chance, _), prospect in zip(reached, prospects, strict=True)
            if prospect is not None
        )

    def _prospect(self, position: Position) -> ContinuationValue:
        """What is expected from a position, chance weighed exactly."""
        if position in self._known:
            return self._known[position]
        gains: dict[str, float] = {}
        shares: dict[str, float] = {}
        unsearched = 0.0
        self.rounds -= self._cost(position)
        for chance, question, _ in self.context.game.next_rounds(self.question, position):
            self.context.meter.check()
            found = self.expects(question)
            unsearched += chance * found.unsearched
            for player in found.gains:
                gains[player] = gains.get(player, 0.0) + chance * found.gains[player]
                shares[player] = shares.get(player, 0.0) + chance * found.shares[player]
        self._known[position] = ContinuationValue(gains, shares, unsearched)
        return self._known[position]

    def average(
        self, stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
    ) -> dict[str, float]:
        """What players gain later on average, where the game goes on and was looked beyond."""
        profiles = _near(stage_game, strategies)
        played = counterfactual_reach(stage_game, strategies, profiles)[0]
        played *= strategies[0][np.unravel_index(profiles, stage_game.counts)[0]]
        gains = dict.fromkeys(stage_game.players, 0.0)
        mass = 0.0
        for profile, chance in zip(profiles.tolist(), played.tolist(), strict=True):
            for part, position in stage_game.successors(profile) if chance else ():
                if position is not None and position in self._known:
                    mass += chance * part
                    for player in gains:
                        gains[player] += chance * part * self._known[position].gains[player]
        return {player: gain / mass if mass else 0.0 for player, gain in gains.items()}


def _most_missing(shares: Floats, moves: Sequence[Ints]) -> float:
    """The greatest sum of float64[players, profiles] for any move of its player."""
    return max(
        float(np.bincount(own, share).max()) for own, share in zip(moves, shares, strict=True)
    )


def _near(stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]) -> Ints:
    """The profiles that are played, or would be with another move of one player; ascending."""
    supports = [np.flatnonzero(own) for own in strategies]
    found = []
    for player, count in enumerate(stage_game.counts):
        moves = [*supports[:player], np.arange(count), *supports[player + 1 :]]
        profiles = np.ravel_multi_index(np.meshgrid(*moves, indexing="ij"), stage_game.counts)
        found.append(profiles.ravel())
    return np.unique(np.concatenate(found))
