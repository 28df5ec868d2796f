"""Compilation of kernels by several processes: what the first requests need first, then the rest.

    python -m service.serving.kernels [MODULE ...]

compiles all kernels of the service, or those that the modules import, and waits for the end.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from subprocess import Popen
from typing import Final

from service.compiling import KERNELS, Kernel, others_compile, refuse_while
from service.core.violations import COMPILE_TIMES

SERVICE: Final = "service.app"
"""The module that imports all kernels of the service."""
_SNOW_TIME: Final = "service.games.snow_time.engine.kernels"
FIRST: Final = (
    "service.solver.kernels",
    *(
        f"{_SNOW_TIME}.{name}"
        for name in ("effects", "heuristics", "joint", "parts", "profile_parts", "rounds")
    ),
)
"""What hints of Snow Time with the efforts ``quick`` and ``standard`` need."""
COMPILER: Final = ("-m", "service.serving.kernels")
BACKGROUND_NICENESS: Final = 10
"""Of the compilation of the rest, so that requests come before it."""
MAX_PROCESSES: Final = 4
"""More would wait for each other, and each needs about 200 MB."""
POLL_S: Final = 0.02
PATIENCE_S: Final = 60.0
"""After this time, a process compiles what another one should have compiled."""


def prepare() -> Popen[bytes] | None:
    """Load all kernels, or return a process that compiles those that are missing.

    Until it has ended, a call of a kernel that is not compiled raises ``Overloaded``. The process
    leads a session, which its own processes belong to.
    """
    missing = [kernel for kernel in KERNELS.values() if not kernel.is_cached]
    if missing and all(kernel.can_be_cached for kernel in missing):
        print(f"Compiling kernels, once. Ready: {COMPILE_TIMES}.", file=sys.stderr, flush=True)
        running, end = os.pipe()
        process = Popen([sys.executable, *COMPILER], start_new_session=True, pass_fds=[end])
        os.close(end)
        # The pipe ends when all processes have ended; forks of this process can ask too.
        refuse_while(lambda: not select.select([running], [], [], 0.0)[0])
        return process
    if missing:
        print("Compiling kernels, because no cache is writable ...", file=sys.stderr, flush=True)
    called = {each for kernel in KERNELS.values() for each in kernel.calls}
    for kernel in KERNELS.values():
        # Workers share what is loaded before they start. Kernels load what they call.
        if kernel not in called:
            kernel.load()
    return None


def is_ready() -> bool:
    """Return whether hints of Snow Time are possible (efforts ``quick`` and ``standard``)."""
    first = filter(_is_first, KERNELS.values())
    return not others_compile() or all(kernel.is_cached for kernel in first)


def compile_all(kernels: Collection[Kernel]) -> None:
    """Compile kernels into the cache; those that the first requests need come first."""
    keys = {kernel: key for key, kernel in KERNELS.items()}
    ranked = [keys[kernel] for kernel in _ranked(kernels)]
    with ProcessPoolExecutor(min(usable_cores(), MAX_PROCESSES), get_context("fork")) as pool:
        list(pool.map(_compile, ranked))


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    # macOS has no sched_getaffinity.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def main(modules: Sequence[str]) -> None:
    """Compile the kernels that modules import."""
    for module in modules or [SERVICE]:
        import_module(module)
    missing = [kernel for kernel in KERNELS.values() if not kernel.is_cached]
    if missing:
        print(f"Compiling {len(missing)} kernels, once ...", file=sys.stderr, flush=True)
        compile_all(missing)


def _ranked(kernels: Collection[Kernel]) -> list[Kernel]:
    """Return the order: first those with most work behind them, so that no process waits long."""
    callers: dict[Kernel, list[Kernel]] = {kernel: [] for kernel in kernels}
    for kernel in kernels:
        for called in kernel.calls:
            callers.get(called, []).append(kernel)

    @cache
    def rank(kernel: Kernel) -> int:
        """Return the work from a kernel to the last one that needs it, roughly."""
        return kernel.size + max(map(rank, callers[kernel]), default=0)

    return sorted(kernels, key=lambda kernel: (not _is_first(kernel), -rank(kernel)))


def _compile(key: int) -> None:
    """Compile a kernel, after those that it calls, which another process may compile."""
    kernel = KERNELS[key]
    if not _is_first(kernel):
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(own, BACKGROUND_NICENESS))
    until = time.monotonic() + PATIENCE_S
    while not all(each.is_cached for each in kernel.calls) and time.monotonic() < until:
        time.sleep(POLL_S)
    kernel.load()


def _is_first(kernel: Kernel) -> bool:
    return kernel.name.startswith(FIRST)


if __name__ == "__main__":
    main(sys.argv[1:])
