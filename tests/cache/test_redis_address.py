"""The address of Redis: redis-py reads it, and one sentence refuses what it cannot use."""

from __future__ import annotations

import pytest

from service.app import create_app
from service.cache.redis_address import pool_of
from service.config import Config
from tests.loops import for_each


@for_each(
    "url, options",
    [
        ("redis://[::1]:7/2", {"host": "::1", "port": 7, "db": 2}),
        ("redis://a%40b:p%2Cq%20@host", {"username": "a@b", "password": "p,q ", "host": "host"}),
        ("redis://:x,y@host?db=3", {"password": "x,y", "host": "host", "db": 3}),
        ("unix:///run/a%20b,c?db=1", {"path": "/run/a b,c", "db": 1}),
        ("rediss://host?ssl_ca_certs=/a,b", {"host": "host", "ssl_ca_certs": "/a,b"}),
        ("redis://host?socket_timeout=9&protocol=3&retry=x", {"host": "host"}),
    ],
)
def test_an_address_names_a_server_and_replaces_no_limit(url: str, options: dict[str, object]):
    limits = {"socket_timeout": 0.5, "protocol": 2, "retry": None}
    pool = pool_of(url, **limits)
    pool.connection_kwargs.pop("himport_registry", None)
    assert pool.connection_kwargs == options | limits


@for_each(
    "url, reason",
    [
        ("redis+sentinel://:s3cret@a:26379/mymaster", "names Redis Sentinel, a cluster or several"),
        ("sentinel://:s3cret@a,b/mymaster", "names Redis Sentinel, a cluster or several"),
        ("redis-cluster://:s3cret@a:7000", "names Redis Sentinel, a cluster or several"),
        ("redis://:s3cret@a:7000,b:7001/0", "names Redis Sentinel, a cluster or several"),
        ("http://:s3cret@a", "is invalid"),
        ("s3cret@a:6379", "is invalid"),
        ("redis://:s3cret@a:x", "is invalid"),
        ("redis://:s3cret@[::1", "is invalid"),
        ("redis://:s3cret/x@a", "is invalid"),
        ("redis://x@s3cret#x@a", "is invalid"),
        ("redis://:s3cret?x@a", "is invalid"),
        ("redis://a?db=s3cret", "is invalid"),
        ("redis://a?unknown=s3cret", "is invalid"),
        ("rediss://:s3cret@a?ssl_cert_reqs=s3cret", "is invalid"),
    ],
)
def test_any_other_address_stops_the_start_with_one_sentence(url: str, reason: str):
    with pytest.raises(ValueError, match=f"^REDIS_URL {reason}") as caught:
        create_app(Config(redis_url=url, cache_key="x", log_level="CRITICAL"))
    assert "s3cret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__, "a traceback shows the reason of redis-py"
