"""Page template: header, navigation, table of contents and content."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

from service.core.languages import DEFAULT_LANGUAGE
from service.docs.markdown import RenderedMarkdown

HOME, STYLE, BOARDS, SCRIPT = "/docs/", "/docs/style.css", "/docs/boards.css", "/docs/docs.js"
REFERENCE, SCHEMAS = "/docs/api/", "/docs/api/schemas"
SEARCHES: Final = {"en": "/docs/search.json", "de": "/docs/de/search.json"}
"""Address of the search index of the pages in each language."""
PAGE: Final = "/"
"""Address of the web page that plays."""
_MIN_SECTIONS_FOR_CONTENTS: Final = 3
"""A page with fewer sections gets no table of contents."""
LANGUAGE_TITLES: Final = {"en": "English", "de": "Deutsch"}
"""Name of each language of pages in itself."""
_WORDS: Final = {
    "en": {
        "skip": "Skip to content",
        "home": "Winter Games docs",
        "play": "Play",
        "pages": "Pages",
        "search": "Search the documentation",
        "none": "No section has these words.",
        "contents": "On this page",
    },
    "de": {
        "skip": "Zum Inhalt springen",
        "home": "Winter Games: Dokumentation",
        "play": "Spielen",
        "pages": "Seiten",
        "search": "Deutsche Seiten durchsuchen",
        "none": "Kein Abschnitt enthält diese Wörter.",
        "contents": "Auf dieser Seite",
    },
}


class Link(NamedTuple):
    """A link to a page: its address, title and language."""

    address: str
    title: str
    language: str = DEFAULT_LANGUAGE


def html_document(
    title: str,
    content: RenderedMarkdown,
    pages: Iterable[Link],
    current: str = "",
    play: str = PAGE,
    language: str = DEFAULT_LANGUAGE,
    translations: Iterable[Link] = (),
) -> str:
    """Return a complete HTML document.

    Args:
        title: title of the window.
        content: content of the page.
        pages: links to every page, for the navigation.
        current: address of this page.
        play: address of what the page is about on the web page that plays.
        language: language of the page; the navigation is in English.
        translations: links to the same page in other languages.
    """
    links = "\n".join(_page_link(link, current, language) for link in pages)
    words = _WORDS[language]
    return f"""\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)} · Winter Games</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{STYLE}">
<link rel="stylesheet" href="{BOARDS}">
<script src="{SCRIPT}" defer></script>
</head>
<body>
<a class="skip" href="#content">{words["skip"]}</a>
<header>
<div class="bar">
<a class="home" href="{HOME}">{words["home"]}</a>
<a class="play" href="{play}">{words["play"]}</a>
<button class="menu" type="button" popovertarget="pages">{words["pages"]}</button>
</div>
<search hidden>
<label for="search">{words["search"]}</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" \
data-index="{SEARCHES[language]}" data-none="{words["none"]}">
<div id="results" role="status"></div>
</search>
<nav id="pages" popover aria-label="{words["pages"]}">
<ul>
{links}
</ul>
</nav>
</header>
<main id="content">
{_with_contents(content, words["contents"], translations)}</main>
</body>
</html>
"""


def _page_link(link: Link, current: str, language: str) -> str:
    current_mark = ' aria-current="page"' if link.address == current else ""
    is_part = link.address.startswith((f"{HOME}guide/", SCHEMAS))
    level = ' class="chapter"' if is_part or link.language != DEFAULT_LANGUAGE else ""
    other = f' lang="{link.language}"' if link.language != language else ""
    return (
        f'<li{level}><a href="{escape(link.address)}"{current_mark}{other}>'
        f"{escape(link.title)}</a></li>"
    )


def _with_contents(content: RenderedMarkdown, title: str, translations: Iterable[Link]) -> str:
    """Return the HTML with links to other languages and a table of contents under its title."""
    links = "\n".join(
        f'<a href="{link.address}" hreflang="{link.language}" lang="{link.language}">'
        f"{link.title}</a>"
        for link in translations
    )
    nav = f'<p class="languages">{links}</p>\n' if links else ""
    sections = [heading for heading in content.headings if heading.level == 2]
    if len(sections) >= _MIN_SECTIONS_FOR_CONTENTS:
        items = "\n".join(
            f'<li><a href="#{escape(section.anchor)}">{escape(section.text)}</a></li>'
            for section in sections
        )
        nav += f'<nav class="contents" aria-label="{title}">\n<ul>\n{items}\n</ul>\n</nav>\n'
    head, end, rest = content.html.partition("</h1>\n")
    return f"{head}{end}{nav}{rest}"
