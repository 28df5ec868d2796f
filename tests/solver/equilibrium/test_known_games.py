"""Games whose equilibria are published or have a closed form, through the solver's own code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from service.solver.budget import EQUILIBRIUM_BUDGETS, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import CertifiedProfile, solve_equilibrium
from service.solver.equilibrium.quantal_response import solve_quantal
from service.solver.kernels import regret_matching
from service.solver.normal_form import NormalForm, split
from tests.solver.matrix_games import ArrayJoint, Floats, epsilons, normal_form, table_of, two

EFFORTS = ("quick", "standard", "deep")
each_effort = pytest.mark.parametrize("effort", EFFORTS)
GAPS = {"quick": 1e-2, "standard": 5e-3, "deep": 2e-3}
"""Relative to the spread of payoffs; with three players, or where play goes round, no better than
``ROUND``: averages need not converge there, and the gap is measured, never promised."""
ROUND = 0.06


def solved(joint: ArrayJoint, effort: str = "deep") -> CertifiedProfile:
    found = solve_equilibrium(
        joint, (None,) * len(joint.players), EQUILIBRIUM_BUDGETS[effort], WorkMeter(None)
    )
    print([own.tolist() for own in found.strategies], found.epsilon)
    assert found.epsilon == pytest.approx(
        max(epsilons(table_of(joint), found.strategies)), abs=1e-12
    )
    return found


def value(joint: ArrayJoint, found: CertifiedProfile, player: int = 0) -> float:
    expected = table_of(joint)[player]
    for own in found.strategies:
        expected = np.tensordot(expected, own, axes=(0, 0))
    return float(expected)


# Two players ----------------------------------------------------------------------------------


@each_effort
def test_matching_pennies_is_worth_nothing_and_played_evenly(effort: str):
    joint = two([[1, -1], [-1, 1]])
    found = solved(joint, effort)
    assert found.epsilon == 0.0
    assert [own.tolist() for own in found.strategies] == [[0.5, 0.5], [0.5, 0.5]]
    assert value(joint, found) == 0.0


@each_effort
@pytest.mark.parametrize("rows", [[[3, -1], [-2, 1]], [[1, -9], [-1, 1]], [[5, 0], [0, 0.25]]])
def test_uneven_pennies_are_played_as_the_others_payoffs_ask_for(rows: Any, effort: str):
    """Both indifferent: row chance (d - c) / s, column chance (d - b) / s, value (ad - bc) / s."""
    (a, b), (c, d) = rows
    total = a - b - c + d
    row, column = (d - c) / total, (d - b) / total
    joint = two(rows)
    found = solved(joint, effort)
    assert found.epsilon <= GAPS[effort] * np.ptp(rows)
    assert value(joint, found) == pytest.approx((a * d - b * c) / total, abs=found.epsilon + 1e-9)
    # Who is off by x leaves the other a gain of x times s times what it plays the worse move.
    for own, known, other in zip(found.strategies, (row, column), (column, row), strict=True):
        rarer = min(other, 1 - other)
        assert abs(own[0] - known) * abs(total) * rarer <= 2 * found.epsilon + 1e-8


@each_effort
@pytest.mark.parametrize("stakes", [(1, 1, 1), (1, 2, 3), (10, 1, 4)])
def test_in_rock_paper_scissors_each_is_played_as_often_as_the_other_two_are_worth(
    stakes: tuple[float, float, float], effort: str
):
    """Rock beats scissors by a, paper rock by b, scissors paper by c: they go as c to a to b."""
    a, b, c = stakes
    joint = two([[0, -b, a], [b, 0, -c], [-a, c, 0]])
    found = solved(joint, effort)
    expected = np.array([c, a, b]) / (a + b + c)
    assert found.epsilon <= GAPS[effort] * 2 * max(stakes)
    assert value(joint, found) == pytest.approx(0, abs=found.epsilon)
    for own in found.strategies:
        np.testing.assert_allclose(
            own, expected, rtol=0, atol=2 * found.epsilon / min(stakes) + 1e-8
        )


VON_STENGEL = ([[3, 3], [2, 5], [0, 6]], [[3, 2], [2, 6], [3, 1]])
"""B. von Stengel 2002, *Computing equilibria for two-person games*, its first example."""
ITS_EQUILIBRIA = [
    ([1, 0, 0], [1, 0]),
    ([4 / 5, 1 / 5, 0], [2 / 3, 1 / 3]),
    ([0, 1 / 3, 2 / 3], [1 / 3, 2 / 3]),
]


def test_the_three_equilibria_of_von_stengels_example_are_equilibria():
    table = table_of(two(*VON_STENGEL))
    for strategies in ITS_EQUILIBRIA:
        assert max(epsilons(table, [np.array(own) for own in strategies])) < 1e-12


@each_effort
def test_one_of_the_equilibria_of_von_stengels_example_is_found(effort: str):
    found = solved(two(*VON_STENGEL), effort)
    assert found.epsilon <= GAPS[effort] * 6
    distances = [
        max(
            np.abs(own - np.array(known)).max()
            for own, known in zip(found.strategies, equilibrium_, strict=True)
        )
        for equilibrium_ in ITS_EQUILIBRIA
    ]
    assert min(distances) <= 2 * found.epsilon + 1e-8


@each_effort
def test_in_shapleys_game_play_goes_round_and_little_is_gained_by_leaving_what_is_found(
    effort: str,
):
    """L. Shapley 1964, *Some topics in two-person games*; with stakes, so that it is not even."""
    stakes = np.array([1.0, 2.0, 4.0])
    found = solved(two(np.diag(stakes), np.roll(np.diag(stakes), 1, axis=1)), effort)
    assert found.epsilon <= ROUND * 4
    # In its one equilibrium each makes the other's three moves worth the same.
    even = (1 / stakes) / (1 / stakes).sum()
    for own in found.strategies:
        np.testing.assert_allclose(own, even, rtol=0, atol=3 * found.epsilon)


# Three players --------------------------------------------------------------------------------


def volunteers(players: int, cost: float, symmetry_classes: tuple[int, ...] = ()) -> ArrayJoint:
    """A. Diekmann 1985: all have 1 if anybody volunteers (move 0), who does so pays."""
    table = np.zeros((players, *[2] * players))
    for profile in product((0, 1), repeat=players):
        for player, move in enumerate(profile):
            table[(player, *profile)] = (0 in profile) - cost * (move == 0)
    return ArrayJoint(table, symmetry_classes)


@each_effort
@pytest.mark.parametrize(("players", "cost"), [(3, 0.36), (3, 0.04), (4, 0.125), (5, 0.6)])
def test_volunteers_alike_wait_for_each_other_as_often_as_the_cost_says(
    players: int, cost: float, effort: str
):
    """Waiting with chance q is as good as volunteering if q ** (players - 1) is the cost."""
    found = solved(volunteers(players, cost, (0,) * players), effort)
    assert len({own.tobytes() for own in found.strategies}) == 1
    waiting = cost ** (1 / (players - 1))
    assert found.epsilon <= GAPS[effort]
    # Off by x, one of both moves is better by about x; it is gained where the other is played.
    off = abs(found.strategies[0][1] ** (players - 1) - cost)
    assert off * min(waiting, 1 - waiting) <= 2 * found.epsilon + 1e-8


@each_effort
def test_of_volunteers_not_taken_to_be_alike_any_equilibrium_will_do(effort: str):
    found = solved(volunteers(3, 0.36), effort)
    assert found.epsilon <= GAPS[effort]


@each_effort
@pytest.mark.parametrize("stakes", [(1, 1, 1, 1, 1, 1), (3, 1, 1, 2, 1, 1), (1, 2, 3, 1, 1, 4)])
def test_in_jordans_pennies_of_three_little_is_gained_by_leaving_what_is_found(
    stakes: tuple[float, ...], effort: str
):
    """J. Jordan 1993, *Three problems in learning mixed-strategy Nash equilibria*.

    The first wants to be like the second, the second like the third, the third unlike the first:
    learning goes round in circles, and so do averages.  With stakes by move the chance that makes
    the one who looks at it indifferent is known.
    """
    a, b, c, d, e, f = stakes
    table = np.zeros((3, 2, 2, 2))
    for one, other, third in product((0, 1), repeat=3):
        table[0, one, other, third] = (a, b)[one] * (one == other)
        table[1, one, other, third] = (c, d)[other] * (other == third)
        table[2, one, other, third] = (e, f)[third] * (third != one)
    found = solved(ArrayJoint(table), effort)
    assert found.epsilon <= ROUND * max(stakes)
    heads = [own[0] for own in found.strategies]
    one_equilibrium = [e / (e + f), b / (a + b), d / (c + d)]
    assert heads == pytest.approx(one_equilibrium, abs=2 * found.epsilon + 1e-8)


@each_effort
def test_who_is_odd_pays_and_nobody_gains_by_leaving_what_is_found(effort: str):
    """Three throw pennies, who differs from the other two pays both: alike they throw evenly."""
    table = np.zeros((3, 2, 2, 2))
    for profile in product((0, 1), repeat=3):
        odd = [p for p in range(3) if profile.count(profile[p]) == 1]
        for player in range(3):
            table[(player, *profile)] = 0.0 if not odd else -2.0 if player in odd else 1.0
    found = solved(ArrayJoint(table, (0, 0, 0)), effort)
    assert found.epsilon == 0.0
    assert len({own.tobytes() for own in found.strategies}) == 1


# Coarse correlated equilibria -----------------------------------------------------------------


def pennies_of_three() -> Floats:
    """Jordan's, as above, for 1 each."""
    table = np.zeros((3, 2, 2, 2))
    for one, other, third in product((0, 1), repeat=3):
        table[:, one, other, third] = one == other, other == third, third != one
    return table


