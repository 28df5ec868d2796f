"""Bodies that are refused: every code of the game's own, where it is told, all of them together."""

import copy

import pytest

from service.core.violations import Rejected
from service.games.slopecrashers.api.violation_codes import VIOLATION_CODES
from tests.games.slopecrashers.positions import ask

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
    """The state with values put in at paths; ``...`` takes a member away."""
    state = copy.deepcopy(STATE)
    for path, value in changes:
        *way, last = path.split()
        at = state
        for step in way:
            at = at[int(step) if isinstance(at, list) else step]
        if value is ...:
            del at[last]
        elif isinstance(at, list):
            at.insert(int(last), value)
        else:
            at[last] = value
    return state


def faults(verb, body):
    with pytest.raises(Rejected) as rejected:
        ask(verb, body)
    return {(fault.path, fault.code) for fault in rejected.value.violations}


def of_state(*changes):
    return faults("resolve", {"state": changed(*changes), "moves": END})


PAIR = [{"player": "anna"}, {"player": "hugo"}]

OF_STATES = {
    "duplicate-player": ([("seats 1 player", "anna")], "/state/seats/1/player"),
    "unknown-player": ([("turn", "otto")], "/state/turn"),
    "unknown-piece": ([("course 0", "yew")], "/state/course/0"),
    "duplicate-piece": ([("course 6", "fir")], "/state/course/6"),
    "no-pieces": ([("pieces", {})], "/state/pieces"),
    "uneven-lanes": ([("pieces", {"a": [["plain"] * 2] * 3 + [["plain"] * 3]})], "/state/pieces"),
    "too-many-pieces": (
        [("pieces", {f"p{index}": [["plain"] * 2] for index in range(13)})],
        "/state/pieces",
    ),
    "too-short": (
        [("pieces", {"cedar": [["plain"] * 2] * 3}), ("course", ["cedar"])],
        "/state/course",
    ),
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


@pytest.mark.parametrize("code", OF_STATES)
def test_what_is_wrong_with_a_position_is_told_where_it_is(code):
    changes, path = OF_STATES[code]
    assert (path, code) in of_state(*changes)


def test_the_position_of_these_tests_is_legal():
    assert ask("resolve", {"state": STATE, "moves": END})["game_over"] is False


def test_all_faults_are_told_together():
    told = of_state(
        ("seats 0 row", 40),
        ("seats 1 player", "anna"),
        ("turn", "otto"),
        ("snowmen 0 card", "chili"),
        ("seats 3 misses_turn", "yes"),
        ("course 0", "yew"),
        ("surplus", 1),
    )
    assert told == {
        ("/state/seats/1/player", "duplicate-player"),
        ("/state/turn", "unknown-player"),
        ("/state/snowmen/0/card", "not-a-snowman"),
        ("/state/seats/3/misses_turn", "not-a-boolean"),
        ("/state/course/0", "unknown-piece"),
        ("/state/surplus", "unknown-field"),
    }


def test_a_snowman_under_a_character_is_refused():
    assert of_state(("snowmen 0", {"row": 9, "lane": 1})) == {("/state/snowmen/0", "space-taken")}


def test_a_finished_game_is_read_for_its_legal_moves_alone():
    over = changed(("winner", "vincent"))
    told = ask("legal-moves", {"state": over})
    assert told == {"decision": "none", "moves": {}, "game_over": True}
    assert faults("resolve", {"state": over, "moves": END}) == {("/state", "game-over")}


def test_setting_up_takes_either_a_course_or_a_seed():
    for more in ({}, {"seed": 1, "course": ["fir"]}):
        assert faults("new", {"seats": PAIR, **more}) == {("", "course-or-seed")}


LEFT, RIGHT = ({"type": "step", "direction": direction} for direction in ("left", "right"))
ROCKET = {"type": "play", "gift": "rocket"}
SPRING = {"type": "play", "gift": "spring", "direction": "forward"}
CHILI_OR_MAGNET = {"type": "answer", "magnet": True, "card": "chili-or-magnet"}

OF_ATOMS = {
    "not-of-this-type": ([{"type": "end", "lane": 1}], "/moves/0/lane"),
    "wrong-moment": ([{"type": "place", "lane": 1}], "/moves/0/type"),
    "no-movement-left": ([LEFT, RIGHT, LEFT], "/moves/2/type"),
    "occupied-at-end": (
        [ROCKET, {"type": "answer", "magnet": False}, SPRING, {"type": "end"}],
        "/moves/3",
    ),
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


FOR_ATOMS = {
    "magnet-in-own-turn": [("seats 0 gifts 0", "magnet")],
    "wrong-row": [("seats 0 gifts 0", "snowman")],
    "not-enterable": [("seats 0 lane", 3), ("seats 0 row", 10)],
}
"""What has to lie on the table for that."""


@pytest.mark.parametrize("code", OF_ATOMS)
def test_what_is_wrong_with_a_turn_is_told_where_it_is(code):
    moves, path = OF_ATOMS[code]
    state = changed(*FOR_ATOMS.get(code, ()))
    assert faults("resolve", {"state": state, "moves": moves}) == {(path, code)}


TESTED_BY_RULING = {"returns", "no-certain-end", "space-taken", "not-in-the-pool"}


def test_every_code_of_the_game_is_met_here_or_among_the_rulings():
    met = set(OF_STATES) | set(OF_ATOMS) | TESTED_BY_RULING | {"course-or-seed"}
    assert set(VIOLATION_CODES) <= met
