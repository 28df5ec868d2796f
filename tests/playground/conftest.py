"""Fixtures for tests in Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.playground.visit import Visit, visiting

PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start the installed Chromium or Chrome.

    Without a browser the tests are skipped, or fail if ``TEST_REQUIRE_CHROMIUM`` is set.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        if os.environ.get("TEST_REQUIRE_CHROMIUM"):
            pytest.fail("TEST_REQUIRE_CHROMIUM is set, but Chromium is not on the PATH")
        pytest.skip("Chromium is not on the PATH")
    with sync_playwright() as playwright:
        # In a container, root cannot use the sandbox, and shared memory is small.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        # Fewer processes: a page opens in four fifths of the time.
        arguments += ["--disable-gpu", "--in-process-gpu"]
        started = playwright.chromium.launch(executable_path=program, args=arguments)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, live_service: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open the page in a desktop window; a parameter sets other browser options."""
    yield from visiting(browser, live_service, **getattr(request, "param", {}))
