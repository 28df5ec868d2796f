"""Public methods say what they do; ruff checks modules, classes and functions (D1)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
Method = ast.FunctionDef | ast.AsyncFunctionDef
Classes = dict[str, list[ast.ClassDef]]


def methods_of(node: ast.ClassDef) -> dict[str, Method]:
    """Return the public methods and properties of a class by name."""
    methods = (member for member in node.body if isinstance(member, Method))
    return {method.name: method for method in methods if not method.name.startswith("_")}


def attributes_of(node: ast.ClassDef) -> set[str]:
    """Return the names that a class or one of its methods assigns to, with ``self`` or without."""
    stored = [each for each in ast.walk(node) if isinstance(getattr(each, "ctx", None), ast.Store)]
    return {
        each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in stored
    }


def bases_of(node: ast.ClassDef) -> set[str]:
    """Return the names of the base classes, without modules and type arguments."""
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}


def with_ancestors(node: ast.ClassDef, classes: Classes) -> list[ast.ClassDef]:
    """Return a class and all its base classes in the repository."""
    line = [node]
    for each in line:
        bases = (base for name in bases_of(each) for base in classes.get(name, ()))
        line += [base for base in bases if base not in line]
    return line


def undocumented(node: ast.ClassDef, classes: Classes, protocols: list[set[str]]) -> Iterator[str]:
    """Yield the methods without a docstring, of the class, of a base or of a whole protocol.

    Args:
        protocols: the methods of each protocol; a class with all these names implements it.
    """
    line = with_ancestors(node, classes)
    names = {name for each in line for name in methods_of(each).keys() | attributes_of(each)}
    documented = {
        name for each in line for name, own in methods_of(each).items() if ast.get_docstring(own)
    }
    if "Protocol" not in bases_of(node):
        documented |= {name for methods in protocols if methods <= names for name in methods}
    yield from methods_of(node).keys() - documented


def test_every_public_method_has_a_docstring_or_implements_a_documented_one() -> None:
    files = [file for name in ("service", "scripts") for file in (ROOT / name).rglob("*.py")]
    trees = {file: ast.walk(ast.parse(file.read_text("utf-8"))) for file in files}
    found = [
        (file, node) for file in files for node in trees[file] if isinstance(node, ast.ClassDef)
    ]
    classes: Classes = {}
    for _, node in found:
        classes.setdefault(node.name, []).append(node)
    protocols = [set(methods_of(node)) for _, node in found if "Protocol" in bases_of(node)]

    assert len(found) > 500
    missing = {
        f"{node.name}.{name}": file
        for file, node in found
        if not node.name.startswith("_")
        for name in undocumented(node, classes, protocols)
    }
    assert not missing
