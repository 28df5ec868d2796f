"""The example of a client plays whole games over HTTP."""

from __future__ import annotations

from pathlib import Path
from random import Random

import client_example
import pytest
from client_example import Client, Refused, Table, play


@pytest.mark.slow
@pytest.mark.parametrize("players", [["a", "b", "c"], ["a", "b", "c", "d", "e"], ["a", "b"]])
def test_a_whole_game_is_played(live_service: str, players: list[str]) -> None:
    table = Table(Client(f"http://{live_service}"), players, Random(5), "quick")
    resolved = play(table, quiet=True)
    assert resolved["game_over"]
    assert set(resolved["winners"]) <= set(players)
    assert max(seat["score"] for seat in table.state["seats"]) == client_example.TRACK_LENGTH
    assert len(table.outlooks) > 3
    for outlook in table.outlooks:
        assert set(outlook) == set(players)
        assert sum(outlook.values()) == pytest.approx(1.0, abs=1e-8)


@pytest.mark.slow
def test_the_same_seed_is_the_same_game(
    live_service: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ["--url", f"http://{live_service}", "--seed", "3", "--tier", "quick"]
    lines = set()
    for _ in range(2):
        assert client_example.main(told) == 0
        lines.add(capsys.readouterr().out)
    assert len(lines) == 1
    assert " won after " in lines.pop()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "begins"), [("s.svg", b"<?xml"), ("s.png", b"\x89PNG")])
def test_the_plot_is_written(live_service: str, tmp_path: Path, name: str, begins: bytes) -> None:
    told = ["--url", f"http://{live_service}", "--seed", "3", "--tier", "quick"]
    assert client_example.main([*told, "--plot", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_what_is_wrong_is_told_with_its_place(
    live_service: str, capsys: pytest.CaptureFixture[str]
) -> None:
    client = Client(f"http://{live_service}")
    with pytest.raises(Refused, match=r"422 .*\n +/seats: 3 to 5 items"):
        client.post("/v1/games/snow-time/new", {"seats": []})
    with pytest.raises(Refused, match="404"):
        client.batch("/v1/nothing", {"a": {}})
    told = ["--url", f"http://{live_service}", "--players", "a b", "c", "d"]
    assert client_example.main(told) == 1
    assert "/seats/0/seat" in capsys.readouterr().err


def test_a_service_that_is_not_there_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert client_example.main(["--url", "http://127.0.0.1:9"]) == 1
    assert "http://127.0.0.1:9 does not answer" in capsys.readouterr().err


def test_who_is_busy_is_asked_again_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Response:
        def __init__(self, status: int, body: object, headers: dict[str, str]) -> None:
            self.status_code, self.headers, self._body = status, headers, body

        def json(self) -> object:
            return self._body

    busy = Response(503, {"status": 503, "detail": "Busy."}, {"Retry-After": "2"})
    answers = [busy, busy, Response(200, {"state": {}}, {})]
    slept: list[float] = []
    client = Client("http://example.invalid")
    monkeypatch.setattr(client._session, "post", lambda *_, **__: answers.pop(0))
    monkeypatch.setattr(client_example.time, "sleep", slept.append)
    assert client.post("/v1/games/snow-time/new", {}) == {"state": {}}
    assert slept == [2.0, 2.0]
    answers += [busy] * client_example.TRIES
    with pytest.raises(Refused, match="503 Busy"):
        client.post("/v1/games/snow-time/new", {})
    assert not answers


@pytest.mark.parametrize(
    ("name", "why"), [("shares.txt", "ends neither in .png"), ("nowhere/shares.png", "no folder")]
)
def test_a_plot_that_cannot_be_is_refused_before_the_game(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as left:
        client_example.main(["--url", "http://localhost:1", "--plot", str(tmp_path / name)])
    assert left.value.code == 2
    assert why in capsys.readouterr().err
