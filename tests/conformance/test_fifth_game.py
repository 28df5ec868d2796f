"""A game that is added to the registry, and nowhere else, is served in full."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.unique_card import UNIQUE_CARD

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_name("unique_card.py")
MAX_LINES = 350
PROGRAM = """
import json, sys
from service.games.registry import GAMES
from tests.conformance.unique_card import UNIQUE_CARD
GAMES[UNIQUE_CARD.game.name] = UNIQUE_CARD
from service.api.openapi.document import build
from service.app import create_app
from service.config import Config
from service.docs.reference import schemas
client = create_app(Config(log_level="CRITICAL")).test_client()
bodies = json.loads(sys.argv[1])
# The service serves both of these as they are committed.
answers = {"specification": [200, build()], "schemas": [200, schemas(build())]}
for path, body in bodies.items():
    response = client.get(path) if body is None else client.post(path, json=body)
    kind = response.content_type or ""
    content = response.get_json() if "json" in kind else response.get_data(as_text=True)
    answers[path] = [response.status_code, content]
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """Return status and content of each path, from a service with the game."""
    bodies: dict[str, Any] = {
        f"/v1/games/unique-card/{endpoint.name}": endpoint.example
        for endpoint in UNIQUE_CARD.endpoints
    }
    documents = ("/v1/games", "/v1/games/unique-card", "/v1/version", "/docs/errors", "/docs/")
    bodies |= dict.fromkeys(documents)
    invalid = {"state": {"seats": []}, "player": "x"}
    request = {"id": "a", "path": "/v1/games/unique-card/suggest", "body": invalid}
    bodies["/v1/batch"] = {"requests": [request]}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(bodies)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'scripts'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def test_every_endpoint_answers(answers: dict[str, Any]) -> None:
    assert {path: status for path, (status, _) in answers.items() if status != 200} == {}
    hint = answers["/v1/games/unique-card/suggest"][1]
    assert sum(hint["win_shares"].values()) == pytest.approx(1.0)
    assert max(hint["win_shares"], key=hint["win_shares"].get) == "ada"  # U1
    assert hint["advice"]["text"].startswith("Play ")
    review = answers["/v1/games/unique-card/review"][1]
    assert review["winners"] == ["cleo"]
    assert [each["status"] for each in answers["/v1/batch"][1]["results"]] == [422]


def test_documents_and_pages_follow_the_registry(answers: dict[str, Any]) -> None:
    games = answers["/v1/games"][1]["games"]
    assert [each["game"] for each in games][-1] == "unique-card"
    assert answers["/v1/version"][1]["evaluator"]["unique-card"] == "none"
    document = answers["specification"][1]
    assert "/v1/games/unique-card/review" in document["paths"]
    names = [name for name in document["components"]["schemas"] if name.startswith("UniqueCard")]
    assert "UniqueCardCardHint" in names
    assert "## Unique card" in answers["schemas"][1]


def test_the_game_is_small() -> None:
    """It took 1,018 lines in nine files before games in rounds shared what they have alike."""
    assert len(FILE.read_text(encoding="utf-8").splitlines()) <= MAX_LINES
