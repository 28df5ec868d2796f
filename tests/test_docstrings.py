"""Public functions of the service say what they do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SERVICE = Path(__file__).resolve().parents[1] / "service"
FILES = sorted(SERVICE.rglob("*.py"))


@pytest.mark.parametrize(
    "folder",
    sorted({file.parent for file in FILES}),
    ids=lambda folder: str(folder.relative_to(SERVICE)),
)
def test_every_public_function_of_a_module_has_a_docstring(folder: Path) -> None:
    for file in folder.glob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{file.relative_to(SERVICE)}: {node.name}"
