"""Every body gives a response or a rejection with violations, never an internal error."""

import json
from random import Random

import pytest

from service.core.violations import Rejected
from service.operations.dispatch import execute
from tests import randomized
from tests.games.snow_time.positions import (
    DEFINITION,
    ENDPOINTS,
    FULL,
    move_documents,
    state_document,
)

SEED = randomized.seed(20260)

STATE = state_document(FULL, "1267hwb", "345h", track={"length": 20, "bonuses": []})
BODIES = [
    ("new", {"seats": [{"seat": "a"}, {"seat": "b"}, {"seat": "c", "player": "c"}]}),
    ("grow", {"state": STATE, "dice": [1, 2]}),
    ("grow", {"state": STATE, "seed": 7}),
    ("legal-moves", {"state": STATE, "revealed": move_documents("w", "h", "h")}),
    ("resolve", {"state": STATE, "moves": move_documents("w5", "wh:35", "h:"), "dice": [1, 1]}),
]
ODD = (
    None, True, 0, 1, -1, 5.0, 1.5, 1e400, float("nan"), 10**30, "", "1", "healer", "_schema", "a",
    [], {}, [None], [[]], {"card": "1"}, {"_schema": 1}, {"": 1}, [{}], "x" * 100, {"card": {}},
    {"card": "watcher"}, {"then": {}},
)  # fmt: skip
NAMES = ("_schema", "a", "x", "then", "recover", "card", "player", "track", "seed", "dice", "0", "")


def spoiled(value, random):
    """Return a copy with an odd value somewhere inside."""
    inside = bool(value) and isinstance(value, (dict, list))
    if inside and random.random() < 0.8:
        copy = value.copy()
        where = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
        copy[where] = spoiled(value[where], random)
        return copy
    if isinstance(value, dict) and random.random() < 0.5:
        return value | {random.choice(NAMES): random.choice(ODD)}
    if isinstance(value, list) and random.random() < 0.5:
        return [*value, random.choice(ODD)]
    return random.choice(ODD)


def test_odd_bodies_are_answered_or_rejected_without_an_internal_error():
    random = Random(SEED)
    answered, refusals = 0, []
    for _ in range(1500):
        endpoint, body = random.choice(BODIES)
        for _ in range(random.randint(1, 3)):
            body = spoiled(body, random)
        try:
            json.dumps(execute(DEFINITION, ENDPOINTS[endpoint], body).document)
            answered += 1
        except Rejected as rejected:
            refusals.append(rejected)
        except Exception as broken:
            pytest.fail(f"SEED={SEED}: {endpoint} broke on {body!r}: {broken!r}")
    assert answered > 10, f"SEED={SEED} spoils everything"
    assert len(refusals) > 500, f"SEED={SEED} spoils too little"
    assert all(
        violation.code and violation.detail
        for rejected in refusals
        for violation in rejected.violations
    )
