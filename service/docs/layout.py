"""Page template: header, navigation, table of contents and content."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from service.docs.markdown import RenderedMarkdown

HOME, STYLE, SCRIPT = "/docs/", "/docs/style.css", "/docs/docs.js"
REFERENCE, SCHEMAS, SEARCH = "/docs/api/", "/docs/api/schemas", "/docs/search.json"
PAGE: Final = "/"
"""Address of the web page that plays."""
_MIN_SECTIONS_FOR_CONTENTS: Final = 3
"""A page with fewer sections gets no table of contents."""


def html_document(
    title: str,
    content: RenderedMarkdown,
    pages: Iterable[tuple[str, str]],
    current: str = "",
    play: str = PAGE,
) -> str:
    """Return a complete HTML document.

    Args:
        title: title of the window.
        content: content of the page.
        pages: address and title of every page, for the navigation.
        current: address of this page.
        play: address of what the page is about on the web page that plays.
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
<script src="{SCRIPT}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<div class="bar">
<a class="home" href="{HOME}">Winter Games docs</a>
<a class="play" href="{play}">Play</a>
<button class="menu" type="button" popovertarget="pages">Pages</button>
</div>
<search hidden>
<label for="search">Search the documentation</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" data-index="{SEARCH}">
<div id="results" role="status"></div>
</search>
<nav id="pages" popover aria-label="Pages">
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
    level = ' class="chapter"' if address.startswith((f"{HOME}guide/", SCHEMAS)) else ""
    return f'<li{level}><a href="{escape(address)}"{current_mark}>{escape(name)}</a></li>'


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
