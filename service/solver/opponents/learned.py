"""The hint against opponents whose styles were learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import LearnedSearch, Position
from service.core.rounding import apportion, rounded
from service.core.simultaneous import CanonicalQuestion, RoundGame, SimultaneousGame
from service.core.violations import OutOfTime
from service.core.vocabulary import EQUILIBRIUM, LEARNED
from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.subgames import solve_open_subgames
from service.solver.hints.conditional_values import ConditionalSolution, combine_moves
from service.solver.opponents.later_rounds import DEPTH, look_ahead
from service.solver.opponents.learned_play import LearnedPlay
from service.solver.opponents.safety import safe_mixture
from service.solver.opponents.styles.equilibrium import over_stage_moves
from service.solver.search.checked_games import stage_game_of
from service.solver.search.replies import reply_values, shown_groups
from service.solver.search.strategy_profile import SolveContext
from service.solver.solution import Solution


def respond(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    asker: int,
    solution: Solution,
    play: LearnedPlay,
    meter: WorkMeter,
) -> Solution:
    """Return a solution in which the asker exploits the predicted play of the others safely.

    Its strategy is a mixture of the equilibrium strategy and the response to the predictions, see
    :mod:`service.solver.opponents.safety`.

    Args:
        game: the game.
        canonical: the question.
        asker: number of the player in canonical order.
        solution: of the same question under the model ``equilibrium``.
        play: of the others.
        meter: counts the work and checks the deadline.

    Raises:
        OutOfTime: if the deadline passed before there was any result.
    """
    expected = _expect(game, canonical, solution, play, meter)
    answer = _answer(expected, asker, solution, play, meter)
    question = replace(canonical.question, model=EQUILIBRIUM)
    if question.depth == 1 or expected.stage_game.single_round:
        return answer
    assert answer.strategies is not None
    context = SolveContext(game, canonical.owners, meter)
    own = over_stage_moves(answer.strategies, expected.stage_game.counts)
    try:
        unsearched = look_ahead(context, question, expected.stage_game, asker, own, play)
    except OutOfTime:
        return replace(answer, complete=False)
    if unsearched is None:
        return replace(answer, complete=not meter.stopped)
    deeper = _answer(expected, asker, solution, play, meter)
    return replace(deeper, depth=DEPTH, unsearched=unsearched, choices_exact=False)


def conditional_values(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    asker: int,
    solution: Solution,
    play: LearnedPlay,
    answer: Solution,
    meter: WorkMeter,
) -> ConditionalSolution:
    """Return the values of the asker's moves against each move of the others.

    Args:
        game, canonical, asker, solution, play, meter: see :func:`respond`; at depth 1.
        answer: of :func:`respond`.

    Raises:
        OutOfTime: if the deadline passed.
    """
    stage_game = _expect(game, canonical, solution, play, meter).stage_game
    assert answer.strategies is not None
    strategies = over_stage_moves(answer.strategies, stage_game.counts)
    return combine_moves(stage_game, strategies, asker, EQUILIBRIUM_BUDGET, meter)


@dataclass(frozen=True, slots=True)
class _ExpectedRound(Generic[Choice, Position]):
    """One round in which the others play as predicted.

    Attributes:
        game: the game.
        stage_game: the round, with the subgames solved that the strategies reach.
        predicted: by player, float64[legal moves]; the asker's part is its equilibrium strategy.
        strategies: the same over the moves of the stage game.
    """

    game: RoundGame[Position, Choice]
    stage_game: SimultaneousGame[Choice, Position]
    predicted: Sequence[Floats]
    strategies: Sequence[Floats]


def _expect(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    solution: Solution,
    play: LearnedPlay,
    meter: WorkMeter,
) -> _ExpectedRound[Choice, Position]:
    question = replace(canonical.question, model=EQUILIBRIUM, depth=1)
    stage_game = stage_game_of(game, question, canonical.owners)
    meter.check()
    meter.nodes += stage_game.rounds
    assert solution.strategies is not None
    allowed = stage_game.allowed_mixtures(question.weights)
    predicted = [
        own if given is None or mixtures is not None else given
        for own, given, mixtures in zip(solution.strategies, play.predicted, allowed, strict=True)
    ]
    strategies = over_stage_moves(predicted, stage_game.counts)
    solve_open_subgames(stage_game, strategies, EQUILIBRIUM_BUDGET, meter)
    return _ExpectedRound(game, stage_game, predicted, strategies)


def _answer(
    expected: _ExpectedRound[Choice, Position],
    asker: int,
    solution: Solution,
    play: LearnedPlay,
    meter: WorkMeter,
) -> Solution:
    """Return the safe mixture for the present payoffs of the round."""
    stage_game = expected.stage_game
    assert solution.strategies is not None
    solved = over_stage_moves(solution.strategies, stage_game.counts)
    mixture = safe_mixture(
        stage_game.payoffs, stage_game.counts, asker, solved, expected.strategies, play.trust
    )
    predicted = list(expected.predicted)
    predicted[asker] = mixture.strategy
    strategies = [np.array(apportion(own.tolist())) for own in predicted]
    own = over_stage_moves(strategies, stage_game.counts)
    together = np.concatenate(own)
    groups = [shown_groups(expected.game, stage_game.moves(each)) for each in range(len(own))]
    replies = reply_values(stage_game.payoffs[asker], groups, own, asker)
    return Solution(
        strategies=strategies,
        outcomes=_only(asker, stage_game.outcomes(asker, together), len(strategies)),
        parts=_only(asker, stage_game.parts(asker, together), len(strategies)),
        replies=_only(asker, replies, len(strategies)),
        epsilon=None,
        quantal_residual=None,
        method=LEARNED,
        depth=1,
        choices_exact=solution.choices_exact,
        complete=not meter.stopped,
        nodes=meter.nodes,
        unsearched=0.0,
        learned=LearnedSearch(rounded(play.trust), rounded(mixture.risk), play.library.version),
    )


def _only(asker: int, own: Floats, players: int) -> Sequence[Floats]:
    """Return the rows of one player, and none of the others."""
    return [own if player == asker else own[:0] for player in range(players)]
