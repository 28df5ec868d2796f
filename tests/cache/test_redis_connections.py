"""Connections to Redis: TLS, users, addresses, and the causes of faults."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from load_testing.faulty_proxy import faulty_proxy
from load_testing.redis_server import executable
from load_testing.server import free_port

from service.cache.rate_limit import Quota
from service.cache.redis import Remote
from service.cache.redis_faults import LONGEST_DETAIL, NAMES, TIMEOUT
from service.cache.request_time import BASE_S
from service.cache.types import Lease
from tests.redis_server import Faults, RedisServer, scripted_server
from tests.tls_relay import Certificate, new_certificate, tls_relay, tls_url

KEY, VALUE = b"k" * 32, b"a value"
QUOTA = Quota(units=100, window_s=3600)
"""Of a long window: what a client owes is still stored when a busy machine looks."""
PASSWORD = "p@ss:w/rd?#%+ü"
QUOTED = "p%40ss%3Aw%2Frd%3F%23%25%2B%C3%BC"
OPERATORS = (Path(__file__).resolve().parents[2] / "deploy" / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return new_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def tls_port(redis_server: RedisServer, certificate: Certificate) -> Iterator[int]:
    with tls_relay(redis_server.port, certificate) as port:
        yield port


@pytest.fixture
def admin(redis_server: RedisServer) -> Iterator[Any]:
    """Return an administrator's client, and remove passwords and users afterwards."""
    admin: Any = redis_server.admin
    admin.flushall()
    with closing(admin.client()) as client:
        yield client
        client.config_set("requirepass", "")
        client.execute_command("ACL", "DELUSER", "winter-games")


def assert_works(remote: Remote) -> None:
    """Assert that all operations of the cache succeed."""
    lease = remote.acquire_lease(KEY)
    assert isinstance(lease, Lease)
    writes = remote.renewing(lease), remote.putting(KEY, VALUE, lease), remote.owing("a", 1, QUOTA)
    assert remote.write(*writes) == [True] * 3
    value, balance = remote.get_and_spend(KEY, "a", 1.0, QUOTA)
    assert (remote.get(KEY), value) == (VALUE, VALUE)
    assert balance is not None
    assert balance.remaining(QUOTA) in (98, 99), "the window moves on"


def has_ipv6(port: int) -> bool:
    with socket.socket(socket.AF_INET6) as client:
        return client.connect_ex(("::1", port)) == 0


def fault_of(url: str) -> tuple[str, str]:
    """Return the only fault of a lookup that misses, and its detail."""
    faults = Faults()
    assert Remote(url, 60, on_fault=faults.add).get(KEY) is None
    [fault], [detail] = faults, faults.details
    return fault, detail


# TLS --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("password", ["", PASSWORD])
@pytest.mark.usefixtures("patient")
def test_a_server_with_tls_is_used(
    admin: Any,
    tls_port: int,
    certificate: Certificate,
    password: str,
    monkeypatch: pytest.MonkeyPatch,
):
    """Regression: session tickets were taken for a late reply, so connections were closed."""
    faults, sides = Faults(), Counter[bool]()  # A kept socket could be freed before its connection.
    shake = ssl.SSLSocket.do_handshake

    def shake_and_sleep(self: ssl.SSLSocket, *options: Any) -> None:
        sides[self.server_side] += 1
        shake(self, *options)
        time.sleep(0.02)  # The tickets arrive.

    monkeypatch.setattr(ssl.SSLSocket, "do_handshake", shake_and_sleep)
    admin.config_set("requirepass", password)
    user = f":{QUOTED}@" if password else ""
    assert_works(Remote(tls_url(tls_port, certificate, user), 60, on_fault=faults.add))
    assert not faults
    assert sides[False] == 3, "for leases, writes and lookups"


@pytest.mark.usefixtures("patient", "admin")
def test_a_server_with_tls_that_sends_a_byte_at_a_time_delays_no_request(
    redis_server: RedisServer, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
):
    with faulty_proxy(redis_server.port) as proxy, tls_relay(proxy.port, certificate) as port:
        remote = Remote(tls_url(port, certificate), 60, on_fault=(faults := Faults()).add)
        assert_works(remote)
        monkeypatch.setattr("service.cache.redis.TIMEOUT_S", 0.1)
        proxy.mode = "drip"
        begun = time.monotonic()
        assert remote.get(KEY) is None
        assert time.monotonic() - begun < 2 * BASE_S
    assert faults == [TIMEOUT]


# Causes -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("patient")
def test_a_certificate_of_another_authority_or_host_is_named(
    redis_server: RedisServer, tls_port: int, tmp_path: Path
):
    other = new_certificate(tmp_path, "DNS:other.example")
    fault, detail = fault_of(tls_url(tls_port, other))
    assert (fault, "CERTIFICATE_VERIFY_FAILED" in detail) == ("tls", True)
    with tls_relay(redis_server.port, other) as port:
        fault, detail = fault_of(tls_url(port, other))
    assert (fault, "Hostname mismatch" in detail) == ("tls", True)


@pytest.mark.usefixtures("patient")
def test_an_unknown_host_a_closed_port_and_an_absent_file_are_named(tls_port: int, tmp_path: Path):
    port, absent = free_port(), tmp_path / "absent"
    fault, detail = fault_of("redis://redis.invalid")
    assert (fault, "redis.invalid" in detail) == ("dns", True)
    fault, detail = fault_of(f"redis://127.0.0.1:{port}")
    assert (fault, str(port) in detail) == ("refused", True)
    for url in (f"unix://{absent}", tls_url(tls_port, Certificate(absent, absent))):
        assert fault_of(url)[0] == "file"


