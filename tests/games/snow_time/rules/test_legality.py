"""Every fault of a body: its path, its code and its ruling; all of them together."""

from copy import deepcopy
from typing import Any

import pytest

from service.core.violations import Rejected
from tests.games.snow_time.positions import FULL, ask, labels, seat_document, state_document

GONE = object()
"""Stands for taking a member out."""


def changed(document: Any, pointer: str, value: Any) -> Any:
    """A copy of the document with the value at the pointer."""
    copy = deepcopy(document)
    *way, last = pointer.strip("/").split("/")
    inner = copy
    for step in way:
        inner = inner[int(step) if isinstance(inner, list) else step]
    if isinstance(inner, list):
        inner[int(last)] = value
    elif value is GONE:
        del inner[last]
    else:
        inner[last] = value
    return copy


def faults(verb: str, body: Any) -> list[tuple[str, str, str | None]]:
    """Path, code and ruling of every fault, by path."""
    with pytest.raises(Rejected) as refused:
        ask(verb, body)
    for fault in refused.value.faults:
        assert fault.detail.endswith("."), "a detail is a sentence"
    return sorted((fault.path, fault.code, fault.rule) for fault in refused.value.faults)


HANDS = (FULL, "1267hwb", "345h")
STATE = state_document(*HANDS, track={"length": 20, "bonuses": []})
BODIES: dict[str, Any] = {
    "new": {"seats": [{"seat": "a"}, {"seat": "b"}, {"seat": "c"}]},
    "grow": {"state": STATE, "dice": [1, 2]},
    "legal-moves": {"state": STATE},
    "resolve": {
        "state": STATE,
        "moves": {"a": {"card": "7"}, "b": {"card": "1"}, "c": {"card": "3"}},
    },
    "suggest": {"state": STATE, "player": "a", "opponents": {"model": "uniform"}},
}
READING_A_STATE = ("grow", "legal-moves", "resolve", "suggest")


@pytest.mark.parametrize("verb", BODIES)
def test_the_bodies_that_these_tests_spoil_are_in_order(verb):
    assert ask(verb, BODIES[verb])


# Positions ----------------------------------------------------------------------------------

ONE_TOO_MANY = [seat_document(name) for name in "abcdef"]
BONUS = {"space": 3, "kind": "fight", "advance": 1}

