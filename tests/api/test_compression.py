"""Answers to POST requests in gzip."""

from __future__ import annotations

import gzip
import json

import pytest
from flask.testing import FlaskClient

from tests.api.calls import EXAMPLES, post

ACCEPTED = {"Accept-Encoding": "br;q=1.0, gzip;q=0.8"}


def test_a_hint_is_compressed_computed_and_cached(client: FlaskClient) -> None:
    plain = post(client, "suggest", EXAMPLES["suggest"])
    assert "Content-Encoding" not in plain.headers

    for _ in range(2):  # Of the application, then of the early answers.
        response = post(client, "suggest", EXAMPLES["suggest"], headers=ACCEPTED)
        assert response.headers["Content-Encoding"] == "gzip"
        assert int(response.headers["Content-Length"]) == len(response.data) < len(plain.data) / 2
        assert gzip.decompress(response.data) == plain.data
        assert response.headers["Vary"] == "Accept-Language, Accept-Encoding"


@pytest.mark.parametrize("accepted", ["", "identity", "gzip;q=0", "br", "gzipped"])
def test_other_clients_get_the_answer_as_it_is(client: FlaskClient, accepted: str) -> None:
    headers = {"Accept-Encoding": accepted} if accepted else {}
    response = post(client, "suggest", EXAMPLES["suggest"], headers=headers)
    assert "Content-Encoding" not in response.headers
    assert json.loads(response.data)["pick"]


def test_small_answers_and_problems_are_not_compressed(client: FlaskClient) -> None:
    assert "Content-Encoding" not in post(client, "new", EXAMPLES["new"], headers=ACCEPTED).headers
    assert "Content-Encoding" not in post(client, "new", {}, headers=ACCEPTED).headers
