"""Static checks, run in parallel: ``python3 scripts/dev.py check [NAME ...]``.

``check audit`` is not among the default checks: it asks a database of vulnerabilities.

Exit code 0 if every check passed. A failed check prints its complete output.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from pathlib import Path
from typing import Final

import dev

LINT_IMPORTS: Final = "from importlinter.cli import lint_imports_command; lint_imports_command()"

Result = tuple[bool, str]
"""Whether the check passed, and its output."""


def main(arguments: list[str]) -> int:
    """Run the named checks, by default all; return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py check", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"any of: {', '.join(CHECKS | RELEASE_CHECKS)}")
    names = parser.parse_args(arguments).name or list(CHECKS)
    if unknown := set(names) - set(CHECKS | RELEASE_CHECKS):
        parser.error(f"no check is called {', '.join(sorted(unknown))}")
    with ThreadPoolExecutor() as pool:
        passed = list(pool.map(report, names))
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


def report(name: str) -> bool:
    """Run one check and print its result."""
    start = time.monotonic()
    passed, output = (CHECKS | RELEASE_CHECKS)[name]()
    verdict = "passed" if passed else f"FAILED\n{output}"
    print(f"{name} ({time.monotonic() - start:.0f} s): {verdict}", flush=True)
    return passed


def command(*arguments: str) -> Callable[[], Result]:
    """Return a check that runs the project's Python with these arguments."""

    def run() -> Result:
        process = subprocess.run(
            [sys.executable, *arguments],
            cwd=dev.ROOT,
            env=os.environ | {"PYTHONPATH": str(dev.ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return process.returncode == 0, process.stdout

    return run


def locks() -> Result:
    """Compare each lock file with what its .in file resolves to, and the SBOM with them."""
    differences = []
    with tempfile.TemporaryDirectory() as folder:
        for locked in dev.LOCK_FILES:
            fresh = Path(folder, locked.parent.name)
            # uv keeps the pins it finds in the output file if they still satisfy the input.
            fresh.write_bytes(locked.read_bytes())
            dev.compile_requirements(locked, fresh, [])
            differences += difference(locked, fresh)
        fresh = Path(folder, "sbom")
        dev.write_sbom(fresh)
        differences += difference(dev.SBOM, fresh)
    return not differences, "Run python3 scripts/dev.py lock.\n" + "".join(differences)


def difference(committed: Path, fresh: Path) -> list[str]:
    """Return a unified diff of two text files."""
    before, after = (file.read_text(encoding="utf-8") for file in (committed, fresh))
    name = committed.relative_to(dev.ROOT).as_posix()
    return list(unified_diff(before.splitlines(True), after.splitlines(True), name, "expected"))


AUDIT: Final = (
    *("-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"),
    *("--requirement", "deploy/requirements.txt", "--requirement", "deploy/tracing.txt"),
)
"""Known vulnerabilities of what is deployed; it needs the network, so only a release runs it."""

CHECKS: Final[dict[str, Callable[[], Result]]] = {
    "mypy": command("-m", "mypy"),
    "openapi": command("scripts/export_openapi.py", "--check"),
    "locks": locks,
    "ruff": command("-m", "ruff", "check", "."),
    "format": command("-m", "ruff", "format", "--check", "."),
    "imports": command("-c", LINT_IMPORTS, "--no-logo"),
}
RELEASE_CHECKS: Final[dict[str, Callable[[], Result]]] = {"audit": command(*AUDIT)}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
