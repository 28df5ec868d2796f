"""Public methods say what they do; ruff checks modules, classes and functions (D1)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(file for name in ("service", "scripts") for file in (ROOT / name).rglob("*.py"))


def classes_of(tree: ast.AST) -> Iterator[ast.ClassDef]:
    """Yield the classes of a file, inner ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def methods_of(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Yield the public methods and properties of a class."""
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
            yield member


def bases_of(node: ast.ClassDef) -> set[str]:
    """Return the names of the base classes, without modules and type arguments."""
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}


CLASSES = [
    (file, node) for file in FILES for node in classes_of(ast.parse(file.read_text("utf-8")))
]
BASES = {name for _, node in CLASSES for name in bases_of(node)}
DOCUMENTED_IN_A_BASE = {
    method.name
    for _, node in CLASSES
    if node.name in BASES or "Protocol" in bases_of(node)
    for method in methods_of(node)
    if ast.get_docstring(method)
}
"""Names of methods that a base class or a protocol documents for all its implementations."""


@pytest.mark.parametrize(
    "folder",
    sorted({file.parent for file in FILES}),
    ids=lambda folder: str(folder.relative_to(ROOT)),
)
def test_every_public_method_has_a_docstring_or_implements_a_documented_one(folder: Path) -> None:
    missing = [
        f"{file.name}: {node.name}.{method.name}"
        for file, node in CLASSES
        if file.parent == folder and not node.name.startswith("_")
        for method in methods_of(node)
        if not ast.get_docstring(method)
        and ("Protocol" in bases_of(node) or method.name not in DOCUMENTED_IN_A_BASE)
    ]
    assert missing == []