POSITION_FAULTS = [
    ("/state", GONE, "", "missing", None),
    ("/state", None, "", "null", None),
    ("/state", [], "", "not-an-object", None),
    ("/state/extra", 1, "/extra", "unknown-field", None),
    ("/state/seats", GONE, "/seats", "missing", None),
    ("/state/seats", {}, "/seats", "not-an-array", None),
    ("/state/seats", [seat_document("a")], "/seats", "wrong-length", None),
    ("/state/seats", ONE_TOO_MANY, "/seats", "wrong-length", None),
    ("/state/seats/1", 5, "/seats/1", "not-an-object", None),
    ("/state/seats/1/colour", "red", "/seats/1/colour", "unknown-field", None),
    ("/state/seats/1/seat", GONE, "/seats/1/seat", "missing", None),
    ("/state/seats/1/seat", 7, "/seats/1/seat", "not-a-string", None),
    ("/state/seats/1/seat", "", "/seats/1/seat", "bad-name", None),
    ("/state/seats/1/seat", "no spaces", "/seats/1/seat", "bad-name", None),
    ("/state/seats/1/seat", "line\n", "/seats/1/seat", "bad-name", None),
    ("/state/seats/1/seat", "x" * 33, "/seats/1/seat", "bad-name", None),
    ("/state/seats/1/player", None, "/seats/1/player", "null", None),
    ("/state/seats/1/player", "ä", "/seats/1/player", "bad-name", None),
    ("/state/seats/1/player", "a", "/seats", "wrong-seating", None),
    ("/state/seats/1/score", GONE, "/seats/1/score", "missing", None),
    ("/state/seats/1/score", "5", "/seats/1/score", "not-an-integer", None),
    ("/state/seats/1/score", 5.5, "/seats/1/score", "not-an-integer", None),
    ("/state/seats/1/score", True, "/seats/1/score", "not-an-integer", None),
    ("/state/seats/1/score", -1, "/seats/1/score", "out-of-range", None),
    ("/state/seats/1/score", 201, "/seats/1/score", "out-of-range", None),
    ("/state/seats/1/score", 21, "/seats/1/score", "score-off-track", "R9"),
    ("/state/seats/1/hand", GONE, "/seats/1/hand", "missing", None),
    ("/state/seats/1/hand", "1h", "/seats/1/hand", "not-an-array", None),
    ("/state/seats/1/hand", [], "/seats/1/hand", "wrong-length", None),
    ("/state/seats/1/hand", [*labels(FULL), "1"], "/seats/1/hand", "wrong-length", None),
    ("/state/seats/1/hand", ["healer", 1], "/seats/1/hand/1", "not-a-string", None),
    ("/state/seats/1/hand", ["healer", "8"], "/seats/1/hand/1", "unknown-word", None),
    ("/state/seats/1/hand", ["healer", None], "/seats/1/hand/1", "null", None),
    ("/state/seats/1/hand", ["1", "healer", "1"], "/seats/1/hand/2", "duplicate-card", None),
    ("/state/seats/1/hand", ["1", "watcher"], "/seats/1/hand", "healer-missing", None),
    ("/state/fruit", GONE, "/fruit", "missing", None),
    ("/state/fruit", [0] * 5, "/fruit", "wrong-length", None),
    ("/state/fruit", [0] * 7, "/fruit", "wrong-length", None),
    ("/state/fruit/2", -1, "/fruit/2", "out-of-range", None),
    ("/state/fruit/2", 16, "/fruit/2", "out-of-range", None),
    ("/state/fruit/2", "1", "/fruit/2", "not-an-integer", None),
    ("/state/fruit", [3, 3, 3, 3, 3, 1], "/fruit", "too-much-fruit", None),
    ("/state/track", None, "/track", "null", None),
    ("/state/track/length", GONE, "/track/length", "missing", None),
    ("/state/track/length", 4, "/track/length", "out-of-range", None),
    ("/state/track/length", 201, "/track/length", "out-of-range", None),
    ("/state/track/bonuses", GONE, "/track/bonuses", "missing", None),
    ("/state/track/bonuses", [3], "/track/bonuses/0", "not-an-object", None),
    (
        "/state/track/bonuses",
        [BONUS | {"space": 0}],
        "/track/bonuses/0/space",
        "out-of-range",
        None,
    ),
    (
        "/state/track/bonuses",
        [BONUS | {"advance": 4}],
        "/track/bonuses/0/advance",
        "out-of-range",
        None,
    ),
    (
        "/state/track/bonuses",
        [BONUS | {"advance": 0}],
        "/track/bonuses/0/advance",
        "out-of-range",
        None,
    ),
    (
        "/state/track/bonuses",
        [BONUS | {"kind": "bonus"}],
        "/track/bonuses/0/kind",
        "unknown-word",
        None,
    ),
    (
        "/state/track/bonuses",
        [BONUS | {"space": 20}],
        "/track/bonuses/0/space",
        "bonus-off-track",
        "R1",
    ),
    (
        "/state/track/bonuses",
        [BONUS, BONUS | {"kind": "mana"}],
        "/track/bonuses/1/space",
        "duplicate-bonus",
        "R1",
    ),
]


@pytest.mark.parametrize(("at", "value", "path", "code", "rule"), POSITION_FAULTS)
def test_a_position_is_refused_with_its_fault(at, value, path, code, rule):
    body = changed(BODIES["legal-moves"], at, value)
    assert faults("legal-moves", body) == [("/state" + path, code, rule)]


@pytest.mark.parametrize("verb", READING_A_STATE)
@pytest.mark.parametrize(
    ("at", "value", "path", "code", "rule"),
    [case for case in POSITION_FAULTS if case[3] in ("too-much-fruit", "healer-missing")],
)
def test_every_route_with_a_position_finds_its_faults(verb, at, value, path, code, rule):
    found = faults(verb, changed(BODIES[verb], at, value))
    assert ("/state" + path, code, rule) in found


