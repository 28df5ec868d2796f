"""Run every command of the guide for app developers and compare the answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.shown_commands import abridged, examples_of, run

GUIDE = (Path(__file__).parents[1] / "service/docs/guide.md").read_text(encoding="utf-8")
EXAMPLES = examples_of(GUIDE)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_a_command_of_the_guide_returns_the_answer_shown_below_it(
    command: str, shown: str, live_service: str
) -> None:
    expected = json.loads(shown)

    assert abridged(json.loads(run(command, live_service)), expected) == expected


def test_every_curl_command_of_the_guide_has_an_answer() -> None:
    assert len(EXAMPLES) == len(re.findall(r"^curl ", GUIDE, re.MULTILINE))


def test_the_guide_shows_every_endpoint_of_a_round_and_of_a_turn() -> None:
    routes = [re.search(r"/v1/([a-z/-]+)", command)[1] for command, _ in EXAMPLES]

    for endpoint in ("new", "grow", "legal-moves", "suggest", "resolve"):
        assert f"games/snow-time/{endpoint}" in routes
    for endpoint in ("legal-moves", "suggest", "resolve", "review"):
        assert f"games/slopecrashers/{endpoint}" in routes
    assert {"batch", "version"} <= set(routes)


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"a": 1}, {"a": 1, "…": "…"}),
        ({"a": 1}, {"b": "…", "…": "…"}),
        ([1, 2], [1]),
        ([1], [1, "…"]),
        ([1, 2, 3], [1, "…", 2]),
        ([1, 2, 3], [2, "…"]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}),
    ],
)
def test_a_partial_answer_must_match_in_the_parts_it_shows(answer: Any, shown: Any) -> None:
    assert abridged(answer, shown) != shown


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "…": "…"}),
        ({"a": {"b": 2}}, {"a": "…"}),
        ([1, 2, 3], [1, "…"]),
        ([1, 2, 3], [1, "…", 3]),
        ([{"a": 1, "b": 2}, 3], [{"a": 1, "…": "…"}, "…"]),
        ([1], ["…"]),
    ],
)
def test_an_omission_matches_any_value(answer: Any, shown: Any) -> None:
    assert abridged(answer, shown) == shown
