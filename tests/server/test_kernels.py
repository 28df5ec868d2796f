"""Processes that compile kernels, and which kernels the first requests need."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import pytest

from service import compiling
from service.serving import kernels

ROOT = Path(__file__).resolve().parents[2]


@dataclass(eq=False)
class FakeKernel:
    """A kernel whose compilation writes a file."""

    path: Path
    calls: list[FakeKernel] = field(default_factory=list)
    size: int = 1
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def can_be_cached(self) -> bool:
        return True

    @property
    def is_cached(self) -> bool:
        return self.path.exists()

    def load(self) -> None:
        assert all(kernel.is_cached for kernel in self.calls)
        time.sleep(self.seconds)
        self.path.write_text(str(os.nice(0)))


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> dict[int, FakeKernel]:
    """The kernels that the processes know, by their keys."""
    known: dict[int, FakeKernel] = {}
    monkeypatch.setattr(kernels, "KERNELS", known)
    return known


def compile_all(registered: dict[int, FakeKernel], made: list[FakeKernel]) -> None:
    """Compile in a process of its own, as the server does."""
    registered.update(enumerate(made))
    process = get_context("fork").Process(target=kernels.compile_all, args=(made,))
    process.start()
    process.join()
    assert process.exitcode == 0


# Python 3.12 warns about threads of libraries; these forks use none of them.
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_called_kernels_come_first_and_the_rest_has_less_priority(
    registered: dict[int, FakeKernel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kernels, "usable_cores", lambda: 2)
    monkeypatch.setattr(kernels, "_is_first", lambda kernel: kernel.name != "last")
    inner, slow = FakeKernel(tmp_path / "inner"), FakeKernel(tmp_path / "slow", seconds=0.2)
    first = FakeKernel(tmp_path / "first", [inner, slow])
    last = FakeKernel(tmp_path / "last", [first], size=1000)
    compile_all(registered, [slow, inner, first, last])
    own = os.nice(0)
    assert first.path.read_text() == str(own)
    assert int(last.path.read_text()) == max(own, kernels.BACKGROUND_NICENESS)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_any_number_of_kernels_is_compiled(registered: dict[int, FakeKernel], tmp_path: Path):
    many = [FakeKernel(tmp_path / str(number)) for number in range(300)]
    compile_all(registered, many)
    assert all(kernel.is_cached for kernel in many)


def test_the_service_is_ready_if_the_first_kernels_are_compiled_or_nobody_compiles(
    registered: dict[int, FakeKernel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(compiling, "_busy", compiling._busy)
    monkeypatch.setattr(kernels, "_is_first", lambda kernel: kernel.name == "first")
    monkeypatch.setattr(kernels.sys, "executable", "/bin/sleep")
    monkeypatch.setattr(kernels, "COMPILER", ("60",))
    first, endless = FakeKernel(tmp_path / "first"), FakeKernel(tmp_path / "end")
    registered.update(enumerate([first, endless]))
    process = kernels.prepare()
    assert process is not None
    assert not kernels.is_ready()
    first.load()
    assert kernels.is_ready()
    first.path.unlink()
    process.kill()
    process.wait()
    assert kernels.is_ready()


@pytest.mark.slow
def test_the_first_kernels_are_enough_for_quick_and_standard_hints():
    """Otherwise the first requests after the first start are refused."""
    statements = """
from itertools import islice
from load_testing.bodies import SUGGEST, hint_bodies
from service.app import create_app
from service.compiling import KERNELS
client = create_app().test_client()
for effort in ("quick", "standard"):
    for seats in (3, 4, 5):
        for body in islice(hint_bodies(seats, seed=1, effort=effort), 8):
            client.post(SUGGEST, data=body, content_type="application/json")
print(*(kernel.name for kernel in KERNELS.values() if kernel.is_loaded))
"""
    environment = os.environ | {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'scripts'}",
        "LOG_LEVEL": "WARNING",
    }
    output = subprocess.check_output([sys.executable, "-c", statements], env=environment, text=True)
    loaded = output.split()
    assert len(loaded) > 10
    assert [name for name in loaded if not name.startswith(kernels.FIRST)] == []
