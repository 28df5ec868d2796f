"""The installed page in Chromium: first visit, service worker, upgrade, and no connection."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from service.api.page.files import FOLDER, read_files
from service.app import create_app
from service.config import Config
from tests.playground.visit import (
    PHONE,
    RULES_ABOUT_COLOURS,
    Visit,
    accessibility_failures,
    key,
    served,
    visiting,
)

pytestmark = pytest.mark.browser

STORED = """async (address) => {
  await navigator.serviceWorker.ready;
  const ready = async () => (await caches.match(address)) && (await caches.keys()).length === 1;
  while (!(await ready())) await new Promise((done) => setTimeout(done, 20));
  const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  return (await Promise.all(stores.map((each) => each.keys()))).flat().map(({ url }) => url);
}"""
"""Wait until an address and only one version are stored; return all stored addresses."""
MAX_REQUESTS, MAX_BYTES = 12, 90_000
GAMES = ("snow-time", "slopecrashers", "snowcrest")
WAYS = ("", "/play", "/table", "/teach", "/rules")
FRAGMENTS = [f"#{game}{way}" for game in GAMES for way in WAYS]
MARK = 'class: "lead"'


class Switch:
    """A WSGI application in place of another one, which a test can exchange or stop.

    Attributes:
        app: the application, or None while it is stopped.
        paths: those of all requests.
        sent: bytes of the bodies of all answers.
    """

    def __init__(self) -> None:
        self.app: Any = create_app(Config(log_level="CRITICAL"))
        self.paths: list[str] = []
        self.sent = 0

    def __call__(self, environment: Any, start_response: Any) -> Iterable[bytes]:
        self.paths.append(environment["PATH_INFO"])
        if self.app is None:
            start_response("503 Service Unavailable", [("Content-Type", "text/plain")])
            return [b"down"]

        def start(status: str, headers: Any, *error: Any) -> Any:
            self.sent += int(dict(headers).get("Content-Length", 0))
            return start_response(status, headers, *error)

        answer: Iterable[bytes] = self.app(environment, start)
        return answer


@pytest.fixture
def switch() -> Switch:
    return Switch()


@pytest.fixture
def host(switch: Switch) -> Iterator[str]:
    """Serve the application of the switch in this process."""
    with served(switch) as address:
        yield address


@pytest.fixture
def installed(browser: Browser, host: str) -> Iterator[Visit]:
    """Open the front door on a phone with a service worker."""
    for visit in visiting(browser, host, service_workers="allow", **PHONE):
        visit.page.goto(f"http://{visit.host}/")
        visit.page.wait_for_selector(".front")
        yield visit


def stored(page: Page, version: str) -> list[str]:
    """Return the addresses that the service worker has stored, once it has those of a version."""
    addresses: list[str] = page.evaluate(STORED, f"/playground/messages/en.json?v={version}")
    return addresses


@pytest.mark.parametrize("fragment", ["", *FRAGMENTS])
def test_a_first_visit_has_at_most_12_requests_and_90_kb(
    browser: Browser, host: str, switch: Switch, fragment: str
) -> None:
    """They include those of the service worker, which a page does not see."""
    for visit in visiting(browser, host, service_workers="allow"):
        visit.page.goto(f"http://{host}/{fragment}")
        visit.page.wait_for_selector(".front, .table-setup, .rules, .now[aria-busy=false]")
        stored(visit.page, read_files().version)
        assert len(switch.paths) <= MAX_REQUESTS, switch.paths
        assert switch.sent <= MAX_BYTES


def test_the_last_games_are_readable_without_a_connection(installed: Visit) -> None:
    page = installed.page
    stored(page, read_files().version)
    for game in ("slopecrashers", "snowcrest"):
        installed.open(f"#{game}/play")
        page.wait_for_selector(".choices button")
        page.click(key("finish"))
        installed.settled()
    page.goto(f"http://{installed.host}/#snow-time")
    page.click(key("roll"))
    page.click(key("choose-red-4"))
    page.click(key("reveal"))
    installed.settled()
    addresses = stored(page, read_files().version)
    assert {address.partition("/playground/")[0] for address in addresses} == {
        f"http://{installed.host}"
    }

    installed.tolerated += ["ERR_INTERNET_DISCONNECTED"]
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".problem")
    assert "The service cannot be reached." in page.inner_text(".problem")
    games = page.locator("details.log")
    for game, lines in (("Snow Time", "Red"), ("Snowcrest", "Anna"), ("Slopecrashers", "Anna")):
        entry = games.filter(has_text=game)
        if entry.get_attribute("open") is None:
            entry.locator("summary").click()
        assert lines in entry.locator("ol").first.inner_text()
    assert accessibility_failures(page) == []
    page.emulate_media(color_scheme="dark")
    assert accessibility_failures(page, *RULES_ABOUT_COLOURS) == []
    page.click(key("retry"))
    while installed.open_requests:
        page.wait_for_timeout(10)
    page.wait_for_selector(key("retry"))
    page.context.set_offline(False)
    # The page tries again by itself.
    page.wait_for_selector(".now[aria-busy=false]")


def test_an_upgrade_shows_at_the_next_visit(
    installed: Visit, switch: Switch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = installed.page
    stored(page, read_files().version)
    changed = tmp_path / "playground"
    shutil.copytree(FOLDER, changed)
    front = changed / "front" / "front-door.js"
    text = front.read_text("utf-8")
    assert MARK in text
    front.write_text(text.replace(MARK, f'{MARK}, "data-key": "changed"'), "utf-8")
    files = read_files(changed)
    monkeypatch.setattr("service.api.page.routes.read_files", lambda: files)
    switch.app = create_app(Config(log_level="CRITICAL"))

    page.reload()
    page.wait_for_selector(key("changed"))
    addresses = stored(page, files.version)
    assert {address.partition("?v=")[2] for address in addresses} == {files.version}
    installed.tolerated += ["503"]
    switch.app = None
    page.reload()
    page.wait_for_selector(".problem")
    switch.app = create_app(Config(log_level="CRITICAL"))
    page.click(key("retry"))
    page.wait_for_selector(key("changed"))
