"""Measure the speed of the solver on this machine, and compare with targets; not a test.

    python3 scripts/dev.py run scripts/bench.py --json FILE
    python3 scripts/dev.py run scripts/bench.py --quick --only '5 seats' --only warm-up

All times are wall-clock times of one process at a time, without garbage collection. Each position
is solved once to warm up and then repeatedly. *median*, *90 %* and *max* are over positions, of the
median of the repetitions of each; *best* is the median over positions of the shortest repetition.
*full* is the worst position with full hands, to which the target applies: the verdict is ``met`` if
the median of its repetitions meets the target, ``met at best`` if only the shortest does. A search
for depth 2 may end at depth 1 if the effort does not suffice; *reached* shows the depth.
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

from benchmarks.measures import all_benchmarks
from benchmarks.rows import Measurement, Row
from research.league.snow_time.agents import SOLVER_GAME

SECTIONS: Final = ("rounds", "tensors", "sweeps", "hints", "warm_up", "memory")
NAME: Final = 52
HEAD: Final = (
    f"{'':{NAME}} {'unit':4} {'best':>8} {'median':>8} {'90 %':>8} {'max':>8} {'full':>8}"
    f" {'target':>8}  {'verdict':11} {'positions × repetitions':23} reached"
)
PLAIN_HEAD: Final = f"{'':{NAME}} {'unit':4} {'min':>8} {'median':>8} {'max':>8}  repetitions"


def main(arguments: Sequence[str]) -> int:
    """Run the benchmarks and return the exit code."""
    options = _parser().parse_args(arguments)
    selected = [
        benchmark
        for benchmark in all_benchmarks(quick=options.quick)
        if not options.only or any(text in benchmark.name for text in options.only)
    ]
    if not selected:
        print("bench.py: no benchmark matches --only", file=sys.stderr)
        return 2
    document: dict[str, Any] = {"machine": machine(), "quick": options.quick}
    print(_machine_line(document["machine"]), flush=True)
    document |= {section: [] for section in SECTIONS}
    section = ""
    for benchmark in selected:
        if benchmark.section != section:
            section = benchmark.section
            print("\n" + (PLAIN_HEAD if section in ("warm_up", "memory") else HEAD), flush=True)
        for row in benchmark.measure():
            print(line(row), flush=True)
            document[section].append(row.as_json())
    if options.json:
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        options.json.write_text(text, encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to FILE")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, no deep searches")
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="only rows with NAME in their name; may be repeated",
    )
    return parser


def machine() -> dict[str, Any]:
    """Return a description of this machine."""
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
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _machine_line(machine: dict[str, Any]) -> str:
    return (
        f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']:.2f};"
        f" Python {machine['python']},"
        f" numpy {machine['numpy']}, numba {machine['numba']}; evaluator {machine['evaluator']}"
    )


def line(row: Row | Measurement) -> str:
    """Return a row of the table."""
    if isinstance(row, Measurement):
        shown = _columns(min(row.values), row.median, max(row.values))
        return f"{row.name:{NAME}} {row.unit:4} {shown}  {len(row.values)}"
    shown = _columns(row.least, row.median, row.p90, row.worst, row.full)
    target = "" if row.target is None else f"≤ {row.target:g}"
    counted = f"{len(row.samples)} × {_span(row.repetitions)}"
    depths = row.values_of("reached")
    reached = "depth " + _span((depths[0], depths[-1])) if depths else ""
    text = f"{row.name:{NAME}} {row.unit:4} {shown} {target:>8}  {row.verdict:11} {counted:23}"
    return f"{text} {reached}".rstrip()


def _columns(*numbers: float) -> str:
    return " ".join(f"{_short(number):>8}" for number in numbers)


def _short(number: float) -> str:
    """Return three significant digits, without decimals from 100."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def _span(ends: Sequence[int]) -> str:
    least, most = ends
    return str(least) if least == most else f"{least} to {most}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
