"""Validate JSON documents and collect all violations.

A schema checks the shape of a document.  Each value that it refuses is replaced by
:data:`INVALID`, so that the rules can still check the rest and all violations are reported
together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from marshmallow import Schema
from marshmallow.exceptions import SCHEMA

from service.core.violations import Rejected, Violation, pointer
from service.games.common.examples import MAX_EXAMPLE, example_at
from service.games.common.fields import EMPTY_MAP, Document, DocumentKey, StrictSchema
from service.games.common.near_misses import (
    MAX_SENTENCES,
    UnknownName,
    unknown_name,
)


class _Invalid:
    """Takes the place of a missing or malformed value whose violation has been reported."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "INVALID"


INVALID: Final = _Invalid()
_NOT: Final = ("not-a-", "not-an-")
"""Beginnings of the codes of violations about the type of a value."""
_SHOWN: Final = ("not-an-object", "not-an-array", "not-a-string", "null", "missing", "unnamed")
"""Codes of violations that show an example: a number or a boolean needs none."""

Value = TypeVar("Value")

Path = tuple[str | int, ...]


# Shape ----------------------------------------------------------------------------------------


def validate_shape(schema: Schema, document: Any) -> tuple[Document, list[Violation]]:
    """Validate a document against a schema.

    Returns:
        The document with :data:`INVALID` in place of every malformed or missing value and every
        unknown field, and ``{}`` in place of an empty list for a map; and the violations.

    Raises:
        Rejected: if the document is not an object.
    """
    if not isinstance(document, dict):
        message = StrictSchema.error_messages["type"]
        raise Rejected(list(_shape_violations([((), message)], document, schema)))
    errors = list(_errors(schema.validate(document), ()))
    if not errors:
        return document, []
    tree = _Replacements()
    for path, message in errors:
        branch = tree
        for step in path:
            branch = branch.within.setdefault(str(step), _Replacements())
        branch.here, branch.value = True, {} if message == EMPTY_MAP else INVALID
    replaced: Document = _replace(document, tree)
    return replaced, list(_shape_violations(errors, document, schema))


