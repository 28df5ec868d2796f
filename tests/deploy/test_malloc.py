"""With the malloc settings of the image, a solve reuses the memory of the previous solve."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import dev
import pytest

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = dict(re.findall(r"(MALLOC_\w+)=(\d+)", (ROOT / "deploy" / "Dockerfile").read_text()))
MAX_PAGE_FAULTS = 200
"""Limit of page faults of a repeated large solve; glibc's defaults cause thousands."""
SOLVES = """
import resource
from dataclasses import replace
from research.league.snow_time.agents import SOLVER_GAME, owners
from benchmarks.positions import TABLE_SIZES, named_questions
from service.solver.hints.hint import compute_hint

table = next(table for table in TABLE_SIZES if table.seats == 5)
question = replace(named_questions(table, few=True)[0].question, effort="quick")
faults = []
for _ in range(4):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    compute_hint(SOLVER_GAME, question, owners(question))
    faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(faults[-1])
"""


def test_the_developer_commands_set_the_variables_of_the_image():
    assert SETTINGS == dev.MALLOC


def test_a_developer_can_set_other_values(monkeypatch: pytest.MonkeyPatch):
    started = {}
    monkeypatch.setattr(os, "execve", lambda *_: started.update(_[2]))
    dev.replace_process(["x"], {"MALLOC_ARENA_MAX": "1"})
    assert started == dev.MALLOC | {"MALLOC_ARENA_MAX": "1"}


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs glibc")
def test_a_solve_reuses_the_memory_of_the_previous_solve():
    path = os.pathsep.join([str(ROOT), str(ROOT / "scripts")])
    process = subprocess.run(
        [sys.executable, "-c", SOLVES],
        env=os.environ | SETTINGS | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert int(process.stdout) <= MAX_PAGE_FAULTS
