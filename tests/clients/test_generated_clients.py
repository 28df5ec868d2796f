"""Generated clients play a whole game of Snow Time and a turn of Slopecrashers.

Each program in ``programs/`` uses the client of one generator and reads typed fields: all three
kinds of hints, and the events of a round. All of them play the same game with the same nonces, so
they print the same summary.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.clients.packages import (
    GUIDE,
    HERE,
    JAVA,
    SPECIFICATION,
    TSC_OPTIONS,
    generated,
    jars,
    node_program,
    run,
)
from tests.shown_commands import program_of

pytestmark = pytest.mark.contract

PROGRAMS = HERE / "programs"
TSC = (*TSC_OPTIONS, "--lib", "es2022,dom,dom.iterable", "--module", "node16", "--outDir", "out")
KOTLIN_MODELS = "src/main/kotlin/org/openapitools/client/models"
OPENAPI_GENERATOR: dict[str, dict[str, Any]] = {
    "typescript-fetch": {"additionalProperties": {}},
    "kotlin": {
        "additionalProperties": {
            "library": "jvm-retrofit2",
            "serializationLibrary": "kotlinx_serialization",
            # A union becomes a sealed interface, not one interface with the fields of all kinds.
            "generateOneOfAnyOfWrappers": True,
        },
        # The body of a request in a batch can be any object.
        "typeMappings": {"AnyType": "JsonElement"},
        "importMappings": {"JsonElement": "kotlinx.serialization.json.JsonElement"},
    },
    "swift6": {"additionalProperties": {}},
}
"""Settings of each generator."""
KOTLIN_COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"
SERIALIZATION = "org.jetbrains.kotlinx.serialization.compiler.extensions"
SERIALIZATION_PLUGIN = f"{SERIALIZATION}.SerializationComponentRegistrar"
GUIDE_OUTPUT = 'fun main() { println(pick); println(resolved["game_over"]) }'
Summary = dict[str, Any]


@pytest.fixture(scope="module")
def openapi_generator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the output of openapi-generator, one folder for each of its generators."""
    return generated(tmp_path_factory.mktemp("openapi-generator"), OPENAPI_GENERATOR)


