"""The load test sends what the service accepts."""

from __future__ import annotations

from itertools import islice

import orjson
import pytest
from load_testing.bodies import hint_bodies

from service.games.registry import GAMES
from service.operations.dispatch import execute

DEFINITION = GAMES["snow-time"]
SUGGEST = next(endpoint for endpoint in DEFINITION.endpoints if endpoint.name == "suggest")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_bodies_of_the_load_test_are_valid(seats: int):
    """They named a field that had been renamed, so nothing was solved."""
    for body in islice(hint_bodies(seats, 1, effort="quick"), 3):
        assert execute(DEFINITION, SUGGEST, orjson.loads(body)).complete