BEATS = np.array([[0.0, -2.0, 1.0], [2.0, 0.0, -3.0], [-1.0, 3.0, 0.0]])
"""Rock, paper, scissors: rock beats scissors for 1, paper rock for 2, scissors paper for 3."""
BALANCED = np.array([1 / 2, 1 / 6, 1 / 3])
"""Against this all three are worth nothing, and against nothing else."""
PAIRS = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, -1.0], [2.0, -1.0, 0.0]])
"""Stakes of each pair; where they are negative, who is beaten wins."""
PRIZES = np.array([4.0, -3.0, 1.0])
"""What each gets besides, whatever they play."""


def rock_paper_scissors_of_three() -> Floats:
    """Each plays against both others, with one and the same move.

    What one of a pair gains the other loses (Cai, Candogan, Daskalakis, Papadimitriou 2016,
    *Zero-Sum Polymatrix Games: A Generalization of Minmax*).  So how often each move is played is
    the same in every coarse correlated equilibrium, and so is what everybody gets:

    Let xⱼ be how often j plays each move, whatever goes together with what, and yᵢ = Σⱼ wᵢⱼ xⱼ
    with the stakes w.  To play s throughout brings i its prize and (A yᵢ)ₛ.  The balanced mixture
    x* has A x* = 0, hence x* · A yᵢ = 0, and the best s brings the prize or more.  In a coarse
    correlated equilibrium i gets no less than that.  All together get the prizes.  So each gets
    its prize, the best s brings no more, and since x* has a share of every s no s brings less:
    A yᵢ = 0, and yᵢ is a multiple of x*.  The stakes have an inverse (their determinant is
    2 · 1 · 2 · −1), so every xⱼ is a multiple of x* too: it is x*.
    """
    table: Floats = np.zeros((3, 3, 3, 3)) + PRIZES[:, None, None, None]
    for profile in product(range(3), repeat=3):
        for player, other in permutations(range(3), 2):
            brings = BEATS[profile[player], profile[other]]
            table[(player, *profile)] += PAIRS[player, other] * brings
    return table


