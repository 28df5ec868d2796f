"""All violations of a body are reported together; and hints that cannot be given."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.calls import (
    Path,
    post,
    problem_of,
    put,
    result_of,
    violation_texts,
    violations_of,
    without,
)
from tests.api.snow_time_bodies import AT_HEALER, COMPLETE, OVER, REVEALED, STATE, UNIFORM

MOVES = {"state": STATE, "revealed": REVEALED}
RESOLVE = {"state": STATE, "moves": COMPLETE, "dice": [2, 2]}
SUGGEST = {"state": STATE, "player": "anna", "opponents": UNIFORM}
AT_WATCHER = SUGGEST | {"revealed": REVEALED}
SEATS: Path = ("state", "seats")

# Special names --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["_schema", "0", "-", "_", "None", "constructor", "key", "value"])
def test_a_seat_may_have_any_name(client: FlaskClient, name: str) -> None:
    state = put(STATE, ("seats", 2, "seat"), name)
    moves = {seat if seat != "green" else name: move for seat, move in COMPLETE.items()}
    body = {"state": state, "moves": moves}

    result = result_of(post(client, "resolve", body))

    assert result["state"]["seats"][2]["player"] == name
    assert set(result["points"]) == {"red", "blue", name}


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (None, {("/moves/_schema", "null")}),
        ([], {("/moves/_schema", "not-an-object")}),
        ("x", {("/moves/_schema", "not-an-object")}),
        ({}, {("/moves/_schema/card", "missing")}),
        ({"card": "x"}, {("/moves/_schema/card", "unknown-word")}),
        ({"card": "2"}, {("/moves/_schema/card", "card-not-in-hand")}),
        ({"card": "7", "_schema": 1}, {("/moves/_schema/_schema", "unknown-field")}),
        (
            {"_schema": "7"},
            {("/moves/_schema/card", "missing"), ("/moves/_schema/_schema", "unknown-field")},
        ),
        ({"card": "watcher", "then": "_schema"}, {("/moves/_schema/then", "not-an-object")}),
    ],
)
def test_a_violation_of_a_seat_named_schema_is_reported_at_its_move(
    client: FlaskClient, move: Any, expected: set[tuple[str, str]]
) -> None:
    moves = {"red": {"card": "2"}, "blue": {"card": "healer"}, "_schema": move}
    body = {"state": put(STATE, ("seats", 2, "seat"), "_schema"), "moves": moves}

    document = problem_of(post(client, "resolve", body), 422, "invalid-body", body)

    assert violations_of(document) == expected


# Several violations ---------------------------------------------------------------------------


POSITION_VIOLATIONS: list[tuple[str, tuple[Path, Any], str]] = [
    ("too much fruit", (("state", "fruit"), [9, 9, 0, 0, 0, 0]), "/state/fruit"),
    ("a level of a wrong type", (("state", "fruit", 0), "1"), "/state/fruit/0"),
    ("a score of a wrong type", ((*SEATS, 2, "score"), "3"), "/state/seats/2/score"),
    ("an unknown field", ((*SEATS, 2, "colour"), "green"), "/state/seats/2/colour"),
    ("a hand without the healer", ((*SEATS, 2, "hand"), ["7"]), "/state/seats/2/hand"),
    ("a bad track", (("state", "track", "length"), 4), "/state/track/length"),
]
OTHER_VIOLATIONS: list[tuple[str, str, Any, str, str]] = [
    (
        "a card not in hand",
        "resolve",
        put(RESOLVE, ("moves", "blue"), {"card": "1"}),
        "/moves/blue/card",
        "card-not-in-hand",
    ),
    (
        "an illegal recovery",
        "legal-moves",
        put(MOVES, ("revealed", "red"), {"card": "healer", "recover": ["2"]}),
        "/revealed/red/recover",
        "illegal-recovery",
    ),
    (
        "the move of an unknown seat",
        "resolve",
        put(RESOLVE, ("moves", "pink"), {"card": "1"}),
        "/moves/pink",
        "unknown-seat",
    ),
    (
        "a move missing",
        "resolve",
        without(RESOLVE, ("moves", "blue")),
        "/moves/blue",
        "move-missing",
    ),
    (
        "an open decision",
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "watcher"}),
        "/moves/red/then",
        "open-decision",
    ),
    ("an unknown player", "suggest", SUGGEST | {"player": "zoe"}, "/player", "unknown-player"),
    (
        "weights of a card not in hand",
        "suggest",
        put(SUGGEST, ("opponents", "weights"), {"blue": {"1": 1}}),
        "/opponents/weights/blue/1",
        "card-not-in-hand",
    ),
    (
        "a choice not in hand",
        "suggest",
        SUGGEST | {"chosen": {"red": {"card": "1"}}},
        "/chosen/red/card",
        "card-not-in-hand",
    ),
]


@pytest.mark.parametrize(
    ("change", "position_path"),
    [pytest.param(*case[1:], id=case[0]) for case in POSITION_VIOLATIONS],
)
def test_a_violation_of_the_position_does_not_hide_other_violations(
    client: FlaskClient, change: tuple[Path, Any], position_path: str
) -> None:
    hidden = []
    for name, endpoint, body, path, code in OTHER_VIOLATIONS:
        wrong = put(body, *change)
        violations = violations_of(
            problem_of(post(client, endpoint, wrong), 422, "invalid-body", wrong)
        )
        assert position_path in {at for at, _ in violations}
        hidden += [] if (path, code) in violations else [name]

    assert hidden == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            SUGGEST | {"player": "zoe", "opponents": UNIFORM | {"weights": {"blue": {"1": 1}}}},
            {("/player", "unknown-player"), ("/opponents/weights/blue/1", "card-not-in-hand")},
        ),
        (
            SUGGEST | {"player": "zoe", "chosen": {"pink": {"card": "1"}}},
            {("/player", "unknown-player"), ("/chosen/pink", "unknown-seat")},
        ),
        (
            AT_WATCHER
            | {"revealed": REVEALED | {"blue": {"card": "1"}}, "chosen": {"pink": {"card": "1"}}},
            {("/revealed/blue/card", "card-not-in-hand"), ("/chosen/pink", "unknown-seat")},
        ),
        (
            SUGGEST
            | {"opponents": {"model": "oracle", "weights": {"zoe": {"1": 1}}}, "depth": "1"},
            {
                ("/opponents/model", "unknown-word"),
                ("/opponents/weights/zoe", "unknown-seat"),
                ("/depth", "not-an-integer"),
            },
        ),
        (
            SUGGEST | {"chosen": {"red": {"card": "1"}}, "nonce": "", "effort": 5},
            {
                ("/chosen/red/card", "card-not-in-hand"),
                ("/nonce", "bad-nonce"),
                ("/effort", "not-a-string"),
            },
        ),
    ],
)
def test_all_violations_of_a_hint_request_are_reported_together(
    client: FlaskClient, body: Any, expected: set[tuple[str, str]]
) -> None:
    document = problem_of(post(client, "suggest", body), 422, "invalid-body", body)

    assert violations_of(document) >= expected


# Finished games and decisions that are not open ------------------------------------------------

FINISHED: dict[str, Any] = {
    "grow": {"state": OVER, "seed": 1},
    "resolve": {"state": OVER, "moves": COMPLETE},
    "suggest": {"state": OVER, "player": "anna", "opponents": UNIFORM},
}
NOTHING_LEFT = {
    "state": STATE,
    "player": "blue",
    "opponents": UNIFORM,
    "revealed": {"red": {"card": "2"}, "blue": {"card": "healer"}, "green": {"card": "7"}},
}


@pytest.mark.parametrize("endpoint", FINISHED)
def test_game_over_stays_the_code_if_there_are_other_violations(
    client: FlaskClient, endpoint: str
) -> None:
    body = FINISHED[endpoint] | {"extra": 1}

    document = problem_of(post(client, endpoint, body), 422, "game-over", body)

    assert violations_of(document) == {("/state", "game-over"), ("/extra", "unknown-field")}
    assert document["detail"].startswith("/state: ")


def test_an_illegal_finished_position_is_an_invalid_body(client: FlaskClient) -> None:
    body = {"state": put(OVER, ("fruit", 0), 15), "seed": 1}

    document = problem_of(post(client, "grow", body), 422, "invalid-body", body)

    assert "/state/fruit too-much-fruit" in violation_texts(document)


@pytest.mark.parametrize(
    ("player", "revealed"),
    [
        ("blue", REVEALED),
        ("blue", AT_HEALER),
        ("green", AT_HEALER),
        ("blue", NOTHING_LEFT["revealed"]),
        ("anna", NOTHING_LEFT["revealed"]),
        ("anna", COMPLETE),
    ],
)
def test_a_player_without_a_decision_is_refused_as_nothing_to_decide(
    client: FlaskClient, player: str, revealed: Any
) -> None:
    body = SUGGEST | {"player": player, "revealed": revealed}

    document = problem_of(post(client, "suggest", body), 422, "nothing-to-decide", body)

    assert violations_of(document) == {("/player", "nothing-to-decide")}


@pytest.mark.parametrize(
    ("body", "code", "expected"),
    [
        (
            FINISHED["suggest"] | {"effort": "slow", "opponents": {"model": "oracle"}},
            "game-over",
            {
                ("/state", "game-over"),
                ("/effort", "unknown-word"),
                ("/opponents/model", "unknown-word"),
            },
        ),
        (
            NOTHING_LEFT | {"opponents": {"model": "level-1", "x": 1}},
            "invalid-body",
            {("/player", "nothing-to-decide"), ("/opponents/x", "unknown-field")},
        ),
        (
            NOTHING_LEFT | {"nonce": 5},
            "invalid-body",
            {("/player", "nothing-to-decide"), ("/nonce", "not-a-string")},
        ),
    ],
)
def test_game_over_precedes_invalid_body_and_invalid_body_precedes_nothing_to_decide(
    client: FlaskClient, body: Any, code: str, expected: set[tuple[str, str]]
) -> None:
    document = problem_of(post(client, "suggest", body), 422, code, body)

    assert violations_of(document) == expected


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (
            {"card": "1", "recover": ["2"]},
            {("/recover", "recover-without-healer"), ("/card", "card-not-in-hand")},
        ),
        (
            {"card": "watcher", "then": {"card": "watcher", "recover": ["1"]}},
            {
                ("/then/recover", "recover-without-healer"),
                ("/then/card", "watcher-added"),
                ("/card", "card-not-in-hand"),
            },
        ),
    ],
)
def test_a_violation_of_the_form_of_a_move_does_not_hide_its_other_violations(
    client: FlaskClient, move: Any, expected: set[tuple[str, str]]
) -> None:
    state = {
        "seats": [
            {"seat": "red", "score": 1, "hand": ["3", "6", "healer"]},
            {"seat": "blue", "score": 1, "hand": ["5", "healer"]},
            {"seat": "green", "score": 1, "hand": ["4", "healer"]},
        ],
        "fruit": [0, 0, 0, 0, 0, 0],
    }
    moves = {"red": move, "blue": {"card": "5"}, "green": {"card": "4"}}
    body = {"state": state, "moves": moves}

    document = problem_of(post(client, "resolve", body), 422, "invalid-body", body)

    assert violations_of(document) == {("/moves/red" + path, code) for path, code in expected}


def test_the_items_of_a_list_that_is_too_short_are_also_checked(client: FlaskClient) -> None:
    body = {"seats": [{"seat": "a b", "player": 5}]}

    document = problem_of(post(client, "new", body), 422, "invalid-body", body)

    assert violations_of(document) == {
        ("/seats", "wrong-length"),
        ("/seats/0/seat", "bad-name"),
        ("/seats/0/player", "not-a-string"),
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
