#!/usr/bin/env python3
"""Developer commands. Each one first installs what it needs into .venv/.

    python3 scripts/dev.py serve [--host H] [--port N]   serve the API with gunicorn
    python3 scripts/dev.py test [--all] [PYTEST ARGS]    run the default tests, or all of them
    python3 scripts/dev.py check [NAME ...]              run the static checks, or some of them
    python3 scripts/dev.py run ARGS                      run the Python of .venv/
    python3 scripts/dev.py lock [--upgrade]              rewrite the lock files and the SBOM

This file uses only the standard library, because nothing else is installed when it starts. uv does
the work of a package manager; pip is needed once, to install uv.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
RUNTIME = ROOT / "deploy" / "requirements.txt"
TRACING = ROOT / "deploy" / "tracing.txt"
TESTS = ROOT / "tests" / "requirements.txt"
TOOLS = ROOT / "scripts" / "requirements.txt"
CLIENTS = ROOT / "tests" / "clients" / "requirements.txt"
LOCK_FILES = (RUNTIME, TRACING, TESTS, TOOLS, CLIENTS)
CONSTRAINTS = {TRACING: (RUNTIME,), TESTS: (RUNTIME, TRACING)}
"""Lock files whose versions another one must use, because they are installed together."""
SBOM = ROOT / "deploy" / "sbom.cdx.json"
"""Software bill of materials of the image, in the CycloneDX format."""
LOCKED_ONLY = ("--quiet", "--require-hashes", "--only-binary=:all:")

MALLOC = {
    "MALLOC_TRIM_THRESHOLD_": "134217728",
    "MALLOC_MMAP_THRESHOLD_": "33554432",
    "MALLOC_ARENA_MAX": "2",
}
"""The settings of glibc in deploy/Dockerfile: a hint reuses the memory of the one before."""

GUNICORN = ("-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "service.app:create_app()")


class SetupError(Exception):
    """Setup cannot continue; the message is one sentence for the developer."""


def main(arguments: list[str]) -> int:
    """Run one command; return the exit code if the command did not replace this process."""
    refusal = version_error((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if refusal:
        print(refusal, file=sys.stderr)
        return 2
    commands = {"serve": serve, "test": test, "check": check, "run": run, "lock": lock}
    parser = argparse.ArgumentParser(
        prog="dev.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=commands)
    # Only the first word is parsed here: gunicorn, pytest and scripts have options of their own.
    command = parser.parse_args(arguments[:1]).command
    try:
        commands[command](arguments[1:])
    except (SetupError, OSError) as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode  # The command has printed its own message.
    except KeyboardInterrupt:
        return 130
    return 0


def version_error(
    pyproject: str, version: tuple[int, ...] = sys.version_info[:2], system: str = os.name
) -> str | None:
    """Return why this Python cannot be used, in one sentence, or None if it can."""
    match = re.search(r'^requires-python = ">=3\.(\d+),<3\.(\d+)"$', pyproject, re.MULTILINE)
    if match is None:
        raise ValueError("pyproject.toml: requires-python must read '>=3.X,<3.Y'")
    oldest, beyond = (3, int(match[1])), (3, int(match[2]))
    if oldest <= version < beyond and system == "posix":
        return None
    return (
        f"Winter Games needs Python {oldest[0]}.{oldest[1]} or newer, below "
        f"{beyond[0]}.{beyond[1]}, on Linux or macOS; "
        f"this is Python {version[0]}.{version[1]} ({sys.platform})."
    )


# Commands ------------------------------------------------------------------------------------


def serve(arguments: list[str]) -> None:
    """Become gunicorn."""
    environment = serve_environment(arguments)  # Before setup: a wrong port must fail at once.
    set_up(RUNTIME, *([TRACING] if environment.get("OTEL_EXPORTER_OTLP_ENDPOINT") else []))
    os.chdir(ROOT)
    replace_process(GUNICORN, environment)


def serve_environment(arguments: list[str]) -> dict[str, str]:
    """Return the environment with HOST and PORT from the command line, if given there."""
    parser = argparse.ArgumentParser(prog="dev.py serve")
    parser.add_argument("--host", default=os.environ.get("HOST"), help="default: 127.0.0.1")
    # argparse applies `type` to a default that is a string.
    default_port = os.environ.get("PORT") or None
    parser.add_argument("--port", type=port_number, default=default_port, help="default: 8000")
    options = parser.parse_args(arguments)
    chosen = {"HOST": options.host, "PORT": options.port}
    return {
        **os.environ,
        **{name: str(value) for name, value in chosen.items() if value is not None},
    }


def port_number(text: str) -> int:
    """Parse a TCP port; 0 lets the system choose one."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port number, 0 to 65535")
    return int(text)


def test(arguments: list[str]) -> None:
    """Run the tests in parallel: one process per core."""
    set_up(RUNTIME, TRACING, TESTS)
    os.chdir(ROOT)
    print("Static checks are separate: python3 scripts/dev.py check", file=sys.stderr)
    replace_process(("scripts/run_tests.py", *arguments), dict(os.environ))


def check(arguments: list[str]) -> None:
    """Run the static checks."""
    set_up(RUNTIME, TRACING, TESTS)
    os.chdir(ROOT)
    replace_process(("scripts/static_checks.py", *arguments), dict(os.environ))


