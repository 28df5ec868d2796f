"""Safe exploitation: the line from the equilibrium to a response, and what it risks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import exp, inf, prod

import numpy as np
import pytest

from service.core.arrays import Floats
from service.solver.opponents.safety import (
    CAUTIOUS_TRUST,
    MAX_TRUST,
    NATS,
    WEIGHTS,
    safe_mixture,
    trust_in,
    worst_case,
)
from tests import randomized

SHAPES = ((2, 3), (3, 2, 4), (2, 2, 3, 2))


def random_game(number: int) -> tuple[Floats, tuple[int, ...], list[Floats], list[Floats]]:
    """Return payoffs, shape, equilibrium strategies (any will do) and predicted strategies."""
    random = np.random.default_rng(randomized.seed(11) + number)
    shape = SHAPES[number % len(SHAPES)]
    payoffs = random.normal(size=(len(shape), prod(shape)))
    first, second = ([random.dirichlet(np.ones(size)) for size in shape] for _ in range(2))
    return payoffs, shape, first, second


def expected(
    payoffs: Floats, shape: Sequence[int], strategies: Sequence[Floats], player: int
) -> float:
    """Return the expected payoff of a player, profile by profile."""
    return sum(
        float(payoffs[player, number])
        * prod(own[move] for own, move in zip(strategies, profile, strict=True))
        for number, profile in enumerate(product(*map(range, shape)))
    )


def plain_worst_case(
    payoffs: Floats,
    shape: Sequence[int],
    asker: int,
    strategy: Floats,
    others: Sequence[Sequence[Floats]],
) -> float:
    """The worst case by enumeration: every opponent, way of play of the rest, and answer."""
    worst = inf
    for opponent in range(len(shape)):
        for rest in others if opponent != asker else ():
            outcomes = []
            for move in range(shape[opponent]):
                strategies = list(rest)
                strategies[asker] = strategy
                strategies[opponent] = np.eye(shape[opponent])[move]
                outcomes.append(
                    tuple(expected(payoffs, shape, strategies, each) for each in (opponent, asker))
                )
            most = max(gain for gain, _ in outcomes)
            worst = min(worst, *(own for gain, own in outcomes if gain > most - 1e-9))
    return worst


@pytest.mark.parametrize("number", randomized.case_numbers(6, 60))
def test_risk_and_value_are_those_of_brute_force(number: int):
    payoffs, shape, equilibrium, predicted = random_game(number)
    for asker in range(len(shape)):
        for trust in (0.0, 0.5, 1.0):
            mixture = safe_mixture(payoffs, shape, asker, equilibrium, predicted, trust)
            worst = [
                plain_worst_case(payoffs, shape, asker, strategy, (predicted, equilibrium))
                for strategy in (equilibrium[asker], mixture.strategy)
            ]
            assert mixture.risk == pytest.approx(worst[0] - worst[1], abs=1e-12)
            as_predicted = list(predicted)
            as_predicted[asker] = mixture.strategy
            value = expected(payoffs, shape, as_predicted, asker)
            assert mixture.value == pytest.approx(value, abs=1e-12)
            assert mixture.strategy.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("number", randomized.case_numbers(6, 60))
def test_no_point_of_the_line_is_better(number: int):
    payoffs, shape, equilibrium, predicted = random_game(number)
    for asker in range(len(shape)):
        values = np.empty(shape[asker])
        for move in range(shape[asker]):
            strategies = list(predicted)
            strategies[asker] = np.eye(shape[asker])[move]
            values[move] = expected(payoffs, shape, strategies, asker)
        response = np.eye(shape[asker])[int(np.argmax(values))]
        line = [(1.0 - weight) * equilibrium[asker] + weight * response for weight in WEIGHTS]
        means = [float((point * values).sum()) for point in line]
        worst = [
            worst_case(payoffs, shape, asker, point, (predicted, equilibrium)) for point in line
        ]
        for trust in (0.0, 0.3, 0.7, 1.0):
            mixture = safe_mixture(payoffs, shape, asker, equilibrium, predicted, trust)
            chosen = WEIGHTS.index(mixture.weight)
            assert mixture.strategy == pytest.approx(line[chosen])
            assert mixture.weight <= trust / MAX_TRUST
            assert mixture.risk == 0.0 or trust > 0.0
            worths = [
                trust * mean + (1.0 - trust) * min(case, worst[0])
                for mean, case, weight in zip(means, worst, WEIGHTS, strict=True)
                if weight <= trust / MAX_TRUST
            ]
            assert worths[chosen] >= max(worths) - 1e-6


def test_trust_grows_with_the_square_of_little_evidence_up_to_its_maximum():
    assert trust_in(-4.0, 0.0) == trust_in(0.0, 0.0) == 0.0
    for nats in (0.1, 1.0, NATS, 6.0):
        assert trust_in(nats, 0.0) == pytest.approx(MAX_TRUST * (1 - exp(-((nats / NATS) ** 2))))
    assert trust_in(50.0, 0.0) == pytest.approx(MAX_TRUST)


def test_trust_is_limited_while_a_player_probably_follows_the_hints():
    assert trust_in(50.0, 0.51) == CAUTIOUS_TRUST
    assert trust_in(50.0, 0.49) == pytest.approx(MAX_TRUST)
    assert trust_in(1.0, 0.51) == trust_in(1.0, 0.0)


@pytest.mark.parametrize(("trust", "weight"), [(0.6, 0.0), (0.7, 0.6), (0.9, 1.0)])
def test_a_weakness_is_used_if_the_trust_makes_up_for_the_risk(trust: float, weight: float):
    """Rock, paper, scissors against a player who showed rock: paper wins 0.55 or loses 1."""
    won = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    payoffs = np.stack([won.ravel(), -won.ravel()])
    even = np.full(3, 1.0 / 3.0)
    rock = np.array([0.7, 0.15, 0.15])
    mixture = safe_mixture(payoffs, (3, 3), 0, [even, even], [even, rock], trust)
    assert mixture.weight == weight
    assert mixture.risk == pytest.approx(weight)
    assert mixture.value == pytest.approx(0.55 * weight)
