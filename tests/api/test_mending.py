"""Errors that mend: the first violation is the detail, and it says what came and what to send."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.calls import post

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
    body: Any = {"state": copy.deepcopy(STATE), "player": "anna"}
    *way, last = path.split("/")
    node = body
    for step in way:
        node = node[int(step)] if isinstance(node, list) else node[step]
    node[int(last) if isinstance(node, list) else last] = value
    return body


NOTHING = f"/state: The field `state` is required. Example: {EXAMPLE_STATE}; and 1 more."

CASES = {
    "an object as a text": (
        changed("state", json.dumps(STATE)),
        "/state: Expected a JSON object; got a string with JSON: send its value itself, without "
        f"quotation marks. Example: {EXAMPLE_STATE}.",
    ),
    "a text as an object": (
        changed("player", {"name": "anna"}),
        '/player: Expected a string in quotation marks; got an object. Example: "anna".',
    ),
    "a card as a number": (
        changed("state/seats/0/hand/0", 2),
        "/state/seats/0/hand/0: Expected a string in quotation marks; got the number 2. "
        'Example: "1".',
    ),
    "a number as a text": (
        changed("state/seats/0/score", "25"),
        "/state/seats/0/score: Expected an integer without quotation marks; got a string.",
    ),
    "fruit by level": (
        changed("state/fruit", {"3": 1}),
        "/state/fruit: Expected a JSON array; got an object. Example: [1, 1, 1, 1, 1, 1].",
    ),
    "a model as a text": (
        changed("opponents", "uniform"),
        '/opponents: Expected a JSON object; got a string. Example: {"model": "uniform"}.',
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
    "a card as a move": (
        changed("chosen", {"red": "4"}),
        '/chosen/red: Expected a JSON object; got a string. Example: {"card": "4"}.',
    ),
    "a name as a seat": (
        changed("state/seats", ["red", *STATE["seats"][1:]]),
        "/state/seats/0: Expected a JSON object; got a string. "
        'Example: {"seat": "red", "score": 1, "hand": ["4", "healer"]}.',
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
    "two faults": (
        {"state": STATE},
        '/player: The field `player` is required. Example: "anna".',
    ),
    "nothing": ({}, NOTHING),
}


@pytest.mark.parametrize("case", CASES)
def test_the_detail_of_a_422_is_its_first_violation(client: FlaskClient, case: str) -> None:
    body, expected = CASES[case]
    response = post(client, SUGGEST, body)
    assert (response.status_code, response.get_json()["detail"]) == (422, expected)


def test_the_detail_is_the_first_violation_in_a_batch_too(client: FlaskClient) -> None:
    request = {"id": "a", "path": SUGGEST, "body": {}}
    [answer] = post(client, "/v1/batch", {"requests": [request]}).get_json()["results"]
    assert answer["body"]["detail"] == NOTHING


def test_a_wrong_path_in_a_batch_names_the_route_that_was_meant(client: FlaskClient) -> None:
    request = {"id": "a", "path": "/v1/games/snow-time/legal_moves", "body": {}}
    [answer] = post(client, "/v1/batch", {"requests": [request]}).get_json()["results"]
    assert answer["status"] == 404
    assert answer["body"]["detail"].endswith("Did you mean /v1/games/snow-time/legal-moves?")


@pytest.mark.parametrize(
    ("request_item", "detail"),
    [
        ({"path": "/v1/games", "body": {}}, "supports GET, not POST: set `method`."),
        ({"path": SUGGEST, "method": "GET"}, "supports POST, not GET: set `method`."),
    ],
)
def test_a_wrong_method_in_a_batch_is_named(
    client: FlaskClient, request_item: dict[str, Any], detail: str
) -> None:
    body = {"requests": [{"id": "a", **request_item}]}
    [answer] = post(client, "/v1/batch", body).get_json()["results"]
    assert answer["status"] == 405
    assert answer["body"]["detail"] == f"This route {detail}"


@pytest.mark.parametrize(
    ("path", "meant"),
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
    assert (
        post(client, path, {})
        .get_json()["detail"]
        .endswith(f" Did you mean /v1/games/{game}/{meant}?")
    )


@pytest.mark.parametrize(
    ("headers", "detail"),
    [
        (
            {"Content-Type": "text/plain"},
            "Expected Content-Type: application/json; got text/plain.",
        ),
        (
            {"Content-Type": "application/x-www-form-urlencoded"},
            "Expected Content-Type: application/json; got application/x-www-form-urlencoded.",
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


@pytest.mark.parametrize("gift", ["spring", "snowman"])
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
