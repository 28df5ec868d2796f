"""The companion app in TypeScript compiles and plays the same game as the one in Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.packages import HERE, TSC_OPTIONS, node_program, npm_packages, run

pytestmark = pytest.mark.contract

EXAMPLES = HERE.parents[1] / "docs/examples"
TYPED = "Anna, 小明, Søren\n\n2\n"


def test_both_companion_apps_play_the_same_game(
    live_service: str, typescript_types: Path, tmp_path: Path
) -> None:
    for name in ("companion.ts", "winter_games.ts"):
        shutil.copy(EXAMPLES / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(npm_packages() / "node_modules")
    shutil.copy(typescript_types, tmp_path)
    run(node_program("tsc"), *TSC_OPTIONS, "--module", "node16", "companion.ts", cwd=tmp_path)
    url = f"http://{live_service}"
    options = ("--url", url, "--language", "de", "--seed", "3")
    python = output_of(sys.executable, EXAMPLES / "companion.py", *options)

    assert "\nSieg: " in python
    assert output_of("node", tmp_path / "companion.js", url, "de", "3") == python


def output_of(*command: str | Path) -> str:
    ran = subprocess.run(
        command, input=TYPED, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
