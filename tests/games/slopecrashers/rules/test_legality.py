"""Invalid requests: every violation code of the game, its path, and all violations together."""

import pytest

from service.games.slopecrashers.api.violation_codes import VIOLATION_CODES
from tests.games.changes import changed as changed_copy
from tests.games.slopecrashers.positions import ask, response_violations

STATE = {
    "seats": [
        {"player": "anna", "lap": 1, "row": 7, "lane": 1, "gifts": ["rocket", "spring"]},
        {"player": "hugo", "lap": 1, "row": 9, "lane": 1, "gifts": ["magnet"]},
        {"player": "nina", "lap": 2, "row": 3, "lane": 2},
        {"player": "vincent"},
    ],
    "turn": "anna",
    "course": ["cedar", "birch", "pine", "alder", "larch", "fir"],
    "discards": ["chili"],
    "snowmen": [{"row": 10, "lane": 0}],
}
END = [{"type": "end"}]


def changed(*changes):
    return changed_copy(STATE, *changes)


def state_violations(*changes):
    return response_violations("resolve", {"state": changed(*changes), "moves": END})


NARROW = [["plain"] * 2]
STATE_VIOLATIONS = {
    "duplicate-player": ([("seats 1 player", "anna")], "/state/seats/1/player"),
    "unknown-player": ([("turn", "otto")], "/state/turn"),
    "unknown-piece": ([("course 0", "yew")], "/state/course/0"),
    "duplicate-piece": ([("course 6", "fir")], "/state/course/6"),
    "uneven-lanes": ([("pieces", {"a": [*NARROW * 3, ["plain"] * 3]})], "/state/pieces/a"),
    "not-on-course": ([("course 5", "fir"), ("reversed", ["yew"])], "/state/reversed/0"),
    "too-wide": ([("offsets", {"pine": 5})], "/state/offsets/pine"),
    "empty-lane": ([("offsets", dict.fromkeys(STATE["course"], 2) | {"fir": 1})], "/state/offsets"),
    "pieces-apart": ([("offsets", {"pine": 4})], "/state/course/2"),
    "too-many-pieces": (
        [("pieces", dict.fromkeys("abcdefghijklm", NARROW))],
        "/state/pieces",
    ),
    "too-short": ([("pieces", {"a": NARROW * 3}), ("course", ["a"])], "/state/course"),
    "deck-too-large": ([("deck", {"chili": 150, "rocket": 51})], "/state/deck"),
    "off-course": ([("seats 0 row", 30)], "/state/seats/0"),
    "half-placed": ([("seats 0 lap", ...)], "/state/seats/0"),
    "not-enterable": ([("seats 0 row", 2), ("seats 0 lane", 2)], "/state/seats/0"),
    "space-taken": ([("seats 1 row", 7)], "/state/seats/1"),
    "not-a-snowman": ([("snowmen 0 card", "chili")], "/state/snowmen/0/card"),
    "winner-on-course": ([("winner", "hugo")], "/state/seats/1"),
    "too-many-cards": ([("discards", ["snowman"] * 3)], "/state"),
    "too-many-unknown": ([("seats 2 gifts", ["unknown"] * 36)], "/state"),
}


@pytest.mark.parametrize("code", STATE_VIOLATIONS)
def test_each_violation_of_a_state_names_its_path(code):
    changes, path = STATE_VIOLATIONS[code]
    assert (path, code) in state_violations(*changes)


def test_the_base_state_of_these_tests_is_legal():
    assert ask("resolve", {"state": STATE, "moves": END})["game_over"] is False


def test_all_violations_are_reported_together():
    violations = state_violations(
        ("seats 0 row", 40),
        ("seats 1 player", "anna"),
        ("turn", "otto"),
        ("snowmen 0 card", "chili"),
        ("seats 3 misses_turn", "yes"),
        ("course 0", "yew"),
        ("surplus", 1),
    )
    assert violations == {
        ("/state/seats/1/player", "duplicate-player"),
        ("/state/turn", "unknown-player"),
        ("/state/snowmen/0/card", "not-a-snowman"),
        ("/state/seats/3/misses_turn", "not-a-boolean"),
        ("/state/course/0", "unknown-piece"),
        ("/state/surplus", "unknown-field"),
    }


