"""Page template: header, navigation, table of contents and content."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from service.docs.markdown import RenderedMarkdown

HOME, STYLE, REFERENCE = "/docs/", "/docs/style.css", "/docs/api/"
_MIN_SECTIONS_FOR_CONTENTS: Final = 3
"""A page with fewer sections gets no table of contents."""


def html_document(
    title: str, content: RenderedMarkdown, pages: Iterable[tuple[str, str]], current: str = ""
) -> str:
    """Return a complete HTML document.

    Args:
        title: title of the window.
        content: content of the page.
        pages: address and title of every page, for the navigation.
        current: address of this page.
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
<a class="skip" href="#content">Skip to content</a>
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
    current_mark = ' aria-current="page"' if address == current else ""
    return f'<li><a href="{escape(address)}"{current_mark}>{escape(name)}</a></li>'


def _with_contents(content: RenderedMarkdown) -> str:
    """Return the HTML of the content with a table of contents under its title."""
    sections = [heading for heading in content.headings if heading.level == 2]
    if len(sections) < _MIN_SECTIONS_FOR_CONTENTS:
        return content.html
    items = "\n".join(
        f'<li><a href="#{escape(section.anchor)}">{escape(section.text)}</a></li>'
        for section in sections
    )
    nav = f'<nav class="contents" aria-label="On this page">\n<ul>\n{items}\n</ul>\n</nav>\n'
    head, end, rest = content.html.partition("</h1>\n")
    return f"{head}{end}{nav}{rest}"
