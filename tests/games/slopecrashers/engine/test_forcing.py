"""Forced results of races of two, against a plain minimax with the readable rules."""

from random import Random

import numpy as np
import pytest
from research.league.slopecrashers.endgames import forced_result

from service.core.advice import UNKNOWN
from service.core.vocabulary import EFFORTS
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.forced_results import LIMITS, ForcedResults
from service.games.slopecrashers.engine.kernels import forcing
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import race_of
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.solver.search.turn_expectimax import solve
from tests import randomized
from tests.games.slopecrashers.courses import relaid
from tests.games.slopecrashers.engine.test_twin import packed
from tests.games.slopecrashers.engine.test_values import question_of
from tests.games.slopecrashers.positions import GAME, ask_hint, deck, follow_turn, state


def by_kernel(start, turns):
    """Return the result, or None if the race is not near its end."""
    vector, board = packed(start)
    race = race_of(board, default_evaluator())
    if not forcing.is_near(vector, race.distances):
        return None
    minimax = forcing.Minimax(
        np.array([turns, 100_000]),
        np.empty((forcing.LEVELS, forcing.MAX_ENDS, at.LENGTH), np.int16),
        np.zeros((2, 4 * forcing.MAX_ENDS), np.int64),
    )
    return forcing.forced_result(vector, race, minimax, np.zeros(1, np.int64))


def random_race(random):
    """Return a race of two on a small course, a few turns from the finish."""
    lanes = random.randint(2, 3)
    rows = ["".join(random.choices(".+#~g", (12, 1, 2, 1, 1), k=lanes)) for _ in range(3)]
    drawing = " ".join(["." * lanes, *rows, "." * lanes])
    spaces = random.sample([(row, lane) for row in (0, 4) for lane in range(lanes)], 3)
    kinds = ("chili", "rocket", "spring", "black-ice", "bee-sting", "magnet", "chili-or-magnet")
    cards = [" ".join(random.sample(kinds, random.randint(0, 2))) for _ in range(2)]
    start = state(
        dict(zip("ab", ((2, *space) for space in spaces), strict=False)),
        drawing,
        gifts=dict(zip("ab", cards, strict=True)),
        missing=random.choice(("", "", "b")),
        stung=random.choice(("", "a", "b")),
        snowmen=tuple(spaces[2:]) if random.random() < 0.5 else (),
    )
    return relaid(start)


def test_between_three_players_only_the_end_of_the_race_is_certain():
    start = state({"a": (2, 4, 0), "b": (2, 3, 0), "c": (1, 0, 1)}, "... ... ... ... ...")
    end, board = packed(start)
    race = race_of(board, default_evaluator())
    results = ForcedResults(GAME.begin(start).play, 0, "standard", race)
    for winner, phase, expected in ((-1, at.DECIDING, 0), (0, at.ENDED, 1)):
        end[at.WINNER], end[at.PHASE] = winner, phase
        assert results.of_end(end) == (expected, 0)
        [result], searched = results.of_ends(end[None], np.ones(1, np.int64))
        assert (result, searched) == (expected, 0), "both methods agree"
    end[at.WINNER] = 1
    assert results.of_end(end) == (-1, 0)


@pytest.mark.parametrize("seed", randomized.case_numbers(4, 20))
def test_forced_results_equal_a_plain_minimax(seed):
    random, met = Random(seed), set()
    for _ in range(12):
        start = random_race(random)
        for turns in (1, 2, 3):
            result = by_kernel(start, turns)
            if result is not None:
                play = GAME.begin(start).play
                expected = forced_result(play, play.mover.player, turns, {})
                assert np.sign(result) == expected
                met.add(expected)
    assert len(met) > 1


