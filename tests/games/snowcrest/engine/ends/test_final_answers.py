"""Answers of several players to a penalty: backward induction against a plain recursion."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from service.games.snowcrest.engine.choices.candidates import final_actions
from service.games.snowcrest.engine.ends.final_answers import (
    FinalAnswers,
    best_by_induction,
    to_next_answer,
)
from service.games.snowcrest.engine.ends.position_counter import PositionCounter
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.rules.progress import apply_choice, resumed
from service.games.snowcrest.rules.turn import AnswerPenalty
from tests.games.snowcrest.engine.kernels.test_twin import SEEDS, SETUPS, start, steps


def plain_best(table, player=0, chosen=()):
    """Return the values if all choose for themselves, and the players' options."""
    if player == table.shape[-1]:
        return table[chosen], list(chosen)
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
        assert best_by_induction(table) == plain_best(table)[1]


def last_penalties(seed):
    """Return penalties of a random game that others answer, as if it were the last turn."""
    random, state, _ = start(seed, own_catalogue=False)
    found = []
    for _, _, turn in steps(random, state):
        last = turn.state.turn + 1 == len(turn.state.seats)
        if last and turn.tasks and isinstance(turn.task, AnswerPenalty):
            found.append(replace(turn, state=replace(turn.state, ending=True), actions=()))
    return [turn for turn in found if turn.task.seat != turn.state.turn]


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if len(SETUPS[seed % 6]["players"]) > 2])
def test_answers_that_are_certain_to_follow_are_those_found_later(seed):
    """Their seats are what the rules make of them, and so is the turn after all of them."""
    model = default_evaluator().model

    def options_for(turn):
        """Return the options that are found without what is known from another search."""
        answers = FinalAnswers(
            lambda turn: final_actions(turn, model(turn.state))[0], PositionCounter()
        )
        return answers.best(turn)

    penalties, compared = last_penalties(seed), 0
    for turn in penalties:
        at_once = turn
        for option in options_for(turn):
            place = turn.task.seat
            assert options_for(turn)[0] == option
            for answer in option.answers:
                turn = apply_choice(turn, answer).play
            at_once = replace(at_once.popped, state=at_once.state.with_seat(place, option.seat))
            at_once = to_next_answer(at_once)
            compared += 1
        found = replace(resumed(at_once), actions=())
        # A common that is given up goes under the pile.
        below = replace(found.state, below=turn.state.below)
        assert replace(found, state=below) == replace(turn, actions=())
    print(compared)
    assert compared or not penalties
