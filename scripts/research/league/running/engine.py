"""Run a function on many cases: in this process, in local processes, or on a Dask cluster.

Dask runs a case again if its worker was killed, and needs no server of its own.
``docs/performance.md`` compares it with RQ and with a pool of processes.
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import dask
from distributed import Client, Future, LocalCluster, Worker, WorkerPlugin, as_completed
from tqdm import tqdm

from research.league.running.interrupts import deferred_interrupts

Case = TypeVar("Case")
Result = TypeVar("Result")

ROOT: Final = Path(__file__).resolve().parents[4]
CODE: Final = ("service", "scripts")
"""Folders whose Python and JSON files decide the results."""
LIBRARIES: Final = ("numpy", "numba", "scipy")
WINDOW: Final = 512
"""Cases that Dask knows at a time; all at once would delay the first result."""
POLL_S: Final = 0.01
"""Time between two looks for results, and for Ctrl-C."""
CONNECT_WITHIN_S: Final = 20
WORKER_COMMAND: Final = (
    "start workers with: python3 scripts/dev.py run -m research cluster worker {address}"
)
SETTINGS: Final = {
    # Sampling each worker's stack a hundred times a second costs CPU time and is not shown.
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.work-stealing": False,
}


class ClusterError(Exception):
    """The cluster cannot be used; the message says what to do."""


class CaseError(Exception):
    """The function failed for a case; the cause is its exception."""

    def __init__(self, work: object, case: object) -> None:
        super().__init__(f"{getattr(work, '__qualname__', work)} failed for {case!r}")


class Engine:
    """Runs functions on many cases. Processes start when they are first needed, once.

    Args:
        jobs: number of local processes; 1 runs everything in this process.
        cluster: address of a Dask scheduler, instead of local processes.
    """

    def __init__(self, jobs: int = 1, cluster: str | None = None) -> None:
        self.jobs, self.cluster = jobs, cluster
        self._client: Client | None = None
        self._resources = ExitStack()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self._client = None
        # Dask would report every case that an interrupt cuts off.
        with _nothing_logged():
            self._resources.close()

    def run(
        self,
        work: Callable[[Case], Result],
        cases: Sequence[Case],
        title: str = "",
        unit: str = "game",
        finished: int = 0,
    ) -> Iterator[tuple[Case, Result]]:
        """Yield each case with its result as they finish, and show a progress bar.

        Args:
            work: a function at the top level of a module, or a ``partial`` of one.
            cases: its arguments, in the order in which they start.
            title: of the bar.
            unit: of the bar.
            finished: number of cases of an earlier run that the bar includes.

        Raises:
            CaseError: if the function raises an exception or kills four workers.
            ClusterError: if the cluster has no workers, or workers with other code.
        """
        total = finished + len(cases)
        local = self.cluster is None and (self.jobs == 1 or len(cases) < 2)
        pairs = _run_here(work, cases) if local else self._run_on_workers(work, cases)
        bar = tqdm(total=total, initial=finished, unit=unit, desc=title, smoothing=0.02)
        with bar, closing(pairs):
            for pair in pairs:
                yield pair
                bar.update()

    def _run_on_workers(
        self, work: Callable[[Case], Result], cases: Sequence[Case]
    ) -> Generator[tuple[Case, Result]]:
        client = self._connect()
        waiting = iter(cases)
        running: dict[Any, Case] = {}

        def submit(count: int) -> list[Future[Result]]:
            futures = []
            for case in islice(waiting, count):
                future = client.submit(run_case, work, case, code_version(), pure=False)
                running[future.key] = case
                futures.append(future)
            return futures

        with deferred_interrupts() as raise_interrupt:
            completed = as_completed(
                submit(WINDOW), loop=client.loop, with_results=True, raise_errors=False
            )
            while running:
                batch = completed.next_batch(block=False)
                if not batch:
                    time.sleep(POLL_S)
                    raise_interrupt()
                for future, result in batch:
                    case = running.pop(future.key)
                    if future.status == "error":
                        _, error, _ = result
                        if isinstance(error, ClusterError):
                            raise error
                        raise CaseError(work, case) from error
                    if future.status != "finished":
                        place = self.cluster or "a local process"
                        raise ClusterError(f"{place} was lost during {case!r}")
                    yield case, result
                    raise_interrupt()
                    completed.update(submit(1))

    def _connect(self) -> Client:
        """Return the client of the cluster; start a local one at the first call."""
        if self._client is None:
            if self.cluster is None:
                with deferred_interrupts():
                    client = self._start_local()
            else:
                client = self._resources.enter_context(connect(self.cluster))
                check_workers(client, self.cluster)
            self._client = client
        return self._client

    def _start_local(self) -> Client:
        with dask.config.set(SETTINGS):
            cluster = LocalCluster(
                n_workers=self.jobs,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                memory_limit=0,  # Dask would end a worker that reaches a limit.
                plugins=[LeaveToMainProcess()],
            )
        self._resources.enter_context(cluster)
        client: Client = self._resources.enter_context(Client(cluster, set_as_default=False))
        return client


# Workers ---------------------------------------------------------------------------------------


class LeaveToMainProcess(WorkerPlugin):
    """Lets the main process handle Ctrl-C and report errors, instead of its local workers.

    The terminal sends Ctrl-C to all processes. The main process raises the exception of a case; a
    worker would only log it again, or log that the connection to the main process is closed.
    """

    def setup(self, worker: Worker) -> None:
        """Ignore Ctrl-C and log nothing in this worker."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        logging.disable()


