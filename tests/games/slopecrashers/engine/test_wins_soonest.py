"""A win that is certain is taken by the shortest way: fewest turns, then fewest actions."""

from dataclasses import replace
from random import Random

import pytest
from research.league.slopecrashers.endgames import WIN, TooLargeError, endgame, forced_result
from research.league.slopecrashers.finishes import finish

from service.core.vocabulary import EFFORTS
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.state import LAPS, Action, ActionType, Direction, Place
from service.solver.search.turn_expectimax import rank_choices, solve
from service.solver.search.turn_plans import follow_plan, solve_with_plans
from tests import randomized
from tests.games.slopecrashers.courses import relaid
from tests.games.slopecrashers.engine.test_values import question_of
from tests.games.slopecrashers.positions import GAME

FORWARD = Action(ActionType.STEP, direction=Direction.FORWARD)
CASES = 100
"""Positions of a test."""
LIMIT = 3_000
"""Positions of a minimax."""


def in_the_last_row(random):
    """Return a turn of a player who may step over the finish line."""
    while True:
        start = relaid(finish(random))
        row = start.course.length - 1
        taken = {seat.place.space for seat in start.seats[1:]}
        free = (each for each in range(start.course.lanes) if (row, each) not in taken)
        lanes = [lane for lane in free if start.course.is_enterable(row, lane)]
        if lanes and not start.seats[0].misses_turn:
            place = Place(LAPS, row, random.choice(lanes))
            snowmen = tuple(each for each in start.snowmen if each.space != place.space)
            seat = replace(start.seats[0], place=place)
            return GAME.begin(replace(start.with_seat(0, seat), snowmen=snowmen)).play


def plan_of(turn, effort):
    question = question_of(turn, effort)
    solution = solve_with_plans(SlopecrashersTurns(), question, None)
    return follow_plan(GAME, question, solution.plans[0]).choices


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("seed", randomized.case_numbers(1, 24))
def test_a_step_over_the_finish_line_comes_before_everything_else(seed, effort):
    random = Random(seed)
    plans = [plan_of(in_the_last_row(random), effort) for _ in range(CASES)]
    assert plans == [[FORWARD]] * CASES


def turns_to_win(turn, player, most):
    """Return the fewest turns in which a player wins by force; None if more than ``most``."""
    try:
        for count in range(1, most + 1):
            if forced_result(turn, player, count, {}, LIMIT) == WIN:
                return count
    except TooLargeError:
        pass
    return None


@pytest.mark.parametrize("seed", randomized.case_numbers(2, 40))
def test_a_forced_win_is_not_put_off(seed):
    random, compared = Random(seed), 0
    while compared < 8:
        start = relaid(endgame(random), both=0)  # Without gift fields, as an endgame is.
        # The player sees all gifts if the other one has none.
        turn = GAME.begin(start.with_seat(1, replace(start.seats[1], gifts=()))).play
        player, node = turn.mover.player, GAME.pending(turn)
        soonest = turns_to_win(turn, player, 3)
        if soonest is None:
            continue
        compared += 1
        question = question_of(turn, "standard")
        [choices] = node.choices.values()
        solution = solve(SlopecrashersTurns(), question, None)
        pick = choices[rank_choices(solution, turn.state.turn)[0]]
        after = GAME.choose(turn, {player: pick}).play
        assert turns_to_win(after, player, soonest) == soonest
