"""The page that lists all sentences."""

from __future__ import annotations

import re
from html import escape

from flask.testing import FlaskClient

from service.core.languages import LANGUAGES
from service.docs.phrase_examples import EXAMPLES, examples
from service.texts.catalogue import plural_categories, texts
from tests.loops import for_each


def test_the_page_lists_every_text_in_every_language(client: FlaskClient) -> None:
    page = client.get("/docs/phrases").get_data(as_text=True)

    listed = re.findall(r"<tr><td><code>(.*?)</code></td>(.*?)</tr>", page.replace("<wbr>", ""))
    assert sorted(text_id for text_id, _ in listed) == sorted(texts("en"))
    cells = dict(listed)
    for language in LANGUAGES:
        sentence = escape(examples("page.styles.rounds", language)[0])
        assert f'<td lang="{language}">{sentence}' in cells["page.styles.rounds"]
    assert re.search(r'<td lang="en">1 round seen.<br>2 rounds seen.</td>', page)


@for_each("language", LANGUAGES)
def test_every_placeholder_has_an_example(language: str) -> None:
    """Add missing ones to ``service/docs/phrase_examples.py``."""
    without = [
        text_id
        for text_id in texts(language)
        if any(re.search(r"[{}]", sentence) for sentence in examples(text_id, language))
    ]
    assert without == []


@for_each("language", LANGUAGES)
def test_a_text_with_plural_forms_has_an_example_of_each(language: str) -> None:
    for text_id, forms in texts(language).items():
        expected = len(plural_categories(language)) if len(texts("en")[text_id]) > 1 else 1
        assert len(examples(text_id, language)) == expected == len(forms), text_id


def test_every_group_of_examples_is_for_some_text() -> None:
    assert all(any(key.startswith(prefix) for key in texts("en")) for prefix in EXAMPLES)