@pytest.mark.parametrize("verb", ["grow", "resolve", "suggest"])
def test_a_finished_game_is_refused_by_every_route_that_would_go_on(verb):
    with pytest.raises(Rejected) as refused:
        ask(verb, changed(BODIES[verb], "/state/seats/2/score", 20))
    assert [(f.path, f.code) for f in refused.value.faults] == [("/state", "game-over")]
    assert refused.value.code == "game-over"


@pytest.mark.parametrize("players", ["abcde"[:n] for n in (3, 4, 5)] + ["xyxy", "xxyy", "xyyx"])
def test_three_to_five_players_with_a_seat_or_two_with_two_are_welcome(players):
    pairs = zip("abcde", players, strict=False)
    seats = [{"seat": name, "player": owner} for name, owner in pairs]
    state = ask("new", {"seats": seats})["state"]
    assert [seat["player"] for seat in state["seats"]] == list(players)


@pytest.mark.parametrize("players", ["xxx", "xxy", "xxxx", "xxxy", "xxyz", "xxyyz", "xxyyy"])
def test_no_other_seating_is(players):
    pairs = zip("abcde", players, strict=False)
    seats = [{"seat": name, "player": owner} for name, owner in pairs]
    assert faults("new", {"seats": seats}) == [("/seats", "wrong-seating", None)]


def test_a_seat_stands_in_a_position_once():
    seats = [seat_document(name, player=owner) for name, owner in ["ap", "aq", "cr"]]
    body = {"state": STATE | {"seats": seats}}
    assert faults("legal-moves", body) == [("/state/seats/1/seat", "duplicate-seat", None)]


def test_a_player_defaults_to_the_seats_name():
    seats = [{"seat": "a"}, {"seat": "b", "player": "a"}, {"seat": "c"}, {"seat": "d"}]
    assert faults("new", {"seats": seats}) == [("/seats", "wrong-seating", None)]
    seats[3]["player"] = "c"
    assert [s["player"] for s in ask("new", {"seats": seats})["state"]["seats"]] == list("aacc")


def test_a_new_game_is_judged_like_a_position():
    body = {
        "seats": [{"seat": "a"}, {"seat": "a"}, {"seat": "c d"}],
        "track": {"length": 10, "bonuses": [BONUS | {"space": 10}, BONUS | {"space": 10}]},
        "fruit": [0],
    }
    assert faults("new", body) == [
        ("/fruit", "unknown-field", None),
        ("/seats/1/seat", "duplicate-seat", None),
        ("/seats/2/seat", "bad-name", None),
        ("/track/bonuses/0/space", "bonus-off-track", "R1"),
        ("/track/bonuses/1/space", "bonus-off-track", "R1"),
        ("/track/bonuses/1/space", "duplicate-bonus", "R1"),
    ]


@pytest.mark.parametrize("verb", BODIES)
@pytest.mark.parametrize("body", [None, [], "state", 3, True])
def test_a_body_that_is_no_object_is_refused(verb, body):
    assert faults(verb, body) == [("", "not-an-object", None)]


@pytest.mark.parametrize("verb", BODIES)
def test_an_unknown_member_is_refused(verb):
    assert faults(verb, BODIES[verb] | {"extra": 1}) == [("/extra", "unknown-field", None)]


# Dice ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["grow", "resolve"])
@pytest.mark.parametrize(
    ("on_tree", "dice", "path", "code"),
    [
        (0, [1], "/dice", "wrong-dice"),
        (0, [], "/dice", "wrong-dice"),
        (14, [1, 1], "/dice", "wrong-dice"),
        (14, [], "/dice", "wrong-dice"),
        (15, [3], "/dice", "wrong-dice"),
        (0, [1, 2, 3], "/dice", "wrong-length"),
        (0, [1, 7], "/dice/1", "out-of-range"),
        (0, [0, 1], "/dice/0", "out-of-range"),
        (0, [1, "2"], "/dice/1", "not-an-integer"),
        (0, None, "/dice", "null"),
        (0, 5, "/dice", "not-an-array"),
    ],
)
def test_dice_are_refused_with_their_fault(verb, on_tree, dice, path, code):
    body = changed(BODIES[verb], "/state/fruit", [on_tree, 0, 0, 0, 0, 0])
    assert faults(verb, body | {"dice": dice}) == [(path, code, None)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, ("", "dice-or-seed", None)),
        ({"dice": [1, 2], "seed": 1}, ("", "dice-or-seed", None)),
        ({"seed": -1}, ("/seed", "out-of-range", None)),
        ({"seed": 2**53}, ("/seed", "out-of-range", None)),
        ({"seed": "1"}, ("/seed", "not-an-integer", None)),
    ],
)
def test_growth_asks_for_dice_or_a_seed(told, expected):
    assert faults("grow", {"state": STATE} | told) == [expected]


