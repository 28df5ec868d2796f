"""The evaluator's tables, independent of the learned numbers."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from service.games.snow_time.engine.evaluation import (
    CLASSES,
    EvaluatorTables,
    default_evaluator,
    hand_classes,
)
from service.games.snow_time.engine.packing import hand_of
from service.games.snow_time.rules.state import Card, default_track
from tests.games.snow_time.positions import NO_BONUSES, hand, track

TRACKS = [default_track(), NO_BONUSES, track(5), track(12, (3, "fight", 1)), track(200)]
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def class_of(word: str) -> int:
    return int(hand_classes()[sum(1 << (card - 1) for card in hand(word))])


def scale_of(on, players: int) -> EvaluatorTables:
    return default_evaluator().tables(on, players)


def test_hands_of_a_class_have_equal_counts_of_low_and_high_champions_and_equal_specials():
    seen: dict[int, tuple[int, int, bool, bool]] = {}
    for bits, hand_class in enumerate(hand_classes().tolist()):
        cards = hand_of(bits)
        content = (
            sum(card <= 3 for card in cards),
            sum(4 <= card <= 7 for card in cards),
            Card.WATCHER in cards,
            Card.BLIZZARD in cards,
        )
        assert seen.setdefault(hand_class, content) == content
    assert len(seen) == len(set(seen.values())) == CLASSES
    assert class_of("12h") == class_of("23") != class_of("24h")


@pytest.mark.parametrize("on", TRACKS, ids=lambda on: f"length {on.length}")
@PLAYERS
def test_factors_of_spaces_and_hands_are_those_of_the_leaders_distance(on, players: int):
    weights, scale = default_evaluator().weights[players], scale_of(on, players)
    assert scale.potentials.shape == (on.length + 1, on.length + 1)
    assert scale.hands.shape == (on.length + 1, CLASSES)
    for table in (scale.potentials, scale.hands):
        assert np.isfinite(table).all()
        assert (table > 0).all()
    for leader in range(on.length):
        pace, hand_weights = weights.at(on.length - leader)
        assert pace > 0.0, "a space is worth something"
        expected = np.exp(pace * (np.arange(leader + 1) - leader))
        np.testing.assert_allclose(scale.potentials[leader, : leader + 1], expected, rtol=1e-12)
        np.testing.assert_allclose(scale.hands[leader], np.exp(hand_weights), rtol=1e-12)


@PLAYERS
def test_beyond_the_last_knot_weights_shrink_with_the_square_root_of_the_distance(players: int):
    weights = default_evaluator().weights[players]
    last = int(weights.knots[-1])
    pace, hand_weights = weights.at(last)
    for times in (2, 4, 9):
        far, further = weights.at(last * times)
        assert far == pytest.approx(pace / math.sqrt(times), rel=1e-12)
        assert further == pytest.approx([w / math.sqrt(times) for w in hand_weights], rel=1e-12)


@PLAYERS
def test_numbers_are_interpolated_linearly_between_knots(players: int):
    weights = default_evaluator().weights[players]
    assert list(weights.knots) == sorted(set(weights.knots))
    for (left, right), (low, high) in zip(
        pairwise(weights.knots), pairwise(weights.pace), strict=True
    ):
        for distance in range(math.ceil(left), math.floor(right) + 1):
            part = (distance - left) / (right - left)
            assert weights.at(distance)[0] == pytest.approx(low + part * (high - low), rel=1e-12)


@PLAYERS
def test_only_the_distance_to_the_end_matters(players: int):
    """With a track and all markers moved by five spaces, the shares are the same."""
    short, long = scale_of(track(20), players), scale_of(track(25), players)
    for leader in range(20):
        assert np.array_equal(short.hands[leader], long.hands[leader + 5])
        apart = long.potentials[leader + 5, 5 : leader + 6]
        assert short.potentials[leader, : leader + 1] == pytest.approx(apart, rel=1e-12)