@pytest.fixture(scope="module")
def typescript_clients(
    openapi_generator: Path, typescript_types: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder with the compiled TypeScript programs; one compiler run, which takes seconds."""
    folder = tmp_path_factory.mktemp("typescript")
    sources = [file for file in PROGRAMS.iterdir() if file.suffix == ".ts"]
    clients = folder / "generated"
    clients.mkdir()
    for file in sources:
        shutil.copy(file, folder)
    shutil.copy(typescript_types, clients)
    shutil.copytree(openapi_generator / "typescript-fetch", clients / "typescript-fetch")
    options = ("-c", "@hey-api/client-fetch", "--no-log-file", "--silent")
    run(
        *(node_program("openapi-ts"), "-i", SPECIFICATION, "-o", clients / "hey-api", *options),
        cwd=folder,
    )
    modules = Path(node_program("tsc")).parents[1]
    (folder / "node_modules").symlink_to(modules)  # One program imports openapi-fetch.
    run(node_program("tsc"), *TSC, *(file.name for file in sources), cwd=folder)
    return folder / "out"


def summary_of(output: str) -> Summary:
    """Return the summary that a program printed, after checking that it played a whole game."""
    summary = json.loads(output)
    assert summary["rounds"] > 3
    assert all(summary["hints"][level] > 0 for level in ("card", "shortlist", "nudge"))
    assert summary["strikeLevels"] > 0
    assert set(summary["winners"]) <= {"anna", "bob", "cleo"}
    assert summary["winners"]
    return summary


@pytest.fixture(scope="module")
def python_summary(live_service: str, tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """The summary of the Python program, which the others must equal."""
    folder = tmp_path_factory.mktemp("python")
    (folder / "settings.yaml").write_text("post_hooks: []\n")
    output = run(
        *(sys.executable, "-m", "openapi_python_client", "generate", "--path", SPECIFICATION),
        *("--meta", "none", "--output-path", "generated", "--config", "settings.yaml"),
        cwd=folder,
    )
    # A response as YAML is text for people, so the client leaves this one operation out.
    assert re.findall("WARNING parsing (.*) within", output) == ["GET /openapi.yaml"]
    shutil.copy(PROGRAMS / "python_client.py", folder)
    return summary_of(run(sys.executable, "python_client.py", f"http://{live_service}", cwd=folder))


def test_the_client_of_openapi_python_client_plays(python_summary: Summary) -> None:
    assert python_summary["turn"][0] == "place"
    assert python_summary["turnEvents"] > 0


@pytest.mark.parametrize("program", ["openapi_typescript", "hey_api", "typescript_fetch"])
def test_a_typescript_client_plays(
    program: str, live_service: str, typescript_clients: Path, python_summary: Summary
) -> None:
    output = run("node", f"{program}.js", f"http://{live_service}", cwd=typescript_clients)

    assert summary_of(output) == python_summary


def test_kotlin_compiles_and_plays(
    live_service: str, openapi_generator: Path, python_summary: Summary, tmp_path: Path
) -> None:
    """The generated models and the program of the guide, with the compiler of a Jupyter kernel."""
    folder = jars() / "run_kotlin_kernel/jars"
    [compiler] = folder.glob("kotlin-jupyter-kernel-*-all.jar")
    libraries = [*folder.glob("kotlin-*.jar"), *folder.glob("kotlinx-serialization-*.jar")]
    libraries.remove(compiler)
    # The jar of the compiler contains the plugin, but declares others with it.
    with zipfile.ZipFile(tmp_path / "plugin.jar", "w") as plugin:
        declaration = "META-INF/services/org.jetbrains.kotlin.compiler.plugin."
        plugin.writestr(f"{declaration}CompilerPluginRegistrar", SERIALIZATION_PLUGIN)
    path = ":".join(map(str, libraries))
    guide = program_of(GUIDE, "kotlin", live_service)
    (tmp_path / "Guide.kt").write_text(f"package guide\n{guide}{GUIDE_OUTPUT}")
    program = PROGRAMS / "KotlinClient.kt"
    models = used(program, openapi_generator / "kotlin" / KOTLIN_MODELS)
    run(
        *(*JAVA, "-cp", f"{compiler}:{path}", KOTLIN_COMPILER, "-no-stdlib", "-no-reflect"),
        *("-nowarn", "-Xdisable-default-scripting-plugin", "-Xplugin=plugin.jar", "-cp", path),
        *("-d", "client.jar", "Guide.kt", program, *models),
        cwd=tmp_path,
    )
    command = (*JAVA, "-cp", f"client.jar:{path}")
    address = f"http://{live_service}"
    summary = summary_of(run(*command, "KotlinClientKt", address, cwd=tmp_path))

    assert summary == {name: python_summary[name] for name in summary}
    [pick] = re.findall(r"^val pick = .* // (.*)$", guide, re.MULTILINE)
    assert run(*command, "guide.GuideKt", cwd=tmp_path).split() == [pick, "false"]


def used(program: Path, folder: Path) -> list[Path]:
    """Return the models that a program uses: to compile all of them takes four times as long."""
    models = {file.stem: file for file in folder.iterdir()}
    files, reached = [program], set()
    for file in files:
        names = models.keys() & set(re.findall(r"\w+", file.read_text()))
        files += [models[name] for name in sorted(names - reached)]
        reached |= names
    return files[1:]


def test_a_hint_has_three_cases_in_swift(openapi_generator: Path) -> None:
    [source] = (openapi_generator / "swift6").rglob("SnowTimeSuggestResponse.swift")
    text = source.read_text()

    assert "enum SnowTimeSuggestResponse:" in text
    assert re.findall(r"^    case \w+\((\w+)\)$", text, re.MULTILINE) == [
        "SnowTimeCardHint",
        "SnowTimeNudgeHint",
        "SnowTimeShortlistHint",
    ]
    assert re.findall(r'case "(.*)":', text) == ["card", "nudge", "shortlist"]
