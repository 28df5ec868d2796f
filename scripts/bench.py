"""How fast the solver is on this machine, beside what is aimed at; never a test.

    python3 scripts/dev.py run scripts/bench.py --json FILE
    python3 scripts/dev.py run scripts/bench.py --quick --only '5 seats' --only warm-up

Every number is of the wall clock, one process at a time, garbage collection off.  A position is
asked once without counting and then repeatedly; *median*, *90 %* and *max* are over positions, of
the median of each one's repetitions, and *best* is the median over positions of the shortest
repetition.  *full* is the worst position with full hands, which is what a target is for: it is
``met`` by the median of its repetitions, or ``met at best`` by the shortest alone.  Whoever asks
for depth 2 may be answered at depth 1 where the tier does not reach; *reached* tells.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from benchmarks.measures import plans
from benchmarks.rows import Figure, Row
from league.snow_time.agents import SOLVER_GAME

SECTIONS: Final = ("rounds", "tensors", "sweeps", "hints", "warm_up", "memory")
NAME: Final = 52
HEAD: Final = (
    f"{'':{NAME}} {'unit':4} {'best':>8} {'median':>8} {'90 %':>8} {'max':>8} {'full':>8}"
    f" {'target':>8}  {'verdict':11} {'positions × repetitions':23} reached"
)
PLAIN_HEAD: Final = f"{'':{NAME}} {'unit':4} {'min':>8} {'median':>8} {'max':>8}  repetitions"


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    options = _parser().parse_args(arguments)
    due = [
        plan
        for plan in plans(quick=options.quick)
        if not options.only or any(text in plan.name for text in options.only)
    ]
    if not due:
        print("bench.py: nothing that is measured has such a name", file=sys.stderr)
        return 2
    found: dict[str, Any] = {"machine": machine(), "quick": options.quick}
    print(_line(found["machine"]), flush=True)
    found |= {section: [] for section in SECTIONS}
    section = ""
    for plan in due:
        if plan.section != section:
            section = plan.section
            print("\n" + (PLAIN_HEAD if section in ("warm_up", "memory") else HEAD), flush=True)
        for row in plan.measure():
            print(line(row), flush=True)
            found[section].append(row.as_json())
    if options.json:
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        options.json.write_text(text, encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, too")
    parser.add_argument("--quick", action="store_true", help="less often, and without deep")
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="rows with NAME in their name; may be repeated",
    )
    return parser


def machine() -> dict[str, Any]:
    """What the numbers hold for."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "evaluator": SOLVER_GAME.evaluator,
    }


def _cpu() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        told = []
    named = [line.partition(":")[2].strip() for line in told if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _line(told: dict[str, Any]) -> str:
    return (
        f"{told['cpu']}, {told['cores']} cores, load {told['load']:.2f}; Python {told['python']},"
        f" numpy {told['numpy']}, numba {told['numba']}; evaluator {told['evaluator']}"
    )


def line(row: Row | Figure) -> str:
    """A row of the table."""
    if isinstance(row, Figure):
        shown = _columns(min(row.values), row.median, max(row.values))
        return f"{row.name:{NAME}} {row.unit:4} {shown}  {len(row.values)}"
    shown = _columns(row.least, row.median, row.p90, row.worst, row.full)
    target = "" if row.target is None else f"≤ {row.target:g}"
    counted = f"{len(row.samples)} × {_span(row.repetitions)}"
    reached = row.seen("reached")
    depths = "depth " + _span((reached[0], reached[-1])) if reached else ""
    text = f"{row.name:{NAME}} {row.unit:4} {shown} {target:>8}  {row.verdict:11} {counted:23}"
    return f"{text} {depths}".rstrip()


def _columns(*numbers: float) -> str:
    return " ".join(f"{_short(number):>8}" for number in numbers)


def _short(number: float) -> str:
    """Three figures, or all before the point."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def _span(ends: Sequence[int]) -> str:
    least, most = ends
    return str(least) if least == most else f"{least} to {most}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
