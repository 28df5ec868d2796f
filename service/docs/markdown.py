"""Convert Markdown to HTML without scripts, inline styles or resources of other hosts.

The input is CommonMark with tables. Raw HTML is shown as text. A fenced block ``board`` becomes a
picture of a position.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from service.core.languages import DEFAULT_LANGUAGE
from service.docs.boards.drawing import draw, is_board

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_ALIGNMENT: Final = re.compile(r"text-align:(left|center|right)")
_SCROLLABLE: Final = {"table_open": "table", "fence": "code", "code_block": "code"}
"""Classes of the elements that can be wider than a page, by token type."""
_LABELS: Final = {
    "en": {"table": "Table", "code": "Code"},
    "de": {"table": "Tabelle", "code": "Code"},
}
"""Accessible labels of these classes."""
_TABS: Final = {"sh": "Shell", "python": "Python", "js": "JavaScript", "kotlin": "Kotlin"}
"""Names of the languages; code in several of them, one below the other, becomes tabs."""
_HEADING: Final = re.compile(r'<h[123] id="([^"]*)">')
_CODE: Final = re.compile(r'<div class="wide code".*?</div>|<svg.*?</svg>', re.DOTALL)
_INLINE: Final = re.compile(r"</?(?:a|code|em|strong|wbr)\b[^>]*>")
_TAG: Final = re.compile(r"<[^>]*>")
_EXTERNAL_SCHEMES: Final = ("http", "https")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that links can point to.

    Attributes:
        level: 1 to 6.
        anchor: id of the HTML element, unique on the page.
        text: the heading without markup.
    """

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class RenderedMarkdown:
    """HTML of a Markdown text.

    Attributes:
        html: the content of the ``main`` element.
        headings: all headings, in the order of the text.
    """

    html: str
    headings: tuple[Heading, ...]

    def __add__(self, other: RenderedMarkdown) -> RenderedMarkdown:
        """Return this text followed by another one."""
        return RenderedMarkdown(self.html + other.html, self.headings + other.headings)


def render(
    text: str, source: str, addresses: Mapping[str, str], language: str = DEFAULT_LANGUAGE
) -> RenderedMarkdown:
    """Return the HTML of a Markdown text.

    Args:
        text: CommonMark with tables. A link that starts with ``/`` is an address of the service.
        source: path of the text in the repository; relative links start from there.
        addresses: URL path of every served file, by its path in the repository. A link to a file
            that is not served becomes plain text.
        language: of the text.

    Raises:
        KeyError: if a picture of a position names something unknown.
        ValueError: if the text shows an image that is not served.
    """
    tokens = [_picture(token, language) or token for token in _MARKDOWN.parse(text)]
    headings = _add_anchors(tokens)
    for token in tokens:
        _replace_style_by_class(token)
        if token.type == "inline" and token.children is not None:
            token.children = _resolve_links(token.children, source, addresses)
    html: str = _MARKDOWN.renderer.render(
        _wrap_scrollable(tokens, _LABELS[language]), _MARKDOWN.options, {}
    )
    return RenderedMarkdown(html, headings)


def sections(content: RenderedMarkdown) -> Iterator[tuple[Heading, str]]:
    """Yield each heading of the first three levels with the plain text below it, without code."""
    by_anchor = {heading.anchor: heading for heading in content.headings}
    _, *parts = _HEADING.split(_CODE.sub(" ", content.html))
    for anchor, html in zip(parts[::2], parts[1::2], strict=True):
        text = unescape(_TAG.sub(" ", _INLINE.sub("", html.partition("</h")[2][2:])))
        yield by_anchor[unescape(anchor)], " ".join(text.split())


def _picture(token: Token, language: str) -> Token | None:
    """Return the token of a picture if a fenced block contains a position."""
    if token.type != "fence" or not is_board(token.info):
        return None
    return _html(draw(token.info, token.content, language))


def _add_anchors(tokens: list[Token]) -> tuple[Heading, ...]:
    """Give each heading an id in the style of GitHub and a link to itself; return all headings."""
    headings: list[Heading] = []
    uses: Counter[str] = Counter()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or inline.children is None:
            continue
        text = "".join(child.content for child in inline.children)
        slug = re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")
        anchor = f"{slug}-{uses[slug]}" if uses[slug] else slug
        uses[slug] += 1
        opening.attrSet("id", anchor)
        link = Token("link_open", "a", 1, attrs={"href": f"#{anchor}"})
        inline.children = [link, *inline.children, Token("link_close", "a", -1)]
        headings.append(Heading(int(opening.tag[1:]), anchor, text))
    return tuple(headings)


def _replace_style_by_class(token: Token) -> None:
    """Set the alignment of a cell as a class: the security policy forbids ``style`` attributes."""
    style = _ALIGNMENT.fullmatch(str(token.attrs.pop("style", "")))
    if style is not None:
        token.attrSet("class", style[1])


def _resolve_links(children: list[Token], source: str, addresses: Mapping[str, str]) -> list[Token]:
    """Return the inline tokens with links and images that point to addresses of the service."""
    resolved: list[Token] = []
    is_open: list[bool] = []  # One item for each open link: whether its tag is in the output.
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
        resolved.append(child)
    return resolved


def _address(link: str, source: str, addresses: Mapping[str, str]) -> str | None:
    """Return the target of a link on the site, or None if the service does not serve the file."""
    parts = urlsplit(link)
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source), parts.path))
    is_on_site = parts.path.startswith("/") and not parts.scheme and not parts.netloc
    if parts.scheme in _EXTERNAL_SCHEMES or is_on_site or not parts.path:
        return link
    address = addresses.get(file)
    if address is None:
        return None
    return f"{address}#{parts.fragment}" if parts.fragment else address


def _wrap_scrollable(tokens: list[Token], labels: Mapping[str, str]) -> list[Token]:
    """Put tables and code into focusable boxes that scroll, so that the page does not.

    The same code in several languages becomes tabs, of which the reader sees one.
    """
    wrapped: list[Token] = []
    groups = 0
    tabs = [*(token.type == "fence" and token.info in _TABS for token in tokens), False]
    for place, token in enumerate(tokens):
        is_first = tabs[place] and not tabs[place - 1] and tabs[place + 1]
        is_tab = is_first or (tabs[place] and tabs[place - 1])
        if is_first:
            groups += 1
            wrapped.append(_html('<fieldset class="tabs">\n<legend>Language</legend>\n'))
        if is_tab:
            wrapped.append(_html(_tab(token.info, groups, is_first)))
        kind = _SCROLLABLE.get(token.type)
        if kind is not None:
            box = Token("wide_open", "div", 1, block=True)
            box.attrs |= {"class": f"wide {kind}", "aria-label": labels[kind]}
            box.attrs |= {"tabindex": "0", "role": "group"}
            wrapped.append(box)
        wrapped.append(token)
        if token.type in ("table_close", "fence", "code_block"):
            wrapped.append(Token("wide_close", "div", -1, block=True))
        if is_tab and not tabs[place + 1]:
            wrapped.append(_html("</fieldset>\n"))
    return wrapped


def _tab(language: str, group: int, checked: bool) -> str:
    """Return the radio button of a tab; the style sheet shows the code after the chosen one."""
    name, mark = f"tabs-{group}", " checked" if checked else ""
    button = f'<input type="radio" id="{name}-{language}" name="{name}" value="{language}"{mark}>'
    return f'{button}<label for="{name}-{language}">{_TABS[language]}</label>\n'


def _html(content: str) -> Token:
    return Token("html_block", "", 0, content=content)
