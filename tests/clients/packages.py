"""Generators, linters and compilers that only the tests of clients need.

They are installed below ``.clients/`` once for each state of their lock files, and shared by all
processes of a test session.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NoReturn

import dev
import pytest

from tests.shown_commands import guide_text

HERE: Final = Path(__file__).resolve().parent
SPECIFICATION: Final = HERE.parents[1] / "openapi.yaml"
GUIDE: Final = guide_text()
TYPES_COMMAND: Final = shlex.split(
    re.findall(r"^    npx (openapi-typescript@\S+ .*)$", GUIDE, re.MULTILINE)[0]
)
"""The command of the guide that generates types: program, specification, options."""
INSTALLED: Final = HERE.parents[1] / ".clients"
NPM_FILES: Final = (HERE / "package.json", HERE / "package-lock.json")
NPM_INSTALL: Final = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress")
TSC_OPTIONS: Final = ("--strict", "--skipLibCheck", "--target", "es2022", "--pretty", "false")
"""Options of the TypeScript compiler; to check its own library takes twice the time of the rest."""
ONLY_CODE: Final = dict.fromkeys(("apiDocs", "modelDocs", "apiTests", "modelTests"), "false")
# A short process pays for compilation that it never gets back.
JAVA: Final = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")


@cache
def npm_packages() -> Path:
    """Return the folder that contains ``node_modules``; without npm, skip or fail the test."""
    unable = _unable("TEST_REQUIRE_TYPESCRIPT")
    if shutil.which("node") is None or shutil.which("npm") is None:
        unable("node or npm is not installed")

    def install(folder: Path) -> None:
        for file in NPM_FILES:
            shutil.copy(file, folder)
        subprocess.run(NPM_INSTALL, cwd=folder, capture_output=True, text=True, check=True)

    return _installed("npm", NPM_FILES, install, unable)


@cache
def jars() -> Path:
    """Return the folder of the packages that contain jars; without Java, skip or fail the test."""
    unable = _unable("TEST_REQUIRE_JAVA")
    if shutil.which("java") is None:
        unable("java is not installed")
    return _installed(
        "jars", (dev.CLIENTS,), lambda folder: dev.install_separately(dev.CLIENTS, folder), unable
    )


def generated(
    folder: Path, generators: Mapping[str, Mapping[str, object]], document: Path = SPECIFICATION
) -> Path:
    """Run openapi-generator, and return the folder with a folder for each generator.

    Args:
        folder: an existing one.
        generators: their settings by name: ``additionalProperties``, or all if they have them.
        document: the specification.
    """
    for name, settings in generators.items():
        own = settings if "additionalProperties" in settings else {"additionalProperties": settings}
        configuration = {
            "generatorName": name,
            "inputSpec": str(document),
            "outputDir": str(folder / name),
            "globalProperties": ONLY_CODE,
            **own,
        }
        (folder / f"{name}.json").write_text(json.dumps(configuration))
    jar = jars() / "openapi_generator_cli/openapi-generator.jar"
    # One process for all: most of its time goes into its start.
    configurations = [f"{name}.json" for name in generators]
    output = run(*JAVA, "-jar", jar, "batch", "--fail-fast", *configurations, cwd=folder)
    assert f"finished {len(generators)} generators successfully" in output
    return folder


def compiler(variable: str, program: str, *libraries: Path) -> None:
    """Skip or fail the test if a compiler or one of its libraries (of Debian) is missing."""
    missing = [str(library) for library in libraries if not library.exists()]
    if shutil.which(program) is None or missing:
        _unable(variable)(f"{program} is not installed, or {missing}")


def node_program(name: str) -> str:
    """Return the path of a program of an npm package."""
    return str(npm_packages() / "node_modules/.bin" / name)


def run(*command: str | Path, cwd: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a program and return its output; if it fails, the test fails with the output."""
    variables = {
        **os.environ,
        "REDOCLY_TELEMETRY": "off",
        "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
        **(environment or {}),
    }
    ran = subprocess.run(
        command, cwd=cwd, env=variables, capture_output=True, text=True, check=False
    )
    output = ran.stdout + ran.stderr
    assert ran.returncode == 0, f"{command[0]}:\n{output[-5000:]}"
    return output


def _unable(variable: str) -> Callable[[str], NoReturn]:
    """Return what a missing program does: it skips the test, or fails it if the variable is set."""
    return pytest.fail if os.environ.get(variable) else pytest.skip


def _installed(
    name: str,
    lock_files: tuple[Path, ...],
    install: Callable[[Path], None],
    unable: Callable[[str], NoReturn],
) -> Path:
    """Return the folder with the locked packages; install them first if they are missing."""
    state = hashlib.sha256(b"".join(file.read_bytes() for file in lock_files)).hexdigest()
    folder, complete = INSTALLED / name, INSTALLED / name / ".complete"
    INSTALLED.mkdir(exist_ok=True)
    with (INSTALLED / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Released on close.
        if not complete.exists() or complete.read_text() != state:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                install(folder)
            except subprocess.CalledProcessError as error:
                unable(f"the packages of {name} could not be installed: {error} {error.stderr}")
            complete.write_text(state)
    return folder
