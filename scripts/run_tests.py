"""Run the tests on all cores: ``python3 scripts/dev.py test [--all] [PYTEST ARGS]``.

Without ``--all``: the default suite, or the tests that are named. With ``--all``: the default
suite, whose CPU time is printed, then the marked tests with more random cases. ``--compile``
alone compiles the kernels of the service, and runs nothing.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from typing import Final

import dev

MARKED: Final = "slow or browser or contract or image or research"
"""The markers of tests that are not in the default suite (``addopts`` in pyproject.toml)."""

LEAGUE: Final = (
    "research.league.slopecrashers.mcts",
    "research.league.snow_time.mcts",
    "research.league.snow_time.round_solver",
    "research.league.snowcrest.game_kernels",
)
"""Modules that import all kernels below ``scripts/`` between them."""

LEAGUE_NICENESS: Final = 5
"""They are compiled during the default suite, and leave it three quarters of the cores."""

NO_TESTS: Final = 5
"""The exit code of pytest if no test was selected."""


def main(arguments: list[str]) -> int:
    """Run the tests and return the exit code."""
    compiling().wait()
    if arguments == ["--compile"]:
        return 0
    if "--all" in arguments:
        return run_all([argument for argument in arguments if argument != "--all"])
    return pytest(*arguments)


def run_all(arguments: list[str]) -> int:
    """Run every test in two sessions, and print the CPU time of the first one."""
    # Each of these kernels waits for the one before it, so they would leave a core without work.
    # What is not waited for is not counted.
    league = compiling(*LEAGUE, niceness=LEAGUE_NICENESS)
    before = children_cpu_s()
    statuses = [pytest("--durations=25", *arguments)]
    used = children_cpu_s() - before
    league.wait()
    # In the order of conftest.py, the longest first, so that all workers end together. The image
    # comes first of all. Its build and the browsers mostly wait, so there are two workers more than
    # cores.
    workers = (os.cpu_count() or 1) + 2
    rest = (f"-n={workers}", "--durations=25", "--no-loadscope-reorder", "--hypothesis-profile=ci")
    statuses.append(pytest(*rest, f"-m={MARKED}", *arguments))
    print(f"Default suite: {used:.0f} CPU seconds.")
    return next((status for status in statuses if status not in (0, NO_TESTS)), 0)


def compiling(*modules: str, niceness: int = 0) -> subprocess.Popen[bytes]:
    """Start to compile the kernels of the service, or of modules, before each worker does it."""
    environment = os.environ | {"PYTHONPATH": f"{dev.ROOT}{os.pathsep}{dev.ROOT / 'scripts'}"}
    command = [sys.executable, "-m", "service.serving.kernels", *modules]
    return subprocess.Popen(["nice", f"-n{niceness}", *command], cwd=dev.ROOT, env=environment)


def pytest(*arguments: str) -> int:
    """Run one pytest session and return its exit code."""
    named = any("::" in argument for argument in arguments)
    # Tests that are named run whatever their markers, and without the start of other processes.
    options = ["-m=", "-n=0"] if named else ["-n=auto", "--dist=loadfile"]
    command = [sys.executable, "-m", "pytest", *options, *arguments]
    # Rewriting the assertions of all modules takes ten seconds, so it is cached as bytecode.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, cwd=dev.ROOT, env=environment, check=False).returncode


def children_cpu_s() -> float:
    """Return the CPU seconds of all processes that ended below this one."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    started = time.monotonic()
    status = main(sys.argv[1:])
    print(f"Finished after {time.monotonic() - started:.0f} s.", file=sys.stderr)
    sys.exit(status)
