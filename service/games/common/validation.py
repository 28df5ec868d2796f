"""From a JSON document to something a game can judge, keeping every fault.

A schema judges the shape.  What it refuses becomes a hole, so that the rest of the document
can still be judged by the rules and all faults are reported together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, post_dump, validate
from marshmallow.exceptions import SCHEMA

from service.core.violations import Rejected, Violation, pointer


class _Hole:
    """Stands where a value was missing or misshapen; a fault has been reported for it."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "HOLE"


INVALID: Final = _Hole()

Read = TypeVar("Read")

Document = dict[str, Any]
Path = tuple[str | int, ...]


# Schema building blocks: a message is "code: sentence" ----------------------------------------


class Shape(Schema):
    """A JSON object; unknown members are refused.

    A class that ``openapi.yaml`` shows has an attribute ``component``: its name there, which
    generated clients use, whatever the class and its module are called.
    """

    error_messages = {
        "unknown": "unknown-field: No such field.",
        "type": "not-an-object: An object is due here.",
    }

    class Meta:
        unknown = RAISE

    @post_dump
    def leave_out_the_absent(self, dumped: Document, **_: Any) -> Document:
        """A member without a value is absent, not null, unless null has a meaning of its own."""
        return {
            name: value
            for name, value in dumped.items()
            if value is not None or self.fields[name].allow_none
        }


class Answer(Shape):
    """The body of an answer; clients have to expect more members some day."""

    class Meta:
        unknown = EXCLUDE


_COMMON = {
    "required": "missing: This field is required.",
    "null": "null: A value is due here, and null is none.",
    "validator_failed": "invalid: This value is not valid.",
}


class Integer(fields.Integer):
    """A JSON integer; 5.0 is one, "5" and true are not (the reader makes 5.0 a 5)."""

    default_error_messages = {
        **_COMMON,
        "invalid": "not-an-integer: An integer is due here.",
        "too_large": "not-an-integer: An integer is due here.",
    }

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        within = validate.Range(low, high, error="out-of-range: {min} to {max} is due here.")
        super().__init__(strict=True, validate=within, **kwargs)


class Number(fields.Float):
    """A finite JSON number; strings and booleans are not numbers."""

    default_error_messages = {
        **_COMMON,
        "invalid": "not-a-number: A number is due here.",
        "special": "not-a-number: A finite number is due here.",
        "too_large": "not-a-number: A finite number is due here.",
    }

    def __init__(self, low: float, high: float, **kwargs: Any) -> None:
        within = validate.Range(low, high, error="out-of-range: {min} to {max} is due here.")
        super().__init__(validate=within, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, str):
            raise self.make_error("invalid", input=value)
        return self._validated(value)


class Text(fields.String):
    """A JSON string."""

    default_error_messages = {
        **_COMMON,
        "invalid": "not-a-string: A string is due here.",
        "invalid_utf8": "not-a-string: A string is due here.",
    }


class Name(Text):
    """A seat's or a player's name."""

    # Python's $ alone would let a final newline pass; JSON Schema reads this alike.
    PATTERN = r"^[A-Za-z0-9_-]{1,32}$(?!\n)"

    def __init__(self, **kwargs: Any) -> None:
        spelled = validate.Regexp(
            self.PATTERN, error="bad-name: A name is 1 to 32 of A-Z a-z 0-9 _ and -."
        )
        super().__init__(validate=spelled, **kwargs)


class Flag(fields.Boolean):
    """A JSON true or false."""

    default_error_messages = {**_COMMON, "invalid": "not-a-boolean: true or false is due here."}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class OneOf(Text):
    """A JSON string out of a fixed list."""

    def __init__(self, words: tuple[str, ...], **kwargs: Any) -> None:
        known = validate.OneOf(words, error="unknown-word: One of {choices} is due here.")
        super().__init__(validate=known, **kwargs)


class ListOf(fields.List[Any]):
    """A JSON array."""

    default_error_messages = {**_COMMON, "invalid": "not-an-array: An array is due here."}

    def __init__(self, item: fields.Field[Any], low: int, high: int, **kwargs: Any) -> None:
        message = "wrong-length: {min} to {max} items are due here."
        if low == high:
            message = "wrong-length: {min} items are due here."
        self._low, self._high = low, high
        self._within = validate.Length(low, high, error=message)
        super().__init__(item, validate=self._within, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, list) and len(value) > self._high:
            # Before the items: a list far too long is one fault, not thousands.
            self._within(value)
        try:
            return super()._deserialize(value, *args, **kwargs)
        except ValidationError as refused:
            if isinstance(value, list) and len(value) < self._low:
                self._add_length(value, refused)
            raise

    def _add_length(self, value: list[Any], refused: ValidationError) -> None:
        """A list too short may be wrong in its items as well."""
        try:
            self._within(value)
        except ValidationError as length:
            refused.messages = refused.messages_dict | {SCHEMA: length.messages}


