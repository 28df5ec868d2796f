"""Validate JSON documents and collect all violations.

A schema checks the shape of a document.  Each value that it refuses is replaced by
:data:`INVALID`, so that the rules can still check the rest and all violations are reported
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, post_dump, validate
from marshmallow.exceptions import SCHEMA

from service.core.violations import Rejected, Violation, pointer
from service.games.common.near_misses import (
    MAX_SENTENCES,
    UnknownName,
    expected,
    unknown_name,
)


class _Invalid:
    """Takes the place of a missing or malformed value whose violation has been reported."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "INVALID"


INVALID: Final = _Invalid()

Value = TypeVar("Value")

Document = dict[str, Any]
Path = tuple[str | int, ...]


# Schemas and fields; an error message is "code: detail" ---------------------------------------


class StrictSchema(Schema):
    """A JSON object; unknown fields are violations.

    A class that appears in ``openapi.yaml`` has an attribute ``component``: its name there, which
    generated clients use.  It does not change when the class or its module is renamed.
    """

    error_messages = {
        "unknown": "unknown-field: Unknown field.",
        "type": "not-an-object: Expected a JSON object.",
    }

    class Meta:
        unknown = RAISE

    def handle_error(self, error: ValidationError, data: Any, **_: Any) -> None:
        """Add the known fields to the messages about unknown ones."""
        message = StrictSchema.error_messages["unknown"]
        known = tuple(field.data_key or name for name, field in self.load_fields.items())
        for name, messages in error.messages_dict.items():
            if messages == [message]:
                error.messages_dict[name] = [UnknownName.of(message, "field", str(name), known)]

    @post_dump
    def omit_missing(self, dumped: Document, **_: Any) -> Document:
        """Omit fields without a value, except where null is a value of the field."""
        return {
            name: value
            for name, value in dumped.items()
            if value is not None or self.fields[name].allow_none
        }


class ResponseSchema(StrictSchema):
    """Part of a response body; clients have to accept unknown fields."""

    class Meta:
        unknown = EXCLUDE


_COMMON = {
    "required": "missing: This field is required.",
    "null": "null: Expected a value, got null. Remove it or replace it.",
    "validator_failed": "invalid: This value is not valid.",
}


class Integer(fields.Integer):
    """A JSON integer; "5" and true are refused (the JSON reader turns 5.0 into 5)."""

    default_error_messages = {
        **_COMMON,
        "invalid": "not-an-integer: Expected an integer without quotation marks.",
        "too_large": "not-an-integer: Expected an integer without quotation marks.",
    }

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        within = validate.Range(low, high, error="out-of-range: Expected {min} to {max}.")
        super().__init__(strict=True, validate=within, **kwargs)


class Number(fields.Float):
    """A finite JSON number; strings and booleans are refused."""

    default_error_messages = {
        **_COMMON,
        "invalid": "not-a-number: Expected a number without quotation marks.",
        "special": "not-a-number: Expected a finite number.",
        "too_large": "not-a-number: Expected a finite number.",
    }

    def __init__(self, low: float, high: float, **kwargs: Any) -> None:
        within = validate.Range(low, high, error="out-of-range: Expected {min} to {max}.")
        super().__init__(validate=within, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, str):
            raise self.make_error("invalid", input=value)
        return self._validated(value)


class Text(fields.String):
    """A JSON string."""

    default_error_messages = {
        **_COMMON,
        "invalid": "not-a-string: Expected a string in quotation marks.",
        "invalid_utf8": "not-a-string: Expected a string in quotation marks.",
    }


class FullMatch(validate.Regexp):
    """A pattern that the whole string has to match.

    ``openapi.yaml`` has the pattern too, so it begins with ``^``, ends with ``$`` and has no
    look-around, which RE2 and Go refuse.  In Python, ``$`` alone would accept a final newline.
    """

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


class Name(Text):
    """A name of a player, a card or a track piece."""

    PATTERN = r"^[A-Za-z0-9_-]{1,32}$"

    def __init__(self, **kwargs: Any) -> None:
        spelled = FullMatch(
            self.PATTERN, error="bad-name: Expected 1 to 32 of A-Z a-z 0-9 _ and -."
        )
        super().__init__(validate=spelled, **kwargs)


class Ruling(Text):
    """The number of a ruling: the letter of its game and one or two digits."""

    PATTERN = r"^[RSC][0-9]{1,2}$"

    def __init__(self, **kwargs: Any) -> None:
        numbered = FullMatch(self.PATTERN, error="invalid: Expected a number such as R4.")
        super().__init__(validate=numbered, **kwargs)


class Boolean(fields.Boolean):
    """A JSON true or false."""

    default_error_messages = {
        **_COMMON,
        "invalid": "not-a-boolean: Expected true or false without quotation marks.",
    }

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class _Listed(validate.OneOf):
    """Checks that a string is in a list."""

    def __call__(self, value: str) -> str:
        if value not in self.choices:
            message = f"unknown-word: {expected(self.choices)}"
            raise ValidationError(UnknownName.of(message, "value", value, self.choices))
        return value


