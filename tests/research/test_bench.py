from __future__ import annotations

import json

import bench
import pytest
from benchmarks.measures import HINT_TARGETS_MS, MODELS, ROUND_TARGETS_NS, plans
from benchmarks.positions import TABLES, full_hands, posed
from benchmarks.rows import Row, Sample
from benchmarks.timing import Patience, Timed, timed

pytestmark = pytest.mark.research

MACHINE = {"cpu", "cores", "load", "system", "python", "numpy", "numba", "evaluator"}
ROW = {"name", "unit", "seats", "players", "positions", "repetitions", "samples"}
NUMBERS = {"min", "median", "p90", "max", "full_hands", "full_hands_min"}
ONLY = ("round, 5", "tensor, 3", "sweep, two", "hint, 3 seats, equilibrium, standard", "this bench")


def test_a_quick_run_writes_what_its_table_shows(tmp_path, capsys):
    file = tmp_path / "bench.json"
    only = [word for text in ONLY for word in ("--only", text)]
    assert bench.main(["--quick", "--json", str(file), *only]) == 0
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found.keys() == {"machine", "quick", *bench.SECTIONS}
    assert found["machine"].keys() == MACHINE
    assert found["quick"] is True
    rows = {name: found[name] for name in ("rounds", "tensors", "sweeps", "hints")}
    assert {name: len(own) for name, own in rows.items()} == {
        "rounds": 1,
        "tensors": 1,
        "sweeps": 1,
        "hints": 2,
    }
    table = capsys.readouterr().out
    for row in (row for own in rows.values() for row in own):
        assert row.keys() >= ROW | NUMBERS | {"target", "verdict"}
        assert 0.0 < row["min"] <= row["median"] <= row["p90"] <= row["max"]
        assert len(row["samples"]) == row["positions"]
        assert row["name"] in table
    [figure] = found["memory"]
    assert figure["unit"] == "MiB"
    assert figure["min"] > 1.0
    assert found["warm_up"] == []
    [timed_round] = rows["rounds"]
    assert timed_round["target"] == 60.0
    assert f"≤ 60  {timed_round['verdict']}" in table
    assert [hint["depth"] for hint in rows["hints"]] == [1, 2]
    assert all(sample["reached"] >= 1 for hint in rows["hints"] for sample in hint["samples"])


def test_a_name_that_nothing_has_is_refused(capsys):
    assert bench.main(["--only", "six seats"]) == 2
    assert "such a name" in capsys.readouterr().err


def test_everything_has_a_name_of_its_own_and_quick_leaves_out_deep():
    names = [plan.name for plan in plans(quick=False)]
    assert len(set(names)) == len(names)
    quick = [plan.name for plan in plans(quick=True)]
    assert set(quick) == {name for name in names if "deep" not in name}
    assert {plan.section for plan in plans(quick=True)} == set(bench.SECTIONS)


def test_every_target_is_for_something_that_is_measured():
    names = [plan.name for plan in plans(quick=False)]
    for table in ROUND_TARGETS_NS:
        assert f"round, {table}" in names
    for table, tier in HINT_TARGETS_MS:
        for model in MODELS:
            assert f"hint, {table}, {model}, {tier}, depth 1" in names


def test_positions_are_the_same_in_every_run_and_told_apart():
    for table in TABLES:
        found = posed(table)
        assert found == posed(table)
        assert len({one.name for one in found}) == len(found) == 10
        assert all(len(one.question.position.players) == table.players for one in found)
        for one in full_hands(table):
            assert all(len(seat.hand) == 10 for seat in one.question.position.seats)


def test_quick_calls_are_timed_together_and_long_ones_once():
    calls = []
    patience = Patience(seconds=0.01, least=2, most=5, once=1.0)
    found = timed(lambda: calls.append(0), patience)
    assert found.repetitions == 5
    assert len(calls) == 2 + found.repetitions * found.calls
    assert found.least <= found.median
    assert patience.repetitions(0.5) == 2
    assert patience.repetitions(1.5) == 1


@pytest.mark.parametrize(
    ("least", "median", "verdict"),
    [(50.0, 60.0, "met"), (50.0, 61.0, "met at best"), (61.0, 62.0, "missed")],
)
def test_a_target_is_for_the_worst_position_with_full_hands(least, median, verdict):
    fast = Sample("fast", True, Timed(9.0, 1.0, 1.0, 3, 1), 1.0, {})
    slow = Sample("slow", True, Timed(9.0, least, median, 4, 1), 1.0, {})
    other = Sample("other", False, Timed(99.0, 90.0, 90.0, 5, 1), 1.0, {})
    row = Row("row", "ns", [fast, slow, other], {}, 60.0)
    assert row.verdict == verdict
    assert (row.full, row.worst, row.median) == (median, 90.0, median)
    assert row.repetitions == (3, 5)
