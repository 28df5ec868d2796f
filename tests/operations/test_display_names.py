"""Display names change sentences and the echoed state; every number stays the same."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from service.core.languages import LANGUAGES
from service.core.violations import Rejected
from service.games.registry import GAMES
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import UNCACHED, Solutions
from tests.operations.bodies import suggest_body
from tests.operations.caches import cached_solutions
from tests.rich_requests import RICH

Body = dict[str, Any]

ENDPOINTS = {
    (name, endpoint.name): endpoint
    for name, definition in GAMES.items()
    for endpoint in definition.endpoints
}
NAMES = ("Zoë", "王小明", "O’Brien, Jean-Luc", "Nguyễn Thị Ánh", "Ольга")
OTHER_NAMES = tuple(reversed(NAMES))
SHARED = cached_solutions()
"""Solves each question of these tests once."""
every_game = pytest.mark.parametrize("game", GAMES)
every_endpoint = pytest.mark.parametrize(("game", "endpoint"), ENDPOINTS)


NAMING = {
    "snow-time": suggest_body("3457h", "2346h", "16h", fruit=[0, 2, 0, 2, 2, 2], opponents={}),
    "slopecrashers": {
        "state": {
            "seats": [
                {"player": "anna", "lap": 1, "row": 0, "lane": 2},
                {"player": "hugo", "lap": 1, "row": 2, "lane": 0, "misses_turn": True},
                {"player": "nina"},
                {"player": "vincent"},
            ],
            "turn": "nina",
            "discards": ["carrier-pigeon"],
            "course": ["birch", "fir", "cedar", "alder", "larch", "pine"],
        },
        "player": "nina",
    },
}
"""Hints whose reasons name a player."""


def example(game: str, endpoint: str) -> Body:
    body: Body = json.loads(json.dumps(RICH[game][endpoint]))
    if (game, endpoint) == ("snow-time", "suggest"):
        body["include"] = ["facts"]
    return body


def seats_of(body: Body) -> list[Body]:
    seats: list[Body] = body.get("state", body)["seats"]
    return seats


def named(body: Body, names: tuple[str, ...] = NAMES) -> Body:
    """Return a body with a display name for every seat."""
    body = deepcopy(body)
    for seat, name in zip(seats_of(body), names, strict=False):
        seat["name"] = name
    return body


def respond(
    game: str,
    endpoint: str,
    body: Body,
    language: str = "en",
    solutions: Solutions = UNCACHED,
) -> OperationResponse:
    context = RequestContext(solutions=solutions, language=language)
    return execute(GAMES[game], ENDPOINTS[game, endpoint], deepcopy(body), context)


def without(key: str, value: Any) -> Any:
    """Return a JSON value without all members of a name."""
    if isinstance(value, dict):
        return {name: without(key, inner) for name, inner in value.items() if name != key}
    if isinstance(value, list | tuple):
        return [without(key, inner) for inner in value]
    return value


def texts(response: OperationResponse) -> str:
    return " ".join(
        reason["text"]
        for row in response.document["moves"]
        for reason in (*row["reasons"], *row.get("facts", ()))
    )


@pytest.mark.parametrize(
    ("game", "endpoint"), [key for key in ENDPOINTS if key[1] in ("new", "grow", "resolve")]
)
def test_a_returned_state_has_the_names_of_the_request(game: str, endpoint: str):
    body = named(example(game, endpoint))
    plain = respond(game, endpoint, example(game, endpoint)).document
    response = respond(game, endpoint, body).document
    seats = response["state"]["seats"]
    assert [seat["name"] for seat in seats] == [seat["name"] for seat in seats_of(body)]
    response["state"]["seats"] = [without("name", seat) for seat in seats]
    assert response == plain


@every_game
def test_a_seat_without_a_name_gets_none(game: str):
    body = example(game, "new")
    seats_of(body)[1]["name"] = "Zoë"
    names = [seat.get("name") for seat in respond(game, "new", body).document["state"]["seats"]]
    assert names == [None, "Zoë", *[None] * (len(names) - 2)]


@every_game
def test_a_returned_state_is_legal_in_the_next_request(game: str):
    state = respond(game, "new", named(example(game, "new"))).document["state"]
    assert respond(game, "legal-moves", {"state": state}).document["moves"]


def test_two_seats_of_one_player_keep_the_names_as_given():
    seats = [
        {"seat": "red", "player": "zoe", "name": "Zoë"},
        {"seat": "blue", "player": "bo"},
        {"seat": "green", "player": "zoe"},
        {"seat": "white", "player": "bo", "name": "Bo"},
    ]
    state = respond("snow-time", "new", {"seats": seats}).document["state"]
    assert [seat.get("name") for seat in state["seats"]] == ["Zoë", None, None, "Bo"]
    seats[2]["name"], seats[3]["player"] = "Zoe", "a b"
    with pytest.raises(Rejected) as rejected:
        respond("snow-time", "new", {"seats": seats})
    assert {(each.path, each.code) for each in rejected.value.violations} == {
        ("/seats/2/name", "conflicting-display-names"),
        ("/seats/3/player", "bad-name"),
    }


@every_endpoint
def test_an_illegal_name_is_refused_at_its_path_by_every_endpoint(game: str, endpoint: str):
    body = example(game, endpoint)
    seats_of(body)[1]["name"] = "A\u202enna"
    with pytest.raises(Rejected) as rejected:
        respond(game, endpoint, body)
    [violation] = rejected.value.violations
    prefix = "/state" if "state" in body else ""
    assert (violation.path, violation.code) == (f"{prefix}/seats/1/name", "bad-display-name")
    assert "1 to 40 letters, marks, digits, spaces and punctuation" in violation.detail


@every_game
def test_names_share_one_solution_and_change_sentences_only(game: str):
    solutions = cached_solutions()
    body = example(game, "suggest")
    layers, documents = [], []
    for each in (body, named(body), named(body, OTHER_NAMES)):
        response = respond(game, "suggest", each, solutions=solutions)
        layers.append(response.layer)
        documents.append(without("name", without("text", response.document)))
    assert layers == ["computed", "memory", "memory"]
    assert documents[0] == documents[1] == documents[2]


@pytest.mark.parametrize("game", ["snow-time", "slopecrashers"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_call_players_by_their_names_in_every_language(game: str, language: str):
    body = NAMING[game]
    ids = [seat["seat" if "seat" in seat else "player"] for seat in seats_of(body)]
    by_id = texts(respond(game, "suggest", body, language, SHARED))
    by_name = texts(respond(game, "suggest", named(body), language, SHARED))
    mentioned = [place for place, seat_id in enumerate(ids) if seat_id in by_id]
    assert mentioned
    for place in mentioned:
        by_id = by_id.replace(ids[place], NAMES[place])
    if language.startswith("zh"):
        # Ids are Latin, and a space separates them from Chinese characters.
        by_id, by_name = by_id.replace(" ", ""), by_name.replace(" ", "")
    assert by_name == by_id


@every_game
def test_a_review_has_the_same_values_with_names(game: str):
    solutions = cached_solutions()
    body = example(game, "review")
    plain, with_names = (
        respond(game, "review", each, solutions=solutions) for each in (body, named(body))
    )
    assert without("text", with_names.document) == without("text", plain.document)
    assert with_names.layer == "memory"


def test_a_name_with_format_braces_stays_as_it_is():
    body = named(NAMING["snow-time"], ("A", "B", "{seat} {0} %s"))
    text = texts(respond("snow-time", "suggest", body, solutions=SHARED))
    assert "{seat} {0} %s" in text
