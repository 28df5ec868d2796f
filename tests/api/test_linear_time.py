"""Whatever a client sends, reading it takes time in proportion to its length.

Each input is built against one expression, loop or parser of ours that reads it; gunicorn reads the
request heads. It grows to the size that the service accepts, because an expression that backtracks
would never end. Then an eighth and the whole are timed in turn: of quadratic time, the whole would
take 64 times as long.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from flask import Flask

from service.api.limits import MAX_BODY_BYTES
from service.app import create_app
from service.config import Config
from service.core import cpu_time
from tests.api.calls import EXAMPLE_BY_PATH, EXAMPLES, JSON

FIELD_BYTES = 8_000
"""Of a header field; gunicorn and nginx accept 8 KiB."""
SHORTER = 8
MOST = 2.5 * SHORTER
"""How many times as long as an eighth the whole may take."""
TIMES = 5
NOISE_S = 0.002
"""An input that takes less needs no comparison."""
LONGEST_S = 1.0
GROWTH = 1.3

NUMBERS = count()

SEATS = EXAMPLES["suggest"]["state"]["seats"]


def repeated(part: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return a function that repeats a part until the text has the wanted length."""
    return lambda size: before + part * ((size - len(before + after)) // len(part)) + after


FIELDS: dict[str, tuple[str, Callable[[int], str]]] = {
    "language ranges": ("Accept-Language", repeated("a,")),
    "refused languages": ("Accept-Language", repeated("zh-a;q=0,")),
    "subtags": ("Accept-Language", repeated("a-")),
    "digits of a quality": ("Accept-Language", repeated("0", "de;q=0.")),
    "quotes in a language": ("Accept-Language", repeated(';a="\\')),
    "spaces in a language": ("Accept-Language", repeated(" ", "de", ";")),
    "media types": ("Accept", repeated("a/b;q=0.1,")),
    "quotes in a media type": ("Accept", repeated('a/b;c="\\",')),
    "addresses": ("X-Forwarded-For", repeated("1.1.1.1, ")),
    "quoted addresses": ("X-Forwarded-For", repeated('"\\')),
    "an address": ("X-Forwarded-For", repeated("1", "[", ":")),
    "parameters of the body's type": ("Content-Type", repeated("; a=b", "application/json")),
    "quotes in the body's type": ("Content-Type", repeated('\\"', 'application/json; a="')),
    "spaces in the body's type": ("Content-Type", repeated(" ", "application/json", ";")),
    "encodings of the body": ("Content-Encoding", repeated("gzip, ")),
    "a key": ("Authorization", repeated("a", "Bearer ")),
    "spaces before a key": ("Authorization", repeated(" ", "Bearer", "x")),
    "a request id": ("X-Request-Id", repeated("a", after="!")),
    "cookies": ("Cookie", repeated("a=b; ")),
    "an origin": ("Origin", repeated("a.", "https://")),
    "a host": ("Host", repeated("a.")),
    "known versions": ("If-None-Match", repeated('W/"a", ')),
    "ranges": ("Range", repeated("1-2,", "bytes=")),
}

BODIES: dict[str, Callable[[int], str]] = {
    "an endless string": repeated('\\"', '"'),
    "backslashes": repeated("\\", '"'),
    "many strings": repeated('"",', "[", "0]"),
    "quotes": repeated('"'),
    "opening brackets": repeated("["),
    "closing brackets": repeated("[]"),
    "spaces": repeated(" ", "{", "}"),
    "digits": repeated("1"),
    "digits of a fraction": repeated("1", "0."),
    "digits of an exponent": repeated("1", "1e"),
    "numbers": repeated("1,", "[", "1]"),
    "halves of characters": repeated('"\\ud800",', "[", "0]"),
    "equal names": repeated('"a":1,', "{", '"a":1}'),
    "a long name": repeated("a", '{"', '":1}'),
    "commas": repeated(",", "[", "]"),
}


def listed(make: Callable[[int], Any], into: Callable[[list[Any]], Any]) -> Callable[[int], str]:
    """Return a function that lists things until the body has the wanted length."""

    def body(size: int) -> str:
        one = len(json.dumps(make(1_000))) + 2
        return json.dumps(into([make(number) for number in range(size // one)]))

    return body


def texted(part: str, into: Callable[[str], Any]) -> Callable[[int], str]:
    """Return a function that makes a body with one long text."""
    return lambda size: json.dumps(into(part * (size // len(part.encode()))), ensure_ascii=False)


def suggest(**changed: Any) -> dict[str, Any]:
    return EXAMPLES["suggest"] | changed


SUGGEST, NEW = "snow-time/suggest", "snow-time/new"
TURN = EXAMPLE_BY_PATH["/v1/games/slopecrashers/legal-moves"]
TWO = [{"seat": "a"}, {"seat": "b"}]
STEP = {"type": "step", "direction": "forward"}


def villager(number: int) -> Any:
    names = {"en": "e\u0301" * 10}
    return {"id": f"v{number}", "names": names, "effects": [{"kind": "x"}]}


LISTS: dict[str, tuple[str, Callable[[int], Any], Callable[[list[Any]], Any]]] = {
    "unknown fields": (
        SUGGEST,
        lambda n: f"effrt{n}",
        lambda all: suggest(**dict.fromkeys(all, 1)),
    ),
    "seats": (
        SUGGEST,
        lambda n: SEATS[0] | {"seat": f"s{n}"},
        lambda all: suggest(state={"seats": all}),
    ),
    "equal seats": (
        SUGGEST,
        lambda _: SEATS[0],
        lambda all: suggest(state={"seats": all, "fruit": [0] * 6}),
    ),
    "display names": (
        NEW,
        lambda n: {"seat": f"s{n}", "name": "e\u0301\u200d"},
        lambda all: {"seats": all},
    ),
    "cards": (
        SUGGEST,
        str,
        lambda all: suggest(state={"seats": [SEATS[0] | {"hand": all}], "fruit": [0] * 6}),
    ),
    "rounds of a history": (
        SUGGEST,
        lambda _: {"state": {}, "moves": {}},
        lambda all: suggest(opponents={"model": "learned", "history": all}),
    ),
    "bonuses": (
        NEW,
        lambda n: {"space": n, "kind": "fight", "advance": 1},
        lambda all: {"seats": SEATS, "track": {"length": 200, "bonuses": all}},
    ),
    "pieces": (
        "slopecrashers/new",
        lambda _: [["plain"] * 8] * 4,
        lambda all: {"seats": TWO, "pieces": {"pieces": all}},
    ),
    "villagers": (
        "snowcrest/new",
        villager,
        lambda all: {"seats": TWO[:1], "catalogue": {"villagers": all}},
    ),
    "actions": ("slopecrashers/legal-moves", lambda _: STEP, lambda all: TURN | {"so_far": all}),
    "requests of a batch": (
        "/v1/batch",
        lambda n: {"id": f"r{n}", "path": "/", "body": {}},
        lambda all: {"requests": all},
    ),
}
TEXTS: dict[str, tuple[str, str, Callable[[str], Any]]] = {
    "a display name": (
        NEW,
        "e\u0301\u200d",
        lambda text: {"seats": [{"seat": "red", "name": text}]},
    ),
    "a seat's id": (NEW, "a-", lambda text: {"seats": [{"seat": text}]}),
    "a nonce": (SUGGEST, "a ", lambda text: suggest(nonce=text)),
    "a catalogue's text": (
        "snowcrest/new",
        "- ",
        lambda text: {"seats": TWO[:1], "catalogue": {"name": text}},
    ),
}
DOCUMENTS = {name: (path, listed(*how)) for name, (path, *how) in LISTS.items()}
DOCUMENTS |= {name: (path, texted(*how)) for name, (path, *how) in TEXTS.items()}


@pytest.fixture(scope="module")
def app() -> Flask:
    # A cached answer takes no time to read.
    origins = "https://page.example"
    return create_app(Config(log_level="CRITICAL", proxy_hops=1, cors_origins=origins, cache_mib=0))


@pytest.fixture(scope="module")
def with_keys() -> Flask:
    return create_app(Config(log_level="CRITICAL", api_keys=f"app:{'0' * 64}"))


def check(send: Callable[[int], Any], size: int) -> None:
    """Send an input of growing size; compare the CPU time of an eighth and of the whole."""
    growing = 8
    while growing < size // SHORTER:
        assert cpu_s(send, growing) < LONGEST_S, f"{growing} bytes"
        growing = int(growing * GROWTH)
    times = [(cpu_s(send, size // SHORTER), cpu_s(send, size)) for _ in range(TIMES)]
    short, whole = map(min, zip(*times, strict=True))
    assert whole < max(NOISE_S, MOST * short)


def cpu_s(send: Callable[[int], Any], size: int) -> float:
    """Return the CPU seconds, without those of loading kernels."""
    started = cpu_time.cpu_s()
    send(size)
    return cpu_time.cpu_s() - started


@pytest.mark.parametrize("name", FIELDS)
def test_header_fields_are_read_in_linear_time(app: Flask, with_keys: Flask, name: str) -> None:
    field, make = FIELDS[name]
    client = (with_keys if field == "Authorization" else app).test_client()

    def send(size: int) -> None:
        # A digit that changes, because some results are cached.
        headers = {"Content-Type": JSON, field: f"{make(size)}{next(NUMBERS) % 10}"}
        # A localized route, one that may stream, and one for documents; no body is parsed for long.
        for path in ("suggest", "review"):
            client.post(f"/v1/games/snow-time/{path}", data=b"{}", headers=headers)
        client.get("/v1/games", headers=headers)
        client.get("/nowhere", headers=headers)

    check(send, FIELD_BYTES)


@pytest.mark.parametrize("path", ["a/", "%2e", "//", "?", "?a=b&", "é"])
def test_targets_are_read_in_linear_time(app: Flask, path: str) -> None:
    client = app.test_client()
    make = repeated(path, "/v1/games/")
    check(lambda size: client.get(make(size)), FIELD_BYTES)


@pytest.mark.parametrize("name", BODIES)
def test_json_is_read_in_linear_time(app: Flask, name: str) -> None:
    client = app.test_client()
    make = BODIES[name]
    path = "/v1/games/snow-time/suggest"
    check(lambda size: client.post(path, data=make(size), content_type=JSON), MAX_BODY_BYTES)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_are_checked_in_linear_time(app: Flask, name: str) -> None:
    client = app.test_client()
    path, make = DOCUMENTS[name]

    def send(size: int) -> None:
        address = path if path.startswith("/") else f"/v1/games/{path}"
        response = client.post(address, data=make(size).encode(), content_type=JSON)
        assert response.status_code in (200, 422), response.get_data(as_text=True)[:200]

    check(send, MAX_BODY_BYTES * 3 // 4)  # The rest of a document needs room too.
