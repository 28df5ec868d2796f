"""Schemas and fields of JSON documents; an error message is ``code: detail``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, post_dump, validate
from marshmallow.exceptions import SCHEMA

from service.games.common.near_misses import (
    UnknownName,
    expected,
)

Document = dict[str, Any]


class StrictSchema(Schema):
    """A JSON object; unknown fields are violations.

    A class that appears in ``openapi.yaml`` has an attribute ``component``: its name there, which
    generated clients use.  It does not change when the class or its module is renamed.  The first
    paragraph of the docstring of such a class is the description of its component.

    Attributes:
        example: for messages, or of a long one the GET request that returns it; by default it
            follows from the fields (:mod:`~service.games.common.examples`).
    """

    example: ClassVar[Document | str | None] = None

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
    "null": "null: Expected a value; got null. Replace it, or remove it if it is optional.",
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
        self.low, self.high = low, high
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
        self.low, self.high = low, high
        within = validate.Range(low, high, error="out-of-range: Expected {min} to {max}.")
        super().__init__(validate=within, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, str):
            raise self.make_error("invalid", input=value)
        return self._validated(value)


class Text(fields.String):
    """A JSON string.

    Args:
        examples: for messages; a list of such strings has different ones.
    """

    default_error_messages = {
        **_COMMON,
        "invalid": "not-a-string: Expected a string in quotation marks.",
        "invalid_utf8": "not-a-string: Expected a string in quotation marks.",
    }

    def __init__(self, *, examples: Sequence[str] = (), **kwargs: Any) -> None:
        self.examples = examples
        super().__init__(**kwargs)


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

    def __init__(self, *, examples: Sequence[str] = ("anna", "hugo"), **kwargs: Any) -> None:
        spelled = FullMatch(
            self.PATTERN,
            error="bad-name: Expected 1 to 32 of A-Z a-z 0-9 _ and -. Other characters are for the "
            "`name` of a player.",
        )
        super().__init__(validate=spelled, examples=examples, **kwargs)


RULE_NOTE: Final = "`rule` is the number of the ruling that applies, see `GET /v1/games/{game}`."
"""For the description of objects with a ruling."""


class Ruling(Text):
    """The number of a ruling: the letter of its game and one or two digits."""

    PATTERN = r"^[A-Z][0-9]{1,2}$"

    def __init__(self, **kwargs: Any) -> None:
        numbered = FullMatch(self.PATTERN, error="bad-name: Expected a number such as R4.")
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
        super().__init__(validate=_Listed(words), examples=words, **kwargs)


class ListOf(fields.List[Any]):
    """A JSON array with a minimum and a maximum length.

    Args:
        item: of the array.
        low: minimum number of items.
        high: maximum number of items.
        expected: the rest of the sentence "Expected …" about a wrong length.
        example: for messages; by default it follows from the item.
    """

    default_error_messages = {**_COMMON, "invalid": "not-an-array: Expected a JSON array."}

    def __init__(
        self,
        item: fields.Field[Any],
        low: int,
        high: int,
        *,
        expected: str | None = None,
        example: list[Any] | None = None,
        **kwargs: Any,
    ) -> None:
        count = f"{low}" if low == high else f"{low} to {high}"
        if expected is None:
            expected = f"{count} {'item' if low == high == 1 else 'items'}"
        self.low, self._high, self.example = low, high, example
        self._within = validate.Length(
            low or None,
            high,
            # marshmallow formats the message.
            error=f"wrong-length: Expected {expected}.".replace("{", "{{").replace("}", "}}"),
        )
        super().__init__(item, validate=self._within, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, list) and len(value) > self._high:
            # Before the items: a list that is far too long is one violation, not thousands.
            self._within(value)
        try:
            return super()._deserialize(value, *args, **kwargs)
        except ValidationError as error:
            if isinstance(value, list) and len(value) < self.low:
                self._add_length(value, error)
            raise

    def _add_length(self, value: list[Any], error: ValidationError) -> None:
        """Add the violation of the length to those of the items."""
        try:
            self._within(value)
        except ValidationError as length:
            error.messages = error.messages_dict | {SCHEMA: length.messages}


def fields_by_name(schema: Schema) -> dict[str, fields.Field[Any]]:
    """Return the fields of a schema by their names in documents."""
    return {field.data_key or name: field for name, field in schema.fields.items()}


class Nested(fields.Nested):
    """A JSON object with its own schema."""

    default_error_messages = {
        **_COMMON,
        "type": "not-an-object: Expected a JSON object.",
        "wrapped": "wrapped: The value is inside this object, as its field `{name}`: send only "
        "that.",
    }

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        name = str(self.data_key or self.name)
        is_inside = isinstance(value, dict) and isinstance(value.get(name), dict)
        if is_inside and fields_by_name(self.schema).keys().isdisjoint(value):
            raise self.make_error("wrapped", name=name)
        return super()._deserialize(value, *args, **kwargs)


class Verbatim(Nested):
    """Documents a schema for OpenAPI but dumps the value, a document already, unchanged.

    A hint contains dozens of such documents; dumping them field by field is slow.
    """

    def _serialize(self, *args: Any, **_: Any) -> Any:
        return args[0]


EMPTY_MAP: Final = "An empty list stands for an empty object."
"""Not a violation; :func:`~service.games.common.validation.validate_shape` replaces the list."""


class DocumentKey(str):
    """A key of a :class:`MapOf`; differs by type from marshmallow's key for the whole object."""


class MapOf(fields.Dict):
    """A JSON object with free keys; a violation points at its key.

    ``[]`` means ``{}``: PHP has one type for both.
    """

    default_error_messages = {
        **_COMMON,
        "invalid": "not-an-object: Expected a JSON object.",
        "unnamed": "unnamed: Expected names with a value each; got the fields of one value.",
    }

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if value == []:
            raise ValidationError(EMPTY_MAP)
        if self._is_unnamed(value):
            raise self.make_error("unnamed")
        try:
            return super()._deserialize(value, *args, **kwargs)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            if isinstance(error.messages, dict):
                error.messages = {
                    DocumentKey(key): _at_key(**messages)
                    for key, messages in error.messages.items()
                }
            raise

    def _is_unnamed(self, value: Any) -> bool:
        """Whether a value of this map was given instead of the map."""
        if not isinstance(value, dict) or not isinstance(self.value_field, Nested):
            return False
        known = fields_by_name(self.value_field.schema)
        given = [inner for name, inner in value.items() if name in known]
        return len(given) == len(value) and any(not isinstance(inner, dict) for inner in given)


def _at_key(key: Sequence[str] = (), value: Any = ()) -> Any:
    """Return the messages about a key and about its value, both located at the key."""
    if isinstance(value, dict):
        return value | {SCHEMA: [*key, *value.get(SCHEMA, ())]} if key else value
    return [*key, *value]
