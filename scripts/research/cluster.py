"""Start the scheduler or the workers of a Dask cluster for tournaments, training and reviews.

    python3 scripts/dev.py run -m research cluster scheduler --host 10.0.0.1
    python3 scripts/dev.py run -m research cluster worker tcp://10.0.0.1:8786 --jobs 16

Then start a script with ``--cluster tcp://10.0.0.1:8786``. All machines need the same commit, and
the folder of a training run at the same path, because games name evaluators by their paths. Workers
may join and leave at any time, and end one minute after their scheduler. Scheduler and workers
execute what any client sends: open their ports to trusted machines only.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import dask
from dask.__main__ import main as dask_command

from research.league.running.engine import SETTINGS, add_jobs


def main(arguments: Sequence[str]) -> None:
    """Become the command ``dask``, which ends with Ctrl-C or SIGTERM."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    scheduler = commands.add_parser("scheduler", help="one for each cluster")
    scheduler.add_argument("--host", default="127.0.0.1", help="address to listen on")
    scheduler.add_argument("--port", type=int, default=8786)
    worker = commands.add_parser("worker", help="one for each machine")
    worker.add_argument("scheduler", metavar="ADDRESS", help="of the scheduler")
    add_jobs(worker)
    options = parser.parse_args(arguments)
    if options.command == "scheduler":
        words = ["--host", options.host, "--port", str(options.port), "--no-dashboard"]
    else:
        # One game at a time in each process, and no limit of memory at which Dask would end it.
        words = [options.scheduler, "--nworkers", str(options.jobs), "--nthreads", "1"]
        words += ["--memory-limit", "0", "--no-dashboard", "--death-timeout", "60"]
    sys.argv = ["dask", options.command, *words]
    with dask.config.set(SETTINGS):
        dask_command()


if __name__ == "__main__":
    main(sys.argv[1:])
