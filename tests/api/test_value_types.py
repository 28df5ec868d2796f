"""Every place of every body, made wrong in every way: refused at that place, never coerced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests import randomized
from tests.api.calls import (
    EXAMPLES,
    Path,
    answer_of,
    cut,
    faults_of,
    nodes,
    pointer,
    post,
    problem_of,
    put,
)
from tests.api.snow_time_bodies import LEGAL
from tests.api.snow_time_judge import legal

LARGE_BODIES = ("suggest", "review", "review of two rounds")
"""They have several hundred places each, so the default suite leaves them out."""


def parameters(name: str, verb: str, body: Any) -> Any:
    """A body as the parameters of a test."""
    return pytest.param(
        verb, body, id=name, marks=[pytest.mark.slow] if name in LARGE_BODIES else []
    )


EXAMPLE_BODIES = [parameters(verb, verb, body) for verb, body in EXAMPLES.items()]
SMALL_BODIES = [
    parameters(name, verb, body) for name, (verb, body) in LEGAL.items() if body != EXAMPLES[verb]
]
BODIES = EXAMPLE_BODIES + SMALL_BODIES

TABLES = ("moves", "revealed", "chosen", "weights")
"""Objects whose member names are seats, and below the weights cards."""

MOST_ANSWERED = {"suggest": 30, "review": 10}
"""Solves take time; what is refused takes none."""

HUGE = "@huge@"  # Becomes a number that no double can hold.
WRONG_VALUES: list[Any] = [
    None,
    True,
    5.0,
    5.5,
    0,
    -1,
    201,
    HUGE,
    "",
    "5",
    "_schema",
    [],
    [{}],
    {},
    {"card": "1"},
]
STRANGER_VALUES: list[Any] = [
    False,
    1,
    16,
    2**63,
    1e-300,
    "healer",
    "red",
    "anna",
    "\u96ea",
    "x" * 33,
    "a\n",
    "\x00",
    [[]],
    ["healer"],
    ["1", "1"],
    {"_schema": ["x"]},
    {"card": "healer", "recover": []},
]


def send(client: FlaskClient, verb: str, body: Any) -> Any:
    text = json.dumps(body).replace(f'"{HUGE}"', "1e400").encode()
    return post(client, verb, text)


def is_table(path: Path) -> bool:
    return bool(path) and (path[-1] in TABLES or path[-2:-1] == ("weights",))


def integers(body: Any) -> Iterator[Path]:
    """Places of integers; a weight is a number of any kind."""
    for path, value in nodes(body):
        if type(value) is int and "weights" not in path:
            yield path


# The bodies themselves ------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_the_bodies_that_are_mutated_here_are_legal(
    client: FlaskClient, verb: str, body: Any
) -> None:
    assert legal(verb, body)
    assert answer_of(post(client, verb, body))


# One thing wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_an_unknown_field_is_refused_in_every_object(
    client: FlaskClient, verb: str, body: Any
) -> None:
    for path, value in nodes(body):
        if not isinstance(value, dict) or is_table(path):
            continue
        for name in ("colour", "_schema", "", "a/b~c", "~1", "Seats", "__proto__", "state ", "0"):
            wrong = put(body, (*path, name), {"x": [1]})
            document = problem_of(post(client, verb, wrong), 422, "invalid-body", wrong)
            assert faults_of(document) == {(pointer((*path, name)), "unknown-field")}


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_an_unknown_name_is_refused_in_every_table(
    client: FlaskClient, verb: str, body: Any
) -> None:
    for path, value in nodes(body):
        if not isinstance(value, dict) or not is_table(path) or not value:
            continue
        of_seats = path[-1] in TABLES
        inner = next(iter(value.values()))
        for name in ("nobody", "_schema", "", "a/b~c", "x" * 33, "a\n"):
            wrong = put(body, (*path, name), inner)
            document = problem_of(post(client, verb, wrong), 422, "invalid-body", wrong)
            codes = {code for at, code in faults_of(document) if at == pointer((*path, name))}
            assert {at for at, _ in faults_of(document)} == {pointer((*path, name))}
            assert codes <= ({"unknown-seat", "bad-name"} if of_seats else {"unknown-word"})
            assert codes


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_null_is_refused_everywhere(client: FlaskClient, verb: str, body: Any) -> None:
    for path, _ in nodes(body):
        wrong = put(body, path, None)
        document = problem_of(post(client, verb, wrong), 422, body=wrong)
        assert (pointer(path), "null" if path else "not-an-object") in faults_of(document)


REQUIRED = {
    "": {
        "new": {"seats"},
        "grow": {"state"},
        "legal-moves": {"state"},
        "resolve": {"state", "moves"},
        "suggest": {"state", "player"},
        "review": {"state", "rounds"},
    },
    "state": {"seats", "fruit"},
    "track": {"length", "bonuses"},
    "seat of new": {"seat"},
    "seat": {"seat", "score", "hand"},
    "bonus": {"space", "kind", "advance"},
    "move": {"card"},
    "round": {"dice", "moves"},
}


def required_members(verb: str, path: Path) -> set[str]:
    """What an object has to have, by where it stands."""
    if not path:
        return set(REQUIRED[""][verb])
    if path[-1] in ("state", "track"):
        return set(REQUIRED[str(path[-1])])
    if path[-2:-1] == ("seats",):
        return set(REQUIRED["seat of new" if verb == "new" else "seat"])
    if path[-2:-1] == ("rounds",):
        return set(REQUIRED["round"])
    if path[-2:-1] == ("bonuses",):
        return set(REQUIRED["bonus"])
    if path[-1] == "then" or path[-2:-1] in (("moves",), ("revealed",), ("chosen",)):
        return set(REQUIRED["move"])
    return set()


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_every_required_member_is_missed_at_its_place(
    client: FlaskClient, verb: str, body: Any
) -> None:
    for path, value in nodes(body):
        for name in required_members(verb, path) if isinstance(value, dict) else ():
            wrong = cut(body, (*path, name))
            document = problem_of(post(client, verb, wrong), 422, "invalid-body", wrong)
            assert (pointer((*path, name)), "missing") in faults_of(document)


@pytest.mark.parametrize(("verb", "body"), SMALL_BODIES)
def test_anything_else_may_be_left_out_where_the_rest_stays_legal(
    client: FlaskClient, verb: str, body: Any
) -> None:
    for path, _ in nodes(body):
        if path:
            wrong = cut(body, path)
            response = post(client, verb, wrong)
            if legal(verb, wrong):
                assert answer_of(response)
            else:
                problem_of(response, 422, body=wrong)


# Integers -------------------------------------------------------------------------------------


NOT_INTEGERS = [
    ('"5"', "not-an-integer"),
    ('""', "not-an-integer"),
    ("true", "not-an-integer"),
    ("false", "not-an-integer"),
    ("5.5", "not-an-integer"),
    ("1e-3", "not-an-integer"),
    ("[]", "not-an-integer"),
    ("[5]", "not-an-integer"),
    ("{}", "not-an-integer"),
    ("null", "null"),
    ("-1", "out-of-range"),
    ("1e400", "out-of-range"),
    ("-1e400", "out-of-range"),
    ("9007199254740992", "out-of-range"),
    ("1" + "0" * 5000, "out-of-range"),
]
"""Values as JSON text, each with the code of its fault."""


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_every_integer_field_refuses_whatever_is_none_of_its_integers(
    client: FlaskClient, verb: str, body: Any
) -> None:
    for path, (value, code) in product(integers(body), NOT_INTEGERS):
        wrong = put(body, path, "@")
        text = json.dumps(wrong).replace('"@"', value).encode()
        document = problem_of(post(client, verb, text), 422, "invalid-body", wrong)
        assert (pointer(path), code) in faults_of(document), value[:8]


@pytest.mark.parametrize(("verb", "body"), SMALL_BODIES)
def test_every_integer_field_takes_a_number_without_a_fraction(
    client: FlaskClient, verb: str, body: Any
) -> None:
    plain = post(client, verb, body)
    for path in integers(body):
        at = body
        for step in path:
            at = at[step]
        for spelled in (f"{at}.0", f"{at}e0", f"{10 * at}E-1"):
            text = json.dumps(put(body, path, "@")).replace('"@"', spelled).encode()
            told = post(client, verb, text)
            assert told.status_code == 200
            assert told.data == plain.data


# Any value anywhere ---------------------------------------------------------------------------


def wrong_values(path: Path, index: int) -> list[Any]:
    """Every value in turn; cards of a hand, being many and alike, share them out."""
    among_many = path[-2:-1] == ("hand",)
    return WRONG_VALUES[index % 3 :: 3] if among_many else WRONG_VALUES


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_whatever_stands_anywhere_is_answered_only_if_legal(
    client: FlaskClient, verb: str, body: Any
) -> None:
    answered = refused = 0
    step = 4 if randomized.profile() == "dev" and len(json.dumps(body)) > 200 else 1
    for index, (path, _) in list(enumerate(nodes(body)))[::step]:
        for value in wrong_values(path, index) + STRANGER_VALUES[index % 6 :: 6]:
            mutant = put(body, path, value)
            judged = legal(verb, put(body, path, float("inf")) if value == HUGE else mutant)
            if judged and answered == MOST_ANSWERED.get(verb):
                continue
            response = send(client, verb, mutant)
            assert (response.status_code == 200) == judged, (path, value, response.data)
            if judged:
                answered += 1
                assert answer_of(response)
            else:
                refused += 1
                problem_of(response, 422, body=mutant)
    assert refused > answered > 0


# Several things wrong -------------------------------------------------------------------------


def misshapen(body: Any) -> tuple[Any, set[str]]:
    """The body with every second leaf replaced by a value of a type that no leaf has."""
    places = [path for path, value in nodes(body) if not isinstance(value, (dict, list))][::2]
    for path in places:
        body = put(body, path, {"?": 1} if isinstance(path[-1], str) else [[]])
    return body, {pointer(path) for path in places}


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_every_misshapen_value_is_told_in_one_answer(
    client: FlaskClient, verb: str, body: Any
) -> None:
    wrong, places = misshapen(body)
    wrong = put(put(wrong, ("x/y",), 1), ("_schema",), None)

    document = problem_of(post(client, verb, wrong), 422, "invalid-body", wrong)

    told = {at for at, _ in faults_of(document)}
    assert places | {"/x~1y", "/_schema"} <= told
    assert all(any(at == place or at.startswith(place + "/") for place in places)
               or at in ("/x~1y", "/_schema") for at in told)  # fmt: skip


@pytest.mark.parametrize(("verb", "body"), BODIES)
def test_the_order_of_members_is_of_no_account(client: FlaskClient, verb: str, body: Any) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: turned(value[name]) for name in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert answer_of(post(client, verb, turned(body))) == answer_of(post(client, verb, body))
