"""Every violation of a body: path, code and ruling; all of them are reported together.

Absent and unknown members, null and values of another type at every place are in
``tests/api/test_value_types.py``; illegal names are in ``tests/games/common/test_validation.py``,
and weights in ``tests/operations/test_refusals.py``.
"""

from copy import deepcopy
from typing import Any

import pytest

from service.core.violations import Rejected
from tests.api.calls import put, without
from tests.games.snow_time.positions import FULL, ask, labels, seat_document, state_document


def changed(document: Any, pointer: str, value: Any) -> Any:
    """Return a copy of the document with the value at the pointer."""
    steps = pointer.strip("/").split("/")
    return put(document, tuple(int(step) if step.isdigit() else step for step in steps), value)


def violations_of(endpoint: str, body: Any) -> list[tuple[str, str, str | None]]:
    """Return path, code and ruling of every violation, sorted by path."""
    with pytest.raises(Rejected) as rejected:
        ask(endpoint, body)
    for violation in rejected.value.violations:
        assert violation.detail.endswith("."), "a detail is a sentence"
    return sorted(
        (violation.path, violation.code, violation.rule) for violation in rejected.value.violations
    )


def coded(path: str, code: str) -> tuple[str, str, str | None]:
    """Return a violation from its path and its code, which a ruling may follow."""
    name, _, rule = code.partition(" ")
    return path, name, rule or None


STATE = state_document(FULL, "1267hwb", "345h", track={"length": 20, "bonuses": []})
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


@pytest.mark.parametrize("endpoint", BODIES)
def test_the_base_bodies_of_these_tests_are_valid(endpoint):
    assert ask(endpoint, BODIES[endpoint])


# Positions ----------------------------------------------------------------------------------

SEATS_OF_TWO = [seat_document("a"), seat_document("b", player="a"), seat_document("c")]
BONUS = {"space": 3, "kind": "fight", "advance": 1}

BONUSES = "/track/bonuses"
POSITION_VIOLATIONS = [
    ("/seats", [], "", "wrong-length"),
    ("/seats", [seat_document("a")], "", "wrong-length"),
    ("/seats", [seat_document(name) for name in "abcdef"], "", "wrong-length"),
    ("/seats/1/seat", "line\n", "", "bad-name"),
    ("/seats/1/player", "ä", "", "bad-name"),
    ("/seats", SEATS_OF_TWO, "", "wrong-seating"),
    ("/seats/1/score", -1, "", "out-of-range"),
    ("/seats/1/score", 201, "", "out-of-range"),
    ("/seats/1/score", 21, "", "score-off-track R9"),
    ("/seats/1/hand", [], "", "wrong-length"),
    ("/seats/1/hand", [*labels(FULL), "1"], "", "wrong-length"),
    ("/seats/1/hand", ["healer", "8"], "/1", "unknown-word"),
    ("/seats/1/hand", ["1", "healer", "1"], "/2", "duplicate-card"),
    ("/seats/1/hand", ["1", "watcher"], "", "healer-missing"),
    ("/fruit", [0] * 5, "", "wrong-length"),
    ("/fruit", [0] * 7, "", "wrong-length"),
    ("/fruit/2", -1, "", "out-of-range"),
    ("/fruit/2", 16, "", "out-of-range"),
    ("/fruit", [3, 3, 3, 3, 3, 1], "", "too-much-fruit"),
    ("/track/length", 4, "", "out-of-range"),
    ("/track/length", 201, "", "out-of-range"),
    (BONUSES, [BONUS | {"space": 0}], "/0/space", "out-of-range"),
    (BONUSES, [BONUS | {"advance": 4}], "/0/advance", "out-of-range"),
    (BONUSES, [BONUS | {"advance": 0}], "/0/advance", "out-of-range"),
    (BONUSES, [BONUS | {"kind": "bonus"}], "/0/kind", "unknown-word"),
    (BONUSES, [BONUS | {"space": 20}], "/0/space", "bonus-off-track R1"),
    (BONUSES, [BONUS, BONUS | {"kind": "mana"}], "/1/space", "duplicate-bonus R1"),
]
"""Place in the state, value, path below this place, and code with its ruling."""


