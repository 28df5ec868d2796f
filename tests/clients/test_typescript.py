"""The TypeScript types from openapi.yaml accept its examples and reject invalid documents.

The tests need node and npm, and the npm registry for the packages of package-lock.json.
"""

from __future__ import annotations

import json
import re
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
from tests.clients.packages import GUIDE, SPECIFICATION, TSC_OPTIONS, node_program

pytestmark = pytest.mark.contract

HERE = Path(__file__).resolve().parent
STRICT = [*TSC_OPTIONS, "--noEmit", "--module", "esnext"]
IMPORTS = 'import type { components, paths } from "./winter-games";\n'
SUGGEST = "/v1/games/snow-time/suggest"
REQUEST = f'paths["{SUGGEST}"]["post"]["requestBody"]["content"]["application/json"]'
RESPONSE = f'paths["{SUGGEST}"]["post"]["responses"][200]["content"]["application/json"]'
Typed = tuple[str, Any]
"""A TypeScript type, and a document of that type."""


@pytest.fixture(scope="module")
def folder(typescript_types: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated types."""
    folder = tmp_path_factory.mktemp("typescript")
    shutil.copy(typescript_types, folder)
    return folder


@pytest.fixture(scope="module")
def compiler_errors(folder: Path) -> dict[str, dict[int, str]]:
    """The compiler errors of each source by line; one run, because each start takes seconds."""
    for name, text in sources().items():
        (folder / name).write_text(text, encoding="utf-8")
    program = node_program("tsc")
    ran = subprocess.run([program, *STRICT, *sources()], cwd=folder, capture_output=True, text=True)
    errors: dict[str, dict[int, str]] = {name: {} for name in sources()}
    for name, line, error in re.findall(
        r"^([\w-]+\.ts)\((\d+),\d+\): (.*)", ran.stdout, re.MULTILINE
    ):
        errors[name][int(line)] = error
    assert bool(ran.returncode) == any(errors.values()), ran.stdout + ran.stderr
    return errors


# Documents ------------------------------------------------------------------------------------


@cache
def spec_examples() -> tuple[Typed, ...]:
    """Return every example of the specification with its type."""
    document = yaml.load(SPECIFICATION.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    carriers = [
        (f'components["responses"]["{name}"]', response)
        for name, response in document["components"]["responses"].items()
    ]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            type_path = f'paths["{path}"]["{method}"]'
            if "requestBody" in operation:
                carriers.append((f'{type_path}["requestBody"]', operation["requestBody"]))
            carriers.append((f'{type_path}["responses"][200]', operation["responses"]["200"]))
    return tuple(typed for each in carriers for typed in _contents(*each))


def _contents(type_path: str, carrier: Any) -> Iterator[Typed]:
    for media_type, content in carrier["content"].items():
        if "example" in content:
            yield f'{type_path}["content"]["{media_type}"]', content["example"]


def service_examples() -> Iterator[Typed]:
    """Yield responses of other shapes than the examples, and a problem of each code."""
    client = create_app(Config(log_level="CRITICAL")).test_client()
    [endpoint] = (
        endpoint for endpoint in GAMES["snow-time"].endpoints if endpoint.name == "suggest"
    )
    example = json.loads(json.dumps(endpoint.example))
    for changes in (
        {"hint_level": "nudge"},
        {"hint_level": "shortlist"},
        {"objective": "win", "opponents": {}, "effort": "quick"},
    ):
        body = example | changes
        yield REQUEST, body
        yield RESPONSE, client.post(SUGGEST, json=body).get_json()
    for code in PROBLEM_CODES | REFUSAL_CODES:
        yield 'components["schemas"]["Problem"]', problem_document(400, code, "x", "y")


def invalid_variants(document: Any) -> Iterator[Any]:
    """Yield invalid variants: misspelt members, a missing member, a member of another type."""
    name = next(iter(document))
    yield {f"{each}_": value for each, value in document.items()}
    yield {each: value for each, value in document.items() if each != name}
    yield document | {name: 0 if isinstance(document[name], str | list | dict) else "0"}


def source(typed: list[Typed]) -> str:
    """Return a source with one constant per line, from the second line on."""
    return IMPORTS + "".join(
        f"export const x{number}: {kind} = {json.dumps(document, ensure_ascii=False)};\n"
        for number, (kind, document) in enumerate(typed)
    )


NARROWING = f"""\
{IMPORTS}\
export function content(hint: {RESPONSE}): unknown {{
  if (hint.hint_level === "card") return hint.pick_index;
  return hint.hint_level === "shortlist" ? hint.shortlist : hint.nudges;
}}
"""
PROGRAM = "".join(re.findall(r"^```ts\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))


@cache
def sources() -> dict[str, str]:
    """Return all sources by file name."""
    request = next(document for kind, document in spec_examples() if SUGGEST in kind)
    return {
        "examples.ts": source([*spec_examples(), *service_examples()]),
        "invalid.ts": source(all_invalid()),
        "minimal.ts": source([(REQUEST, {name: request[name] for name in ("state", "player")})]),
        "narrowing.ts": NARROWING,
        "wrong-narrowing.ts": NARROWING.replace("hint.pick_index", "hint.shortlist"),
        "guide.ts": PROGRAM,
    }


@cache
def all_invalid() -> list[Typed]:
    return [
        (kind, other) for kind, document in spec_examples() for other in invalid_variants(document)
    ]


# Tests ----------------------------------------------------------------------------------------

Errors = dict[str, dict[int, str]]


def test_every_example_has_its_generated_type(compiler_errors: Errors) -> None:
    assert sources()["examples.ts"].count("export const") > 60
    assert compiler_errors["examples.ts"] == {}


def test_invalid_documents_do_not_compile(compiler_errors: Errors) -> None:
    errors = compiler_errors["invalid.ts"]

    accepted = [typed for line, typed in enumerate(all_invalid(), start=2) if line not in errors]
    assert accepted == []


def test_members_with_a_default_are_optional_in_requests(compiler_errors: Errors) -> None:
    assert compiler_errors["minimal.ts"] == {}


def test_types_distinguish_the_kinds_of_hints(compiler_errors: Errors) -> None:
    assert compiler_errors["narrowing.ts"] == {}
    assert list(compiler_errors["wrong-narrowing.ts"]) == [3]


def test_the_program_of_the_guide_compiles(compiler_errors: Errors) -> None:
    assert "await fetch(" in PROGRAM
    assert compiler_errors["guide.ts"] == {}
