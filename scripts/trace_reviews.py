#!/usr/bin/env python3
"""Show how far each call of a review gets at several deadlines; not a test.

    python3 scripts/dev.py run scripts/trace_reviews.py [--game GAME] [--deadlines 50 500 5000]

Each game is a golden game, reviewed in process with an empty cache for each
deadline. The same request is repeated until the review is complete. If the deadline is too short,
the next call has the deadline that the error states.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from service.app import create_app
from service.config import Config

GOLDEN: Final = Path(__file__).parents[1] / "tests" / "games"
GAMES: Final = {
    "snow-time": "snow_time/data/golden/three-players.json",
    "slopecrashers": "slopecrashers/data/golden/two-players.json",
    "snowcrest": "snowcrest/data/golden/three-players.json",
}
MAX_CALLS: Final = 500
SHOWN: Final = 6
"""Calls shown at the beginning and at the end of a trace."""


def main(arguments: Sequence[str]) -> int:
    """Print a trace for each game and deadline; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(GAMES), action="append", help="default: all")
    parser.add_argument("--deadlines", type=int, nargs="+", default=[50, 500, 5000], metavar="MS")
    parser.add_argument("--effort", default="standard")
    options = parser.parse_args(arguments)
    for game in options.game or GAMES:
        body = played(game) | {"effort": options.effort}
        for deadline_ms in options.deadlines:
            print(f"{game}, {options.effort}, deadline_ms {deadline_ms}")
            calls = list(trace(game, body, deadline_ms))
            hidden = len(calls) - 2 * SHOWN
            for number, call in enumerate(calls):
                if hidden <= 0 or number < SHOWN or number >= len(calls) - SHOWN:
                    print(f"  {number + 1:3}  {call}")
                elif number == SHOWN:
                    print(f"       ({hidden} more calls)")
            print(flush=True)
    return 0


def played(game: str) -> dict[str, Any]:
    """Return the body of a review of a golden game."""
    golden = json.loads((GOLDEN / GAMES[game]).read_text(encoding="utf-8"))
    client = create_app(Config(log_level="ERROR")).test_client()
    state = client.post(f"/v1/games/{game}/new", json=golden["new"]).get_json()["state"]
    if game == "snow-time":
        rounds = [{"dice": each["dice"], "moves": each["moves"]} for each in golden["rounds"]]
        return {"state": state, "rounds": rounds}
    return {"state": state, "turns": [each["answer"]["moves"] for each in golden["rounds"]]}


def trace(game: str, body: dict[str, Any], deadline_ms: int) -> Iterator[str]:
    """Yield a line for each call until the review is complete."""
    client = create_app(Config(log_level="ERROR")).test_client()
    complete = False
    for _ in range(MAX_CALLS):
        start = time.monotonic()
        response = client.post(f"/v1/games/{game}/review", json=body | {"deadline_ms": deadline_ms})
        seconds = time.monotonic() - start
        document = response.get_json()
        if response.status_code == 200:
            complete = document["search"]["complete"]
            progress = document["progress"]
            outcome = f"{progress['done']:4} of {progress['total']}{' complete' * complete}"
        else:
            outcome = f"{response.status_code} {document['code']}: {document['detail']}"
            stated = re.search(r"at least (\d+)", document["detail"])
            if stated is None:
                return
            deadline_ms = int(stated[1])
        yield f"{seconds:7.3f} s  {outcome}"
        if complete:
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
