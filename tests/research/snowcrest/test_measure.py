"""Evaluators of Snowcrest in compiled games."""

from __future__ import annotations

from functools import partial

import pytest
from research.league.running.engine import Engine
from research.league.snowcrest.agents import GREEDY_EVALUATOR
from research.measure import Table, main, measure, play_match

from service.games.snowcrest.engine.evaluation import EVALUATOR_FILE, default_evaluator

pytestmark = pytest.mark.research

CREST = default_evaluator()
GREEDY_TABLE = Table("two players", 2, GREEDY_EVALUATOR)


def test_measurements_do_not_depend_on_the_number_of_processes() -> None:
    alone = measure(GREEDY_TABLE, CREST, 12, 5, Engine())
    with Engine(2) as engine:
        assert alone == measure(GREEDY_TABLE, CREST, 12, 5, engine)
    assert alone[0].games == 12
    assert alone[0].low < alone[0].share <= alone[0].high


def test_a_player_who_looks_ahead_plays_other_games() -> None:
    match = partial(play_match, GREEDY_TABLE, CREST)
    usual = [match(seed) for seed in range(12)]
    ahead = [match(seed, ahead=(3, 2, 1)) for seed in range(12)]
    assert ahead != usual
    assert ahead == [match(seed, ahead=(3, 2, 1)) for seed in range(12)]


def test_the_script_measures_an_evaluator(capsys):
    options = ["--games", "4", "--jobs", "1", "--only", "one greedy", "--ahead", "2", "1", "1"]
    assert main([str(EVALUATOR_FILE), *options]) == 0
    [row] = capsys.readouterr().out.splitlines()[2:]
    assert row.startswith("| one greedy player | 4 |")
