"""Reviews of every turn-based game: the last turns of the golden games."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.core.violations import Rejected
from tests.conformance.test_turn_responses import DRAWS, TurnGameClient
from tests.games.unions import golden_games

Body = dict[str, Any]
LAST = 8
"""Turns of a review."""
OWN = ("own-catalogue",)
"""Their files have the catalogue once, and not in every state."""
PLAYED = [
    pytest.param(name, json.loads(file.read_text("utf-8"))["rounds"], id=f"{name} {file.stem}")
    for name in DRAWS
    for file in golden_games(name)
    if file.stem not in OWN
]


def review_of(rounds: list[Body], count: int) -> Body:
    """Return the request for a review of the last turns of a game."""
    state = rounds[-count - 1]["answer"]["state"]
    turns = [played["moves"] for played in rounds[-count:]]
    return {"state": state, "turns": turns, "effort": "quick", "deadline_ms": 30_000}


@pytest.mark.parametrize(("name", "rounds"), PLAYED)
def test_skill_and_luck_add_up_to_the_result(name: str, rounds: list[Body]):
    """start - loss + luck = end, for each player, in rounded values."""
    review = TurnGameClient(name).ask("review", **review_of(rounds, LAST))
    winners = review["winners"]
    assert (review["game_over"], winners) == (True, rounds[-1]["answer"]["winners"])
    assert review["progress"]["done"] == review["progress"]["total"]
    for player, account in review["players"].items():
        assert account["end"] == (1.0 / len(winners) if player in winners else 0.0)
        own = [each for each in review["decisions"] if each["player"] == player]
        assert ("start" in account) == bool(own)
        if not own:
            continue
        went = account["start"] - account["loss"] + sum(account["luck"].values())
        assert went == pytest.approx(account["end"], abs=1e-8)
        assert account["start"] == own[0]["best_value"]
        assert "luck" not in own[0]
        assert account["loss"] == pytest.approx(sum(each["loss"] for each in own), abs=1e-9)
        counted = [each["class"] for each in own]
        assert sum(account["classes"].values()) == len(own)
        assert all(counted.count(grade) == n for grade, n in account["classes"].items())


@pytest.mark.parametrize(("name", "rounds"), PLAYED[::3])
def test_each_reviewed_decision_equals_the_hint_at_that_moment(name: str, rounds: list[Body]):
    """The hint sees what the player saw, and grades the actual choice."""
    table, body = TurnGameClient(name), review_of(rounds, 4)
    states = [played["answer"]["state"] for played in rounds[-5:]]
    decisions = table.ask("review", **body)["decisions"]
    assert decisions
    for each in decisions:
        turn = body["turns"][each["turn"]]
        asked = {"state": states[each["turn"]], "so_far": turn[: each["action"]], "effort": "quick"}
        hint = table.ask("suggest", **asked, player=each["player"], chosen=each["move"])
        assert each["move"] == turn[each["action"]]
        assert hint["grade"] == {name: each[name] for name in ("move", "loss", "class")}
        best = hint["moves"][0]
        assert (best["move"], best["value"]) == (each["best"], each["best_value"])
        assert each["value"] == pytest.approx(each["best_value"] - each["loss"], abs=1e-9)


@pytest.mark.parametrize("name", DRAWS)
def test_a_turn_after_the_end_is_rejected(name: str):
    rounds = json.loads(golden_games(name)[0].read_text("utf-8"))["rounds"]
    body = review_of(rounds, 2)
    body["turns"].append(body["turns"][-1])
    with pytest.raises(Rejected) as rejected:
        TurnGameClient(name).ask("review", **body)
    [violation] = rejected.value.violations
    assert (violation.path, violation.code) == ("/turns/2", "game-over")
