"""gunicorn settings: addresses, workers and valid names."""

from __future__ import annotations

import gc
import os
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dev
import pytest
from gunicorn.config import Config

from service.serving.logger import Logger

FILE = Path(__file__).resolve().parents[2] / "deploy" / "gunicorn.conf.py"


def run_file(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> dict[str, Any]:
    """Run the configuration file in an environment."""
    monkeypatch.setattr(gc, "disable", lambda: None)  # It is for the server only.
    for name in ("HOST", "PORT", "METRICS_HOST", "METRICS_PORT", "WEB_CONCURRENCY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(FILE))


def settings(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> Any:
    """Return the settings of the configuration file, validated by gunicorn."""
    config = Config()
    for name, value in run_file(monkeypatch, environment).items():
        if name in config.settings:
            config.set(name, value)
    return config.settings


@pytest.mark.parametrize(
    ("arguments", "environment", "bind"),
    [
        ([], {}, "127.0.0.1:8000"),
        ([], {"PORT": "", "HOST": ""}, "127.0.0.1:8000"),
        ([], {"PORT": "8001"}, "127.0.0.1:8001"),
        (["--port", "9000"], {"PORT": "8001"}, "127.0.0.1:9000"),
        ([], {"HOST": "0.0.0.0"}, "0.0.0.0:8000"),
        (["--host", "::1"], {"HOST": "0.0.0.0"}, "[::1]:8000"),
    ],
)
def test_a_flag_wins_over_the_environment_which_wins_over_the_default(
    arguments: list[str], environment: dict[str, str], bind: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "environ", environment)
    assert settings(monkeypatch, dev.serve_environment(arguments))["bind"].value == [bind]


def test_there_is_one_worker_per_usable_core_but_at_most_four(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2}, raising=False)
    assert settings(monkeypatch, {})["workers"].value == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(64)), raising=False)
    assert settings(monkeypatch, {})["workers"].value == 4
    assert settings(monkeypatch, {"WEB_CONCURRENCY": "6"})["workers"].value == 6


def test_garbage_is_collected_only_after_the_import_and_not_in_modules(
    monkeypatch: pytest.MonkeyPatch,
):
    calls: list[str] = []
    for name in ("disable", "freeze", "enable"):
        monkeypatch.setattr(gc, name, lambda name=name: calls.append(name))
    when_ready = runpy.run_path(str(FILE))["when_ready"]
    assert calls == ["disable"]
    when_ready(None)
    assert calls == ["disable", "freeze", "enable"]


@pytest.mark.parametrize(
    ("environment", "arguments"),
    [
        ({}, None),
        ({"METRICS_PORT": "0"}, None),
        ({"METRICS_PORT": "9100"}, ["127.0.0.1:8000", "127.0.0.1", "9100"]),
        (
            {"METRICS_PORT": "9100", "METRICS_HOST": "::", "PORT": "1"},
            ["127.0.0.1:1", "::", "9100"],
        ),
    ],
)
def test_the_monitoring_starts_if_metrics_have_a_port(
    environment: dict[str, str],
    arguments: list[str] | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
):
    # With this variable set, the configuration does not create a folder.
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_: started.append(command[4:]))
    monkeypatch.setattr("service.serving.kernels.prepare", lambda: None)
    run_file(monkeypatch, environment)["on_starting"](SimpleNamespace())
    assert started == ([] if arguments is None else [arguments])


def test_every_setting_has_a_name_that_gunicorn_knows(monkeypatch: pytest.MonkeyPatch):
    known = settings(monkeypatch, {})
    written = re.findall(r"^ {0,4}([a-z]\w+) = ", FILE.read_text(), re.MULTILINE)
    assert {"bind", "workers", "threads", "preload_app"} <= set(written)
    assert set(written) <= set(known)


def test_no_access_log_entries_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """gunicorn builds them as soon as its logs are configured."""
    config = Config()
    config.set("logconfig_dict", {"version": 1})
    logger = Logger(config)
    monkeypatch.setattr(logger, "atoms", None)
    logger.access(None, None, {}, None)
