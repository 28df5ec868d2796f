"""Pictures of Slopecrashers: rows of the track, downhill as on the page that plays."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from service.docs.boards.svg import arrow, element, figure, group, label, token
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, SIGNS, Field, Rows
from service.texts.catalogue import text

_Point: TypeAlias = tuple[float, float]
_CELL, _LEFT, _TOP, _EDGE = 44, 22, 20, 16
_GIFT: Final = element("rect", x=-10, y=-5, width=20, height=14, rx=2, class_="box") + element(
    "path", d="M0 -5V9M-10 0H10M0 -5C-8 -14 -10 -5 0 -5C10 -5 8 -14 0 -5", class_="bow"
)
_BOOST: Final = element("path", d="M-8 -9L0 -1L8 -9M-8 1L0 9L8 1", class_="boost")
_DRAWINGS: Final = {
    Field.GIFT: _GIFT,
    Field.BOOST: _BOOST,
    Field.GIFT_BOOST: group(0, -8, element("g", _GIFT, transform="scale(0.75)"))
    + group(0, 10, element("g", _BOOST, transform="scale(0.75)")),
    Field.ABYSS: element("ellipse", rx=14, ry=12, class_="hole"),
    Field.OBSTACLE: element("path", d="M-13 11L-6 -6L0 -1L5 -11L13 11z", class_="rock"),
}
_SNOWMAN: Final = element("circle", cy=7, r=9) + element("circle", cy=-6, r=6)
_SPACE_NAME: Final = re.compile(r"([A-H])(\d+)")


def course(position: Mapping[str, Any], language: str) -> str:
    """Return rows of the track.

    Args:
        position: ``rows`` (one string each, a sign for each lane: ``.`` plain, ``g`` gift, ``+``
            boost, ``*`` both, ``~`` abyss, ``#`` obstacle, ``_`` off the course) or the name of a
            default ``piece``; the number of the ``first`` row; ``players`` by name, ``snowmen``
            and ``marked`` spaces, such as C4; ``paths``, lists of spaces from which arrows lead to
            the next; ``chili``: the movements that a chili adds, by player.
        language: language of the description.
    """
    rows, first = _rows(position), position.get("first", 0)
    lanes = len(rows[0])
    parts = [
        label(str(first + row), 10, _TOP + row * _CELL + 27, "axis") for row in range(len(rows))
    ]
    parts += [label(chr(65 + lane), *_centre(-1, lane, dy=16), "axis") for lane in range(lanes)]
    for row, fields in enumerate(rows):
        for lane, field in enumerate(fields):
            if field is not Field.OFF_COURSE:
                parts.append(_space(field, *_centre(row, lane)))
    here = {name: _place(space, first) for name, space in position.get("players", {}).items()}
    parts += [
        element("rect", x=x - 20, y=y - 20, width=40, height=40, rx=7, class_="marked")
        for x, y in _centres(position.get("marked", ()), first)
    ]
    parts += [
        group(*at, _SNOWMAN, class_="snowman")
        for at in _centres(position.get("snowmen", ()), first)
    ]
    taken = position.get("players", {}).values()
    parts += [arrow(*_path(each, first, taken)) for each in position.get("paths", ())]
    parts += [token(name, *_centre(*place)) for name, place in here.items()]
    for name, count in position.get("chili", {}).items():
        row, lane = here[name]
        parts.append(label(f"+{count}", *_centre(row + 1, lane, dy=5), "gain"))
    size = (_LEFT + lanes * _CELL + 2, _TOP + len(rows) * _CELL + 2)
    described = _description(position, rows, first, language)
    return figure("course", size, position["title"], described, parts)


def _rows(position: Mapping[str, Any]) -> Rows:
    if "piece" in position:
        [rows] = (piece.rows for piece in DEFAULT_PIECES if piece.name == position["piece"])
        return rows
    return tuple(tuple(SIGNS[sign] for sign in row) for row in position["rows"])


def _place(name: str, first: int) -> tuple[int, int]:
    """Return the row in the picture and the lane of a space."""
    parsed = _SPACE_NAME.fullmatch(name)
    if parsed is None:
        raise ValueError(f"{name} is no space")
    return int(parsed[2]) - first, ord(parsed[1]) - ord("A")


def _centre(row: int, lane: int, dy: float = 0) -> _Point:
    return _LEFT + (lane + 0.5) * _CELL, _TOP + (row + 0.5) * _CELL + dy


def _centres(names: Iterable[str], first: int) -> list[_Point]:
    return [_centre(*_place(name, first)) for name in names]


def _path(spaces: Sequence[str], first: int, taken: Container[str]) -> list[_Point]:
    """Return the points of a path; it begins and ends at the edge of a disc."""
    points = _centres(spaces, first)
    points[0] = _towards(points[0], points[1], _EDGE)
    points[-1] = _towards(points[-1], points[-2], _EDGE if spaces[-1] in taken else 4)
    return points


def _towards(point: _Point, other: _Point, distance: float) -> _Point:
    (x, y), (other_x, other_y) = point, other
    share = distance / max(abs(other_x - x), abs(other_y - y))
    return x + (other_x - x) * share, y + (other_y - y) * share


def _space(field: Field, x: float, y: float) -> str:
    ground = element("rect", x=-20, y=-20, width=40, height=40, rx=7, class_="ground")
    return group(x, y, ground, _DRAWINGS.get(field, ""))


def _description(position: Mapping[str, Any], rows: Rows, first: int, language: str) -> str:
    """Return the pieces, snowmen and special fields in words."""
    named = [f"{name} {space}" for name, space in position.get("players", {}).items()]
    if snowmen := position.get("snowmen"):
        named.append(text("page.slopecrashers.snowmen", language, spaces=", ".join(snowmen)))
    named += [" → ".join(path) for path in position.get("paths", ())]
    return "; ".join((*named, *_fields(rows, first, language)))


def _fields(rows: Rows, first: int, language: str) -> Iterator[str]:
    for field in _DRAWINGS:
        spaces = [
            f"{chr(65 + lane)}{first + row}"
            for row, fields in enumerate(rows)
            for lane, each in enumerate(fields)
            if each is field
        ]
        if spaces:
            yield f"{text(f'slopecrashers.space.{field.label}', language)}: {', '.join(spaces)}"
