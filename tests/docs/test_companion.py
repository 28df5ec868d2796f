"""The companion app in Python plays whole games against the service."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

APP = Path(__file__).resolve().parents[2] / "docs/examples/companion.py"
NAMES = "Anna, 小明, Søren"
ADVICE = {"de": "Spiel ", "en": "Play ", "zh-Hant": "出"}
"""What a headline begins with."""


def play(address: str, typed: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the app with typed lines; at their end it plays all recommendations."""
    command = [sys.executable, str(APP), "--url", f"http://{address}", *options]
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "language", "winner"),
    [(NAMES, "de", "Sieg"), ("Anna, Bob", "en", "Winner"), ("A, B, C, D, E", "zh-Hant", "獲勝者")],
)
def test_the_app_plays_a_whole_game(
    live_service: str, names: str, language: str, winner: str
) -> None:
    ran = play(live_service, f"{names}\n\n2\n", "--seed", "3", "--language", language)

    assert ran.returncode == 0, ran.stderr
    *lines, last = ran.stdout.splitlines()
    assert any(line.startswith(f"  {ADVICE[language]}") for line in lines)
    assert last.startswith(f"{winner}: ")
    assert set(last.removeprefix(f"{winner}: ").split(", ")) <= set(names.split(", "))
    assert lines.count("  8: " + {"de": "Heiler", "en": "Healer", "zh-Hant": "治療師"}[language])


def test_the_app_lists_the_violations_of_a_refused_request(live_service: str) -> None:
    ran = play(live_service, "Anna\n")

    assert ran.returncode == 1
    assert ran.stderr.startswith("422 ")
    assert "\n  /seats: Expected 3 to 5 players" in ran.stderr


def test_the_app_reports_an_unreachable_service() -> None:
    ran = play("127.0.0.1:9", NAMES)

    assert ran.returncode == 1
    assert "127.0.0.1" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("status", [429, 503])
def test_the_app_retries_after_the_given_time(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    module = runpy.run_path(str(APP))
    service = module["Service"]("http://example.invalid", "en")
    responses = [Response(status, {}), Response(status, {}), Response(200, {"state": {}})]
    slept: list[float] = []
    monkeypatch.setattr(service.session, "request", lambda *_, **__: responses.pop(0))
    monkeypatch.setattr("time.sleep", slept.append)

    assert service.ask("/new", {}) == {"state": {}}
    assert slept == [2.0, 2.0]
    responses += [Response(status, {"status": status, "detail": "Busy."})] * module["TRIES"]
    with pytest.raises(module["Problem"], match=f"{status} Busy"):
        service.ask("/new", {})
    assert not responses


class Response:
    """What the app reads of a response."""

    def __init__(self, status: int, body: Any) -> None:
        self.status_code, self.ok, self.body = status, status == 200, body
        self.headers = {"Retry-After": "2", "Content-Type": "application/problem+json"}

    def json(self) -> Any:
        return self.body
