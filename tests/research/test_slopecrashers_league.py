"""The league of Slopecrashers: its games, its players, and what is learned from them."""

import json
from dataclasses import asdict, replace
from random import Random

import numpy as np
import pytest
import tournament
import train_slopecrashers_evaluator
from league.roster import agent
from league.running.cells import SLOPECRASHERS, Cell, Target, cells_named
from league.running.records import read_records
from league.slopecrashers.agents import GreedyRacer, RandomRacer, SolvingRacer, TreeRacer
from league.slopecrashers.evaluator_report import report
from league.slopecrashers.play import race, start
from league.slopecrashers.training import (
    FEATURES,
    LEAST_DEEP,
    LEAST_WORTH,
    LEFT,
    ORDER,
    Lesson,
    evaluator_of,
    features,
    fitted,
    lesson,
    loss,
    numbers_of,
    shares,
)
from league.statistics import calibration

from service.core.game import Decision
from service.core.sequential import TurnQuestion
from service.games.slopecrashers.engine.evaluation import FILE, read, shipped
from service.games.slopecrashers.engine.kernels import search
from service.games.slopecrashers.engine.packing import board, judged_by, packed
from service.games.slopecrashers.rules.gifts import Gift
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Place

pytestmark = pytest.mark.research

GAME = Slopecrashers()


def question(state):
    play = GAME.begin(state).play
    node = GAME.pending(play)
    assert isinstance(node, Decision)
    [player] = node.choices
    return TurnQuestion(play, node, player, "quick", None, None)


def two_rows_from_the_end():
    first = start(2, 1)
    last = first.course.length - 1
    near = replace(first.seats[0], place=Place(2, last, 0))
    far = replace(first.seats[1], place=Place(2, last, 2))
    return replace(first, seats=(near, far))


