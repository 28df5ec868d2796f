"""The Snowcrest league: games and agents."""

from random import Random

import pytest
import research.play as tournament
from research.league.roster import agent
from research.league.running.cells import SNOWCREST, Cell, ScheduledGame, parse_cells
from research.league.running.play import play_one
from research.league.running.records import read_records
from research.league.snowcrest.agents import GreedyAgent, RandomAgent, ServiceAgent
from research.league.snowcrest.play import GAME, initial_state, play

from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.engine.evaluation import (
    default_evaluator,
)
from service.games.snowcrest.engine.features import FEATURES

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


def test_cells_name_agents_and_the_game():
    assert len(parse_cells([SNOWCREST])) == 13
    [named] = parse_cells(["greedy vs random @ 3 of snowcrest"])
    assert named == Cell("greedy", "random", 3, SNOWCREST)
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
    cell = Cell("random", "difficulty-9", 1, SNOWCREST)
    record = play_one(ScheduledGame(cell, 0, 0, 5))
    assert record.share == 0.0
    assert record.rounds == play(initial_state(1, 5, difficulty=9), {"a": RandomAgent()}, 5).turns


def test_a_specification_names_an_agent_and_its_settings():
    assert isinstance(agent("service:effort=deep", SNOWCREST), ServiceAgent)
    assert isinstance(agent("greedy", SNOWCREST), GreedyAgent)
