"""The Slopecrashers league: games, agents and training."""

import json
from dataclasses import asdict, replace
from random import Random

import numpy as np
import pytest
import research.endgames.slopecrashers as slopecrashers_endgames
import research.play as tournament
import research.training.slopecrashers as train_slopecrashers_evaluator
from research.league.roster import agent
from research.league.running.cells import SLOPECRASHERS, Cell, Target, parse_cells
from research.league.running.journal import read_json_lines
from research.league.running.records import read_records
from research.league.slopecrashers import mcts
from research.league.slopecrashers.agents import GreedyAgent, RandomAgent, ServiceAgent
from research.league.slopecrashers.evaluator_report import report
from research.league.slopecrashers.mcts import TreeSearchAgent
from research.league.slopecrashers.play import initial_state, play
from research.league.slopecrashers.training import (
    FEATURES,
    LEAST_DEEP,
    LEAST_WORTH,
    LEFT,
    ORDER,
    TrainingGame,
    evaluator_of,
    features,
    fit_evaluator,
    loss,
    numbers_of,
    play_training_game,
    shares,
)
from research.league.statistics import calibration

from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.engine.evaluation import FILE, default_evaluator, read
from service.games.slopecrashers.engine.kernels import estimation
from service.games.slopecrashers.engine.packing import make_board, pack_turn, race_of
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
    assert len({(finished(seed).winner, finished(seed).turns) for seed in range(4)}) > 1


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
        wins += play(first, {"a": GreedyAgent(), "b": RandomAgent()}, seed).winner == 0
    assert wins == 3


def test_the_cells_have_the_targets_of_the_issue():
    cells = {cell.name: cell.target for cell in parse_cells([SLOPECRASHERS])}
    assert cells["service vs greedy @ 4 of slopecrashers"] == Target(0.85, at_least=True)
    assert cells["service vs tree @ 4 of slopecrashers"] == Target(0.30, at_least=True)
    assert cells["random vs service @ 4 of slopecrashers"] is None
    assert len(cells) == 6
    [named] = parse_cells(["greedy vs random @ 3 of slopecrashers"])
    [quick] = parse_cells(["service vs service+greedy+random @ 4 of slopecrashers"], "quick")
    effort = "service:effort=quick"
    assert (quick.odd, quick.rest) == (effort, f"{effort}+greedy+random"), "it was ignored"
    assert named == Cell("greedy", "random", 3, None, SLOPECRASHERS)
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
    assert (tmp_path / "table.png").read_bytes()[:4] == b"\x89PNG"


def test_a_specification_names_an_agent_and_its_settings():
    assert isinstance(agent("tree:iterations=5", SLOPECRASHERS), TreeSearchAgent)
    assert isinstance(agent("service:effort=deep", SLOPECRASHERS), ServiceAgent)


# Training -------------------------------------------------------------------------------------


def test_shares_agree_with_the_kernel():
    """Except for dual cards, which count half for each use in training."""
    seen = play_training_game(3, 5, str(FILE))
    first = initial_state(3, 5)
    table = make_board(first.course, first.deck)
    evaluator = default_evaluator()
    [mine] = shares([TrainingGame(seen.features[:1], 0)], numbers_of(evaluator))
    out = np.empty(3)
    vector = pack_turn(GAME.begin(first).play, table)
    estimation.shares(vector, race_of(table, evaluator), out)
    assert mine[0] == pytest.approx(out, abs=1e-6)


def test_features_have_the_movements_left_and_the_turn_order():
    rows = features(initial_state(3, 2), default_evaluator().field)
    assert rows.shape == (3, FEATURES)
    assert len(set(rows[:, LEFT])) == 1
    assert rows[:, ORDER].tolist() == pytest.approx([0, 1 / 3, 2 / 3])


def test_fitting_makes_the_winners_more_likely():
    random = np.random.default_rng(3)
    games = []
    for _ in range(40):
        values = np.zeros((6, 2, FEATURES))
        values[..., LEFT] = random.uniform(5, 40, (6, 2))
        games.append(TrainingGame(values, int(values[:, :, LEFT].mean(axis=0).argmin())))
    before = default_evaluator()
    after = fit_evaluator(games, before, "tried")
    assert loss(games, numbers_of(after)) < loss(games, numbers_of(before))
    assert after.version == "tried"


