"""Cached values that nobody computed: each is a cache miss or a possible answer, never an error.

The signature of a cached value keeps others from writing it, but not a bug, an old version of the
service or somebody with the key.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from itertools import product
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.redis import Write
from service.cache.single_flight import COMPUTED, SingleFlight, WaitList
from service.cache.types import Lease
from service.games.registry import GAMES
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import SolutionCache, Solutions
from tests import randomized
from tests.operations.bodies import suggest_body
from tests.patience import PATIENCE_S
from tests.rich_requests import RICH

Body = dict[str, Any]
Damage = Callable[[bytes], bytes]

HANDS = ("13h", "24h", "5hw")
HISTORY = [
    {
        "state": suggest_body("135h", "246h", "57hw", scores=(3, 1, 2))["state"],
        "moves": {"blue": {"card": "6"}, "green": {"card": "7"}},
    }
]


def hint(model: str, **more: Any) -> tuple[str, str, Body]:
    opponents = {"model": model, **({"history": HISTORY} if model == "learned" else {})}
    body = suggest_body(*HANDS, scores=(5, 3, 4), opponents=opponents, effort="quick", **more)
    return "snow-time", "suggest", body


REQUESTS = {
    "equilibrium": hint("equilibrium", include=["next", "matrix"]),
    "level-1": hint("level-1", objective="points"),
    "uniform": hint("uniform", include=["matrix"]),
    "learned": hint("learned"),
    "review": ("snow-time", "review", RICH["snow-time"]["review"]),
    "slopecrashers": ("slopecrashers", "suggest", RICH["slopecrashers"]["suggest"]),
    "snowcrest": ("snowcrest", "suggest", RICH["snowcrest"]["suggest"]),
}


class Store:
    """Stands for Redis: a dictionary."""

    def __init__(self, values: dict[bytes, bytes]) -> None:
        self.values = dict(values)

    def get(self, key: bytes) -> bytes | None:
        return self.values.get(key)

    def acquire_lease(self, key: bytes) -> bytes | Lease:
        return self.values.get(key) or Lease(key, b"")

    def putting(self, key: bytes, value: bytes, lease: Lease | None = None) -> Write:
        return [(key, value)]

    def releasing(self, lease: Lease) -> Write:
        """No other process wants a lease."""
        return []

    def renewing(self, lease: Lease) -> Write:
        return []

    def write(self, *writes: Write) -> list[bool]:
        for written in writes:
            self.values.update(written)
        return [True] * len(writes)


def ask(name: str, store: Store) -> OperationResponse:
    game, operation, body = REQUESTS[name]
    [endpoint] = [each for each in GAMES[game].endpoints if each.name == operation]
    cached = Cache(Memory(0), cast(Any, store))
    solutions = Solutions(SolutionCache(SingleFlight(cached, WaitList(0))))
    response = execute(GAMES[game], endpoint, deepcopy(body), RequestContext(solutions=solutions))
    assert cached.flush(PATIENCE_S)
    return response


@cache
def intact(name: str) -> tuple[dict[bytes, bytes], OperationResponse]:
    """Return the values that a request stores, and its response."""
    store = Store({})
    response = ask(name, store)
    assert ask(name, store).document == response.document
    return store.values, response


# Damage ---------------------------------------------------------------------------------------

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, -1, 7, 10**30, -(10**30), 2**63, 0.5, 1e308, -1e308])
    | st.sampled_from([float("nan"), float("inf"), float("-inf")])
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
NUMBERS = st.sampled_from([float("nan"), float("inf"), float("-inf"), 1e30, -1.0, 2.0, 0.0])


def parted(value: bytes) -> tuple[Body | None, bytes, bool]:
    """Return the JSON part, the numbers after it, and whether the value starts with a length."""
    if value.startswith(b"{"):
        return json.loads(value), b"", False
    size = int.from_bytes(value[:4], "big")
    if value[4:5] == b"{" and size < len(value):
        return json.loads(value[4 : 4 + size]), value[4 + size :], True
    return None, value, False


def joined(head: Any, numbers: bytes, has_length: bool) -> bytes:
    text = b"" if head is None else json.dumps(head).encode()
    return (len(text).to_bytes(4, "big") if has_length else b"") + text + numbers


def places_in(document: Any) -> list[tuple[Any, Any]]:
    """Return every container in a document with each of its keys."""
    if not isinstance(document, dict | list):
        return []
    keys = list(document) if isinstance(document, dict) else list(range(len(document)))
    inner = [place for key in keys for place in places_in(document[key])]
    return [(document, key) for key in keys] + inner


@st.composite
def damages(draw: st.DrawFn) -> Damage:
    kind = draw(st.sampled_from(["head", "numbers", "shapes", "remove", "raw"]))
    place, junk = draw(st.integers(0, 10**6)), draw(JUNK)
    number, raw = draw(NUMBERS), draw(st.binary(max_size=40))

    def damaged(value: bytes) -> bytes:
        head, numbers, has_length = parted(value)
        places = places_in(head)
        if kind == "raw":
            return raw
        if kind == "shapes" and head is not None and "shapes" in head:
            shapes = head["shapes"]
            shapes.insert(place % (len(shapes) + 1), junk if place % 2 else [0, place])
        elif kind in ("head", "remove") and places:
            container, key = places[place % len(places)]
            if kind == "head":
                container[key] = junk
            else:
                del container[key]
        elif numbers:
            width, code = (8, "<d") if has_length or len(numbers) < 60 else (4, "<f")
            start = place % (len(numbers) // width) * width
            packed = struct.pack(code, number)
            numbers = numbers[:start] + packed + numbers[start + width :]
        return joined(head, numbers, has_length)

    return damaged


@pytest.mark.parametrize("name", list(REQUESTS))
def test_a_damaged_value_never_causes_an_error(name: str) -> None:
    values, _ = intact(name)
    keys = list(values)

    @randomized.examples(6, 2_000)
    @given(damages(), st.integers(0, 10**6))
    def check(damage: Damage, number: int) -> None:
        key = keys[number % len(keys)]
        store = Store(values | {key: damage(values[key])})
        json.dumps(ask(name, store).document, allow_nan=False)

    check()


def with_huge_numbers(value: bytes) -> bytes:
    head, numbers, has_length = parted(value)
    if head is None:
        return b"9" * 5_000
    text = re.sub(r"(?<![\d.e-])\d+(?![\d.e])", "9" * 4_000, json.dumps(head))
    return joined(json.loads(text), numbers, has_length)


NONSENSE: dict[str, Damage] = {
    "nothing": lambda _: b"",
    "text": lambda _: b"<script>alert(1)</script>",
    "zeros": lambda value: bytes(len(value)),
    "ones": lambda value: b"\xff" * len(value),
    "truncated": lambda value: value[:-1],
    "extended": lambda value: value + value[-8:],
    "nested": lambda _: b"[" * 100_000,
    "nested head": lambda _: joined(None, b"\x00\x01\x86\xa0" + b"[" * 100_000, False),
    "huge numbers": lambda value: with_huge_numbers(value),
    "empty object": lambda _: b"{}",
}


@pytest.mark.parametrize(
    "name",
    [
        # Requests that store many values are slow.
        pytest.param(name, marks=pytest.mark.slow if name in ("equilibrium", "review") else ())
        for name in REQUESTS
    ],
)
@pytest.mark.parametrize("kind", list(NONSENSE))
def test_nonsense_is_a_miss_and_is_replaced(name: str, kind: str) -> None:
    values, response = intact(name)
    store = Store({key: NONSENSE[kind](value) for key, value in values.items()})
    again = ask(name, store)
    assert again.document == response.document
    assert again.layer == COMPUTED
    assert store.values == values


def test_every_kind_of_value_is_stored_by_some_request() -> None:
    """Strategies, conditional values, predictions, beliefs, gains and turns."""
    heads = [parted(value)[0] for name in REQUESTS for value in intact(name)[0].values()]
    fields = {key for head in heads if head is not None for key in head}
    assert {"strategies", "places", "evidence", "worlds"} <= fields
    assert any(head is None for head in heads)
    sizes = {len(value) for value in intact("review")[0].values()}
    assert 3 * 8 in sizes, "the gains of three players"


# What a check of types alone would accept -----------------------------------------------------


def changed(value: bytes, **fields: Any) -> bytes:
    head, numbers, has_length = parted(value)
    assert head is not None
    return joined(head | fields, numbers, has_length)


WRONG_TURNS = (
    *({"plan": [99]}, {"plan": [-1]}, {"plan": [0] * 500}, {"shares": [[0.5, 0.5]]}),
    *({"complete": False}, {"worlds": 0}, {"errors": [True]}),
)
WRONG_SOLUTIONS = (
    *({"method": "quantal"}, {"method": ["equilibrium"]}, {"depth": 2}, {"depth": 0}),
    *({"depth": True}, {"nodes": -1}, {"nodes": 2**60}, {"epsilon": -0.1}, {"epsilon": "0"}),
    *({"unsearched": 1.5}, {"complete": False}, {"choices_exact": 1}),
    *({"strategies": None}, {"strategies": 2}),
)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        *product(("slopecrashers", "snowcrest"), WRONG_TURNS),
        *product(("level-1",), WRONG_SOLUTIONS),
    ],
    ids=str,
)
def test_a_solution_of_another_question_is_a_miss(name: str, fields: Body) -> None:
    values, response = intact(name)
    store = Store({key: changed(value, **fields) for key, value in values.items()})
    again = ask(name, store)
    assert (again.document, again.layer) == (response.document, COMPUTED)


def test_strategies_and_shares_that_do_not_sum_to_one_are_misses() -> None:
    values, response = intact("level-1")
    [(key, value)] = values.items()
    head, numbers, _ = parted(value)
    assert head is not None
    count = len(numbers) // 8
    for place in range(0, count, count // 9):
        array = np.frombuffer(numbers).copy()
        array[place] += 0.25
        store = Store({key: joined(head, array.tobytes(), True)})
        if ask("level-1", store).layer == COMPUTED:
            assert store.values == values
    strategy = np.frombuffer(numbers).copy()
    strategy[0] += 0.25
    assert ask("level-1", Store({key: joined(head, strategy.tobytes(), True)})).layer == COMPUTED
    assert ask("level-1", Store(values)).document == response.document
