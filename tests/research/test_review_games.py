"""Bulk reviews: one answer for each request, as the service gives it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import review_games
from flask.testing import FlaskClient

from tests.rich_requests import RICH

pytestmark = pytest.mark.research

PATHS = ("/v1/games/snow-time/review", "/v1/games/slopecrashers/review")
REQUESTS = [
    {"path": PATHS[0], "body": RICH["snow-time"]["review"] | {"effort": "quick"}, "id": "first"},
    {"path": PATHS[0], "body": {"state": {}}},
    {"path": PATHS[1], "body": RICH["slopecrashers"]["review"] | {"deadline_ms": 1}},
]


def test_reviews_are_those_of_the_service_and_an_interrupted_run_continues(
    tmp_path: Path, client: FlaskClient, capsys: pytest.CaptureFixture[str]
):
    games, out = tmp_path / "games.jsonl", tmp_path / "reviews.jsonl"
    games.write_text("\n\n".join(map(json.dumps, REQUESTS)) + "\n", encoding="utf-8")
    arguments = [str(games), "--out", str(out), "--jobs", "1"]
    assert review_games.main(arguments) == 1
    assert "2 games reviewed, 1 refused.\n  line 3 of" in capsys.readouterr().out
    before = out.read_text(encoding="utf-8")
    answers = [json.loads(line) for line in before.splitlines()]
    assert [(a["line"], a["id"], a["status"]) for a in answers] == [
        (1, "first", 200), (3, None, 422), (5, None, 200),
    ]  # fmt: skip
    for index in (0, 2):
        body = {k: v for k, v in REQUESTS[index]["body"].items() if k != "deadline_ms"}
        response = client.post(REQUESTS[index]["path"], json=body).get_json()
        assert answers[index]["body"] == response
        assert response["search"]["complete"]

    out.write_text("".join(before.splitlines(keepends=True)[1:]), encoding="utf-8")
    review_games.main(arguments)
    assert out.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("line", ["{", "[]", '{"path": "/v1/batch", "body": {}}', '{"body": {}}'])
def test_a_line_that_is_no_review_is_an_error(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    games, out = tmp_path / "games.jsonl", tmp_path / "reviews.jsonl"
    games.write_text("\n" + line, encoding="utf-8")
    assert review_games.main([str(games), "--out", str(out)]) == 2
    assert "line 2: expected" in capsys.readouterr().err
    assert not out.exists()
