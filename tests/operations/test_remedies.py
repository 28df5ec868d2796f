"""What a violation says about how to correct the request: following it removes the violation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.games.registry import GAMES
from service.games.snow_time.rules.state import SEATING
from tests.rich_requests import RICH

TURN_GAMES = ("slopecrashers", "snowcrest")
MAX_ADDED = 30
SEATS = [
    {"seat": "red", "score": 3, "hand": ["1", "healer", "watcher"]},
    {"seat": "blue", "score": 3, "hand": ["4", "healer"]},
    {"seat": "green", "score": 3, "hand": ["6", "healer"]},
]
STATE = {"seats": SEATS, "fruit": [0, 0, 0, 0, 0, 1]}


def errors_of(client: FlaskClient, game: str, endpoint: str, body: Any) -> list[dict[str, str]]:
    response = client.post(f"/v1/games/{game}/{endpoint}", json=body)
    return [] if response.status_code == 200 else response.get_json()["errors"]


def example_in(detail: str) -> Any:
    """Return the JSON value that follows "for example"."""
    value, _ = json.JSONDecoder().raw_decode(detail.split("for example ")[1])
    return value


@pytest.mark.parametrize("game", TURN_GAMES)
def test_adding_the_examples_of_an_incomplete_turn_completes_it(
    client: FlaskClient, game: str
) -> None:
    state = RICH[game]["resolve"]["state"]
    moves: list[Any] = []
    codes = set()

    for _ in range(MAX_ADDED):
        errors = errors_of(client, game, "resolve", {"state": state, "moves": moves})
        if not errors:
            break
        [error] = errors
        assert error["path"] == f"/moves/{len(moves)}"
        codes.add(error["code"])
        moves.append(example_in(error["detail"]))

    assert errors == []
    assert "open-decision" in codes


def without_draws(game: str) -> tuple[Any, list[Any]]:
    """Return the state of the example of a turn, and its moves but for the draws."""
    example = RICH[game]["resolve"]
    return example["state"], [move for move in example["moves"] if move["type"] != "draw"]


@pytest.mark.parametrize("game", TURN_GAMES)
def test_a_missing_draw_shows_a_possible_draw_and_the_seed(client: FlaskClient, game: str) -> None:
    state, moves = without_draws(game)
    [error] = errors_of(client, game, "resolve", {"state": state, "moves": moves})
    assert error["code"] == "open-draw"
    assert "`seed`" in error["detail"]
    added, index = example_in(error["detail"]), int(error["path"].removeprefix("/moves/"))
    assert added["type"] == "draw"
    body = {"state": state, "so_far": [*moves[:index], added]}
    assert errors_of(client, game, "legal-moves", body) == []


@pytest.mark.parametrize("game", TURN_GAMES)
def test_a_review_does_not_offer_a_seed(client: FlaskClient, game: str) -> None:
    state, moves = without_draws(game)
    [error] = errors_of(client, game, "review", {"state": state, "turns": [moves]})
    assert error["code"] == "open-draw"
    assert "seed" not in error["detail"]
    assert example_in(error["detail"])["type"] == "draw"


def test_the_examples_of_missing_moves_complete_a_round(client: FlaskClient) -> None:
    moves: dict[str, Any] = {"red": {"card": "watcher"}, "blue": {"card": "healer"}}
    additions = {
        error["path"]: example_in(error["detail"])
        for error in errors_of(client, "snow-time", "resolve", {"state": STATE, "moves": moves})
    }

    assert set(additions) == {"/moves/red/then", "/moves/blue/recover", "/moves/green"}
    moves["red"] |= {"then": additions["/moves/red/then"]}
    moves["blue"] |= {"recover": additions["/moves/blue/recover"]}
    moves["green"] = additions["/moves/green"] | {"recover": []}
    assert errors_of(client, "snow-time", "resolve", {"state": STATE, "moves": moves}) == []


def seats_of(players: str, field: str = "player") -> list[dict[str, str]]:
    return [{field: player} for player in players]


THREE_OF_TWO = [*seats_of("ab", "seat"), {"seat": "c", "player": "a"}]


@pytest.mark.parametrize(
    ("game", "body", "expected"),
    [
        ("snow-time", {"seats": seats_of("ab", "seat")}, f"Expected {SEATING}."),
        ("snow-time", {"seats": THREE_OF_TWO}, f"Expected {SEATING}; got 3 seats of 2 players."),
        (
            "slopecrashers",
            {"seats": seats_of("a"), "seed": 1},
            "Expected 2 to 6 players with one seat each.",
        ),
        (
            "snowcrest",
            {"seats": seats_of("abcde"), "seed": 1},
            "Expected 1 to 4 players with one seat each.",
        ),
    ],
)
def test_a_wrong_number_of_players_states_the_possible_numbers(
    client: FlaskClient, game: str, body: Any, expected: str
) -> None:
    errors = errors_of(client, game, "new", body)
    assert expected in [error["detail"] for error in errors if error["path"] == "/seats"]


@pytest.mark.parametrize("game", GAMES)
def test_a_misspelled_player_gets_a_suggestion(client: FlaskClient, game: str) -> None:
    body = RICH[game]["suggest"]
    first = body["state"]["seats"][0]
    player = first.get("player", first.get("seat"))
    errors = errors_of(client, game, "suggest", body | {"player": player.upper()})

    assert ("/player", f"No player `{player.upper()}`. Did you mean `{player}`?") in [
        (error["path"], error["detail"]) for error in errors
    ]


def test_an_unknown_seat_lists_the_seats(client: FlaskClient) -> None:
    body = {"state": STATE, "moves": {"zoe": {"card": "1"}}}
    details = [error["detail"] for error in errors_of(client, "snow-time", "resolve", body)]
    assert "No seat `zoe`. Expected one of `red`, `blue`, `green`." in details


def test_an_unknown_card_of_snowcrest_gets_a_suggestion(client: FlaskClient) -> None:
    example = RICH["snowcrest"]["resolve"]
    moves = json.loads(json.dumps(example["moves"]).replace("snow-leopard", "SnowLeopard"))
    errors = errors_of(client, "snowcrest", "resolve", example | {"moves": moves})
    details = [error["detail"] for error in errors]
    assert "No card `SnowLeopard`. Did you mean `snow-leopard`?" in details
