from __future__ import annotations

import json

import bench
import pytest
from benchmarks.measures import HINT_TARGETS_MS, MODELS, ROUND_TARGETS_NS, all_benchmarks
from benchmarks.positions import TABLE_SIZES, full_hands, named_questions
from benchmarks.rows import Row, Sample
from benchmarks.timing import Timing, TimingBudget, measure_time

pytestmark = pytest.mark.research

MACHINE = {"cpu", "cores", "load", "system", "python", "numpy", "numba", "evaluator"}
ROW = {"name", "unit", "seats", "players", "positions", "repetitions", "samples"}
NUMBERS = {"min", "median", "p90", "max", "full_hands", "full_hands_min"}
ONLY = ("round, 5", "tensor, 3", "sweep, two", "hint, 3 seats, equilibrium, standard", "this bench")


def test_a_quick_run_writes_the_rows_of_its_table(tmp_path, capsys):
    file = tmp_path / "bench.json"
    only = [word for text in ONLY for word in ("--only", text)]
    assert bench.main(["--quick", "--json", str(file), *only]) == 0
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document.keys() == {"machine", "quick", *bench.SECTIONS}
    assert document["machine"].keys() == MACHINE
    assert document["quick"] is True
    rows = {name: document[name] for name in ("rounds", "tensors", "sweeps", "hints")}
    assert [len(own) for own in rows.values()] == [1, 1, 1, 2]
    table = capsys.readouterr().out
    for row in (row for own in rows.values() for row in own):
        assert row.keys() >= ROW | NUMBERS | {"target", "verdict"}
        assert 0.0 < row["min"] <= row["median"] <= row["p90"] <= row["max"]
        assert len(row["samples"]) == row["positions"]
        assert row["name"] in table
    [memory] = document["memory"]
    assert memory["unit"] == "MiB"
    assert memory["min"] > 1.0
    assert document["warm_up"] == []
    [timed_round] = rows["rounds"]
    assert timed_round["target"] == 60.0
    assert f"≤ 60  {timed_round['verdict']}" in table
    assert [hint["depth"] for hint in rows["hints"]] == [1, 2]
    assert all(sample["reached"] >= 1 for hint in rows["hints"] for sample in hint["samples"])


def test_an_unknown_name_is_an_error(capsys):
    assert bench.main(["--only", "six seats"]) == 2
    assert "no benchmark matches" in capsys.readouterr().err


def test_names_are_unique_and_quick_omits_deep_searches():
    names = [benchmark.name for benchmark in all_benchmarks(quick=False)]
    assert len(set(names)) == len(names)
    quick = [benchmark.name for benchmark in all_benchmarks(quick=True)]
    assert set(quick) == {name for name in names if "deep" not in name}
    assert {benchmark.section for benchmark in all_benchmarks(quick=True)} == set(bench.SECTIONS)


def test_every_target_belongs_to_a_benchmark():
    names = [benchmark.name for benchmark in all_benchmarks(quick=False)]
    for table in ROUND_TARGETS_NS:
        assert f"round, {table}" in names
    for table, effort in HINT_TARGETS_MS:
        for model in MODELS:
            assert f"hint, {table}, {model}, {effort}, depth 1" in names


def test_positions_are_reproducible_and_have_unique_names():
    for table in TABLE_SIZES:
        questions = named_questions(table)
        assert questions == named_questions(table)
        assert len({one.name for one in questions}) == len(questions) == 10
        assert all(len(one.question.position.players) == table.players for one in questions)
        for one in full_hands(table):
            assert all(len(seat.hand) == 10 for seat in one.question.position.seats)


def test_short_calls_are_timed_together_and_long_calls_once():
    calls = []
    budget = TimingBudget(seconds=0.01, least=2, most=5, once=1.0)
    timing = measure_time(lambda: calls.append(0), budget)
    assert timing.repetitions == 5
    assert len(calls) == 2 + timing.repetitions * timing.calls
    assert timing.least <= timing.median
    assert budget.repetitions(0.5) == 2
    assert budget.repetitions(1.5) == 1


def test_a_target_applies_to_the_worst_position_with_full_hands():
    fast = Sample("fast", True, Timing(9.0, 1.0, 1.0, 3, 1), 1.0, {})
    other = Sample("other", False, Timing(99.0, 90.0, 90.0, 5, 1), 1.0, {})
    cases = (50.0, 60.0, "met"), (50.0, 61.0, "met at best"), (61.0, 62.0, "missed")
    for least, median, verdict in cases:
        slow = Sample("slow", True, Timing(9.0, least, median, 4, 1), 1.0, {})
        row = Row("row", "ns", [fast, slow, other], {}, 60.0)
        assert row.verdict == verdict
        assert (row.full, row.worst, row.median) == (median, 90.0, median)
        assert row.repetitions == (3, 5)
