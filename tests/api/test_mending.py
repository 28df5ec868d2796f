"""Errors that mend: the first violation is the detail, and it says what came and what to send."""

from __future__ import annotations

import json
from typing import Any

from flask.testing import FlaskClient

from tests.api.calls import post, put
from tests.loops import for_each

STATE: dict[str, Any] = {
    "seats": [
        {"seat": "red", "player": "anna", "score": 25, "hand": ["2", "4", "healer"]},
        {"seat": "blue", "player": "bob", "score": 24, "hand": ["3", "6", "healer", "watcher"]},
        {"seat": "green", "player": "cleo", "score": 22, "hand": ["3", "5", "healer"]},
    ],
    "fruit": [0, 1, 2, 0, 0, 1],
}
SUGGEST = "/v1/games/snow-time/suggest"


EXAMPLE_STATE = (
    '{"seats": [{"seat": "red", "score": 1, "hand": ["4", "healer"]}, '
    '{"seat": "blue", "score": 1, "hand": ["4", "healer"]}, '
    '{"seat": "green", "score": 1, "hand": ["4", "healer"]}], "fruit": [1, 1, 1, 1, 1, 1]}'
)


def changed(path: str, value: Any) -> Any:
    """Return the request for a hint with a value set at a path."""
    steps = tuple(int(step) if step.isdigit() else step for step in path.split("/"))
    return put({"state": STATE, "player": "anna"}, steps, value)


NOTHING = f"/state: The field `state` is required. Example: {EXAMPLE_STATE}; and 1 more."

CASES = {
    "an object as a text": (
        changed("state", json.dumps(STATE)),
        "/state: Expected a JSON object; got a string with JSON: send its value itself, without "
        f"quotation marks. Example: {EXAMPLE_STATE}.",
    ),
    "fruit by level": (
        changed("state/fruit", {"3": 1}),
        "/state/fruit: Expected a JSON array; got an object. Example: [1, 1, 1, 1, 1, 1].",
    ),
    "a card as the choice": (
        changed("chosen", "4"),
        '/chosen: Expected a JSON object; got a string. Example: {"red": {"card": "4"}}.',
    ),
    "a move without its seat": (
        changed("chosen", {"card": "4"}),
        "/chosen: Expected names with a value each; got the fields of one value. "
        'Example: {"red": {"card": "4"}}.',
    ),
    "a card as a hand": (
        changed("state/seats/0/hand", "4"),
        '/state/seats/0/hand: Expected a JSON array; got a string. Example: ["4", "healer"].',
    ),
    "a whole answer as a state": (
        changed("state", {"state": STATE, "game_over": False}),
        "/state: The value is inside this object, as its field `state`: send only that.",
    ),
    "a language": (
        changed("language", "de"),
        "/language: No field `language`: the header Accept-Language chooses the language of texts.",
    ),
    "a name with an umlaut": (
        changed("player", "Jürgen"),
        "/player: Expected 1 to 32 of A-Z a-z 0-9 _ and -. Other characters are for the `name` of "
        "a player.",
    ),
    "two players with one seat each": (
        changed("state/seats", STATE["seats"][:2]),
        "/state/seats: Expected 3 to 5 players with one seat each, or 2 players with two seats "
        'each, such as {"seat": "red", "player": "anna"} and {"seat": "blue", "player": "anna"}.',
    ),
    "a misspelled card": (
        changed("state/seats/0/hand/0", "heeler"),
        "/state/seats/0/hand/0: No value `heeler`. Did you mean `healer`?",
    ),
    "two faults": ({"state": STATE}, '/player: The field `player` is required. Example: "anna".'),
    "nothing": ({}, NOTHING),
}


@for_each("body, expected", CASES.values())
def test_the_detail_of_a_422_is_its_first_violation(
    client: FlaskClient, body: Any, expected: str
) -> None:
    response = post(client, SUGGEST, body)
    assert (response.status_code, response.get_json()["detail"]) == (422, expected)


