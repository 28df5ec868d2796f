"""From the bytes of a body to a JSON value, strictly.

RFC 8259 says what JSON is; where it leaves a choice, this is the policy: UTF-8 without a byte
order mark; arrays and objects nested 32 deep at most; duplicate names, names of more than 256
characters and unpaired surrogates refused; a number is read as a double where it has a fraction
or an exponent; one with a zero fractional part is an integer (as in JSON Schema), and magnitudes
beyond :data:`GREATEST` are read as that, which is out of range for every number of the contract.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from service.core.violations import Rejected, Violation, pointer

MAX_DEPTH: Final = 32
GREATEST: Final = 10**19
LONGEST_NAME: Final = 256
_LONGEST_INTEGER: Final = 20
_STRING_OR_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


Decoded = tuple[Any, tuple[Violation, ...]]
"""What a text says, and its faults that did not keep it from being read."""


class NotJson(Exception):
    """The text is not JSON; the message says where it ceases to be."""


class _Object(dict[str, Any]):
    """A JSON object that remembers the names it was given twice."""

    duplicates: tuple[str, ...] = ()


class _Parser:
    """Parses one text.

    Attributes:
        duplicated: whether any object was given a name twice.
        long: whether any name is longer than names may be.
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
        made = _Object(members)
        if len(made) < len(members):
            times = Counter(name for name, _ in members)
            made.duplicates = tuple(name for name in made if times[name] > 1)
            self.duplicated = True
        if made and max(map(len, made)) > LONGEST_NAME:
            self.long = True
        return made


def decode(text: bytes) -> Decoded:
    """Decodes a JSON text.

    Returns:
        The value, and the faults of the text that do not keep it from being read
        (``duplicate-name``; the last of equal names counts while looking for further faults).

    Raises:
        NotJson: if RFC 8259 refuses the text.
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
        value = parser.parse(characters)
    except UnicodeDecodeError as error:
        raise NotJson(f"The body is not UTF-8 at byte {error.start}.") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise NotJson(f"{error.msg} at {place}.") from None
    # Who looks for the place of a fault takes as long as the parser, so only where there is one.
    unreadable = tuple(_long_names(value, "")) if parser.long else ()
    if rb"\u" in text:
        unreadable += tuple(_unpaired(value, ""))
    if unreadable:
        raise Rejected(unreadable)
    return value, tuple(_duplicates(value, "")) if parser.duplicated else ()


def _depth(text: str) -> int:
    """How deep brackets outside strings are nested, without recursing into the depths."""
    depth = deepest = 0
    for token in _STRING_OR_BRACKET.findall(text):
        if token in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif token in "]}":
            depth -= 1
    return deepest


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        return -GREATEST if digits.startswith("-") else GREATEST
    return max(-GREATEST, min(int(digits), GREATEST))


def _number(digits: str) -> int | float:
    value = max(-float(GREATEST), min(float(digits), float(GREATEST)))
    return int(value) if value.is_integer() else value


def _no_number(word: str) -> NoReturn:
    raise NotJson(f"{word} is not JSON.")


def _duplicates(value: Any, at: str) -> Iterator[Violation]:
    for step, inner in _members(value):
        here = at + pointer(step)
        if isinstance(value, _Object) and step in value.duplicates:
            yield Violation(here, "duplicate-name", f"The name {step!r} is given more than once.")
        yield from _duplicates(inner, here)


def _long_names(value: Any, at: str) -> Iterator[Violation]:
    """Names so long that repeating them in every path would swell the answer."""
    for step, inner in _members(value):
        if isinstance(step, str) and len(step) > LONGEST_NAME:
            detail = f"A name here has {len(step)} characters; {LONGEST_NAME} is the limit."
            yield Violation(at, "name-too-long", detail)
        else:
            yield from _long_names(inner, at + pointer(step))


def _unpaired(value: Any, at: str) -> Iterator[Violation]:
    """Strings that no UTF-8 can hold; a name of that kind is reported at its object."""
    if isinstance(value, str) and _SURROGATE.search(value):
        yield _unpaired_at(at)
    for step, inner in _members(value):
        if isinstance(step, str) and _SURROGATE.search(step):
            yield _unpaired_at(at)
        else:
            yield from _unpaired(inner, at + pointer(step))


def _unpaired_at(at: str) -> Violation:
    return Violation(at, "unpaired-surrogate", "An escape here is half of a surrogate pair.")


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
