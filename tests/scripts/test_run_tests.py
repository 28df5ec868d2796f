"""``scripts/run_tests.py``: which sessions it runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import run_tests

from service.serving import kernels

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]


def test_the_default_suite_is_everything_without_a_marker_that_all_adds():
    assert f"-m=not ({run_tests.MARKED})" in OPTIONS["addopts"]


def test_contributing_explains_every_marker():
    listed = {marker.partition(":")[0] for marker in OPTIONS["markers"]}
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert listed == explained == set(run_tests.MARKED.split(" or "))


@pytest.mark.parametrize(
    ("folder", "imports"),
    [
        ("service", [kernels.SERVICE]),
        pytest.param("scripts", run_tests.LEAGUE, marks=pytest.mark.research),
    ],
    ids=["service", "scripts"],
)
def test_every_kernel_is_compiled_before_the_tests(folder: str, imports: Sequence[str]):
    """Otherwise each worker compiles it for itself."""
    statements = f"import {', '.join(imports)}, sys; print(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'scripts'}"}
    imported = subprocess.check_output([sys.executable, "-c", statements], env=environment)
    start = ROOT if folder == "service" else ROOT / folder
    modules = {
        ".".join(file.relative_to(start).with_suffix("").parts)
        for file in (ROOT / folder).rglob("*.py")
        if "\n@kernel(" in file.read_text(encoding="utf-8")
    }
    assert modules
    assert modules <= set(imported.decode().split())


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands, recorded instead of run; every one passes, all work costs nothing."""
    recorded: list[list[str]] = []

    def compiling(*modules: str, **_: Any) -> subprocess.Popen[bytes]:
        recorded.append(["compile", *modules])
        return subprocess.Popen(["true"])

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        recorded.append(command[3:])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(run_tests.subprocess, "run", run)
    monkeypatch.setattr(run_tests, "compiling", compiling)
    return recorded


def test_a_named_test_runs_alone_whatever_its_markers(commands: list[list[str]]):
    assert run_tests.main(["tests/x.py::test_y"]) == 0
    assert commands == [["compile"], ["-m=", "-n=0", "tests/x.py::test_y"]]


def test_compiling_runs_no_tests(commands: list[list[str]]):
    assert run_tests.main(["--compile"]) == 0
    assert commands == [["compile"]]


def test_all_runs_the_default_suite_and_then_the_rest(commands: list[list[str]]):
    assert run_tests.main(["--all", "-x"]) == 0
    service, league, default, rest = commands
    assert (service, league) == (["compile"], ["compile", *run_tests.LEAGUE])
    assert not any(option.startswith("-m") for option in default)
    assert f"-m={run_tests.MARKED}" in rest
    assert "--hypothesis-profile=ci" in rest
    assert default[-1] == rest[-1] == "-x"
