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
    groups = [(2, np.arange(count) % 2) if count > 1 else (1, np.zeros(1, int)) for count in counts]
    payoffs = random.normal(size=np.prod(counts))
    player = int(random.integers(len(counts)))
    others = [other for other in range(len(counts)) if other != player]
    expected = np.zeros((counts[player], sum(groups[other][0] for other in others)))
    start = 0
    for other in others:
        count, group = groups[other]
        shares = [strategies[other][group == number].sum() for number in range(count)]
        for number, profile in enumerate(product(*map(range, counts))):
            chance = np.prod(
                [
                    strategy[move]
                    for each, (strategy, move) in enumerate(zip(strategies, profile, strict=True))
                    if each != player
                ]
            )
            column = group[profile[other]]
            expected[profile[player], start + column] += chance * payoffs[number] / shares[column]
        start += count
    found = reply_values(payoffs, groups, strategies, player)
    assert found == pytest.approx(expected)
