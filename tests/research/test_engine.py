"""Cases run in this process, in local processes and on a cluster with the same results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import research.play as tournament
from load_testing.server import free_port
from research.league.running import engine as module
from research.league.running.cells import Cell, schedule
from research.league.running.engine import CaseError, ClusterError, Engine, connect, run_case
from research.league.running.play import play_all

from tests.patience import PATIENCE_S
from tests.research.engine_cases import (
    fail_at_three,
    kill_the_first_worker,
    log_like_dask,
    square,
)

pytestmark = pytest.mark.research

ROOT = Path(__file__).resolve().parents[2]
CELLS = (Cell("greedy", "random", 3), Cell("greedy", "random", 3, game="slopecrashers"))


@pytest.fixture(scope="module")
def local() -> Iterator[Engine]:
    with Engine(2) as engine:
        yield engine


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with one worker, each started by its command."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    commands = (["scheduler", "--port", str(port)], ["worker", address, "--jobs", "1"])
    started = [start("scripts/research/cluster.py", *words) for words in commands]
    try:
        yield address
    finally:
        for process in reversed(started):  # A worker takes its leave of the scheduler.
            process.terminate()
            process.communicate(timeout=PATIENCE_S)


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'scripts'}"}
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


def records(folder: Path, engine: Engine) -> list[bytes]:
    """Return the sorted lines of a small tournament, without the times."""
    folder.mkdir()
    games = [game for cell in CELLS for game in schedule(cell, 6, seed=3)]
    assert play_all(games, folder, engine) == 12
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_bytes().splitlines()]
    return sorted(json.dumps(line | {"seconds": 0}).encode() for line in lines)


# Results ---------------------------------------------------------------------------------------


def test_records_are_the_same_bytes_in_one_process_in_several_and_on_a_cluster(
    tmp_path: Path, local: Engine, cluster: str
):
    alone = records(tmp_path / "alone", Engine())
    assert len(set(alone)) == 12
    assert records(tmp_path / "local", local) == alone
    with Engine(cluster=cluster) as engine:
        assert records(tmp_path / "cluster", engine) == alone


def test_each_result_belongs_to_its_case(local: Engine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "WINDOW", 5)
    expected = {number: number * number for number in range(40)}
    assert dict(Engine().run(square, range(40))) == expected
    assert dict(local.run(square, range(40))) == expected


def test_one_process_starts_a_case_when_its_result_is_asked_for():
    started = []
    results = Engine().run(started.append, [1, 2, 3])
    next(results)
    assert started == [1]


# Failures --------------------------------------------------------------------------------------


def test_the_case_of_a_killed_worker_runs_again(tmp_path: Path, local: Engine):
    marker = tmp_path / "killed"
    work = partial(kill_the_first_worker, str(marker))
    assert dict(local.run(work, range(6))) == {number: number for number in range(6)}
    assert marker.exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_exception_names_its_case(jobs: int, local: Engine):
    engine = local if jobs == 2 else Engine()
    with pytest.raises(CaseError, match=r"^fail_at_three failed for 3$") as caught:
        list(engine.run(fail_at_three, range(6)))
    assert repr(caught.value.__cause__) == "ValueError('three')"
    assert dict(engine.run(square, [4, 5])) == {4: 16, 5: 25}


def test_local_workers_log_nothing(capfd: pytest.CaptureFixture[str]):
    """At Ctrl-C, a worker may notice first that the scheduler is gone, and log a traceback."""
    with Engine(2) as engine:
        assert dict(engine.run(log_like_dask, [1, 2])) == {1: 1, 2: 2}
    assert "A worker logs" not in capfd.readouterr().err


def test_a_worker_with_other_code_refuses_a_case():
    with pytest.raises(ClusterError, match="this process has code 1: restart it"):
        run_case(square, 2, "code 1")


def test_a_cluster_with_other_code_is_an_error(
    cluster: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(module, "CODE", ("service",))
    module.code_version.cache_clear()
    words = ["run", "--cells", "greedy vs random @ 3", "--games", "15", "--out", str(tmp_path)]
    try:
        assert tournament.main([*words, "--cluster", cluster]) == 2
    finally:
        module.code_version.cache_clear()
    assert "the scheduler has Python" in capsys.readouterr().err


def test_a_cluster_without_scheduler_or_workers_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "CONNECT_WITHIN_S", 0.2)
    with pytest.raises(ClusterError, match="no Dask scheduler answers at"):
        connect(f"tcp://127.0.0.1:{free_port()}")


SCRIPT = """
import signal
import sys
import time
from argparse import Namespace
from pathlib import Path
from research.league.running.engine import run_script
from research.league.running.journal import append_json_lines
from tests.research.engine_cases import InterruptsWhenFreed, interrupt_in_next_future, square

