"""Final win shares with unknown hands: the vectorized scoring against the rules."""

from itertools import combinations
from math import comb, prod
from random import Random

import numpy as np
import pytest

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.engine.final_scores import FinalScores
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.rules.scoring import winners
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import observed, unseen_deck
from service.games.snowcrest.rules.turn import Turn
from tests.games.snowcrest.plain_ends import standing
from tests.games.snowcrest.positions import seat, state, table, with_cards

ICONS = {"monk": {"any": 2}, "nun": {"any": 1, "gold": 1}, "gardener": {"any": 3}}
WITH_ANY = with_cards(**{card: {"icons": icons} for card, icons in ICONS.items()})
CARDS = pytest.mark.parametrize("cards", [{}, {"catalogue": WITH_ANY}], ids=["default", "any"])
"""Whether cards show icons of any resource (C22)."""


def packed(positions):
    """Return the scores of positions of one catalogue, and the positions as vectors."""
    packing = packing_of(positions[0].catalogue, len(positions[0].seats))
    return FinalScores(packing), np.array([packing.pack(Turn(each)) for each in positions])


def shares_of(position, determinizations=64):
    scores, [vector] = packed([position])
    return scores.shares(vector, determinizations)


def final_position(random, hidden, cards):
    """Return a final position of three players, in which two hands are unknown."""
    hand = random.sample(["monk", "nun", "potter", "gardener", "officer", "scholar"], hidden)
    seats = [
        seat(
            name, scrolls=random.randint(2, 4), omen=random.randint(-1, 1), hand=" ".join(hand),
            tokens={kind: random.randint(0, 2) for kind in ("barley", "bell", "bowl", "gold")},
        )
        for name in "abc"
    ]  # fmt: skip
    return observed(state(table(*seats, supply=0, ending=True, turn="c", **cards)), "a")


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


@CARDS
@pytest.mark.parametrize("seed", range(3))
def test_the_shares_are_the_expectation_over_all_unknown_hands(seed, cards):
    position = final_position(Random(seed), 2, cards)
    shares = shares_of(position, 8)
    assert shares.shape == (1, 3)
    assert shares[0] == pytest.approx(shares_by_rules(position), abs=1e-12)


def with_known_hands(random, position):
    """Return the position with two known cards in each hand."""
    for at in range(3):
        hand = random.sample([*unseen_deck(position, at).elements()], 2)
        position = position.with_seat(at, replace(position.seats[at], hand=tuple(sorted(hand))))
    return position


@CARDS
def test_without_unknown_cards_standings_are_those_of_the_rules(cards):
    positions = [
        with_known_hands(Random(seed), final_position(Random(seed), 0, cards)) for seed in range(40)
    ]
    scores, vectors = packed(positions)
    expected = [[standing(each, seat) for seat in range(3)] for each in positions]
    found = scores.standings(scores.numbers(vectors))
    assert found == pytest.approx(np.array(expected), abs=1e-12)
    assert len(np.unique(np.round(expected, 9))) > 10


@pytest.mark.parametrize(("hidden", "deals"), [(1, {72, 81}), (2, {1008, 1296})])
def test_a_few_unknown_cards_count_in_standings(hidden, deals):
    """The expected share comes first, then what is known; of too many deals only the latter."""
    random = Random(5 + hidden)
    positions = [final_position(random, hidden, {}) for _ in range(30)]
    for each in positions[:10]:
        known = next(iter(unseen_deck(each, 2)))
        fewer = replace(each.seats[2], discards=(known,))
        positions.append(replace(each, seats=(*each.seats[:2], fewer)))
    scores, vectors = packed(positions)
    numbers = scores.numbers(vectors)
    assert {
        prod(comb(len(cards), count) for cards, count in hands) for hands in numbers.hidden
    } == deals
    known = np.array([[standing(each, seat) for seat in range(3)] for each in positions])
    few = max(deals) <= 100
    expected = [
        scores.shares(vector).mean(axis=0) + 1e-4 * own if few else own
        for vector, own in zip(vectors, known, strict=True)
    ]
    assert scores.standings(numbers) == pytest.approx(np.array(expected), abs=1e-12)


def test_c13_a_solo_game_is_won_with_ten_points_and_an_empty_supply():
    first = set_up("a", 1, difficulty=1)
    own = replace(first.seats[0], scrolls=10, omen=0, omen_tokens=0)
    start = replace(first, seats=(own,), supply=0, ending=True)
    for now, won in ((start, 1.0), (replace(start, ending=False), 0.0)):
        assert shares_of(now).tolist() == [[won]]
    fewer = replace(start, seats=(replace(own, scrolls=9),))
    scores, vectors = packed([start, fewer])
    assert shares_of(fewer).tolist() == [[0.0]]
    assert scores.bounds(vectors[0], 0) == (1.0, 1.0)
    [[best], [second]] = scores.standings(scores.numbers(vectors))
    assert best > 1.0 > second


def test_too_many_deals_are_sampled_the_same_way_every_time():
    position = final_position(Random(1), 5, {})
    assert position.seats[1].hand == (UNKNOWN,) * 5
    shares = shares_of(position, 16)
    assert shares.shape == (16, 3)
    assert shares.sum(axis=1) == pytest.approx(np.ones(16))
    assert (shares == shares_of(position, 16)).all()
