"""Documentation site: pages, links, headers and the Markdown conversion."""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatch
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from service.core.languages import LANGUAGES
from service.docs import guide_chapters
from service.docs.markdown import render
from service.docs.pages import PAGES, assets
from service.games.registry import GAMES
from tests.api.spec import specification
from tests.loops import for_each

ROOT = Path(__file__).resolve().parents[2]
HTML = "text/html; charset=utf-8"
REFERENCE = ["/docs/api/", "/docs/api/schemas"]
ADDRESSES = ["/docs/", *(page.address for page in PAGES), *REFERENCE]
SOURCES = sorted({page.source for page in PAGES})
CODE_ELEMENT = re.compile(r"<code>.*?</code>", re.DOTALL)


class ParsedPage(HTMLParser):
    """The text of a page, and its links, loaded resources, ids, attributes and tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.attributes: set[str] = set()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append(tag)
        self.attributes |= set(attributes)
        if tag == "a":
            self.links.append(attributes["href"] or "")
        elif "src" in attributes or tag == "link":
            self.loads.append(attributes.get("src") or attributes.get("href") or "")
        if "id" in attributes:
            self.ids.append(attributes["id"] or "")


def get_page(client: FlaskClient, address: str) -> ParsedPage:
    response = client.get(address)
    assert response.status_code == 200, address
    assert response.content_type == HTML
    return ParsedPage(response.get_data(as_text=True))


@pytest.fixture(scope="module")
def ids_at(app: Flask) -> Callable[[str], set[str]]:
    """Return a function: the ids in the document at an address, which must exist."""
    client = app.test_client()

    @cache
    def ids(address: str) -> set[str]:
        with client.get(address) as response:
            assert response.status_code == 200, (address, response.get_data(as_text=True))
            return set(ParsedPage(response.get_data(as_text=True)).ids)

    return ids


def html(text: str, addresses: dict[str, str] | None = None) -> str:
    return render(text, "service/page.md", addresses or {}).html


# The pages ------------------------------------------------------------------------------------


def test_the_index_lists_every_page_and_the_reference(client: FlaskClient) -> None:
    listed = set(get_page(client, "/docs/").links)

    assert {page.address for page in PAGES} | {*REFERENCE, "/openapi.yaml"} <= listed


@for_each("address", ADDRESSES)
def test_every_link_leads_to_an_existing_address(
    client: FlaskClient, ids_at: Callable[[str], set[str]], address: str
) -> None:
    page = get_page(client, address)
    internal = [link for link in page.links if not link.startswith(("http://", "https://"))]

    assert internal
    for link in internal:
        target, fragment = urldefrag(urljoin(address, link))
        if target == "/":  # The page reads the fragment itself.
            continue
        ids = ids_at(target)
        assert not fragment or fragment in ids, link


@for_each("address", ADDRESSES)
def test_a_page_loads_only_files_of_the_service_and_has_no_inline_code(
    client: FlaskClient, address: str
) -> None:
    page = get_page(client, address)

    assert not {"style", "iframe", "form"} & set(page.tags)
    assert re.findall(r"<script[^>]*>", page.text) == ['<script src="/docs/docs.js" defer>']
    assert not {name for name in page.attributes if name == "style" or name.startswith("on")}
    assert {load for load in page.loads if not load.startswith("/docs/")} <= {"data:,"}
    for load in {*page.loads} - {"data:,"}:
        with client.get(load) as response:
            assert response.status_code == 200, load
            assert response.mimetype in ("text/css", "text/javascript", "image/png")


@for_each("address", ADDRESSES)
def test_a_page_has_one_title_unique_anchors_and_no_markdown_syntax(
    client: FlaskClient, address: str
) -> None:
    page = get_page(client, address)

    assert page.tags.count("h1") == 1
    assert [name for name, times in Counter(page.ids).items() if times > 1] == []
    without_code = CODE_ELEMENT.sub("", page.text)
    assert not re.search(r"\]\(|```|\*\*|\| ---|^#+ ", without_code, re.MULTILINE)


@for_each("name", GAMES)
def test_the_rules_page_has_the_exact_text_of_every_ruling_and_all_names_in_all_languages(
    client: FlaskClient, name: str
) -> None:
    about = GAMES[name].about
    text = get_page(client, f"/docs/rules/{name}").text.replace("&amp;", "&").replace("'", "’")

    for number, ruling in about["rulings"].items():
        anchor = number.lower()
        heading = f'<h3 id="{anchor}"><a href="#{anchor}">{number}</a></h3>\n'
        assert f"{heading}<p>{ruling.replace(chr(39), '’')}</p>" in text
    for names in (*about["cards"].values(), *about["kinds"].values()):
        cells = "".join(f"<td>{names[language]}</td>\n" for language in LANGUAGES)
        assert cells.replace("'", "’") in text


def test_the_rules_page_lists_every_bonus_of_the_default_track(client: FlaskClient) -> None:
    text = get_page(client, "/docs/rules/snow-time").text

    for bonus in GAMES["snow-time"].about["default_track"]["bonuses"]:
        cells = (f"<td>{bonus[name]}</td>" for name in ("space", "kind", "advance"))
        assert "\n".join(cells) in text


def test_the_guide_lists_every_file_of_its_folder() -> None:
    files = {path.stem for path in (ROOT / guide_chapters.FOLDER).glob("*.md")}

    assert {chapter.file for chapter in guide_chapters.CHAPTERS} == files


def test_the_search_index_leads_to_sections(
    client: FlaskClient, ids_at: Callable[[str], set[str]]
) -> None:
    compressed = client.get("/docs/search.json", headers={"Accept-Encoding": "gzip"}).data
    index = json.loads(gzip.decompress(compressed))

    assert len(compressed) <= 68_000
    for address, _, heading, _ in index:
        page, anchor = urldefrag(address)
        assert anchor in ids_at(page), address
        assert heading
    texts = {heading: text for _, _, heading, text in index}
    assert "what to do" in texts["What to show"]
    assert "curl" not in texts["Get a first hint"]


# Headers and caching --------------------------------------------------------------------------


@for_each("address", [*ADDRESSES, "/docs/style.css"])
def test_every_response_has_the_security_headers_and_an_etag(
    client: FlaskClient, address: str
) -> None:
    first = client.get(address)
    again, other = (
        client.get(address, headers={"If-None-Match": each})
        for each in (first.headers["ETag"], '"other"')
    )

    policy = first.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert {"script-src 'self'", "trusted-types 'none'"} <= set(policy.split("; "))
    assert first.headers["X-Content-Type-Options"] == "nosniff"
    assert first.headers["Referrer-Policy"] == "no-referrer"
    assert first.headers["Cache-Control"] == "no-cache"
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert (other.status_code, other.data) == (200, first.data)


def test_every_page_has_its_own_etag() -> None:
    site = assets()

    assert len({asset.etag for asset in site.values()}) == len(site)
    assert all(asset.etag in sha256(asset.content).hexdigest() for asset in site.values())


def test_the_host_header_is_in_no_redirect_and_on_no_page(client: FlaskClient) -> None:
    host = {"Host": "elsewhere.example"}
    redirects = {"/docs": "/docs/", "/docs/api": "/docs/api/", "/docs/index.html": "/docs/"}
    for address, target in redirects.items():
        response = client.get(address, headers=host)
        assert (response.status_code, response.headers["Location"]) == (302, target)
        assert b"elsewhere" not in client.get(target, headers=host).data


def test_no_page_needs_a_key() -> None:
    keys = f"anna:{sha256(b'secret').hexdigest()}"
    client = create_app(Config(log_level="CRITICAL", api_keys=keys)).test_client()

    assert client.get("/v1/games").status_code == 401
    for address in (*ADDRESSES, "/docs", "/docs/api", "/docs/api/", "/docs/style.css"):
        assert client.get(address).status_code in (200, 302), address


def test_a_page_accepts_get_and_head_only(client: FlaskClient) -> None:
    assert client.post("/docs/").status_code == 405
    assert client.head("/docs/guide").status_code == 200


@for_each("name", ["guide/", "Guide", "rules", "style", "pages.py", "../guide"])
def test_an_unknown_page_gets_404(client: FlaskClient, name: str) -> None:
    response = client.get(f"/docs/{name}")

    assert response.status_code == 404
    assert response.get_json()["code"] == "not-found"


# Sources and Markdown -------------------------------------------------------------------------


@for_each("source", SOURCES)
def test_every_relative_link_of_a_source_names_a_file(source: str) -> None:
    text = (ROOT / source).read_text(encoding="utf-8")

    for link in re.findall(r"\]\(([^)#]+)", text):
        if not link.startswith("http"):
            assert (ROOT / source).parent.joinpath(link).exists(), link


@for_each("source", [*SOURCES, "service/docs/style.css"])
def test_the_package_data_contains_the_sources_of_the_pages(source: str) -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    folder, _, file = source.rpartition("/")

    packages = tool["setuptools"]["packages"]["find"]["include"]
    assert any(fnmatch(folder.replace("/", "."), pattern) for pattern in packages)
    assert any(fnmatch(file, pattern) for pattern in tool["setuptools"]["package-data"]["*"])


def test_raw_html_is_escaped_and_links_with_code_become_text() -> None:
    output = html("A <script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n")

    assert not {"<script", "<img"} & set(re.findall(r"<\w+", output))
    assert "&lt;script&gt;" in output
    # So do links that run code.
    assert "<a" not in html("[x](javascript:alert(1)) [y](data:text/html,z)")


def test_links_between_files_become_links_between_pages() -> None:
    addresses = {"service/core/README.md": "/docs/core", "service/there.md": "/docs/there"}

    output = html("[a](core/README.md#why) [b](./there.md) [c](#here)", addresses)

    assert '<a href="/docs/core#why">a</a>' in output
    assert '<a href="/docs/there">b</a>' in output
    assert '<a href="#here">c</a>' in output


def test_a_link_to_a_file_that_is_not_served_becomes_text() -> None:
    assert html("see [`app.py`](app.py) first") == "<p>see <code>app.py</code> first</p>\n"


def test_an_image_that_is_not_served_raises_an_error() -> None:
    with pytest.raises(ValueError, match=r"nowhere\.png"):
        html("![x](nowhere.png)")


def test_equal_headings_get_different_anchors() -> None:
    rendered = render("# A `b` c!\n\n## Ω (x)\n\n## Ω (x)\n", "page.md", {})

    assert [heading.anchor for heading in rendered.headings] == ["a-b-c", "ω-x", "ω-x-1"]
    assert '<h1 id="a-b-c"><a href="#a-b-c">A <code>b</code> c!</a></h1>' in rendered.html


def test_columns_are_aligned_by_class_without_style_attributes() -> None:
    output = html("| a | b |\n|---|---:|\n| 1 | 2 |\n")

    assert '<td class="right">2</td>' in output
    assert "style" not in output


def test_code_in_several_languages_becomes_tabs() -> None:
    output = html("```sh\na\n```\n\n```python\nb\n```\n\ntext\n\n```python\nc\n```\n")

    before, tabs, after = re.split("<fieldset class=.tabs.>|</fieldset>", output)
    assert before == ""
    assert re.findall('value="(.*?)"( checked)?', tabs) == [("sh", " checked"), ("python", "")]
    assert re.findall("<label .*>(.*)</label>", tabs) == ["Shell", "Python"]
    assert ">a\n<" in tabs
    assert ">b\n<" in tabs
    assert ">c\n<" in after


# Names ----------------------------------------------------------------------------------------


def property_names(node: Any) -> set[str]:
    """Return the names of all properties in a part of the OpenAPI document."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    properties = node.get("properties") if isinstance(node, dict) else None
    own = set(properties) if isinstance(properties, dict) else set()
    return own.union(*map(property_names, children))


def test_the_pages_name_only_fields_that_exist():
    names = property_names(specification()["components"]["schemas"])
    for source in SOURCES:
        text = (ROOT / source).read_text(encoding="utf-8")
        glossary = text.partition("## Glossary")[2].partition("\n## ")[0]
        fields = re.findall(r"\| `(\w+)` \|$", glossary, re.MULTILINE)
        fields += re.findall(r"`search\.(\w+)", text)
        assert [field for field in fields if field not in names] == [], source
        assert fields or "solver" not in source
