"""One solve for the whole table: everybody plays by a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import RoundGame, SimultaneousGame
from service.core.violations import OutOfTime
from service.solver.budget import WorkMeter
from service.solver.normal_form import Floats
from service.solver.opponents.fixed_models import joint_moves
from service.solver.search.lookahead import look_ahead
from service.solver.search.strategy_profile import SolveContext, StrategyProfile, play_round
from service.solver.solution import Solution


def by_everybody(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: WorkMeter,
) -> Solution:
    """Solves the decision for all players.

    Raises:
        OutOfTime: before anything was found.
    """
    return search_everybody(game, question, owners, meter)[0]


def search_everybody(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: WorkMeter,
) -> tuple[Solution, SimultaneousGame[Choice, Position], StrategyProfile]:
    """The same, with the game that was solved and how it is played.

    Raises:
        OutOfTime: before anything was found.
    """
    setting = SolveContext(game, owners, meter)
    first = joint, play = play_round(setting, question, question.player)
    found = _told(setting, question, joint, play)
    for depth in range(2, 2 if joint.presettled else question.depth + 1):
        if meter.stop():
            return replace(found, complete=False), joint, play
        try:
            if depth > 2:
                first = play_round(setting, question, question.player)
            deeper = look_ahead(setting, question, depth, first)
        except OutOfTime:
            return replace(found, complete=False), joint, play
        if deeper is None:
            # Perhaps only because the time was up.
            return replace(found, complete=not meter.stopped), joint, play
        joint, play, unsearched = deeper
        found = replace(
            _told(setting, question, joint, play),
            depth=depth,
            unsearched=unsearched,
            choices_exact=False,
        )
    return found, joint, play


def _told(
    setting: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    joint: SimultaneousGame[Choice, Position],
    play: StrategyProfile,
) -> Solution:
    together = np.concatenate(play.strategies)
    return Solution(
        strategies=[
            _spread(setting, question, joint, player, own)
            for player, own in enumerate(play.strategies)
        ],
        outcomes=[joint.outcomes(player, together) for player in range(len(joint.players))],
        epsilon=play.epsilon,
        quantal_residual=play.quantal_residual,
        method=question.model,
        depth=1,
        choices_exact=play.subgames_solved,
        complete=not setting.meter.stopped,
        nodes=setting.meter.nodes,
        unsearched=0.0,
    )


def _spread(
    setting: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    joint: SimultaneousGame[Choice, Position],
    player: int,
    strategy: Floats,
) -> Floats:
    """float64[moves]: a strategy over all that the question offers, which a game may have cut."""
    actors = [actor for actor, owner in setting.owners.items() if owner == joint.players[player]]
    offered = joint_moves(question, actors)
    kept = joint.moves(player)
    if len(offered) == len(kept):
        return strategy
    spread = np.zeros(len(offered))
    for move, probability in zip(kept, strategy, strict=True):
        spread[offered.index(move)] = probability
    return spread
