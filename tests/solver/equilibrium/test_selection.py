"""Of many equilibria the one that does well against how people are predicted to play."""

from __future__ import annotations

import numpy as np
import pytest

from service.solver.budget import EQUILIBRIUM_BUDGETS, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import solve_equilibrium
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
from service.solver.normal_form import RARE_COST, NormalForm, RestrictedGame, logit_responses, split
from tests import randomized
from tests.solver.matrix_games import ArrayJoint, normal_form

SEED = 11
EFFORT = EQUILIBRIUM_BUDGETS["standard"]
ERRING = 2.0
"""The precision of those who look one step ahead."""
RANDOM = pytest.mark.parametrize("number", randomized.case_numbers(6, 20))

AVOID = np.zeros((3, 2, 2, 2))
"""Who is alone on a side gains 1, and the others nothing; six equilibria in pure strategies."""
for profile in np.ndindex(2, 2, 2):
    for player in range(3):
        AVOID[(player, *profile)] = float(profile.count(profile[player]) == 1)


class Judged(ArrayJoint):
    """A game that people judge in some ways of their own."""

    def __init__(
        self,
        payoffs: np.ndarray,
        *heuristic_count: np.ndarray,
        symmetry_classes: tuple[int, ...] = (),
    ):
        super().__init__(payoffs, symmetry_classes)
        self._judged = heuristic_count
        self.heuristic_count = len(heuristic_count)

    def heuristic_payoffs(self, which: int) -> np.ndarray:
        return self._judged[which].reshape(len(self.players), -1)


def random_game(number: int, shape: tuple[int, ...] = (4, 3, 5)) -> np.ndarray:
    print(f"{SEED=}", number)
    return np.random.default_rng([SEED, number]).normal(size=(len(shape), *shape))


def one_side(*sides: int) -> np.ndarray:
    """What people pursue who like one side each, whatever the others do."""
    liked = np.zeros((3, 2, 2, 2))
    for player, side in enumerate(sides):
        np.moveaxis(liked[player], player, 0)[side] = 1.0
    return liked


@pytest.mark.parametrize("alone", range(3))
@pytest.mark.parametrize("side", range(2))
def test_the_equilibrium_that_people_see_is_taken(alone: int, side: int):
    sides = [side if player == alone else 1 - side for player in range(3)]
    joint = Judged(AVOID, one_side(*sides))
    solved = solve_equilibrium(joint, [None] * 3, EFFORT, WorkMeter(None), slack=SLACK["win"])
    assert solved.epsilon <= SLACK["win"]
    for player, (own, liked) in enumerate(zip(solved.strategies, sides, strict=True)):
        # Who is alone has to stay there; what the others do is worth nothing either way.
        assert own[liked] > (0.95 if player == alone else 0.5)


def test_players_alike_play_alike_whatever_people_see():
    joint = Judged(AVOID, one_side(1, 1, 1), symmetry_classes=(0, 0, 0))
    solved = solve_equilibrium(joint, [None] * 3, EFFORT, WorkMeter(None), slack=SLACK["win"])
    first, *others = (own.tobytes() for own in solved.strategies)
    assert others == [first, first]


def taste_in(game: NormalForm, predicted: list[np.ndarray], slack: float) -> SelectionObjective:
    """By what is judged: what moves are worth on average against the predictions, and against
    those who respond, with errors, to any play.
    """
    people = [logit_responses(game, game.action_values(game.uniform), ERRING), *predicted]
    against = np.mean([game.action_values(own) for own in people], axis=0)
    return SelectionObjective(against, PRICE, slack, FINE)


@RANDOM
def test_what_is_taken_is_worth_as_much_as_the_least_gap_and_within_the_slack(number: int):
    table = random_game(number)
    joint, game = Judged(table, random_game(number + 1_000)), normal_form(table)
    predicted = behavioral_priors(joint, [None] * 3, EFFORT, WorkMeter(None))
    least, epsilon = match(game, 64, 0.0, WorkMeter(None))
    slack = max(epsilon, 0.05)
    found, its_epsilon = select_equilibrium(
        game, least, predicted, ERRING, slack, EFFORT, WorkMeter(None)
    )
    assert its_epsilon == game.epsilon(found) <= slack
    objective = taste_in(game, predicted, slack)
    merits = [objective.score(game, own, game.action_values(own)) for own in (found, least)]
    # Dropping what is hardly ever played may cost a little.
    assert merits[0] >= merits[1] - (PRICE * 3 + 1.0) * RARE_COST * game.payoff_range


def test_rare_moves_are_dropped_only_as_far_as_the_slack_permits():
    table = random_game(143)
    joint, game = Judged(table, random_game(10_143)), normal_form(table)
    quick = EQUILIBRIUM_BUDGETS["quick"]
    predicted = behavioral_priors(joint, [None] * 3, quick, WorkMeter(None))
    first, slack = match(game, 64, 0.0, WorkMeter(None))
    found, epsilon = select_equilibrium(
        game, first, predicted, ERRING, slack, quick, WorkMeter(None)
    )
    assert epsilon == game.epsilon(found) <= slack


