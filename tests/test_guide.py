"""Run every command of the guide for app developers and compare the answers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from service.api.openapi import published
from service.docs.guide_chapters import FOLDER
from tests.loops import for_each
from tests.shown_commands import abridged, examples_of, guide_text, program_of, run, shown_output

ROOT = Path(__file__).parents[1]
GUIDE = guide_text()
EXAMPLES = examples_of(GUIDE)
STEPS = ("new", "grow", "legal-moves", "suggest", "resolve")


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_a_command_of_the_guide_returns_the_answer_shown_below_it(
    command: str, shown: str, live_service: str
) -> None:
    expected = parsed(shown)

    assert abridged(parsed(run(command, live_service)), expected) == expected


def parsed(text: str) -> Any:
    """Return a JSON value, or the list of values of a text with one on each line."""
    lines = text.splitlines()
    if len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines):
        return [json.loads(line) for line in lines]
    return json.loads(text)


def test_every_curl_command_of_the_guide_has_an_answer() -> None:
    assert len(EXAMPLES) == len(re.findall(r"^curl ", GUIDE, re.MULTILINE))


def test_the_python_program_of_the_guide_prints_what_it_shows(live_service: str) -> None:
    program = program_of(GUIDE, "python", live_service)

    assert output_of([sys.executable, "-c", program]) == shown_output(program, "# ")


def test_the_javascript_program_of_the_guide_prints_what_it_shows(
    live_service: str, tmp_path: Path
) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program = program_of(GUIDE, "js", live_service)
    (tmp_path / "guide.mjs").write_text(program)

    assert output_of(["node", str(tmp_path / "guide.mjs")]) == shown_output(program, "// ")


@for_each("language", ["python", "js", "kotlin"])
def test_each_program_of_the_guide_plays_a_round_and_two_turns(language: str) -> None:
    program = program_of(GUIDE, language, "localhost:8000")
    turns = product(("slopecrashers", "snowcrest"), ("suggest", "resolve"))
    steps = {f"snow-time/{step}" for step in STEPS} | {f"{game}/{step}" for game, step in turns}

    assert set(re.findall(r'post\("([a-z/-]+)"', program)) == steps


def test_the_guide_names_the_tested_versions_of_generators() -> None:
    tests = Path(__file__).parent
    packages = json.loads((tests / "clients/package.json").read_text())["devDependencies"]
    locked = "".join(
        (tests / f"{folder}requirements.txt").read_text() for folder in ("", "clients/")
    )
    packages |= dict(re.findall(r"^([\w-]+)==(\S+)", locked, re.MULTILINE))
    packages["openapi-generator"] = packages["openapi-generator-cli"]
    named = re.findall(
        r"(@?[\w/-]+) (\d+\.\d+)(?=[ ,|])",
        GUIDE.partition("## Generate a client")[2].partition("## Read")[0],
    )

    assert len(named) == 11
    [major] = re.findall(r"npx openapi-typescript@(\d+) ", GUIDE)
    for name, version in (*named, ("openapi-typescript", major)):
        assert packages[name].startswith(f"{version}."), name


@for_each(
    "chapter, schemas",
    [
        ("hint", ("SnowTimeCardHint", "SlopecrashersSuggestResponse", "SnowcrestSuggestResponse")),
        ("hint", ("SnowTimeMoveValue", "SlopecrashersActionValue", "SnowcrestActionValue")),
        ("hint", ("SnowTimeSearch", "TurnSearch")),
        ("options", ("SnowTimeSuggestRequest", "SnowTimeOpponents")),
        ("options", ("SlopecrashersSuggestRequest", "SnowcrestSuggestRequest")),
    ],
)
def test_the_reference_lists_every_field(chapter: str, schemas: tuple[str, ...]) -> None:
    text = (ROOT / FOLDER / f"{chapter}.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\|(.*?)\|", text, re.MULTILINE)
    names = {name.rpartition(".")[2] for row in listed for name in re.findall("`([^`]+)`", row)}
    components = published.document()["components"]["schemas"]
    fields = {field for name in schemas for field in components[name]["properties"]}

    assert fields <= names | {"opponents", "include"}


def output_of(command: list[str]) -> list[str]:
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_the_guide_shows_every_endpoint_of_a_round_and_of_a_turn() -> None:
    routes = [re.search(r"/v1/([a-z/-]+)", command)[1] for command, _ in EXAMPLES]

    for endpoint in STEPS:
        assert f"games/snow-time/{endpoint}" in routes
    for endpoint in ("legal-moves", "suggest", "resolve", "review"):
        assert f"games/slopecrashers/{endpoint}" in routes
    assert {"batch", "version"} <= set(routes)


PARTS: list[tuple[Any, Any, bool]] = [
    ({"a": 1, "b": 2}, {"a": 1}, False),
    ({"a": 1}, {"a": 1, "…": "…"}, False),
    ({"a": 1}, {"b": "…", "…": "…"}, False),
    ([1, 2], [1], False),
    ([1], [1, "…"], False),
    ([1, 2, 3], [1, "…", 2], False),
    ([1, 2, 3], [2, "…"], False),
    ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, False),
    ({"a": 1, "b": 2}, {"a": 1, "…": "…"}, True),
    ({"a": {"b": 2}}, {"a": "…"}, True),
    ([1, 2, 3], [1, "…"], True),
    ([1, 2, 3], [1, "…", 3], True),
    ([{"a": 1, "b": 2}, 3], [{"a": 1, "…": "…"}, "…"], True),
    ([1], ["…"], True),
]


@for_each("answer, shown, matches", PARTS)
def test_an_omission_matches_any_value_and_nothing_else(
    answer: Any, shown: Any, matches: bool
) -> None:
    assert (abridged(answer, shown) == shown) == matches
