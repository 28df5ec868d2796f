"""The lock files: every package of every supported Python and machine, with hashes."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from workbench.project import (
    ROOT,
    RUNTIME_REQUIREMENTS,
    TEST_REQUIREMENTS,
    TOOL_REQUIREMENTS,
    TOOLS,
)
from workbench.reporting import SetUpError, say


def lock_all(oldest_python: tuple[int, int], *, upgrade: bool) -> None:
    """Rewrite every ``requirements.txt`` from the ``requirements.in`` beside it.

    Pins that still satisfy the ``.in`` file stay as they are, unless ``upgrade``.
    """
    TOOLS.prepare()
    _lock(RUNTIME_REQUIREMENTS, oldest_python, upgrade=upgrade)
    # What tests must be able to join what serves.
    _lock(TEST_REQUIREMENTS, oldest_python, upgrade=upgrade, constraints=[RUNTIME_REQUIREMENTS])
    _lock(TOOL_REQUIREMENTS, oldest_python, upgrade=upgrade)


def _lock(
    locked: Path,
    oldest_python: tuple[int, int],
    *,
    upgrade: bool,
    constraints: Sequence[Path] = (),
) -> None:
    # Relative paths: uv writes them into the file.
    source = locked.with_suffix(".in").relative_to(ROOT)
    say(f"Locking {source} ...")
    command = [
        str(TOOLS.path / "bin" / "uv"), "pip", "compile", str(source), "--quiet",
        "--output-file", str(locked.relative_to(ROOT)),
        "--custom-compile-command", "python3 scripts/dev.py lock",
        "--generate-hashes",
        "--universal", "--python-version", "{}.{}".format(*oldest_python),
        "--python", str(TOOLS.python), "--no-python-downloads",
        # One version of a package for all Pythons: the same answers everywhere.
        "--fork-strategy", "fewest",
    ]  # fmt: skip
    for file in constraints:
        command += ["--constraints", str(file.relative_to(ROOT))]
    if upgrade:
        command.append("--upgrade")
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise SetUpError(f"uv could not lock {source}; its own words are above.")
