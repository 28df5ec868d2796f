"""Pictures of Snowcrest: a village, a card, and labelled amounts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from service.docs.boards.icons import PATHS, icon
from service.docs.boards.svg import element, figure, group, label
from service.docs.rules.cards import CARDS, action_words
from service.texts.catalogue import text

_SIDE, _WIDTH, _HEIGHT = 3, 120, 74
_BELOW = _SIDE * _HEIGHT + 6
_ICON, _ROW = 24, 34
_LABELS_WIDTH, _CARD_WIDTH, _LEGEND_WIDTH = 150, 320, 210
_CARDS: Final = {card["id"]: card for section in CARDS.values() for card in section}
_EXHAUSTED: Final = "*"
"""After the name of a villager."""
_ARROW: Final = "→"
_ITEMS: Final = ("any", "building", "card", "villager")
"""Icons that stand for anything of its kind."""


def village(position: Mapping[str, Any], language: str) -> str:
    """Return a village.

    Args:
        position: ``village``: for each cell, row by row, the id of a villager, with ``*`` if it is
            exhausted, or null; ``lit`` cells; ``line``: the cells of exhausted villagers that form
            a row; ``gains``: what the village gains, by resource.
        language: language of the names.
    """
    parts, words = [], []
    for cell, name in enumerate(position["village"]):
        x, y = cell % _SIDE * _WIDTH, cell // _SIDE * _HEIGHT
        lit = cell in position.get("lit", ())
        parts.append(_cell(x, y, name, language, is_lit=lit))
        if name is not None:
            described = _name(name.rstrip(_EXHAUSTED), language)
            if name.endswith(_EXHAUSTED):
                described += f" ({text('page.snowcrest.exhausted', language)})"
            words.append(described)
        else:
            words.append(text("page.snowcrest.free", language))
    if line := position.get("line"):
        ends = [((c % _SIDE + 0.5) * _WIDTH, (c // _SIDE + 0.5) * _HEIGHT) for c in line]
        (x1, y1), (x2, y2) = ends[0], ends[-1]
        parts.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="row"))
    x, gains = 3, position.get("gains", {})
    for kind, count in gains.items():
        parts += [label(f"+{count}", x + 14, _SIDE * _HEIGHT + 24), icon(kind, x + 28, _BELOW)]
        x += 70
    if gains:
        words.append(" ".join(_said(gain, language) for gain in gains.items()))
    size = (_SIDE * _WIDTH, _SIDE * _HEIGHT + (36 if gains else 0))
    return figure("village", size, position["title"], ", ".join(words), parts)


def card(position: Mapping[str, Any], language: str) -> str:
    """Return a card of the default catalogue with its parts labelled.

    Args:
        position: ``card``: the id; ``labels`` of its parts: for a villager what it costs and
            shows, and its actions; for a guardian or forest card the own penalty, that of the
            others and the reward; for a challenge what it requires and the reward.
        language: language of the names.
    """
    rows = list(
        zip_longest(position["labels"], _parts(_CARDS[position["card"]], language), fillvalue="")
    )
    return _table(position["title"], rows, _name(position["card"], language), language)


def amounts(position: Mapping[str, Any], language: str) -> str:
    """Return amounts with labels.

    Args:
        position: ``rows`` of a label and an object, such as ``{"bell": 2}``; ``scrolls``: what
            each row gains; ``pays``: the id of the villager whose cost they are.
        language: language of the names.
    """
    rows: list[tuple[str, list[_Part]]] = [
        (name, list(what.items())) for name, what in position["rows"]
    ]
    for (_, row), scrolls in zip(rows, position.get("scrolls", ()), strict=False):
        row += [_ARROW, ("scroll", scrolls)] if scrolls else []
    return _table(position["title"], rows, "", language)


def legend(position: Mapping[str, Any], language: str) -> str:
    """Return the icons with their names."""
    parts, names = [], []
    for place, kind in enumerate(PATHS):
        x, y = place % 2 * _LEGEND_WIDTH, place // 2 * _ROW
        prefix = "page.snowcrest.item" if kind in _ITEMS else "snowcrest.kind"
        name = text(f"{prefix}.{kind}", language)
        names.append(name[0].upper() + name[1:])
        parts += [icon(kind, x, y), label(names[-1], x + 30, y + 17, "start")]
    size = (2 * _LEGEND_WIDTH, -(-len(PATHS) // 2) * _ROW)
    return figure("legend", size, position["title"], ", ".join(names), parts)


_Part = tuple[str, int] | str
"""A number of something with an icon, or a word."""


def _parts(found: Mapping[str, Any], language: str) -> Iterator[Sequence[_Part]]:
    """Yield the parts of a card."""
    if "reward" in found:
        yield from (list(found[part].items()) for part in ("own", "others", "reward"))
    elif "scrolls" in found:
        conditions = found["conditions"]
        yield [(each.get("building") or each["resource"], each["at_least"]) for each in conditions]
        yield [("scroll", found["scrolls"])]
    else:
        yield [("barley", found["cost"])]
        yield list(found.get("icons", {}).items())
        yield from ([action_words(action, language)] for action in found["actions"])


def _name(card_id: str, language: str) -> str:
    name: str = _CARDS[card_id]["names"][language]
    return name


# Drawing --------------------------------------------------------------------------------------


def _cell(x: float, y: float, name: str | None, language: str, *, is_lit: bool) -> str:
    """Return a cell of a village: an exhausted villager lies face down."""
    exhausted = name is not None and name.endswith(_EXHAUSTED)
    kind = "free" if name is None else "exhausted" if exhausted else "up"
    frame = {"x": 3, "y": 3, "width": _WIDTH - 6, "height": _HEIGHT - 6, "rx": 7}
    parts = [element("rect", **frame, class_=f"{kind} lit" if is_lit else kind)]
    if name is not None:
        card_id = name.rstrip(_EXHAUSTED)
        villager = _CARDS[card_id]
        parts.append(label(_name(card_id, language), _WIDTH / 2, _HEIGHT - 16, "name"))
        shown = villager.get("back" if exhausted else "icons", {})
        icons = [kind for kind, count in shown.items() for _ in range(count)]
        parts += [icon(kind, _WIDTH - 32 - place * 22, 10) for place, kind in enumerate(icons)]
        if not exhausted:
            parts.append(label(str(villager["cost"]), 20, 28, "cost"))
    return group(x, y, *parts)


def _table(
    title: str, rows: Sequence[tuple[str, Sequence[_Part]]], name: str, language: str
) -> str:
    """Return rows of a label and parts, with the name of a card above them."""
    top, parts, words = 34 if name else 4, [], [name] if name else []
    if name:
        parts.append(label(name, 12, 24, "head"))
    for place, (described, row) in enumerate(rows):
        y, x = top + place * _ROW, float(_LABELS_WIDTH)
        parts.append(label(described, 12, y + 22, "start"))
        for part in row:
            if isinstance(part, str):
                parts.append(label(part, x, y + 22, "start"))
                x += 22 if part == _ARROW else 8 * len(part) + 10
            else:
                kind, count = part
                parts += [label(str(count), x, y + 22, "start"), icon(kind, x + 14, y + 5)]
                x += _ICON + 26
        said = " ".join(_said(part, language) for part in row)
        words.append(f"{described}: {said}" if described else said)
    height = top + len(rows) * _ROW + 6
    frame = element("rect", x=1, y=1, width=_CARD_WIDTH - 2, height=height - 2, rx=8, class_="up")
    return figure("amounts", (_CARD_WIDTH, height), title, "; ".join(words), [frame, *parts])


def _said(part: _Part, language: str) -> str:
    if isinstance(part, str):
        return part
    kind, count = part
    return text(f"snowcrest.amount.{kind}", language, count=count)
