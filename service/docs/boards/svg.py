"""Elements of SVG as text. Colours come from the style sheet, by class."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

_COLOURS: Final = ("berry", "lake", "pine", "amber", "plum", "slate")
"""Classes of the players' colours; the initial of a name selects one, so it keeps its colour."""


def element(name: str, *content: str, **attributes: object) -> str:
    """Return an element; ``class_`` stands for ``class`` and ``stroke_width`` for its hyphen."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(content)}</{name}>"


def label(content: str, x: float, y: float, class_: str = "") -> str:
    """Return a text; without a class it is centred."""
    return element("text", escape(content), x=x, y=y, class_=class_ or "middle")


def group(x: float, y: float, *content: str, class_: str = "") -> str:
    """Return drawings that are moved to a place."""
    named = {"class_": class_} if class_ else {}
    return element("g", *content, transform=f"translate({x:g} {y:g})", **named)


def token(name: str, x: float, y: float, *, fallen: bool = False, radius: int = 14) -> str:
    """Return a disc in the colour of a player with the initial; a fallen one is struck through."""
    colour = _COLOURS[(ord(name[0]) - ord("A")) % len(_COLOURS)]
    parts = [element("circle", r=radius, class_=f"seat {colour}"), label(name[0], 0, 5)]
    if fallen:
        parts.append(element("path", d=f"M{-radius} {radius}L{radius} {-radius}", class_="strike"))
    return group(x, y, *parts, class_="token down" if fallen else "token")


def arrow(*points: tuple[float, float]) -> str:
    """Return a line through points, with a head at its end."""
    (x0, y0), (x1, y1) = points[-2:]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    along, across = (x1 - x0) / length * 8, (y1 - y0) / length * 8
    head = (
        f"M{x1 - along - across * 0.6:.1f} {y1 - across + along * 0.6:.1f}L{x1:g} {y1:g}"
        f"L{x1 - along + across * 0.6:.1f} {y1 - across - along * 0.6:.1f}"
    )
    line = "L".join(f"{x:g} {y:g}" for x, y in points)
    return element("path", d=f"M{line}{head}", class_="arrow")


def figure(
    kind: str, size: tuple[float, float], title: str, description: str, parts: Iterable[str]
) -> str:
    """Return a picture with its accessible name and description.

    Args:
        kind: class of the picture.
        size: width and height in units, which are pixels unless the page is narrower.
        title: what the picture shows; also its caption.
        description: the position in words.
        parts: elements.
    """
    width, height = size
    drawing = element(
        "svg",
        element("title", escape(title)),
        element("desc", escape(description)),
        *parts,
        class_=kind,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        role="img",
    )
    return f'<figure class="board">{drawing}<figcaption>{escape(title)}</figcaption></figure>\n'


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else escape(str(value))