# Moves --------------------------------------------------------------------------------------

# b holds 1267hwb, so it may take back 3, 4 and 5; c holds 345h.
MOVE_FAULTS = [
    ("b", GONE, "/b", "move-missing", None),
    ("b", None, "/b", "null", None),
    ("b", "1", "/b", "not-an-object", None),
    ("b", {}, "/b/card", "missing", None),
    ("b", {"card": 1}, "/b/card", "not-a-string", None),
    ("b", {"card": "0"}, "/b/card", "unknown-word", None),
    ("b", {"card": "1", "to": 2}, "/b/to", "unknown-field", None),
    ("b", {"card": "3"}, "/b/card", "card-not-in-hand", None),
    ("c", {"card": "watcher", "then": {"card": "3"}}, "/c/card", "card-not-in-hand", None),
    ("c", {"card": "blizzard"}, "/c/card", "card-not-in-hand", None),
    ("b", {"card": "1", "then": {"card": "2"}}, "/b/then", "then-without-watcher", "R2"),
    ("b", {"card": "healer", "then": {"card": "2"}}, "/b/then", "then-without-watcher", "R2"),
    ("b", {"card": "1", "recover": ["3"]}, "/b/recover", "recover-without-healer", "R4"),
    (
        "b",
        {"card": "watcher", "recover": ["3"], "then": {"card": "1"}},
        "/b/recover",
        "recover-without-healer",
        "R4",
    ),
    (
        "b",
        {"card": "watcher", "then": {"card": "1", "recover": []}},
        "/b/then/recover",
        "recover-without-healer",
        "R4",
    ),
    ("b", {"card": "watcher", "then": {"card": "3"}}, "/b/then/card", "card-not-in-hand", None),
    ("b", {"card": "watcher", "then": {"card": "watcher"}}, "/b/then/card", "watcher-added", "R3"),
    ("b", {"card": "healer", "recover": "34"}, "/b/recover", "not-an-array", None),
    ("b", {"card": "healer", "recover": ["8"]}, "/b/recover/0", "unknown-word", None),
    ("b", {"card": "healer", "recover": ["3", "3"]}, "/b/recover/1", "duplicate-card", None),
    ("b", {"card": "healer", "recover": ["1"]}, "/b/recover", "illegal-recovery", "R4"),
    ("b", {"card": "healer", "recover": ["3", "4", "5"]}, "/b/recover", "illegal-recovery", "R4"),
    ("c", {"card": "healer", "recover": ["watcher"]}, "/c/recover", "illegal-recovery", "R4"),
    ("c", {"card": "healer", "recover": ["healer"]}, "/c/recover", "illegal-recovery", "R4"),
    (
        "b",
        {"card": "watcher", "then": {"card": "healer", "recover": ["1"]}},
        "/b/then/recover",
        "illegal-recovery",
        "R4",
    ),
    ("z", {"card": "1"}, "/z", "unknown-seat", None),
]


@pytest.mark.parametrize(("seat", "told", "path", "code", "rule"), MOVE_FAULTS)
def test_a_move_is_refused_with_its_fault(seat, told, path, code, rule):
    body = changed(BODIES["resolve"], f"/moves/{seat}", told)
    assert faults("resolve", body) == [("/moves" + path, code, rule)]


