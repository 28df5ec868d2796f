"""Responses from the bytes of a request are those of the application."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask

from service.api.immediate import ImmediateResponse
from service.app import create_app
from service.cache.rate_limit import Quota
from service.config import Config
from service.operations.batch import PATH
from tests.api.calls import EXAMPLES, route

NEW = json.dumps(EXAMPLES["new"]).encode()
SUGGEST = json.dumps(EXAMPLES["suggest"]).encode()
CHANGING = {"Server-Timing", "RateLimit", "Content-Length"}
KEY = "a-long-random-key"
HEADERS = {"Host": "test", "Content-Type": "application/json", "X-Request-Id": "mine"}


def application(units: int = 100_000, **config: Any) -> Flask:
    # The window is so long that no unit is restored during a test.  A client pays for CPU time, and
    # the first hint of a process loads kernels for about a second.
    quota = {"quota_units": units, "quota_window_s": 1_000_000}
    return create_app(Config(log_level="CRITICAL", **quota, **config))


def request_bytes(body: bytes, headers: dict[str, str], path: str = route("suggest")) -> bytes:
    fields = headers if "Content-Length" in headers else headers | {"Content-Length": len(body)}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body


def immediate(
    app: Flask, body: bytes, headers: dict[str, str] = HEADERS, **more: Any
) -> ImmediateResponse | None:
    """Return the immediate response for the address of Flask's test client, or None."""
    request = request_bytes(body, headers, **more)
    answered: ImmediateResponse | None = app.extensions["immediate"].answer(
        request, "127.0.0.1", time.monotonic(), crowded=False
    )
    return answered


def units_left(headers: Any) -> int:
    return int(headers["RateLimit"].split("r=")[1].split(";")[0])


def test_a_cached_response_is_that_of_the_application_and_costs_one_unit() -> None:
    app = application()
    assert immediate(app, NEW, path=route("new")) is None  # Not cached.
    for language in ("en", "de", "zh-TW, de;q=0.5"):
        headers = HEADERS | {"Accept-Language": language}
        for name, body in (("suggest", SUGGEST), ("new", NEW)):
            client = app.test_client()
            client.post(route(name), data=body, headers=headers)
            expected = client.post(route(name), data=body, headers=headers)
            actual = immediate(app, body, headers, path=route(name))
            assert actual is not None
            assert (actual.status, actual.body) == (expected.status_code, expected.data)
            theirs = dict(expected.headers)
            assert theirs.keys() - actual.headers.keys() == {"Content-Length"}
            differing = theirs.items() - actual.headers.items()
            assert {header for header, _ in differing} <= CHANGING
            assert units_left(actual.headers) == units_left(theirs) - 1
            assert actual.headers["X-Request-Id"] == "mine"


UNUSUAL = {
    "no host": {"Host": None},
    "other media type": {"Content-Type": "text/plain"},
    "chunked": {"Transfer-Encoding": "chunked"},
    "encoded": {"Content-Encoding": "gzip"},
    "closing": {"Connection": "close"},
    "expecting": {"Expect": "100-continue"},
    "shorter": {"Content-Length": "3"},
    "longer": {"Content-Length": str(len(NEW) + 1)},
    "long head": {"X-Long": "x" * 5000},
    "many fields": {f"X-{number}": "" for number in range(64)},
    "odd name": {"X Y": "z"},
    "odd value": {"X-Y": "\0"},
    "duplicate": {"content-type": "application/json"},
}


def test_unusual_requests_take_the_normal_way() -> None:
    app = application()
    app.test_client().post(route("new"), data=NEW, headers=HEADERS)
    assert immediate(app, NEW, path=route("new")) is not None
    for name, changed in UNUSUAL.items():
        headers = {key: value for key, value in (HEADERS | changed).items() if value is not None}
        assert immediate(app, NEW, headers, path=route("new")) is None, name
    for path in (route("new") + "?a=b", "/v1/batch", "/v1/nowhere", route("review")):
        assert immediate(app, NEW, path=path) is None, path
    request = request_bytes(NEW, HEADERS, route("new"))
    answer = app.extensions["immediate"].answer
    for changed in (b"", request[:20], request.replace(b"1.1", b"1.0"), b"\xff" + request):
        assert answer(changed, "127.0.0.1", 0.0, crowded=False) is None


def test_a_head_with_a_control_character_is_read_once() -> None:
    """It took 2**n steps for n fields: 0.3 s for 20 of them, with the interpreter lock held."""
    app = application()
    fields = "".join(f"X-{number}: v\r\n" for number in range(20)).encode()
    request = request_bytes(NEW, HEADERS).replace(b"\r\n\r\n", b"\r\n" + fields + b"X: \x01\r\n\r\n")
    answer = app.extensions["immediate"].answer
    started = time.thread_time()
    assert answer(request, "127.0.0.1", 0.0, crowded=False) is None
    assert time.thread_time() - started < 0.05


