"""Content negotiation by Accept-Language (RFC 9110, section 12.5.4)."""

from __future__ import annotations

import json

from flask.testing import FlaskClient

from service.core.languages import LANGUAGES
from tests.api.calls import BASE, EXAMPLES, post
from tests.loops import for_each

HINT = EXAMPLES["suggest"]
PATH = f"{BASE}/suggest"

ACCEPT_LANGUAGE = [
    (None, "en"),
    ("", "en"),
    ("de-AT", "de"),
    ("zh", "zh-Hans"),
    ("zh-HK,zh;q=0.9,en;q=0.8", "zh-Hant"),
    ("en;q=0.2, de;q=0.9", "de"),
    ("*, en;q=0", "de"),
    ("nonsense;;q=x", "en"),
]
"""Headers, with the language of the answer; tests/core/test_languages.py has the rest."""


@for_each("accepted, language", ACCEPT_LANGUAGE)
def test_the_preferred_available_language_is_used(
    client: FlaskClient, accepted: str | None, language: str
):
    headers = {} if accepted is None else {"Accept-Language": accepted}
    response = client.post(PATH, json=HINT, headers=headers)
    assert response.headers["Content-Language"] == language
    assert "Accept-Language" in response.headers["Vary"]
    words = {"en": "Just as good", "de": "Genauso gut", "zh-Hans": "一样好", "zh-Hant": "一樣好"}
    text = response.get_json()["advice"]["text"]
    assert {name for name, word in words.items() if word in text} == {language}


def test_cached_responses_are_separate_for_each_language(client: FlaskClient):
    responses = {
        language: [
            client.post(PATH, json=HINT, headers={"Accept-Language": language}) for _ in range(2)
        ]
        for language in (*LANGUAGES, "en-GB")
    }
    for first, second in responses.values():
        assert first.data == second.data
        assert "hit" in second.headers["Cache-Status"]
    assert len({first.data for first, _ in responses.values()}) == len(LANGUAGES)
    assert responses["en"][0].data == responses["en-GB"][0].data


def test_a_response_without_sentences_is_shared_by_all_languages(client: FlaskClient):
    responses = [
        post(client, "resolve", EXAMPLES["resolve"], headers={"Accept-Language": language})
        for language in ("de", "zh-Hant")
    ]
    assert responses[0].data == responses[1].data
    assert "hit" in responses[1].headers["Cache-Status"]
    assert "Content-Language" not in responses[1].headers


def test_profiles_in_reviews_are_in_the_preferred_language(client: FlaskClient):
    """Nothing is known about a player after one round, so this game has three."""
    healers = {"blue": {"card": "healer"}, "green": {"card": "healer"}}
    body = {
        "state": {
            "seats": [
                {"seat": "red", "score": 0, "hand": ["1", "2", "3", "healer"]},
                {"seat": "blue", "score": 0, "hand": ["healer"]},
                {"seat": "green", "score": 0, "hand": ["healer"]},
            ],
            "fruit": [0, 0, 0, 0, 0, 0],
        },
        "rounds": 3 * [{"dice": [4, 4], "moves": {"red": {"card": "1"}, **healers}}],
        "effort": "quick",
    }
    said: set[str] = set()
    for language in LANGUAGES:
        sentences = set()
        for accepted in ("application/json", "application/x-ndjson"):
            headers = {"Accept-Language": language, "Accept": accepted}
            last = b""
            # A slow machine needs more than one call: the CPU time of a request is limited.
            while b'"complete":true' not in last.replace(b" ", b""):
                response = client.post(f"{BASE}/review", json=body, headers=headers)
                assert response.headers["Content-Language"] == language
                assert {"Accept", "Accept-Language"} <= response.vary.as_set(preserve_casing=True)
                last = response.data.strip().split(b"\n")[-1]
            review = json.loads(last)
            profile = review.get("result", review)["players"]["red"]["profile"]
            sentences.add(profile["styles"][0]["text"])
        assert len(sentences) == 1
        said |= sentences
    assert len(said) == len(LANGUAGES)


def test_a_batch_uses_one_language(client: FlaskClient):
    requests = [{"id": "a", "path": PATH, "body": HINT}]
    for language in ("de", "zh-Hans", "zh-Hant"):
        headers = {"Accept-Language": language}
        batch = client.post("/v1/batch", json={"requests": requests}, headers=headers)
        alone = client.post(PATH, json=HINT, headers=headers)
        assert batch.headers["Content-Language"] == language
        assert batch.get_json()["results"][0]["body"] == alone.get_json()
