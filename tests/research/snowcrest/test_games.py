"""Compiled games: final scores, views, and games that a seed fixes."""

from __future__ import annotations

import numpy as np
import pytest
from research.league.snowcrest.agents import GREEDY_EVALUATOR
from research.league.snowcrest.game_kernels import play_game

from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.engine.evaluation import default_evaluator, models_of
from service.games.snowcrest.engine.kernels.choices import endings
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.rules.positions import observe
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.rules.scoring import scores
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import State, observed
from service.games.snowcrest.rules.turn import Turn
from tests.games.snowcrest.engine.kernels.test_twin import SEEDS, start, steps
from tests.games.snowcrest.plain_ends import ends_game, is_end, standing

pytestmark = pytest.mark.research


@pytest.mark.parametrize("own_catalogue", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_final_scores_and_views_are_equal(seed, own_catalogue):
    random, state, packing = start(seed, own_catalogue=own_catalogue)
    count = len(state.seats)
    resources, points = np.zeros((count, at.ICON_KINDS)), np.zeros(count, np.int64)
    deals = np.zeros((1, count, endings.MOST_HIDDEN + 1, at.ICON_KINDS), np.int16)
    seen = np.zeros(packing.length, np.int16)
    for before, _, turn in steps(random, state):
        if isinstance(before, State):
            continue
        vector, seat = packing.pack(turn), random.randrange(count)
        assert endings.is_end(vector) == is_end(turn)
        assert endings.ends_game(vector) == ends_game(turn)
        view = Turn(observed(turn.state, state.players[seat]), turn.tasks, (), turn.acting_cell)
        observe(vector, packing.cards, seat, seen)
        assert np.array_equal(seen, packing.pack(view))
        endings.final_scores(seen, packing.cards, deals, endings.NO_DEAL, resources, points)
        table = scores(view.state)
        assert [each.points for each in table] == list(points)
        # The last number counts the icons of any kind, which have become resources (C22).
        assert [[*each.resources, 0] for each in table] == resources.tolist()
        expected = standing(view.state, seat)
        assert abs(endings.standing(seen, packing.cards, deals, seat) - expected) < 1e-9


def play(players: int, seed: int, difficulty: int = 1) -> tuple[int, list[float], list[int]]:
    """Return the turns, shares and points of a game of the shipped evaluator against greedy."""
    packing = packing_of(DEFAULT_CATALOGUE, players)
    evaluators = (default_evaluator(), *[GREEDY_EVALUATOR] * (players - 1))
    agents = np.array([models_of(each, DEFAULT_CATALOGUE, players) for each in evaluators])
    position = packing.pack(Turn(set_up("abcd"[:players], seed, difficulty=difficulty)))
    won, points = np.zeros(players), np.zeros(players, np.int64)
    plans = np.array([(1, 0, 0)] * players)
    turns = play_game(position, packing.cards, agents, plans, seed, won, points)
    return turns, won.tolist(), points.tolist()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_seed_fixes_a_game(players):
    games = [play(players, seed) for seed in range(1, 9)]
    assert games == [play(players, seed) for seed in range(1, 9)]
    assert len({turns for turns, _, _ in games}) > 1
    assert all(turns > 0 and sum(won) in (0.0, 1.0) for turns, won, _ in games)


def test_the_shipped_evaluator_beats_greedy_players() -> None:
    """Equal players win 10 of 40 games; 19 or more would happen once in 600 times."""
    won = sum(play(4, seed)[1][0] for seed in range(40))
    assert won >= 19