@pytest.mark.parametrize(("at", "value", "below", "code"), POSITION_VIOLATIONS)
def test_an_invalid_position_is_rejected_with_its_violation(at, value, below, code):
    body = changed(BODIES["legal-moves"], "/state" + at, value)
    assert violations_of("legal-moves", body) == [coded("/state" + at + below, code)]


@pytest.mark.parametrize("endpoint", READING_A_STATE)
def test_every_endpoint_with_a_position_reports_its_violations(endpoint):
    body = changed(BODIES[endpoint], "/state/fruit", [3, 3, 3, 3, 3, 1])
    body = changed(body, "/state/seats/1/hand", ["1", "watcher"])
    assert {
        ("/state/fruit", "too-much-fruit", None),
        ("/state/seats/1/hand", "healer-missing", None),
    } <= set(violations_of(endpoint, body))


@pytest.mark.parametrize("endpoint", ["grow", "resolve", "suggest"])
def test_endpoints_that_continue_a_game_reject_a_finished_one(endpoint):
    with pytest.raises(Rejected) as rejected:
        ask(endpoint, changed(BODIES[endpoint], "/state/seats/2/score", 20))
    assert [(f.path, f.code) for f in rejected.value.violations] == [("/state", "game-over")]
    assert rejected.value.code == "game-over"


def seated(players: str) -> list[dict[str, str]]:
    """Return the seats of these players for a new game."""
    pairs = zip("abcde", players, strict=False)
    return [{"seat": name, "player": player} for name, player in pairs]


@pytest.mark.parametrize("players", ["abc", "abcd", "abcde", "xyxy", "xxyy", "xyyx"])
def test_three_to_five_players_with_one_seat_or_two_with_two_seats_are_accepted(players):
    state = ask("new", {"seats": seated(players)})["state"]
    assert [seat["player"] for seat in state["seats"]] == list(players)


@pytest.mark.parametrize("players", ["xxx", "xxy", "xxxx", "xxxy", "xxyz", "xxyyz", "xxyyy"])
def test_other_seatings_are_rejected(players):
    assert violations_of("new", {"seats": seated(players)}) == [("/seats", "wrong-seating", None)]


def test_seat_names_in_a_position_are_unique():
    seats = [seat_document(name, player=owner) for name, owner in ["ap", "aq", "cr"]]
    body = {"state": STATE | {"seats": seats}}
    assert violations_of("legal-moves", body) == [("/state/seats/1/seat", "duplicate-seat", None)]


def test_a_player_defaults_to_the_seats_name():
    seats = [{"seat": "a"}, {"seat": "b", "player": "a"}, {"seat": "c"}, {"seat": "d"}]
    assert violations_of("new", {"seats": seats}) == [("/seats", "wrong-seating", None)]
    seats[3]["player"] = "c"
    assert [s["player"] for s in ask("new", {"seats": seats})["state"]["seats"]] == list("aacc")


def test_a_new_game_is_checked_like_a_position():
    body = {
        "seats": [{"seat": "a"}, {"seat": "a"}, {"seat": "c d"}],
        "track": {"length": 10, "bonuses": [BONUS | {"space": 10}, BONUS | {"space": 10}]},
        "fruit": [0],
    }
    assert violations_of("new", body) == [
        ("/fruit", "unknown-field", None),
        ("/seats/1/seat", "duplicate-seat", None),
        ("/seats/2/seat", "bad-name", None),
        ("/track/bonuses/0/space", "bonus-off-track", "R1"),
        ("/track/bonuses/1/space", "bonus-off-track", "R1"),
        ("/track/bonuses/1/space", "duplicate-bonus", "R1"),
    ]


