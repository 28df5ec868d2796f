"""Fixtures of all tests of the cache."""

from __future__ import annotations

import pytest

from service.cache.request_time import RequestTime
from tests.cache.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test wait for Redis within the time of a request that another test began."""
    monkeypatch.setattr("service.cache.redis._REQUEST_TIME", RequestTime())