def test_a_client_over_its_quota_and_one_without_a_key_take_the_normal_way() -> None:
    app = application(units=2)
    client = app.test_client()
    client.post(route("new"), data=NEW, headers=HEADERS)
    assert immediate(app, NEW, path=route("new")) is not None
    assert immediate(app, NEW, path=route("new")) is None
    assert client.post(route("new"), data=NEW, headers=HEADERS).status_code == 429
    app = application(api_keys=f"app:{sha256(KEY.encode()).hexdigest()}")
    with_key = HEADERS | {"Authorization": f"Bearer {KEY}"}
    app.test_client().post(route("new"), data=NEW, headers=with_key)
    assert immediate(app, NEW, with_key, path=route("new")) is not None
    for wrong in ({}, {"Authorization": "Bearer no"}, {"Authorization": f"Basic {KEY}"}):
        assert immediate(app, NEW, HEADERS | wrong, path=route("new")) is None


def test_proxies_name_the_client_and_other_origins_take_the_normal_way() -> None:
    app = application(proxy_hops=1, cors_origins="https://page.example")
    app.test_client().post(route("new"), data=NEW, headers=HEADERS)
    left = []
    for forwarded in ("7.7.7.7", "8.8.8.8", "6.6.6.6, 7.7.7.7"):
        headers = HEADERS | {"X-Forwarded-For": forwarded}
        response = immediate(app, NEW, headers, path=route("new"))
        assert response is not None
        left.append(units_left(response.headers))
    assert left == [99_999, 99_999, 99_998]
    origin = HEADERS | {"Origin": "https://page.example"}
    assert immediate(app, NEW, origin, path=route("new")) is None


def test_a_request_that_the_solve_queue_refuses_is_refused_before_it_is_parsed() -> None:
    app = application(solve_queue=0)
    queue = app.extensions["solve_queue"]
    with ExitStack() as busy:
        busy.enter_context(queue.slot(None))
        refused = immediate(app, b"not even JSON")
        expected = app.test_client().post(route("suggest"), data=b"x", headers=HEADERS)
        assert immediate(app, NEW, path=route("new")) is None  # It needs no search.
    assert refused is not None
    assert (refused.status, json.loads(refused.body)) == (503, expected.get_json())
    theirs = dict(expected.headers)
    assert theirs.keys() - refused.headers.keys() == {"Content-Length"}
    assert units_left(refused.headers) == units_left(theirs) + 1 == 99_999
    assert immediate(app, b"not even JSON") is None
    exposed = app.extensions["metrics"].exposition().decode()
    assert 'shed_requests_total{why="queue-full"} 2.0' in exposed
    full = app.extensions["immediate"].refuse(time.monotonic())
    assert (full.status, json.loads(full.body)["code"]) == (503, "overloaded")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests on their way hold their places however slow this machine is."""
    monkeypatch.setattr("service.operations.solve_queue.EXPECTED_S", 1_000.0)


@pytest.mark.usefixtures("patient")
def test_only_as_many_requests_take_a_thread_as_may_wait() -> None:
    app = application(solve_queue=2)
    client, queue = app.test_client(), app.extensions["solve_queue"]
    with queue.slot(None):
        answers = [immediate(app, b"%d" % number) for number in range(3)]
        assert [answer is None for answer in answers] == [True, True, False]
        # A thread has taken one of them, and has found that it is not JSON.
        assert client.post(route("suggest"), data=b"x", headers=HEADERS).status_code == 400
        assert immediate(app, b"3") is None
        assert immediate(app, b"4") is not None


@pytest.mark.usefixtures("patient")
def test_other_requests_than_hints_alone_free_no_place_of_a_hint() -> None:
    app = application(solve_queue=1)
    client, queue = app.test_client(), app.extensions["solve_queue"]
    wrong = {"id": "a", "path": route("suggest"), "body": {}}
    with queue.slot(None):
        assert immediate(app, b"0") is None
        assert client.post(route("new"), data=NEW, headers=HEADERS).status_code == 200
        assert client.post(route("review"), data=b"{}", headers=HEADERS).status_code in (422, 503)
        batch = client.post(PATH, json={"requests": [wrong]}).get_json()
        assert [result["status"] for result in batch["results"]] == [422]
        assert immediate(app, b"1") is not None


@pytest.mark.parametrize("crowded", [False, True])
def test_with_redis_nothing_waits_for_it(crowded: bool) -> None:
    """Its responses and balances are not known here; this server does not exist."""
    app = application(solve_queue=0, redis_url="redis://localhost:1", cache_key="x")
    answer = app.extensions["immediate"].answer
    app.test_client().post(route("new"), data=NEW, headers=HEADERS)
    known = request_bytes(NEW, HEADERS, route("new"))
    assert answer(known, "127.0.0.1", 0.0, crowded=crowded) is None
    with app.extensions["solve_queue"].slot(None):
        request = request_bytes(SUGGEST, HEADERS)
        assert (answer(request, "127.0.0.1", 0.0, crowded=crowded) is not None) == crowded


def test_in_a_flood_redis_is_asked_for_few_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """With Redis each refusal took a thread, and goodput fell to half at seven times capacity."""
    monkeypatch.setattr("service.api.responses.REDIS_LOOKUPS", Quota(units=3, window_s=1000))
    app = application(solve_queue=0, redis_url="redis://localhost:1", cache_key="x")
    with app.extensions["solve_queue"].slot(None):
        answers = [immediate(app, b"%d" % number) for number in range(10)]
    assert [answer is None for answer in answers] == 3 * [True] + 7 * [False]
    assert {answer.status for answer in answers if answer} == {503}