finished = []

def append_results(options, engine):
    results = engine.run(square, range(10**6))
    append_json_lines(Path(sys.argv[1]), ({"case": case} for case, _ in results))

def interrupt_in_finalizer(options, engine):
    for case, _ in engine.run(square, range(10**6)):
        if case == 3:
            InterruptsWhenFreed()

def interrupt_at_last(options, engine):
    for case, _ in engine.run(square, range(6)):
        finished.append(case)
        if len(finished) == 6:
            signal.raise_signal(signal.SIGINT)

def interrupt_with_backlog(options, engine):
    for case, _ in engine.run(square, range(300)):
        assert not finished, "a result after Ctrl-C"
        finished.append(case)
        time.sleep(1)  # All results wait then.
        signal.raise_signal(signal.SIGINT)

def interrupt_and_close(options, engine):
    results = engine.run(square, range(300))
    next(results)
    signal.raise_signal(signal.SIGINT)
    results.close()

def interrupt_in_dask(options, engine):
    for case, _ in engine.run(square, range(10**6)):
        if case == 3:
            interrupt_in_next_future()

# A shell starts background jobs with SIGINT ignored, and processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(run_script(BODY, Namespace(jobs=JOBS, cluster=None)))
"""


def test_ctrl_c_ends_all_processes_and_leaves_whole_records(tmp_path: Path):
    """The terminal sends SIGINT to the whole process group."""
    path = tmp_path / "results.jsonl"
    script = SCRIPT.replace("BODY", "append_results").replace("JOBS", "2")
    process = start("-c", script, str(path), stdout=subprocess.DEVNULL, start_new_session=True)
    give_up = time.monotonic() + PATIENCE_S
    try:
        while not (path.exists() and path.stat().st_size) and time.monotonic() < give_up:
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, output = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 130, output
        assert output.endswith("Interrupted; run the same command to continue.\n")
        assert "Traceback" not in output, output
        cases = [json.loads(line)["case"] for line in path.read_text().splitlines()]
        assert 0 < len(set(cases)) == len(cases) < 10**6
        while group_exists(process.pid):
            assert time.monotonic() < give_up
            time.sleep(0.05)
    finally:
        if group_exists(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize(
    "body", ["in_finalizer", "in_dask", "at_last", "with_backlog", "and_close"]
)
def test_ctrl_c_is_not_lost_and_leaves_nothing_half_made(body: str):
    """Python ignores exceptions in ``__del__``; Dask makes and frees futures all the time."""
    process = start("-c", SCRIPT.replace("BODY", f"interrupt_{body}").replace("JOBS", "2"))
    try:
        _, output = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert process.returncode == 130, output
    assert output.endswith("Interrupted; run the same command to continue.\n")
    assert "Traceback" not in output, output


def test_ctrl_c_while_connecting_does_not_wait(monkeypatch: pytest.MonkeyPatch):
    """A cluster may not answer for long."""

    def press(_: str) -> None:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("Ctrl-C waits")

    monkeypatch.setattr(module, "connect", press)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Engine(cluster="tcp://nowhere") as engine, pytest.raises(KeyboardInterrupt):
            next(engine.run(square, [1, 2]))
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_than_the_main_one_can_run_cases(local: Engine):
    with ThreadPoolExecutor(1) as pool:
        assert dict(pool.submit(lambda: list(local.run(square, [1, 2]))).result()) == {1: 1, 2: 4}


def group_exists(leader: int) -> bool:
    """Return whether a process of the group is alive."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True
