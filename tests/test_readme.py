"""The README is true: its commands are run against a live service and its answers compared."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import requests

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```", README, re.DOTALL)


def told_by(command: list[str]) -> str:
    """What curl prints; where there is no curl, the same request is made without it."""
    if shutil.which("curl"):
        run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return run.stdout
    words = iter(command[1:])
    headers, body, address = {}, None, ""
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(words)
        elif word != "-s":
            address = "http://" + word
    return requests.post(address, data=body, headers=headers, timeout=60).text


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_a_command_of_the_readme_gives_the_answer_beside_it(
    command: str, shown: str, live_service: str
) -> None:
    words = shlex.split(command.replace("\\\n", " ").replace("localhost:8000", live_service))

    assert json.loads(told_by(words)) == json.loads(shown)


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