def run(arguments: list[str]) -> None:
    """Become the Python of .venv/, in the caller's folder and able to import the service."""
    set_up(RUNTIME, TRACING, TESTS)
    folders = (str(ROOT), str(ROOT / "scripts"), os.environ.get("PYTHONPATH"))
    path = os.pathsep.join(filter(None, folders))
    replace_process(arguments, {**os.environ, "PYTHONPATH": path})


def lock(arguments: list[str]) -> None:
    """Rewrite each lock file from the .in file next to it, and the SBOM from the lock files."""
    parser = argparse.ArgumentParser(prog="dev.py lock")
    parser.add_argument("--upgrade", action="store_true", help="move every pin to the newest")
    set_up(RUNTIME, TRACING, TESTS)
    upgrade = ["--upgrade"] if parser.parse_args(arguments).upgrade else []
    for target in LOCK_FILES:
        compile_requirements(target, target, upgrade)
    set_up(RUNTIME, TRACING, TESTS)  # The SBOM names the tool that writes it.
    write_sbom(SBOM)


def compile_requirements(locked: Path, output: Path, options: list[str]) -> None:
    """Resolve the .in file of ``locked`` for all supported Pythons and machines."""
    oldest = re.search(r">=(3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert oldest is not None
    constraints = [
        word
        for file in CONSTRAINTS.get(locked, ())
        for word in ("--constraints", file.relative_to(ROOT))
    ]
    uv(
        *("pip", "compile", "--quiet", locked.with_suffix(".in").relative_to(ROOT)),
        *("--output-file", output, "--generate-hashes", "--universal"),
        *("--custom-compile-command", "python3 scripts/dev.py lock"),
        *("--python", PYTHON, "--python-version", oldest[1], "--no-python-downloads"),
        # One version of a package for all Pythons, so that results are equal everywhere.
        *("--fork-strategy", "fewest"),
        *(*constraints, *options),
    )


def write_sbom(output: Path) -> None:
    """Write what the lock files of the image pin, without times and random numbers."""
    # A warning says that lock files do not state which package needs which.
    command = [str(PYTHON), "-W", "ignore", "-m", "cyclonedx_py", "requirements", "-"]
    options = ["--pyproject", "pyproject.toml", "--output-reproducible", "--output-file"]
    locked = RUNTIME.read_bytes() + TRACING.read_bytes()
    subprocess.run([*command, *options, str(output)], cwd=ROOT, input=locked, check=True)


def replace_process(arguments: tuple[str, ...] | list[str], environment: dict[str, str]) -> None:
    """Become the Python of .venv/: signals and exit codes pass straight through."""
    sys.stderr.flush()
    os.execve(PYTHON, [str(PYTHON), *arguments], MALLOC | environment)


# Setup ---------------------------------------------------------------------------------------


def set_up(*requirements: Path) -> None:
    """Create .venv/ if it is missing and install locked requirements (0.1 s if up to date)."""
    with (ROOT / ".venv.lock").open("w") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)  # One setup at a time; released on close.
        library = VENV / "lib" / f"python3.{sys.version_info.minor}"
        if not (PYTHON.exists() and library.exists()):
            print("Setting up .venv/ (about 20 seconds) ...", file=sys.stderr)
            uv("venv", "--quiet", "--clear", "--python", sys.executable, VENV)
        # `sync` removes what is not listed, so it is used only with the complete list.
        verb = "sync" if TESTS in requirements else "install"
        files = (
            requirements if verb == "sync" else [f"--requirements={file}" for file in requirements]
        )
        uv("pip", verb, "--python", PYTHON, *LOCKED_ONLY, *files)


def install_separately(locked: Path, folder: Path) -> None:
    """Install locked requirements into a folder that .venv/ does not see."""
    uv("pip", "install", "--python", PYTHON, *LOCKED_ONLY, "--target", folder, "-r", locked)


def uv(*arguments: object) -> None:
    """Run the pinned uv at the root of the project."""
    command = [str(uv_executable()), *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, check=True)


def uv_executable() -> Path:
    """Return the pinned uv; install it with pip first if it is missing.

    Bare Debian has no ``ensurepip``, so ``python3 -m venv`` fails there. uv does not need it, and
    ``pip --target`` is allowed on an externally managed Python (PEP 668).
    """
    pin = re.search(r"^uv==(\S+)", TOOLS.read_text(encoding="utf-8"), re.MULTILINE)
    assert pin is not None
    folder = ROOT / ".uv" / pin[1]
    executable = folder / "bin" / "uv"
    if not executable.exists():
        pip = [getattr(sys, "_base_executable", sys.executable), "-m", "pip"]
        if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode:
            raise SetupError(
                f"{pip[0]} has no pip: install it (Debian, Ubuntu: apt-get install python3-pip)."
            )
        flags = [*LOCKED_ONLY, "--target", str(folder)]
        # The first two settings of a developer would contradict --target.
        settings = {"USER": "0", "REQUIRE_VIRTUALENV": "0", "ROOT_USER_ACTION": "ignore"}
        environment = os.environ | {f"PIP_{name}": value for name, value in settings.items()}
        subprocess.run([*pip, "install", *flags, "-r", str(TOOLS)], env=environment, check=True)
    return executable


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
