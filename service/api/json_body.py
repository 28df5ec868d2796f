"""Strict decoding of JSON bodies.

Where RFC 8259 leaves a choice, this is the policy:

- UTF-8 without a byte order mark.
- Arrays and objects are nested at most 32 deep.
- Duplicate names, names of more than 256 characters and unpaired surrogates are refused.
- A number with a fraction or an exponent is read as a double; if its fraction is zero, it is an
  integer (as in JSON Schema). Magnitudes beyond :data:`MAX_MAGNITUDE` are read as that, which is
  out of range for every number of the contract.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from service.core.violations import Rejected, Violation, pointer

MAX_DEPTH: Final = 32
MAX_MAGNITUDE: Final = 10**19
MAX_NAME_LENGTH: Final = 256
_MAX_INTEGER_DIGITS: Final = 20
_STRING_OR_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BYTE_ORDER_MARK: Final = "\ufeff"
SINGLE_QUOTE: Final = "Single quote"
_NO_JSON: Final = "No JSON"
_MENDING: Final = {
    SINGLE_QUOTE: "There is a single quote at {place}; write double quotes around names and "
    "strings.",
    _NO_JSON: "The body does not begin as JSON; send a JSON object, which begins with a brace.",
    "Expecting value": "There is no JSON value at {place}; write one, or remove the comma before "
    "it. All words except true, false and null need double quotes.",
    "Expecting property name": "A name in double quotes is missing at {place}; write one, or "
    "remove the comma before it.",
    "Illegal trailing comma": "The comma at {place} is the last one; remove it.",
    "Expecting ',' delimiter": "A comma or a closing bracket is missing at {place}; write it.",
    "Expecting ':' delimiter": "A colon is missing between a name and its value at {place}; write "
    "it.",
    "Unterminated string": "The string that begins at {place} does not end; add a double quote.",
    "Invalid control character": "A string has a control character at {place}; escape it, for "
    "example as \\n.",
    "Invalid \\escape": "An escape at {place} is unknown; write a backslash as \\\\.",
    "Invalid \\uXXXX escape": "An escape at {place} is incomplete; write \\u and four hex digits.",
    "Extra data": "Something follows the JSON value at {place}; remove it.",
}
"""How to mend what Python's parser reports, by the beginning of its message."""


Decoded = tuple[Any, tuple[Violation, ...]]
"""A JSON value, and the violations of its text that do not prevent decoding."""


class NotJson(Exception):
    """The text is not JSON; the message gives the position."""


class _Object(dict[str, Any]):
    """A JSON object that remembers its duplicate names."""

    duplicates: tuple[str, ...] = ()


class _Parser:
    """Parses one text.

    Attributes:
        duplicated: whether any object has duplicate names.
        long: whether any name is too long.
    """

    def __init__(self) -> None:
        self.duplicated = self.long = False

    def parse(self, text: str) -> Any:
        return json.loads(
            text,
            object_pairs_hook=self._object,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_no_number,
        )

    def _object(self, members: list[tuple[str, Any]]) -> _Object:
        parsed = _Object(members)
        if len(parsed) < len(members):
            times = Counter(name for name, _ in members)
            parsed.duplicates = tuple(name for name in parsed if times[name] > 1)
            self.duplicated = True
        if parsed and max(map(len, parsed)) > MAX_NAME_LENGTH:
            self.long = True
        return parsed


def decode(text: bytes) -> Decoded:
    """Decode a JSON text.

    Returns:
        the value, and the violations that do not prevent decoding: ``duplicate-name``, where the
        last of equal names counts.

    Raises:
        NotJson: if the text is not JSON (RFC 8259).
        Rejected: ``too-deep``, before the rest of the text is parsed; ``unpaired-surrogate`` or
            ``name-too-long``.
    """
    parser = _Parser()
    try:
        characters = text.decode("utf-8")
        depth = _depth(characters)
        if depth > MAX_DEPTH:
            detail = f"Arrays and objects are nested {depth} deep; {MAX_DEPTH} is the limit."
            raise Rejected([Violation("", "too-deep", detail)])
        if not characters.strip():
            raise NotJson("The body is empty; send a JSON object.")
        if characters.startswith(_BYTE_ORDER_MARK):
            raise NotJson("The body begins with a byte order mark; send UTF-8 without one.")
        value = parser.parse(characters)
    except UnicodeDecodeError as error:
        detail = f"Byte {error.start} of the body is not UTF-8; encode the body as UTF-8."
        raise NotJson(detail) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        fault = error.msg
        if error.doc[error.pos : error.pos + 1] == "'":
            fault = SINGLE_QUOTE
        elif error.msg == "Expecting value" and not error.doc[: error.pos].strip():
            fault = _NO_JSON
        mending = (each for begin, each in _MENDING.items() if fault.startswith(begin))
        raise NotJson(next(mending, f"{fault} at {{place}}.").format(place=place)) from None
    # Locating a violation takes as long as parsing, so it is done only if there is one.
    unreadable = tuple(_long_names(value, "")) if parser.long else ()
    if rb"\u" in text:
        unreadable += tuple(_unpaired(value, ""))
    if unreadable:
        raise Rejected(unreadable)
    return value, tuple(_duplicates(value, "")) if parser.duplicated else ()


def _depth(text: str) -> int:
    """Return how deep brackets outside strings are nested, without recursion."""
    depth = deepest = 0
    for token in _STRING_OR_BRACKET.findall(text):
        if token in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif token in "]}":
            depth -= 1
    return deepest


def _integer(digits: str) -> int:
    if len(digits) > _MAX_INTEGER_DIGITS:
        return -MAX_MAGNITUDE if digits.startswith("-") else MAX_MAGNITUDE
    return max(-MAX_MAGNITUDE, min(int(digits), MAX_MAGNITUDE))


def _number(digits: str) -> int | float:
    value = max(-float(MAX_MAGNITUDE), min(float(digits), float(MAX_MAGNITUDE)))
    return int(value) if value.is_integer() else value


def _no_number(word: str) -> NoReturn:
    raise NotJson(f"{word} is not a JSON number; send a finite number, or leave the field out.")


def _duplicates(value: Any, at: str) -> Iterator[Violation]:
    for step, inner in _members(value):
        here = at + pointer(step)
        if isinstance(value, _Object) and step in value.duplicates:
            yield Violation(
                here, "duplicate-name", f"The name {step!r} occurs more than once; keep one."
            )
        yield from _duplicates(inner, here)


def _long_names(value: Any, at: str) -> Iterator[Violation]:
    """Yield names too long to be repeated in every path of a response."""
    for step, inner in _members(value):
        if isinstance(step, str) and len(step) > MAX_NAME_LENGTH:
            detail = f"A name here has {len(step)} characters; {MAX_NAME_LENGTH} is the limit."
            yield Violation(at, "name-too-long", detail)
        else:
            yield from _long_names(inner, at + pointer(step))


def _unpaired(value: Any, at: str) -> Iterator[Violation]:
    """Yield strings that UTF-8 cannot encode; a name is reported at its object."""
    if isinstance(value, str) and _SURROGATE.search(value):
        yield _unpaired_at(at)
    for step, inner in _members(value):
        if isinstance(step, str) and _SURROGATE.search(step):
            yield _unpaired_at(at)
        else:
            yield from _unpaired(inner, at + pointer(step))


def _unpaired_at(at: str) -> Violation:
    return Violation(
        at, "unpaired-surrogate", "An escape here is half of a surrogate pair; write both halves."
    )


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
