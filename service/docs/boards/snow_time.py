"""Pictures of Snow Time: the tree with fruit and champions, and a part of the scoring track."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from service.docs.boards.svg import arrow, element, figure, group, label, token
from service.games.snow_time.rules.state import LEVELS, default_track
from service.texts.catalogue import text

_WIDTH, _ROW, _TOP, _CENTRE = 400, 46, 14, 130
_STANDING, _GAP = 236, 64
"""Place of the first champion of a level, and distance to the next one."""
_SPACE: Final = 40
_LEAST_WIDTH: Final = 320


def tree(position: Mapping[str, Any], language: str) -> str:
    """Return the tree.

    Args:
        position: ``fruit`` by level, ``cards`` (the champion of each player), ``fallen`` players,
            and ``points`` of players, which stand next to their champions.
        language: language of the description.
    """
    fruit = {int(level): count for level, count in position.get("fruit", {}).items()}
    cards, fallen = position.get("cards", {}), position.get("fallen", ())
    levels = range(LEVELS, 0, -1)
    by_level = {level: [name for name, card in cards.items() if card == level] for level in levels}
    parts = [part for level in levels for part in _level(level)]
    for level in levels:
        parts += _fruit(level, fruit.get(level, 0))
        parts += _champions(level, by_level, fallen, position.get("points", {}))
    described = " ".join(
        text("page.tree.level", language, level=level, what=", ".join(what))
        for level in levels
        if (what := _what(fruit.get(level, 0), by_level[level], fallen, language))
    )
    size = (_WIDTH, _TOP + LEVELS * _ROW + 6)
    return figure("tree", size, position["title"], described, parts)


def track(position: Mapping[str, Any], language: str) -> str:
    """Return spaces of the default track with their bonuses and the moves of markers.

    Args:
        position: ``first`` and ``last`` space, and ``moves``: the spaces of each marker in turn.
        language: language of the names.
    """
    first, last, moves = position["first"], position["last"], position.get("moves", {})
    bonuses = default_track().bonus_by_space
    height, parts, words = 66 + 30 * len(moves), [], []
    for place, space in enumerate(range(first, last + 1)):
        x, bonus = place * _SPACE + 2, bonuses.get(space)
        kind = "space" if bonus is None else "space bonus"
        parts.append(element("rect", x=x, y=2, width=_SPACE - 4, height=56, rx=6, class_=kind))
        parts.append(label(str(space), x + 18, 18, "axis"))
        if bonus is not None:
            name = text(f"snow-time.kind.{bonus.kind.label}", language)
            parts += [label(f"+{bonus.advance}", x + 18, 37), label(name, x + 18, 52, "small")]
            words.append(f"{space}: {name} +{bonus.advance}")
    for row, (name, spaces) in enumerate(moves.items()):
        y = 76 + 30 * row
        places = [(space - first) * _SPACE + _SPACE / 2 for space in spaces]
        for begin, end in pairwise(places):
            parts.append(arrow((begin + 13, y), (end - (13 if end == places[-1] else 2), y)))
        parts += [token(name, x, y, radius=11) for x in (places[0], places[-1])]
        words.append(f"{name}: {' → '.join(map(str, spaces))}")
    size = (max(_LEAST_WIDTH, (last - first + 1) * _SPACE), height)
    return figure("track", size, position["title"], "; ".join(words), parts)


def _y(level: int) -> int:
    return _TOP + (LEVELS - level) * _ROW


def _level(level: int) -> Iterator[str]:
    """Yield the line, the number and the branches of a level; lower branches are wider."""
    low, reach = _y(level) + _ROW - 4, 30 + (LEVELS - level) * 12
    yield element("line", x1=26, x2=_WIDTH - 6, y1=_y(level) + _ROW, y2=_y(level) + _ROW)
    yield label(str(level), 12, _y(level) + 28, "axis")
    top = _y(level) - (8 if level < LEVELS else 2)
    branches = f"M{_CENTRE} {top}L{_CENTRE - reach} {low}H{_CENTRE + reach}z"
    yield element("path", d=branches, class_="needles" if level % 2 else "needles even")


def _fruit(level: int, count: int) -> Iterator[str]:
    for place in range(count):
        x = _CENTRE + (place - (count - 1) / 2) * 18
        yield group(x, _y(level) + 29, element("circle", r=7), class_="fruit")


def _champions(
    level: int,
    by_level: Mapping[int, list[str]],
    fallen: list[str],
    points: Mapping[str, int],
) -> Iterator[str]:
    """Yield the champions of a level, and arrows from a single one to those that it knocks down."""
    names, y = by_level[level], _y(level) + _ROW // 2
    striker = by_level.get(level + 1, [])
    if len(striker) == 1 and striker[0] not in fallen:
        for place, name in enumerate(names):
            if name in fallen:
                yield arrow((_STANDING, y - _ROW + 16), (_STANDING + place * _GAP, y - 16))
    for place, name in enumerate(names):
        x = _STANDING + place * _GAP
        yield token(name, x, y, fallen=name in fallen)
        if name in points:
            yield label(f"+{points[name]}", x + 28, y + 5, "gain")


def _what(fruit: int, names: list[str], fallen: list[str], language: str) -> list[str]:
    """Return what is on a level, in words."""
    hanging = [text("page.tree.fruit", language, count=fruit)] if fruit else []
    return hanging + [
        text("page.tree.down", language, seat=name) if name in fallen else name for name in names
    ]