# Dice ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("endpoint", ["grow", "resolve"])
@pytest.mark.parametrize(
    ("on_tree", "dice", "below", "code"),
    [
        (0, [1], "", "wrong-dice"),
        (0, [], "", "wrong-dice"),
        (14, [1, 1], "", "wrong-dice"),
        (14, [], "", "wrong-dice"),
        (15, [3], "", "wrong-dice"),
        (0, [1, 2, 3], "", "wrong-length"),
        (0, [1, 7], "/1", "out-of-range"),
        (0, [0, 1], "/0", "out-of-range"),
    ],
)
def test_invalid_dice_are_rejected_with_their_violation(endpoint, on_tree, dice, below, code):
    body = changed(BODIES[endpoint], "/state/fruit", [on_tree, 0, 0, 0, 0, 0])
    assert violations_of(endpoint, body | {"dice": dice}) == [("/dice" + below, code, None)]


@pytest.mark.parametrize(
    ("growth", "path", "code"),
    [
        ({}, "", "dice-or-seed"),
        ({"dice": [1, 2], "seed": 1}, "", "dice-or-seed"),
        ({"seed": -1}, "/seed", "out-of-range"),
        ({"seed": 2**53}, "/seed", "out-of-range"),
    ],
)
def test_growth_needs_exactly_one_of_dice_and_seed(growth, path, code):
    assert violations_of("grow", {"state": STATE} | growth) == [(path, code, None)]


# Moves --------------------------------------------------------------------------------------


def watcher(**then: Any) -> dict[str, Any]:
    """Return the move of a watcher that adds a card."""
    return {"card": "watcher", "then": then}


def healer(*recover: str) -> dict[str, Any]:
    return {"card": "healer", "recover": list(recover)}


# b has 1267hwb in hand, so it can take back 3, 4 and 5; c has 345h.
MOVE_VIOLATIONS = [
    ("b", None, "", "move-missing"),
    ("b", {"card": "0"}, "/card", "unknown-word"),
    ("b", {"card": "none"}, "/card", "unknown-word"),
    ("b", {"card": "3"}, "/card", "card-not-in-hand"),
    ("c", watcher(card="3"), "/card", "card-not-in-hand"),
    ("c", {"card": "blizzard"}, "/card", "card-not-in-hand"),
    ("b", {"card": "1", "then": {"card": "2"}}, "/then", "then-without-watcher R2"),
    ("b", {"card": "healer", "then": {"card": "2"}}, "/then", "then-without-watcher R2"),
    ("b", {"card": "1", "recover": ["3"]}, "/recover", "recover-without-healer R4"),
    ("b", watcher(card="1") | {"recover": ["3"]}, "/recover", "recover-without-healer R4"),
    ("b", watcher(card="1", recover=[]), "/then/recover", "recover-without-healer R4"),
    ("b", watcher(card="3"), "/then/card", "card-not-in-hand"),
    ("b", watcher(card="watcher"), "/then/card", "watcher-added R3"),
    ("b", watcher(card="none"), "/then/card", "card-required R2"),
    ("b", healer("8"), "/recover/0", "unknown-word"),
    ("b", healer("3", "3"), "/recover/1", "duplicate-card"),
    ("b", healer("1"), "/recover", "illegal-recovery R4"),
    ("b", healer("3", "4", "5"), "/recover", "illegal-recovery R4"),
    ("c", healer("watcher"), "/recover", "illegal-recovery R4"),
    ("c", healer("healer"), "/recover", "illegal-recovery R4"),
    ("b", watcher(**healer("1")), "/then/recover", "illegal-recovery R4"),
    ("z", {"card": "1"}, "", "unknown-seat"),
]


@pytest.mark.parametrize(("seat", "move", "below", "code"), MOVE_VIOLATIONS)
@pytest.mark.parametrize(
    ("endpoint", "moves"),
    [("resolve", "moves"), ("legal-moves", "revealed"), ("suggest", "revealed")],
)
def test_an_invalid_move_is_rejected_with_its_violation(endpoint, moves, seat, move, below, code):
    body = BODIES[endpoint] | {moves: BODIES["resolve"]["moves"]}
    if endpoint != "resolve":
        body = changed(body, "/revealed/a", {"card": "watcher"})
    at = (moves, seat)
    body = put(body, at, move) if move else without(body, at)
    assert violations_of(endpoint, body) == [coded(f"/{moves}/{seat}{below}", code)]


