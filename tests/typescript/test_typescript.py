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
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.api.problems import problem_document
from service.app import create_app
from service.config import Config
from service.core.codes import PROBLEM_CODES, REFUSAL_CODES
from service.games.registry import GAMES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SPECIFICATION = ROOT / "openapi.yaml"
GUIDE = (ROOT / "service/api/guide.md").read_text(encoding="utf-8")
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


class Tools:
    """What npm installed, with the types made, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def faulty(self, name: str, text: str) -> tuple[set[int], str]:
        """The lines of a source that do not compile, and what the compiler says."""
        source = self.folder / name
        source.write_text(text, encoding="utf-8")
        program = self.folder / "node_modules/.bin/tsc"
        ran = subprocess.run(
            [program, *STRICT, source.name], cwd=self.folder, capture_output=True, text=True
        )
        lines = re.findall(rf"^{re.escape(name)}\((\d+),", ran.stdout, re.MULTILINE)
        assert bool(lines) == bool(ran.returncode), ran.stdout + ran.stderr
        return {int(line) for line in lines}, ran.stdout


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    """Without npm, or what it installs, these tests are skipped; they fail where
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
    return Tools(folder)


# Documents ------------------------------------------------------------------------------------


def shown() -> Iterator[Typed]:
    """Every example of the specification, with the type that it is an example of."""
    document = yaml.load(SPECIFICATION.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            at = f'paths["{path}"]["{method}"]'
            if "requestBody" in operation:
                yield from _contents(f'{at}["requestBody"]', operation["requestBody"])
            yield from _contents(f'{at}["responses"][200]', operation["responses"]["200"])
    for name, response in document["components"]["responses"].items():
        yield from _contents(f'components["responses"]["{name}"]', response)


def _contents(at: str, holder: Any) -> Iterator[Typed]:
    for media_type, content in holder["content"].items():
        if "example" in content:
            yield f'{at}["content"]["{media_type}"]', content["example"]


def answered() -> Iterator[Typed]:
    """Answers of other shapes than the examples have, and a problem of each code."""
    client = create_app(Config(log_level="CRITICAL")).test_client()
    [verb] = (verb for verb in GAMES["snow-time"].verbs if verb.name == "suggest")
    example = json.loads(json.dumps(verb.example))
    del example["chosen"]
    for changes in (
        {"hint_level": "nudge"},
        {"hint_level": "shortlist"},
        {"objective": "win", "opponents": {}, "tier": "quick"},
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


# Tests ----------------------------------------------------------------------------------------


def test_every_example_has_the_type_that_is_made_for_it(tools: Tools) -> None:
    typed = [*shown(), *answered()]

    assert len(typed) > 40
    _, said = tools.faulty("examples.ts", source(typed))
    assert said == ""


def test_what_is_no_example_has_not(tools: Tools) -> None:
    typed = [(kind, other) for kind, document in shown() for other in spoilt(document)]

    lines, _ = tools.faulty("spoilt.ts", source(typed))

    passed = [typed[line - 2] for line in range(2, len(typed) + 2) if line not in lines]
    assert passed == []


def test_requests_need_no_member_that_has_a_default(tools: Tools) -> None:
    state = next(document for kind, document in shown() if "snow-time/suggest" in kind)["state"]
    body = {"state": state, "player": "marie"}

    _, said = tools.faulty("least.ts", source([(REQUEST, body)]))
    assert said == ""


def test_the_kinds_of_hints_can_be_told_apart(tools: Tools) -> None:
    text = (
        f"{IMPORTS}export function told(hint: {ANSWER}): unknown {{\n"
        '  if ("pick" in hint) return hint.best;\n'
        '  return hint.hint_level === "shortlist" ? hint.shortlist : hint.nudges;\n'
        "}\n"
    )

    _, said = tools.faulty("kinds.ts", text)
    assert said == ""
    wrong = text.replace("hint.best", "hint.shortlist")
    assert tools.faulty("wrong.ts", wrong)[0] == {3}


def test_the_program_of_the_guide_compiles(tools: Tools) -> None:
    [program] = re.findall(r"^```ts\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)

    _, said = tools.faulty("guide.ts", program)
    assert said == ""


def test_the_guide_names_the_version_that_is_tested() -> None:
    tested = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    name, _, version = COMMAND[0].partition("@")

    assert tested[name].startswith(f"{version}.")
    assert COMMAND[-1] == "winter-games.ts"