@pytest.mark.parametrize("effort", EFFORTS)
def test_an_opponent_who_can_block_the_way_wins(effort):
    """b stops on (4, 0), and a cannot pass in time; a player with one turn in mind goes further.

    At ``deep``, ending the turn was worth 0.9999995.
    """
    at_, drawing = {"a": (2, 3, 1), "b": (2, 3, 0)}, "... .#. ... ... ... ..."
    response = ask_hint(state(at_, drawing, gifts={"a": "rocket"}), "a", effort=effort)
    [end] = [each for each in response["moves"] if each["move"] == {"type": "end"}]
    assert end["value"] == 0.0
    assert response["moves"][0]["value"] == 1.0


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_only_win_is_found(effort):
    """A step forward seems to be best, but loses by force."""
    start = state(
        {"a": (2, 1, 2), "b": (2, 3, 1)},
        ".... .#.. .... .#.~ ...~ ....",
        gifts={"a": "snowman"},
        snowmen=((4, 2),),
    )
    response = ask_hint(start, "a", effort=effort)
    pick = response["pick"]
    assert (pick["type"], pick["row"], pick["lane"]) == ("play", 4, 0)


def test_a_decided_race_has_exact_values():
    """All choices of a lose or win by force, and so nothing is estimated."""
    start = state({"a": (2, 2, 1), "b": (2, 7, 0)})
    response = ask_hint(start, "a")
    assert response["search"]["exact"]
    assert {each["value"] for each in response["moves"]} == {0.0}
    assert {each["error"] for each in response["moves"]} == {0.0}


def test_limits_fit_the_scratch_space():
    assert max(turns for turns, *_ in LIMITS.values()) <= forcing.TURNS


def bounds_of(start, *words):
    """Return the bounds of each choice by direction or type."""
    question = question_of(follow_turn(start, *words).play, "standard")
    solution = solve(SlopecrashersTurns(), question, None)
    [choices] = question.decision.choices.values()
    named = (each.type if each.direction is None else each.direction for each in choices)
    names = [each.label for each in named]
    return dict(zip(names, solution.bounds, strict=True))


def test_s16_a_win_in_this_turn_or_by_force_is_proven():
    start = state({"a": (2, 10, 1), "b": (1, 2, 0)}, "... " * 12)
    assert bounds_of(start) == dict.fromkeys(("forward", "left", "right", "end"), (1.0, 1.0))


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(
            state({"a": (2, 2, 1), "b": (2, 7, 0)}),
            id="a loss against the best play: b may as well wait",
        ),
        pytest.param(
            state({"a": (2, 10, 1), "b": (1, 2, 0), "c": (1, 1, 0)}, "... " * 12, stung="a"),
            id="a win between three players in the next turn",
        ),
        pytest.param(
            follow_turn(
                state(
                    {"a": (2, 3, 1), "b": (2, 7, 1)},
                    gifts={"a": "rocket", "b": "magnet"},
                    stung="b",
                ),
                "rocket",
            ).play.state,
            id="a win after one of two answers (S13)",
        ),
        pytest.param(
            state({"a": (2, 0, 0), "b": (1, 0, 0)}, "+. " * 70),
            id="a win that needs too many actions (S5)",
        ),
    ],
)
def test_what_is_not_certain_is_not_proven(start):
    assert set(bounds_of(start).values()) == {UNKNOWN}


def test_s5_a_win_that_returns_to_a_space_is_not_proven():
    """After a step to the right, a step back would return with the same movements left."""
    start = state({"a": (2, 3, 0), "b": (1, 0, 0)}, ".# ++ .. .. ..")
    bounds = bounds_of(start)
    assert bounds["forward"] == (1.0, 1.0)
    assert bounds["right"] == UNKNOWN


def test_a_stack_that_may_be_deeper_than_packed_proves_nothing():
    places, many = {"a": (2, 6, 0), "b": (2, 5, 1)}, deck(magnet=40)
    for count, result in ((10, None), (9, 1)):
        assert by_kernel(state(places, gifts={"a": "magnet " * count}, cards=many), 1) == result
