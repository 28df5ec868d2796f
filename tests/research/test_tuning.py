"""Tuning an evaluator by play."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tune_evaluator
from league.snow_time.tuning import (
    DEVIATION,
    DIMENSIONS,
    STEP,
    Pair,
    mirrored,
    moved,
    play_pair,
    play_pairs,
    slope,
    tuned,
)

from service.games.snow_time.engine.evaluation import default_evaluator, read_evaluator

pytestmark = pytest.mark.research

HOME = (0.0,) * DIMENSIONS
FILE = str(tune_evaluator.EVALUATOR)


# The point --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_point_of_no_change_changes_nothing(players: int):
    found = tuned(default_evaluator(), players, HOME)
    assert found.weights == default_evaluator().weights


def test_factors_go_from_near_to_far_and_leave_other_tables_alone():
    point = [0.0, np.log(2.0), np.log(3.0), np.log(3.0), 0.0, 0.0, np.log(4.0), 0.0]
    before, after = (
        evaluator.weights
        for evaluator in (default_evaluator(), tuned(default_evaluator(), 4, point))
    )
    assert {p: after[p] for p in (2, 3, 5)} == {p: before[p] for p in (2, 3, 5)}
    one, other = before[4], after[4]
    assert other.knots == one.knots
    assert other.blizzard == one.blizzard
    assert other.watcher == pytest.approx([3.0 * worth for worth in one.watcher])
    assert other.champions[0] == one.champions[0]
    assert np.array(other.champions[-1]) == pytest.approx(2.0 * np.array(one.champions[-1]))
    assert np.array(other.champions[2]) == pytest.approx(2.0**0.5 * np.array(one.champions[2]))
    assert (other.pace[0], other.pace[-1]) == pytest.approx((4.0 * one.pace[0], one.pace[-1]))


def test_pairs_deviate_in_opposite_ways_and_not_always_the_same():
    here = [0.1 * place for place in range(DIMENSIONS)]
    pairs = mirrored(FILE, 4, here, 400, seed=7)
    assert pairs == mirrored(FILE, 4, here, 400, seed=7)
    points = np.array([pair.points for pair in pairs])
    assert points.mean(axis=1) == pytest.approx(np.tile(here, (400, 1)))
    away = points[:, 0] - np.array(here)
    assert away.std(axis=0) == pytest.approx(DEVIATION, rel=0.15)
    assert [pair.number for pair in pairs] == list(range(7, 407))


# The games --------------------------------------------------------------------------------------


def test_the_same_point_twice_wins_the_same_twice():
    for number in range(6):
        told = play_pair(Pair(number, 2, FILE, (HOME, HOME)))
        assert told["shares"][0] == told["shares"][1]


def test_what_was_played_is_not_played_again(tmp_path: Path):
    pairs = mirrored(FILE, 2, HOME, 3, seed=0)
    path = tmp_path / "pairs.jsonl"
    first = play_pairs(pairs[:2], path, jobs=1)
    lines = path.read_text().splitlines()
    again = play_pairs(pairs, path, jobs=1)
    assert [told["shares"] for told in again[:2]] == [told["shares"] for told in first]
    assert path.read_text().splitlines()[:2] == lines
    assert [told["number"] for told in again] == [0, 1, 2]


# The slope --------------------------------------------------------------------------------------


def synthetic(true: list[float], noise: float, pairs: int) -> list[dict[str, object]]:
    random = np.random.default_rng(5)
    found = []
    for pair in mirrored(FILE, 4, HOME, pairs, seed=0):
        one, other = np.array(pair.points)
        gained = (one - other) @ np.array(true) + noise * random.normal()
        found.append({"points": pair.points, "shares": [gained, 0.0]})
    return found


def test_a_slope_is_found_within_its_errors():
    true = [0.05, -0.1, 0.0, 0.2, 0.0, 0.0, -0.03, 0.01]
    exact, errors = slope(synthetic(true, 0.0, 50))
    assert exact == pytest.approx(true, abs=1e-9)
    assert errors == pytest.approx(np.zeros(DIMENSIONS), abs=1e-9)
    found, errors = slope(synthetic(true, 0.5, 4_000))
    assert errors == pytest.approx(0.5 / (2.0 * DEVIATION * np.sqrt(4_000)), rel=0.1)
    assert np.abs((found - true) / errors).max() < 4.0


def test_a_step_is_as_long_as_it_may_be_and_hardly_goes_where_there_is_but_noise():
    found = np.array([0.1, 0.01, 0.0, -0.1, 0.0, 0.0, 0.0, 0.0])
    here = [1.0] * DIMENSIONS
    step = np.array(moved(here, found, np.full(DIMENSIONS, 0.02))) - here
    assert np.linalg.norm(step) == pytest.approx(STEP)
    assert step[0] == pytest.approx(-step[3])
    assert 0.0 < step[1] < 0.03 * step[0]
    assert moved(here, np.zeros(DIMENSIONS), np.full(DIMENSIONS, 0.02)) == here


# The script -------------------------------------------------------------------------------------


def test_it_goes_on_where_it_stopped_and_comes_to_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = ["--out", str(tmp_path), "--players", "2", "--steps", "1", "--pairs", "12"]
    asked += ["--gate-pairs", "3", "--jobs", "1"]
    assert tune_evaluator.main(asked) == 0
    file = tmp_path / "point-2.json"
    before, printed = file.read_text(), capsys.readouterr().out
    assert [line.partition(":")[0] for line in printed.splitlines()] == ["step 0", "altogether"]
    (tmp_path / "gate-2-0.jsonl").unlink()
    assert tune_evaluator.main(asked) == 0
    assert file.read_text() == before
    told = json.loads(before)
    [step] = told["steps"]
    assert told["point"] == (step["to"] if step["gain"] > 0.0 else step["from"])
    assert (told["whole"]["to"], told["whole"]["from"]) == (told["point"], list(HOME))


def test_the_tuned_evaluator_stands_at_the_points_of_all_tables(tmp_path: Path):
    point = [0.1 * place for place in range(DIMENSIONS)]
    for players in (2, 5):
        text = json.dumps({"players": players, "point": point, "whole": {}})
        (tmp_path / f"point-{players}.json").write_text(text)
    tune_evaluator.write_tuned(tmp_path, tune_evaluator.EVALUATOR)
    found = json.loads((tmp_path / "tuned.json").read_text())
    assert found.pop("tuning") == {"2": {}, "5": {}}
    weights = read_evaluator(found).weights
    for players in (3, 4):
        assert weights[players] == default_evaluator().weights[players]
    for players in (2, 5):
        wanted = tuned(default_evaluator(), players, point).weights[players]
        assert weights[players].pace == pytest.approx(wanted.pace, abs=1e-4)
        assert np.array(weights[players].champions) == pytest.approx(
            np.array(wanted.champions), abs=1e-4
        )
