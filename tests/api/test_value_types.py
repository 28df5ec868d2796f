"""Mutations of every value of every body: a wrong value is refused at its path, never coerced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests import randomized
from tests.api.calls import (
    EXAMPLES,
    Path,
    pointer,
    post,
    problem_of,
    put,
    result_of,
    violations_of,
    walk,
    without,
)
from tests.api.snow_time_bodies import LEGAL
from tests.api.snow_time_oracle import as_read, legal

LARGE_BODIES = ("suggest", "review", "review of two rounds")
"""Bodies with several hundred values each; the default suite skips them."""


def parameters(name: str, endpoint: str, body: Any) -> Any:
    """Return a body as test parameters."""
    return pytest.param(
        endpoint, body, id=name, marks=[pytest.mark.slow] if name in LARGE_BODIES else []
    )


EXAMPLE_BODIES = [parameters(endpoint, endpoint, body) for endpoint, body in EXAMPLES.items()]
SMALL_BODIES = [
    parameters(name, endpoint, body)
    for name, (endpoint, body) in LEGAL.items()
    if body != EXAMPLES[endpoint]
]
BODIES = EXAMPLE_BODIES + SMALL_BODIES

KEYED_OBJECTS = ("moves", "revealed", "chosen", "weights")
"""Objects whose member names are seats; below ``weights``, the names are cards."""

MAX_ACCEPTED = {"suggest": 30, "review": 10}
"""Limit of accepted mutants per endpoint: each of them needs a solution."""

HUGE = "@huge@"  # Placeholder for a number beyond the range of a double.
WRONG_VALUES: list[Any] = [
    *(None, True, 5.0, 5.5, 0, -1, 201, HUGE, "", "5", "_schema"),
    *([], [{}], {}, {"card": "1"}),
]
MORE_WRONG_VALUES: list[Any] = [
    *(False, 1, 16, 2**63, 1e-300, "healer", "red", "anna", "\u96ea", "x" * 33, "a\n", "\x00"),
    *([[]], ["healer"], ["1", "1"], {"_schema": ["x"]}, {"card": "healer", "recover": []}),
]


def send(client: FlaskClient, endpoint: str, body: Any) -> Any:
    text = json.dumps(body).replace(f'"{HUGE}"', "1e400").encode()
    return post(client, endpoint, text)


def is_keyed_object(path: Path) -> bool:
    return bool(path) and (path[-1] in KEYED_OBJECTS or path[-2:-1] == ("weights",))


def integers(body: Any) -> Iterator[Path]:
    """Yield the paths of integer fields; a weight can be any number."""
    for path, value in walk(body):
        if type(value) is int and "weights" not in path:
            yield path


# One violation --------------------------------------------------------------------------------

UNKNOWN_NAMES = ["colour", "_schema", "", "a/b~c", "~1", "Seats", "__proto__", "state ", "0"]


def some(values: list[Any], number: int) -> list[Any]:
    """Return the values for the n-th place: three in turn, or all in longer profiles."""
    count = min(randomized.case_count(3, 1000), len(values))
    return [values[(number * count + offset) % len(values)] for offset in range(count)]


@pytest.mark.parametrize(("endpoint", "body"), BODIES)
def test_an_unknown_field_is_refused_in_every_object(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    objects = [
        path for path, value in walk(body) if isinstance(value, dict) and not is_keyed_object(path)
    ]
    for number, path in enumerate(objects):
        for name in some(UNKNOWN_NAMES, number):
            wrong = put(body, (*path, name), {"x": [1]})
            document = problem_of(post(client, endpoint, wrong), 422, "invalid-body", wrong)
            assert violations_of(document) == {(pointer((*path, name)), "unknown-field")}


@pytest.mark.parametrize(("endpoint", "body"), BODIES)
def test_an_unknown_name_is_refused_in_every_keyed_object(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    for path, value in walk(body):
        if not isinstance(value, dict) or not is_keyed_object(path) or not value:
            continue
        named_by_seat = path[-1] in KEYED_OBJECTS
        inner = next(iter(value.values()))
        for name in ("nobody", "_schema", "", "a/b~c", "x" * 33, "a\n"):
            wrong = put(body, (*path, name), inner)
            document = problem_of(post(client, endpoint, wrong), 422, "invalid-body", wrong)
            codes = {code for at, code in violations_of(document) if at == pointer((*path, name))}
            assert {at for at, _ in violations_of(document)} == {pointer((*path, name))}
            assert codes <= ({"unknown-seat", "bad-name"} if named_by_seat else {"unknown-word"})
            assert codes


@pytest.mark.parametrize(("endpoint", "body"), SMALL_BODIES)
def test_a_body_without_one_value_is_accepted_exactly_if_it_is_legal(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    for path, _ in walk(body):
        if path:
            wrong = without(body, path)
            response = post(client, endpoint, wrong)
            assert (response.status_code == 200) == legal(endpoint, wrong), path
            if response.status_code != 200:
                problem_of(response, 422, body=wrong)


# Integers -------------------------------------------------------------------------------------


NOT_INTEGERS = [
    *((text, "not-an-integer") for text in ('"5"', '""', "true", "false", "5.5", "1e-3")),
    *((text, "not-an-integer") for text in ("[]", "[5]", "{}")),
    *((text, "out-of-range") for text in ("-1", "1e400", "-1e400", "9007199254740992")),
    *(("1" + "0" * 5000, "out-of-range"), ("null", "null")),
]
"""Values as JSON text, each with the code of its violation."""


@pytest.mark.parametrize(("endpoint", "body"), BODIES)
def test_every_integer_field_refuses_other_values(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    for number, path in enumerate(integers(body)):
        wrong = put(body, path, "@")
        for value, code in some(NOT_INTEGERS, number):
            text = json.dumps(wrong).replace('"@"', value).encode()
            document = problem_of(post(client, endpoint, text), 422, "invalid-body", wrong)
            assert (pointer(path), code) in violations_of(document), value[:8]


# Any value anywhere ---------------------------------------------------------------------------


def wrong_values(path: Path, index: int) -> list[Any]:
    """Return the wrong values to try at a path; for a card of a hand, only every third one."""
    in_hand = path[-2:-1] == ("hand",)
    return WRONG_VALUES[index % 3 :: 3] if in_hand else WRONG_VALUES


@pytest.mark.parametrize(("endpoint", "body"), BODIES)
def test_a_mutated_body_is_accepted_exactly_if_it_is_legal(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    accepted = refused = 0
    every = {"dev": 4, "ci": 2}.get(randomized.profile(), 1)
    step = every if len(json.dumps(body)) > 200 else 1
    for index, (path, _) in list(enumerate(walk(body)))[::step]:
        for value in wrong_values(path, index) + MORE_WRONG_VALUES[index % 6 :: 6]:
            mutant = put(body, path, value)
            read = put(body, path, float("inf") if value == HUGE else as_read(path, value))
            is_legal = legal(endpoint, read)
            if is_legal and accepted == MAX_ACCEPTED.get(endpoint):
                continue
            response = send(client, endpoint, mutant)
            assert (response.status_code == 200) == is_legal, (path, value, response.data)
            accepted += is_legal
            refused += not is_legal
            if not is_legal:
                problem_of(response, 422, body=read)
    assert refused > accepted > 0


# Several violations ---------------------------------------------------------------------------


def with_wrong_types(body: Any) -> tuple[Any, set[str]]:
    """Replace every second leaf by an object or array; also return the pointers of these leaves."""
    places = [path for path, value in walk(body) if not isinstance(value, (dict, list))][::2]
    for path in places:
        body = put(body, path, {"?": 1} if isinstance(path[-1], str) else [[]])
    return body, {pointer(path) for path in places}


@pytest.mark.parametrize(("endpoint", "body"), BODIES)
def test_every_value_of_a_wrong_type_is_reported_at_once(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    wrong, places = with_wrong_types(body)
    wrong = put(put(wrong, ("x/y",), 1), ("_schema",), None)

    document = problem_of(post(client, endpoint, wrong), 422, "invalid-body", wrong)

    reported = {at for at, _ in violations_of(document)}
    unknown = {"/x~1y", "/_schema"}
    assert places | unknown <= reported
    prefixes = tuple(place + "/" for place in places)
    assert {at for at in reported - places if not at.startswith(prefixes)} == unknown


@pytest.mark.parametrize(("endpoint", "body"), BODIES)
def test_the_order_of_members_does_not_matter(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    def reordered(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: reordered(value[name]) for name in reversed(value)}
        return [reordered(item) for item in value] if isinstance(value, list) else value

    assert result_of(post(client, endpoint, reordered(body))) == result_of(
        post(client, endpoint, body)
    )
