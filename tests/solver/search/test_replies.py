"""The values of moves against single replies, against a sum over all profiles."""

from itertools import product

import numpy as np
import pytest

from service.solver.search.replies import reply_values


@pytest.mark.parametrize("seed", range(20))
def test_reply_values_equal_a_sum_over_all_profiles(seed):
    random = np.random.default_rng(seed)
    counts = random.integers(1, 4, size=random.integers(2, 6)).tolist()
    strategies = [random.dirichlet(np.ones(count)) for count in counts]
    payoffs = random.normal(size=np.prod(counts))
    player = int(random.integers(len(counts)))
    expected = np.zeros((counts[player], sum(counts)))
    for other in range(len(counts)):
        if other == player:
            continue
        for number, profile in enumerate(product(*map(range, counts))):
            chance = np.prod(
                [
                    strategy[move]
                    for each, (strategy, move) in enumerate(zip(strategies, profile, strict=True))
                    if each not in (player, other)
                ]
            )
            column = sum(counts[:other]) + profile[other]
            expected[profile[player], column] += chance * payoffs[number]
    found = reply_values(payoffs, counts, strategies, player)
    assert found == pytest.approx(expected)