def test_an_added_card_cannot_add_another_card():
    move = watcher(card="1", then={"card": "2"})
    violations = violations_of("resolve", changed(BODIES["resolve"], "/moves/b", move))
    assert ("/moves/b/then/then", "unknown-field", None) in violations


def test_r4_a_healer_with_all_seven_discarded_takes_back_exactly_all_seven():
    body = changed(BODIES["resolve"], "/state/seats/2/hand", ["healer"])
    for taken in ("", "1", "12", "123456"):
        request = changed(body, "/moves/c", healer(*taken))
        assert violations_of("resolve", request) == [("/moves/c/recover", "illegal-recovery", "R4")]
    request = changed(body, "/moves/c", healer(*"7654321"))
    assert ask("resolve", request) == ask("resolve", changed(body, "/moves/c", {"card": "healer"}))


@pytest.mark.parametrize(
    ("move", "path", "rule"),
    [
        ({"card": "watcher"}, "/then", "R2"),
        ({"card": "healer"}, "/recover", "R4"),
        (watcher(card="healer"), "/then/recover", "R4"),
    ],
)
def test_a_round_needs_complete_moves(move, path, rule):
    body = changed(BODIES["resolve"], "/moves/b", move)
    assert violations_of("resolve", body) == [("/moves/b" + path, "open-decision", rule)]


def test_r2_a_watcher_that_adds_no_card_completes_a_round_if_the_track_allows_it():
    own = {"length": 30, "bonuses": [], "optional_watcher": True}
    body = changed(BODIES["resolve"], "/state/track", own)
    resolved = ask("resolve", changed(body, "/moves/b", watcher(card="none")))
    assert "watcher" not in resolved["state"]["seats"][1]["hand"]
    assert resolved["state"]["track"] == own
    with pytest.raises(Rejected) as rejected:
        ask("resolve", changed(body, "/moves/b", {"card": "watcher"}))
    [violation] = rejected.value.violations
    assert violation.detail.endswith('or {"card": "none"}.')


def test_a_seat_name_is_escaped_in_a_json_pointer():
    body = changed(BODIES["resolve"], "/moves/b", {"card": "1"})
    body["moves"]["a/b~c"] = {"card": "1"}
    violations = violations_of("resolve", body)
    assert ("/moves/a~1b~0c", "bad-name", None) in violations


# Several violations --------------------------------------------------------------------------


