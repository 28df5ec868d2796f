"""Browser visits: a page with its requests, answers and errors."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from werkzeug.serving import make_server

from tests.patience import PATIENCE_MS

if TYPE_CHECKING:  # Their import takes 0.2 s, also of those who only collect the tests.
    from playwright.sync_api import Browser, Page, Request, Response, Route

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
ON_ITS_SIDE: dict[str, Any] = {"viewport": {"width": 844, "height": 390}}
TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1180}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
MAX_ACTIONS = 40
NO_WORKER = "Service Worker registration blocked"
"""What the browser writes to the console: the tests that need a service worker allow it."""
SECONDS_PER_TAP = 1.7
"""The keystroke-level model (Card, Moran and Newell 1980): 1.1 s to point at something, 0.2 s to
press it, and for about every third tap 1.35 s to prepare."""
EQUAL_DRAWS = """
    const inMemory = {};
    const kept = () => { try { return localStorage; } catch { return inMemory; } };
    const next = () => {
        const number = (Math.imul(Number(kept().testDraw ?? 1), 1664525) + 1013904223) >>> 0;
        kept().testDraw = number;
        return number;
    };
    crypto.getRandomValues = (all) => all.map(() => next() >>> (32 - 8 * all.BYTES_PER_ELEMENT));
"""
"""A script that gives a page the same seeds, draws, nonces and ids in each run (Numerical Recipes'
generator). Its number is stored with the saved games, whose ids must differ from later ones."""
RULES_ABOUT_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe whose result can differ between the light and the dark theme."""


@dataclass
class Visit:
    """A page in the browser and the record of its requests and errors.

    Attributes:
        page: the page.
        host: address of the service.
        complaints: errors and warnings of the console, of scripts and of the security policy.
        requests: all requests.
        open_requests: requests to the API without an answer yet.
        answers: successful answers of the API as (URL, document), in order of arrival.
        tolerated: substrings of complaints that the test provokes.
    """

    page: Page
    host: str
    complaints: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    open_requests: set[Request] = field(default_factory=set)
    answers: list[tuple[str, Any]] = field(default_factory=list)
    tolerated: list[str] = field(default_factory=lambda: [NO_WORKER])

    def open(self, fragment: str = "#snow-time") -> Page:
        """Open a game by the fragment of its address and wait until it is ready."""
        self.page.goto(f"http://{self.host}/{fragment}")
        self.page.wait_for_selector("[aria-busy=false]")
        return self.page

    def last(self, endpoint: str) -> Any:
        """Return the latest answer of an endpoint."""
        self.settled()
        return next(
            document for url, document in reversed(self.answers) if url.endswith(f"/{endpoint}")
        )

    def sent(self, endpoint: str) -> list[Any]:
        """Return the bodies of the requests to an endpoint."""
        self.settled()
        asked = [request for request in self.requests if request.url.endswith(f"/{endpoint}")]
        return [request.post_data_json for request in asked]

    def ask(self, button: str = "ask") -> Any:
        """Press the button for a hint, wait until it is shown, and return it."""
        self.page.click(key(button))
        self.page.wait_for_selector(".answer")
        return self.last("suggest")

    def settled(self) -> None:
        """Wait until all requests are answered and the page has shown the answers."""
        self.page.wait_for_selector(".now[aria-busy=false]", state="attached")
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while self.open_requests and time.monotonic() < deadline:
            self.page.wait_for_timeout(10)
        assert not self.open_requests, {each.url for each in self.open_requests}
        self.page.wait_for_selector(".now[aria-busy=false]", state="attached")

    def assert_clean(self) -> None:
        """Assert that there were no unexpected errors and no requests to other hosts."""
        unexpected = [
            complaint
            for complaint in self.complaints
            if not any(text in complaint for text in self.tolerated)
        ]
        assert unexpected == []
        assert {request.url.split("/")[2] for request in self.requests} == {self.host}

    def record_request(self, request: Request) -> None:
        self.requests.append(request)
        if "/v1/" in request.url:
            self.open_requests.add(request)

    def record_response(self, response: Response) -> None:
        from playwright.sync_api import Error

        # A review is a stream, whose end a test has to wait for.
        is_stream = response.url.endswith("/review")
        if "/v1/" in response.url and response.status == 200 and not is_stream:
            with suppress(Error):  # After a reload the body is lost.
                self.answers.append((response.url, response.json()))
        self.open_requests.discard(response.request)


def key(name: str) -> str:
    """Return the selector of an element by its stable key."""
    return f'[data-key="{name}"]'


def open_tools(page: Page) -> None:
    """Unfold the part of the toolbar with the editor, visible hands and JSON."""
    if page.locator(key("tools")).get_attribute("open") is None:
        page.click(f"{key('tools')} > summary")


def start_game(page: Page, players: int = 0, mine: int | None = None, **names: str) -> None:
    """Start a game from the setup.

    Args:
        page: with the game.
        players: how many; 0 for the number that is selected.
        mine: the place of the user, or -1 if the user decides for all; None as it is selected.
        names: by seat or player.
    """
    page.click(f"{key('setup')} > summary")
    if players:
        page.select_option(key("setup-players"), str(players))
    if mine is not None:
        page.select_option(key("setup-mine"), str(mine))
    for player, name in names.items():
        page.fill(key(f"setup-name-{player}"), name)
    page.click(key("setup-start"))
    page.wait_for_selector(f"{key('setup')}:not([open])")


