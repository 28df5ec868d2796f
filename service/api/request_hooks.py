"""What goes on around every request: its id, what stands in headers beside its answer, its line in
the log, and that it is counted.
"""

from __future__ import annotations

import re
import time
import uuid
from ipaddress import IPv6Address, ip_address
from typing import Final

from flask import Flask, Response, g, request

from service.api.log import logger, told
from service.api.metrics import Metrics
from service.api.responses import ResponseMeta
from service.cache.rate_limit import Quota

POLICY: Final = "compute"
"""The quota policy's name; the headers are of draft-ietf-httpapi-ratelimit-headers-10."""
HEADERS: Final = [
    *("X-Request-Id", "Server-Timing", "Cache-Status"),
    *("RateLimit", "RateLimit-Policy", "Retry-After"),
]
"""What scripts of other origins may read besides the usual."""
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def register(app: Flask, quota: Quota | None, metrics: Metrics) -> None:
    """Receives every request, and labels, logs and counts every response, errors too."""
    log = logger()

    def label(response: Response) -> Response:
        seconds = time.monotonic() - g.received
        ledger: ResponseMeta = g.ledger
        headers = response.headers
        headers["X-Request-Id"] = g.request_id
        headers["Server-Timing"] = f"total;dur={1000.0 * seconds:.1f}"
        if ledger.cache_status:
            headers["Cache-Status"] = ledger.cache_status
        if quota is not None and ledger.balance is not None:
            headers["RateLimit-Policy"] = f'"{POLICY}";q={quota.units};w={quota.window_s}'
            left = f"r={ledger.balance.remaining(quota)};t={ledger.balance.reset_s}"
            headers["RateLimit"] = f'"{POLICY}";{left}'
            if not ledger.balance.allowed:
                headers["Retry-After"] = str(ledger.balance.retry_s(quota))
        route = request.url_rule.rule if request.url_rule else "none"
        metrics.answered(route, request.method, response.status_code, seconds)
        log.info(
            "request",
            request_id=g.request_id,
            client=g.client,
            method=told(request.method),
            path=told(request.path),
            status=response.status_code,
            code=g.get("code"),
            ms=round(1000.0 * seconds, 1),
            bytes=response.content_length,
            cache=ledger.cache_status or None,
        )
        return response

    app.before_request(_receive)
    app.after_request(label)


def _receive() -> None:
    g.received = time.monotonic()
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
    g.client = client_of(request.remote_addr or "")
    g.ledger = ResponseMeta()


def client_of(address: str) -> str:
    """Whose quota a request from an address counts to: an IPv6 customer has 2**64 of them."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64)) + "/64"
    return address
