"""Courses of turned, shifted and narrow pieces against plain computations."""

from dataclasses import replace
from itertools import islice, product
from random import Random

import numpy as np
import pytest

from service.core.game import Chance
from service.games.slopecrashers.engine.packing import FAR, SPRING_COST, distances
from service.games.slopecrashers.rules.course import Course, Field, Piece
from service.games.slopecrashers.rules.gifts import Deck, Gift
from service.games.slopecrashers.rules.movement import placements, springs, steps
from service.games.slopecrashers.rules.state import LAPS, STEP_DIRECTIONS, Place, Seat, State
from tests import randomized
from tests.conformance.walks import random_turns
from tests.games.slopecrashers.courses import laid_out, turned_round
from tests.games.slopecrashers.positions import GAME, ask_hint, state
from tests.games.slopecrashers.rules.test_properties import (
    FIELDS,
    random_course,
    random_deck,
    turns,
)

SEEDS = randomized.case_numbers(8, 40)
GIFT_FIELD = 0.25
WORTH = {Field.GIFT: GIFT_FIELD, Field.BOOST: 1.0, Field.GIFT_BOOST: 1.0}


def random_rows(random):
    lanes, count = random.randint(3, 5), random.randint(4, 10)
    return tuple(tuple(random.choices(FIELDS, (8, 3, 3, 1, 1), k=lanes)) for _ in range(count))


def test_the_random_courses_of_all_tests_have_pieces_that_lie_in_every_way():
    courses = [random_course(Random(seed)) for seed in range(40)]
    pieces = [piece for course in courses for piece in course.pieces]
    fields = {field for course in courses for row in course.rows for field in row}
    assert fields == set(Field)
    assert {piece.is_reversed for piece in pieces} == {False, True}
    assert len({piece.offset for piece in pieces}) > 2
    assert any(len({len(piece.rows[0]) for piece in course.pieces}) > 2 for course in courses)


# Distances ------------------------------------------------------------------------------------


def ways(course, place):
    """Yield where a step or a spring leads, with the movements that it costs."""
    has_gifts = any(field.has(Field.GIFT) for row in course.rows for field in row)
    for direction in STEP_DIRECTIONS:
        yield from ((landing.place, 1.0) for landing in steps(course, place, direction))
        jump = SPRING_COST if has_gifts else FAR
        yield from ((landing.place, jump) for landing in springs(course, place, direction))


def plain_distances(course):
    """Return the movements left from each place, by relaxation over the readable rules."""
    places = [
        Place(*place)
        for place in product(range(1, LAPS + 1), range(course.length), range(course.lanes))
        if course.is_enterable(*place[1:])
    ]
    left, changed = dict.fromkeys(places, FAR), True
    while changed:
        changed = False
        for place in reversed(places):
            for to, cost in ways(course, place):
                saved = 0.0 if to is None else WORTH.get(course.rows[to.row][to.lane], 0.0)
                through = cost if to is None else cost - saved + left[to]
                if through < left[place] - 1e-9:
                    left[place], changed = through, True
    return left


@pytest.mark.parametrize("seed", SEEDS)
def test_distances_equal_a_plain_relaxation(seed):
    course = laid_out(random_rows(Random(seed)))
    left, plain = distances(course, GIFT_FIELD), plain_distances(course)
    for place, expected in plain.items():
        reached = expected < FAR
        assert (left[place] < FAR) == reached
        assert not reached or left[place] == pytest.approx(expected)
    closed = {*np.ndindex(left.shape)} - plain.keys()
    assert {left[place] for place in closed if place[0]} <= {FAR}
    starts = [landing.place for landing in placements(course)]
    rows = {place: WORTH.get(course.rows[place.row][place.lane], 0.0) for place in starts}
    best = min((plain[place] - rows[place] for place in starts), default=FAR)
    assert best >= FAR or left[0, 0, 0] == pytest.approx(best)


# The same course in other words ---------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_without_springs_an_open_lane_is_like_an_obstacle(seed):
    random = Random(seed)
    course, deck = laid_out(random_rows(random), lane=0), random_deck(random)
    deck = Deck(tuple((card, count) for card, count in deck.counts if Gift.SPRING not in card))
    rows = tuple(
        tuple(Field.OBSTACLE if field is Field.OFF_COURSE else field for field in row)
        for row in course.rows
    )
    filled = Course((Piece("filled", rows),))
    start = State(tuple(map(Seat, "abc")), 0, course, deck)
    for before, begun, nodes, play in islice(random_turns(GAME, start, random), 60):
        other = GAME.begin(replace(before, course=filled))
        assert other.events == begun.events
        for visited in nodes:
            assert GAME.pending(other.play) == visited.node
            follow = GAME.draw if isinstance(visited.node, Chance) else GAME.choose
            other = follow(other.play, visited.revealed)
            assert other.events == visited.step.events
        assert replace(GAME.rest(play), course=filled) == GAME.rest(other.play)


@pytest.mark.parametrize("seed", randomized.case_numbers(2, 20))
def test_a_hint_does_not_depend_on_how_a_course_is_described(seed):
    """Reversed pieces are the same as pieces whose rows are given from the other end."""
    for before, *_ in [*turns(seed, most=60)][::12]:
        if GAME.over(before) or GAME.begin(before).play.over:
            continue
        other = turned_round(before.course)
        assert other.rows == before.course.rows
        player = GAME.begin(before).play.mover.player
        hints = [ask_hint(replace(before, course=each), player) for each in (before.course, other)]
        assert hints[0]["moves"] == hints[1]["moves"]


@pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
def test_spaces_of_gift_and_boost_side_by_side_have_a_hint(effort):
    """A player may go back and forth and draw; the search ends, and nothing is called certain."""
    start = state({"a": (1, 0), "b": (2, 3)}, ".... .... ***. .... ....")
    response = ask_hint(start, "a", effort=effort)
    assert response["search"]["complete"]
    assert response["pick"]["type"] == "step"
    assert all(0.0 < each["value"] < 1.0 for each in response["moves"])