# The slack ------------------------------------------------------------------------------------

COST = 0.05
DARE = np.zeros((3, 2, 2, 2))
"""The third holds (move 0), which is worth 1 to it, or lets go, which is worth nothing.  Each of
the others waits (move 0), which is worth nothing, or dares: that brings 1 if the third lets go, and
else costs a little.  So the third holds and the others wait; there is no other equilibrium.
"""
for one, other, third in np.ndindex(2, 2, 2):
    brings = 1.0 if third else -COST
    DARE[:, one, other, third] = one * brings, other * brings, 1.0 - third
LETTING_GO = np.array([0.5, 0.5, 0.5, 0.5, 0.0, 1.0])
"""The prediction, against which it is worth 1 to dare."""
WAITING, DARING = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0])
"""While the third holds, the gap is the cost times how often the others dare: 0 and ``COST``."""

LEVELS = pytest.mark.parametrize("level", [0.0, -5.0])
"""Added to all payoffs, which changes nothing but the sign of what is liked."""
FIRST = pytest.mark.parametrize("first", [WAITING, DARING], ids=["waiting", "daring"])


@LEVELS
@FIRST
@pytest.mark.parametrize("slack", [0.0, 0.3 * COST, 0.6 * COST])
def test_what_is_liked_more_is_not_taken_if_its_gap_is_beyond_the_slack(
    slack: float, first: np.ndarray, level: float
):
    game = normal_form(DARE + level)
    found, epsilon = select_equilibrium(
        game, first, [LETTING_GO], ERRING, slack, EFFORT, WorkMeter(None)
    )
    print(found, epsilon)
    # There is always something within the slack: to wait.
    assert epsilon == game.epsilon(found) <= slack + 1e-12
    objective = taste_in(game, [LETTING_GO], slack)
    assert objective.score(game, found, game.action_values(found)) >= objective.score(
        game, first, game.action_values(first)
    )


@LEVELS
@FIRST
def test_with_a_larger_slack_what_is_liked_more_is_taken(first: np.ndarray, level: float):
    game = normal_form(DARE + level)
    found, epsilon = select_equilibrium(
        game, first, [LETTING_GO], ERRING, 2.0 * COST, EFFORT, WorkMeter(None)
    )
    print(found, epsilon)
    assert epsilon == game.epsilon(found) > 0.8 * COST
    np.testing.assert_allclose(found[:4], DARING[:4], atol=0.05)


@LEVELS
@FIRST
def test_without_slack_there_is_no_gap(first: np.ndarray, level: float):
    game = normal_form(DARE + level)
    found, epsilon = select_equilibrium(
        game, first, [LETTING_GO], ERRING, 0.0, EFFORT, WorkMeter(None)
    )
    assert epsilon <= 1e-12
    np.testing.assert_allclose(found, WAITING, atol=1e-12)


@pytest.mark.parametrize("part", [0.3, 0.6])
def test_as_much_is_dared_as_the_slack_permits(part: float):
    joint = Judged(DARE, one_side(0, 0, 1))
    solved = solve_equilibrium(joint, [None] * 3, EFFORT, WorkMeter(None), slack=part * COST)
    print([own.tolist() for own in solved.strategies])
    assert solved.epsilon <= part * COST + 1e-12
    for own in solved.strategies[:2]:
        assert own[1] > part / 2.0
    assert solved.strategies[2][0] >= 1.0 - part * COST - 1e-12


@RANDOM
def test_beyond_the_slack_only_the_gap_counts(number: int):
    """An equilibrium that the search does not find by itself is not given up for what is liked."""
    table = random_game(number)
    joint, game = Judged(table, random_game(number + 1_000)), normal_form(table)
    predicted = behavioral_priors(joint, [None] * 3, EFFORT, WorkMeter(None))
    rough, _ = match(game, 256, 0.0, WorkMeter(None))
    first = polish(game, rough, EFFORT, WorkMeter(None))
    _, epsilon = select_equilibrium(
        game, first, predicted, ERRING, 0.0, EQUILIBRIUM_BUDGETS["quick"], WorkMeter(None)
    )
    print(game.epsilon(first), epsilon)
    assert epsilon <= game.epsilon(first) + RARE_COST * game.payoff_range


# Predictions, parts of games, liking ----------------------------------------------------------


@RANDOM
def test_predictions_are_what_is_liked_most_most_often(number: int):
    liked = random_game(number)
    [predicted] = behavioral_priors(Judged(liked, liked), [None] * 3, EFFORT, WorkMeter(None))
    game = normal_form(liked)
    values = game.action_values(predicted)
    for own, value in zip(split(predicted, game.shape), split(values, game.shape), strict=True):
        assert own.sum() == pytest.approx(1.0)
        assert own.min() > 0.0
        assert own @ value > value.mean()


@RANDOM
def test_a_part_of_a_game_is_the_game_of_the_moves_left(number: int):
    table = random_game(number)
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
