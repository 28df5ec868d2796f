"""Measure a first visit to the page and to each game on a slow phone connection; not a test.

    python3 scripts/dev.py run scripts/first_visit.py [--visits 3]

Chromium has an empty cache, 1.6 Mbit/s, a latency of 150 ms and a quarter of the speed of this
processor (DevTools protocol). A visit ends when the service worker has stored its files. Columns:
requests that the service got, kB of their bodies as sent, layout shift (CLS), first and largest
contentful paint (LCP), and the time until the page is interactive: it has a link or a button in
its main part, and no task of 50 ms or more (a long task) runs. Times are medians.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from chromium import launched
from load_testing.server import serving
from playwright.sync_api import Browser, ViewportSize

PAGES: Final = ("", "#snow-time", "#slopecrashers", "#snowcrest")
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
BYTES_PER_S: Final = 200_000
LATENCY_MS: Final = 150
SLOWDOWN: Final = 4
USABLE: Final = "main a, main button:not(:disabled)"
SETTLED_MS: Final = 3000
"""A page without activity for this long has finished its visit."""
OBSERVE: Final = """
window.seen = { shift: 0, tasks: [], usable: null, largest: 0 };
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) {
    if (!hadRecentInput) window.seen.shift += value;
  }
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  window.seen.largest = list.getEntries().at(-1).startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.seen.tasks.push([entry.startTime, entry.duration]);
}).observe({ type: "longtask", buffered: true });
new MutationObserver(() => {
  if (window.seen.usable === null && document.querySelector("main a, main button:not(:disabled)")) {
    window.seen.usable = performance.now();
  }
}).observe(document, { childList: true, subtree: true });
"""
READ: Final = """() => ({
  ...window.seen,
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
})"""


def visit(browser: Browser, address: str) -> dict[str, Any]:
    """Return what the page observed during a visit with an empty cache."""
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    page = context.new_page()
    session = context.new_cdp_session(page)
    throughput = {"downloadThroughput": BYTES_PER_S, "uploadThroughput": BYTES_PER_S}
    network = {"offline": False, "latency": LATENCY_MS, **throughput}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", network)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.add_init_script(OBSERVE)
    page.goto(address)
    page.wait_for_selector(USABLE, state="attached", timeout=60_000)
    page.wait_for_timeout(SETTLED_MS)
    seen: dict[str, Any] = page.evaluate(READ)
    context.close()
    return seen


def interactive(seen: dict[str, Any]) -> float:
    """Return the end of the last long task that began before the page was usable for 500 ms."""
    time: float = seen["usable"]
    for start, duration in sorted(seen["tasks"]):
        if start <= time + 500:
            time = max(time, start + duration)
    return time


def main(arguments: Sequence[str]) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=3)
    visits = parser.parse_args(arguments).visits
    print("| page | requests | kB | CLS | first paint | LCP | interactive |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        output = Path(folder) / "log"
        with serving({"WEB_CONCURRENCY": "1"}, output=output) as server:
            for page in PAGES:
                begin = len(output.read_bytes())
                seen = [visit(browser, f"http://{server.address}/{page}") for _ in range(visits)]
                lines = map(json.loads, output.read_bytes()[begin:].splitlines())
                sent = [line for line in lines if line.get("path", "/healthz") != "/healthz"]
                size = sum(line["bytes"] or 0 for line in sent if line["status"] != 304)
                shift = max(each["shift"] for each in seen)
                paint = median(each["paint"] for each in seen)
                largest = median(each["largest"] for each in seen)
                usable = median(map(interactive, seen))
                print(
                    f"| `/{page}` | {len(sent) / visits:.0f} | {size / visits / 1000:.1f}"
                    f" | {shift:.3f} | {paint / 1000:.2f} s | {largest / 1000:.2f} s"
                    f" | {usable / 1000:.2f} s |",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
