"""New hints while Redis is slow."""

from __future__ import annotations

import time
import urllib.request
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from load_testing.bodies import SUGGEST, hints
from load_testing.faulty_proxy import faulty_proxy
from load_testing.server import serving

DELAYS_MS: Final = (0, 30, 60, 90)
WARM_UP: Final = 20
HINTS: Final = 60


def slow_redis(redis_url: str) -> dict[str, Any]:
    """Send new hints to one worker, one after another, while each reply of Redis is delayed."""
    if not redis_url:
        print("slow Redis: skipped, no server")
        return {}
    port = urlsplit(redis_url).port or 6379
    rows = []
    for delay_ms in DELAYS_MS:
        with faulty_proxy(port) as proxy:
            if delay_ms:
                proxy.mode, proxy.delay_s = "slow", delay_ms / 1_000
            url = f"redis://127.0.0.1:{proxy.port}/0"
            quota = {"QUOTA_UNITS": "100000000", "WEB_CONCURRENCY": "1"}
            with serving({"REDIS_URL": url, **quota}) as server:
                bodies = hints(4, 100 + delay_ms, WARM_UP + HINTS)
                times = [_seconds(f"http://{server.address}{SUGGEST}", body) for body in bodies]
        median, slowest = np.quantile(times[WARM_UP:], (0.5, 0.95))
        rows.append({"delay_ms": delay_ms, "p50_s": float(median), "p95_s": float(slowest)})
        print(
            f"replies of Redis delayed by {delay_ms} ms: new hints take {1e3 * median:.0f} /"
            f" {1e3 * slowest:.0f} ms (p50 / p95); the first {WARM_UP}"
            f" take {1e3 * float(np.median(times[:WARM_UP])):.0f} ms (p50)"
        )
    return {"rows": rows}


def _seconds(url: str, body: bytes) -> float:
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    start = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as response:
        response.read()
    return time.perf_counter() - start
