"""The Snowcrest league: games, agents and training."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import research.play as tournament
from research.__main__ import main as research
from research.league.roster import agent
from research.league.running.cells import SNOWCREST, Cell, ScheduledGame, Target, parse_cells
from research.league.running.play import play_one
from research.league.running.records import read_records
from research.league.snowcrest.agents import GreedyAgent, RandomAgent, ServiceAgent
from research.league.snowcrest.evaluator_report import report
from research.league.snowcrest.play import GAME, initial_state, play
from research.league.snowcrest.training import (
    SETS,
    TrainingGame,
    features,
    fit_evaluator,
    loss,
    play_training_game,
    shares,
)

from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.engine.evaluation import (
    EVALUATOR_FILE,
    default_evaluator,
    load_evaluator,
)
from service.games.snowcrest.engine.features import FEATURES
from tests.games.snowcrest.engine.plain_evaluation import knots_of
from tests.games.snowcrest.engine.plain_evaluation import shares as plain_shares

pytestmark = pytest.mark.research

SCROLLS, FREE, ONE = (FEATURES.index(name) for name in ("scrolls", "free", "one"))


def question(state):
    play = GAME.begin(state).play
    node = GAME.pending(play)
    assert isinstance(node, Decision)
    [player] = node.choices
    return TurnQuestion(play, node, player, "quick", None, None)


def test_a_game_depends_on_its_seed_alone():
    def finished(seed):
        first = initial_state(2, seed)
        return play(first, dict.fromkeys(first.players, RandomAgent()), seed)

    assert finished(1) == finished(1)
    assert len({finished(seed).turns for seed in range(4)}) > 1
    assert sum(finished(1).shares.values()) == pytest.approx(1.0)


def test_a_lost_solo_game_has_no_winner():
    first = initial_state(1, 1, difficulty=10)
    finished = play(first, {"a": RandomAgent()}, 1)
    assert finished.shares == {"a": 0.0}


def test_greedy_agents_beat_random_agents():
    wins = 0.0
    for seed in range(3):
        first = initial_state(2, seed)
        wins += play(first, {"a": GreedyAgent(), "b": RandomAgent()}, seed).shares["a"]
    assert wins >= 2.0


def test_greedy_agents_take_resources_if_they_cannot_get_scrolls():
    state = initial_state(2, 4)
    for _ in state.seats:
        play = GAME.begin(state).play
        node = GAME.pending(play)
        assert isinstance(node, Decision)
        [(player, choices)] = node.choices.items()
        state = GAME.rest(GAME.choose(play, {player: choices[0]}).play)
    play, greedy = GAME.begin(state).play, GreedyAgent()
    while isinstance(node := GAME.pending(play), Decision):
        [player] = node.choices
        asked = TurnQuestion(play, node, player, "quick", None, None)
        play = GAME.choose(play, {player: greedy.choose(asked, Random(1))}).play
    assert sum(play.state.seats[0].tokens) > sum(state.seats[0].tokens)


def test_the_cells_have_the_targets_of_the_issue():
    cells = {cell.name: cell.target for cell in parse_cells([SNOWCREST])}
    assert cells["service vs greedy @ 4 of snowcrest"] == Target(0.65, at_least=True)
    assert cells["service vs greedy @ 2 of snowcrest"] == Target(0.80, at_least=True)
    assert cells["service vs difficulty-1 @ 1 of snowcrest"] == Target(0.90, at_least=True)
    assert cells["service vs difficulty-9 @ 1 of snowcrest"] is None
    assert cells["service vs difficulty-10 @ 1 of snowcrest"] == Target(0.35, at_least=True)
    assert len(cells) == 13
    [named] = parse_cells(["greedy vs random @ 3 of snowcrest"])
    assert named == Cell("greedy", "random", 3, None, SNOWCREST)
    with pytest.raises(ValueError, match="unknown agent 'tree'"):
        parse_cells(["greedy vs tree @ 3 of snowcrest"])


def test_a_tournament_plays_and_reports_its_cells(tmp_path, capsys):
    cells = ["greedy vs random @ 2 of snowcrest", "greedy vs difficulty-3 @ 1 of snowcrest"]
    arguments = ["run", "--out", str(tmp_path), "--cells", *cells, "--games", "6", "--jobs", "1"]
    assert tournament.main(arguments) == 0
    table = capsys.readouterr().out
    assert "### Snowcrest, 2 players (par 50.0%)" in table
    assert "### Snowcrest, solo\n" in table
    assert "| greedy | difficulty-3 |" in table
    assert f"Evaluator: {default_evaluator().version}." in table
    assert {record.cell for record in read_records(tmp_path).values()} == set(cells)


def test_a_solo_game_has_the_difficulty_of_its_cell():
    cell = Cell("random", "difficulty-9", 1, None, SNOWCREST)
    record = play_one(ScheduledGame(cell, 0, 0, 5))
    assert record.share == 0.0
    assert record.rounds == play(initial_state(1, 5, difficulty=9), {"a": RandomAgent()}, 5).turns


def test_a_specification_names_an_agent_and_its_settings():
    assert isinstance(agent("service:effort=deep", SNOWCREST), ServiceAgent)
    assert isinstance(agent("greedy", SNOWCREST), GreedyAgent)


# Training -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2])
def test_shares_agree_with_the_service(players):
    seen = play_training_game(players, 5, str(EVALUATOR_FILE))
    states = []
    first = initial_state(players, 5, difficulty=6)
    play(first, dict.fromkeys(first.players, RandomAgent()), 5, states.append)
    now = states[9]
    following = now.turn or players
    game = replace(seen, features=np.array([features(now)]), phases=np.array([knots_of(now)]))
    assert shares(game, default_evaluator())[0] == pytest.approx(
        plain_shares(default_evaluator(), now, following)
    )
    assert seen.features.shape == (len(seen.phases), players, len(FEATURES))
    assert seen.phases.sum(axis=1) == pytest.approx(np.ones(len(seen.phases)))


def games_decided_by(feature, players, count=40):
    """Return games that the player with the most of a feature wins."""
    random = np.random.default_rng(3)
    games = []
    for _ in range(count):
        values = np.zeros((6, players, len(FEATURES)))
        values[..., feature] = random.uniform(0, 12, players)
        values[..., ONE] = 1.0
        points = values[0, :, feature] + random.normal(0, 0.5, players)
        won = (points == points.max()).astype(float) if players > 1 else points > 6.0
        phases = np.tile([0.25] * SETS, (6, 1))
        games.append(TrainingGame(values, phases, points, np.array(won, float), int(players == 1)))
    return games


@pytest.mark.parametrize("players", [1, 3])
def test_fitting_lowers_the_log_loss(players):
    games = games_decided_by(FREE, players)
    before = default_evaluator()
    after = fit_evaluator(games, before, "tried")
    assert loss(games, after) < loss(games, before)
    assert after.version == "tried"
    untouched = ("solo",) if players > 1 else ("several", "slopes")
    for name in untouched:
        assert getattr(after, name) == getattr(before, name)


def test_training_continues_an_interrupted_run(tmp_path, capsys):
    arguments = [
        "train",
        "--game",
        "snowcrest",
        "--out",
        str(tmp_path),
        "--generations",
        "1",
        "--jobs",
        "1",
    ]
    assert research([*arguments, "--games", "3"]) == 0
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert page in capsys.readouterr().out
    assert page.startswith("# crest-1\n")
    learned = load_evaluator(tmp_path / "evaluator-1.json")
    assert learned.version == "crest-1"
    games = tmp_path / "games-1.pickle"
    whole = games.read_bytes()
    games.write_bytes(whole[:-40])
    assert research([*arguments, "--games", "3"]) == 0
    assert len(games.read_bytes()) == len(whole)
    player = agent(f"service:effort=quick,evaluator={tmp_path / 'evaluator-1.json'}", SNOWCREST)
    assert player.choose(question(initial_state(2, 3)), Random(1)) is not None


def test_a_report_compares_predicted_and_actual_shares():
    games = games_decided_by(SCROLLS, 2, 10)
    page = report(games, [default_evaluator(), default_evaluator()], {"games": 10})
    assert "`-m research train --game snowcrest --games 10`" in page
    assert f"| 2 | 10 | {np.log(2):.4f} |" in page
    assert f"{loss(games, default_evaluator()):.4f}" in page
