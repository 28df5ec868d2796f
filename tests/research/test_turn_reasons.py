"""Reasons of hints in games of turns: comparisons of shares, and facts from the event log."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, cast

import pytest
from benchmarks.turns import questions
from marshmallow import RAISE

from service.core.game import Chance
from service.core.languages import LANGUAGES
from service.core.sequential import TurnPlan
from service.games.common.display_names import NO_NAMES
from service.games.common.turn_reasons import MIN_SHARE
from service.games.definition import SuggestTurn
from service.games.registry import GAMES
from service.games.slopecrashers.api import reasons as slopecrashers
from service.games.slopecrashers.api.response_schema import SlopecrashersReasonParams
from service.games.snowcrest.api import reasons as snowcrest
from service.games.snowcrest.api.response_schema import SnowcrestReasonParams
from service.solver.search.turn_expectimax import render_turn_hint, solve

pytestmark = pytest.mark.slow

EXPLAINERS = {"slopecrashers": slopecrashers.EXPLAINER, "snowcrest": snowcrest.EXPLAINER}
PARAMS = {"slopecrashers": SlopecrashersReasonParams, "snowcrest": SnowcrestReasonParams}
ENDPOINTS = {
    name: endpoint
    for name in EXPLAINERS
    for endpoint in GAMES[name].endpoints
    if isinstance(endpoint, SuggestTurn)
}
every_game = pytest.mark.parametrize("name", EXPLAINERS)


@cache
def hints_of(name: str) -> list[tuple[Any, Any]]:
    """Return questions of played games with their hints."""
    endpoint = ENDPOINTS[name]
    quick = [replace(question, effort="quick") for question in questions(name, games=1)]
    hints = []
    for question in quick:
        solution = solve(endpoint.search_game, question, None)
        players = endpoint.players(question.play)
        hints.append((question, render_turn_hint(solution, question, players)))
    return hints


def rows(name: str, language: str = "en") -> list[tuple[Any, Any, Any]]:
    """Return the question, the hint and the response row of every choice."""
    return [
        (question, hint, row)
        for question, hint in hints_of(name)
        for row in rendered_rows(name, question, hint, language)
    ]


def rendered_rows(name: str, question: Any, hint: Any, language: str = "en") -> list[Any]:
    no_plan = TurnPlan([], question.play, question.decision)
    rendered = ENDPOINTS[name].render(question, hint, no_plan, language, NO_NAMES)["moves"]
    return cast(list[Any], rendered)


def params_by_code(row: Any) -> dict[str, Any]:
    return {why["code"]: why["params"] for why in row["reasons"]}


@every_game
def test_comparisons_use_the_rounded_shares(name: str):
    met = set()
    for question, hint, row in rows(name):
        params = params_by_code(row)
        met |= params.keys()
        losses = [choice.loss for choice in hint.choices]
        alike = sum(loss < MIN_SHARE for loss in losses)
        place = [choice.value for choice in hint.choices].index(row["value"])
        assert ("behind" in params) == (row["loss"] >= MIN_SHARE)
        if "behind" in params:
            assert params["behind"]["share"] == row["loss"]
        if "ahead" in params:
            assert (row["loss"], params["ahead"]["share"]) == (0.0, losses[1])
            assert alike == 1
        if "even" in params:
            assert params["even"]["count"] == alike > 1
        if "unsure" in params:
            assert params["unsure"]["error"] == row["error"] >= MIN_SHARE
        other = hint.choices[1 if row["loss"] == 0.0 and place == 0 else 0]
        for code, sign in (("helps", 1), ("hinders", -1)):
            if code in params:
                player = params[code]["player"]
                assert player != question.player
                mine = [f for f in hint.choices if f.value == row["value"]]
                changes = [sign * (f.shares[player] - other.shares[player]) for f in mine]
                assert any(change == pytest.approx(params[code]["share"]) for change in changes)
    assert {"behind", "ahead", "even", "helps", "hinders"} <= met


@every_game
def test_params_match_their_schema(name: str):
    """The specification allows additional members; this test does not."""
    shape = PARAMS[name](unknown=RAISE)
    for _, _, row in rows(name):
        for params in params_by_code(row).values():
            assert shape.validate(params) == {}


@every_game
def test_facts_agree_with_the_rules(name: str):
    """Count the facts from the event log of the rules."""
    game, met = GAMES[name].game, set()
    for question, hint in hints_of(name):
        printed = rendered_rows(name, question, hint)
        for choice, row in zip(hint.choices, printed, strict=True):
            step = game.choose(question.play, {question.player: choice.choice})
            own = [event for event in step.events if event.player == question.player]
            params = params_by_code(row)
            met |= params.keys()
            types = [event.type for event in own]
            if name == "slopecrashers":
                assert ("wins-now" in params) == ("win" in types)
                assert ("draws-gift" in params) == isinstance(game.pending(step.play), Chance)
                rows_on = params.get("onward", {}).get("rows", 0)
                assert rows_on == sum(passed(question, event) for event in own)
                gift = params.get("plays", {}).get("gift")
                assert gift == (choice.choice.gift.label if "play" in types else None)
            else:
                scrolls = sum(event.count for event in own if event.type == "scrolls")
                assert params.get("scrolls", {}).get("count", 0) == scrolls
                gained = params.get("gains", {}).get("gained", {})
                assert sum(gained.values()) == sum(e.count for e in own if e.type == "gain")
                omen = sum(event.count for event in own if event.type == "omen")
                assert params.get("omen", {}).get("count", 0) == omen
    assert len(met & EXPLAINERS[name].codes.keys()) >= 2


def passed(question: Any, event: Any) -> int:
    """Return the number of rows that a step or a spring passes."""
    if event.type not in ("step", "jump") or event.end is None:
        return 0
    length = len(question.play.state.course.rows)
    start, end = event.start, event.end
    return int((end.lap * length + end.row) - (start.lap * length + start.row))


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_of_a_sentence_is_one_of_its_parameters(name: str, language: str):
    for _, _, row in rows(name, language):
        for why in row["reasons"]:
            text = why["text"]
            for player in ("red", "blue", "green", "black", "white"):
                text = text.replace(player, "")
            numbers = set(re.findall(r"\d+(?:[.,]\d+)?", text))
            assert numbers <= set(printed(why["params"], language)), why
            assert "{" not in text


def printed(value: Any, language: str) -> list[str]:
    if isinstance(value, dict):
        return [word for inner in value.values() for word in printed(inner, language)]
    if isinstance(value, list):
        return [word for inner in value for word in printed(inner, language)]
    if isinstance(value, float):
        word = f"{100 * value:.2f}".rstrip("0").rstrip(".")
        return [word.replace(".", ",") if language == "de" else word]
    return re.findall(r"\d+", str(value))


@every_game
def test_languages_differ_in_texts_only(name: str):
    def stripped(language: str) -> list[Any]:
        return [
            [(why["code"], why["params"]) for why in row["reasons"]]
            for _, _, row in rows(name, language)
        ]

    assert all(stripped(language) == stripped("en") for language in LANGUAGES)
