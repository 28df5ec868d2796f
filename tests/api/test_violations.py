"""All violations of a body are reported together; and hints that cannot be given."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from tests.api.calls import Path, post, problem_of, put, result_of, violations_of, without
from tests.api.snow_time_bodies import AT_HEALER, COMPLETE, OVER, REVEALED, STATE, UNIFORM
from tests.loops import for_each

MOVES = {"state": STATE, "revealed": REVEALED}
RESOLVE = {"state": STATE, "moves": COMPLETE, "dice": [2, 2]}
SUGGEST = {"state": STATE, "player": "anna", "opponents": UNIFORM}
SEATS: Path = ("state", "seats")


def refused(client: FlaskClient, endpoint: str, body: Any, code: str = "invalid-body") -> set[str]:
    """Return path and code of every violation of a body that must be refused."""
    return codes_of(problem_of(post(client, endpoint, body), 422, code, body))


def codes_of(problem: Any) -> set[str]:
    return {f"{path} {code}" for path, code in violations_of(problem)}


# Special names --------------------------------------------------------------------------------


@for_each("name", ["_schema", "0", "-", "_", "None", "constructor", "key", "value"])
def test_a_seat_may_have_any_name(client: FlaskClient, name: str) -> None:
    state = put(STATE, ("seats", 2, "seat"), name)
    moves = {seat if seat != "green" else name: move for seat, move in COMPLETE.items()}

    result = result_of(post(client, "resolve", {"state": state, "moves": moves}))

    assert result["state"]["seats"][2]["player"] == name
    assert set(result["points"]) == {"red", "blue", name}


@for_each(
    "move, expected",
    [
        (None, {" null"}),
        ([], {" not-an-object"}),
        ("x", {" not-an-object"}),
        ({}, {"/card missing"}),
        ({"card": "x"}, {"/card unknown-word"}),
        ({"card": "2"}, {"/card card-not-in-hand"}),
        ({"card": "7", "_schema": 1}, {"/_schema unknown-field"}),
        ({"_schema": "7"}, {"/card missing", "/_schema unknown-field"}),
        ({"card": "watcher", "then": "_schema"}, {"/then not-an-object"}),
    ],
)
def test_a_violation_of_a_seat_named_schema_is_reported_at_its_move(
    client: FlaskClient, move: Any, expected: set[str]
) -> None:
    moves = {"red": {"card": "2"}, "blue": {"card": "healer"}, "_schema": move}
    body = {"state": put(STATE, ("seats", 2, "seat"), "_schema"), "moves": moves}

    assert refused(client, "resolve", body) == {"/moves/_schema" + each for each in expected}


# Several violations ---------------------------------------------------------------------------


POSITION_VIOLATIONS: list[tuple[Path, Any, str]] = [
    (("state", "fruit"), [9, 9, 0, 0, 0, 0], "/state/fruit too-much-fruit"),
    (("state", "fruit", 0), "1", "/state/fruit/0 not-an-integer"),
    ((*SEATS, 2, "score"), "3", "/state/seats/2/score not-an-integer"),
    ((*SEATS, 2, "colour"), "green", "/state/seats/2/colour unknown-field"),
    ((*SEATS, 2, "hand"), ["7"], "/state/seats/2/hand healer-missing"),
    (("state", "track", "length"), 4, "/state/track/length out-of-range"),
]
NO_CARD = {"card": "1"}
OTHER_VIOLATIONS: list[tuple[str, Any, str]] = [
    ("resolve", put(RESOLVE, ("moves", "blue"), NO_CARD), "/moves/blue/card card-not-in-hand"),
    (
        "legal-moves",
        put(MOVES, ("revealed", "red"), {"card": "healer", "recover": ["2"]}),
        "/revealed/red/recover illegal-recovery",
    ),
    ("resolve", put(RESOLVE, ("moves", "pink"), NO_CARD), "/moves/pink unknown-seat"),
    ("resolve", without(RESOLVE, ("moves", "blue")), "/moves/blue move-missing"),
    (
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "watcher"}),
        "/moves/red/then open-decision",
    ),
    ("suggest", SUGGEST | {"player": "zoe"}, "/player unknown-player"),
    (
        "suggest",
        put(SUGGEST, ("opponents", "weights"), {"blue": {"1": 1}}),
        "/opponents/weights/blue/1 card-not-in-hand",
    ),
    ("suggest", SUGGEST | {"chosen": {"red": NO_CARD}}, "/chosen/red/card card-not-in-hand"),
]


@for_each("path, value, violation", POSITION_VIOLATIONS)
@for_each("endpoint, body, other", OTHER_VIOLATIONS)
def test_a_violation_of_the_position_does_not_hide_other_violations(
    client: FlaskClient,
    path: Path,
    value: Any,
    violation: str,
    endpoint: str,
    body: Any,
    other: str,
) -> None:
    assert {violation, other} <= refused(client, endpoint, put(body, path, value))


@for_each(
    "changes, expected",
    [
        (
            {"player": "zoe", "opponents": UNIFORM | {"weights": {"blue": {"1": 1}}}},
            {"/player unknown-player", "/opponents/weights/blue/1 card-not-in-hand"},
        ),
        (
            {"player": "zoe", "chosen": {"pink": NO_CARD}},
            {"/player unknown-player", "/chosen/pink unknown-seat"},
        ),
        (
            {"revealed": REVEALED | {"blue": NO_CARD}, "chosen": {"pink": NO_CARD}},
            {"/revealed/blue/card card-not-in-hand", "/chosen/pink unknown-seat"},
        ),
        (
            {"opponents": {"model": "oracle", "weights": {"zoe": {"1": 1}}}, "depth": "1"},
            {
                "/opponents/model unknown-word",
                "/opponents/weights/zoe unknown-seat",
                "/depth not-an-integer",
            },
        ),
        (
            {"chosen": {"red": NO_CARD}, "nonce": "", "effort": 5},
            {"/chosen/red/card card-not-in-hand", "/nonce bad-nonce", "/effort not-a-string"},
        ),
    ],
)
def test_all_violations_of_a_hint_request_are_reported_together(
    client: FlaskClient, changes: Any, expected: set[str]
) -> None:
    assert refused(client, "suggest", SUGGEST | changes) >= expected


# Finished games and decisions that are not open ------------------------------------------------

FINISHED: dict[str, Any] = {
    "grow": {"state": OVER, "seed": 1},
    "resolve": {"state": OVER, "moves": COMPLETE},
    "suggest": {"state": OVER, "player": "anna", "opponents": UNIFORM},
}
ALL_DECIDED = {"red": {"card": "2"}, "blue": {"card": "healer"}, "green": {"card": "7"}}


@for_each("endpoint", FINISHED)
def test_game_over_stays_the_code_if_there_are_other_violations(
    client: FlaskClient, endpoint: str
) -> None:
    body = FINISHED[endpoint] | {"extra": 1}

    document = problem_of(post(client, endpoint, body), 422, "game-over", body)

    assert codes_of(document) == {"/state game-over", "/extra unknown-field"}
    assert document["detail"].startswith("/state: ")


def test_an_illegal_finished_position_is_an_invalid_body(client: FlaskClient) -> None:
    body = {"state": put(OVER, ("fruit", 0), 15), "seed": 1}

    assert "/state/fruit too-much-fruit" in refused(client, "grow", body)


@for_each(
    "player, revealed",
    [
        ("blue", REVEALED),
        ("blue", AT_HEALER),
        ("green", AT_HEALER),
        ("blue", ALL_DECIDED),
        ("anna", ALL_DECIDED),
        ("anna", COMPLETE),
    ],
)
def test_a_player_without_a_decision_is_refused_as_nothing_to_decide(
    client: FlaskClient, player: str, revealed: Any
) -> None:
    body = SUGGEST | {"player": player, "revealed": revealed}

    assert refused(client, "suggest", body, "nothing-to-decide") == {"/player nothing-to-decide"}


NOTHING_LEFT = SUGGEST | {"player": "blue", "revealed": ALL_DECIDED}


@for_each(
    "body, code, expected",
    [
        (
            FINISHED["suggest"] | {"effort": "slow", "opponents": {"model": "oracle"}},
            "game-over",
            {"/state game-over", "/effort unknown-word", "/opponents/model unknown-word"},
        ),
        (
            NOTHING_LEFT | {"opponents": {"model": "level-1", "x": 1}},
            "invalid-body",
            {"/player nothing-to-decide", "/opponents/x unknown-field"},
        ),
        (
            NOTHING_LEFT | {"nonce": 5},
            "invalid-body",
            {"/player nothing-to-decide", "/nonce not-a-string"},
        ),
    ],
)
def test_game_over_precedes_invalid_body_and_invalid_body_precedes_nothing_to_decide(
    client: FlaskClient, body: Any, code: str, expected: set[str]
) -> None:
    assert refused(client, "suggest", body, code) == expected


@for_each(
    "move, expected",
    [
        (
            {"card": "1", "recover": ["2"]},
            {"/recover recover-without-healer", "/card card-not-in-hand"},
        ),
        (
            {"card": "watcher", "then": {"card": "watcher", "recover": ["1"]}},
            {
                "/then/recover recover-without-healer",
                "/then/card watcher-added",
                "/card card-not-in-hand",
            },
        ),
    ],
)
def test_a_violation_of_the_form_of_a_move_does_not_hide_its_other_violations(
    client: FlaskClient, move: Any, expected: set[str]
) -> None:
    body = {
        "state": put(STATE, ("seats", 0, "hand"), ["3", "6", "healer"]),
        "moves": COMPLETE | {"red": move},
    }

    assert refused(client, "resolve", body) == {"/moves/red" + each for each in expected}


def test_the_items_of_a_list_that_is_too_short_are_also_checked(client: FlaskClient) -> None:
    body = {"seats": [{"seat": "a b", "player": 5}]}

    assert refused(client, "new", body) == {
        "/seats wrong-length",
        "/seats/0/seat bad-name",
        "/seats/0/player not-a-string",
    }


def test_a_very_long_list_of_violations_is_truncated(client: FlaskClient) -> None:
    body = {"seats": []} | {f"x{number}": 0 for number in range(5000)}

    document = post(client, "new", body).get_json()

    assert len(document["errors"]) == 1001
    assert document["errors"][-1] == {
        "path": "",
        "code": "more-faults",
        "detail": "4001 more violations are not listed.",
    }


def test_a_name_that_is_too_long_is_not_repeated_in_the_response(client: FlaskClient) -> None:
    body = {"seats": []} | {"k" * 257: {str(number): 0 for number in range(1000)}, "k" * 256: 0}

    response = post(client, "new", body)

    assert [error["code"] for error in response.get_json()["errors"]] == ["name-too-long"]
