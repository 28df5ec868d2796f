"""Training and tuning of evaluators, for all games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import research.train as train
import research.tune as tune
from research.evaluators.games import MODELS
from research.evaluators.model import SPREAD
from research.evaluators.winners import PRIOR, Outcome, effects, step
from research.league.running.journal import read_json_lines

from tests.games.snowcrest.engine.plain_evaluation import shares as plain_snowcrest_shares

pytestmark = pytest.mark.research

TABLES = [
    ("snow-time", 2),
    ("snow-time", 4),
    ("slopecrashers", 2),
    ("snowcrest", 1),
    ("snowcrest", 2),
]
GAMES = pytest.mark.parametrize("game", MODELS)
SEED = 5


def positions(game: str, players: int) -> list[Any]:
    visited: list[Any] = []
    MODELS[game].play([MODELS[game].random_agent] * players, SEED, visited.append)
    return visited


# Changes of weights ---------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_change_multiplies_its_weights_alone(game: str, players: int):
    model = MODELS[game]
    first = model.read(model.file)
    names = list(model.names(players))
    before = model.document(first)
    assert model.document(model.changed(first, players, np.zeros(len(names)))) == before
    for place, name in enumerate(names):
        after = model.document(model.changed(first, players, np.eye(len(names))[place]))
        pairs = list(zip(numbers(before), numbers(after), strict=True))
        factors = [new / old for old, new in pairs if abs(old) > 0.05 and new != old]
        # The factor is interpolated between the two ends of Snow Time, and a gift field is bounded.
        assert all(1.0 < factor < np.exp(SPREAD) + 0.05 for factor in factors), name
        if game == "slopecrashers" and name != "field":
            assert factors == pytest.approx([np.exp(SPREAD)] * len(factors), rel=0.02), name
        changed = {number for number, (old, new) in enumerate(pairs) if new != old}
        assert changed or game == "snowcrest", name
        assert len(changed) < len(pairs) / 2, name


def numbers(document: Any) -> list[float]:
    """Return all numbers of a document in its order."""
    if isinstance(document, dict):
        return [number for value in document.values() for number in numbers(value)]
    if isinstance(document, list | tuple):
        return [number for value in document for number in numbers(value)]
    return [float(document)] if isinstance(document, int | float) else []


def test_the_ends_of_a_weight_of_snow_time_have_own_factors():
    model = MODELS["snow-time"]
    first = model.read(model.file)
    factors = dict.fromkeys(model.names(4), 1.0)
    before = first.weights[4]
    after = model.multiplied(first, 4, factors | {"watcher far": 4.0, "champions near": 3.0})
    assert after.weights[3] == first.weights[3]
    assert after.weights[4].pace == before.pace
    expected = np.array(before.watcher) * 4.0 ** np.linspace(0.0, 1.0, len(before.knots))
    assert after.weights[4].watcher == pytest.approx(expected, abs=1e-4)
    near, far = (np.array(after.weights[4].champions[knot]) for knot in (0, -1))
    assert near == pytest.approx(3.0 * np.array(before.champions[0]), abs=1e-3)
    assert far == pytest.approx(np.array(before.champions[-1]))


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_predictions_are_shares_of_all_players(game: str, players: int):
    model = MODELS[game]
    first = model.read(model.file)
    predict = model.predictor(first, players)
    visited = positions(game, players)
    assert len(visited) > 5
    for state in visited:
        shares = predict(state)
        assert len(shares) == players
        assert players == 1 or shares.sum() == pytest.approx(1.0)
        if game == "snowcrest":
            following = state.turn or players
            plain = plain_snowcrest_shares(first, state, following)
            assert shares == pytest.approx(plain, abs=1e-9)


# Regression -----------------------------------------------------------------------------------


def made_up(true: Any, games: int) -> list[Outcome]:
    """Return games of four players who win as the model says, each with one row of offsets."""
    random = np.random.default_rng(SEED)
    found = []
    for _ in range(games):
        inputs, offsets = random.standard_normal((4, len(true))), random.standard_normal(4)
        powers = np.exp(offsets + inputs @ true)
        won = np.eye(4)[random.choice(4, p=powers / powers.sum())]
        found.append(Outcome(offsets[None], inputs[None], won))
    return found


def test_effects_are_estimated_within_their_errors():
    true = np.array([0.5, -0.3, *np.zeros(8)])
    found, errors = effects(made_up(true, 600))
    assert errors == pytest.approx(np.full(len(true), 0.05), rel=0.25)
    assert np.abs((found - true) / errors).max() < 3.5


def test_all_rows_of_a_game_count_like_one():
    games = made_up(np.array([0.5, -0.3]), 50)
    longer = [
        Outcome(
            *(np.repeat(rows, 1 + number % 3, 0) for rows in (one.offsets, one.inputs)), one.won
        )
        for number, one in enumerate(games)
    ]
    for short, long in zip(effects(games), effects(longer), strict=True):
        assert long == pytest.approx(short, abs=1e-5)


def test_an_effect_without_games_has_its_prior():
    [game] = made_up(np.zeros(3), 1)
    found, errors = effects([Outcome(game.offsets, np.zeros_like(game.inputs), game.won)])
    assert found == pytest.approx(np.zeros(3))
    assert errors == pytest.approx(np.full(3, PRIOR**-0.5))


def test_a_step_has_a_fixed_length_and_ignores_noisy_effects():
    found, errors = np.array([0.3, -0.4, 0.05]), np.full(3, 0.05)
    assert step(found, errors, 2.0) == pytest.approx([1.2, -1.6, 0.0])
    assert step(found[2:], errors[2:], 2.0) == pytest.approx([0.0])


# Training -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_fitted_evaluator_predicts_its_games_better(game: str, players: int):
    """The players win who have the lower shares, so that there is much to learn."""
    model = MODELS[game]
    seen = train.influences(game, players, [str(model.file)], SEED)
    worst = np.array(seen["shares"])[:, 0].mean(axis=0).argmin()
    seen["won"] = [float(place == worst and players > 1) for place in range(players)]
    found, _ = effects([train.outcome(seen)] * 20)
    first = model.read(model.file)
    evaluators = [first, model.changed(first, players, found)]
    predictors = [model.predictor(each, players) for each in evaluators]
    visited: list[Any] = []
    agent = train.OftenRandom(model, model.agent(first), train.RANDOM_RATE)
    model.play([agent] * players, SEED, visited.append)
    shares = [[each(state).tolist() for each in predictors] for state in visited]
    logs, won = train.predicted({"shares": shares, "won": seen["won"]})
    before, after = -(np.log(logs) @ won).mean(axis=0)
    assert after < before


@GAMES
def test_training_continues_an_interrupted_run(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    arguments = ["--game", game, "--out", str(tmp_path), "--players", "2", "--jobs", "1"]
    arguments += ["--generations", "1", "--games", "2"]
    assert train.main(arguments) == 0
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert page in capsys.readouterr().out
    for row in ("evaluator-0 |", "evaluator-1 |", f"even shares | {np.log(2):.4f} |"):
        assert f"| {row}" in page
    learned = tmp_path / "evaluator-1.json"
    evaluator = learned.read_bytes()
    assert json.loads(evaluator)["version"] == "generation-1"
    assert MODELS[game].read(learned).version == "generation-1"
    learned.unlink()
    saved = tmp_path / "games-1.jsonl"
    whole = list(read_json_lines(saved))
    saved.write_bytes(saved.read_bytes()[:-20])
    assert train.main(arguments) == 0
    assert list(read_json_lines(saved)) == whole
    assert learned.read_bytes() == evaluator
    assert train.main([*arguments, "--evaluator", str(learned)]) == 2
    assert "from another evaluator" in capsys.readouterr().err


def test_a_report_compares_predicted_and_actual_shares():
    won = [1.0, 0.0]
    games = [{"shares": [[[0.5, 0.5], [share, 1.0 - share]]], "won": won} for share in (0.8, 0.3)]
    page = train.report(["old", "new"], games)
    mean, apart = -(np.log(0.8) + np.log(0.3)) / 2, 1.96 * np.log(0.8 / 0.3) / 2 / np.sqrt(2)
    assert f"| old | {np.log(2):.4f} ± 0.0000 |" in page
    assert f"| new | {mean:.4f} ± {apart:.4f} |" in page
    assert "| 0.70 to 0.90 | 2 | 0.750 | 0.500 |" in page
    assert "| 0.30 to 0.40 | 1 | 0.300 | 1.000 |" in page
    assert "| 0.10 to 0.20 | 1 | 0.200 | 0.000 |" in page


# Tuning ---------------------------------------------------------------------------------------


@GAMES
def test_a_tuning_game_depends_on_its_seed_alone(game: str):
    file = str(MODELS[game].file)
    played = tune.play(game, 2, file, SEED)
    assert played == json.loads(json.dumps(tune.play(game, 2, file, SEED)))
    assert np.shape(played["changes"]) == (2, len(MODELS[game].names(2)))
    assert sum(played["won"]) == pytest.approx(1.0)


def test_an_interrupted_tuning_continues_to_the_same_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    names = list(MODELS["slopecrashers"].names(4))
    true = np.array([2.0 * (name == "deep") for name in names])

    def made_up_game(game: str, players: int, file: str, seed: int) -> dict[str, Any]:
        changes = np.random.default_rng(seed).standard_normal((players, len(names))).round(3)
        won = np.eye(players)[(changes @ true).argmax()]
        return {"seed": seed, "won": won.tolist(), "changes": changes.tolist()}

    monkeypatch.setattr(tune, "play", made_up_game)
    arguments = ["--game", "slopecrashers", "--out", str(tmp_path), "--games", "60", "--jobs", "1"]
    assert tune.main(arguments) == 0
    tuned, page = (tmp_path / "tuned.json").read_text(), capsys.readouterr().out
    [row] = [line for line in page.splitlines() if line.startswith("| deep |")]
    assert row.startswith("| deep | +")
    model = MODELS["slopecrashers"]
    before, after = model.read(model.file), model.read(tmp_path / "tuned.json")
    assert after.version == "tuned"
    assert all(after.deep[gift] > before.deep[gift] for gift in before.deep)
    lines = (tmp_path / "games.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "games.jsonl").write_text("".join(lines[::2]))
    assert tune.main(arguments) == 0
    assert (tmp_path / "tuned.json").read_text() == tuned
    assert tune.main([*arguments, "--evaluator", str(tmp_path / "tuned.json")]) == 2
    assert tune.main([*arguments, "--players", "1"]) == 2
    assert "no opponent" in capsys.readouterr().err


@pytest.mark.parametrize("game", sorted(MODELS))
def test_an_evaluator_survives_a_round_trip_through_its_document(game, tmp_path):
    model = MODELS[game]
    evaluator, file = model.read(model.file), tmp_path / "evaluator.json"
    file.write_text(json.dumps(model.document(evaluator)))
    assert model.document(model.read(file)) == model.document(evaluator)
    assert model.read(file).version == evaluator.version