def run_case(work: Callable[[Case], Result], case: Case, expected: str) -> Result:
    """Return the result of a case, in a worker.

    Raises:
        ClusterError: if the worker has another version of the code than the caller.
    """
    if code_version() != expected:
        raise ClusterError(
            f"a worker has {code_version()}, this process has {expected}: restart it"
        )
    return work(case)


@cache
def code_version() -> str:
    """Return the versions of Python and the numeric libraries, and a digest of the project's code.

    A worker computes it once, at its first case: it does not notice later changes either.
    """
    digest = sha256()
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".json"):
                digest.update(f"{path.relative_to(ROOT)}\0".encode())
                digest.update(path.read_bytes())
    libraries = [f"{name} {version(name)}" for name in LIBRARIES]
    python = f"Python {platform.python_version()}"
    return ", ".join([python, *libraries, f"code {digest.hexdigest()[:12]}"])


def connect(address: str) -> Client:
    """Return a client of a scheduler that has a worker.

    Raises:
        ClusterError: if there is none.
    """
    try:
        client = Client(address, timeout=CONNECT_WITHIN_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from error
    try:
        client.wait_for_workers(1, timeout=CONNECT_WITHIN_S)
    except TimeoutError as error:
        client.close()
        hint = WORKER_COMMAND.format(address=address)
        raise ClusterError(f"the scheduler at {address} has no workers; {hint}") from error
    return client


def check_workers(client: Client, address: str) -> None:
    """Check that scheduler and workers can import the project, in the version of this process.

    Raises:
        ClusterError: if one cannot, or has another version.
    """
    hint = WORKER_COMMAND.format(address=address)
    try:
        versions = {"the scheduler": client.run_on_scheduler(code_version)}
        versions |= client.run(code_version)
    except ImportError as error:
        raise ClusterError(f"a process of {address} cannot import the project; {hint}") from error
    for name, found in versions.items():
        if found != code_version():
            raise ClusterError(f"{name} has {found}, this process has {code_version()}: restart it")


@contextmanager
def _nothing_logged() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


def _run_here(
    work: Callable[[Case], Result], cases: Sequence[Case]
) -> Generator[tuple[Case, Result]]:
    for case in cases:
        try:
            result = work(case)
        except Exception as error:
            raise CaseError(work, case) from error
        yield case, result


# Scripts ---------------------------------------------------------------------------------------


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs`` and ``--cluster``, which ``run_script`` reads."""
    add_jobs(parser)
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="of a Dask scheduler, instead of local processes"
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs``: all cores by default."""
    parser.add_argument(
        "--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="processes"
    )


def run_script(
    body: Callable[[argparse.Namespace, Engine], int], options: argparse.Namespace
) -> int:
    """Call the body of a script with an engine; return its exit code, or 130 after Ctrl-C."""
    try:
        with Engine(options.jobs, options.cluster) as engine:
            return body(options, engine)
    except ClusterError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    # The end of the handler frees the interrupted loop, which closes its progress bar.
    print("Interrupted; run the same command to continue.", file=sys.stderr)
    return 130


def positive(text: str) -> int:
    """Parse a number of at least one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be positive")
    return number
