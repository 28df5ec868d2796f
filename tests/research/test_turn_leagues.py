"""The leagues of Slopecrashers and Snowcrest: games, cells and agents."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import research.endgames.slopecrashers as slopecrashers_endgames
import research.play as tournament
from research.league.roster import agent
from research.league.running.cells import SLOPECRASHERS, SNOWCREST, Cell, ScheduledGame, parse_cells
from research.league.running.play import play_one
from research.league.running.records import read_records
from research.league.slopecrashers import agents as slopes
from research.league.slopecrashers import mcts
from research.league.slopecrashers import play as slopes_play
from research.league.slopecrashers.mcts import TreeSearchAgent
from research.league.snowcrest import agents as crest
from research.league.snowcrest import play as crest_play

from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.registry import GAMES
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, Course
from service.games.slopecrashers.rules.gifts import Gift
from service.games.slopecrashers.rules.state import Direction, Place, Snowman, Space
from tests.research.plain_slopecrashers_search import PlainSearch

pytestmark = pytest.mark.research

LEAGUES = {SLOPECRASHERS: (slopes_play, slopes), SNOWCREST: (crest_play, crest)}
each_league = pytest.mark.parametrize(("league", "agents"), LEAGUES.values(), ids=list(LEAGUES))
RULES = GAMES["slopecrashers"].game


def question(game, play):
    node = game.pending(play)
    assert isinstance(node, Decision)
    [player] = node.choices
    return TurnQuestion(play, node, player, "quick", None, None)


def first_question(state):
    return question(RULES, RULES.begin(state).play)


@each_league
def test_a_game_depends_on_its_seed_alone(league, agents):
    def finished(seed):
        first = league.initial_state(3, seed)
        return league.play(first, dict.fromkeys(first.players, agents.RandomAgent()), seed)

    assert finished(1) == finished(1)
    assert len({(finished(seed).turns, *finished(seed).shares.values()) for seed in range(4)}) > 1
    assert sum(finished(1).shares.values()) == pytest.approx(1.0)


@each_league
def test_greedy_agents_beat_random_agents(league, agents):
    wins = 0.0
    for seed in range(3):
        players = {"a": agents.GreedyAgent(), "b": agents.RandomAgent()}
        wins += league.play(league.initial_state(2, seed), players, seed).shares["a"]
    assert wins >= {slopes: 3.0, crest: 2.0}[agents]


def test_cells_name_agents_and_the_game():
    assert (len(parse_cells([SLOPECRASHERS])), len(parse_cells([SNOWCREST]))) == (6, 13)
    for game in LEAGUES:
        named = parse_cells([f"greedy vs random @ 3 of {game}"])
        assert named == [Cell("greedy", "random", 3, game)]
    [quick] = parse_cells(["service vs service+greedy+random @ 4 of slopecrashers"], "quick")
    effort = "service:effort=quick"
    assert (quick.odd, quick.rest) == (effort, f"{effort}+greedy+random"), "it was ignored"
    for cell, error in (
        ("greedy vs random @ 3 of chess", "unknown game 'chess'"),
        ("quantal vs random @ 3 of slopecrashers", "unknown agent 'quantal'"),
        ("greedy vs tree @ 3 of snowcrest", "unknown agent 'tree'"),
    ):
        with pytest.raises(ValueError, match=error):
            parse_cells([cell])


def test_a_specification_names_an_agent_and_its_settings():
    for game, (_, agents) in LEAGUES.items():
        assert isinstance(agent("service:effort=deep", game), agents.ServiceAgent)
        assert isinstance(agent("greedy", game), agents.GreedyAgent)
    assert isinstance(agent("tree:iterations=5", SLOPECRASHERS), TreeSearchAgent)


@pytest.mark.parametrize(
    ("cells", "lines"),
    [
        (["greedy vs random @ 2 of slopecrashers"], ["### Slopecrashers, 2 players (par 50.0%)"]),
        (
            ["greedy vs random @ 2 of snowcrest", "greedy vs difficulty-3 @ 1 of snowcrest"],
            ["### Snowcrest, 2 players (par 50.0%)", "### Snowcrest, solo\n", "| difficulty-3 |"],
        ),
    ],
)
def test_a_tournament_plays_and_reports_its_cells(cells, lines, tmp_path, capsys):
    arguments = ["run", "--out", str(tmp_path), "--cells", *cells, "--games", "6", "--jobs", "1"]
    assert tournament.main(arguments) == 0
    table = capsys.readouterr().out
    [game] = {cell.split()[-1] for cell in cells}
    evaluator = {each.name: each for each in GAMES[game].endpoints}["suggest"].search_game.evaluator
    for line in (*lines, f"Evaluator: {evaluator}."):
        assert line in table
    assert {record.cell for record in read_records(tmp_path).values()} == set(cells)


# Snowcrest ------------------------------------------------------------------------------------


def test_greedy_agents_take_resources_if_they_cannot_get_scrolls():
    game, state = crest_play.GAME, crest_play.initial_state(2, 4)
    for _ in state.seats:
        asked = question(game, game.begin(state).play)
        choices = {asked.player: asked.decision.choices[asked.player][0]}
        state = game.rest(game.choose(asked.play, choices).play)
    play, greedy = game.begin(state).play, crest.GreedyAgent()
    while isinstance(game.pending(play), Decision):
        asked = question(game, play)
        play = game.choose(play, {asked.player: greedy.choose(asked, Random(1))}).play
    assert sum(play.state.seats[0].tokens) > sum(state.seats[0].tokens)


def test_a_solo_game_has_the_difficulty_of_its_cell_and_may_have_no_winner():
    cell = Cell("random", "difficulty-9", 1, SNOWCREST)
    record = play_one(ScheduledGame(cell, 0, 0, 5))
    first = crest_play.initial_state(1, 5, difficulty=9)
    finished = crest_play.play(first, {"a": crest.RandomAgent()}, 5)
    assert (record.share, record.rounds) == (0.0, finished.turns)
    assert finished.shares == {"a": 0.0}


# Slopecrashers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "player",
    [slopes.GreedyAgent(), slopes.ServiceAgent("quick"), TreeSearchAgent(iterations=60)],
    ids=lambda player: type(player).__name__,
)
def test_agents_take_an_immediate_win(player):
    first = slopes_play.initial_state(2, 1)
    last = first.course.length - 1
    places = Place(2, last, 0), Place(2, last, 2)
    seats = [replace(seat, place=at) for seat, at in zip(first.seats, places, strict=True)]
    asked = first_question(replace(first, seats=tuple(seats)))
    chosen = player.choose(asked, Random(1))
    assert RULES.winners(RULES.rest(RULES.choose(asked.play, {"a": chosen}).play)) == ("a",)


def test_tree_searchers_do_not_wait_for_ever():
    """Nobody wanted to enter the snowman that closed the only way, so a game did not end."""
    names = ("alder", "cedar", "larch", "birch", "pine", "fir")
    pieces = {piece.name: piece for piece in DEFAULT_PIECES}
    course = Course(tuple(pieces[name] for name in names))
    first = replace(slopes_play.initial_state(4, 1), course=course)
    places = [Place(1, 3, 3), Place(1, 2, 3), Place(1, 2, 2), Place(1, 1, 3)]
    seats = [replace(seat, place=at) for seat, at in zip(first.seats, places, strict=True)]
    snowman = Snowman(Space(4, 3), (Gift.SNOWMAN,))
    asked = first_question(replace(first, seats=tuple(seats), snowmen=(snowman,)))
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
            return slopes.RandomAgent().choose(asked, random)

    for players in (2, 4, 6):
        first = slopes_play.initial_state(players, players)
        slopes_play.play(first, dict.fromkeys(first.players, Compared()), 1)
    assert searched > 60
    assert 10 < stopped < searched


def test_a_tree_search_ends_when_its_table_is_half_full(monkeypatch):
    asked = first_question(slopes_play.initial_state(4, 1))
    player = TreeSearchAgent(iterations=400)
    assert player.visits(asked, 1).sum() == 400
    monkeypatch.setattr(mcts, "SLOTS", 1)
    with pytest.raises(RuntimeError, match=r"half full after [1-3]\d\d iterations"):
        player.visits(asked, 1)


def test_values_of_hints_agree_with_a_minimax_in_endgames(capsys):
    assert slopecrashers_endgames.main(["--positions", "6", "--turns", "3"]) == 0
    table = capsys.readouterr().out.splitlines()
    header, _, *rows = (line.strip("| ").split(" | ") for line in table)
    for effort, *counts in rows:
        numbers = dict(zip(header[1:], map(int, counts), strict=True))
        assert effort in ("quick", "standard", "deep")
        assert numbers["called certain"] > 0
        assert numbers["losses"] > 0
        assert numbers["of these lost"] == numbers["losses above 0.98"] == 0
