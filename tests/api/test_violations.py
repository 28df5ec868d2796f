"""All faults of a body in one answer, and the questions that have no answer."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.calls import (
    Path,
    answer_of,
    changed,
    cut,
    faults_of,
    post,
    problem_of,
    put,
    told_by,
)
from tests.api.snow_time_bodies import AT_HEALER, COMPLETE, OVER, REVEALED, STATE, UNIFORM

MOVES = {"state": STATE, "revealed": REVEALED}
RESOLVE = {"state": STATE, "moves": COMPLETE, "dice": [2, 2]}
SUGGEST = {"state": STATE, "player": "anna", "opponents": UNIFORM}
AT_WATCHER = SUGGEST | {"revealed": REVEALED}
SEATS: Path = ("state", "seats")

# Names that mean something to somebody --------------------------------------------------------


@pytest.mark.parametrize("name", ["_schema", "0", "-", "_", "None", "constructor", "key", "value"])
def test_a_seat_may_have_any_name(client: FlaskClient, name: str) -> None:
    state = put(STATE, ("seats", 2, "seat"), name)
    moves = {seat if seat != "green" else name: move for seat, move in COMPLETE.items()}
    body = {"state": state, "moves": moves}

    answer = answer_of(post(client, "resolve", body))

    assert answer["state"]["seats"][2]["player"] == name
    assert set(answer["points"]) == {"red", "blue", name}


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
def test_a_fault_of_a_seat_called_schema_stands_at_its_move(
    client: FlaskClient, move: Any, expected: set[tuple[str, str]]
) -> None:
    moves = {"red": {"card": "2"}, "blue": {"card": "healer"}, "_schema": move}
    body = {"state": put(STATE, ("seats", 2, "seat"), "_schema"), "moves": moves}

    document = problem_of(post(client, "resolve", body), 422, "invalid-body", body)

    assert faults_of(document) == expected


def test_names_with_slashes_and_tildes_are_escaped_in_paths(client: FlaskClient) -> None:
    body = changed(
        RESOLVE,
        (("moves", "a/b"), {"card": "x"}),
        (("moves", "~"), 1),
        (("state", "seats", 0, "m~n/o"), 1),
        (("~1",), 1),
        (("/",), 1),
    )

    document = problem_of(post(client, "resolve", body), 422, "invalid-body", body)

    assert {at for at, _ in faults_of(document)} == {
        "/moves/a~1b",
        "/moves/a~1b/card",
        "/moves/~0",
        "/state/seats/0/m~0n~1o",
        "/~01",
        "/~1",
    }


# Everything at once ---------------------------------------------------------------------------


def test_all_faults_of_a_position_are_told_at_once(client: FlaskClient) -> None:
    body = changed(
        {"state": STATE, "seed": 1},
        ((*SEATS, 0, "score"), 40),
        ((*SEATS, 0, "hand"), ["1", "1"]),
        ((*SEATS, 1, "seat"), "red"),
        ((*SEATS, 1, "player"), "x"),
        ((*SEATS, 2, "hand"), ["watcher"]),
        (("state", "fruit"), [9, 9, 0, 0, 0, 0]),
    )

    document = problem_of(post(client, "grow", body), 422, "invalid-body", body)

    assert told_by(document) == {
        "/state/seats/0/score score-off-track R9",
        "/state/seats/0/hand healer-missing",
        "/state/seats/0/hand/1 duplicate-card",
        "/state/seats/1/seat duplicate-seat",
        "/state/seats/2/hand healer-missing",
        "/state/fruit too-much-fruit",
    }


def test_all_faults_of_moves_are_told_at_once(client: FlaskClient) -> None:
    moves = {
        "red": {"card": "watcher", "then": {"card": "watcher"}},
        "green": {"card": "healer", "recover": ["7"]},
        "pink": {"card": "1"},
    }
    body = RESOLVE | {"moves": moves, "dice": [1]}

    document = problem_of(post(client, "resolve", body), 422, "invalid-body", body)

    assert told_by(document) == {
        "/moves/red/then/card watcher-added R3",
        "/moves/green/recover illegal-recovery R4",
        "/moves/pink unknown-seat",
        "/moves/blue move-missing",
        "/dice wrong-dice",
    }


def test_faults_of_shape_hide_no_fault_of_legality_elsewhere_in_a_position(
    client: FlaskClient,
) -> None:
    body = changed(
        {"state": STATE, "seed": "7"},
        ((*SEATS, 0, "score"), "3"),
        ((*SEATS, 0, "hand"), ["1", "1", "healer"]),
        ((*SEATS, 1, "score"), 25),
        ((*SEATS, 2, "hand"), ["watcher"]),
        (("state", "fruit"), [9, 9, 0, 0, 0, 0]),
        (("state", "track", "bonuses", 0, "kind"), None),
        (("state", "track", "bonuses", 1, "space"), 33),
    )

    document = problem_of(post(client, "grow", body), 422, "invalid-body", body)

    assert told_by(document) >= {
        "/seed not-an-integer",
        "/state/seats/0/score not-an-integer",
        "/state/seats/0/hand/1 duplicate-card",
        "/state/seats/2/hand healer-missing",
        "/state/fruit too-much-fruit",
        "/state/track/bonuses/0/kind null",
        "/state/track/bonuses/1/space bonus-off-track R1",
    }


IN_THE_POSITION: list[tuple[str, tuple[Path, Any], str]] = [
    ("too much fruit", (("state", "fruit"), [9, 9, 0, 0, 0, 0]), "/state/fruit"),
    ("a misshapen level", (("state", "fruit", 0), "1"), "/state/fruit/0"),
    ("a misshapen score", ((*SEATS, 2, "score"), "3"), "/state/seats/2/score"),
    ("an unknown field", ((*SEATS, 2, "colour"), "green"), "/state/seats/2/colour"),
    ("a hand without the healer", ((*SEATS, 2, "hand"), ["7"]), "/state/seats/2/hand"),
    ("a bad track", (("state", "track", "length"), 4), "/state/track/length"),
]
BESIDE_IT: list[tuple[str, str, Any, str, str]] = [
    (
        "a card not in hand",
        "resolve",
        put(RESOLVE, ("moves", "blue"), {"card": "1"}),
        "/moves/blue/card",
        "card-not-in-hand",
    ),
    (
        "an illegal set",
        "legal-moves",
        put(MOVES, ("revealed", "red"), {"card": "healer", "recover": ["2"]}),
        "/revealed/red/recover",
        "illegal-recovery",
    ),
    (
        "a stranger's move",
        "resolve",
        put(RESOLVE, ("moves", "pink"), {"card": "1"}),
        "/moves/pink",
        "unknown-seat",
    ),
    ("a move missing", "resolve", cut(RESOLVE, ("moves", "blue")), "/moves/blue", "move-missing"),
    (
        "an open decision",
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "watcher"}),
        "/moves/red/then",
        "open-decision",
    ),
    ("a stranger who asks", "suggest", SUGGEST | {"player": "zoe"}, "/player", "unknown-player"),
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
    ("change", "place"), [pytest.param(*case[1:], id=case[0]) for case in IN_THE_POSITION]
)
def test_a_fault_of_the_position_hides_no_fault_elsewhere(
    client: FlaskClient, change: tuple[Path, Any], place: str
) -> None:
    hidden = []
    for name, verb, body, path, code in BESIDE_IT:
        wrong = put(body, *change)
        faults = faults_of(problem_of(post(client, verb, wrong), 422, "invalid-body", wrong))
        assert place in {at for at, _ in faults}
        hidden += [] if (path, code) in faults else [name]

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
            SUGGEST | {"chosen": {"red": {"card": "1"}}, "nonce": "", "tier": 5},
            {
                ("/chosen/red/card", "card-not-in-hand"),
                ("/nonce", "bad-nonce"),
                ("/tier", "not-a-string"),
            },
        ),
    ],
)
def test_all_faults_of_a_question_are_told_at_once(
    client: FlaskClient, body: Any, expected: set[tuple[str, str]]
) -> None:
    document = problem_of(post(client, "suggest", body), 422, "invalid-body", body)

    assert faults_of(document) >= expected


# Questions without an answer ------------------------------------------------------------------

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


@pytest.mark.parametrize("verb", FINISHED)
def test_a_finished_game_is_refused_as_game_over(client: FlaskClient, verb: str) -> None:
    body = FINISHED[verb]

    document = problem_of(post(client, verb, body), 422, "game-over", body)

    assert faults_of(document) == {("/state", "game-over")}
    assert document["detail"] == document["errors"][0]["detail"]


@pytest.mark.parametrize("verb", FINISHED)
def test_game_over_stays_the_code_beside_another_fault(client: FlaskClient, verb: str) -> None:
    body = FINISHED[verb] | {"extra": 1}

    document = problem_of(post(client, verb, body), 422, "game-over", body)

    assert faults_of(document) == {("/state", "game-over"), ("/extra", "unknown-field")}


def test_a_finished_game_in_an_illegal_position_is_illegal_first(client: FlaskClient) -> None:
    body = {"state": put(OVER, ("fruit", 0), 15), "seed": 1}

    document = problem_of(post(client, "grow", body), 422, "invalid-body", body)

    assert "/state/fruit too-much-fruit" in told_by(document)


def test_a_finished_game_has_no_legal_moves_and_that_is_an_answer(client: FlaskClient) -> None:
    for body in ({"state": OVER}, {"state": OVER, "revealed": {}}):
        answer = answer_of(post(client, "legal-moves", body))
        assert answer == {"decision": "none", "moves": {}, "game_over": True}


@pytest.mark.parametrize(
    "opponents", [None, {}, {"weights": {}}, {"weights": {"blue": {"healer": 1}}}]
)
def test_a_hint_without_a_model_is_one_of_the_equilibrium(
    client: FlaskClient, opponents: Any
) -> None:
    body = cut(SUGGEST, ("opponents",)) | ({} if opponents is None else {"opponents": opponents})
    named = SUGGEST | {"opponents": {"model": "equilibrium"} | (opponents or {})}

    response = post(client, "suggest", body)

    assert answer_of(response)["search"]["method"] == "equilibrium"
    assert response.data == post(client, "suggest", named).data


@pytest.mark.parametrize(
    ("model", "gap", "residual"),
    [
        ("equilibrium", True, False),
        ("quantal", True, True),
        ("level-1", False, False),
        ("uniform", False, False),
    ],
)
def test_every_model_of_the_contract_answers_and_tells_how_well_it_is_solved(
    client: FlaskClient, model: str, gap: bool, residual: bool
) -> None:
    body = SUGGEST | {"opponents": {"model": model}}

    search = answer_of(post(client, "suggest", body))["search"]

    assert (search["gap"] is not None, search["residual"] is not None) == (gap, residual)


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
def test_a_player_with_nothing_to_decide_is_told_so(
    client: FlaskClient, player: str, revealed: Any
) -> None:
    body = SUGGEST | {"player": player, "revealed": revealed}

    document = problem_of(post(client, "suggest", body), 422, "nothing-to-decide", body)

    assert faults_of(document) == {("/player", "nothing-to-decide")}


@pytest.mark.parametrize(
    ("body", "code", "expected"),
    [
        (
            FINISHED["suggest"] | {"tier": "slow", "opponents": {"model": "oracle"}},
            "game-over",
            {
                ("/state", "game-over"),
                ("/tier", "unknown-word"),
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
def test_of_several_refusals_the_foremost_gives_the_code_unless_the_body_is_invalid(
    client: FlaskClient, body: Any, code: str, expected: set[tuple[str, str]]
) -> None:
    document = problem_of(post(client, "suggest", body), 422, code, body)

    assert faults_of(document) == expected


@pytest.mark.parametrize(
    ("told", "expected"),
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
def test_what_is_wrong_with_the_form_of_a_move_hides_nothing_else_of_it(
    client: FlaskClient, told: Any, expected: set[tuple[str, str]]
) -> None:
    state = {
        "seats": [
            {"seat": "red", "score": 1, "hand": ["3", "6", "healer"]},
            {"seat": "blue", "score": 1, "hand": ["5", "healer"]},
            {"seat": "green", "score": 1, "hand": ["4", "healer"]},
        ],
        "fruit": [0, 0, 0, 0, 0, 0],
    }
    moves = {"red": told, "blue": {"card": "5"}, "green": {"card": "4"}}
    body = {"state": state, "moves": moves}

    document = problem_of(post(client, "resolve", body), 422, "invalid-body", body)

    assert faults_of(document) == {("/moves/red" + path, code) for path, code in expected}


def test_a_list_too_short_is_judged_item_by_item_as_well(client: FlaskClient) -> None:
    body = {"seats": [{"seat": "a b", "player": 5}]}

    document = problem_of(post(client, "new", body), 422, "invalid-body", body)

    assert faults_of(document) == {
        ("/seats", "wrong-length"),
        ("/seats/0/seat", "bad-name"),
        ("/seats/0/player", "not-a-string"),
    }


def test_a_hostile_number_of_faults_is_cut_short(client: FlaskClient) -> None:
    body = {"seats": []} | {f"x{number}": 0 for number in range(5000)}

    document = post(client, "new", body).get_json()

    assert len(document["errors"]) == 1001
    assert document["errors"][-1] == {
        "path": "",
        "code": "more-faults",
        "detail": "4001 more violations are not listed.",
    }


def test_a_name_too_long_is_not_repeated_in_the_answer(client: FlaskClient) -> None:
    body = {"seats": []} | {"k" * 257: {str(number): 0 for number in range(1000)}, "k" * 256: 0}

    response = post(client, "new", body)

    assert [error["code"] for error in response.get_json()["errors"]] == ["name-too-long"]
