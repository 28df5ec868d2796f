"""A fresh process: how long until it can answer, and how much memory it comes to need.

The child of ``bench.py`` that is measured: ``python -m benchmarks.fresh [HINT]``
prints one line once the app stands, and another with what it measured; a hint, at the second of
the positions with full hands, is told as ``SEATS PLAYERS MODEL TIER DEPTH``.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Returns the exit code."""
    began = time.perf_counter()
    # Not at the top: this is what is measured.
    from service.app import create_app

    create_app()
    told: dict[str, float] = {"ready_s": time.perf_counter() - began, "ready_mib": peak_mib()}
    print("ready", flush=True)
    if arguments:
        from dataclasses import replace

        from league.snow_time.agents import SOLVER_GAME, owners

        from benchmarks.positions import Table, full_hands
        from service.solver.hints.hint import compute_hint

        seats, players, model, tier, depth = arguments
        question = full_hands(Table(int(seats), int(players)), few=True)[1].question
        question = replace(question, model=model, effort=tier, depth=int(depth))
        began = time.perf_counter()
        compute_hint(SOLVER_GAME, question, owners(question))
        told |= {"hint_s": time.perf_counter() - began, "hint_mib": peak_mib()}
    print(json.dumps(told), flush=True)
    return 0


def peak_mib() -> float:
    """The most memory this process has had resident.

    Linux lets a child start from its parent's ``ru_maxrss``; what the kernel says of the process
    itself is better where it says so.
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
