"""``scripts/dev.py``: which Python it refuses, what it installs, what it starts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import dev
import pytest

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = 'requires-python = ">=3.11,<3.15"'


# Which Python is refused -----------------------------------------------------------------------


@pytest.mark.parametrize("version", [(3, 6), (3, 10), (3, 15), (4, 0)])
def test_an_unsupported_python_is_refused_in_one_sentence(version: tuple[int, int]):
    sentence = dev.version_error(PYPROJECT, version, "posix")
    assert sentence is not None
    assert sentence.startswith("Winter Games needs Python 3.11 or newer, below 3.15, on Linux")
    assert "this is Python {}.{}".format(*version) in sentence
    assert "\n" not in sentence


def test_a_supported_python_is_accepted_but_not_on_windows():
    for version in ((3, 11), (3, 14)):
        assert dev.version_error(PYPROJECT, version, "posix") is None
        assert "on Linux or macOS" in (dev.version_error(PYPROJECT, version, "nt") or "")


def test_unreadable_bounds_are_an_error():
    with pytest.raises(ValueError, match="requires-python"):
        dev.version_error('requires-python = "~=3.11"', (3, 12), "posix")


def test_an_unsupported_python_exits_with_code_two_and_only_the_sentence():
    pretend = (
        "import runpy, sys; sys.version_info = (3, 10, 13, 'final', 0);"
        f"runpy.run_path({dev.__file__!r}, run_name='__main__')"
    )
    process = subprocess.run(
        [sys.executable, "-c", pretend], capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert process.stdout == ""
    assert re.fullmatch(
        r"Winter Games needs Python .*; this is Python 3\.10 .*\.\n", process.stderr
    )


# What is installed -----------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """An empty project folder without uv; records the uv commands instead of running them."""
    commands: list[list[str]] = []

    def uv(*arguments: object) -> None:
        commands.append([str(argument) for argument in arguments])
        if arguments[0] == "venv":
            library = dev.VENV / "lib" / "python{}.{}".format(*sys.version_info)
            library.mkdir(parents=True)
            dev.PYTHON.parent.mkdir(exist_ok=True)
            dev.PYTHON.touch()

    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(dev, "uv", uv)
    return commands


def test_the_environment_is_created_once(project: list[list[str]]):
    dev.set_up(dev.RUNTIME)
    dev.set_up(dev.RUNTIME)
    assert [command[0] for command in project] == ["venv", "pip", "pip"]


def test_serving_adds_packages_and_testing_removes_unlisted_ones(project: list[list[str]]):
    dev.set_up(dev.RUNTIME)
    dev.set_up(dev.RUNTIME, dev.TESTS)
    verbs = [command[1] for command in project if command[0] == "pip"]
    assert verbs == ["install", "sync"]
    assert all("--require-hashes" in command for command in project if command[0] == "pip")


def test_an_environment_of_another_python_is_created_again(project: list[list[str]]):
    dev.set_up(dev.RUNTIME)
    library = dev.VENV / "lib" / "python{}.{}".format(*sys.version_info)
    library.rename(library.with_name("python3.99"))
    dev.set_up(dev.RUNTIME)
    assert [command[0] for command in project] == ["venv", "pip", "venv", "pip"]


def test_a_missing_pip_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "version_error", lambda _: None)
    monkeypatch.setattr(sys, "_base_executable", str(python))
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    assert dev.main(["lock"]) == 1
    assert re.fullmatch(r"(Setting up .*\n)?dev.py: .* has no pip: .*\.\n", capsys.readouterr().err)


# What is started -------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[list[str], Path, Any]]:
    """Install nothing and replace no process; records command, working folder and environment."""
    calls: list[tuple[list[str], Path, Any]] = []

    def execve(path: Path, arguments: list[str], environment: dict[str, str]) -> None:
        assert path == dev.PYTHON
        calls.append((arguments[1:], Path.cwd(), environment))

    monkeypatch.setattr(dev, "set_up", lambda *_: None)
    monkeypatch.setattr(os, "execve", execve)
    monkeypatch.chdir(tmp_path)
    return calls


def test_serve_becomes_gunicorn_and_test_passes_its_arguments_on_at_the_root(started: list[Any]):
    dev.main(["serve", "--port", "9000"])
    dev.main(["test", "-k", "brawl", "--help"])
    serve, test = started
    gunicorn = ["-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "service.app:create_app()"]
    assert serve[:2] == (gunicorn, ROOT)
    assert serve[2]["PORT"] == "9000"
    assert test[:2] == (["scripts/run_tests.py", "-k", "brawl", "--help"], ROOT)


def test_run_keeps_the_folder_and_can_import_the_service(
    started: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    dev.main(["run", "tool.py", "-x"])
    [(command, folder, environment)] = started
    assert command == ["tool.py", "-x"]
    assert folder == tmp_path
    folders = (str(ROOT), f"{ROOT}/scripts", "/elsewhere")
    assert environment["PYTHONPATH"] == os.pathsep.join(folders)


@pytest.mark.parametrize(
    ("arguments", "port"), [(["--port", "http"], ""), (["--port", "65536"], ""), ([], "http")]
)
def test_a_wrong_port_is_refused_before_any_setup(
    arguments: list[str],
    port: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("PORT", port)
    with pytest.raises(SystemExit) as refusal:
        dev.main(["serve", *arguments])
    assert refusal.value.code == 2
    assert "--port" in capsys.readouterr().err


# The lock files --------------------------------------------------------------------------------


def pins(lock_file: Path) -> dict[str, str]:
    """Every requirement of a lock file, one line each, by its name."""
    joined = lock_file.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line and not line.lstrip().startswith("#")]
    return {re.split(r"[=<>!~; \[]", line)[0]: line for line in lines}


@pytest.mark.parametrize("lock_file", dev.LOCK_FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_lock_file_pins_every_requirement_with_hashes_and_names_no_machine(lock_file: Path):
    for line in pins(lock_file).values():
        assert re.match(r"\S+==\S+ .*--hash=sha256:[0-9a-f]{64}", line), line
    asked = re.findall(r"^[\w-]+", lock_file.with_suffix(".in").read_text(), re.MULTILINE)
    assert {name.lower() for name in asked} <= set(pins(lock_file))
    text = lock_file.read_text(encoding="utf-8")
    assert "python3 scripts/dev.py lock" in text
    assert not re.search(r"https?:|file:|index-url|find-links|(?<!\S)/", text)


@pytest.mark.parametrize(
    ("first", "second", "package"),
    [
        (dev.RUNTIME, dev.TESTS, "werkzeug"),
        (dev.TRACING, dev.TESTS, "requests"),
        (dev.RUNTIME, dev.TRACING, None),
    ],
)
def test_what_is_installed_together_has_the_same_versions(
    first: Path, second: Path, package: str | None
):
    one, other = pins(first), pins(second)
    shared = one.keys() & other.keys()
    assert package is None or package in shared
    assert {name: one[name] for name in shared} == {name: other[name] for name in shared}


@pytest.mark.parametrize("endpoint", ["", "http://collector:4318"])
def test_serving_installs_the_packages_of_traces_if_they_are_switched_on(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
    monkeypatch.setattr(dev, "replace_process", lambda *_: None)
    installed: list[Path] = []
    monkeypatch.setattr(dev, "set_up", lambda *files: installed.extend(files))
    dev.serve([])
    assert (dev.TRACING in installed) == bool(endpoint)