def test_all_violations_of_a_body_are_reported_together():
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
    assert violations_of("resolve", body) == [
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


def test_all_violations_of_all_moves_are_reported_together():
    body = {
        "state": STATE,
        "moves": {
            "a": watcher(card="watcher"),
            "b": {"card": "5"},
            "c": healer("3", "4", "5"),
            "d": {"card": "1"},
        },
        "dice": [],
    }
    assert violations_of("resolve", body) == [
        ("/dice", "wrong-dice", None),
        ("/moves/a/then/card", "watcher-added", "R3"),
        ("/moves/b/card", "card-not-in-hand", None),
        ("/moves/c/recover", "illegal-recovery", "R4"),
        ("/moves/d", "unknown-seat", None),
    ]


def test_both_a_card_and_the_card_it_adds_are_checked():
    move = watcher(**healer("3", "4", "5"))
    violations = violations_of("resolve", changed(BODIES["resolve"], "/moves/c", move))
    assert violations == [
        ("/moves/c/card", "card-not-in-hand", None),
        ("/moves/c/then/recover", "illegal-recovery", "R4"),
    ]


def test_a_rejected_body_is_not_modified():
    body = changed(BODIES["resolve"], "/moves/b", {"card": "5"})
    before = deepcopy(body)
    violations_of("resolve", body)
    assert body == before


# Hints --------------------------------------------------------------------------------------

FIVE = {"a": {"card": "7"}, "b": {"card": "1"}, "c": {"card": "3"}}
SUGGEST_VIOLATIONS = [
    ("/player", "zoe", "/player", "unknown-player"),
    ("/player", "a b", "/player", "bad-name"),
    ("/opponents/model", "oracle", "/opponents/model", "unknown-word"),
    ("/objective", "fame", "/objective", "unknown-word"),
    ("/effort", "endless", "/effort", "unknown-word"),
    ("/depth", 0, "/depth", "out-of-range"),
    ("/depth", 4, "/depth", "out-of-range"),
    ("/deadline_ms", 9, "/deadline_ms", "out-of-range"),
    ("/deadline_ms", 30_001, "/deadline_ms", "out-of-range"),
    ("/nonce", "", "/nonce", "bad-nonce"),
    *(("/nonce", nonce, "/nonce", "bad-nonce") for nonce in ("x" * 129, "a\n", "\t", "\x7f", "é")),
    ("/revealed", FIVE, "/player", "nothing-to-decide"),
    ("/chosen", {"b": {"card": "1"}, "a": {"card": "1"}}, "/chosen/b", "not-deciding"),
    ("/chosen", {"a": {"card": "0"}}, "/chosen/a/card", "unknown-word"),
    ("/chosen", {"a": watcher(card="1")}, "/chosen/a", "not-a-choice"),
    ("/chosen", {"z": {"card": "1"}, "a": {"card": "1"}}, "/chosen/z", "unknown-seat"),
    ("/opponents/weights", {"b": {"5": 0, "1": 1}}, "/opponents/weights/b/5", "card-not-in-hand"),
    ("/opponents/weights", {"b": {"1": -1}}, "/opponents/weights/b/1", "out-of-range"),
    ("/opponents/weights", {"b": {"1": "1"}}, "/opponents/weights/b/1", "not-a-number"),
    ("/opponents/weights", {"b": {"8": 1}}, "/opponents/weights/b/8", "unknown-word"),
]


@pytest.mark.parametrize(("at", "value", "path", "code"), SUGGEST_VIOLATIONS)
def test_an_invalid_hint_request_is_rejected_with_its_violation(at, value, path, code):
    assert violations_of("suggest", changed(BODIES["suggest"], at, value)) == [(path, code, None)]


def test_weights_are_rejected_after_the_reveal():
    body = changed(BODIES["suggest"], "/opponents/weights", {"b": {"1": 1}})
    body["revealed"] = FIVE | {"a": {"card": "watcher"}}
    expected = ("/opponents/weights", "weights-with-revealed", None)
    assert violations_of("suggest", body) == [expected]


@pytest.mark.parametrize(
    ("move", "path", "code"),
    [
        ({"card": "2"}, "", "not-a-choice"),
        (watcher(card="8"), "/then/card", "unknown-word"),
        (watcher(card="watcher"), "/then/card", "watcher-added R3"),
    ],
)
def test_a_choice_has_to_agree_with_the_reveal(move, path, code):
    body = BODIES["suggest"] | {"revealed": FIVE | {"a": {"card": "watcher"}}}
    violations = violations_of("suggest", body | {"chosen": {"a": move}})
    assert violations == [coded("/chosen/a" + path, code)]


def test_a_choice_is_a_card_of_the_hand():
    body = BODIES["suggest"] | {"player": "c", "chosen": {"c": {"card": "1"}}}
    assert violations_of("suggest", body) == [("/chosen/c/card", "card-not-in-hand", None)]


def test_chosen_needs_a_move_for_every_own_seat_that_decides():
    owners = zip("abcd", "xyxy", strict=True)
    seats = [seat_document(name, player=owner) for name, owner in owners]
    body = BODIES["suggest"] | {"state": {"seats": seats, "fruit": [0] * 6}, "player": "x"}
    body["chosen"] = {"a": {"card": "1"}}
    assert violations_of("suggest", body) == [("/chosen/c", "move-missing", None)]
