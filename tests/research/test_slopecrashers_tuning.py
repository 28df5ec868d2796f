"""Tuning the evaluator of Slopecrashers."""

import json

import numpy as np
import pytest
import research.tuning.slopecrashers as tune_slopecrashers_evaluator
from research.league.slopecrashers.play import initial_state, play
from research.league.slopecrashers.tuning import (
    DEEP,
    SPREAD,
    WEIGHTS,
    PlanAgent,
    TuningGame,
    changed,
    effects,
    play_tuning_game,
    step,
)

from service.games.slopecrashers.engine.evaluation import FILE, default_evaluator, read

pytestmark = pytest.mark.research


def changes(**values):
    return [values.get(name, 0.0) for name in WEIGHTS]


def made_up_games(true, count):
    """Return games that are won as the model says."""
    random = np.random.default_rng(5)
    games = []
    for _ in range(count):
        rows = random.standard_normal((4, len(WEIGHTS)))
        powers = np.exp(rows @ true)
        games.append(TuningGame(int(random.choice(4, p=powers / powers.sum())), rows))
    return games


def test_factors_multiply_the_weights():
    before = default_evaluator()
    assert changed(before, changes()) == before
    after = changed(before, changes(order=1.0, spring=2.0, deep=-1.0))
    factor = np.exp(SPREAD)
    assert after.order == pytest.approx(before.order * factor, abs=1e-3)
    assert after.worth["spring"] == pytest.approx(before.worth["spring"] * factor**2, abs=1e-3)
    assert after.deep["spring"] == pytest.approx(before.deep["spring"] * factor, abs=1e-3)
    assert after.deep["chili"] == pytest.approx(before.deep["chili"] / factor, abs=1e-3)
    assert after.worth["chili"] == before.worth["chili"]
    assert changed(before, changes(field=9.0)).field < 1.0


def test_effects_are_estimated_within_their_errors():
    true = np.zeros(len(WEIGHTS))
    true[WEIGHTS.index(DEEP)], true[WEIGHTS.index("hidden")] = 0.5, -0.3
    found, errors = effects(made_up_games(true, 600))
    assert errors == pytest.approx(np.full(len(WEIGHTS), 0.05), rel=0.25)
    assert np.abs((found - true) / errors).max() < 3.5


def test_a_step_has_a_fixed_length_and_ignores_noisy_effects():
    found, errors = np.array([0.3, -0.4, 0.05]), np.full(3, 0.05)
    assert step(found, errors, 2.0) == pytest.approx([1.2, -1.6, 0.0])
    assert step(found[2:], errors[2:], 2.0) == pytest.approx([0.0])


def test_players_follow_their_plans_until_something_happens():
    searches = []

    class Counted(PlanAgent):
        def choose(self, question, random):
            planned = set(self._planned)
            action = super().choose(question, random)
            searches.append(not planned or set(self._planned) != planned)
            return action

    first = initial_state(2, 7)
    finished = play(first, {name: Counted(default_evaluator()) for name in first.players}, 7)
    assert finished.winner in (0, 1)
    assert 0.2 < np.mean(searches) < 0.8


def test_an_interrupted_run_continues_to_the_same_result(tmp_path, capsys, monkeypatch):
    game = play_tuning_game(2, 3, str(FILE))
    assert game.changes.shape == (2, len(WEIGHTS))

    def made_up(players, seed, evaluator):
        [game] = made_up_games(np.full(len(WEIGHTS), seed / 10.0), 1)
        return game

    monkeypatch.setattr(tune_slopecrashers_evaluator, "play_tuning_game", made_up)
    arguments = ["--out", str(tmp_path), "--games", "40", "--jobs", "1"]
    assert tune_slopecrashers_evaluator.main(arguments) == 0
    tuned, page = (tmp_path / "tuned.json").read_text(), capsys.readouterr().out
    assert f"| {DEEP} |" in page
    lines = (tmp_path / "games.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "games.jsonl").write_text("".join(lines[::2]))
    assert tune_slopecrashers_evaluator.main(arguments) == 0
    assert (tmp_path / "tuned.json").read_text() == tuned
    assert json.loads(tuned)["version"] == "tuned"
    assert read(tmp_path / "tuned.json") != default_evaluator()
    other = ["--evaluator", str(tmp_path / "tuned.json")]
    assert tune_slopecrashers_evaluator.main([*arguments, *other]) == 2
    assert "around another evaluator" in capsys.readouterr().err
