"""Hooks around every request: request id, response headers, log line and metrics."""

from __future__ import annotations

import re
import time
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from random import getrandbits
from typing import Any, Final

from flask import Flask, Response, g, request

from service.api.log import logger, truncated
from service.api.metrics import Metrics
from service.api.responses import Lookup
from service.api.streaming import StreamLog
from service.cache.rate_limit import Balance, Quota

POLICY: Final = "compute"
"""The quota policy's name; the headers are of draft-ietf-httpapi-ratelimit-headers-10."""
HEADERS: Final = [
    *("ETag", "X-Request-Id", "Server-Timing", "Cache-Status"),
    *("RateLimit", "RateLimit-Policy", "Retry-After"),
]
"""Response headers that scripts of other origins may read."""
_LOG: Final = logger()
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_WITH_PORT: Final = re.compile(r"(?:\[(?P<ipv6>[^\]]+)\]|(?P<ipv4>[0-9.]+))(?::[0-9]+)?")


def register(app: Flask, quota: Quota | None, metrics: Metrics) -> None:
    """Set the headers of every response, errors included; log and count it."""

    def finish(response: Response) -> Response:
        seconds = time.monotonic() - g.received
        response.headers.update(
            common_headers(g.request_id, seconds, g.cache_status, quota, _balance(quota))
        )
        route = request.url_rule.rule if request.url_rule else "none"
        received, method, status = g.received, request.method, response.status_code
        entry = {
            "request_id": g.request_id,
            "client": g.client,
            "method": truncated(method),
            "path": truncated(request.path),
            "status": status,
            "code": g.get("code"),
            "bytes": response.content_length,
            "cache": g.cache_status,
        }
        stream: StreamLog | None = g.get("stream")

        def record() -> None:
            seconds = time.monotonic() - received
            metrics.answered(route, method, status, seconds)
            sent = {} if stream is None else {"code": stream.code, "bytes": stream.sent_bytes}
            log_request(**(entry | sent), ms=round(1000.0 * seconds, 1))

        if stream is None:
            record()
        else:
            response.call_on_close(record)
        return response

    app.before_request(lambda: _begin(metrics))
    app.after_request(finish)


def common_headers(
    request_id: str,
    seconds: float,
    cache_status: str | None,
    quota: Quota | None,
    balance: Balance | None,
) -> dict[str, str]:
    """Return the headers that every response has, or that the rate limit adds."""
    headers = {
        "X-Content-Type-Options": "nosniff",
        "X-Request-Id": request_id,
        "Server-Timing": f"total;dur={1000.0 * seconds:.1f}",
    }
    if cache_status is not None:
        headers["Cache-Status"] = cache_status
    if quota is not None and balance is not None:
        reset_s = balance.reset_s if balance.allowed else balance.retry_s(quota)
        headers["RateLimit-Policy"] = f'"{POLICY}";q={quota.units};w={quota.window_s}'
        headers["RateLimit"] = f'"{POLICY}";r={balance.remaining(quota)};t={reset_s}'
        if not balance.allowed:
            headers["Retry-After"] = str(reset_s)
    return headers


def _balance(quota: Quota | None) -> Balance | None:
    """Return the balance of the client, after all that the request has cost so far."""
    lookup: Lookup | None = g.lookup
    if quota is None or lookup is None or lookup.balance is None:
        balance: Balance | None = g.balance
        return balance
    return lookup.balance.after(lookup.charged, quota)


def log_request(**entry: Any) -> None:
    """Log a request."""
    _LOG.info("request", **entry)


def request_id_of(given: str) -> str:
    """Return the request id for the value of the header ``X-Request-Id``.

    It is no secret, so it needs no random bytes of the system, which would give up the interpreter
    lock in the midst of a refusal.
    """
    return given if _REQUEST_ID.fullmatch(given) else f"{getrandbits(128):032x}"


def _begin(metrics: Metrics) -> None:
    g.received = time.monotonic()
    g.request_id = request_id_of(request.headers.get("X-Request-Id", ""))
    g.client = client_of_address(request.remote_addr or "")
    g.balance = g.lookup = None
    g.cache_status = None
    metrics.began(request.endpoint, g.request_id, request.headers.get("traceparent", ""))


@lru_cache(maxsize=1024)
def client_of_address(address: str) -> str:
    """Return the client that the rate limit charges: an address, or an IPv6 network of 64 bits.

    One IPv6 customer has 2**64 addresses. Some proxies add the port, which changes with every
    connection.
    """
    with_port = _WITH_PORT.fullmatch(address)
    if with_port:
        address = with_port["ipv6"] or with_port["ipv4"]
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(IPv6Address(int(parsed) >> 64 << 64)) + "/64"
    return address
