"""Answers of several players to a penalty: backward induction against a plain recursion."""

from random import Random

import numpy as np
import pytest

from service.games.snowcrest.engine.ends.final_answers import first_by_induction


def plain_best(table, player=0, chosen=()):
    """Return the values if all choose for themselves, and the first player's option."""
    if player == table.shape[-1]:
        return table[chosen], chosen[0]
    options = [
        plain_best(table, player + 1, (*chosen, option)) for option in range(table.shape[player])
    ]
    return max(options, key=lambda each: each[0][player])


@pytest.mark.parametrize("sizes", [(5,), (4, 3), (3, 4, 2)])
def test_each_player_chooses_knowing_how_the_later_ones_choose(sizes):
    for seed in range(50):
        random = Random(seed)
        values = [random.randint(0, 6) / 7 for _ in range(np.prod(sizes) * len(sizes))]
        table = np.array(values).reshape(*sizes, len(sizes))
        assert first_by_induction(table) == plain_best(table)[1]
