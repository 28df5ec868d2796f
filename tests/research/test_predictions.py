"""The yardstick of predictions: its figures are what it says, and learning helps."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest
import research.predictions as script
from research.league.snow_time.predictions import MODELS, observed_rounds, recorded_rounds, score
from research.league.statistics.learning_chart import learning_curve

pytestmark = pytest.mark.research


def played(seed: int, *specs: str):
    return recorded_rounds(dict(zip("abcd", specs, strict=True)), seed)


def test_each_first_decision_is_scored_against_uniform_play():
    rounds = played(1, *["random"] * 4)
    predictions = list(score(rounds, "bcd"))
    [opening] = observed_rounds(rounds[:1])
    first = [own for own in predictions if own.round == 1]
    assert [own.player for own in first] == ["b", "c", "d"]
    for own in first:
        [observation] = [seen for seen in opening[own.player] if seen.choices.habitual]
        [index] = observation.agreeing
        row = observation.choices.rows[0].astype(float)
        assert own.nats["equilibrium"] == pytest.approx(log((0.96 * row[index] + 0.004) * 10))
        # Nothing is known yet.
        assert own.nats["learned"] == pytest.approx(own.nats["prior"])


def test_learning_predicts_round_solvers_better_than_the_prior_and_the_equilibrium():
    nats = []
    for seed in (1, 2, 3):
        rounds = played(
            seed, "random", *["round-solver:champion=0.35,watcher=1.1,blizzard=1.1"] * 3
        )
        nats += [[own.nats[model] for model in MODELS] for own in score(rounds, "bcd")]
    equilibrium, prior, learned = np.mean(nats, axis=0)
    assert learned > prior > equilibrium
    assert learned > 0.4


def test_a_table_of_the_script_has_a_row_and_a_chart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    chart = tmp_path / "learning.png"
    assert script.main(["--games", "1", "--only", "random", "--chart", str(chart)]) == 0
    assert "random" in capsys.readouterr().out
    assert chart.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_a_learning_curve_averages_neighbouring_rounds():
    nats = np.array([[0.0], [3.0], [6.0], [9.0]])
    curve = learning_curve(nats, np.array([1, 2, 2, 3]))
    assert curve.tolist() == [[3.0], [4.5], [6.0]]
