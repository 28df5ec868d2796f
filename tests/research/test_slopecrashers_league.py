"""The Slopecrashers league: games and agents."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import research.endgames.slopecrashers as slopecrashers_endgames
import research.play as tournament
from research.league.roster import agent
from research.league.running.cells import SLOPECRASHERS, Cell, parse_cells
from research.league.running.records import read_records
from research.league.slopecrashers import mcts
from research.league.slopecrashers.agents import GreedyAgent, RandomAgent, ServiceAgent
from research.league.slopecrashers.mcts import TreeSearchAgent
from research.league.slopecrashers.play import initial_state, play

from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, Course
from service.games.slopecrashers.rules.gifts import Gift
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Direction, Place, Snowman, Space
from tests.research.plain_slopecrashers_search import PlainSearch

pytestmark = pytest.mark.research

GAME = Slopecrashers()


def question(state):
    play = GAME.begin(state).play
    node = GAME.pending(play)
    assert isinstance(node, Decision)
    [player] = node.choices
    return TurnQuestion(play, node, player, "quick", None, None)


def two_rows_from_the_end():
    first = initial_state(2, 1)
    last = first.course.length - 1
    near = replace(first.seats[0], place=Place(2, last, 0))
    far = replace(first.seats[1], place=Place(2, last, 2))
    return replace(first, seats=(near, far))


def test_a_game_depends_on_its_seed_alone():
    def finished(seed):
        first = initial_state(3, seed)
        return play(first, dict.fromkeys(first.players, RandomAgent()), seed)

    assert finished(1) == finished(1)
    assert len({(finished(seed).turns, *finished(seed).shares.values()) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    "player",
    [GreedyAgent(), ServiceAgent("quick"), TreeSearchAgent(iterations=60)],
    ids=lambda player: type(player).__name__,
)
def test_agents_take_an_immediate_win(player):
    asked = question(two_rows_from_the_end())
    chosen = player.choose(asked, Random(1))
    assert GAME.winners(GAME.rest(GAME.choose(asked.play, {"a": chosen}).play)) == ("a",)


def test_tree_searchers_do_not_wait_for_ever():
    """Nobody wanted to enter the snowman that closed the only way, so a game did not end."""
    names = ("alder", "cedar", "larch", "birch", "pine", "fir")
    pieces = {piece.name: piece for piece in DEFAULT_PIECES}
    first = replace(initial_state(4, 1), course=Course(tuple(pieces[name] for name in names)))
    places = [Place(1, 3, 3), Place(1, 2, 3), Place(1, 2, 2), Place(1, 1, 3)]
    seats = [replace(seat, place=at) for seat, at in zip(first.seats, places, strict=True)]
    snowman = Snowman(Space(4, 3), (Gift.SNOWMAN,))
    asked = question(replace(first, seats=tuple(seats), snowmen=(snowman,)))
    player = TreeSearchAgent(iterations=200)
    chosen = [player.choose(asked, Random(number)) for number in range(4)]
    assert [action.type.name for action in chosen] == ["END", "END", "STEP", "STEP"]
    assert {action.direction for action in chosen[2:]} == {Direction.FORWARD}


def test_the_compiled_tree_search_equals_its_plain_twin():
    player = TreeSearchAgent(iterations=150)
    searched = stopped = 0

    class Compared:
        def choose(self, asked, random):
            nonlocal searched, stopped
            if asked.decision.name != "answer" and random.random() < 0.2:
                seed = random.getrandbits(62) + 1
                searched += 1
                plain = PlainSearch(asked, seed).visits(150)
                assert player.visits(asked, seed).tolist() == plain, f"search {searched}"
                decided = player.visits(asked, seed, decide=True)
                assert decided.argmax() == np.argmax(plain), f"search {searched}"
                stopped += decided.sum() < 150
            return RandomAgent().choose(asked, random)

    for players in (2, 4, 6):
        first = initial_state(players, players)
        play(first, dict.fromkeys(first.players, Compared()), 1)
    assert searched > 60
    assert 10 < stopped < searched


def test_a_tree_search_ends_when_its_table_is_half_full(monkeypatch):
    asked = question(initial_state(4, 1))
    player = TreeSearchAgent(iterations=400)
    assert player.visits(asked, 1).sum() == 400
    monkeypatch.setattr(mcts, "SLOTS", 1)
    with pytest.raises(RuntimeError, match=r"half full after [1-3]\d\d iterations"):
        player.visits(asked, 1)


def test_greedy_agents_beat_random_agents():
    wins = 0
    for seed in range(3):
        first = initial_state(2, seed)
        wins += play(first, {"a": GreedyAgent(), "b": RandomAgent()}, seed).shares["a"] == 1.0
    assert wins == 3


def test_cells_name_agents_and_the_game():
    assert len(parse_cells([SLOPECRASHERS])) == 6
    [named] = parse_cells(["greedy vs random @ 3 of slopecrashers"])
    [quick] = parse_cells(["service vs service+greedy+random @ 4 of slopecrashers"], "quick")
    effort = "service:effort=quick"
    assert (quick.odd, quick.rest) == (effort, f"{effort}+greedy+random"), "it was ignored"
    assert named == Cell("greedy", "random", 3, SLOPECRASHERS)
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        parse_cells(["greedy vs random @ 3 of chess"])
    with pytest.raises(ValueError, match="unknown agent 'quantal'"):
        parse_cells(["quantal vs random @ 3 of slopecrashers"])


def test_a_tournament_plays_and_reports_its_cells(tmp_path, capsys):
    cell = "greedy vs random @ 2 of slopecrashers"
    arguments = ["run", "--out", str(tmp_path), "--cells", cell, "--games", "6", "--jobs", "1"]
    assert tournament.main(arguments) == 0
    table = capsys.readouterr().out
    assert "### Slopecrashers, 2 players (par 50.0%)" in table
    assert f"Evaluator: {default_evaluator().version}." in table
    assert {record.cell for record in read_records(tmp_path).values()} == {cell}


def test_a_specification_names_an_agent_and_its_settings():
    assert isinstance(agent("tree:iterations=5", SLOPECRASHERS), TreeSearchAgent)
    assert isinstance(agent("service:effort=deep", SLOPECRASHERS), ServiceAgent)


def test_values_of_hints_agree_with_a_minimax_in_endgames(capsys):
    assert slopecrashers_endgames.main(["--positions", "6", "--turns", "3"]) == 0
    header, _, *rows = (
        line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()
    )
    for effort, *counts in rows:
        numbers = dict(zip(header[1:], map(int, counts), strict=True))
        assert effort in ("quick", "standard", "deep")
        assert numbers["called certain"] > 0
        assert numbers["losses"] > 0
        assert numbers["of these lost"] == numbers["losses above 0.98"] == 0