@for_each(
    "request_item, status, detail",
    [
        ({"path": SUGGEST, "body": {}}, 422, NOTHING),
        (
            {"path": "/v1/games/snow-time/legal_moves", "body": {}},
            404,
            "No route '/v1/games/snow-time/legal_moves'. "
            "Did you mean /v1/games/snow-time/legal-moves?",
        ),
        (
            {"path": "/v1/games", "body": {}},
            405,
            "This route supports GET, not POST: set `method`.",
        ),
        (
            {"path": SUGGEST, "method": "GET"},
            405,
            "This route supports POST, not GET: set `method`.",
        ),
    ],
)
def test_a_problem_in_a_batch_names_what_to_send(
    client: FlaskClient, request_item: dict[str, Any], status: int, detail: str
) -> None:
    response = post(client, "/v1/batch", {"requests": [{"id": "a"} | request_item]})
    [answer] = response.get_json()["results"]
    assert (answer["status"], answer["body"]["detail"]) == (status, detail)


@for_each(
    "path, meant",
    [
        ("/v1/games/snow-time/hint", "suggest"),
        ("/snow-time/hints", "suggest"),
        ("/v1/games/slopecrashers/advice", "suggest"),
        ("/v1/games/snowcrest/moves", "legal-moves"),
        ("/v1/games/slopecrashers/legal-actions", "legal-moves"),
        ("/v1/games/snow-time/play", "resolve"),
        ("/v1/games/snow-time/start", "new"),
        ("/v1/games/snow-time/dice", "grow"),
        ("/v1/games/snowcrest/analysis", "review"),
    ],
)
def test_a_near_word_for_an_operation_names_its_route(
    client: FlaskClient, path: str, meant: str
) -> None:
    game = path.split("/")[-2]
    detail = post(client, path, {}).get_json()["detail"]
    assert detail.endswith(f" Did you mean /v1/games/{game}/{meant}?")


@for_each(
    "headers, detail",
    [
        (
            {"Content-Type": "text/plain"},
            "Expected Content-Type: application/json; got text/plain.",
        ),
        ({}, "Expected Content-Type: application/json; got none."),
        (
            {"Content-Type": "application/json; charset=latin-1"},
            "Expected JSON in UTF-8; got the charset latin-1.",
        ),
        (
            {"Content-Type": "application/json", "Content-Encoding": "gzip"},
            "Expected a body without compression; got Content-Encoding: gzip.",
        ),
    ],
)
def test_a_415_names_what_came_and_what_was_expected(
    client: FlaskClient, headers: dict[str, str], detail: str
) -> None:
    response = client.post(SUGGEST, data=b"{}", headers=headers)
    assert (response.status_code, response.get_json()["detail"]) == (415, detail)


def test_single_quotes_are_named(client: FlaskClient) -> None:
    response = post(client, SUGGEST, b"{'state': {}}")
    assert response.get_json()["detail"] == (
        "There is a single quote at line 1, column 2; write double quotes around names and strings."
    )


def test_a_query_for_a_language_names_the_header(client: FlaskClient) -> None:
    detail = client.get("/v1/games/snow-time?lang=de").get_json()["detail"]
    assert detail.endswith("The header Accept-Language chooses the language of texts.")


def test_a_long_list_of_cards_is_cut(client: FlaskClient) -> None:
    seats = [{"player": "a"}, {"player": "b"}]
    state = post(client, "/v1/games/snowcrest/new", {"seats": seats, "seed": 1}).get_json()["state"]
    state["row"][0] = "zzz"
    detail = post(client, "/v1/games/snowcrest/legal-moves", {"state": state}).get_json()["detail"]
    assert detail.count("`") <= 2 * 17
    assert detail.endswith(" more.")


@for_each("gift", ["spring", "snowman"])
def test_s14_a_gift_that_is_not_held_is_said_before_its_missing_fields(
    client: FlaskClient, gift: str
) -> None:
    seats = [
        {"player": "anna", "lap": 1, "row": 1, "lane": 3, "gifts": ["rocket"]},
        {"player": "hugo", "lap": 1, "row": 4, "lane": 3},
    ]
    state = {"seats": seats, "turn": "anna", "course": ["cedar", "fir"]}
    body = {"state": state, "so_far": [{"type": "play", "gift": gift}]}
    problem = post(client, "/v1/games/slopecrashers/legal-moves", body).get_json()
    assert problem["detail"] == (f"/so_far/0/gift: rocket cannot be used as {gift}, but as rocket.")


def test_an_example_within_an_object_with_its_own_example_is_that_of_the_object(
    client: FlaskClient,
) -> None:
    body = {"state": STATE, "player": "anna", "opponents": {"model": 1}}
    detail = post(client, SUGGEST, body).get_json()["detail"]
    assert detail.endswith('got the number 1. Example: "uniform".')
