"""Types made from openapi.yaml fit its examples, and do not fit what is no example of them.

Needs node and npm, and npm's registry for what package-lock.json names.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.api.problems import problem_document
from service.app import create_app
from service.config import Config
from service.core.violation_codes import PROBLEM_CODES, REFUSAL_CODES
from service.games.registry import GAMES

pytestmark = pytest.mark.contract

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SPECIFICATION = ROOT / "openapi.yaml"
GUIDE = (ROOT / "service/docs/guide.md").read_text(encoding="utf-8")
COMMAND = shlex.split(re.search(r"^    npx (openapi-typescript@\S+ .*)$", GUIDE, re.MULTILINE)[1])
"""How the guide has types made: the program, the specification, options."""
STRICT = ["--strict", "--noEmit", "--target", "es2022", "--module", "esnext"]
IMPORTS = 'import type { components, paths } from "./winter-games";\n'
REQUIRED = "TEST_REQUIRE_TYPESCRIPT"
SUGGEST = "/v1/games/snow-time/suggest"
REQUEST = f'paths["{SUGGEST}"]["post"]["requestBody"]["content"]["application/json"]'
ANSWER = f'paths["{SUGGEST}"]["post"]["responses"][200]["content"]["application/json"]'
Typed = tuple[str, Any]
"""A type of TypeScript, and a document that is to be of it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What npm installed, with the types made.

    Without npm, or what it installs, these tests are skipped; they fail where
    ``TEST_REQUIRE_TYPESCRIPT`` is set.
    """
    unable = pytest.fail if os.environ.get(REQUIRED) else pytest.skip
    if shutil.which("node") is None or shutil.which("npm") is None:
        unable("there is no node with npm")
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    ran = subprocess.run(install, cwd=folder, capture_output=True, text=True)
    if ran.returncode:
        unable(f"npm could not install what makes types: {ran.stderr}")
    program = folder / "node_modules/.bin" / COMMAND[0].partition("@")[0]
    arguments = [str(SPECIFICATION) if "://" in word else word for word in COMMAND[1:]]
    subprocess.run([program, *arguments], cwd=folder, capture_output=True, check=True)
    return folder


@pytest.fixture(scope="module")
def faults(folder: Path) -> dict[str, dict[int, str]]:
    """What the compiler says of each source, by line; all at once, for each start takes seconds."""
    for name, text in sources().items():
        (folder / name).write_text(text, encoding="utf-8")
    program = folder / "node_modules/.bin/tsc"
    ran = subprocess.run([program, *STRICT, *sources()], cwd=folder, capture_output=True, text=True)
    told: dict[str, dict[int, str]] = {name: {} for name in sources()}
    for name, line, fault in re.findall(
        r"^([\w-]+\.ts)\((\d+),\d+\): (.*)", ran.stdout, re.MULTILINE
    ):
        told[name][int(line)] = fault
    assert bool(ran.returncode) == any(told.values()), ran.stdout + ran.stderr
    return told


# Documents ------------------------------------------------------------------------------------


@cache
def shown() -> tuple[Typed, ...]:
    """Every example of the specification, with the type that it is an example of."""
    document = yaml.load(SPECIFICATION.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    held = [
        (f'components["responses"]["{name}"]', response)
        for name, response in document["components"]["responses"].items()
    ]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            at = f'paths["{path}"]["{method}"]'
            if "requestBody" in operation:
                held.append((f'{at}["requestBody"]', operation["requestBody"]))
            held.append((f'{at}["responses"][200]', operation["responses"]["200"]))
    return tuple(typed for each in held for typed in _contents(*each))


def _contents(at: str, holder: Any) -> Iterator[Typed]:
    for media_type, content in holder["content"].items():
        if "example" in content:
            yield f'{at}["content"]["{media_type}"]', content["example"]


def answered() -> Iterator[Typed]:
    """Answers of other shapes than the examples have, and a problem of each code."""
    client = create_app(Config(log_level="CRITICAL")).test_client()
    [verb] = (verb for verb in GAMES["snow-time"].endpoints if verb.name == "suggest")
    example = json.loads(json.dumps(verb.example))
    del example["chosen"]
    for changes in (
        {"hint_level": "nudge"},
        {"hint_level": "shortlist"},
        {"objective": "win", "opponents": {}, "effort": "quick"},
    ):
        body = example | changes
        yield REQUEST, body
        yield ANSWER, client.post(SUGGEST, json=body).get_json()
    for code in PROBLEM_CODES | REFUSAL_CODES:
        yield 'components["schemas"]["Problem"]', problem_document(400, code, "x", "y")


def spoilt(document: Any) -> Iterator[Any]:
    """Documents that are no examples any more: misspelt, without a member, of another type."""
    name = next(iter(document))
    yield {f"{each}_": value for each, value in document.items()}
    yield {each: value for each, value in document.items() if each != name}
    yield document | {name: 0 if isinstance(document[name], str | list | dict) else "0"}


def source(typed: list[Typed]) -> str:
    """A constant a line, from the second line on."""
    return IMPORTS + "".join(
        f"export const x{number}: {kind} = {json.dumps(document, ensure_ascii=False)};\n"
        for number, (kind, document) in enumerate(typed)
    )


TOLD_APART = f"""\
{IMPORTS}\
export function told(hint: {ANSWER}): unknown {{
  if ("pick" in hint) return hint.best;
  return hint.hint_level === "shortlist" ? hint.shortlist : hint.nudges;
}}
"""
PROGRAM = "".join(re.findall(r"^```ts\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))


@cache
def sources() -> dict[str, str]:
    """All that is compiled, by the names of files."""
    state = next(document for kind, document in shown() if SUGGEST in kind)["state"]
    return {
        "examples.ts": source([*shown(), *answered()]),
        "spoilt.ts": source(all_spoilt()),
        "least.ts": source([(REQUEST, {"state": state, "player": "marie"})]),
        "apart.ts": TOLD_APART,
        "mixed-up.ts": TOLD_APART.replace("hint.best", "hint.shortlist"),
        "guide.ts": PROGRAM,
    }


@cache
def all_spoilt() -> list[Typed]:
    return [(kind, other) for kind, document in shown() for other in spoilt(document)]


# Tests ----------------------------------------------------------------------------------------

Faults = dict[str, dict[int, str]]


def test_every_example_has_the_type_that_is_made_for_it(faults: Faults) -> None:
    assert sources()["examples.ts"].count("export const") > 60
    assert faults["examples.ts"] == {}


def test_what_is_no_example_has_not(faults: Faults) -> None:
    found = faults["spoilt.ts"]

    passed = [typed for line, typed in enumerate(all_spoilt(), start=2) if line not in found]
    assert passed == []


def test_requests_need_no_member_that_has_a_default(faults: Faults) -> None:
    assert faults["least.ts"] == {}


def test_the_kinds_of_hints_can_be_told_apart(faults: Faults) -> None:
    assert faults["apart.ts"] == {}
    assert list(faults["mixed-up.ts"]) == [3]


def test_the_program_of_the_guide_compiles(faults: Faults) -> None:
    assert "await fetch(" in PROGRAM
    assert faults["guide.ts"] == {}


def test_the_guide_names_the_version_that_is_tested() -> None:
    tested = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    name, _, version = COMMAND[0].partition("@")

    assert tested[name].startswith(f"{version}.")
    assert COMMAND[-1] == "winter-games.ts"
