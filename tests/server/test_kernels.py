"""Processes that compile kernels, and which kernels the first requests need."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

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
    def is_cached(self) -> bool:
        return self.path.exists()

    def load(self) -> None:
        assert all(kernel.is_cached for kernel in self.calls)
        time.sleep(self.seconds)
        self.path.write_text(str(os.nice(0)))


# Python 3.12 warns about threads of libraries; these forks use none of them.
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_called_kernels_come_first_and_the_rest_has_less_priority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kernels, "usable_cores", lambda: 2)
    inner, slow = FakeKernel(tmp_path / "inner"), FakeKernel(tmp_path / "slow", seconds=0.2)
    first = FakeKernel(tmp_path / "first", [inner, slow])
    last = FakeKernel(tmp_path / "last", [first], size=1000)
    compilers = kernels._compile([slow, inner, first, last], [slow, inner, first])  # type: ignore[list-item]
    compilers.wait_for_first()
    assert first.is_cached
    assert compilers.wait() == 0
    assert not compilers.busy()
    own = os.nice(0)
    assert first.path.read_text() == str(own)
    assert int(last.path.read_text()) == min(19, own + kernels.BACKGROUND_NICENESS)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_any_number_of_kernels_is_compiled(tmp_path: Path):
    many = [FakeKernel(tmp_path / str(number)) for number in range(300)]
    compilers = kernels._compile(many, many)  # type: ignore[arg-type]
    compilers.wait_for_first()
    assert compilers.wait() == 0
    assert all(kernel.is_cached for kernel in many)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_waiting_ends_if_the_processes_end(tmp_path: Path):
    endless = FakeKernel(tmp_path / "endless", seconds=60.0)
    compilers = kernels._compile([endless], [endless])  # type: ignore[list-item]
    assert compilers.busy()
    compilers.terminate()
    compilers.wait_for_first()
    assert not compilers.busy()
    assert compilers.wait() > 0


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