@pytest.mark.parametrize("user", ["", ":wr0ng-s3cret@", "stranger:wr0ng-s3cret@"])
@pytest.mark.usefixtures("patient")
def test_a_wrong_password_is_named(redis_server: RedisServer, admin: Any, user: str):
    admin.config_set("requirepass", "right")
    fault, detail = fault_of(redis_server.url.replace("redis://", f"redis://{user}"))
    assert (fault, "s3cret" in detail) == ("auth", False)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("MOVED 3999 127.0.0.1:6381", "cluster-redirect"),
        ("CLUSTERDOWN Hash slot not served", "cluster-redirect"),
        ("LOADING Redis is loading the dataset in memory", "loading"),
        ("NOAUTH Authentication required.", "auth"),
        ("ERR something else", "error-reply"),
        ("MOVED nowhere", "protocol"),
    ],
)
@pytest.mark.usefixtures("patient")
def test_the_error_of_a_reply_is_named(reply: str, fault: str):
    def answer(request: bytes) -> bytes:
        return b"+OK\r\n" if b"AUTH" in request else f"-{reply}\r\n".encode()

    with scripted_server(answer) as port:
        assert fault_of(f"redis://:{QUOTED}@127.0.0.1:{port}")[0] == fault


@pytest.mark.parametrize(
    ("scheme", "reply", "fault"),
    [
        ("redis", b"HTTP/1.1 400 Bad Request\r\n\r\n", "protocol"),
        ("redis", b"", TIMEOUT),
        ("rediss", b"-ERR unknown command\r\n", "tls"),
        ("rediss", b"", TIMEOUT),
    ],
)
def test_a_server_that_is_no_redis_is_named_in_time(scheme: str, reply: bytes, fault: str):
    options = "socket_timeout=60&socket_connect_timeout=60&retry_on_timeout=yes"
    begun = time.monotonic()
    with scripted_server(lambda _: reply) as port:
        assert fault_of(f"{scheme}://127.0.0.1:{port}?{options}")[0] == fault
    assert time.monotonic() - begun < 1.0


@pytest.mark.usefixtures("patient")
def test_a_server_that_repeats_the_password_does_not_bring_it_into_the_log():
    unknown = f"ERR unknown command `AUTH`, with args beginning with: `{PASSWORD[:-1]}`, "
    details = []
    for reply in (unknown, f"ERR {PASSWORD}{'x' * 999}"):
        line = f"-{reply}\r\n".encode()
        with scripted_server(lambda _, line=line: line) as port:  # type: ignore[misc]
            details.append(fault_of(f"redis://:{QUOTED}@127.0.0.1:{port}")[1])
    assert "unknown command `AUTH`" in details[0]
    assert "***" in details[1]
    assert not any(PASSWORD[:-1] in detail for detail in details)
    assert len(details[1]) == LONGEST_DETAIL


def test_the_operators_page_explains_every_fault():
    table = OPERATORS.partition("| `fault` |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    assert {name for cell in cells for name in re.findall("`([^`]+)`", cell)} == NAMES


# Users and addresses ----------------------------------------------------------------------------


@pytest.mark.usefixtures("patient")
def test_a_user_with_the_rights_of_the_operators_page_is_enough(
    redis_server: RedisServer, admin: Any, tls_port: int, certificate: Certificate
):
    faults = Faults()
    rule = re.search(r"^ACL SETUSER winter-games .*$", OPERATORS, re.MULTILINE)
    assert rule is not None
    admin.execute_command(*rule[0].replace("PASSWORD", PASSWORD).split())
    admin.execute_command("ACL", "LOG", "RESET")
    user = f"winter-games:{QUOTED}@"
    tls = tls_url(tls_port, certificate, user)
    for url in (redis_server.url.replace("redis://", f"redis://{user}"), tls):
        assert_works(Remote(url, 60, on_fault=faults.add))
        admin.flushall()
    assert not admin.execute_command("ACL", "LOG")
    admin.execute_command("ACL", "SETUSER", "winter-games", "-ping")
    assert_works(Remote(tls, 60, on_fault=faults.add))
    assert not faults
    admin.execute_command("ACL", "SETUSER", "winter-games", "-get")
    assert Remote(tls, 60, on_fault=faults.add).get(KEY) is None
    assert faults == ["permission"]


@pytest.mark.usefixtures("patient")
def test_a_server_is_reached_by_a_unix_socket_and_by_ipv6(tmp_path: Path):
    binary, faults = executable(), Faults()
    if binary is None:
        pytest.skip("no Redis server")
    path = tmp_path / "a socket"
    server = RedisServer(binary, tmp_path, "--unixsocket", str(path), "--bind", "127.0.0.1", "-::1")
    unix = f"unix:///{str(path).replace(' ', '%20')}?db=2"
    try:
        server.start()
        ipv6 = f"redis://[::1]:{server.port}/2"
        for url in (unix, ipv6) if has_ipv6(server.port) else (unix,):
            assert_works(Remote(url, 60, on_fault=faults.add))
            assert server.admin.info("keyspace")["db2"]["keys"] == 2  # type: ignore[index]
            server.admin.flushall()
        assert not faults
    finally:
        server.stop()
