"""The README is true: its commands are run against a live service and its answers compared."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from shown_commands import examples_of, run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = examples_of(README)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_a_command_of_the_readme_gives_the_answer_beside_it(
    command: str, shown: str, live_service: str
) -> None:
    assert json.loads(run(command, live_service)) == json.loads(shown)


def test_the_readme_shows_resolve_legal_moves_suggest_and_a_fault() -> None:
    routes = [re.search(r"games/([a-z-]+/[a-z-]+)", command)[1] for command, _ in EXAMPLES]

    assert routes == [
        "snow-time/resolve",
        "snow-time/legal-moves",
        "snow-time/suggest",
        "snow-time/legal-moves",
        "slopecrashers/suggest",
        "slopecrashers/resolve",
    ]


def test_every_path_that_the_readme_names_exists() -> None:
    named = re.findall(r"(?:\]\(|`)((?:service|scripts|tests|deploy)/[\w./]*|LICENSE)", README)

    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
