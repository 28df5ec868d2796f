"""A real browser before the service; where there is none, the tests say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.playground.visit import Visit, visiting

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or what goes by such a name.

    Without one these tests are skipped, and fail where ``TEST_REQUIRE_CHROMIUM`` is set.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        if os.environ.get("TEST_REQUIRE_CHROMIUM"):
            pytest.fail("TEST_REQUIRE_CHROMIUM is set, and there is no Chromium on the PATH")
        pytest.skip("there is no Chromium on the PATH")
    with sync_playwright() as playwright:
        # A container's root has no sandbox, and little shared memory.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        started = playwright.chromium.launch(executable_path=program, args=arguments)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, live_service: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """The page on a desk; a parameter says what else its browser is like."""
    yield from visiting(browser, live_service, **getattr(request, "param", {}))
