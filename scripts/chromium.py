"""The installed Chromium or Chrome, for scripts and tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROGRAMS: Final = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


def program() -> str | None:
    """Return the path of the browser, or None if there is none on the PATH."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """Start the browser; it ends with the block.

    Raises:
        FileNotFoundError: if there is none on the PATH.
    """
    path = program()
    if path is None:
        raise FileNotFoundError("Chromium is not on the PATH")
    # Its import takes 0.2 s, also of those who only collect the tests.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # In a container, root cannot use the sandbox, and shared memory is small.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        # Fewer processes: a page opens in four fifths of the time.
        arguments += ["--disable-gpu", "--in-process-gpu"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()
