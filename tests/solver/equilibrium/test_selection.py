"""Equilibrium selection: strategies with a small epsilon that do well against priors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.newton import polish
from service.solver.equilibrium.regret_matching import match
from service.solver.equilibrium.selection import (
    FINE,
    PRICE,
    SLACK,
    behavioral_priors,
    select_equilibrium,
)
from service.solver.equilibrium.sequential_lp import SelectionObjective
from service.solver.normal_form import (
    RARE_COST,
    NormalForm,
    RestrictedGame,
    drop_rare_actions,
    logit_responses,
    split,
)
from tests import randomized
from tests.solver.matrix_games import ArrayGame, normal_form, solve

SEED = 11
PRECISION = 2.0
"""The precision of players who think one step ahead."""
RANDOM = pytest.mark.parametrize("number", randomized.case_numbers(6, 20))

AVOID = np.zeros((3, 2, 2, 2))
"""A player alone on a side gains 1, the others nothing; six equilibria in pure strategies."""
for profile in np.ndindex(2, 2, 2):
    for player in range(3):
        AVOID[(player, *profile)] = float(profile.count(profile[player]) == 1)


class GameWithHeuristic(ArrayGame):
    """A game with one heuristic."""

    kept_kinds, typical_values = ("which",), ((0.0,),)

    def __init__(self, payoffs: np.ndarray, heuristic: np.ndarray, **options: Any):
        super().__init__(payoffs, **options)
        self._heuristic = heuristic

    def heuristic_payoffs(self, values: list[tuple[float, ...]]) -> np.ndarray:
        assert values == [(0.0,)]
        return self._heuristic.reshape(1, len(self.players), -1)


def random_table(number: int) -> np.ndarray:
    print(f"{SEED=}", number)
    return np.random.default_rng([SEED, number]).normal(size=(3, 4, 3, 5))


def random_case(number: int, heuristic: int) -> tuple[NormalForm, list[np.ndarray]]:
    """Return a game, and its priors by a random heuristic."""
    table = random_table(number)
    stage_game = GameWithHeuristic(table, random_table(heuristic))
    priors = behavioral_priors(stage_game, [None] * 3, EQUILIBRIUM_BUDGET, WorkMeter(None))
    return normal_form(table), priors


def select(
    game: NormalForm, first: np.ndarray, priors: list[np.ndarray], slack: float
) -> tuple[np.ndarray, float]:
    """Return the selected strategies and their epsilon."""
    strategies, epsilon = select_equilibrium(
        game, first, priors, PRECISION, slack, EQUILIBRIUM_BUDGET, WorkMeter(None)
    )
    print(strategies, epsilon)
    assert epsilon == game.epsilon(strategies)
    return strategies, epsilon


def one_side(*sides: int) -> np.ndarray:
    """Return a heuristic by which each player prefers one side, whatever the others do."""
    heuristic = np.zeros((3, 2, 2, 2))
    for player, side in enumerate(sides):
        np.moveaxis(heuristic[player], player, 0)[side] = 1.0
    return heuristic


@pytest.mark.parametrize("alone", range(3))
@pytest.mark.parametrize("side", range(2))
def test_the_equilibrium_of_the_heuristic_is_selected(alone: int, side: int):
    sides = [side if player == alone else 1 - side for player in range(3)]
    stage_game = GameWithHeuristic(AVOID, one_side(*sides))
    solved = solve(stage_game, slack=SLACK["win"])
    assert solved.epsilon <= SLACK["win"]
    for player, (own, heuristic) in enumerate(zip(solved.strategies, sides, strict=True)):
        # The single player must stay there; the others get nothing in any case.
        assert own[heuristic] > (0.95 if player == alone else 0.5)


def test_symmetric_players_play_alike_whatever_the_heuristic():
    stage_game = GameWithHeuristic(AVOID, one_side(1, 1, 1), symmetry_classes=(0, 0, 0))
    solved = solve(stage_game, slack=SLACK["win"])
    first, *others = (own.tobytes() for own in solved.strategies)
    assert others == [first, first]


def objective_for(game: NormalForm, priors: list[np.ndarray], slack: float) -> SelectionObjective:
    """Return the objective: the mean values against the priors and one-step players."""
    people = [logit_responses(game, game.action_values(game.uniform), PRECISION), *priors]
    against = np.mean([game.action_values(own) for own in people], axis=0)
    return SelectionObjective(against, PRICE, slack, FINE)


@RANDOM
def test_selected_strategies_score_well_within_the_slack(number: int):
    game, priors = random_case(number, number + 1_000)
    least, epsilon = match(game, 64, 0.0, WorkMeter(None))
    slack = max(epsilon, 0.05)
    strategies, epsilon = select(game, least, priors, slack)
    assert epsilon <= slack
    objective = objective_for(game, priors, slack)
    scores = [objective.score(game, own, game.action_values(own)) for own in (strategies, least)]
    # Dropping rare actions may cost a little.
    assert scores[0] >= scores[1] - (PRICE * 3 + 1.0) * RARE_COST * game.payoff_range


def test_rare_actions_are_dropped_only_within_the_slack():
    game, priors = random_case(245, 1_245)
    first, slack = match(game, 64, 0.0, WorkMeter(None))
    assert select(game, first, priors, slack)[1] <= slack, "dropping them would exceed it"


@pytest.mark.parametrize(("gain", "kept"), [(8e-4, True), (1e-4, False)])
def test_rare_actions_stay_if_dropping_them_costs_too_much(gain: float, kept: bool):
    """A rare action, bad for its player, keeps the other one from a gain."""
    game = normal_form(np.array([[[0.0, 0.0], [-0.5, -0.5]], [[0.0, gain], [0.0, -1.0]]]))
    strategies = np.array([1.0 - 9e-4, 9e-4, 1.0, 0.0])
    assert (drop_rare_actions(game, strategies)[1] > 0.0) == kept


# The slack ------------------------------------------------------------------------------------

COST = 0.05
DARE = np.zeros((3, 2, 2, 2))
"""The third player holds (move 0) and gets 1, or lets go and gets 0.  Each of the others waits
(move 0) and gets 0, or dares: it gets 1 if the third lets go, otherwise it pays a small cost.  In
the only equilibrium the third holds and the others wait.
"""
for one, other, third in np.ndindex(2, 2, 2):
    brings = 1.0 if third else -COST
    DARE[:, one, other, third] = one * brings, other * brings, 1.0 - third
LETTING_GO = np.array([0.5, 0.5, 0.5, 0.5, 0.0, 1.0])
"""The prior, against which daring has the value 1."""
WAITING, DARING = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0])
"""While the third holds, epsilon is the cost times the probability to dare: 0 and ``COST``."""

LEVELS = pytest.mark.parametrize("level", [0.0, -5.0])
"""Added to all payoffs; this changes only the sign of the prior values."""
FIRST = pytest.mark.parametrize("first", [WAITING, DARING], ids=["waiting", "daring"])


@LEVELS
@FIRST
@pytest.mark.parametrize("slack", [0.0, 0.3 * COST, 0.6 * COST])
def test_a_better_score_is_not_selected_if_epsilon_exceeds_the_slack(
    slack: float, first: np.ndarray, level: float
):
    game = normal_form(DARE + level)
    strategies, epsilon = select(game, first, [LETTING_GO], slack)
    # Waiting is always within the slack.
    assert epsilon <= slack + 1e-12
    objective = objective_for(game, [LETTING_GO], slack)
    scores = [objective.score(game, own, game.action_values(own)) for own in (strategies, first)]
    assert scores[0] >= scores[1]


@LEVELS
@FIRST
def test_with_a_larger_slack_the_better_score_is_selected(first: np.ndarray, level: float):
    game = normal_form(DARE + level)
    strategies, epsilon = select(game, first, [LETTING_GO], 2.0 * COST)
    assert epsilon > 0.8 * COST
    np.testing.assert_allclose(strategies[:4], DARING[:4], atol=0.05)


@LEVELS
@FIRST
def test_without_slack_epsilon_is_zero(first: np.ndarray, level: float):
    game = normal_form(DARE + level)
    strategies, epsilon = select(game, first, [LETTING_GO], 0.0)
    assert epsilon <= 1e-12
    np.testing.assert_allclose(strategies, WAITING, atol=1e-12)


@pytest.mark.parametrize("part", [0.3, 0.6])
def test_players_dare_as_often_as_the_slack_permits(part: float):
    solved = solve(GameWithHeuristic(DARE, one_side(0, 0, 1)), slack=part * COST)
    assert solved.epsilon <= part * COST + 1e-12
    for own in solved.strategies[:2]:
        assert own[1] > part / 2.0
    assert solved.strategies[2][0] >= 1.0 - part * COST - 1e-12


@RANDOM
def test_beyond_the_slack_only_epsilon_counts(number: int):
    """An equilibrium at the start is not given up for a better score."""
    game, priors = random_case(number, number + 1_000)
    rough, _ = match(game, 256, 0.0, WorkMeter(None))
    first = polish(game, rough, EQUILIBRIUM_BUDGET, WorkMeter(None))
    _, epsilon = select(game, first, priors, 0.0)
    assert epsilon <= game.epsilon(first) + RARE_COST * game.payoff_range


# Priors and restricted games ------------------------------------------------------------------


@RANDOM
def test_a_prior_prefers_moves_with_better_heuristic_payoffs(number: int):
    game, [priors] = random_case(number, number)
    values = game.action_values(priors)
    for own, value in zip(split(priors, game.shape), split(values, game.shape), strict=True):
        assert own.sum() == pytest.approx(1.0)
        assert own.min() > 0.0
        assert own @ value > value.mean()


@RANDOM
def test_a_restricted_game_has_the_payoffs_of_the_remaining_moves(number: int):
    table = random_table(number)
    game = normal_form(table)
    random = np.random.default_rng([SEED, number])
    mixtures = [random.dirichlet(np.full(count, 0.3)) for count in game.shape]
    played = np.concatenate(mixtures)
    part = RestrictedGame.of(game, [played], [game.action_values(played)], max_profiles=8)
    kept = [
        part.indices[(part.indices >= at) & (part.indices < at + count)] - at
        for at, count in zip(np.cumsum(game.shape) - game.shape, game.shape, strict=True)
    ]
    expected = table[np.ix_(range(3), *kept)]
    np.testing.assert_array_equal(part.game.payoffs, expected.reshape(3, -1))
    assert tuple(part.game.shape) == expected.shape[1:]
    small = part.restrict(played)
    assert part.extend(small)[part.indices] == pytest.approx(small)
    np.testing.assert_allclose(
        part.game.action_values(small), game.action_values(part.extend(small))[part.indices]
    )
