"""Every path and function that docs/architecture.md names exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_path_exists() -> None:
    named = set(re.findall(r"`((?:service|tests|scripts)/[^`]+)`", TEXT))
    assert len(named) > 30
    missing = [path for path in named if "NAME" not in path and not any(ROOT.glob(path))]
    assert missing == []


def test_every_step_of_a_request_names_a_function_of_its_file() -> None:
    steps = re.findall(r"^\d+\. `(service/[\w/]+\.py)`, `(\w+)`", TEXT, re.MULTILINE)
    assert len(steps) == 19
    for path, function in steps:
        assert re.search(rf"^ *def {function}\(", (ROOT / path).read_text(), re.MULTILINE), path