def together(strategies: Sequence[Floats]) -> Floats:
    """How often each profile is played by players who do not know of each other."""
    return reduce(np.multiply.outer, strategies)


def regrets_of(table: Floats, joint: Floats) -> list[float]:
    """What each player would gain by one move throughout, the others playing on as they do.

    Args:
        table: float[players, profiles as axes].
        joint: how often each profile is played.
    """
    regrets = []
    for player, own in enumerate(table):
        had, instead = 0.0, np.zeros(joint.shape[player])
        for profile in np.ndindex(joint.shape):
            had += joint[profile] * own[profile]
            for move in range(joint.shape[player]):
                changed = (*profile[:player], move, *profile[player + 1 :])
                instead[move] += joint[profile] * own[changed]
        regrets.append(float(instead.max() - had))
    return regrets


def matching(
    game: NormalForm, rounds: int, predictive: bool, current: Floats, regrets: Floats
) -> Floats:
    """Rounds of the kernel; of its iterates and their average the one of least gap."""
    best, least = current.copy(), np.array([np.inf])
    regret_matching.regret_matching_plus(
        game.own_action_last[None],
        game.shape,
        game.symmetry_classes,
        rounds,
        predictive,
        np.array([-np.inf]),
        current,
        regrets,
        best,
        least,
    )
    found: Floats = best[0]
    return found