def test_no_gift_gets_a_worth_below_the_bound():
    """In these games the player with a rocket loses."""
    random = np.random.default_rng(4)
    games = []
    for _ in range(30):
        values = np.zeros((4, 2, FEATURES))
        values[..., LEFT] = random.uniform(5, 20, (4, 2))
        values[:, 1, 4 + Gift.ROCKET] = 2.0
        games.append(TrainingGame(values, 0))
    after = fit_evaluator(games, default_evaluator(), "tried")
    assert min(after.worth.values()) >= LEAST_WORTH
    assert after.worth["rocket"] == pytest.approx(LEAST_WORTH, abs=0.01)
    assert min(default_evaluator().worth.values()) >= LEAST_WORTH
    assert min(default_evaluator().deep.values()) >= LEAST_DEEP


def test_parameters_round_trip_through_an_evaluator():
    first = default_evaluator()
    before, after = asdict(first), asdict(evaluator_of(numbers_of(first), first.version, first))
    for name in ("missing", "stung", "order", "slope", "room", "field", "worth", "deep"):
        assert after[name] == pytest.approx(before[name], abs=1e-4)
    assert after["calibration"] == before["calibration"]


def test_training_writes_an_evaluator_for_agents(tmp_path, capsys):
    arguments = ["--out", str(tmp_path), "--generations", "1", "--jobs", "1", "--effort", "quick"]
    assert train_slopecrashers_evaluator.main([*arguments, "--games", "2"]) == 0
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert page in capsys.readouterr().out
    assert page.startswith("# slopes-1\n")
    assert "--seed 1 --effort quick`" in page
    [held_out] = read_json_lines(tmp_path / "held-out.jsonl")
    players = len(held_out["features"][0])
    again = play_training_game(players, held_out["seed"], str(FILE), "quick")
    assert held_out["features"] == again.features.tolist()
    assert f"| {default_evaluator().version} | slopes-1 |" in page
    learned = read(tmp_path / "evaluator-1.json")
    assert learned.version == "slopes-1"
    assert json.loads((tmp_path / "evaluator-1.json").read_text())["worth"]["spring"]
    player = agent(f"service:effort=quick,evaluator={tmp_path / 'evaluator-1.json'}", SLOPECRASHERS)
    assert player.choose(question(two_rows_from_the_end()), Random(1)) is not None


def test_a_report_compares_predicted_and_actual_shares():
    ahead, behind = np.zeros((2, FEATURES)), np.zeros((2, FEATURES))
    ahead[:, LEFT], behind[:, LEFT] = (5.0, 9.0), (9.0, 5.0)
    games = [TrainingGame(np.array([one, one]), 0) for one in (ahead, ahead, ahead, behind)]
    page = report(games, [default_evaluator(), default_evaluator()], {"games": 4})
    assert "`-m research train --game slopecrashers --games 4`" in page
    [share, other] = next(shares(games, numbers_of(default_evaluator())))[0]
    assert share > 0.5 > other
    mean = -(3 * np.log(share) + np.log(other)) / 4
    assert f"| 2 | 4 | {np.log(2):.4f} | {mean:.4f} | {mean:.4f} |" in page
    assert f"| 8 | {share:.3f} | 0.750 |" in page
    assert f"| 8 | {other:.3f} | 0.250 |" in page


def test_calibration_gives_tree_search_ten_times_the_time_of_a_hint(monkeypatch):
    monkeypatch.setattr(calibration, "GAMES", 1)
    monkeypatch.setattr(calibration, "EVERY", 30)
    monkeypatch.setattr(calibration, "SLOPECRASHERS_ITERATIONS", 20)
    measured = calibration.calibrate(SLOPECRASHERS)
    assert measured.decisions > 0
    assert measured.hint > 0.0
    assert measured.iterations == pytest.approx(10 * measured.hint / measured.iteration, rel=0.06)


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