class OneOf(Text):
    """A JSON string out of a fixed list."""

    def __init__(self, words: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(validate=_Listed(words), **kwargs)


class ListOf(fields.List[Any]):
    """A JSON array with a minimum and a maximum length.

    Args:
        item: of the array.
        low: minimum number of items.
        high: maximum number of items.
        expected: the rest of the sentence "Expected …" about a wrong length.
    """

    default_error_messages = {**_COMMON, "invalid": "not-an-array: Expected a JSON array."}

    def __init__(
        self,
        item: fields.Field[Any],
        low: int,
        high: int,
        *,
        expected: str | None = None,
        **kwargs: Any,
    ) -> None:
        count = f"{low}" if low == high else f"{low} to {high}"
        if expected is None:
            expected = f"{count} {'item' if low == high == 1 else 'items'}"
        self._low, self._high = low, high
        self._within = validate.Length(low, high, error=f"wrong-length: Expected {expected}.")
        super().__init__(item, validate=self._within, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, list) and len(value) > self._high:
            # Before the items: a list that is far too long is one violation, not thousands.
            self._within(value)
        try:
            return super()._deserialize(value, *args, **kwargs)
        except ValidationError as error:
            if isinstance(value, list) and len(value) < self._low:
                self._add_length(value, error)
            raise

    def _add_length(self, value: list[Any], error: ValidationError) -> None:
        """Add the violation of the length to those of the items."""
        try:
            self._within(value)
        except ValidationError as length:
            error.messages = error.messages_dict | {SCHEMA: length.messages}


class Nested(fields.Nested):
    """A JSON object with its own schema."""

    default_error_messages = {**_COMMON, "type": "not-an-object: Expected a JSON object."}


class Verbatim(Nested):
    """Documents a schema for OpenAPI but dumps the value, a document already, unchanged.

    A hint contains dozens of such documents; dumping them field by field is slow.
    """

    def _serialize(self, *args: Any, **_: Any) -> Any:
        return args[0]


class _Key(str):
    """A key of a :class:`MapOf`; differs by type from marshmallow's key for the whole object."""


class MapOf(fields.Dict):
    """A JSON object with free keys; a violation points at its key."""

    default_error_messages = {**_COMMON, "invalid": "not-an-object: Expected a JSON object."}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super()._deserialize(value, *args, **kwargs)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            if isinstance(error.messages, dict):
                error.messages = {
                    _Key(key): _at_key(**messages) for key, messages in error.messages.items()
                }
            raise


def _at_key(key: Sequence[str] = (), value: Any = ()) -> Any:
    """Return the messages about a key and about its value, both located at the key."""
    if isinstance(value, dict):
        return value | {SCHEMA: [*key, *value.get(SCHEMA, ())]} if key else value
    return [*key, *value]


# Shape ----------------------------------------------------------------------------------------


def validate_shape(schema: Schema, document: Any) -> tuple[Document, list[Violation]]:
    """Validate a document against a schema.

    Returns:
        The document with :data:`INVALID` in place of every malformed or missing value and every
        unknown field, and the violations.

    Raises:
        Rejected: if the document is not an object.
    """
    if not isinstance(document, dict):
        raise Rejected([Violation("", "not-an-object", "Expected a JSON object.")])
    errors = list(_errors(schema.validate(document), ()))
    if not errors:
        return document, []
    tree = _InvalidPaths()
    for path, _ in errors:
        branch = tree
        for step in path:
            branch = branch.within.setdefault(str(step), _InvalidPaths())
        branch.here = True
    marked: Document = _mark_invalid(document, tree)
    return marked, list(_shape_violations(errors))


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
    if step != SCHEMA or isinstance(step, _Key) or isinstance(messages, dict):
        return False
    return StrictSchema.error_messages["unknown"] not in messages


def _shape_violations(errors: Iterable[tuple[Path, str]]) -> Iterator[Violation]:
    completed = 0
    for path, message in errors:
        if isinstance(message, UnknownName) and completed < MAX_SENTENCES:
            message, completed = message.complete(), completed + 1
        code, _, detail = message.partition(": ")
        if code == "missing":
            detail = f"The field `{path[-1]}` is required."
        yield Violation(pointer(*path), code, detail)


@dataclass(slots=True)
class _InvalidPaths:
    """A tree of the paths to invalid values.

    Attributes:
        here: whether the value itself is invalid.
        within: by key or index, the subtrees with invalid values.
    """

    here: bool = False
    within: dict[str, _InvalidPaths] = field(default_factory=dict)


def _mark_invalid(value: Any, paths: _InvalidPaths) -> Any:
    """Return a copy of the value with :data:`INVALID` at the paths."""
    if paths.here:
        return INVALID
    if isinstance(value, dict):
        return value | {
            step: _mark_invalid(value.get(step), below) for step, below in paths.within.items()
        }
    if isinstance(value, list):
        return [
            _mark_invalid(inner, paths.within[str(index)]) if str(index) in paths.within else inner
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
