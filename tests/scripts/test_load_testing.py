"""The load test sends what the service accepts."""

from __future__ import annotations

from itertools import islice
from math import isnan, nan

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


class Server:
    """Serves up to a number of new hints a second."""

    def __init__(self, capacity: float) -> None:
        self.capacity, self.offered = capacity, list[float]()

    def load(self, _: str, seconds: float, __: str, *, new: float, seed: int) -> loadtest.Rows:
        self.offered.append(new)
        served = min(new, self.capacity)
        counts = {"new 200": served, "new 503": new - served}
        return {
            name: loadtest.Row(round(seconds * rate), {}) for name, rate in counts.items() if rate
        }


@pytest.mark.parametrize("capacity", [7.0, 20.0, 150.0])
def test_the_capacity_is_measured_with_more_requests_than_are_served(
    capacity: float, monkeypatch: pytest.MonkeyPatch
):
    """It was the offered rate where the service got faster than that rate."""
    server = Server(capacity)
    monkeypatch.setattr(loadtest, "locust", server.load)
    assert loadtest._capacity("here", 10.0, 10.0) == capacity
    assert server.offered == [10.0 * 2**place for place in range(len(server.offered))]
    assert server.offered[-1] > capacity


def test_rounds_are_averaged_and_the_worst_share_of_a_peak_is_kept():
    def row(goodput: float, hits: float, late_ms: float) -> dict[str, float]:
        return {"goodput": goodput, "hint_share": goodput, "hits": hits, "late_ms": late_ms}

    slow = {1.0: row(40.0, 1.0, nan), 2.0: row(50.0, 0.9, nan)}
    fast = {1.0: row(60.0, 0.8, 2.0), 2.0: row(54.0, 1.0, nan)}
    first, second = loadtest.over_rounds([slow, fast])
    assert (first["goodput"], second["goodput"]) == (50.0, 52.0)
    assert first["of_peak"] == pytest.approx(50 / 52)
    assert (first["least_of_peak"], second["least_of_peak"]) == (0.8, 0.9)
    assert (first["hits"], first["late_ms"]) == (0.8, 2.0)
    assert isnan(second["late_ms"])


@pytest.mark.slow
def test_every_scenario_sends_what_the_service_understands(service: Service):
    rates = {"new": 10, "hits": 10, "checks": 10, "effort": "quick"}
    rows = loadtest.locust(service.address, 2.0, "ordinary", **rates)
    assert rows.keys() - {"new 503"} == {"new 200", "hit 200", "health 200", "late"}
    rows = loadtest.locust(service.address, 2.0, "hostile")
    assert rows["hostile 405"].count
    assert rows.keys() <= {f"hostile {status}" for status in (200, 405, 422, 503)}
