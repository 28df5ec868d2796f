"""Hooks: profiles of randomised tests, garbage collection, selection and order of tests."""

from __future__ import annotations

import gc
import re
import shlex
import sys
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest

from tests import randomized

GC_THRESHOLD = 10_000
"""Objects that are created between two collections of the youngest ones; the default is 700."""


def pytest_configure(config: pytest.Config) -> None:
    """Select the profile and the seed before the Hypothesis plugin and the test modules do."""
    # Modules stay for the whole session: until all are imported, collections only take time.
    gc.disable()
    # jsonschema would compile 38 grammars for a format that no test checks: 1.4 s of CPU time.
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    randomized.register_profiles()
    options = config.option
    options.hypothesis_profile = options.hypothesis_profile or "dev"
    if options.hypothesis_profile == "nightly" and options.hypothesis_seed is None:
        options.hypothesis_seed = str(SystemRandom().randrange(1_000_000))  # Workers inherit it.
    seed = options.hypothesis_seed
    randomized.use_seed(None if seed is None else int(seed))
    runs_tests = hasattr(config, "workerinput") or not config.getoption("numprocesses", 0)
    if runs_tests:  # The process that starts the workers needs no service, whose import is slow.
        config.pluginmanager.import_plugin("tests.fixtures")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exempt everything that was imported from garbage collection, which gets much faster."""
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files whose tests would all be deselected: importing them takes seconds."""
    selected = set(re.findall(r"\w+", config.option.markexpr))
    if not selected or not collection_path.name.startswith("test_"):
        return None
    text = collection_path.read_text(encoding="utf-8")
    if config.option.markexpr.startswith("not ("):
        of_all = set(re.findall(r"^pytestmark = pytest\.mark\.(\w+)$", text, re.MULTILINE))
        return True if of_all & selected else None
    if "not" in selected:
        return None
    return None if set(re.findall(r"\bmark\.(\w+)", text)) & selected else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Start with the tests that take longest: short ones then keep all workers busy to the end."""
    order = ("image", "research", "contract")
    items.sort(
        key=lambda item: min(
            (index for index, name in enumerate(order) if item.get_closest_marker(name)),
            default=len(order),
        )
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Print the command that repeats a failed test."""
    report: pytest.TestReport = yield
    if report.failed:
        options = item.config.option
        command = ["python3", "scripts/dev.py", "test", item.nodeid]
        command.append(f"--hypothesis-profile={options.hypothesis_profile}")
        if options.hypothesis_seed is not None:
            command.append(f"--hypothesis-seed={options.hypothesis_seed}")
        report.sections.append(("To repeat this test", shlex.join(command)))
    return report
