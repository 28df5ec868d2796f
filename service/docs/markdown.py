"""Markdown to HTML that needs no script, no inline style and nothing from elsewhere.

CommonMark with tables.  Raw HTML is shown as text, not let through.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_ALIGNMENT: Final = re.compile(r"text-align:(left|center|right)")
_WIDE: Final = {"table_open": "Table", "fence": "Code", "code_block": "Code"}
"""What may be wider than a page, by its token, and how that is announced."""
_KEPT_SCHEMES: Final = ("http", "https")


@dataclass(frozen=True, slots=True)
class Heading:
    """A place on a page that can be linked to.

    Attributes:
        level: 1 to 6.
        anchor: its id on the page.
        text: without markup.
    """

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page's content.

    Attributes:
        html: what stands between the tags of ``main``.
        headings: in their order.
    """

    html: str
    headings: tuple[Heading, ...]


def render(text: str, source: str, addresses: Mapping[str, str]) -> Rendered:
    """The HTML of a Markdown text.

    Args:
        text: CommonMark, with tables.
        source: its path in the repository; relative links start from there.
        addresses: where files are served, by their paths in the repository.  A link to another
            file of the repository becomes its own text: it leads nowhere outside of it.
    """
    tokens = _MARKDOWN.parse(text)
    headings = _anchored(tokens)
    for token in tokens:
        _unstyled(token)
        if token.type == "inline" and token.children is not None:
            token.children = _served(token.children, source, addresses)
    html: str = _MARKDOWN.renderer.render(_scrollable(tokens), _MARKDOWN.options, {})
    return Rendered(html, headings)


def _anchored(tokens: list[Token]) -> tuple[Heading, ...]:
    """Gives each heading an id, as repositories on the web do it, and a link to itself."""
    headings: list[Heading] = []
    seen: Counter[str] = Counter()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or inline.children is None:
            continue
        text = "".join(child.content for child in inline.children)
        slug = re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")
        anchor = f"{slug}-{seen[slug]}" if seen[slug] else slug
        seen[slug] += 1
        opening.attrSet("id", anchor)
        link = Token("link_open", "a", 1, attrs={"href": f"#{anchor}"})
        inline.children = [link, *inline.children, Token("link_close", "a", -1)]
        headings.append(Heading(int(opening.tag[1:]), anchor, text))
    return tuple(headings)


def _unstyled(token: Token) -> None:
    """Alignment as a class: the pages' policy allows no style in an attribute."""
    style = _ALIGNMENT.fullmatch(str(token.attrs.pop("style", "")))
    if style is not None:
        token.attrSet("class", style[1])


def _served(children: list[Token], source: str, addresses: Mapping[str, str]) -> list[Token]:
    """Links and images of a paragraph, led to where the service has them."""
    kept: list[Token] = []
    is_open: list[bool] = []
    for child in children:
        if child.type == "link_open":
            address = _address(str(child.attrs["href"]), source, addresses)
            is_open.append(address is not None)
            if address is None:
                continue
            child.attrSet("href", address)
        elif child.type == "link_close":
            if not is_open.pop():
                continue
        elif child.type == "image":
            address = _address(str(child.attrs["src"]), source, addresses)
            if address is None:
                raise ValueError(f"{source} shows {child.attrs['src']}, which is not served")
            child.attrSet("src", address)
        kept.append(child)
    return kept


def _address(link: str, source: str, addresses: Mapping[str, str]) -> str | None:
    """Where a link leads on the pages; none if only the repository has what it names."""
    parts = urlsplit(link)
    if parts.scheme in _KEPT_SCHEMES or not parts.path:
        return link
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source), parts.path))
    address = addresses.get(file)
    if address is None:
        return None
    return f"{address}#{parts.fragment}" if parts.fragment else address


def _scrollable(tokens: list[Token]) -> list[Token]:
    """Wide tables and code scroll by themselves, by keyboard too, so that the page need not."""
    made: list[Token] = []
    for token in tokens:
        label = _WIDE.get(token.type)
        if label is not None:
            wide = Token("wide_open", "div", 1, block=True)
            wide.attrs |= {"class": f"wide {label.lower()}", "aria-label": label}
            wide.attrs |= {"tabindex": "0", "role": "group"}
            made.append(wide)
        made.append(token)
        if token.type in ("table_close", "fence", "code_block"):
            made.append(Token("wide_close", "div", -1, block=True))
    return made
