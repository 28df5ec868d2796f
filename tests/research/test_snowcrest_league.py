"""The league of Snowcrest: its games, its players, and what is learned from them."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import tournament
import train_evaluator
from league.roster import agent
from league.running.cells import SNOWCREST, Cell, Fixture, Target, cells_named
from league.running.play import play_one
from league.running.records import read_records
from league.snowcrest.agents import GreedyVillager, RandomVillager, SolvingVillager
from league.snowcrest.evaluator_report import report
from league.snowcrest.play import GAME, live, start
from league.snowcrest.training import (
    SETS,
    Lesson,
    fitted,
    lesson,
    loss,
    shares,
)

from service.core.game import Decision
from service.core.sequential import TurnQuestion
from service.games.snowcrest.engine.evaluation import (
    EVALUATOR_FILE,
    default_evaluator,
    knot_weights,
    load_evaluator,
)
from service.games.snowcrest.engine.features import FEATURES, features

pytestmark = pytest.mark.research

SCROLLS, FREE, ONE = (FEATURES.index(name) for name in ("scrolls", "free", "one"))


def question(state):
    play = GAME.begin(state).play
    node = GAME.pending(play)
    assert isinstance(node, Decision)
    [player] = node.choices
    return TurnQuestion(play, node, player, "quick", None, None)


def test_a_game_is_the_same_for_a_seed_and_another_one_for_another():
    def lived(seed):
        first = start(2, seed)
        return live(first, dict.fromkeys(first.players, RandomVillager()), seed)

    assert lived(1) == lived(1)
    assert len({lived(seed).turns for seed in range(4)}) > 1
    assert sum(lived(1).shares.values()) == pytest.approx(1.0)


def test_a_lost_game_of_one_has_no_winner():
    first = start(1, 1, difficulty=10)
    lived = live(first, {"a": RandomVillager()}, 1)
    assert lived.shares == {"a": 0.0}


def test_greedy_players_beat_those_who_move_by_chance():
    wins = 0.0
    for seed in range(3):
        first = start(2, seed)
        wins += live(first, {"a": GreedyVillager(), "b": RandomVillager()}, seed).shares["a"]
    assert wins >= 2.0


def test_greedy_players_take_resources_where_no_scrolls_are_to_be_had():
    state = start(2, 4)
    for _ in state.seats:
        play = GAME.begin(state).play
        node = GAME.pending(play)
        assert isinstance(node, Decision)
        [(player, choices)] = node.choices.items()
        state = GAME.rest(GAME.choose(play, {player: choices[0]}).play)
    play, greedy = GAME.begin(state).play, GreedyVillager()
    while isinstance(node := GAME.pending(play), Decision):
        [player] = node.choices
        asked = TurnQuestion(play, node, player, "quick", None, None)
        play = GAME.choose(play, {player: greedy.choose(asked, Random(1))}).play
    assert sum(play.state.seats[0].tokens) > sum(state.seats[0].tokens)


def test_the_cells_are_those_of_the_issue():
    cells = {cell.name: cell.target for cell in cells_named([SNOWCREST])}
    assert cells["service vs greedy @ 4 of snowcrest"] == Target(0.45, at_least=True)
    assert cells["service vs difficulty-1 @ 1 of snowcrest"] == Target(0.70, at_least=True)
    assert cells["service vs difficulty-10 @ 1 of snowcrest"] is None
    assert len(cells) == 12
    [named] = cells_named(["greedy vs random @ 3 of snowcrest"])
    assert named == Cell("greedy", "random", 3, None, SNOWCREST)
    with pytest.raises(ValueError, match="there is no agent 'tree'"):
        cells_named(["greedy vs tree @ 3 of snowcrest"])


def test_a_tournament_plays_and_reports_them(tmp_path, capsys):
    cells = ["greedy vs random @ 2 of snowcrest", "greedy vs difficulty-3 @ 1 of snowcrest"]
    told = ["run", "--out", str(tmp_path), "--cells", *cells, "--games", "6", "--jobs", "1"]
    assert tournament.main(told) == 0
    table = capsys.readouterr().out
    assert "### Snowcrest, 2 players (par 50.0%)" in table
    assert "### Snowcrest, alone\n" in table
    assert "| greedy | difficulty-3 |" in table
    assert f"Evaluator: {default_evaluator().version}." in table
    assert {record.cell for record in read_records(tmp_path).values()} == set(cells)


def test_alone_a_game_has_the_difficulty_of_its_cell():
    cell = Cell("random", "difficulty-9", 1, None, SNOWCREST)
    record = play_one(Fixture(cell, 0, 0, 5))
    assert record.share == 0.0
    assert record.rounds == live(start(1, 5, difficulty=9), {"a": RandomVillager()}, 5).turns


def test_agents_are_made_by_their_names():
    assert isinstance(agent("service:tier=deep", SNOWCREST), SolvingVillager)
    assert isinstance(agent("greedy", SNOWCREST), GreedyVillager)


# Learning -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2])
def test_shares_are_those_of_the_service(players):
    seen = lesson(players, 5, str(EVALUATOR_FILE))
    states = []
    first = start(players, 5, difficulty=6)
    live(first, dict.fromkeys(first.players, RandomVillager()), 5, states.append)
    now = states[9]
    following = now.turn or players
    told = replace(
        seen, features=np.array([features(now, following)]), phases=np.array([knot_weights(now)])
    )
    assert shares(told, default_evaluator())[0] == pytest.approx(
        default_evaluator().shares(now, following)
    )
    assert seen.features.shape == (len(seen.phases), players, len(FEATURES))
    assert seen.phases.sum(axis=1) == pytest.approx(np.ones(len(seen.phases)))


def lessons_by(feature, players, count=40):
    """Games that whoever has more of something wins."""
    random = np.random.default_rng(3)
    lessons = []
    for _ in range(count):
        told = np.zeros((6, players, len(FEATURES)))
        told[..., feature] = random.uniform(0, 12, players)
        told[..., ONE] = 1.0
        points = told[0, :, feature] + random.normal(0, 0.5, players)
        won = (points == points.max()).astype(float) if players > 1 else points > 6.0
        phases = np.tile([0.25] * SETS, (6, 1))
        lessons.append(Lesson(told, phases, points, np.array(won, float), int(players == 1)))
    return lessons


@pytest.mark.parametrize("players", [1, 3])
def test_fitting_makes_what_came_true_more_likely(players):
    lessons = lessons_by(FREE, players)
    before = default_evaluator()
    after = fitted(lessons, before, "tried")
    assert loss(lessons, after) < loss(lessons, before)
    assert after.version == "tried"
    untouched = ("solo",) if players > 1 else ("several", "slopes")
    for name in untouched:
        assert getattr(after, name) == getattr(before, name)


def test_a_training_goes_on_where_it_was_stopped(tmp_path, capsys):
    told = ["--game", "snowcrest", "--out", str(tmp_path), "--generations", "1", "--jobs", "1"]
    assert train_evaluator.main([*told, "--games", "9"]) == 0
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert page in capsys.readouterr().out
    assert page.startswith("# crest-1\n")
    learned = load_evaluator(tmp_path / "evaluator-1.json")
    assert learned.version == "crest-1"
    games = tmp_path / "games-1.pickle"
    whole = games.read_bytes()
    games.write_bytes(whole[:-40])
    assert train_evaluator.main([*told, "--games", "9"]) == 0
    assert len(games.read_bytes()) == len(whole)
    villager = agent(f"service:tier=quick,evaluator={tmp_path / 'evaluator-1.json'}", SNOWCREST)
    assert villager.choose(question(start(2, 3)), Random(1)) is not None


def test_a_report_compares_what_was_foretold_with_what_came_true():
    lessons = lessons_by(SCROLLS, 2, 10)
    page = report(lessons, [default_evaluator(), default_evaluator()], {"games": 10})
    assert "`scripts/train_evaluator.py --game snowcrest --games 10`" in page
    assert f"| 2 | 10 | {np.log(2):.4f} |" in page
    assert f"{loss(lessons, default_evaluator()):.4f}" in page
