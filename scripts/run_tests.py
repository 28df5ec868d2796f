"""Run the tests on all cores: ``python3 scripts/dev.py test [--all] [PYTEST ARGS]``.

Without ``--all``: the default suite, or the tests that are named. With ``--all``: the default
suite within its budget of CPU time, then the marked tests with more random cases. ``--compile``
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

BUDGET_CPU_S: Final = 450.0
"""CPU seconds of the default suite in ``.ci/run``, with all its processes, at reference speed."""

TOLERANCE: Final = 1.25
REFERENCE_S: Final = 2.9
"""CPU seconds that ``reference_work`` takes on the machine of the budget."""
REFERENCE_WORK: Final = """
import ast, json
lines = "def f{0}(a, b=({0}, 'x')):\\n    return [a + k for k in b] if a else {{0: a.b[{0}:]}}\\n"
source = "".join(lines.format(number) for number in range(1500))
for _ in range(6):
    words = sorted(set(ast.dump(ast.parse(source)).replace("(", " ").split()))
    compile(source, "", "exec")
    json.loads(json.dumps({word: [len(word), word[::-1]] for word in words}))
"""
"""Objects and memory, as in the tests; a machine can be twice as fast at plain arithmetic alone."""

LEAGUE: Final = (
    "league.slopecrashers.mcts",
    "league.snow_time.mcts",
    "league.snow_time.round_solver",
    "league.snowcrest.game_kernels",
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
    """Run every test in two sessions; fail if the first one exceeds its budget."""
    reference = reference_work()
    # Each of these kernels waits for the one before it, so they would leave a core without work.
    # What is not waited for is not counted.
    league = compiling(*LEAGUE, niceness=LEAGUE_NICENESS)
    before = children_cpu_s()
    statuses = [pytest("--durations=25", *arguments)]
    used = children_cpu_s() - before
    league.wait()
    slowness = (reference + reference_work()) / 2 / REFERENCE_S
    used /= slowness
    # In the order of conftest.py, the longest first, so that all workers end together. The image
    # comes first of all. Its build and the browsers mostly wait, so there are two workers more than
    # cores.
    workers = (os.cpu_count() or 1) + 2
    rest = (f"-n={workers}", "--durations=25", "--no-loadscope-reorder", "--hypothesis-profile=ci")
    statuses.append(pytest(*rest, f"-m={MARKED}", *arguments))
    print(
        f"Default suite: {used:.0f} CPU seconds at reference speed (this machine took "
        f"{slowness:.2f} times as long), budget {BUDGET_CPU_S:.0f}."
    )
    other_profile = any("--hypothesis-profile" in argument for argument in arguments)
    if used > TOLERANCE * BUDGET_CPU_S and not other_profile:
        print(f"That is more than {TOLERANCE} times the budget: BUDGET_CPU_S in {__file__}.")
        statuses.append(1)
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


def reference_work() -> float:
    """Return the CPU seconds of a fixed amount of work on all cores: how slow this machine is."""
    before = children_cpu_s()
    cores = os.cpu_count() or 1
    processes = [subprocess.Popen([sys.executable, "-c", REFERENCE_WORK]) for _ in range(cores)]
    for process in processes:
        process.wait()
    return (children_cpu_s() - before) / cores


if __name__ == "__main__":
    started = time.monotonic()
    status = main(sys.argv[1:])
    print(f"Finished after {time.monotonic() - started:.0f} s.", file=sys.stderr)
    sys.exit(status)
