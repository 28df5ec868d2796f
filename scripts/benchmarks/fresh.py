"""A fresh process: the time until it is ready, and its memory.

``bench.py`` starts ``python -m benchmarks.fresh [SEATS PLAYERS MODEL EFFORT DEPTH]``. The process
prints one line when the app is ready, and one with its measurements. With arguments, it also solves
the second of the positions with full hands.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Measure and return the exit code."""
    start = time.perf_counter()
    # This import is what is measured.
    from service.app import create_app

    create_app()
    measured: dict[str, float] = {"ready_s": time.perf_counter() - start, "ready_mib": peak_mib()}
    print("ready", flush=True)
    if arguments:
        from dataclasses import replace

        from research.league.snow_time.agents import SOLVER_GAME, owners

        from benchmarks.positions import TableSize, full_hands
        from service.solver.hints.hint import compute_hint

        seats, players, model, effort, depth = arguments
        question = full_hands(TableSize(int(seats), int(players)), few=True)[1].question
        question = replace(question, model=model, effort=effort, depth=int(depth))
        start = time.perf_counter()
        compute_hint(SOLVER_GAME, question, owners(question))
        measured |= {"hint_s": time.perf_counter() - start, "hint_mib": peak_mib()}
    print(json.dumps(measured), flush=True)
    return 0


def peak_mib() -> float:
    """Return the peak resident memory of this process in MiB.

    On Linux a child inherits the ``ru_maxrss`` of its parent, so ``VmHWM`` is preferred.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        status = ""
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 / (1024 if sys.platform == "darwin" else 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
