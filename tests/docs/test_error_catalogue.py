"""Error catalogue: every code has an entry, and every problem links to its entry."""

from __future__ import annotations

import ast
import re
from collections import Counter
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag

from flask.testing import FlaskClient

from service.api.problems import ERROR_PAGE, problem_document
from service.core.violation_codes import PROBLEM_CODES, REFUSAL_CODES
from service.operations import catalogue
from tests.docs.test_site import get_page
from tests.loops import for_each

SERVICE = Path(__file__).resolve().parents[2] / "service"
ENTRIES = catalogue.violation_codes() | catalogue.problem_codes()
NEVER_IN_A_RESPONSE = {"invalid", "bad-ruling"}
"""The default of marshmallow, which every validator replaces, and a field of responses only."""
CODE_MESSAGE = re.compile(r"([a-z]+(?:-[a-z]+)*): [A-Z{`]")
"""A message of a schema: the code, then the detail."""


def without_markup(markdown: str) -> str:
    return re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", markdown).replace("`", "")


def codes_in_source() -> set[str]:
    """Return the code of every violation and problem that the source constructs."""
    codes: set[str] = set()
    for path in SERVICE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.Call(
                        func=ast.Name("Violation") | ast.Attribute(attr="add" | "unknown"),
                        args=[_, ast.Constant(str(code)), *_],
                    )
                    | ast.Call(
                        func=ast.Name("problem" | "problem_document" | "_problem"),
                        args=[_, ast.Constant(str(code)), *_],
                    )
                ):
                    codes.add(code)
                case ast.Call(func=ast.Name("KeyRefused"), args=[ast.Constant(str(code))]):
                    codes.add(code)
                case ast.Constant(str(text)) if message := CODE_MESSAGE.match(text):
                    codes.add(message[1])
    return codes


def test_every_code_is_the_anchor_of_one_entry(client: FlaskClient) -> None:
    ids = Counter(get_page(client, ERROR_PAGE).ids)

    assert {code: ids[code] for code in ENTRIES} == dict.fromkeys(ENTRIES, 1)


def test_the_page_contains_the_cause_and_the_remedy_of_every_code(client: FlaskClient) -> None:
    text = unescape(re.sub(r"<[^>]*>", "", get_page(client, ERROR_PAGE).text))

    for code, error in ENTRIES.items():
        cause, remedy = without_markup(error.cause), without_markup(error.remedy)
        assert f"{code}\n{cause}\nRemedy: {remedy}\n" in text


@for_each("code", ENTRIES)
def test_cause_and_remedy_are_short_and_complete_sentences(code: str) -> None:
    for text in (ENTRIES[code].cause, ENTRIES[code].remedy):
        assert re.fullmatch(r"[A-Z`].*\.", text)
        assert len(re.findall(r"\.(?: |$)", text)) <= 2


def test_a_code_has_one_meaning() -> None:
    sections = [PROBLEM_CODES, *catalogue.violation_sections().values()]

    repeated = [
        code for code, times in Counter(code for s in sections for code in s).items() if times > 1
    ]

    assert repeated == []


def test_every_code_that_the_source_uses_has_an_entry() -> None:
    used = codes_in_source()

    assert {"missing", "key-unknown", "not-json", "open-decision", "bad-nonce"} <= used
    assert used - NEVER_IN_A_RESPONSE <= set(ENTRIES)


@for_each("code", [*PROBLEM_CODES, *REFUSAL_CODES])
def test_the_type_of_a_problem_is_the_url_of_its_entry(client: FlaskClient, code: str) -> None:
    page, anchor = urldefrag(problem_document(422, code, "", "")["type"])

    assert (page, anchor) == (ERROR_PAGE, code)


@for_each("address", ["/docs/", "/docs/guide/production"])
def test_the_index_and_the_text_of_the_guide_link_to_the_catalogue(
    client: FlaskClient, address: str
) -> None:
    _, content = client.get(address).get_data(as_text=True).split('<main id="content">')

    assert f'<a href="{ERROR_PAGE}">' in content
