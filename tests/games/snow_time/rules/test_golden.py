"""Golden games: every answer of whole games, to the last field.

``python3 scripts/dev.py run scripts/regenerate_golden.py`` writes them anew when an answer is
meant to change.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import regenerate_golden
from golden import snow_time

from tests.games.snow_time.positions import ENTRY, ask

ROOT = Path(__file__).resolve().parents[4]
GOLDEN = Path(__file__).parents[1] / "data" / "golden"
FILES = sorted(GOLDEN.glob("*.json"))
GAMES = [pytest.param(json.loads(path.read_text("utf-8")), id=path.stem) for path in FILES]


def test_there_is_a_golden_game_for_every_number_of_players_and_an_own_track():
    names = {"two-players", "three-players", "four-players", "five-players", "short-track"}
    assert {path.stem for path in FILES} == names


@pytest.mark.parametrize("game", GAMES)
def test_a_golden_game_is_answered_as_it_was(game):
    for number, played in enumerate(game["rounds"], 1):
        assert ask("resolve", played["question"]) == played["answer"], f"round {number}"


@pytest.mark.parametrize("game", GAMES)
def test_a_golden_game_is_one_game_from_the_start_to_the_end(game):
    state = ask("new", game["new"])["state"]
    for played in game["rounds"]:
        assert played["question"]["state"] == state
        assert not ask("legal-moves", {"state": state})["game_over"]
        state = played["answer"]["state"]
    assert ask("legal-moves", {"state": state})["game_over"]
    assert game["rounds"][-1]["answer"]["winners"]


def test_the_golden_games_together_meet_every_kind_of_event():
    met = {
        event["type"]
        for path in FILES
        for played in json.loads(path.read_text("utf-8"))["rounds"]
        for event in played["answer"]["events"]
    }
    assert met == {
        "growth", "reveal", "add", "recover", "blizzard", "brawl", "strike", "fruit", "mana",
        "bonus", "finish", "return", "spend",
    }  # fmt: skip


def test_every_ruling_that_an_event_cites_is_told_about_the_game():
    cited = {
        event["rule"]
        for path in FILES
        for played in json.loads(path.read_text("utf-8"))["rounds"]
        for event in played["answer"]["events"]
        if "rule" in event
    }
    assert cited == {"R3", "R4", "R5", "R6", "R7", "R10", "R11"}
    assert cited <= set(ENTRY.about["rulings"])


@pytest.mark.slow
def test_the_script_would_write_the_same_in_another_process():
    # Another process has another hash seed: nothing may depend on the order of a set.
    checked = subprocess.run(
        [sys.executable, "scripts/regenerate_golden.py", "--check"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "42"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.fixture
def small(monkeypatch, tmp_path):
    """The script, with its data in a folder of the test's own, and one short game."""
    data = tmp_path / "snow_time" / "data"
    (data / "golden").mkdir(parents=True)
    (data / "perft.json").write_text("[]\n")
    monkeypatch.setattr(regenerate_golden, "ROOT", data)
    monkeypatch.setattr(regenerate_golden, "TESTS", tmp_path)
    monkeypatch.setattr(regenerate_golden, "PLAYED", (snow_time,))
    setups = {"short-track": snow_time.SETUPS["short-track"]}
    monkeypatch.setattr(snow_time, "SETUPS", setups)
    return data


def test_the_check_names_a_file_that_drifted_and_fails_without_writing(small, capsys):
    assert regenerate_golden.main([]) == 0
    assert regenerate_golden.main(["--check"]) == 0
    capsys.readouterr()
    file = small / "golden" / "short-track.json"
    changed = file.read_text("utf-8").replace('"finish"', '"finale"')
    file.write_text(changed, "utf-8")
    assert regenerate_golden.main(["--check"]) == 1
    assert capsys.readouterr().out == "golden/short-track.json: differs\n"
    assert file.read_text("utf-8") == changed


def test_a_missing_and_a_forgotten_file_are_drift_too(small):
    regenerate_golden.main([])
    written = small / "golden" / "short-track.json"
    forgotten = small / "golden" / "gone.json"
    written.rename(forgotten)
    assert regenerate_golden.main(["--check"]) == 1
    assert regenerate_golden.main([]) == 0
    assert written.exists()
    assert not forgotten.exists()
    assert written.read_text("utf-8") == (GOLDEN / "short-track.json").read_text("utf-8")
