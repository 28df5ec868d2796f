"""The frame around a page: which other pages there are, and what stands on this one."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from service.docs.markdown import Rendered

HOME, STYLE, REFERENCE = "/docs/", "/docs/style.css", "/docs/api/"
_CONTENTS_FROM: Final = 3
"""With fewer chapters a page needs no list of them."""


def framed(
    title: str, content: Rendered, pages: Iterable[tuple[str, str]], current: str = ""
) -> str:
    """A whole HTML document.

    Args:
        title: of the window.
        content: what the page says.
        pages: all pages: address and title.
        current: the address of this one.
    """
    links = "\n".join(_page_link(address, name, current) for address, name in pages)
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)} · Winter Games</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{STYLE}">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="{HOME}">Winter Games docs</a>
<nav aria-label="Pages">
<ul>
{links}
</ul>
</nav>
</header>
<main id="content">
{_with_contents(content)}</main>
</body>
</html>
"""


def _page_link(address: str, name: str, current: str) -> str:
    here = ' aria-current="page"' if address == current else ""
    return f'<li><a href="{escape(address)}"{here}>{escape(name)}</a></li>'


def _with_contents(content: Rendered) -> str:
    """What the page says, with a list of its chapters under its title."""
    chapters = [heading for heading in content.headings if heading.level == 2]
    if len(chapters) < _CONTENTS_FROM:
        return content.html
    items = "\n".join(
        f'<li><a href="#{escape(each.anchor)}">{escape(each.text)}</a></li>' for each in chapters
    )
    nav = f'<nav class="contents" aria-label="On this page">\n<ul>\n{items}\n</ul>\n</nav>\n'
    head, end, rest = content.html.partition("</h1>\n")
    return f"{head}{end}{nav}{rest}"