def matched(game: NormalForm, start: Floats, predictive: bool) -> Floats:
    """How often each profile is played while all match their regrets."""
    current, regrets = start[None].copy(), np.zeros((1, len(start)))
    joint = np.zeros(game.shape)
    for _ in range(ROUNDS):
        joint += together(split(current[0], game.shape)) / ROUNDS
        matching(game, 1, predictive, current, regrets)
    assert joint.sum() == pytest.approx(1.0, abs=1e-9)
    return joint


ROUNDS = 20_000
ADAPTING = pytest.mark.parametrize(("predictive", "factor"), [(False, 1.0), (True, 8**0.5)])
"""After T rounds nobody regrets more, in sum, than the factor times √(moves · T) times what is at
stake for it (Tammelin 2014; with predictions, which miss by no more than twice what is at stake,
Farina, Kroer, Sandholm 2021).
"""


@ADAPTING
def test_who_match_regrets_come_to_a_coarse_correlated_equilibrium_of_pennies_of_three(
    predictive: bool, factor: float
):
    """Its one equilibrium, to throw evenly, is worth 1/2 to each.  Play goes round it.

    Always heads or always tails would please a player half of the time or more, so each has 1/2
    or more in a coarse correlated equilibrium; and never are all three pleased.
    """
    table = pennies_of_three()
    start = np.array([0.9, 0.1, 0.5, 0.5, 0.5, 0.5])
    joint = matched(normal_form(table), start, predictive)
    worth = [float((own * joint).sum()) for own in table]
    regrets = regrets_of(table, joint)
    print(regrets, worth)
    most = factor * math.sqrt(2 / ROUNDS)
    assert max(regrets) <= most
    assert min(worth) >= 0.5 - most
    assert sum(worth) <= 2.0


@ADAPTING
def test_who_match_regrets_come_to_the_coarse_correlated_equilibrium_of_rock_paper_scissors(
    predictive: bool, factor: float
):
    table = rock_paper_scissors_of_three()
    game = normal_form(table)
    joint = matched(game, game.uniform, predictive)
    worth = [float((own * joint).sum()) for own in table]
    regrets = regrets_of(table, joint)
    moves = [joint.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))]
    print(regrets, worth, moves)
    for own, regret in zip(table, regrets, strict=True):
        assert regret <= factor * math.sqrt(3 / ROUNDS) * np.ptp(own)
    assert worth == pytest.approx(PRIZES, abs=sum(max(regret, 0.0) for regret in regrets))
    # With predictions play comes closer, though nobody has proven how close.
    for own in moves:
        np.testing.assert_allclose(own, BALANCED, rtol=0, atol=0.002 if predictive else 0.02)
    # No iterate is as good as their average.
    average = matching(game, ROUNDS, predictive, game.uniform[None], np.zeros((1, 9)))
    np.testing.assert_allclose(average, np.concatenate(moves), rtol=0, atol=1e-9)


