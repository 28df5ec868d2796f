"""The load test sends what the service accepts."""

from __future__ import annotations

from itertools import islice
from math import isnan

import loadtest
import orjson
import pytest
from load_testing.bodies import hint_bodies

from service.games.registry import GAMES
from service.operations.dispatch import execute
from tests.serving import Service

DEFINITION = GAMES["snow-time"]
SUGGEST = next(endpoint for endpoint in DEFINITION.endpoints if endpoint.name == "suggest")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_bodies_of_the_load_test_are_valid(seats: int):
    """They named a field that had been renamed, so nothing was solved."""
    for body in islice(hint_bodies(seats, 1, effort="quick"), 3):
        assert execute(DEFINITION, SUGGEST, orjson.loads(body)).complete


def test_quantiles_of_latencies():
    row = loadtest.Row(4, {3.0: 1, 1.0: 2, 20.0: 1})
    assert [row.quantile_ms(share) for share in (0.5, 0.75, 0.99)] == [1.0, 3.0, 20.0]
    assert isnan(loadtest.NONE.quantile_ms(0.99))


@pytest.mark.slow
def test_every_scenario_sends_what_the_service_understands(service: Service):
    rates = {"new": 10, "hits": 10, "checks": 10, "effort": "quick"}
    rows = loadtest.locust(service.address, 2.0, "ordinary", **rates)
    assert rows.keys() - {"new 503"} == {"new 200", "hit 200", "health 200"}
    rows = loadtest.locust(service.address, 2.0, "hostile")
    assert rows["hostile 405"].count
    assert rows.keys() <= {f"hostile {status}" for status in (200, 405, 422, 503)}
