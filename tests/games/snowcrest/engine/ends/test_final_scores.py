"""Final win shares with unknown hands: the vectorized scoring against the rules."""

from itertools import combinations
from math import comb, prod
from random import Random

import numpy as np
import pytest

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.engine.ends.final_scores import (
    expected_standing,
    expected_standings,
    final_points,
    final_shares,
    hidden_cards,
    standing,
    standings,
)
from service.games.snowcrest.rules.scoring import final_resources, winners
from service.games.snowcrest.rules.state import observed, unseen_deck
from tests.games.snowcrest.positions import seat, state, table


def final_position(random, hidden):
    """Return a final position of three players, in which two hands are unknown."""
    hand = random.sample(["monk", "nun", "potter", "gardener", "officer", "scholar"], hidden)
    seats = [
        seat(
            name, scrolls=random.randint(2, 4), omen=random.randint(-1, 1), hand=" ".join(hand),
            tokens={kind: random.randint(0, 2) for kind in ("barley", "bell", "bowl", "gold")},
        )
        for name in "abc"
    ]  # fmt: skip
    return observed(state(table(*seats, supply=0, ending=True, turn="c")), "a")


def shares_by_rules(position):
    """Return the expected shares over all hands, by the rules."""
    expected, weight = np.zeros(3), 0
    hands = [list(combinations(unseen_deck(position, at).elements(), 2)) for at in (1, 2)]
    for second in hands[0]:
        for third in hands[1]:
            dealt = position
            for at, hand in ((1, second), (2, third)):
                dealt = dealt.with_seat(at, replace(dealt.seats[at], hand=tuple(sorted(hand))))
            winning = winners(dealt)
            expected += [(name in winning) / len(winning) for name in "abc"]
            weight += 1
    return expected / weight


@pytest.mark.parametrize("seed", range(3))
def test_the_shares_are_the_expectation_over_all_unknown_hands(seed):
    position = final_position(Random(seed), 2)
    shares = final_shares(position, 8)
    assert shares.shape == (1, 3)
    assert shares[0] == pytest.approx(shares_by_rules(position), abs=1e-12)


def test_standings_are_those_of_single_positions():
    """The vectorized order of final positions against the plain one."""
    positions = [final_position(Random(seed), 0) for seed in range(40)]
    points = np.array([[final_points(seat) for seat in each.seats] for each in positions])
    resources = np.array(
        [[final_resources(seat, each.catalogue) for seat in each.seats] for each in positions]
    )
    expected = [[standing(each, seat) for seat in range(3)] for each in positions]
    assert standings(points, resources) == pytest.approx(np.array(expected), abs=1e-12)
    assert len(np.unique(np.round(expected, 9))) > 10


@pytest.mark.parametrize(("hidden", "deals"), [(0, {1}), (1, {72, 81}), (2, {1008, 1296})])
def test_expected_standings_are_those_of_single_positions(hidden, deals):
    """With no, few and too many deals; what the unknown cards may show differs, too."""
    random = Random(5 + hidden)
    positions = [final_position(random, hidden) for _ in range(30)]
    for each in positions[:10]:
        known = next(iter(unseen_deck(each, 2)))
        fewer = replace(each.seats[2], discards=(known,) if hidden else ())
        positions.append(replace(each, seats=(*each.seats[:2], fewer)))
    unknown = [tuple(hidden_cards(own, each.catalogue) for own in each.seats) for each in positions]
    assert {prod(comb(len(cards), count) for cards, count in hands) for hands in unknown} == deals
    together = expected_standings(
        np.array([[final_points(own) for own in each.seats] for each in positions]),
        np.array(
            [[final_resources(own, each.catalogue) for own in each.seats] for each in positions]
        ),
        unknown,
        positions[0].catalogue,
    )
    alone = [[expected_standing(each, index) for index in range(3)] for each in positions]
    assert together == pytest.approx(np.array(alone), abs=1e-12)


def test_too_many_deals_are_sampled_the_same_way_every_time():
    position = final_position(Random(1), 5)
    assert position.seats[1].hand == (UNKNOWN,) * 5
    shares = final_shares(position, 16)
    assert shares.shape == (16, 3)
    assert shares.sum(axis=1) == pytest.approx(np.ones(16))
    assert (shares == final_shares(position, 16)).all()
