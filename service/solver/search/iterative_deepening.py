"""One solve for the whole table: everybody plays by a model."""

from __future__ import annotations

from collections.abc import Mapping
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
from service.solver.search.strategy_profile import SolveContext, StrategyProfile, solve_round
from service.solver.solution import Solution


def solve_for_all_players(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: WorkMeter,
) -> Solution:
    """Solves the decision for all players.

    Raises:
        OutOfTime: before anything was found.
    """
    return search_for_all_players(game, question, owners, meter)[0]


def search_for_all_players(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: WorkMeter,
) -> tuple[Solution, SimultaneousGame[Choice, Position], StrategyProfile]:
    """The same, with the game that was solved and how it is played.

    Raises:
        OutOfTime: before anything was found.
    """
    context = SolveContext(game, owners, meter)
    first = stage_game, play = solve_round(context, question, question.player)
    found = _told(context, question, stage_game, play)
    for depth in range(2, 2 if stage_game.single_round else question.depth + 1):
        if meter.stop():
            return replace(found, complete=False), stage_game, play
        try:
            if depth > 2:
                first = solve_round(context, question, question.player)
            deeper = look_ahead(context, question, depth, first)
        except OutOfTime:
            return replace(found, complete=False), stage_game, play
        if deeper is None:
            # Perhaps only because the time was up.
            return replace(found, complete=not meter.stopped), stage_game, play
        stage_game, play, unsearched = deeper
        found = replace(
            _told(context, question, stage_game, play),
            depth=depth,
            unsearched=unsearched,
            choices_exact=False,
        )
    return found, stage_game, play


def _told(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    play: StrategyProfile,
) -> Solution:
    together = np.concatenate(play.strategies)
    return Solution(
        strategies=[
            _spread(context, question, stage_game, player, own)
            for player, own in enumerate(play.strategies)
        ],
        outcomes=[
            stage_game.outcomes(player, together) for player in range(len(stage_game.players))
        ],
        epsilon=play.epsilon,
        quantal_residual=play.quantal_residual,
        method=question.model,
        depth=1,
        choices_exact=play.subgames_solved,
        complete=not context.meter.stopped,
        nodes=context.meter.nodes,
        unsearched=0.0,
    )


def _spread(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    player: int,
    strategy: Floats,
) -> Floats:
    """float64[moves]: a strategy over all that the question offers, which a game may have cut."""
    actors = [
        actor for actor, owner in context.owners.items() if owner == stage_game.players[player]
    ]
    offered = joint_moves(question, actors)
    kept = stage_game.moves(player)
    if len(offered) == len(kept):
        return strategy
    payoff_range = np.zeros(len(offered))
    for move, probability in zip(kept, strategy, strict=True):
        payoff_range[offered.index(move)] = probability
    return payoff_range