@pytest.mark.parametrize("verb", ["legal-moves", "suggest"])
@pytest.mark.parametrize(("seat", "told", "path", "code", "rule"), MOVE_FAULTS)
def test_a_revealed_move_is_refused_with_its_fault(verb, seat, told, path, code, rule):
    moves = BODIES["resolve"]["moves"] | {"a": {"card": "watcher"}}
    body = changed(BODIES[verb] | {"revealed": moves}, f"/revealed/{seat}", told)
    assert faults(verb, body) == [("/revealed" + path, code, rule)]


def test_an_added_card_adds_no_further_one():
    told = {"card": "watcher", "then": {"card": "1", "then": {"card": "2"}}}
    found = faults("resolve", changed(BODIES["resolve"], "/moves/b", told))
    assert ("/moves/b/then/then", "unknown-field", None) in found


def test_a_healer_with_all_seven_discarded_takes_back_exactly_all_seven():
    body = changed(BODIES["resolve"], "/state/seats/2/hand", ["healer"])
    for taken in ([], ["1"], ["1", "2"], ["1", "2", "3", "4", "5", "6"]):
        told = changed(body, "/moves/c", {"card": "healer", "recover": taken})
        assert faults("resolve", told) == [("/moves/c/recover", "illegal-recovery", "R4")]
    told = changed(body, "/moves/c", {"card": "healer", "recover": list("7654321")})
    assert ask("resolve", told) == ask("resolve", changed(body, "/moves/c", {"card": "healer"}))


@pytest.mark.parametrize(
    ("seat", "told", "expected"),
    [
        ("b", {"card": "watcher"}, ("/moves/b/then", "open-decision", "R2")),
        ("b", {"card": "healer"}, ("/moves/b/recover", "open-decision", "R4")),
        (
            "b",
            {"card": "watcher", "then": {"card": "healer"}},
            ("/moves/b/then/recover", "open-decision", "R4"),
        ),
    ],
)
def test_a_round_is_resolved_from_complete_moves_only(seat, told, expected):
    assert faults("resolve", changed(BODIES["resolve"], f"/moves/{seat}", told)) == [expected]


def test_a_name_of_a_seat_is_escaped_in_a_path():
    body = changed(BODIES["resolve"], "/moves/b", {"card": "1"})
    body["moves"]["a/b~c"] = {"card": "1"}
    found = faults("resolve", body)
    assert ("/moves/a~1b~0c", "bad-name", None) in found


# All together -------------------------------------------------------------------------------


def test_all_faults_of_a_body_are_reported_together():
    body = {
        "state": {
            "seats": [
                seat_document("a", "1h", score=31),
                seat_document("a", "17wb", score=-1),
                {"seat": "c", "hand": ["1", "1", "healer", "x"], "score": 3},
            ],
            "fruit": [9, 9, 0, 0, 0, 0],
        },
        "moves": {
            "a": {"card": "1", "recover": []},
            "c": {"card": "9"},
            "q r": {"card": "1"},
        },
        "dice": [7],
        "seed": 3,
    }
    assert faults("resolve", body) == [
        ("/dice/0", "out-of-range", None),
        ("/moves/a/recover", "recover-without-healer", "R4"),
        ("/moves/c/card", "unknown-word", None),
        ("/moves/q r", "bad-name", None),
        ("/seed", "unknown-field", None),
        ("/state/fruit", "too-much-fruit", None),
        ("/state/seats/0/score", "score-off-track", "R9"),
        ("/state/seats/1/hand", "healer-missing", None),
        ("/state/seats/1/score", "out-of-range", None),
        ("/state/seats/1/seat", "duplicate-seat", None),
        ("/state/seats/2/hand/1", "duplicate-card", None),
        ("/state/seats/2/hand/3", "unknown-word", None),
    ]


def test_all_faults_of_all_moves_are_reported_together():
    body = {
        "state": STATE,
        "moves": {
            "a": {"card": "watcher", "then": {"card": "watcher"}},
            "b": {"card": "5"},
            "c": {"card": "healer", "recover": ["3", "4", "5"]},
            "d": {"card": "1"},
        },
        "dice": [],
    }
    assert faults("resolve", body) == [
        ("/dice", "wrong-dice", None),
        ("/moves/a/then/card", "watcher-added", "R3"),
        ("/moves/b/card", "card-not-in-hand", None),
        ("/moves/c/recover", "illegal-recovery", "R4"),
        ("/moves/d", "unknown-seat", None),
    ]


