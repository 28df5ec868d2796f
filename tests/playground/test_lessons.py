"""The lessons and the first puzzles of the page: their positions and steps are legal."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.page.files import FOLDER
from service.app import create_app
from service.config import Config

SOURCE = (FOLDER / "lessons" / "documents.js").read_text()
PUZZLES = json.loads(
    re.sub(
        r",\s*\]$",
        "]",
        re.findall(
            r"^const FIRST = (\[.*?^\]);",
            (FOLDER / "practice" / "part.js").read_text(),
            re.DOTALL | re.MULTILINE,
        )[0],
    )
)
[CLEAR] = re.findall(
    r"^const CLEAR = ([\d.]+);", (FOLDER / "timeline" / "retry.js").read_text(), re.MULTILINE
)
LESSONS = dict(re.findall(r'^  "([a-z-]+)": (.*),$', SOURCE, re.MULTILINE))


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(log_level="CRITICAL")).test_client()


def ask(client: FlaskClient, game: str, operation: str, **body: Any) -> Any:
    response = client.post(f"/v1/games/{game}/{operation}", json=body)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


@pytest.mark.parametrize("game", ["snow-time", "slopecrashers", "snowcrest"])
def test_the_steps_of_a_lesson_are_legal(client: FlaskClient, game: str) -> None:
    document = json.loads(LESSONS[game])
    state, actions = document["start"], []
    for step in document["steps"]:
        match step:
            case {"dice": dice}:
                state = ask(client, game, "grow", state=state, dice=dice)["state"]
            case {"revealed": revealed}:
                legal = ask(client, game, "legal-moves", state=state, revealed=revealed)
                assert set(legal["moves"]) == {"red"}
            case {"action": action}:
                legal = ask(client, game, "legal-moves", state=state, so_far=actions)
                drawn = [{"type": "draw", "card": each["card"]} for each in legal.get("draw", [])]
                # The page compares choices as they are written.
                offered = [json.dumps(each) for moves in legal["moves"].values() for each in moves]
                assert json.dumps(action) in offered or action in drawn
                actions.append(action)
            case _:
                moves = step.get("moves", actions)
                state = ask(client, game, "resolve", state=state, moves=moves)["state"]
                actions = []
    assert document["mine"][0] in {"red", "Anna"}


@pytest.mark.parametrize("puzzle", PUZZLES, ids=[each["game"] for each in PUZZLES])
def test_a_first_puzzle_has_one_clearly_best_choice(
    client: FlaskClient, puzzle: dict[str, Any]
) -> None:
    body = {"state": puzzle["start"], "player": puzzle["mine"][0], "effort": "standard"}
    hint = ask(client, puzzle["game"], "suggest", **body)
    assert hint["advice"]["code"] == "clear"
    assert hint["advice"]["params"]["margin"] >= float(CLEAR)
    first, second = sorted((each["value"] for each in hint["moves"]), reverse=True)[:2]
    assert first - second >= float(CLEAR)


@pytest.mark.parametrize("game", ["slopecrashers", "snowcrest"])
def test_hints_agree_with_the_steps_of_a_lesson(client: FlaskClient, game: str) -> None:
    """In Slopecrashers they warned of steps that cost up to 12 % of the win."""
    document = json.loads(LESSONS[game])
    state, actions, losses = document["start"], [], []
    for step in document["steps"]:
        if "end" in step:
            state = ask(client, game, "resolve", state=state, moves=actions)["state"]
            actions = []
            continue
        action = step["action"]
        if action["type"] != "draw" and state["turn"] in document["mine"]:
            body = {"state": state, "player": state["turn"], "so_far": actions}
            losses.append(ask(client, game, "suggest", **body, chosen=action)["grade"]["loss"])
        actions.append(action)
    assert losses == [0.0] * len(losses) != []
