"""The laid-out track, and the house pieces that it is laid of (S1, S2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias


class Field(IntEnum):
    """What a space of the track is."""

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


FIELD_BY_LABEL: Final = {field.label: field for field in Field}

Rows: TypeAlias = tuple[tuple[Field, ...], ...]
"""A piece, or the whole track: row by row in the direction of the race, lanes from the left."""


@dataclass(frozen=True)
class Piece:
    """A part of the track, by which name it is laid."""

    name: str
    rows: Rows


@dataclass(frozen=True)
class Course:
    """The pieces in the order in which they are laid, from the start to the line."""

    pieces: tuple[Piece, ...]

    @cached_property
    def rows(self) -> Rows:
        return tuple(row for piece in self.pieces for row in piece.rows)

    @cached_property
    def length(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @cached_property
    def lanes(self) -> int:
        return len(self.rows[0])

    def has(self, row: int, lane: int) -> bool:
        """Whether there is such a space."""
        return 0 <= row < self.length and 0 <= lane < self.lanes

    def is_enterable(self, row: int, lane: int) -> bool:
        """Whether a character can stand on the space, if there is such a space (S5)."""
        return self.has(row, lane) and self.rows[row][lane].is_enterable


_SIGNS: Final = {
    ".": Field.PLAIN,
    "g": Field.GIFT,
    "+": Field.BOOST,
    "~": Field.ABYSS,
    "#": Field.OBSTACLE,
}


def _piece(name: str, *rows: str) -> Piece:
    return Piece(name, tuple(tuple(_SIGNS[sign] for sign in row) for row in rows))


HOUSE_PIECES: Final = (
    _piece("alder", "..g.", "#..+", ".~..", "g+#g", "...."),
    _piece("birch", "....", "g~.#", "..+.", "~g.g", "...."),
    _piece("cedar", "g...", ".#+.", "..~g", "+#..", "...g"),
    _piece("fir", "....", "~+g~", "..#g", "g..+", "...."),
    _piece("larch", ".g..", "+.~.", "#g.g", "..~+", "...."),
    _piece("pine", "...g", ".~..", "+.#g", ".g~+", "...."),
)
"""The service's own six pieces of 5 rows and 4 lanes (S1): ours, not the publisher's.

Each is written row by row in the direction of the race: ``.`` plain, ``g`` gift, ``+`` boost,
``~`` abyss, ``#`` obstacle.
"""