def test_a_card_and_what_it_adds_are_both_judged():
    told = {"card": "watcher", "then": {"card": "healer", "recover": ["3", "4", "5"]}}
    found = faults("resolve", changed(BODIES["resolve"], "/moves/c", told))
    assert found == [
        ("/moves/c/card", "card-not-in-hand", None),
        ("/moves/c/then/recover", "illegal-recovery", "R4"),
    ]


def test_a_refused_body_is_left_as_it_was():
    body = changed(BODIES["resolve"], "/moves/b", {"card": "5"})
    before = deepcopy(body)
    faults("resolve", body)
    assert body == before


# Hints --------------------------------------------------------------------------------------

FIVE = {"a": {"card": "7"}, "b": {"card": "1"}, "c": {"card": "3"}}
SUGGEST_FAULTS = [
    ("/player", GONE, "/player", "missing"),
    ("/player", "zoe", "/player", "unknown-player"),
    ("/opponents", 5, "/opponents", "not-an-object"),
    ("/opponents/model", "oracle", "/opponents/model", "unknown-word"),
    ("/objective", "fame", "/objective", "unknown-word"),
    ("/tier", "endless", "/tier", "unknown-word"),
    ("/depth", 0, "/depth", "out-of-range"),
    ("/depth", 4, "/depth", "out-of-range"),
    ("/deadline_ms", 9, "/deadline_ms", "out-of-range"),
    ("/deadline_ms", 30_001, "/deadline_ms", "out-of-range"),
    ("/nonce", "", "/nonce", "bad-nonce"),
    ("/nonce", "é", "/nonce", "bad-nonce"),
    ("/revealed", FIVE, "/player", "nothing-to-decide"),
    ("/chosen", {"b": {"card": "1"}, "a": {"card": "1"}}, "/chosen/b", "not-deciding"),
    ("/chosen", {"a": {"card": "watcher", "then": {"card": "1"}}}, "/chosen/a", "not-a-choice"),
    ("/chosen", {"z": {"card": "1"}, "a": {"card": "1"}}, "/chosen/z", "unknown-seat"),
    ("/opponents/weights", {"a": {"1": 1}}, "/opponents/weights/a", "own-seat"),
    ("/opponents/weights", {"z": {"1": 1}}, "/opponents/weights/z", "unknown-seat"),
    ("/opponents/weights", {"b": {"5": 1}}, "/opponents/weights/b/5", "card-not-in-hand"),
    ("/opponents/weights", {"b": {"1": 0}}, "/opponents/weights/b", "all-zero-weights"),
    ("/opponents/weights", {"b": {"1": -1}}, "/opponents/weights/b/1", "out-of-range"),
    ("/opponents/weights", {"b": {"1": "1"}}, "/opponents/weights/b/1", "not-a-number"),
    ("/opponents/weights", {"b": {"8": 1}}, "/opponents/weights/b/8", "unknown-word"),
]


@pytest.mark.parametrize(("at", "value", "path", "code"), SUGGEST_FAULTS)
def test_a_question_for_a_hint_is_refused_with_its_fault(at, value, path, code):
    assert faults("suggest", changed(BODIES["suggest"], at, value)) == [(path, code, None)]


def test_weights_are_refused_once_the_cards_are_revealed():
    body = changed(BODIES["suggest"], "/opponents/weights", {"b": {"1": 1}})
    body["revealed"] = FIVE | {"a": {"card": "watcher"}}
    expected = ("/opponents/weights", "weights-with-revealed", None)
    assert faults("suggest", body) == [expected]


def test_every_own_seat_that_decides_has_to_be_in_the_choice():
    owners = zip("abcd", "xyxy", strict=True)
    seats = [seat_document(name, player=owner) for name, owner in owners]
    body = BODIES["suggest"] | {"state": {"seats": seats, "fruit": [0] * 6}, "player": "x"}
    body["chosen"] = {"a": {"card": "1"}}
    assert faults("suggest", body) == [("/chosen/c", "move-missing", None)]
