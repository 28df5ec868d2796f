"""One solution for all players, who all follow one model, deepened round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import RoundGame, SimultaneousGame
from service.core.violations import OutOfTime
from service.solver.budget import WorkMeter
from service.solver.opponents.fixed_models import joint_moves
from service.solver.search.lookahead import look_ahead
from service.solver.search.replies import reply_values, shown_groups
from service.solver.search.strategy_profile import SolveContext, StrategyProfile, solve_round
from service.solver.solution import Solution


def solve_for_all_players(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: WorkMeter,
) -> Solution:
    """Solve the decision for all players.

    Raises:
        OutOfTime: if the deadline passed before the search had any result.
    """
    return search_for_all_players(game, question, owners, meter)[0]


def search_for_all_players(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: WorkMeter,
) -> tuple[Solution, SimultaneousGame[Choice, Position], StrategyProfile]:
    """Solve the decision; also return the solved game and its strategy profile.

    Raises:
        OutOfTime: if the deadline passed before the search had any result.
    """
    context = SolveContext(game, owners, meter)
    first = stage_game, profile = solve_round(context, question, question.player)
    solution = _solution(context, question, stage_game, profile)
    for depth in range(2, 2 if stage_game.single_round else question.depth + 1):
        if meter.stop():
            return replace(solution, complete=False), stage_game, profile
        try:
            if depth > 2:
                first = solve_round(context, question, question.player)
            deeper = look_ahead(context, question, depth, first)
        except OutOfTime:
            return replace(solution, complete=False), stage_game, profile
        if deeper is None:
            # Possibly only because the deadline passed.
            return replace(solution, complete=not meter.stopped), stage_game, profile
        stage_game, profile, unsearched = deeper
        solution = replace(
            _solution(context, question, stage_game, profile),
            depth=depth,
            unsearched=unsearched,
            choices_exact=False,
        )
    return solution, stage_game, profile


def _solution(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    profile: StrategyProfile,
) -> Solution:
    outcomes, parts = _outcomes_and_parts(stage_game, profile.strategies)
    players = range(len(stage_game.players))
    groups = [shown_groups(context.game, stage_game.moves(player)) for player in players]
    return Solution(
        strategies=[
            _over_all_moves(context, question, stage_game, player, own)
            for player, own in enumerate(profile.strategies)
        ],
        outcomes=outcomes,
        parts=parts,
        replies=[
            reply_values(stage_game.payoffs[player], groups, profile.strategies, player)
            for player in players
        ],
        epsilon=profile.epsilon,
        quantal_residual=profile.quantal_residual,
        method=question.model,
        depth=1,
        choices_exact=profile.subgames_solved,
        complete=not context.meter.stopped,
        nodes=context.meter.nodes,
        unsearched=0.0,
    )


def _outcomes_and_parts(
    stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
) -> tuple[Sequence[Floats], Sequence[Floats]]:
    """Return the outcomes and the parts of all players' moves; equal players share one result."""
    together = np.concatenate(strategies)
    outcomes: list[Floats] = []
    parts: list[Floats] = []
    for player, first in enumerate(stage_game.symmetry_classes):
        if first < player and np.array_equal(strategies[first], strategies[player]):
            columns = stage_game.columns(player)
            outcomes.append(columns.exchanged(outcomes[first], first, player))
            parts.append(parts[first])
        else:
            outcomes.append(stage_game.outcomes(player, together))
            parts.append(stage_game.parts(player, together))
    return outcomes, parts


def _over_all_moves(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    player: int,
    strategy: Floats,
) -> Floats:
    """Return float64[moves], the strategy over all legal moves; the game may contain fewer."""
    actors = [
        actor for actor, owner in context.owners.items() if owner == stage_game.players[player]
    ]
    legal = joint_moves(question, actors)
    moves = stage_game.moves(player)
    if list(moves) == legal:
        return strategy
    if len(moves) > 1:
        raise ValueError(f"the engine orders the actors {actors} otherwise")
    complete = np.zeros(len(legal))
    for move, probability in zip(moves, strategy, strict=True):
        complete[legal.index(move)] = probability
    return complete
