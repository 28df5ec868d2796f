"""Training of the Snow Time evaluator: self-play, fitting, reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import research.training.snow_time as train_evaluator
from research.league.running.engine import Engine
from research.league.running.journal import append_json_lines, read_json_lines
from research.league.snow_time import training
from research.league.snow_time.evaluator_report import assess, fit_score_only, shares_of
from research.league.snow_time.fitting import (
    KNOTS,
    TERMS,
    Sample,
    document,
    fit,
    held_out,
    log_loss,
    simple_prior,
)
from research.league.snow_time.self_play import (
    SelfPlayGame,
    load_sample,
    play_game,
    play_games,
    self_play_games,
    track_of,
)
from research.league.snow_time.training import PRIOR, SIZES, Plan, PlanMismatch, train

from service.games.snow_time.engine.evaluation import default_evaluator, read_evaluator
from service.games.snow_time.rules.state import DECK, default_track

pytestmark = pytest.mark.research

SEED = 5
EVALUATORS = ["older.json", "newest.json"]


@pytest.fixture
def first(tmp_path: Path) -> Path:
    path = tmp_path / "generation-0.json"
    evaluator = document("first", {players: simple_prior(*PRIOR) for players in SIZES})
    path.write_text(json.dumps(evaluator), encoding="utf-8")
    return path


def made_up(players: int, worth: float, positions: int = 6_000) -> Sample:
    """Positions whose winners are drawn by known potentials: a space counts ``worth``."""
    print(f"{SEED=}")
    random = np.random.default_rng(SEED)
    owners = np.array([0, 0, 1, 1]) if players == 2 else np.arange(players)
    scores = random.integers(0, 29, (positions, len(owners)))
    potentials = np.exp(worth * scores) @ np.eye(players)[owners]
    chances = potentials / potentials.sum(axis=1, keepdims=True)
    winners = [random.choice(players, p=chance) for chance in chances]
    return Sample(
        scores=scores,
        hands=np.full(scores.shape, sum(1 << (card - 1) for card in DECK)),
        kinds=np.zeros_like(scores),
        owners=owners,
        shares=np.eye(players)[winners],
        games=np.arange(positions),
        length=30,
    )


def test_a_seed_fixes_the_population_and_every_kind_of_agent_plays():
    games = self_play_games(4, 300, EVALUATORS, SEED)
    assert games == self_play_games(4, 300, EVALUATORS, SEED)
    assert games != self_play_games(4, 300, EVALUATORS, SEED + 1)
    assert len({game.number for game in games}) == 300
    specs = [spec for game in games for spec in game.agents]
    for part in ("round-solver:", "older.json", "newest.json", "random_move_rate=0.03"):
        assert any(part in spec for spec in specs)
    alike = [game for game in games if len(set(game.agents)) == 1]
    odd = [game for game in games if len(set(game.agents)) == 2]
    assert 100 < len(alike) < 200
    assert len(odd) > 45


@pytest.mark.parametrize("players", SIZES)
def test_a_game_depends_on_its_seed_alone(players: int, first: Path):
    scheduled = self_play_games(players, 3, [str(first)], SEED)[0]
    game = play_game(scheduled)
    assert game == play_game(scheduled) == json.loads(json.dumps(game))
    assert game["positions"][0][0] == [0] * (4 if players == 2 else players)
    assert sum(game["shares"]) == pytest.approx(1.0)
    assert len(game["shares"]) == players


def test_the_game_of_a_cut_off_line_is_played_again(tmp_path: Path, first: Path):
    games = self_play_games(3, 3, [str(first)], SEED)
    path = tmp_path / "games.jsonl"
    play_games(games, path, Engine())
    whole = list(read_json_lines(path))
    path.write_bytes(path.read_bytes()[:-20])
    assert list(read_json_lines(path)) == whole[:-1]
    play_games(games, path, Engine())
    assert list(read_json_lines(path)) == whole


def test_a_sample_does_not_depend_on_the_order_in_which_games_finish(tmp_path: Path, first: Path):
    games = [play_game(game) for game in self_play_games(3, 3, [str(first)], SEED)]
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    for path, order in ((one, games), (other, games[::-1])):
        append_json_lines(path, order)
    sample = load_sample([one], 3)
    assert len(sample.scores) == sum(len(game["positions"]) for game in games)
    assert sorted(set(sample.games.tolist())) == [game["number"] for game in games]
    assert sample.kinds.max() <= 2
    for name, value in vars(load_sample([other], 3)).items():
        assert np.array_equal(value, getattr(sample, name)), name
    with pytest.raises(ValueError, match="no games"):
        load_sample([tmp_path / "none.jsonl"], 3)


def test_held_out_games_stay_held_out_when_games_are_added():
    sample = made_up(3, worth=0.2, positions=400)
    fewer = Sample(
        **{
            name: value[::3] if isinstance(value, np.ndarray) and len(value) == 400 else value
            for name, value in vars(sample).items()
        }
    )
    assert np.array_equal(held_out(sample)[::3], held_out(fewer))
    assert held_out(sample).sum() == 80


@pytest.mark.parametrize("players", SIZES)
def test_a_fit_recovers_the_weights_that_the_winners_were_drawn_with(players: int):
    sample = made_up(players, worth=0.2)
    fitted = fit(sample, np.zeros((len(KNOTS), len(TERMS))), pull=1e-6)
    # Nearly all made-up positions have their leader close to the end.
    assert fitted.weights[:2, 0] == pytest.approx(0.2, abs=0.05)
    assert fitted.log_loss < np.log(players) - 0.1


@pytest.mark.parametrize("players", SIZES)
def test_the_evaluator_of_the_service_agrees_with_the_fit(players: int):
    random = np.random.default_rng([SEED, players])
    weights = simple_prior(*PRIOR) + random.normal(scale=0.01, size=(len(KNOTS), len(TERMS)))
    sample = made_up(players, worth=0.2, positions=500)
    cards = random.integers(0, 1 << 10, sample.hands.shape)
    sample = Sample(**{**vars(sample), "hands": cards})
    evaluator = read_evaluator(document("some", {players: weights}))
    shares = shares_of(evaluator, sample)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    loss = float(-(sample.shares * np.log(shares)).sum(axis=1).mean())
    assert loss == pytest.approx(log_loss(sample, weights), abs=1e-3)


def test_a_strong_penalty_keeps_the_prior_at_all_knots():
    prior = simple_prior(*PRIOR)
    fitted = fit(made_up(4, worth=0.2, positions=200), prior, pull=1e3)
    assert fitted.weights == pytest.approx(prior, abs=1e-3)


def test_scores_alone_predict_worse_if_hands_matter():
    weights = simple_prior(0.0, 12.0, 0.0)
    random = np.random.default_rng(SEED)
    sample = made_up(3, worth=0.1)
    cards = random.integers(0, 1 << 10, sample.hands.shape)
    evaluator = read_evaluator(document("some", {3: weights}))
    sample = Sample(**{**vars(sample), "hands": cards})
    chances = shares_of(evaluator, sample)
    winners = [random.choice(3, p=chance / chance.sum()) for chance in chances]
    sample = Sample(**{**vars(sample), "shares": np.eye(3)[winners]})
    with_hands = assess("hands", evaluator, sample)
    without = assess("scores", fit_score_only({3: sample}), sample)
    assert with_hands.log_loss < without.log_loss - 0.02
    within = np.abs(with_hands.predicted - with_hands.actual) <= 2.0 * with_hands.error
    assert within.mean() > 0.8


def test_training_continues_an_interrupted_run_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    sizes = (4, 3)
    for module in (training, train_evaluator):
        monkeypatch.setattr(module, "SIZES", sizes)
    plan = Plan(tmp_path / "run", generations=1, games=8, gate_games=4, seed=SEED, engine=Engine())
    accepted = train(plan)
    files = sorted(plan.folder.glob("games-*.jsonl"))
    before = {path: path.read_bytes() for path in files}
    assert len(files) == len(sizes)
    evaluators = {path: path.read_bytes() for path in accepted}
    files[0].write_bytes(b"\n".join(before[files[0]].split(b"\n")[:1]) + b"\n")
    assert train(plan) == accepted
    assert {path: sorted(path.read_bytes().split(b"\n")) for path in files} == {
        path: sorted(lines.split(b"\n")) for path, lines in before.items()
    }
    assert {path: path.read_bytes() for path in accepted} == evaluators
    train_evaluator.report(plan, accepted, None)
    assert "score alone" in capsys.readouterr().out
    assert (plan.folder / "calibration.png").stat().st_size > 10_000
    assert "| 4 |" in (plan.folder / "report.md").read_text(encoding="utf-8")
    with pytest.raises(PlanMismatch, match="seed"):
        train(replace(plan, seed=SEED + 1))


def test_the_shipped_evaluator_has_weights_for_every_number_of_players():
    assert sorted(default_evaluator().weights) == sorted(SIZES)


def test_install_copies_the_evaluator_and_its_report(
    tmp_path: Path, first: Path, monkeypatch: pytest.MonkeyPatch
):
    plan = Plan(tmp_path / "run", generations=1, games=12, gate_games=4, seed=SEED, engine=Engine())
    plan.folder.mkdir()
    (plan.folder / "report.md").write_text("| 5 |\n", encoding="utf-8")
    (plan.folder / "calibration.png").write_bytes(b"a picture")
    engine = tmp_path / "engine"
    engine.mkdir()
    monkeypatch.setattr(train_evaluator.evaluation, "__file__", str(engine / "evaluation.py"))
    train_evaluator.install(plan, first, None, "potential-9")
    assert json.loads((engine / "evaluator.json").read_text(encoding="utf-8"))["version"] == (
        "potential-9"
    )
    assert (engine / "evaluator.png").read_bytes() == b"a picture"
    page = (engine / "evaluator.md").read_text(encoding="utf-8")
    assert "| 5 |" in page
    assert "tune_evaluator.py" not in page

    original = json.loads(first.read_text(encoding="utf-8"))
    gain = {"shares": [0.4, 0.3], "gain": 0.1, "error": 0.01, "pairs": 300}
    tuned = tmp_path / "tuned.json"
    tuned.write_text(json.dumps(original | {"knots": [2, 3, 4, 5, 6], "tuning": {"4": gain}}))
    train_evaluator.install(plan, first, tuned, "potential-10")
    document = json.loads((engine / "evaluator.json").read_text(encoding="utf-8"))
    assert (document["version"], document["knots"]) == ("potential-10", [2, 3, 4, 5, 6])
    assert document.keys() == original.keys()
    page = (engine / "evaluator.md").read_text(encoding="utf-8")
    assert "| 4 | 30.0% | 40.0% | +0.100 ± 0.020 | 300 |" in page


def test_games_on_other_tracks_have_their_length_and_bonuses(first: Path):
    game = SelfPlayGame(3, 4, (f"service:effort=quick,evaluator={first}",) * 4, 20)
    scores = [position[0] for position in play_game(game)["positions"]]
    assert max(max(own) for own in scores) < 20
    assert track_of(20).length == 20
    assert track_of(20).bonuses
    assert track_of(default_track().length) == default_track()
