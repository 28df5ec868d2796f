from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace

import pytest
import research.play as tournament
from research.league.running import play as running
from research.league.running.cells import (
    LEARNED_ROUNDS,
    Cell,
    game_count,
    learning_cells,
    parse_cells,
    schedule,
)
from research.league.running.journal import append_json_lines
from research.league.running.records import (
    GAMES,
    GameRecord,
    Run,
    RunMismatch,
    open_run,
    read_records,
    read_run,
)
from research.league.statistics.learning_chart import MAX_ROUNDS, wins_by_rounds
from research.league.statistics.standings import standings

pytestmark = pytest.mark.research

SMALL = ["run", "--cells", "greedy vs random @ 3", "random vs greedy @ 3", "--games", "30"]
PNG = b"\x89PNG\r\n\x1a\n"


def run(folder, *more):
    return tournament.main([*SMALL, "--out", str(folder), "--jobs", "1", *more])


def lines(folder):
    return (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()


def without_times(folder):
    return {key: (r.seed, r.share, r.rounds) for key, r in read_records(folder).items()}


# Schedule --------------------------------------------------------------------------------------


def test_the_odd_player_takes_every_place_with_the_same_dice():
    cell = Cell("greedy", "random", 5)
    games = list(schedule(cell, 20, seed=7))
    assert Counter(game.place for game in games) == dict.fromkeys(range(5), 4)
    for group in range(4):
        assert {game.seed for game in games if game.group == group} == {7 + group}


def test_slow_cells_and_other_table_sizes_have_fewer_games_in_whole_groups():
    assert game_count(Cell("service", "greedy", 4), 1500, 300) == 1500
    assert game_count(Cell("service", "tree:iterations=9", 4), 1500, 300) == 300
    assert game_count(Cell("service", "greedy", 5), 1500, 300) == 300
    assert game_count(Cell("service", "tree", 3), 1500, 299) == 60


def test_cell_names_include_the_effort_of_the_service():
    [cell] = [c for c in parse_cells(["four"], "deep") if c.name.startswith("exploiter")]
    assert cell.name == "exploiter:effort=deep vs service:effort=deep @ 4"


@pytest.mark.parametrize("name", ["everything", "service vs greedy @ 6", "nobody vs greedy @ 4"])
def test_an_unknown_cell_is_an_error(name, tmp_path):
    assert tournament.main(["run", "--cells", name, "--out", str(tmp_path)]) == 2
    assert not list(tmp_path.iterdir())


# Continued runs --------------------------------------------------------------------------------


def test_finished_games_are_not_played_again(tmp_path, monkeypatch):
    assert run(tmp_path) == 0
    before = lines(tmp_path)
    assert len(before) == 12

    def refuse(game):
        raise AssertionError(f"{game} is played again")

    monkeypatch.setattr(running, "play_one", refuse)
    assert run(tmp_path) == 0
    assert lines(tmp_path) == before


def test_only_the_game_of_a_cut_off_line_is_played_again(tmp_path, capsys):
    run(tmp_path)
    whole = without_times(tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    assert len(read_records(tmp_path)) == len(whole) - 1
    run(tmp_path)
    assert "1 games played, 11 were finished before" in capsys.readouterr().out
    assert without_times(tmp_path) == whole


def test_a_larger_run_continues_a_smaller_one(tmp_path):
    run(tmp_path)
    before = lines(tmp_path)
    run(tmp_path, "--games", "45")
    assert lines(tmp_path)[: len(before)] == before
    assert len(lines(tmp_path)) == 18


def test_a_folder_rejects_games_of_an_incomparable_run(tmp_path):
    assert run(tmp_path) == 0
    assert run(tmp_path, "--seed", "2") == 2
    before = read_run(tmp_path)
    for name in ("evaluator", "engine"):
        with pytest.raises(RunMismatch, match=name):
            open_run(tmp_path, replace(before, **{name: "another"}))


# Reports ---------------------------------------------------------------------------------------


def test_a_report_writes_a_table(tmp_path, capsys):
    run(tmp_path)
    assert tournament.main(["report", str(tmp_path)]) == 0
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out.endswith(table + "\n")
    assert "| greedy | 2 × random | 6 |" in table
    assert not (tmp_path / "learning.png").exists()


def test_a_report_draws_what_more_rounds_are_worth(tmp_path):
    cells = [cell for cell in learning_cells() if cell.rest in ("level-1", "mixed")]
    open_run(tmp_path, Run(1, "e", "1", cells, {cell.name: 8 for cell in cells}))
    # The mixed table has games at two points only: not enough for a line.
    played = [cell for cell in cells if cell.rest == "level-1"]
    played += [cell for cell in cells if cell.rest == "mixed"][:2]
    records = [
        GameRecord(cell.name, 0, place, 1, float(place < 2), 20, 0.1)
        for cell in played
        for place in range(4)
    ]
    append_json_lines(tmp_path / GAMES, map(asdict, records))
    assert tournament.main(["report", str(tmp_path)]) == 0
    assert (tmp_path / "learning.png").read_bytes().startswith(PNG)
    wins = wins_by_rounds(standings(read_run(tmp_path), read_records(tmp_path).values()))
    assert list(wins) == ["level-1"]
    assert sorted(wins["level-1"]) == [0, *LEARNED_ROUNDS, MAX_ROUNDS]
    assert {row.estimate.share for row in wins["level-1"].values()} == {0.5}


def test_a_report_shows_that_a_run_is_unfinished(tmp_path):
    cell = Cell("service", "greedy", 4)
    open_run(tmp_path, Run(1, "e", "1", [cell], {cell.name: 8}))
    assert tournament.main(["report", str(tmp_path)]) == 0
    record = GameRecord(cell.name, 0, 0, 1, 1.0, 20, 0.1)
    append_json_lines(tmp_path / GAMES, [asdict(record)])
    assert tournament.main(["report", str(tmp_path)]) == 0
    assert "| 1 of 8 |" in (tmp_path / "table.md").read_text(encoding="utf-8")