def test_on_average_who_adapt_play_the_coarse_correlated_equilibrium_of_rock_paper_scissors():
    """What all gain by leaving the averages is what all regret, since all get the prizes."""
    table = rock_paper_scissors_of_three()
    game, average = normal_form(table), np.empty(9)
    regret_matching.average_regret_matching(
        game.own_action_last, game.shape, game.symmetry_classes, ROUNDS, average
    )
    gains = regrets_of(table, together(split(average, game.shape)))
    print(average, gains)
    assert sum(gains) <= sum(math.sqrt(3 / ROUNDS) * np.ptp(own) for own in table)
    np.testing.assert_allclose(average, np.tile(BALANCED, 3), rtol=0, atol=0.03)


@each_effort
def test_of_rock_paper_scissors_of_three_the_one_equilibrium_is_found(effort: str):
    table = rock_paper_scissors_of_three()
    found = solved(ArrayJoint(table), effort)
    assert found.epsilon == pytest.approx(
        max(regrets_of(table, together(found.strategies))), abs=1e-12
    )
    for own in found.strategies:
        np.testing.assert_allclose(own, BALANCED, rtol=0, atol=1e-6)


def test_the_gap_of_a_rough_answer_is_what_counting_profiles_gives():
    table = rock_paper_scissors_of_three()
    rough = replace(EQUILIBRIUM_BUDGETS["quick"], polish_steps=0)
    found = solve_equilibrium(ArrayJoint(table), (None,) * 3, rough, WorkMeter(None))
    counted = regrets_of(table, together(found.strategies))
    print([own.tolist() for own in found.strategies], found.epsilon, counted)
    assert max(counted) > 1e-3
    assert found.epsilon == pytest.approx(max(counted), abs=1e-12)


# Quantal responses ----------------------------------------------------------------------------


def logistic(gain: float) -> float:
    return 1 / (1 + math.exp(-gain)) if gain > -700 else 0.0


@pytest.mark.parametrize("precision", [0.0, 0.3, 1.0, 2.0])
@pytest.mark.parametrize(
    "rows",
    [
        ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
        ([[9, 0], [0, 1]], [[0, 1], [1, 0]]),
        ([[3, -1], [-2, 1]], [[-1, 1], [4, 0.5]]),
        ([[20, 0], [0, 3]], [[0, 1], [1, 0]]),
    ],
)
def test_a_logit_equilibrium_of_two_by_two_is_the_root_found_by_bisection(
    rows: Any, precision: float
):
    """Of generalised pennies there is one, since the responses cross once (Goeree, Holt 2001)."""
    (own, other), joint = rows, two(*rows)

    def second(first: float) -> float:
        gain = first * (other[0][0] - other[0][1]) + (1 - first) * (other[1][0] - other[1][1])
        return logistic(precision * gain)

    def excess(first: float) -> float:
        there = second(first)
        gain = there * (own[0][0] - own[1][0]) + (1 - there) * (own[0][1] - own[1][1])
        return first - logistic(precision * gain)

    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    found, residual = solve_quantal(
        joint, (None, None), precision, EQUILIBRIUM_BUDGETS["standard"], WorkMeter(None)
    )
    print(found.strategies, residual, low)
    assert residual <= 2e-8
    assert found.strategies[0][0] == pytest.approx(low, abs=1e-7)
    assert found.strategies[1][0] == pytest.approx(second(low), abs=1e-7)


def test_without_precision_everybody_plays_evenly():
    joint = ArrayJoint(np.random.default_rng(3).normal(size=(3, 2, 4, 5)))
    found, residual = solve_quantal(
        joint, (None,) * 3, 0.0, EQUILIBRIUM_BUDGETS["quick"], WorkMeter(None)
    )
    assert residual <= 1e-9
    assert [own.tolist() for own in found.strategies] == [[0.5] * 2, [0.25] * 4, [0.2] * 5]
