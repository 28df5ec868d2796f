"""What stands in headers beside every answer: whose request it was, and what it cost."""

from __future__ import annotations

import re
import time
import uuid
from ipaddress import IPv6Address, ip_address
from typing import Final

from flask import Flask, Response, g, request

from service.api.answers import Ledger
from service.cache.buckets import Quota

POLICY: Final = "compute"
"""The quota policy's name; the headers are of draft-ietf-httpapi-ratelimit-headers-10."""
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def register(app: Flask, quota: Quota | None) -> None:
    """Receives every request and labels every response, errors too."""
    app.before_request(_receive)

    def label(response: Response) -> Response:
        headers = response.headers
        headers["X-Request-Id"] = g.get("request_id", "")
        ledger: Ledger | None = g.get("ledger")
        if ledger is not None:
            if ledger.cache_status:
                headers["Cache-Status"] = ledger.cache_status
            if quota is not None and ledger.balance is not None:
                balance = ledger.balance
                headers["RateLimit-Policy"] = f'"{POLICY}";q={quota.units};w={quota.window_s}'
                left = f"r={balance.remaining(quota)};t={balance.reset_s}"
                headers["RateLimit"] = f'"{POLICY}";{left}'
                if not balance.allowed:
                    headers["Retry-After"] = str(balance.retry_s(quota))
        if "received" in g:
            took_ms = 1000.0 * (time.monotonic() - g.received)
            headers["Server-Timing"] = f"total;dur={took_ms:.1f}"
        return response

    app.after_request(label)


def _receive() -> None:
    g.received = time.monotonic()
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
    g.client = client_of(request.remote_addr or "")


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
