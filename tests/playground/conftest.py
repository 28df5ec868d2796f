"""Fixtures for tests in Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from chromium import launched, program

from tests.playground.visit import Visit, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start the installed Chromium or Chrome.

    Without a browser the tests are skipped, or fail if ``TEST_REQUIRE_CHROMIUM`` is set.
    """
    if program() is None:
        if os.environ.get("TEST_REQUIRE_CHROMIUM"):
            pytest.fail("TEST_REQUIRE_CHROMIUM is set, but Chromium is not on the PATH")
        pytest.skip("Chromium is not on the PATH")
    with launched() as started:
        yield started


@pytest.fixture
def visit(browser: Browser, live_service: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open the page in a desktop window; a parameter sets other browser options."""
    yield from visiting(browser, live_service, **getattr(request, "param", {}))