def _errors(messages: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield marshmallow's nested error messages with their paths."""
    if isinstance(messages, dict):
        for step, inner in messages.items():
            below = path if _is_whole_object(step, inner) else (*path, step)
            yield from _errors(inner, below)
    else:
        for message in messages:
            yield path, message


def _is_whole_object(step: str | int, messages: Any) -> bool:
    """Whether a key stands for the whole object: marshmallow uses a field ``_schema`` for it."""
    if step != SCHEMA or isinstance(step, DocumentKey) or isinstance(messages, dict):
        return False
    return StrictSchema.error_messages["unknown"] not in messages


def _shape_violations(
    errors: Iterable[tuple[Path, str]], document: Any, schema: Schema
) -> Iterator[Violation]:
    completed = shown = 0
    for path, message in errors:
        if message == EMPTY_MAP:
            continue
        if isinstance(message, UnknownName) and completed < MAX_SENTENCES:
            message, completed = message.complete(), completed + 1
        code, _, detail = message.partition(": ")
        if code == "missing":
            detail = f"The field `{path[-1]}` is required."
        elif code.startswith(_NOT):
            detail = f"{detail.removesuffix('.')}; got {_what(_at(document, path))}."
        if code in _SHOWN and shown < MAX_SENTENCES:
            detail, shown = detail + _example(schema, path), shown + 1
        yield Violation(pointer(*path), code, detail)


def _example(schema: Schema, path: Path) -> str:
    """Return a sentence with an example of the field at a path, if there is a short one."""
    example = example_at(schema, path)
    is_request = isinstance(example, str) and example.startswith("GET ")
    text = example if is_request else "" if example is None else json.dumps(example)
    return f" Example: {text}." if 0 < len(text) <= MAX_EXAMPLE else ""


def _at(document: Any, path: Path) -> Any:
    """Return the value at a path."""
    for step in path:
        document = document[int(step) if isinstance(document, list) else step]
    return document


def _what(value: Any) -> str:
    """Return in words what came instead of a value of another type."""
    match value:
        case bool():
            return json.dumps(value)
        case int() | float():
            return f"the number {value:.15g}"
        case str() if value.lstrip()[:1] in ("{", "["):
            return "a string with JSON: send its value itself, without quotation marks"
        case str():
            return "a string"
        case list():
            return "an array"
    return "an object"


@dataclass(slots=True)
class _Replacements:
    """A tree of the values to replace.

    Attributes:
        here: whether the value itself is replaced.
        value: the new value.
        within: by key or index, the subtrees with values to replace.
    """

    here: bool = False
    value: Any = INVALID
    within: dict[str, _Replacements] = field(default_factory=dict)


def _replace(value: Any, tree: _Replacements) -> Any:
    """Return a copy of the document with the values replaced."""
    if tree.here:
        return tree.value
    if isinstance(value, dict):
        return value | {
            step: _replace(value.get(step), below) for step, below in tree.within.items()
        }
    if isinstance(value, list):
        return [
            _replace(inner, tree.within[str(index)]) if str(index) in tree.within else inner
            for index, inner in enumerate(value)
        ]
    return INVALID


# Rules ----------------------------------------------------------------------------------------


class Violations(list[Violation]):
    """The violations of one request so far."""

    _compared = 0

    def unknown(
        self,
        path: str,
        code: str,
        kind: str,
        name: str,
        known: Iterable[str],
        rule: str | None = None,
    ) -> None:
        """Add a violation about an unknown name that suggests a similar one or lists all.

        Only the first such violations of a request do so: comparing names is slow.
        """
        self._compared += 1
        compares = self._compared <= MAX_SENTENCES
        detail = unknown_name(kind, name, known) if compares else f"Unknown {kind}."
        self.add(path, code, detail, rule)

    def add(self, path: str, code: str, detail: str, rule: str | None = None) -> None:
        """Add a violation; see :class:`~service.core.violations.Violation`."""
        self.append(Violation(path, code, detail, rule))

    def require(self, value: Value | None) -> Value:
        """Return the value if there are no violations.

        Raises:
            Rejected: with all violations, if there are any.
        """
        if self or value is None:
            raise Rejected(self)
        return value


def fully_valid(raw: Any) -> bool:
    """Whether a document contains no :data:`INVALID`."""
    if isinstance(raw, dict):
        return all(fully_valid(inner) for inner in raw.values())
    if isinstance(raw, list):
        return all(fully_valid(inner) for inner in raw)
    return raw is not INVALID


def validate_fields(
    raw: Document,
    required: AbstractSet[str],
    optional: AbstractSet[str],
    violations: Violations,
    at: str,
    rule: str | None = None,
    owner: str | None = None,
) -> None:
    """Report missing and surplus fields of an object whose ``type`` decides which it has.

    Args:
        owner: what has the fields, in messages; by default the type.
    """
    owner = owner or f"the type `{raw['type']}`"
    for name in sorted(required - set(raw)):
        detail = f"`{name}` is required for {owner}."
        violations.add(at + pointer(name), "missing", detail, rule)
    allowed = sorted(required | optional)
    for name in raw:
        if name not in allowed and name != "type":
            detail = f"`{name}` is not a field of {owner}"
            detail += (
                f"; its fields are {', '.join(f'`{each}`' for each in allowed)}."
                if (allowed)
                else ", which has no other fields."
            )
            violations.add(at + pointer(name), "not-of-this-type", detail, rule)


def validate_fields_by_type(
    raw: Any,
    fields_by_type: Mapping[str, tuple[AbstractSet[str], AbstractSet[str]]],
    violations: Violations,
    at: str,
    rule: str | None = None,
) -> None:
    """Look the required and optional fields up by ``type``, then :func:`validate_fields`."""
    if raw is INVALID or raw["type"] is INVALID:
        return
    required, optional = fields_by_type[raw["type"]]
    validate_fields(raw, required, optional, violations, at, rule)