def open_json(page: Page, *, grown: bool = True) -> None:
    """Unfold the JSON field, which the editor of Snow Time has."""
    open_tools(page)
    if not page.locator(key("json-fold")).count():
        page.click(key("edit"))
        page.set_checked(key("grown"), grown)
    if page.locator(key("json-fold")).get_attribute("open") is None:
        page.click(f"{key('json-fold')} > summary")


def enter_json(page: Page, state: Any, *, grown: bool = True) -> None:
    """Apply a position, or a text, in the JSON field."""
    open_json(page, grown=grown)
    page.fill(key("json"), state if isinstance(state, str) else json.dumps(state))
    page.click(key("json-apply"))


def act_until(visit: Visit, name: str) -> int:
    """Take first choices and random draws until a button is there; return how many were taken."""
    page = visit.page
    for count in range(MAX_ACTIONS):
        if page.locator(key(name)).count():
            return count
        draw = page.locator(key("draw-random"))
        (draw if draw.count() else page.locator(".choices button").first).click()
        visit.settled()
    raise AssertionError(f"there is no {name}")


def stored_games(page: Page) -> list[Any]:
    """Return the records of games in the storage of the browser."""
    texts: list[str] = page.evaluate(
        "Object.entries(localStorage).filter(([name]) => name.startsWith('game:'))"
        ".map(([, text]) => text)"
    )
    return [json.loads(text) for text in texts]


def packed(document: Any) -> str:
    """Return a document as the part of a link."""
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve a WSGI application in this process; yield its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def show_numbers(page: Page) -> None:
    """Unfold the numbers of the hint."""
    page.click(f"{key('numbers')} > summary")
    page.wait_for_selector(".numbers .move:visible")


def out_of_view(page: Page, selector: str) -> list[str]:
    """Return the classes of the elements that are not completely in view."""
    classes: list[str] = page.locator(selector).evaluate_all(
        "all => all.filter(each => { const { top, bottom } = each.getBoundingClientRect();"
        "return top < 0 || bottom > innerHeight }).map(each => each.className)"
    )
    return classes


def percent(share: float) -> str:
    """Return a share as the page shows it: with a minus sign, and no sign at 0."""
    return f"{100 * share:.1f}%".replace("-0.0%", "0.0%").replace("-", "\N{MINUS SIGN}")


class TapCounter:
    """Counts the taps on a page, and the seconds that a person takes for them.

    The time of page and service is a matter of benchmarks.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        page.evaluate(
            "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true)"
        )

    def read(self) -> tuple[int, float]:
        """Return the number of taps since the last call, and the seconds for them."""
        count: int = self._page.evaluate("[window.taps, window.taps = 0][0]")
        return count, count * SECONDS_PER_TAP

    def taps(self) -> int:
        """Return the number of taps since the last call."""
        return self.read()[0]


def request_review(visit: Visit) -> Any:
    """Press the button for the review, wait until it is shown, and return it."""
    texts = []

    def forward(route: Route) -> None:
        response = route.fetch(timeout=PATIENCE_MS)
        texts.append(response.text())
        route.fulfill(response=response)

    visit.page.route("**/review", forward)
    visit.page.locator(key("review")).first.click()
    visit.page.wait_for_selector(".timeline-graph")
    visit.page.unroute("**/review")
    return json.loads(texts[0].splitlines()[-1])["result"]


def errors_of(review: Any, player: str) -> list[Any]:
    """Return the decisions of a player that a review lists as errors, the largest loss first."""
    own = [each for each in review["decisions"] if each["player"] == player]
    wrong = [each for each in own if each["class"] not in ("best", "good")]
    return sorted(wrong, key=lambda each: -each["loss"])


def visiting(browser: Browser, host: str, **context: Any) -> Iterator[Visit]:
    """Yield a visit in a new browser context, and check it for errors at the end."""
    options = {"viewport": WIDE, "locale": "en-GB", "reduced_motion": "reduce"}
    options |= {"service_workers": "block"} | context
    browser_context = browser.new_context(**options)
    page = browser_context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(EQUAL_DRAWS)
    visit = Visit(page, host)
    page.on("console", lambda message: _record_message(visit, message.type, message.text))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("request", lambda sent: visit.record_request(sent))
    page.on("requestfailed", lambda failed: visit.open_requests.discard(failed))
    page.on("response", lambda received: visit.record_response(received))
    yield visit
    browser_context.close()
    visit.assert_clean()


def _record_message(visit: Visit, kind: str, text: str) -> None:
    if kind in ("error", "warning"):
        visit.complaints.append(text)


def accessibility_failures(page: Page, *rules: str) -> list[str]:
    """Return the violations that axe finds, by some rules or by all."""
    from axe_playwright_python.sync_playwright import Axe

    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    return [
        f"{violation['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for violation in Axe().run(page, options=options).response["violations"]
        for node in violation["nodes"]
    ]
