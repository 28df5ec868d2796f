"""Warnings about a configuration at the start."""

from __future__ import annotations

import json

import pytest

from service.app import create_app
from service.config import Config


@pytest.mark.parametrize("key", ["", "secret"])
def test_a_shared_cache_without_a_key_is_logged(key: str, capsys: pytest.CaptureFixture[str]):
    create_app(Config(redis_url="redis://127.0.0.1:1/0", cache_key=key))
    events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert ("cache-key-missing" in events) == (not key)
