"""Display names of players: how people are called in sentences, in any script.

A position identifies seats and players by ids. Rules, engines, solver and caches see only ids, so
no name can change a result or a cache key. The names are no part of the position: they are read
from the request body, passed to the sentences of the response, and put back into its state. All
games share this: a seat is an object with ``player`` or, in games with several seats per player,
with ``seat`` and an optional ``player``.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from marshmallow import ValidationError

from service.core.violations import Violation, pointer
from service.games.common.fields import Document, Text
from service.games.common.validation import INVALID

MAX_LENGTH: Final = 40
"""Unicode code points after normalization to NFC."""

_SPACE: Final = "Zs"
_WORD_CATEGORIES: Final = ("L", "M")
_CATEGORIES: Final = (*_WORD_CATEGORIES, "N", "P", _SPACE)
_JOINERS: Final = "\u200c\u200d"
"""Persian, Sinhala and other names need them inside a word (RFC 5892, appendix A)."""
_INVISIBLE: Final = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180F, 0x3164, 0xFFA0, *map(ord, _JOINERS)))
) | frozenset(map(chr, (*range(0x180B, 0x180E), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Legal characters without a glyph (Unicode, ``Default_Ignorable_Code_Point``)."""
_RIGHT_TO_LEFT: Final = frozenset(("R", "AL", "AN"))
_ISOLATED: Final = "\u2068{}\u2069"

_ERROR: Final = (
    f"bad-display-name: Expected 1 to {MAX_LENGTH} letters, marks, digits, spaces and punctuation "
    "of any script, without a space at either end."
)
_DESCRIPTION: Final = (
    "Used in sentences instead of the id. Letters, marks, digits, spaces and punctuation of any "
    "script, no space at either end; the length is that in NFC. If a player has several seats, "
    "their names must not differ."
)


class DisplayName(Text):
    """The optional display name of a player in a seat."""

    def __init__(self, **kwargs: Any) -> None:
        # Python has no character classes for scripts and RE2 has no look-around: no pattern.
        metadata = {
            "description": _DESCRIPTION,
            "minLength": 1,
            "maxLength": MAX_LENGTH,
        }
        super().__init__(examples=("Jürgen",), validate=_validate, metadata=metadata, **kwargs)


def _validate(name: str) -> None:
    if not is_display_name(name):
        raise ValidationError(_ERROR)


def is_display_name(name: str) -> bool:
    """Whether a string is a legal display name."""
    normalized = unicodedata.normalize("NFC", name)
    if not 1 <= len(normalized) <= MAX_LENGTH:
        return False
    if _SPACE in map(unicodedata.category, (normalized[0], normalized[-1])):
        return False
    return all(_is_allowed(normalized, index) for index in range(len(normalized)))


def _is_allowed(name: str, index: int) -> bool:
    if name[index] in _JOINERS:
        return 0 < index < len(name) - 1 and all(
            unicodedata.category(neighbour).startswith(_WORD_CATEGORIES)
            for neighbour in (name[index - 1], name[index + 1])
        )
    return unicodedata.category(name[index]).startswith(_CATEGORIES)


_POSITIONS: Final = frozenset({"state", "position"})
"""The fields of responses that contain a position."""


@dataclass(frozen=True, slots=True)
class DisplayNames:
    """The display names of one request.

    Attributes:
        given: by id of the seat, the name in the request.
        labels: by id of the seat, what sentences call it; absent for a seat without a name.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def label(self, seat: str) -> str:
        """Return what a sentence calls a seat: its display name or, without one, its id."""
        return self.labels.get(seat, seat)

    def restore(self, response: Document) -> Document:
        """Return a response with the names in its positions, each in the seat that had it."""
        if not self.given:
            return response
        named: Document = {}
        for field_name in _POSITIONS & response.keys():
            state = response[field_name]
            named[field_name] = state | {"seats": [self._named(seat) for seat in state["seats"]]}
        if "after_plan" in response:
            named["after_plan"] = self.restore(response["after_plan"])
        return response | named

    def _named(self, seat: Document) -> Document:
        name = self.given.get(_seat_id(seat))
        if name is None:
            return seat
        ids: Document = {key: seat[key] for key in ("seat", "player") if key in seat}
        return {**ids, "name": name, **seat}


NO_NAMES: Final = DisplayNames()
"""The display names of a request without any."""


def read_display_names(body: Document, violations: list[Violation]) -> DisplayNames:
    """Return the display names in the seats of a body, and report players with two names.

    Args:
        body: a request body with ``seats`` or a ``state``, with ``INVALID`` in place of every value
            that its schema refused.
        violations: those of the body; new ones are appended.
    """
    seats = list(_valid_seats(body))
    given = {
        _seat_id(seat): seat["name"] for _, seat in seats if seat.get("name") not in (None, INVALID)
    }
    if not given:
        return NO_NAMES
    of_player: dict[str, tuple[str, str]] = {}
    for at, seat in seats:
        name = given.get(_seat_id(seat))
        if name is None:
            continue
        first, other = of_player.setdefault(_player_id(seat), (_seat_id(seat), name))
        if unicodedata.normalize("NFC", name) != unicodedata.normalize("NFC", other):
            detail = f"Seat {first} gives the player another name. Use one of them in both."
            violations.append(Violation(at + "/name", "conflicting-display-names", detail))
    names = {
        _seat_id(seat): of_player[_player_id(seat)][1]
        for _, seat in seats
        if _player_id(seat) in of_player
    }
    return DisplayNames(given, _labels([_seat_id(seat) for _, seat in seats], names))


def _valid_seats(body: Document) -> Iterator[tuple[str, Document]]:
    """Yield the seats with valid ids, each with its JSON pointer."""
    at, position = ("/state", body["state"]) if "state" in body else ("", body)
    seats = position["seats"] if position is not INVALID else INVALID
    for index, seat in enumerate(seats or ()):
        if seat is INVALID or INVALID in (_seat_id(seat), _player_id(seat)):
            continue
        yield at + pointer("seats", index), seat


def _seat_id(seat: Document) -> Any:
    return seat["seat"] if "seat" in seat else seat["player"]


def _player_id(seat: Document) -> Any:
    return seat["player"] if "player" in seat else seat["seat"]


def _labels(seats: list[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return what sentences call each seat with a name; the id tells like names apart."""
    frequency = Counter(_appearance(names.get(seat, seat)) for seat in seats)
    labels = {}
    for seat, name in names.items():
        # Otherwise a name written from right to left would reorder the words after it (UAX 9).
        label = _ISOLATED.format(name) if _is_right_to_left(name) else name
        labels[seat] = label if frequency[_appearance(name)] == 1 else f"{label} ({seat})"
    return labels


def _appearance(name: str) -> str:
    """Return the same string for names that look the same in one script."""
    visible = "".join(character for character in name if character not in _INVISIBLE)
    return " ".join(unicodedata.normalize("NFKC", visible).split())


def _is_right_to_left(name: str) -> bool:
    return any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in name)