class Nested(fields.Nested):
    """A JSON object of a given shape."""

    default_error_messages = {**_COMMON, "type": "not-an-object: An object is due here."}


class Written(Nested):
    """Has the shape for the specification; the value is a document already and goes out as it is,
    because there are dozens in a hint.
    """

    def _serialize(self, *told: Any, **_: Any) -> Any:
        return told[0]


class _Member(str):
    """A free member name, told apart from marshmallow's own name for an object as a whole."""


class Table(fields.Dict):
    """A JSON object with free member names; errors stand at the member."""

    default_error_messages = {**_COMMON, "invalid": "not-an-object: An object is due here."}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super()._deserialize(value, *args, **kwargs)  # type: ignore[no-untyped-call]
        except ValidationError as refused:
            if isinstance(refused.messages, dict):
                refused.messages = {
                    _Member(member): _at_member(**found)
                    for member, found in refused.messages.items()
                }
            raise


def _at_member(key: Sequence[str] = (), value: Any = ()) -> Any:
    """The faults of a member's name and of its value, both at the member."""
    if isinstance(value, dict):
        return value | {SCHEMA: [*key, *value.get(SCHEMA, ())]} if key else value
    return [*key, *value]


# Judging a document ---------------------------------------------------------------------------


def judge_shape(schema: Schema, document: Any) -> tuple[Document, list[Violation]]:
    """Holds a document against a schema.

    Returns:
        The document with a :data:`INVALID` for every faulty or missing value (an unknown member
        becomes one too), and the faults.

    Raises:
        Rejected: if the document is no object at all.
    """
    if not isinstance(document, dict):
        raise Rejected([Violation("", "not-an-object", "A JSON object is due here.")])
    found = list(_leaves(schema.validate(document), ()))
    if not found:
        return document, []
    holes = _Holes()
    for path, _ in found:
        below = holes
        for step in path:
            below = below.within.setdefault(str(step), _Holes())
        below.here = True
    pierced: Document = _pierced(document, holes)
    return pierced, [_fault(path, message) for path, message in found]


def _leaves(messages: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(messages, dict):
        for step, inner in messages.items():
            below = path if _is_whole(step, inner) else (*path, step)
            yield from _leaves(inner, below)
    else:
        for message in messages:
            yield path, message


def _is_whole(step: str | int, messages: Any) -> bool:
    """Marshmallow files faults of an object as a whole as if of a member ``_schema``."""
    if step != SCHEMA or isinstance(step, _Member) or isinstance(messages, dict):
        return False
    return Shape.error_messages["unknown"] not in messages


def _fault(path: Path, message: str) -> Violation:
    code, _, detail = message.partition(": ")
    return Violation(pointer(*path), code, detail)


@dataclass(slots=True)
class _Holes:
    """Where holes have to be made: here, or further within."""

    here: bool = False
    within: dict[str, _Holes] = field(default_factory=dict)


def _pierced(value: Any, holes: _Holes) -> Any:
    """A copy of the value with its holes; what lies beneath a hole is gone."""
    if holes.here:
        return INVALID
    if isinstance(value, dict):
        return value | {
            step: _pierced(value.get(step), below) for step, below in holes.within.items()
        }
    if isinstance(value, list):
        return [
            _pierced(inner, holes.within[str(index)]) if str(index) in holes.within else inner
            for index, inner in enumerate(value)
        ]
    return INVALID


# What else is wrong with it -------------------------------------------------------------------


@dataclass(slots=True)
class Violations:
    """The faults found so far in one body."""

    faults: list[Violation] = field(default_factory=list)

    def add(self, path: str, code: str, detail: str, rule: str | None = None) -> None:
        self.faults.append(Violation(path, code, detail, rule))

    def require(self, read: Read | None) -> Read:
        """What was read of a body without faults.

        Raises:
            Rejected: with all of them, otherwise.
        """
        if self.faults or read is None:
            raise Rejected(self.faults)
        return read


def whole(raw: Any) -> bool:
    """Whether there is no hole anywhere in the value."""
    if isinstance(raw, dict):
        return all(whole(inner) for inner in raw.values())
    if isinstance(raw, list):
        return all(whole(inner) for inner in raw)
    return raw is not INVALID


def judge_members(
    raw: Any,
    forms: Mapping[str, tuple[AbstractSet[str], AbstractSet[str]]],
    findings: Violations,
    at: str,
    rule: str | None = None,
) -> None:
    """Which members an object has to have and may have, by what its ``type`` says."""
    if raw is INVALID or raw["type"] is INVALID:
        return
    always, perhaps = forms[raw["type"]]
    for name in sorted(always - set(raw)):
        findings.add(at + pointer(name), "missing", f"{name} is due here.", rule)
    for name in raw:
        if name not in always and name not in perhaps and name != "type":
            detail = f"{name} does not belong here."
            findings.add(at + pointer(name), "not-of-this-type", detail, rule)
