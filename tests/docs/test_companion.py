"""The companion app in Python plays whole games against the service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
    assert "/seats: Expected 3 to 5 players" in ran.stderr


def test_the_app_reports_an_unreachable_service() -> None:
    ran = play("127.0.0.1:9", NAMES)

    assert ran.returncode == 1
    assert "127.0.0.1" in ran.stderr
    assert "Traceback" not in ran.stderr