def test_a_snowman_under_a_character_is_rejected():
    assert state_violations(("snowmen 0", {"row": 9, "lane": 1})) == {
        ("/state/snowmen/0", "space-taken")
    }


def test_only_legal_moves_accepts_a_finished_game():
    over = changed(("winner", "vincent"))
    response = ask("legal-moves", {"state": over})
    assert response.pop("position")["winner"] == "vincent"
    assert response == {"decision": "none", "moves": {}, "game_over": True}
    found = response_violations("resolve", {"state": over, "moves": END})
    assert found == {("/state", "game-over")}


def test_new_requires_exactly_one_of_course_and_seed():
    body = {"seats": [{"player": "anna"}, {"player": "hugo"}]}
    for more in ({}, {"seed": 1, "course": ["fir"]}):
        assert response_violations("new", body | more) == {("", "course-or-seed")}


LEFT, RIGHT = ({"type": "step", "direction": direction} for direction in ("left", "right"))
ROCKET = {"type": "play", "gift": "rocket"}
SPRING = {"type": "play", "gift": "spring", "direction": "forward"}
CHILI_OR_MAGNET = {"type": "answer", "magnet": True, "card": "chili-or-magnet"}

ACTION_VIOLATIONS = {
    "not-of-this-type": ([{"type": "end", "lane": 1}], "/moves/0/lane"),
    "wrong-moment": ([{"type": "place", "lane": 1}], "/moves/0/type"),
    "no-movement-left": ([LEFT, RIGHT, LEFT], "/moves/2/type"),
    "occupied-at-end": ([ROCKET, {"type": "answer", "magnet": False}, SPRING, *END], "/moves/3"),
    "surplus-lane": ([{"type": "step", "direction": "left", "lane": 0}], "/moves/0/lane"),
    "wrong-row": ([{"type": "play", "gift": "snowman", "row": 1, "lane": 0}], "/moves/0/row"),
    "no-gift": ([{"type": "discard"}] * 3, "/moves/2/type"),
    "not-on-top": ([{"type": "discard", "card": "spring"}], "/moves/0/card"),
    "not-a-use": ([{"type": "play", "gift": "chili"}], "/moves/0/gift"),
    "magnet-in-own-turn": ([{"type": "play", "gift": "magnet"}], "/moves/0/gift"),
    "no-magnet": ([ROCKET, CHILI_OR_MAGNET], "/moves/1/card"),
    "open-decision": ([ROCKET], "/moves/1"),
    "surplus": ([{"type": "end"}, {"type": "end"}], "/moves/1"),
    "not-enterable": ([RIGHT], "/moves/0/direction"),
    "missing": ([{"type": "step"}], "/moves/0/direction"),
}


ACTION_SETUPS = {
    "magnet-in-own-turn": [("seats 0 gifts 0", "magnet")],
    "wrong-row": [("seats 0 gifts 0", "snowman")],
    "not-enterable": [("seats 0 lane", 3), ("seats 0 row", 10)],
}
"""Changes of the state that these codes need."""


@pytest.mark.parametrize("code", ACTION_VIOLATIONS)
def test_each_violation_of_a_turn_names_its_path(code):
    moves, path = ACTION_VIOLATIONS[code]
    state = changed(*ACTION_SETUPS.get(code, ()))
    assert response_violations("resolve", {"state": state, "moves": moves}) == {(path, code)}


TESTED_BY_RULING = {"returns", "no-certain-end", "space-taken", "not-in-the-pool"}


def test_every_violation_code_is_tested_here_or_with_the_rulings():
    tested = set(STATE_VIOLATIONS) | set(ACTION_VIOLATIONS) | TESTED_BY_RULING | {"course-or-seed"}
    assert set(VIOLATION_CODES) <= tested
