"""What a solve frees serves the next one."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FEW = 200
"""Pages that a large solve may have to be given once its like was solved; without it thousands."""
SOLVES = """
import resource
from dataclasses import replace
from league.agents import STAGES, owners
from benchmarks.positions import TABLES, posed
from service.allocator import keep_freed
from service.solver.hint import solve

assert keep_freed()
table = next(table for table in TABLES if table.seats == 5)
question = replace(posed(table, few=True)[0].question, tier="quick")
faults = []
for _ in range(4):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    solve(STAGES, question, owners(question))
    faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(faults[-1])
"""


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries are not told")
def test_a_solve_finds_the_memory_that_the_one_before_it_freed():
    found = subprocess.run(
        [sys.executable, "-c", SOLVES],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "scripts")])},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert int(found.stdout) <= FEW
