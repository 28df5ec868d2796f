"""Generated clients of Go, Java and PHP play whole games; Rust models decode and encode them.

The settings of the generators and the first lines of a program are those of the guide.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from golden.asking import ask

from service.core.languages import DEFAULT_LANGUAGE
from tests.clients.packages import GUIDE, HERE, JAVA, SPECIFICATION, compiler, generated, run
from tests.shown_commands import program_of

pytestmark = pytest.mark.contract

PROGRAMS = HERE / "programs"
DEBIAN_JARS = Path("/usr/share/java")
JARS = ("jackson-annotations", "jackson-core", "jackson-databind", "geronimo-annotation-1.3-spec")
GO_PATH = Path("/usr/share/gocode")
CRATES = Path("/usr/share/cargo/registry")
GUZZLE = Path("/usr/share/php/GuzzleHttp/autoload.php")
JAVA_SOURCES = "src/main/java/org/openapitools/client"
DATE_MODULES = (
    ("org.openapitools.client", "RFC3339JavaTimeModule"),
    ("com.fasterxml.jackson.datatype.jsr310", "JavaTimeModule"),
)
EMPTY_MODULE = "com.fasterxml.jackson.databind.module.SimpleModule"
Document = dict[str, Any]
NEW_EVENTS: list[Document] = [{"type": "avalanche", "step": "E", "rule": "R99", "buried": ["red"]}]


def settings(name: str) -> dict[str, Any]:
    """Return the settings of a generator that the guide shows."""
    command = re.search(rf"generate -g {name} .*?\n\n", GUIDE, re.DOTALL)
    assert command is not None
    shown = re.findall(r"--additional-properties (\S+)", command[0])
    pairs = (pair.split("=") for each in shown for pair in each.split(","))
    return {key: {"true": True, "false": False}.get(value, value) for key, value in pairs}


# Games without HTTP ----------------------------------------------------------------------------


def played(asked: list[tuple[str, Document]] | None = None) -> list[str]:
    """Return what the programs print; collect all responses with the names of their schemas."""

    def post(game: str, endpoint: str, body: Document) -> Document:
        # As sent: without tuples and enumerations.
        response: Document = json.loads(json.dumps(ask(game, endpoint, body, DEFAULT_LANGUAGE)))
        if asked is not None:
            words = f"{game}-{endpoint}-response".split("-")
            asked.append(("".join(word.capitalize() for word in words), response))
        return response

    return [snow_time(post), turns(post, "slopecrashers"), turns(post, "snowcrest")]


def snow_time(post: Any) -> str:
    players = {"red": "anna", "blue": "bob", "green": "cleo"}
    seats = [{"seat": seat, "player": player} for seat, player in players.items()]
    state = post("snow-time", "new", {"seats": seats})["state"]
    number, events, over = 0, 0, False
    while not over:
        number += 1
        state = post("snow-time", "grow", {"state": state, "seed": number})["state"]
        moves: Document = {}
        for player in players.values():
            question = {"state": state, "player": player, "effort": "quick", "nonce": str(number)}
            moves |= post("snow-time", "suggest", question)["pick"]
        legal = None
        while legal != {}:
            legal = post("snow-time", "legal-moves", {"state": state, "revealed": moves})["moves"]
            moves |= {seat: choices[-1] for seat, choices in legal.items()}
        resolved = post("snow-time", "resolve", {"state": state, "moves": moves})
        state, over = resolved["state"], resolved["game_over"]
        events += len(resolved["events"])
    return " ".join((str(number), str(events), *resolved["winners"]))


def turns(post: Any, game: str) -> str:
    seats = [{"player": "anna"}, {"player": "bob"}]
    state = post(game, "new", {"seats": seats, "seed": 1})["state"]
    number, events, over = 0, 0, False
    while not over:
        number += 1
        so_far: list[Document] = []
        while (legal := post(game, "legal-moves", {"state": state, "so_far": so_far}))[
            "decision"
        ] != "none":
            if legal["decision"] == "draw":
                so_far.append({"type": "draw", "card": legal["draw"][0]["card"]})
                continue
            question = {"state": state, "so_far": so_far, "effort": "quick"}
            question["player"] = legal["player"]
            so_far.append(post(game, "suggest", question)["pick"])
        resolved = post(game, "resolve", {"state": state, "moves": so_far})
        state, over = resolved["state"], resolved["game_over"]
        events += len(resolved["events"])
    return " ".join((str(number), str(events), *resolved["winners"]))


@pytest.fixture(scope="module")
def responses() -> list[tuple[str, Document]]:
    asked: list[tuple[str, Document]] = []
    played(asked)
    return asked


def later_response(folder: Path, new_events: Sequence[Document] = NEW_EVENTS) -> Path:
    """Return a file with a response that has new members, a new card and a new kind of event."""
    seats = [{"seat": seat} for seat in ("red", "blue", "green")]
    state = ask("snow-time", "new", {"seats": seats})["state"]
    moves = {seat["seat"]: {"card": "5"} for seat in seats}
    response = json.loads(json.dumps(ask("snow-time", "resolve", {"state": state, "moves": moves})))
    response["events"] = [*new_events, {**response["events"][-1], "added": 1}]
    response["state"]["seats"][0]["hand"].append("avalanche")
    file = folder / "later.json"
    file.write_text(json.dumps({**response, "added": [{"a": 1}]}))
    return file


# Clients ---------------------------------------------------------------------------------------


def test_go_plays_all_games(live_service: str, tmp_path: Path) -> None:
    compiler("TEST_REQUIRE_GO", "go", GO_PATH / "src/gopkg.in/validator.v2")
    client = generated(tmp_path, {"go": settings("go")}) / "go"
    program, guide = tmp_path / "go-path/src/x", tmp_path / "go-path/src/guide"
    shutil.copytree(client, program / "openapi", ignore=shutil.ignore_patterns("go.*"))
    shutil.copy(PROGRAMS / "go_client.go", program)
    guide.mkdir()
    shown = "\n".join(f"\t{line}" for line in program_of(GUIDE, "go", live_service).splitlines())
    (guide / "main.go").write_text(
        'package main\n\nimport (\n\t"context"\n\t"fmt"\n\n\tgames "x/openapi"\n)\n\n'
        f"func main() {{\n{shown}\n\tfmt.Println(len(begun.State.Seats), err)\n}}\n"
    )
    path = {"GO111MODULE": "off", "GOPATH": f"{tmp_path / 'go-path'}:{GO_PATH}", "GOFLAGS": ""}

    command = ("go", "run", ".", f"http://{live_service}")
    output = run(*command, cwd=program, environment=path)
    later = run(*command, later_response(tmp_path), cwd=program, environment=path)

    assert output.splitlines() == played()
    assert later.split() == ["2", "false"]
    assert run("go", "run", ".", cwd=guide, environment=path).split() == ["3", "<nil>"]


def test_java_plays_all_games(live_service: str, tmp_path: Path) -> None:
    libraries = [DEBIAN_JARS / f"{name}.jar" for name in (*JARS, "jsr305")]
    compiler("TEST_REQUIRE_JAVAC", "javac", *libraries)
    client = generated(tmp_path, {"java": settings("java")}) / "java"
    # The specification has no dates, and Debian has no library for them.
    (client / JAVA_SOURCES / "RFC3339InstantDeserializer.java").unlink()
    for package, name in DATE_MODULES:
        folder = client / "src/main/java" / package.replace(".", "/")
        folder.mkdir(parents=True, exist_ok=True)
        text = f"package {package};\npublic class {name} extends {EMPTY_MODULE} {{}}"
        (folder / f"{name}.java").write_text(text)
    shown = program_of(GUIDE, "java", live_service)
    (client / "Guide.java").write_text(
        "import java.util.List;\nimport org.openapitools.client.*;\n"
        "import org.openapitools.client.api.*;\nimport org.openapitools.client.model.*;\n"
        "public class Guide { public static void main(String[] arguments) throws Exception {\n"
        f"{shown}\nSystem.out.println(begun.getSeats().size()); }} }}\n"
    )
    path = ":".join(map(str, libraries))
    sources = [PROGRAMS / "JavaClient.java", "Guide.java", *client.glob("src/main/java/**/*.java")]
    run("javac", "-nowarn", "-d", "out", "-cp", path, *sources, cwd=client)
    command = (*JAVA, "-cp", f"out:{path}")

    output = run(*command, "JavaClient", f"http://{live_service}", cwd=client)
    later = run(*command, "JavaClient", "", later_response(tmp_path, ()), cwd=client)

    assert output.splitlines() == played()
    assert later.split() == ["1", "false"]
    assert run(*command, "Guide", cwd=client).split() == ["3"]


def test_php_plays_all_games(live_service: str, tmp_path: Path) -> None:
    compiler("TEST_REQUIRE_PHP", "php", GUZZLE)
    client = generated(tmp_path, {"php": settings("php")}) / "php"
    shutil.copy(PROGRAMS / "php_client.php", client)
    shutil.copy(PROGRAMS / "php_loader.php", client)
    shown = program_of(GUIDE, "php", live_service)
    (client / "guide.php").write_text(
        f"<?php\nrequire 'php_loader.php';\n{shown}\n"
        "echo count($begun->getSeats()), ' ', $move->getCard();\n"
    )
    php = ("php", "-d", "memory_limit=1G")

    output = run(*php, "php_client.php", f"http://{live_service}", cwd=client)
    later = run(*php, "php_client.php", "", later_response(tmp_path), cwd=client)

    assert output.splitlines() == played()
    assert later.split() == ["2", "false"]
    assert run(*php, "guide.php", cwd=client).split() == ["3", "6"]


def test_rust_models_decode_and_encode_all_responses(
    responses: list[tuple[str, Document]], tmp_path: Path
) -> None:
    compiler("TEST_REQUIRE_RUST", "cargo", CRATES)
    document = yaml.safe_load(SPECIFICATION.read_text(encoding="utf-8"))
    (tmp_path / "openapi.json").write_text(json.dumps(without_discriminators(document)))
    client = generated(tmp_path, {"rust": {}}, tmp_path / "openapi.json") / "rust"
    crate = tmp_path / "crate"
    shutil.copytree(client / "src/models", crate / "src/models")
    names = sorted({name for name, _ in responses})
    cases = "".join(f'        "{name}" => check::<models::{name}>(value),\n' for name in names)
    program = (PROGRAMS / "rust_client.rs").read_text(encoding="utf-8")
    (crate / "src/main.rs").write_text(program.replace("        // CASES\n", cases))
    (crate / "Cargo.toml").write_text(
        '[package]\nname = "client"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\n'
        'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\n'
    )
    (crate / ".cargo").mkdir()
    (crate / ".cargo/config.toml").write_text(
        f'[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "{CRATES}"\n'
    )
    # A client ignores members that it does not know.
    grown = [(name, {**response, "added": [1]}) for name, response in responses]
    (crate / "responses.json").write_text(json.dumps([*responses, *grown]))

    output = run("cargo", "run", "--offline", "-q", "responses.json", cwd=crate)

    assert output.splitlines()[-1] == f"{len(responses)} alike, {len(responses)} ignore members"


def without_discriminators(node: Any) -> Any:
    if isinstance(node, list):
        return [without_discriminators(each) for each in node]
    if isinstance(node, dict):
        kept = {name: value for name, value in node.items() if name != "discriminator"}
        return {name: without_discriminators(value) for name, value in kept.items()}
    return node
