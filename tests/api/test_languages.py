"""Sentences in the language that the client likes best (RFC 9110, 12.5.4)."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.api.calls import BASE, EXAMPLES

HINT = EXAMPLES["suggest"]
PATH = f"{BASE}/suggest"

LIKED = [
    (None, "en"),
    ("", "en"),
    ("de", "de"),
    ("de-AT", "de"),
    ("zh-TW, en;q=0.5", "zh"),
    ("zh-Hant-TW", "zh"),
    ("ja", "en"),
    ("ja, de;q=0.1", "de"),
    ("en;q=0.2, de;q=0.9", "de"),
    ("de;q=0, zh;q=0.3", "zh"),
    ("*", "en"),
    ("*, en;q=0", "de"),
    ("fr, *;q=0.1", "en"),
    ("de;q=0.5, de-AT;q=0", "de"),
    ("*;q=0", "en"),
    ("nonsense;;q=x", "en"),
]


@pytest.mark.parametrize(("liked", "language"), LIKED)
def test_the_liked_language_is_spoken(client: FlaskClient, liked: str | None, language: str):
    headers = {} if liked is None else {"Accept-Language": liked}
    answered = client.post(PATH, json=HINT, headers=headers)
    assert answered.headers["Content-Language"] == language
    assert "Accept-Language" in answered.headers["Vary"]
    words = {"en": "expected for", "de": "Punkte für", "zh": "得分"}
    text = str([row["reasons"] for row in answered.get_json()["moves"]])
    assert {name for name, word in words.items() if word in text} == {language}


def test_kept_answers_are_told_apart_by_language(client: FlaskClient):
    bodies = {
        language: [
            client.post(PATH, json=HINT, headers={"Accept-Language": language}) for _ in range(2)
        ]
        for language in ("en", "de", "zh", "en-GB")
    }
    for first, second in bodies.values():
        assert first.data == second.data
        assert "hit" in second.headers["Cache-Status"]
    assert len({first.data for first, _ in bodies.values()}) == 3
    assert bodies["en"][0].data == bodies["en-GB"][0].data


def test_what_holds_no_sentence_is_the_same_in_all(client: FlaskClient):
    told = [
        client.post(
            f"{BASE}/resolve", json=EXAMPLES["resolve"], headers={"Accept-Language": language}
        )
        for language in ("de", "zh")
    ]
    assert told[0].data == told[1].data
    assert "hit" in told[1].headers["Cache-Status"]
    assert "Content-Language" not in told[1].headers


def test_a_batch_speaks_one_language(client: FlaskClient):
    requests = [{"id": "a", "path": PATH, "body": HINT}]
    for language in ("de", "zh"):
        headers = {"Accept-Language": language}
        answered = client.post("/v1/batch", json={"requests": requests}, headers=headers)
        alone = client.post(PATH, json=HINT, headers=headers)
        assert answered.headers["Content-Language"] == language
        assert answered.get_json()["results"][0]["body"] == alone.get_json()
