"""Snow Time over HTTP: the order of lists, and what may be left out."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from tests.api.calls import BASE, post, put, result_of
from tests.api.snow_time_bodies import COMPLETE, PAIRS, STATE

# Single requests ------------------------------------------------------------------------------


@pytest.mark.parametrize("recovered", [["1", "5"], ["5", "1"]])
def test_r4_recovered_champions_are_listed_in_deck_order(
    client: FlaskClient, recovered: list[str]
) -> None:
    moves = put(COMPLETE, ("red", "then", "recover"), recovered)

    result = result_of(post(client, "resolve", {"state": STATE, "moves": moves}))

    (recover,) = [event for event in result["events"] if event["type"] == "recover"]
    assert recover["cards"] == {"red": ["1", "5"], "blue": list("1234567")}
    assert result["state"]["seats"][0]["hand"] == ["1", "2", "3", "5", "healer"]
    assert result["state"]["seats"][1]["hand"] == [*"1234567", "healer", "blizzard"]


def test_r4_a_full_recovery_need_not_be_given(client: FlaskClient) -> None:
    explicit = put(COMPLETE, ("blue", "recover"), list("7654321"))

    bodies = [
        post(client, "resolve", {"state": STATE, "moves": moves}).data
        for moves in (explicit, COMPLETE)
    ]

    assert json.loads(bodies[0])["state"]["seats"][1]["hand"][:7] == list("1234567")
    assert bodies[0] == bodies[1]


def test_a_hand_in_any_order_is_returned_in_deck_order(client: FlaskClient) -> None:
    state = put(STATE, ("seats", 0, "hand"), ["watcher", "healer", "3", "2"])

    bodies = [post(client, "legal-moves", {"state": position}).data for position in (STATE, state)]

    assert json.loads(bodies[0])["moves"]["red"][0] == {"card": "2"}
    assert bodies[0] == bodies[1]


def test_an_empty_reveal_equals_an_absent_one(client: FlaskClient) -> None:
    absent = post(client, "legal-moves", {"state": STATE})
    empty = post(client, "legal-moves", {"state": STATE, "revealed": {}})

    assert result_of(absent)["decision"] == "card"
    assert absent.data == empty.data


def test_legal_moves_of_players_with_two_seats_are_listed_by_seat(client: FlaskClient) -> None:
    result = result_of(post(client, "legal-moves", {"state": PAIRS}))

    assert result["moves"]["a1"] == [{"card": "2"}, {"card": "healer"}]
    assert list(result["moves"]) == ["a1", "b1", "a2", "b2"]


def test_the_game_lists_its_opponent_models_and_quantal_precisions(client: FlaskClient) -> None:
    about = result_of(client.get(BASE))

    models = ["equilibrium", "quantal", "level-1", "uniform", "learned"]
    assert about["suggest"]["models"] == models
    assert set(about["quantal_precision"]) == set(about["suggest"]["objectives"])
    assert all(precision > 0 for precision in about["quantal_precision"].values())
