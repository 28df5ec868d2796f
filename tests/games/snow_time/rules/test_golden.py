"""Golden games: every response of complete games, compared in all fields.

``python3 scripts/dev.py run scripts/regenerate_golden.py`` writes them again after an intended
change.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import regenerate_golden
from golden import snow_time

from tests import stored
from tests.games.snow_time.positions import DEFINITION, ask
from tests.games.unions import golden_events, golden_games

ROOT = Path(__file__).resolve().parents[4]
FILES = {path.stem: path for path in golden_games("snow_time")}
GAMES = [pytest.param(json.loads(path.read_text("utf-8")), id=name) for name, path in FILES.items()]


def test_there_is_a_golden_game_for_every_number_of_players_and_one_with_a_custom_track():
    names = {"two-players", "three-players", "four-players", "five-players", "short-track"}
    assert set(FILES) == names


@pytest.mark.parametrize("game", GAMES)
def test_a_golden_game_resolves_to_the_stored_responses(game):
    state = ask("new", game["new"])["state"]
    for number, played in enumerate(game["rounds"], 1):
        assert not ask("legal-moves", {"state": state})["game_over"]
        asked = {"state": state, "dice": played["dice"], "moves": played["moves"]}
        answer = ask("resolve", asked)
        assert answer == played["answer"], f"round {number}: {stored.GOLDEN}"
        state = answer["state"]
    assert ask("legal-moves", {"state": state})["game_over"]
    assert answer["winners"]


def test_every_ruling_cited_by_an_event_is_listed_in_the_game_description():
    cited = {event["rule"] for event in golden_events("snow_time") if "rule" in event}
    assert cited == {"R3", "R4", "R5", "R6", "R7", "R10", "R11"}
    assert cited <= set(DEFINITION.about["rulings"])


@pytest.mark.slow
def test_regeneration_in_another_process_gives_the_same_files():
    # A different hash seed shows whether the output depends on the order of a set.
    checked = subprocess.run(
        [sys.executable, "scripts/regenerate_golden.py", "--check", "slopecrashers"],
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
    """Return the script's data folder for one short game, in a temporary folder."""
    data = tmp_path / "snow_time" / "data"
    (data / "golden").mkdir(parents=True)
    (data / "perft.json").write_text("[]\n")
    monkeypatch.setattr(regenerate_golden, "ROOT", data)
    monkeypatch.setattr(regenerate_golden, "TESTS", tmp_path)
    monkeypatch.setattr(regenerate_golden, "GAMES", (snow_time,))
    setups = {"short-track": snow_time.SETUPS["short-track"]}
    monkeypatch.setattr(snow_time, "SETUPS", setups)
    return data


def test_the_check_reports_a_changed_file_and_writes_nothing(small, capsys):
    assert regenerate_golden.main([]) == 0
    assert regenerate_golden.main(["--check"]) == 0
    capsys.readouterr()
    file = small / "golden" / "short-track.json"
    changed = file.read_text("utf-8").replace('"finish"', '"finale"')
    file.write_text(changed, "utf-8")
    assert regenerate_golden.main(["--check"]) == 1
    assert capsys.readouterr().out == "golden/short-track.json: differs\n"
    assert file.read_text("utf-8") == changed


def test_missing_and_surplus_files_count_as_drift(small):
    regenerate_golden.main([])
    stored_counts = small / "golden" / "short-track.json"
    forgotten = small / "golden" / "gone.json"
    stored_counts.rename(forgotten)
    assert regenerate_golden.main(["--check"]) == 1
    assert regenerate_golden.main([]) == 0
    assert stored_counts.exists()
    assert not forgotten.exists()
    assert stored_counts.read_text("utf-8") == FILES["short-track"].read_text("utf-8")
