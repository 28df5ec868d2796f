"""The house rules that a machine can judge."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def judge(*arguments: str) -> None:
    verdict = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert verdict.returncode == 0, f"\n{verdict.stdout}"


def test_ruff_finds_nothing():
    judge("-m", "ruff", "check", ".")


def test_code_is_formatted():
    judge("-m", "ruff", "format", "--check", ".")


def test_mypy_strict_finds_nothing():
    judge("-m", "mypy")


def test_imports_point_one_way():
    judge("-c", LINT_IMPORTS, "--no-logo")
