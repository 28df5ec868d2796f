"""The templates of own boxes are current, follow their schemas, and are served and accepted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import export_boxes
import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from tests.api.calls import post

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
SEATS = {
    "snow-time": [{"seat": seat} for seat in "abc"],
    "slopecrashers": [{"player": player} for player in "ab"],
    "snowcrest": [{"player": player} for player in "ab"],
}


def load(name: str) -> Any:
    return json.loads((EXAMPLES / name).read_text(encoding="utf-8"))


def test_the_files_are_current() -> None:
    assert export_boxes.main(["--check"]) == 0


@pytest.mark.parametrize("game", SEATS)
def test_a_template_follows_its_schema_which_explains_its_parts(game: str) -> None:
    box, schema = load(f"{game}-box.json"), load(f"{game}-box.schema.json")
    Draft202012Validator.check_schema(schema)
    assert not list(Draft202012Validator(schema).iter_errors(box))
    assert list(Draft202012Validator(schema).iter_errors(box | {"other": 1}))
    assert "description" in json.dumps(schema)


@pytest.mark.parametrize("game", SEATS)
def test_a_template_begins_a_game_and_is_served(client: FlaskClient, game: str) -> None:
    served = client.get(f"/docs/examples/{game}-box.json")
    assert served.mimetype == "application/json"
    box = json.loads(served.get_data(as_text=True))
    assert client.get(f"/docs/examples/{box['$schema']}").status_code == 200
    parts = {name: value for name, value in box.items() if name != "$schema"}
    seed = {} if game == "snow-time" else {"seed": 1}
    body = {"seats": SEATS[game], **seed, **parts}
    assert post(client, f"/v1/games/{game}/new", body).status_code == 200
