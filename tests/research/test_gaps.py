"""The script that measures percentiles of epsilon."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.positions import TableSize
from research import gaps

pytestmark = pytest.mark.research


def test_the_script_prints_a_row_for_each_table_and_objective(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "gaps.json"
    assert gaps.main(["--positions", "2", "--effort", "quick", "--json", str(file)]) == 0
    rows = json.loads(file.read_text())
    assert [row["name"] for row in rows] == [
        f"{table}, {objective}"
        for objective in ("win", "lead")
        for table in ("3 seats", "4 seats", "5 seats", "two players")
    ]
    printed = capsys.readouterr().out.splitlines()
    assert [line.partition("  ")[0] for line in printed[2:]] == [row["name"] for row in rows]
    for row in rows:
        assert len(row["gaps"]) == 2
        assert row["max"] == max(row["gaps"])
        assert row["verdict"] is None


def test_a_row_is_met_if_every_percentile_meets_its_target(monkeypatch: pytest.MonkeyPatch):
    epsilons = {1: 0.0, 2: 0.002, 3: 0.009, 4: 0.5}
    monkeypatch.setattr(gaps, "_epsilon", lambda _table, _objective, _effort, seed: epsilons[seed])
    row = gaps.row(TableSize(3, 3), "win", "standard", 3)
    assert (row["median"], row["p90"], row["verdict"]) == (0.002, 0.009, "met")
    row = gaps.row(TableSize(3, 3), "win", "standard", 4)
    assert (row["median"], row["verdict"]) == (np.median(list(epsilons.values())), "missed")
    assert gaps.row(TableSize(4, 2), "win", "standard", 1)["verdict"] == "met"
    assert gaps.row(TableSize(4, 2), "win", "standard", 2)["verdict"] == "missed"
    assert gaps.row(TableSize(4, 2), "lead", "standard", 4)["verdict"] is None
