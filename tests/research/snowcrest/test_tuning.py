"""The search for weights by compiled games, and its script."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest
import research.tuning.snowcrest as tune_snowcrest_evaluator
from research.league.running.engine import Engine
from research.league.snowcrest import tuning
from research.league.snowcrest.agents import GREEDY_EVALUATOR
from research.league.snowcrest.matches import Table, measure, play_match
from research.league.snowcrest.tuning import Plan, moved, search, weights_of

from service.games.snowcrest.engine.evaluation import default_evaluator, load_evaluator

pytestmark = pytest.mark.research

CREST = default_evaluator()
PLAN = Plan(CREST, CREST, solo=True, steps=2, variants=4, groups=1, seed=1)
GREEDY_TABLE = Table("two players", 2, GREEDY_EVALUATOR)


def test_the_search_starts_at_the_first_evaluator() -> None:
    for solo in (False, True):
        plan = Plan(CREST, CREST, solo, 1, 4, 1, 1)
        used = int((weights_of(CREST, solo=solo) != 0.0).sum())
        start = moved(plan, np.zeros(used), "start")
        assert (start.several, start.solo) == (CREST.several, CREST.solo)
        other = moved(plan, np.ones(used), "other")
        changed = weights_of(other, solo=solo) != weights_of(CREST, solo=solo)
        assert np.array_equal(changed, weights_of(CREST, solo=solo) != 0.0)
        assert (other.several == CREST.several) == solo


def test_the_search_finds_better_weights(monkeypatch, tmp_path):
    """With a known optimum in place of games: weights 20 % larger than those of the start."""
    wanted = 1.2 * weights_of(CREST, solo=True)

    def closeness(plan, step, point):
        return -float(((weights_of(moved(plan, point, "x"), solo=True) - wanted) ** 2).sum())

    monkeypatch.setattr(tuning, "value", closeness)
    plan = Plan(CREST, CREST, solo=True, steps=150, variants=12, groups=1, seed=3)
    found = search(plan, tmp_path / "values.jsonl", "found", Engine())
    start = float(((weights_of(CREST, solo=True) - wanted) ** 2).sum())
    assert float(((weights_of(found, solo=True) - wanted) ** 2).sum()) < start / 2
    assert found.several == CREST.several


def test_an_interrupted_search_continues(monkeypatch, tmp_path):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    found = search(PLAN, whole, "found", Engine())
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == PLAN.steps * PLAN.variants
    cut.write_text("".join(lines[:5]) + lines[5][:9], encoding="utf-8")
    played = []
    real = tuning.value

    def counted(plan, step, point):
        played.append(step)
        return real(plan, step, point)

    monkeypatch.setattr(tuning, "value", counted)
    assert search(PLAN, cut, "found", Engine()) == found
    assert played == [1, 1, 1]


def test_a_value_is_the_mean_over_the_tables() -> None:
    used = int((weights_of(CREST, solo=True) != 0.0).sum())
    found = tuning.value(PLAN, 4, np.zeros(used))
    results = [play_match(table, CREST, PLAN.seed + 4)[0] for table in PLAN.tables]
    expected = [result.share + tuning.POINT * result.points for result in results]
    assert abs(found - sum(expected) / len(expected)) < 1e-12


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


SHORT = ("--steps", "1", "--variants", "4", "--groups", "1", "--games", "4", "--jobs", "1")


def test_the_script_tunes_and_measures(tmp_path, capsys):
    tune = ["tune", "--out", str(tmp_path), "--solo", "--version", "short", *SHORT]
    assert tune_snowcrest_evaluator.main(tune) == 0
    first = capsys.readouterr().out
    assert "step 1 of 1" in first
    assert "| difficulty 10, alone | 4 |" in first
    path = tmp_path / "evaluator.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    assert list(document) == ["version", "slopes", "calibration", "several", "solo"]
    assert load_evaluator(path).version == "short"
    stored = path.read_bytes()
    assert tune_snowcrest_evaluator.main(tune) == 0
    assert path.read_bytes() == stored
    assert tune_snowcrest_evaluator.main([*tune, "--seed", "2"]) == 2
    assert "other options" in capsys.readouterr().err
    options = ["--games", "4", "--jobs", "1", "--only", "one greedy", "--ahead", "2", "1", "1"]
    assert tune_snowcrest_evaluator.main(["measure", str(path), *options]) == 0
    [row] = capsys.readouterr().out.splitlines()[2:]
    assert row.startswith("| one greedy player | 4 |")
