"""The example client plays whole games over HTTP."""

from __future__ import annotations

from pathlib import Path
from random import Random

import client_example
import pytest
from client_example import Client, LocalGame, ProblemError, play


@pytest.mark.slow
@pytest.mark.parametrize("players", [["a", "b", "c"], ["a", "b", "c", "d", "e"], ["a", "b"]])
def test_the_client_plays_a_whole_game(live_service: str, players: list[str]) -> None:
    table = LocalGame(Client(f"http://{live_service}"), players, Random(5), "quick")
    resolved = play(table, quiet=True)
    assert resolved["game_over"]
    assert set(resolved["winners"]) <= set(players)
    assert max(seat["score"] for seat in table.state["seats"]) == client_example.TRACK_LENGTH
    assert len(table.win_shares) > 3
    for shares in table.win_shares:
        assert set(shares) == set(players)
        assert sum(shares.values()) == pytest.approx(1.0, abs=1e-8)


@pytest.mark.slow
def test_a_seed_fixes_the_game(live_service: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--url", f"http://{live_service}", "--seed", "3", "--effort", "quick"]
    lines = set()
    for _ in range(2):
        assert client_example.main(arguments) == 0
        lines.add(capsys.readouterr().out)
    assert len(lines) == 1
    assert " won after " in lines.pop()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "signature"), [("s.svg", b"<?xml"), ("s.png", b"\x89PNG")])
def test_the_client_writes_a_plot(
    live_service: str, tmp_path: Path, name: str, signature: bytes
) -> None:
    arguments = ["--url", f"http://{live_service}", "--seed", "3", "--effort", "quick"]
    assert client_example.main([*arguments, "--plot", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(signature)


def test_an_error_message_has_the_path_of_the_error(
    live_service: str, capsys: pytest.CaptureFixture[str]
) -> None:
    client = Client(f"http://{live_service}")
    with pytest.raises(ProblemError, match=r"422 .*\n +/seats: Expected 3 to 5 players"):
        client.post("/v1/games/snow-time/new", {"seats": []})
    with pytest.raises(ProblemError, match="404"):
        client.batch("/v1/nothing", {"a": {}})
    arguments = ["--url", f"http://{live_service}", "--players", "a b", "c", "d"]
    assert client_example.main(arguments) == 1
    assert "/seats/0/seat" in capsys.readouterr().err


def test_the_client_reports_an_unreachable_service(capsys: pytest.CaptureFixture[str]) -> None:
    assert client_example.main(["--url", "http://127.0.0.1:9"]) == 1
    assert "http://127.0.0.1:9 does not answer" in capsys.readouterr().err


def test_the_client_retries_after_the_given_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Response:
        def __init__(self, status: int, body: object, headers: dict[str, str]) -> None:
            self.status_code, self.headers, self._body = status, headers, body

        def json(self) -> object:
            return self._body

    busy = Response(503, {"status": 503, "detail": "Busy."}, {"Retry-After": "2"})
    responses = [busy, busy, Response(200, {"state": {}}, {})]
    slept: list[float] = []
    client = Client("http://example.invalid")
    monkeypatch.setattr(client._session, "post", lambda *_, **__: responses.pop(0))
    monkeypatch.setattr(client_example.time, "sleep", slept.append)
    assert client.post("/v1/games/snow-time/new", {}) == {"state": {}}
    assert slept == [2.0, 2.0]
    responses += [busy] * client_example.TRIES
    with pytest.raises(ProblemError, match="503 Busy"):
        client.post("/v1/games/snow-time/new", {})
    assert not responses


@pytest.mark.parametrize(
    ("name", "message"),
    [("shares.txt", "ends neither in .png"), ("nowhere/shares.png", "no such folder")],
)
def test_an_invalid_plot_path_fails_before_the_game(
    name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as exit_info:
        client_example.main(["--url", "http://localhost:1", "--plot", str(tmp_path / name)])
    assert exit_info.value.code == 2
    assert message in capsys.readouterr().err
