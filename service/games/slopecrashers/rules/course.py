"""The track, its pieces and the default pieces (S1, S2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias


class Field(IntEnum):
    """The kind of a space of the track."""

    PLAIN = 0
    GIFT = 1
    BOOST = 2
    ABYSS = 3
    OBSTACLE = 4

    @property
    def label(self) -> str:
        """The field's name in the HTTP contract."""
        return self.name.lower()

    @property
    def is_enterable(self) -> bool:
        return self < Field.ABYSS


MAX_PIECES: Final = 12
"""On a track."""

FIELD_BY_LABEL: Final = {field.label: field for field in Field}

Rows: TypeAlias = tuple[tuple[Field, ...], ...]
"""A piece or the whole track: rows in race direction, lanes from the left."""


@dataclass(frozen=True)
class Piece:
    """A named part of the track."""

    name: str
    rows: Rows


@dataclass(frozen=True)
class Course:
    """The track: pieces in order, from the start to the finish line."""

    pieces: tuple[Piece, ...]

    @cached_property
    def rows(self) -> Rows:
        return tuple(row for piece in self.pieces for row in piece.rows)

    @cached_property
    def length(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @cached_property
    def lanes(self) -> int:
        return len(self.rows[0])

    def contains(self, row: int, lane: int) -> bool:
        """Whether the space exists."""
        return 0 <= row < self.length and 0 <= lane < self.lanes

    def is_enterable(self, row: int, lane: int) -> bool:
        """Whether the space exists and a character can stand on it (S5)."""
        return self.contains(row, lane) and self.rows[row][lane].is_enterable


SIGNS: Final = {
    ".": Field.PLAIN,
    "g": Field.GIFT,
    "+": Field.BOOST,
    "~": Field.ABYSS,
    "#": Field.OBSTACLE,
}


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