def test_a_race_is_the_same_for_a_seed_and_another_one_for_another():
    def raced(seed):
        first = start(3, seed)
        return race(first, dict.fromkeys(first.players, RandomRacer()), seed)

    assert raced(1) == raced(1)
    assert len({(raced(seed).winner, raced(seed).turns) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    "racer",
    [GreedyRacer(), SolvingRacer("quick"), TreeRacer(iterations=60)],
    ids=lambda racer: type(racer).__name__,
)
def test_whoever_thinks_steps_over_the_last_line(racer):
    asked = question(two_rows_from_the_end())
    chosen = racer.choose(asked, Random(1))
    assert GAME.winners(GAME.rest(GAME.choose(asked.play, {"a": chosen}).play)) == ("a",)


def test_greedy_players_beat_those_who_move_by_chance():
    wins = 0
    for seed in range(3):
        first = start(2, seed)
        wins += race(first, {"a": GreedyRacer(), "b": RandomRacer()}, seed).winner == 0
    assert wins == 3


def test_the_cells_are_those_of_the_issue():
    cells = {cell.name: cell.target for cell in cells_named([SLOPECRASHERS])}
    assert cells["service vs greedy @ 4 of slopecrashers"] == Target(0.45, at_least=True)
    assert cells["service vs tree @ 4 of slopecrashers"] == Target(0.30, at_least=True)
    assert cells["random vs service @ 4 of slopecrashers"] is None
    assert len(cells) == 6
    [named] = cells_named(["greedy vs random @ 3 of slopecrashers"])
    assert named == Cell("greedy", "random", 3, None, SLOPECRASHERS)
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        cells_named(["greedy vs random @ 3 of chess"])
    with pytest.raises(ValueError, match="there is no agent 'quantal'"):
        cells_named(["quantal vs random @ 3 of slopecrashers"])


def test_a_tournament_plays_and_reports_them(tmp_path, capsys):
    cell = "greedy vs random @ 2 of slopecrashers"
    told = ["run", "--out", str(tmp_path), "--cells", cell, "--games", "6", "--jobs", "1"]
    assert tournament.main(told) == 0
    table = capsys.readouterr().out
    assert "### Slopecrashers, 2 players (par 50.0%)" in table
    assert f"Evaluator: {shipped().version}." in table
    assert {record.cell for record in read_records(tmp_path).values()} == {cell}
    assert (tmp_path / "table.png").read_bytes()[:4] == b"\x89PNG"


def test_agents_are_made_by_their_names():
    assert isinstance(agent("tree:iterations=5", SLOPECRASHERS), TreeRacer)
    assert isinstance(agent("service:tier=deep", SLOPECRASHERS), SolvingRacer)


# Learning -------------------------------------------------------------------------------------


def test_shares_are_those_of_the_kernel():
    """But for the dual cards, which count half for each use in training."""
    seen = lesson(3, 5, str(FILE))
    first = start(3, 5)
    table = board(first.course, first.deck)
    evaluator = shipped()
    [mine] = shares([Lesson(seen.features[:1], 0)], numbers_of(evaluator))
    out = np.empty(3)
    vector = packed(GAME.begin(first).play, table)
    search.shares(vector, *judged_by(table, evaluator)[2:], out)
    assert mine[0] == pytest.approx(out, abs=1e-6)


def test_features_tell_what_is_left_and_who_comes_when():
    found = features(start(3, 2), shipped().field)
    assert found.shape == (3, FEATURES)
    assert len(set(found[:, LEFT])) == 1
    assert found[:, ORDER].tolist() == pytest.approx([0, 1 / 3, 2 / 3])


def test_fitting_makes_the_winners_more_likely():
    random = np.random.default_rng(3)
    lessons = []
    for _ in range(40):
        told = np.zeros((6, 2, FEATURES))
        told[..., LEFT] = random.uniform(5, 40, (6, 2))
        lessons.append(Lesson(told, int(told[:, :, LEFT].mean(axis=0).argmin())))
    before = shipped()
    after = fitted(lessons, before, "tried")
    assert loss(lessons, numbers_of(after)) < loss(lessons, numbers_of(before))
    assert after.version == "tried"


def test_no_gift_is_learned_to_be_worth_nothing():
    """Here whoever holds a rocket loses."""
    random = np.random.default_rng(4)
    lessons = []
    for _ in range(30):
        told = np.zeros((4, 2, FEATURES))
        told[..., LEFT] = random.uniform(5, 20, (4, 2))
        told[:, 1, 4 + Gift.ROCKET] = 2.0
        lessons.append(Lesson(told, 0))
    after = fitted(lessons, shipped(), "tried")
    assert min(after.worth.values()) >= LEAST_WORTH
    assert after.worth["rocket"] == pytest.approx(LEAST_WORTH, abs=0.01)
    assert min(shipped().worth.values()) >= LEAST_WORTH
    assert min(shipped().deep.values()) >= LEAST_DEEP


def test_numbers_come_out_as_they_went_in():
    again = evaluator_of(numbers_of(shipped()), shipped().version, shipped().field)
    told, back = asdict(shipped()), asdict(again)
    for name in ("missing", "stung", "order", "slope", "room", "field", "worth", "deep"):
        assert back[name] == pytest.approx(told[name], abs=1e-4)


def test_a_training_writes_an_evaluator_that_can_be_played_with(tmp_path, capsys):
    told = ["--out", str(tmp_path), "--generations", "1", "--jobs", "1"]
    assert train_slopecrashers_evaluator.main([*told, "--games", "6"]) == 0
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert page in capsys.readouterr().out
    assert page.startswith("# slopes-1\n")
    assert f"| {shipped().version} | slopes-1 |" in page
    learned = read(tmp_path / "evaluator-1.json")
    assert learned.version == "slopes-1"
    assert json.loads((tmp_path / "evaluator-1.json").read_text())["worth"]["spring"]
    racer = agent(f"service:tier=quick,evaluator={tmp_path / 'evaluator-1.json'}", SLOPECRASHERS)
    assert racer.choose(question(two_rows_from_the_end()), Random(1)) is not None


def test_a_report_compares_what_was_foretold_with_what_was_won():
    ahead, behind = np.zeros((2, FEATURES)), np.zeros((2, FEATURES))
    ahead[:, LEFT], behind[:, LEFT] = (5.0, 9.0), (9.0, 5.0)
    games = [Lesson(np.array([one, one]), 0) for one in (ahead, ahead, ahead, behind)]
    page = report(games, [shipped(), shipped()], {"games": 4})
    assert "`scripts/train_slopecrashers_evaluator.py --games 4`" in page
    [share, other] = next(shares(games, numbers_of(shipped())))[0]
    assert share > 0.5 > other
    mean = -(3 * np.log(share) + np.log(other)) / 4
    assert f"| 2 | 4 | {np.log(2):.4f} | {mean:.4f} | {mean:.4f} |" in page
    assert f"| 8 | {share:.3f} | 0.750 |" in page
    assert f"| 8 | {other:.3f} | 0.250 |" in page


def test_a_searcher_is_given_ten_times_the_time_of_a_hint(monkeypatch):
    monkeypatch.setattr(calibration, "GAMES", 1)
    monkeypatch.setattr(calibration, "EVERY", 30)
    monkeypatch.setattr(calibration, "TRIED_RACER", 20)
    found = calibration.calibrate(SLOPECRASHERS)
    assert found.decisions > 0
    assert found.hint > 0.0
    assert found.iterations == pytest.approx(10 * found.hint / found.iteration, rel=0.06)
