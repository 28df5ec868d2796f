"""Tuning of the Snow Time evaluator by play."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import research.tuning.snow_time as tune_evaluator
from research.league.running.engine import Engine
from research.league.snow_time import tuning
from research.league.snow_time.tuning import (
    DEVIATION,
    DIMENSIONS,
    STEP,
    Pair,
    mirrored_pairs,
    moved,
    play_pair,
    play_pairs,
    tuned,
    win_share_gradient,
)

from service.games.snow_time.engine.evaluation import default_evaluator, read_evaluator

pytestmark = pytest.mark.research

UNCHANGED = (0.0,) * DIMENSIONS
FILE = str(tune_evaluator.EVALUATOR)


# The point -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_zero_point_changes_nothing(players: int):
    evaluator = tuned(default_evaluator(), players, UNCHANGED)
    assert evaluator.weights == default_evaluator().weights


def test_factors_are_interpolated_and_apply_to_one_number_of_players():
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


def test_pairs_have_opposite_random_deviations():
    here = [0.1 * place for place in range(DIMENSIONS)]
    pairs = mirrored_pairs(FILE, 4, here, 400, seed=7)
    assert pairs == mirrored_pairs(FILE, 4, here, 400, seed=7)
    points = np.array([pair.points for pair in pairs])
    assert points.mean(axis=1) == pytest.approx(np.tile(here, (400, 1)))
    away = points[:, 0] - np.array(here)
    assert away.std(axis=0) == pytest.approx(DEVIATION, rel=0.15)
    assert [pair.number for pair in pairs] == list(range(7, 407))


# The games -------------------------------------------------------------------------------------


def test_equal_points_win_equal_shares():
    for number in range(3):
        result = play_pair(Pair(number, 2, FILE, (UNCHANGED, UNCHANGED)))
        assert result["shares"][0] == result["shares"][1]


def test_finished_pairs_are_not_played_again(tmp_path: Path):
    pairs = mirrored_pairs(FILE, 2, UNCHANGED, 3, seed=0)
    path = tmp_path / "pairs.jsonl"
    first = play_pairs(pairs[:2], path, Engine())
    lines = path.read_text().splitlines()
    again = play_pairs(pairs, path, Engine())
    assert [pair["shares"] for pair in again[:2]] == [pair["shares"] for pair in first]
    assert path.read_text().splitlines()[:2] == lines
    assert [pair["number"] for pair in again] == [0, 1, 2]


# The gradient ----------------------------------------------------------------------------------


def synthetic(true: list[float], noise: float, pairs: int) -> list[dict[str, object]]:
    random = np.random.default_rng(5)
    results = []
    for pair in mirrored_pairs(FILE, 4, UNCHANGED, pairs, seed=0):
        one, other = np.array(pair.points)
        gained = (one - other) @ np.array(true) + noise * random.normal()
        results.append({"points": pair.points, "shares": [gained, 0.0]})
    return results


def test_a_gradient_is_estimated_within_its_errors():
    true = [0.05, -0.1, 0.0, 0.2, 0.0, 0.0, -0.03, 0.01]
    exact, errors = win_share_gradient(synthetic(true, 0.0, 50))
    assert exact == pytest.approx(true, abs=1e-9)
    assert errors == pytest.approx(np.zeros(DIMENSIONS), abs=1e-9)
    estimate, errors = win_share_gradient(synthetic(true, 0.5, 4_000))
    assert errors == pytest.approx(0.5 / (2.0 * DEVIATION * np.sqrt(4_000)), rel=0.1)
    assert np.abs((estimate - true) / errors).max() < 4.0


def test_a_step_has_a_fixed_length_and_ignores_noisy_coordinates():
    gradient = np.array([0.1, 0.01, 0.0, -0.1, 0.0, 0.0, 0.0, 0.0])
    here = [1.0] * DIMENSIONS
    step = np.array(moved(here, gradient, np.full(DIMENSIONS, 0.02))) - here
    assert np.linalg.norm(step) == pytest.approx(STEP)
    assert step[0] == pytest.approx(-step[3])
    assert 0.0 < step[1] < 0.03 * step[0]
    assert moved(here, np.zeros(DIMENSIONS), np.full(DIMENSIONS, 0.02)) == here


# The script ------------------------------------------------------------------------------------


def test_an_interrupted_run_continues_to_the_same_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def win_shares(pair: Pair) -> dict[str, Any]:
        """Return made-up shares; the tests above play games."""
        shares = [0.5 + sum(point) / 10.0 + pair.number / 100.0 for point in pair.points]
        return asdict(pair) | {"shares": shares}

    monkeypatch.setattr(tuning, "play_pair", win_shares)
    arguments = ["--out", str(tmp_path), "--players", "2", "--steps", "1", "--pairs", "9"]
    arguments += ["--gate-pairs", "2", "--jobs", "1"]
    assert tune_evaluator.main(arguments) == 0
    file = tmp_path / "point-2.json"
    before, printed = file.read_text(), capsys.readouterr().out
    assert [line.partition(":")[0] for line in printed.splitlines()] == ["step 0", "total"]
    (tmp_path / "gate-2-0.jsonl").unlink()
    assert tune_evaluator.main(arguments) == 0
    assert file.read_text() == before
    document = json.loads(before)
    [step] = document["steps"]
    assert document["point"] == (step["to"] if step["gain"] > 0.0 else step["from"])
    assert (document["whole"]["to"], document["whole"]["from"]) == (
        document["point"],
        list(UNCHANGED),
    )


def test_the_tuned_evaluator_uses_the_points_of_all_numbers_of_players(tmp_path: Path):
    point = [0.1 * place for place in range(DIMENSIONS)]
    for players in (2, 5):
        text = json.dumps({"players": players, "point": point, "whole": {}})
        (tmp_path / f"point-{players}.json").write_text(text)
    tune_evaluator.write_tuned(tmp_path, tune_evaluator.EVALUATOR)
    document = json.loads((tmp_path / "tuned.json").read_text())
    assert document.pop("tuning") == {"2": {}, "5": {}}
    weights = read_evaluator(document).weights
    for players in (3, 4):
        assert weights[players] == default_evaluator().weights[players]
    for players in (2, 5):
        expected = tuned(default_evaluator(), players, point).weights[players]
        assert weights[players].pace == pytest.approx(expected.pace, abs=1e-4)
        assert np.array(weights[players].champions) == pytest.approx(
            np.array(expected.champions), abs=1e-4
        )
