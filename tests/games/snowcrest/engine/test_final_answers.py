"""Answers of several players to a penalty in the last turn: against plain recursions."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from service.games.snowcrest.engine.final_answers import FinalAnswers, best_by_induction
from service.games.snowcrest.engine.kernels.rules.acting import act
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.rules.choices import listed_choices
from service.games.snowcrest.rules.progress import apply_choice
from service.games.snowcrest.rules.turn import AnswerPenalty, deciding_seat
from tests.games.snowcrest.engine.kernels.test_candidates import legal_by, search_of
from tests.games.snowcrest.engine.kernels.test_twin import SEEDS, SETUPS, start, steps
from tests.games.snowcrest.plain_ends import standing


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


def answered(turn, memo):
    """Return the standings after the answers of all players, who choose for themselves."""
    turn = replace(turn, actions=())
    if turn not in memo:
        if not turn.tasks or not isinstance(turn.task, AnswerPenalty):
            memo[turn] = [standing(turn.state, seat) for seat in range(len(turn.state.seats))]
        else:
            seat = deciding_seat(turn)
            after = [answered(apply_choice(turn, each).play, memo) for each in listed_choices(turn)]
            memo[turn] = max(after, key=lambda each: round(each[seat], 9))
    return memo[turn]


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if len(SETUPS[seed % 6]["players"]) > 1])
def test_answers_are_best_for_the_player_who_gives_them(seed):
    """All hands are known; the others are compared by the readable rules."""
    for before in last_penalties(seed):
        turn, memo = before, {}
        seat, packing = deciding_seat(turn), packing_of(turn.state.catalogue, len(turn.state.seats))
        position = packing.pack(turn)
        given = FinalAnswers(packing, search_of(packing), lambda _: None).best(position)
        for answer in given:
            act(position, packing.cards, answer)
            turn = apply_choice(turn, legal_by(packing, turn)[answer.tobytes()]).play
        assert np.array_equal(position, packing.pack(replace(turn, actions=())))
        assert answered(turn, memo)[seat] == pytest.approx(answered(before, memo)[seat], abs=1e-9)
