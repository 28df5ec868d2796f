"""A visit to the page, and what happened on it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page, Request, Response

PATIENCE_MS = 20_000
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


@dataclass
class Visit:
    """A page, and what happened on it.

    Attributes:
        page: open, and to be used.
        complaints: errors of the console, of scripts, and of the policy.
        requests: all that it asked for.
        open_requests: those to the API whose answers have not come.
        answers: of the API, as (path, document), in the order they came.
        tolerated: what complaints may contain, where a test provokes them.
    """

    page: Page
    host: str
    complaints: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    open_requests: set[Request] = field(default_factory=set)
    answers: list[tuple[str, Any]] = field(default_factory=list)
    tolerated: list[str] = field(default_factory=list)

    def open(self, fragment: str = "") -> Page:
        """The page with a fragment, once it can be used."""
        self.page.goto(f"http://{self.host}/{fragment}")
        self.page.wait_for_selector("[aria-busy=false]")
        return self.page

    def last(self, verb: str) -> Any:
        """The latest answer to a verb."""
        self.settled()
        return next(told for path, told in reversed(self.answers) if path.endswith(f"/{verb}"))

    def settled(self) -> None:
        """Until the service has answered, and what it answered is known here."""
        self.page.wait_for_selector(".now[aria-busy=false]")
        until = time.monotonic() + PATIENCE_MS / 1000
        while self.open_requests and time.monotonic() < until:
            self.page.wait_for_timeout(10)
        self.page.wait_for_selector(".now[aria-busy=false]")

    def judge(self) -> None:
        """Nothing went wrong, and nobody else was asked."""
        told = [c for c in self.complaints if not any(each in c for each in self.tolerated)]
        assert told == []
        assert {request.url.split("/")[2] for request in self.requests} == {self.host}

    def asked(self, request: Request) -> None:
        self.requests.append(request)
        if "/v1/" in request.url:
            self.open_requests.add(request)

    def keep(self, response: Response) -> None:
        if "/v1/" in response.url and response.status == 200:
            self.answers.append((response.url, response.json()))
        self.open_requests.discard(response.request)


def visiting(browser: Browser, host: str, **context: Any) -> Iterator[Visit]:
    """A page of its own, judged when it is left."""
    options = {"viewport": WIDE, "locale": "en-GB", "reduced_motion": "reduce"} | context
    opened = browser.new_context(**options)
    page = opened.new_page()
    page.set_default_timeout(PATIENCE_MS)
    visit = Visit(page, host)
    page.on("console", lambda said: _hear(visit, said.type, said.text))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("request", lambda asked: visit.asked(asked))
    page.on("requestfailed", lambda failed: visit.open_requests.discard(failed))
    page.on("response", lambda told: visit.keep(told))
    yield visit
    opened.close()
    visit.judge()


def _hear(visit: Visit, kind: str, text: str) -> None:
    if kind in ("error", "warning"):
        visit.complaints.append(text)
