"""Compilation of kernels by several processes: what the first requests need first, then the rest.

    python -m service.serving.kernels [MODULE ...]

compiles all kernels of the service, or those that the modules import, and waits for the end.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Final

from service.compiling import KERNELS, Kernel, refuse_while

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
BACKGROUND_NICENESS: Final = 10
"""By how much requests come before the compilation of the rest."""
MAX_PROCESSES: Final = 4
"""More would wait for each other, and each needs about 200 MB."""
INDEX_BYTES: Final = 2
"""Bytes of the index of a kernel; so few are read from a pipe at once."""
POLL_S: Final = 0.02
PATIENCE_S: Final = 60.0
"""After this time, a process compiles what another one should have compiled."""


class Compilers:
    """Processes that compile kernels into the compile cache; forks of this process.

    Args:
        kernels: those to compile; a kernel comes after all that it calls.
        first: how many of them are compiled with the priority of this process.
        processes: number of processes.
    """

    def __init__(self, kernels: Sequence[Kernel], first: int, processes: int) -> None:
        self._first = first
        # This pipe is the queue of the work, a sequence of indices.
        self._work, enter = os.pipe()
        os.write(enter, b"".join(map(_packed, range(len(kernels)))))
        os.close(enter)
        # This one reports what is compiled, and ends when all processes have ended.
        self._compiled, self._report = os.pipe()
        sys.stdout.flush()
        self._pids = [self._start(kernels) for _ in range(processes)]
        os.close(self._work)
        os.close(self._report)
        self._poll = select.poll()
        self._poll.register(self._compiled, 0)

    def busy(self) -> bool:
        """Return whether any of the processes still runs; forks of this process can ask too."""
        return not self._poll.poll(0)

    def wait_for_first(self) -> None:
        """Wait until the first kernels are compiled, or until all processes have ended."""
        waiting = set(range(self._first))
        while waiting and (compiled := os.read(self._compiled, INDEX_BYTES)):
            waiting.discard(int.from_bytes(compiled))

    def wait(self) -> int:
        """Wait until all processes have ended, and return the number of failed ones."""
        return sum(os.waitpid(pid, 0)[1] != 0 for pid in self._pids)

    def terminate(self) -> None:
        """End the processes."""
        for pid in self._pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    def _start(self, kernels: Sequence[Kernel]) -> int:
        """Start a process and return its id."""
        parent = os.getpid()
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            gc.disable()
            self._work_off(kernels, parent)
            status = 0
        finally:
            os._exit(status)

    def _work_off(self, kernels: Sequence[Kernel], parent: int) -> None:
        """Compile until no work is left, or until the parent has ended."""
        in_background = False
        while os.getppid() == parent and (packed := os.read(self._work, INDEX_BYTES)):
            index = int.from_bytes(packed)
            if index >= self._first and not in_background:
                os.nice(BACKGROUND_NICENESS)
                in_background = True
            kernel = kernels[index]
            until = time.monotonic() + PATIENCE_S
            while not all(each.is_cached for each in kernel.calls) and time.monotonic() < until:
                time.sleep(POLL_S)  # Another process compiles them.
            kernel.load()
            os.write(self._report, packed)


def _packed(index: int) -> bytes:
    return index.to_bytes(INDEX_BYTES)


def prepare() -> Compilers | None:
    """Compile and load the first kernels; return the processes that compile the rest, if any.

    Until they have ended, a call of a kernel that is not compiled raises ``Overloaded``.
    """
    kernels = list(KERNELS.values())
    missing = [kernel for kernel in kernels if not kernel.is_cached]
    compilers = None
    if not all(kernel.can_be_cached for kernel in missing):
        print("Compiling kernels, because no cache is writable ...", file=sys.stderr, flush=True)
        for kernel in kernels:
            kernel.load()
    elif missing:
        print("Compiling kernels (about 20 seconds, once) ...", file=sys.stderr, flush=True)
        compilers = _compile(missing, [kernel for kernel in missing if _is_first(kernel)])
        compilers.wait_for_first()
        refuse_while(compilers.busy)
    called = {each for kernel in kernels for each in kernel.calls}
    for kernel in kernels:
        # Workers share what is loaded before they start. Kernels load what they call.
        if _is_first(kernel) and kernel not in called:
            kernel.load()
    return compilers


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    # macOS has no sched_getaffinity.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def main(modules: Sequence[str]) -> int:
    """Compile the kernels that modules import, and return the exit code."""
    for module in modules or [SERVICE]:
        import_module(module)
    missing = [kernel for kernel in KERNELS.values() if not kernel.is_cached]
    if not missing:
        return 0
    print("Compiling kernels (about two minutes, once) ...", file=sys.stderr, flush=True)
    return int(_compile(missing, missing).wait() > 0)


def _compile(kernels: Collection[Kernel], first: Collection[Kernel]) -> Compilers:
    callers: dict[Kernel, list[Kernel]] = {kernel: [] for kernel in kernels}
    for kernel in kernels:
        for called in kernel.calls:
            callers.get(called, []).append(kernel)

    @cache
    def rank(kernel: Kernel) -> int:
        """Return the work from a kernel to the last one that needs it, roughly."""
        return kernel.size + max(map(rank, callers[kernel]), default=0)

    # Those with most work behind them first, so that no process waits for another at the end.
    ranked = sorted(kernels, key=lambda kernel: (kernel not in first, -rank(kernel)))
    return Compilers(ranked, len(first), min(usable_cores(), MAX_PROCESSES))


def _is_first(kernel: Kernel) -> bool:
    return kernel.name.startswith(FIRST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
