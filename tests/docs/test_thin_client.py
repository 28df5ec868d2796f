"""The thin client in Python: retries, errors, and whole games of all kinds."""

from __future__ import annotations

import io
import json
import runpy
import sys
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

CLIENT = Path(__file__).resolve().parents[2] / "docs/examples/winter_games.py"
MAX_LINES = 150
INVALID = {"detail": "See errors.", "errors": [{"path": "/seats", "detail": "Too few."}]}


@pytest.fixture(scope="module")
def client() -> Any:
    # Its dataclass looks up the module by name.
    sys.modules["winter_games"] = module = type(sys)("winter_games")
    vars(module).update(runpy.run_path(str(CLIENT), run_name="winter_games"))
    return module


def refused(status: int, body: bytes) -> urllib.error.HTTPError:
    headers = Message()
    headers["Retry-After"] = "2"
    return urllib.error.HTTPError("http://example.invalid", status, "", headers, io.BytesIO(body))


def test_both_clients_are_small() -> None:
    for file in (CLIENT, CLIENT.with_suffix(".ts")):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_after_the_given_time(
    client: Any, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    answers: list[Any] = [refused(status, b"{}"), refused(status, b"{}"), io.BytesIO(b'{"a": 1}')]
    slept: list[float] = []

    def opened(*_: Any, **__: Any) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(urllib.request, "urlopen", opened)
    monkeypatch.setattr("time.sleep", slept.append)
    games = client.WinterGames("http://example.invalid", "snow-time")

    assert games.ask("new", {}) == {"a": 1}
    assert slept == [2.0, 2.0]
    answers += [refused(status, b'{"detail": "Busy."}') for _ in range(client.TRIES)]
    with pytest.raises(client.Problem, match=f"{status} Busy"):
        games.ask("new", {})
    assert not answers


@pytest.mark.parametrize(
    ("body", "message"),
    [(json.dumps(INVALID).encode(), "422 /seats: Too few."), (b"<html>", "422 no JSON")],
)
def test_the_first_violation_is_the_message(
    client: Any, monkeypatch: pytest.MonkeyPatch, body: bytes, message: str
) -> None:
    def opened(*_: Any, **__: Any) -> Any:
        raise refused(422, body)

    monkeypatch.setattr(urllib.request, "urlopen", opened)
    with pytest.raises(client.Problem) as raised:
        client.WinterGames("http://example.invalid", "snow-time").ask("new", {})
    assert str(raised.value) == message


@pytest.mark.slow
def test_a_game_of_snow_time_is_played_and_reviewed(client: Any, live_service: str) -> None:
    games = client.WinterGames(f"http://{live_service}", "snow-time")
    seats = [{"seat": seat} for seat in ("red", "blue", "green")]
    state = start = games.ask("new", {"seats": seats})["state"]
    played: list[Any] = []

    def choose(position: Any, legal: Any) -> Any:
        body = {**position, "effort": "quick", "opponents": {"history": client.history(played)}}
        hints = [games.ask("suggest", {**body, "player": seat}) for seat in legal]
        return {seat: move for hint in hints for seat, move in hint["pick"].items()}

    while not played or not played[-1].resolved["game_over"]:
        played.append(games.play_round(state, choose, seed=len(played)))
        state = played[-1].resolved["state"]
    report = games.ask("review", {**client.review(start, played), "effort": "quick"})
    assert set(report["players"]) == {"red", "blue", "green"}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["slopecrashers", "snowcrest"])
def test_turns_are_played_and_reviewed(client: Any, live_service: str, game: str) -> None:
    games = client.WinterGames(f"http://{live_service}", game)
    seats = [{"player": "anna"}, {"player": "bob"}]
    state = start = games.ask("new", {"seats": seats, "seed": 1})["state"]
    played: list[Any] = []

    def choose(position: Any, legal: Any) -> Any:
        return {position["player"]: games.ask("suggest", {**position, "effort": "quick"})["pick"]}

    for _ in range(6):
        played.append(games.play_turn(state, choose, lambda cards: cards[0]))
        state = played[-1].resolved["state"]
    report = games.ask("review", {**client.review(start, played), "effort": "quick"})
    assert set(report["players"]) == {"anna", "bob"}
