"""Log lines about Redis: warnings at the start, and faults."""

from __future__ import annotations

import json
from unittest.mock import Mock

import pytest
from load_testing.server import free_port

from service.app import create_app
from service.config import Config


@pytest.mark.parametrize("key", ["", "secret"])
def test_a_shared_cache_without_a_key_is_logged(key: str, capsys: pytest.CaptureFixture[str]):
    create_app(Config(redis_url="redis://127.0.0.1:1/0", cache_key=key))
    events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert ("cache-key-missing" in events) == (not key)


def test_a_fault_of_redis_is_logged_and_counted_with_its_cause(monkeypatch: pytest.MonkeyPatch):
    logger = Mock()
    monkeypatch.setattr("service.app.log.logger", lambda: logger)
    url = f"redis://:s3cret@127.0.0.1:{free_port()}/0"
    app = create_app(Config(log_level="CRITICAL", redis_url=url, cache_key="x", cache_mib=0))
    app.test_client().post("/v1/games/snow-time/new", json={"seats": ["a", "b"]})
    faults = [call for call in logger.warning.call_args_list if call.args == ("redis-fault",)]
    assert {call.kwargs["fault"] for call in faults} == {"refused"}
    assert "127.0.0.1" in faults[0].kwargs["detail"]
    assert "s3cret" not in str(logger.mock_calls)
    assert 'redis_faults_total{fault="refused"}' in app.extensions["metrics"].exposition().decode()
