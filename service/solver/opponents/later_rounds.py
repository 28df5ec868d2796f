"""Lookahead over the next round, in which the others keep their styles.

The positions that the round can lead to are searched in the order of their probability, like those
of other models (:mod:`service.solver.search.lookahead`). In each of them the others play as the
mixture of their styles predicts, and the asking player plays the safe mixture against that.
Habits, such as repeating the last card, are left out: they depend on cards not yet played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import ContinuationValue, SimultaneousGame
from service.core.vocabulary import WIN
from service.solver.budget import EQUILIBRIUM_BUDGET, LOOKAHEAD_BUDGETS
from service.solver.equilibrium.subgames import solve_open_subgames
from service.solver.opponents.learned_play import LearnedPlay
from service.solver.opponents.predictions import style_rows
from service.solver.opponents.safety import safe_mixture
from service.solver.search.lookahead import (
    MAX_UNSEARCHED,
    Lookahead,
    continuation_value,
)
from service.solver.search.strategy_profile import SolveContext, solve_round

DEPTH: Final = 2
"""Rounds looked ahead, the present one included."""
MIN_WEIGHT: Final = 0.02
"""Styles that are less likely for every player are left out of later rounds."""
STYLES_COST: Final = 2
"""Cost of solving a later round with predictions, relative to that without them."""


def look_ahead(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    asker: int,
    strategies: Sequence[Floats],
    play: LearnedPlay,
) -> float | None:
    """Fold the values of the next round into the payoffs of a round.

    Args:
        context: of the search.
        question: the round in question, under the model ``equilibrium``.
        stage_game: the same; its payoffs change.
        asker: number of the player who asks.
        strategies: by player, float64[moves], which say what is likely.
        play: of the others.

    Returns:
        The largest unsearched share after a move; None if too much would remain unsearched.

    Raises:
        OutOfTime: if the deadline passed.
    """
    styles = _likely_styles(play)

    def evaluate(later: Question[Position, Choice]) -> ContinuationValue:
        return _value(context, later, str(asker), play, styles)

    later_question = replace(question, chosen=None, nonce=None)
    budget = LOOKAHEAD_BUDGETS[question.effort] // STYLES_COST
    lookahead = Lookahead(context, later_question, evaluate, budget)
    unsearched = lookahead.search(stage_game, strategies)
    if unsearched > MAX_UNSEARCHED:
        return None
    if question.objective != WIN:
        stage_game.set_default_gains(lookahead.mean_gains(stage_game, strategies))
    return unsearched


def _likely_styles(play: LearnedPlay) -> list[int]:
    """Return the indices of the styles that are likely for any player."""
    most = np.max([own for own in play.styles if own is not None], axis=0)
    return np.flatnonzero(most >= MIN_WEIGHT).tolist()


def _value(
    context: SolveContext[Position, Choice],
    question: Question[Position, Choice],
    asker: str,
    play: LearnedPlay,
    likely: Sequence[int],
) -> ContinuationValue:
    """Return the expected values of a later round; ``likely`` lists styles by index."""
    stage_game, profile = solve_round(context, question, None)
    styled, hints = stage_game, profile
    if question.objective != WIN:
        styled, hints = solve_round(context, replace(question, objective=WIN), None)
    styles = [play.library.styles[index] for index in likely]
    rows = style_rows(styled, styles, hints.strategies, context.meter)
    expected = []
    for number, player in enumerate(stage_game.players):
        weights = play.styles[int(player)]
        if weights is None:
            expected.append(profile.strategies[number])
        else:
            mixed = (weights[likely, None] * rows[number]).sum(axis=0)
            expected.append(mixed / mixed.sum())
    solve_open_subgames(stage_game, expected, EQUILIBRIUM_BUDGET, context.meter)
    own = stage_game.players.index(asker)
    expected[own] = safe_mixture(
        stage_game.payoffs, stage_game.counts, own, profile.strategies, expected, play.trust
    ).strategy
    return continuation_value(stage_game, expected, 0.0)
