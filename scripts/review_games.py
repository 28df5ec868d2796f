"""Review many saved games: a file of requests in, a file of answers out.

    python3 scripts/dev.py run scripts/review_games.py GAMES.jsonl --out REVIEWS.jsonl

Each line of GAMES.jsonl is one request as in ``/v1/batch``, with an optional ``id``:
``{"path": "/v1/games/snow-time/review", "body": {"state": {}, "rounds": [], "effort": "deep"}}``.
Each line of REVIEWS.jsonl has the line number of the request, its ``id``, the status and the body
of the answer. The reviews are those of a stream without a deadline, so each one is complete. Every
finished review is saved at once, so the same command continues an interrupted run; in the end the
lines are in the order of the requests.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from flask.testing import FlaskClient
from research.league.running.engine import Engine, add_options, run_script
from research.league.running.journal import saved_results, write_atomically

from service.app import create_app
from service.config import Config

PATH: Final = re.compile(r"/v1/games/[a-z-]+/review")
STREAMED: Final = {"Accept": "application/x-ndjson"}


@dataclass(frozen=True)
class SavedGame:
    """One request.

    Attributes:
        line: number in its file, from 1.
        text: of the line, a JSON object.
    """

    line: int
    text: str

    @property
    def key(self) -> tuple[int, str]:
        """The line with a digest: the answer to another request in this line is not reused."""
        return self.line, sha256(self.text.encode()).hexdigest()[:16]


def main(arguments: Sequence[str]) -> int:
    """Review and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", type=Path, metavar="GAMES.jsonl")
    parser.add_argument("--out", type=Path, required=True, metavar="REVIEWS.jsonl")
    add_options(parser)
    return run_script(_review_all, parser.parse_args(arguments))


def _review_all(options: argparse.Namespace, engine: Engine) -> int:
    try:
        games = read_games(options.games)
    except (OSError, ValueError) as error:
        print(f"review_games.py: {error}", file=sys.stderr)
        return 2
    cases, key_of = {game.key: game for game in games}, itemgetter("line", "request")
    ordered = saved_results(options.out, key_of, review, cases, engine, unit="review")
    write_atomically(options.out, "".join(json.dumps(answer) + "\n" for answer in ordered))
    refused = [answer["line"] for answer in ordered if answer["status"] != 200]
    print(f"{len(games) - len(refused)} games reviewed, {len(refused)} refused.")
    for line in refused:
        print(f"  line {line} of {options.games}")
    return int(bool(refused))


def read_games(path: Path) -> list[SavedGame]:
    """Return the requests of a file; empty lines are skipped.

    Raises:
        ValueError: for a line that is not a request of a review.
    """
    games = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text.strip():
            try:
                request = json.loads(text)
                valid = PATH.fullmatch(request["path"]) and isinstance(request["body"], dict)
            except (ValueError, KeyError, TypeError):
                valid = False
            if not valid:
                expected = '{"path": "/v1/games/GAME/review", "body": {…}}'
                raise ValueError(f"{path}, line {number}: expected {expected}")
            games.append(SavedGame(number, text))
    return games


def review(game: SavedGame) -> dict[str, Any]:
    """Return the answer to a request, as the service streams it."""
    request = json.loads(game.text)
    # A deadline would return the finished part of a review only.
    body = {name: value for name, value in request["body"].items() if name != "deadline_ms"}
    response = _client().post(request["path"], json=body, headers=STREAMED)
    status, document = response.status_code, json.loads(response.get_data().splitlines()[-1])
    if status == 200:
        document = document[document["type"]]
        status = document.get("status", 200)
    line, digest = game.key
    return {
        "line": line,
        "request": digest,
        "id": request.get("id"),
        "status": status,
        "body": document,
    }


@cache
def _client() -> FlaskClient:
    """Return a client of a service without a quota, one for each process."""
    return create_app(Config(log_level="CRITICAL")).test_client()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
