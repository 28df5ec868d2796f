"""The track, its pieces and the default pieces (S1, S2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias


class Field(IntEnum):
    """The kind of a space of the track; the numbers are sums of bits."""

    PLAIN = 0
    GIFT = 1
    BOOST = 2
    GIFT_BOOST = GIFT | BOOST
    ABYSS = 4
    OBSTACLE = 8
    OFF_COURSE = 16
    """No space: a piece that is narrower than the track leaves it open."""

    @property
    def label(self) -> str:
        """The field's name in the HTTP contract."""
        return self.name.lower().replace("_", "-")

    @property
    def is_enterable(self) -> bool:
        """Whether a character can stand on the space."""
        return self < Field.ABYSS

    def has(self, field: Field) -> bool:
        """Whether the space is such a field; one can be a gift and a boost."""
        return self & field == field


MAX_PIECES: Final = 12
"""On a track."""
MAX_LANES: Final = 8
"""Of a track."""

FIELD_BY_LABEL: Final = {field.label: field for field in Field if field is not Field.OFF_COURSE}

Rows: TypeAlias = tuple[tuple[Field, ...], ...]
"""A piece or the whole track: rows in race direction, lanes from the left."""


@dataclass(frozen=True)
class Piece:
    """A named part of the track, and how it lies there (S1).

    Attributes:
        name: of the piece.
        rows: as printed, all with the same number of lanes.
        is_reversed: whether the piece lies rotated by 180 degrees.
        offset: number of lanes of the track to the left of the piece.
    """

    name: str
    rows: Rows
    is_reversed: bool = False
    offset: int = 0

    @property
    def end(self) -> int:
        """The first lane of the track to the right of the piece."""
        return self.offset + len(self.rows[0])

    def laid(self, lanes: int) -> Rows:
        """Return its rows on a track with so many lanes."""
        rows = tuple(row[::-1] for row in self.rows[::-1]) if self.is_reversed else self.rows
        left, right = (Field.OFF_COURSE,) * self.offset, (Field.OFF_COURSE,) * (lanes - self.end)
        return tuple((*left, *row, *right) for row in rows)


@dataclass(frozen=True)
class Course:
    """The track: pieces in order, from the start to the finish line."""

    pieces: tuple[Piece, ...]

    @cached_property
    def rows(self) -> Rows:
        """All rows of the pieces as they lie, each with the lanes of the whole track."""
        return tuple(row for piece in self.pieces for row in piece.laid(self.lanes))

    @cached_property
    def length(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @cached_property
    def lanes(self) -> int:
        """Number of lanes, from the first to the last one that a piece has."""
        return max(piece.end for piece in self.pieces)

    def contains(self, row: int, lane: int) -> bool:
        """Whether the space exists."""
        within = 0 <= row < self.length and 0 <= lane < self.lanes
        return within and self.rows[row][lane] is not Field.OFF_COURSE

    def is_enterable(self, row: int, lane: int) -> bool:
        """Whether the space exists and a character can stand on it (S5)."""
        within = 0 <= row < self.length and 0 <= lane < self.lanes
        return within and self.rows[row][lane].is_enterable


SIGNS: Final = {
    ".": Field.PLAIN,
    "g": Field.GIFT,
    "+": Field.BOOST,
    "*": Field.GIFT_BOOST,
    "~": Field.ABYSS,
    "#": Field.OBSTACLE,
    "_": Field.OFF_COURSE,
}
"""The fields in drawings."""


def _piece(name: str, *rows: str) -> Piece:
    return Piece(name, tuple(tuple(SIGNS[sign] for sign in row) for row in rows))


DEFAULT_PIECES: Final = (
    _piece("alder", "..g.", "#..+", ".~..", "g+#g", "...."),
    _piece("birch", "....", "g~.#", "..+.", "~g.g", "...."),
    _piece("cedar", "g...", ".#+.", "..~g", "+#..", "...g"),
    _piece("fir", "....", "~+g~", "..#g", "g..+", "...."),
    _piece("larch", ".g..", "+.~.", "#g.g", "..~+", "...."),
    _piece("pine", "...g", ".~..", "+.#g", ".g~+", "...."),
)
"""Six pieces of 5 rows and 4 lanes, designed for this service and not by the publisher (S1).

Rows are in race direction: ``.`` plain, ``g`` gift, ``+`` boost, ``~`` abyss, ``#`` obstacle.
"""
