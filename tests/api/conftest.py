"""Fixtures of all tests of the API."""

from __future__ import annotations

import pytest


@pytest.fixture
def uncharged_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charge clients for requests only.

    On a busy machine, a request can take more CPU time than its unit includes.
    """
    monkeypatch.setattr("service.api.responses.cpu_s", lambda: 0.0)
