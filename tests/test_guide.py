"""The guide for app developers is true: its commands are run and its answers compared."""

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
def test_a_command_of_the_guide_gives_the_answer_beside_it(
    command: str, shown: str, live_service: str
) -> None:
    expected = json.loads(shown)

    assert abridged(json.loads(run(command, live_service)), expected) == expected


def test_every_curl_of_the_guide_has_its_answer_beside_it() -> None:
    assert len(EXAMPLES) == len(re.findall(r"^curl ", GUIDE, re.MULTILINE))


def test_the_guide_goes_through_a_round_and_a_turn() -> None:
    routes = [re.search(r"/v1/([a-z/-]+)", command)[1] for command, _ in EXAMPLES]

    for verb in ("new", "grow", "legal-moves", "suggest", "resolve"):
        assert f"games/snow-time/{verb}" in routes
    for verb in ("legal-moves", "suggest", "resolve", "review"):
        assert f"games/slopecrashers/{verb}" in routes
    assert {"batch", "version"} <= set(routes)


@pytest.mark.parametrize(
    ("told", "shown"),
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
def test_an_answer_shown_in_part_is_held_to_what_it_shows(told: Any, shown: Any) -> None:
    assert abridged(told, shown) != shown


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "…": "…"}),
        ({"a": {"b": 2}}, {"a": "…"}),
        ([1, 2, 3], [1, "…"]),
        ([1, 2, 3], [1, "…", 3]),
        ([{"a": 1, "b": 2}, 3], [{"a": 1, "…": "…"}, "…"]),
        ([1], ["…"]),
    ],
)
def test_an_answer_may_be_shown_in_part(told: Any, shown: Any) -> None:
    assert abridged(told, shown) == shown
