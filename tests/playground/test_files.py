"""Playground files: routes, headers, scripts and messages."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.api.page.bundle import join_scripts
from service.api.page.files import (
    FOLDER,
    MEDIA_TYPES,
    PAGE,
    SCRIPT,
    SHARED_TEXTS,
    SHELL,
    STYLE,
    WORKER,
    messages,
    read_files,
)
from service.api.page.routes import headers
from service.app import create_app
from service.config import Config
from service.core.languages import LANGUAGES
from service.games.slopecrashers.rules.record import EVENTS as SLOPECRASHERS_EVENTS
from service.games.slopecrashers.rules.state import ActionType as SlopesAct
from service.games.snow_time.api.response_schema import EVENTS as SNOW_TIME_EVENTS
from service.games.snowcrest.rules.actions import ActionType as CrestAct
from service.games.snowcrest.rules.choice_violations import DECISIONS
from service.games.snowcrest.rules.record import EVENTS as SNOWCREST_EVENTS
from service.texts.catalogue import texts
from tests.loops import for_each

MAX_LINES = 400
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file())
TRANSLATIONS = {f"messages/{language}.json" for language in LANGUAGES}
GAMES = {"snow-time.js", "slopecrashers.js", "snowcrest.js"}
PARTS = {"front.js", "lessons.js", "practice.js", "timeline.js"} | GAMES
JOINED = {PAGE, STYLE, *(name + end for name in (SCRIPT, *PARTS) for end in ("", ".map"))}
TYPES = MEDIA_TYPES | {".webmanifest": "application/manifest+json"}
ASSETS = read_files().assets
HEADERS = headers(read_files())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(log_level="CRITICAL")).test_client()


# Routes ---------------------------------------------------------------------------------------


def test_the_page_has_a_strict_security_policy(client: FlaskClient) -> None:
    response = client.get("/")

    assert response.status_code == 200
    assert response.content_type == "text/html; charset=utf-8"
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    [script] = re.findall(r"<script>(.*?)</script>", response.get_data(as_text=True), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    sources = f"script-src 'self' 'sha256-{digest}'"
    assert {"frame-ancestors 'none'", sources} <= set(policy.split("; "))
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"


@for_each("path", sorted(ASSETS))
def test_every_asset_has_its_type_and_the_headers_of_the_page(
    client: FlaskClient, path: str
) -> None:
    response = client.get(f"/playground/{path}")

    assert response.status_code == 200
    assert response.content_type == TYPES[Path(path).suffix]
    if path not in TRANSLATIONS | JOINED | {WORKER}:
        assert response.data == (FOLDER / path).read_bytes()
    assert {name: response.headers[name] for name in HEADERS} == HEADERS


@for_each("path", ["/", "/playground/main.js", "/playground/messages/de.json"])
def test_a_matching_etag_gets_304_without_content(client: FlaskClient, path: str) -> None:
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Cache-Control"] == "no-cache"
    other = client.get(path, headers={"If-None-Match": '"another"'})
    assert (other.status_code, other.data) == (200, first.data)


def test_a_head_has_the_length_and_no_body(client: FlaskClient) -> None:
    response = client.head("/")

    assert response.data == b""
    assert response.content_length == len(client.get("/").data)


OTHER_PATHS = (
    *("", "/", "/index.html", "/nowhere.js", "/../app.py", "/..%2fapp.py", "//etc/passwd"),
    *("/%2e%2e/%2e%2e/etc/passwd", "/snow-time/../../app.py", "/snow-time", "/main.js%00.css"),
    "/MAIN.js",
)


@for_each("path", OTHER_PATHS)
def test_other_paths_get_404(client: FlaskClient, path: str) -> None:
    response = client.get("/playground" + path)

    assert response.status_code == 404
    assert response.get_json()["code"] == "not-found"


def test_files_of_other_kinds_are_not_served() -> None:
    assert {Path(name).suffix for name in ASSETS} <= set(MEDIA_TYPES)
    assert not {name for name in ASSETS if name.startswith(".") or name == "index.html"}


def test_addresses_with_the_present_version_are_stored_for_good(client: FlaskClient) -> None:
    version = read_files().version
    page = client.get("/").get_data(as_text=True)
    loaded = re.findall(r'"(/playground/[^"]+)"', page)
    assert loaded
    for address in loaded:
        assert address.endswith(f"?v={version}")
        assert client.get(address).headers["Cache-Control"].endswith(", immutable")
    other = client.get(f"/playground/{SCRIPT}?v=other")
    assert (other.status_code, other.headers["Cache-Control"]) == (200, "no-cache")


SENT = (*SHELL, *PARTS, WORKER, *(f"messages/{language}.json" for language in LANGUAGES))
DESCRIPTIONS = (f"/v1/games/{part.removesuffix('.js')}" for part in GAMES)


@for_each(
    "address",
    ("/", "/v1/games", *DESCRIPTIONS, *(f"/playground/{name}" for name in SENT)),
)
def test_what_a_first_visit_loads_is_sent_in_gzip(client: FlaskClient, address: str) -> None:
    response = client.get(address, headers={"Accept-Encoding": "gzip"})
    plain = client.get(address)
    assert response.content_encoding == "gzip"
    assert gzip.decompress(response.data) == plain.data
    assert "Accept-Encoding" in response.vary
    assert response.headers["ETag"] != plain.headers["ETag"]


def test_the_page_needs_no_api_key() -> None:
    app = create_app(Config(log_level="CRITICAL", api_keys=f"app:{'0' * 64}"))
    client = app.test_client()

    assert client.get("/").status_code == 200
    assert client.get("/playground/main.js").status_code == 200
    assert client.get("/v1/games").status_code == 401


# Joined files -----------------------------------------------------------------------------------


def test_the_source_map_leads_from_the_joined_script_to_the_modules() -> None:
    scripts = join_scripts(
        {
            "main.js": 'import { a as b } from "./lib/a.js";\n\n  // Comment\nb();\n',
            "lib/a.js": "/** One\n * two. */\nexport function a() {\n  return 1;\n}\n",
            "unused.js": "",
        },
        "main.js",
    )

    assert list(scripts) == ["page.js"]
    script = scripts["page.js"]
    assert script.text == (
        "const $lib_a = (() => {\nfunction a() {\nreturn 1;\n}\nreturn { a };})();\n"
        "{\nconst { a: b } = $lib_a;\nb();\n}\n"
    )
    # Segments: column of the script, then changes of file, line and column.
    assert json.loads(script.source_map) == {
        "version": 3,
        "sources": ["lib/a.js", "main.js"],
        "names": [],
        "mappings": "AAAA;AAEA;AACE;AACF;AAJA;ACAA;AAAA;AAGA;AAHA",
    }


def test_a_part_has_its_own_modules_and_shares_the_others_with_the_page() -> None:
    part = 'import { a } from "../lib/a.js";\nimport { own } from "./own.js";\n'
    scripts = join_scripts(
        {
            "main.js": 'const x = [() => import("./one/part.js"), () => import("./two/part.js")];',
            "one/part.js": f"{part}export const one = a + own;\n",
            "one/own.js": "export const own = 1;\n",
            "two/part.js": 'import { a } from "../lib/a.js";\nexport const two = a;\n',
            "lib/a.js": "export const a = 2;\n",
        },
        "main.js",
        query="?v=1",
    )

    assert {name: script.text for name, script in scripts.items()} == {
        "page.js": (
            "const $lib_a = (() => {\nconst a = 2;\nreturn { a };})();\n"
            '{\nconst x = [() => import("./one.js?v=1"), () => import("./two.js?v=1")];\n}\n'
            "export { $lib_a };\n"
        ),
        "one.js": (
            'import { $lib_a } from "./page.js?v=1";\n'
            "const $one_own = (() => {\nconst own = 1;\nreturn { own };})();\n"
            "const $one_part = (() => {\nconst { a } = $lib_a;\nconst { own } = $one_own;\n"
            "const one = a + own;\nreturn { one };})();\nexport const { one } = $one_part;\n"
        ),
        "two.js": (
            'import { $lib_a } from "./page.js?v=1";\n'
            "const $two_part = (() => {\nconst { a } = $lib_a;\nconst two = a;\n"
            "return { two };})();\nexport const { two } = $two_part;\n"
        ),
    }
    sources = [json.loads(script.source_map)["sources"] for script in scripts.values()]
    assert sources == [["lib/a.js", "main.js"], ["one/own.js", "one/part.js"], ["two/part.js"]]


def test_each_part_has_its_own_copy_of_the_modules_of_the_copied_folder() -> None:
    part = 'import { a } from "../turns/a.js";\nexport const x = a;\n'
    scripts = join_scripts(
        {
            "main.js": 'const x = [() => import("./one/part.js"), () => import("./two/part.js")];',
            "one/part.js": part,
            "two/part.js": part,
            "turns/a.js": 'import { b } from "../lib/b.js";\nexport const a = b;\n',
            "lib/b.js": "export const b = 2;\n",
        },
        "main.js",
        copied="turns/",
    )

    assert "$turns_a" not in scripts["page.js"].text
    assert "const $lib_b" in scripts["page.js"].text
    for name in ("one.js", "two.js"):
        assert "const $turns_a" in scripts[name].text
        assert "const $lib_b" not in scripts[name].text


def test_a_module_that_is_not_copied_cannot_import_a_copied_one() -> None:
    part = 'import { a } from "../common.js";\nexport const x = a;\n'
    sources = {
        "main.js": 'const x = [() => import("./one/part.js"), () => import("./two/part.js")];',
        "one/part.js": part,
        "two/part.js": part,
        "common.js": 'import { t } from "./turns/t.js";\nexport const a = t;\n',
        "turns/t.js": "export const t = 1;\n",
    }
    with pytest.raises(ValueError, match=r"common\.js: imports a module of turns/"):
        join_scripts(sources, "main.js", copied="turns/")


@for_each(
    "code, fault",
    [
        ("export default 1;", "main.js:1: cannot join"),
        ('import * as all from "./main.js";', "main.js:1: cannot join"),
        ("\nf(`a\n`);", "main.js:2: a template literal spans lines"),
        ('import { a } from "./main.js";', "import each other: main.js -> main.js"),
    ],
)
def test_a_module_that_cannot_be_joined_is_rejected(code: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        join_scripts({"main.js": code}, "main.js")


# Files ------------------------------------------------------------------------------------------


def test_every_file_is_served_and_has_at_most_400_lines() -> None:
    files = {path.relative_to(FOLDER).as_posix() for path in FILES}
    assert (files - {"index.html"}) | TRANSLATIONS | JOINED == set(ASSETS)
    for path in FILES:
        assert path.suffix == ".png" or len(path.read_text("utf-8").splitlines()) <= MAX_LINES, path


def test_the_page_has_no_external_resources_and_no_inline_code() -> None:
    page = (FOLDER / "index.html").read_text("utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|https?:", page)
    assert re.findall(r"<script[^>]*>(.*?)</script>", page) == ["", ""]
    for path in SCRIPTS:
        code = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        unsafe = r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\("
        assert not re.search(unsafe, code), path
        assert "http" not in re.sub(r"https?(?=\b[^:])", "", code), path


def test_the_language_menu_has_each_language_of_the_service_with_its_own_name() -> None:
    code = (FOLDER / "text.js").read_text("utf-8")
    [names] = re.findall(r"LANGUAGE_NAMES = \{ (.*) \};", code)

    menu = dict(re.findall(r'"?([\w-]+)"?: "([^"]+)"', names))
    assert menu == {"en": "English", "de": "Deutsch", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
    assert tuple(menu) == LANGUAGES


@for_each("language", LANGUAGES)
def test_the_messages_are_the_texts_of_the_catalogue(client: FlaskClient, language: str) -> None:
    served = client.get(f"/playground/messages/{language}.json").get_json()

    assert len(served) > 400
    for key, message in served.items():
        forms = texts(language)[key if key.startswith(SHARED_TEXTS) else f"page.{key}"]
        assert message == (forms["other"] if set(forms) == {"other"} else forms), key


def test_every_used_message_exists_and_every_message_is_used() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    known = set(messages("en"))
    assert set(re.findall(r'\bt\("([^"]+)"', code)) <= known
    quoted = set(re.findall(r'"([^"\n]+)"', code))
    families = tuple(re.findall(r"\bt\(`([a-z.-]+)\$\{", code))
    others = (*families, "problem.", "seat.", "initial.")
    assert {key for key in known - quoted if not key.startswith(others)} == set()


@for_each(
    "family, words",
    [
        ("event.", SNOW_TIME_EVENTS),
        ("event.title.", SNOW_TIME_EVENTS),
        ("slopecrashers.event.", SLOPECRASHERS_EVENTS),
        ("slopecrashers.action.", [act.label for act in SlopesAct]),
        ("snowcrest.event.", SNOWCREST_EVENTS),
        ("snowcrest.action.", [act.label for act in CrestAct]),
        ("snowcrest.decision.", DECISIONS),
    ],
)
def test_every_code_of_the_service_has_a_message(family: str, words: list[str]) -> None:
    assert {family + word for word in words} <= set(messages("en"))
