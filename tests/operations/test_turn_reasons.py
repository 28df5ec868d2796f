"""Texts of hints in games of turns: headlines, reasons and facts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Any, cast

import pytest
from benchmarks.turns import questions
from explanations import contradictions, faults_of_form
from marshmallow import RAISE

from service.core.advice import CLEAR, TOLERANCES, is_slight
from service.core.explanation import MAX_REASONS
from service.core.game import Chance
from service.core.languages import LANGUAGES
from service.core.sequential import RESULT
from service.core.vocabulary import FACTS, WIN
from service.games.common.advice_schema import AdviceParams
from service.games.common.display_names import NO_NAMES
from service.games.common.turns.hint_schema import ReasonParams
from service.games.definition import SuggestTurn
from service.games.registry import GAMES
from service.games.slopecrashers.api import consequences as slopecrashers
from service.games.slopecrashers.api import reasons as slopecrashers_texts
from service.games.slopecrashers.api.response_schema import SlopecrashersFactParams
from service.games.snowcrest.api import consequences as snowcrest
from service.games.snowcrest.api import reasons as snowcrest_texts
from service.games.snowcrest.api.response_schema import SnowcrestFactParams
from service.solver.search.turn_comparisons import MAX_CONSIDERED, compare_choices
from service.solver.search.turn_expectimax import render_turn_hint
from service.solver.search.turn_plans import follow_plan, solve_with_plans

pytestmark = pytest.mark.slow

CODES = {
    "slopecrashers": slopecrashers.CONSEQUENCE_CODES,
    "snowcrest": snowcrest.CONSEQUENCE_CODES,
}
TEXTS = {"slopecrashers": slopecrashers_texts, "snowcrest": snowcrest_texts}
FACT_PARAMS = {"slopecrashers": SlopecrashersFactParams, "snowcrest": SnowcrestFactParams}
ENDPOINTS = {
    name: endpoint
    for name in CODES
    for endpoint in GAMES[name].endpoints
    if isinstance(endpoint, SuggestTurn)
}
every_game = pytest.mark.parametrize("name", CODES)
SPARED = ("misses-win", "blocked", "spares")
"""Costs that no gain precedes."""


@cache
def hints_of(name: str) -> list[tuple[Any, Any, Any]]:
    """Return questions of played games with their hints and plans."""
    endpoint = ENDPOINTS[name]
    hints = []
    for asked in questions(name, games=1):
        question = replace(asked, effort="quick", include=frozenset({FACTS}))
        game = endpoint.search_game
        solution = solve_with_plans(game, question, None)
        players = endpoint.players(question.play)
        hint = render_turn_hint(solution, question, players)
        hint = compare_choices(hint, solution, game, players.index(question.player))
        plans = [follow_plan(game.rules, question, plan) for plan in solution.plans]
        hints.append((question, hint, plans))
    return hints


def rendered(
    name: str, question: Any, hint: Any, plans: Any, language: str = "en"
) -> dict[str, Any]:
    response = ENDPOINTS[name].render(question, hint, plans, language, NO_NAMES)
    return cast(dict[str, Any], response)


def responses(name: str, language: str = "en") -> list[dict[str, Any]]:
    return [rendered(name, *asked, language) for asked in hints_of(name)]


def rows(name: str, language: str = "en") -> list[dict[str, Any]]:
    """Return the response row of every choice."""
    return [row for response in responses(name, language) for row in response["moves"]]


@every_game
def test_a_hint_says_nothing_that_its_own_numbers_deny(name: str):
    for response in responses(name):
        assert not {*contradictions(response, WIN), *faults_of_form(response)}
        for row in response["moves"]:
            assert row["comparison"]["parts"].keys() <= {*ENDPOINTS[name].search_game.parts, RESULT}


@every_game
def test_the_pick_is_compared_and_choices_that_a_player_would_consider_have_reasons(name: str):
    for response in responses(name):
        best, *others = response["moves"]
        different = [row for row in others if row["loss"] > TOLERANCES[WIN]]
        if different:
            assert best["comparison"]["move"] == different[0]["move"]
        assert all(row["comparison"]["move"] == best["move"] for row in others)
        assert len(best["reasons"]) <= MAX_REASONS
        explained = [row for row in others if row["reasons"]]
        assert len(explained) <= MAX_CONSIDERED + 1
        assert all(len(row["reasons"]) == 1 for row in explained)


@every_game
def test_the_reasons_of_a_clearly_better_pick_speak_for_it(name: str):
    for response in responses(name):
        best, *others = response["moves"]
        codes = [why["code"] for why in best["reasons"]]
        advice = response["advice"]
        if advice["code"] == CLEAR and is_slight(advice["params"]["margin"], WIN):
            # If nothing stands out, that is said.
            assert codes
        for row in others:
            assert {why["code"] for why in row["reasons"]} <= {*TEXTS[name].COSTS, *SPARED}


@every_game
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_headline_and_the_reasons_of_the_pick_are_short(name: str, language: str):
    words = []
    for response in responses(name, language):
        texts = [response["advice"], *response["moves"][0]["reasons"]]
        # A number and its sign are one word, also with the space that German puts between them.
        words.append(sum(len(each["text"].split(" ")) for each in texts))
    assert median(words) <= 22


@every_game
def test_params_match_their_schema(name: str):
    """The specification allows additional members; this test does not."""
    for response in responses(name):
        assert AdviceParams(unknown=RAISE).validate(response["advice"]["params"]) == {}
        for row in response["moves"]:
            for why in row["reasons"]:
                assert ReasonParams(unknown=RAISE).validate(why["params"]) == {}
            for fact in row["facts"]:
                assert FACT_PARAMS[name](unknown=RAISE).validate(fact["params"]) == {}


@every_game
def test_facts_agree_with_the_rules(name: str):
    """Count the facts from the event log of the rules."""
    game, met = GAMES[name].game, set()
    for question, hint, plans in hints_of(name):
        printed = rendered(name, question, hint, plans)["moves"]
        for choice, row in zip(hint.choices, printed, strict=True):
            step = game.choose(question.play, {question.player: choice.choice})
            own = [event for event in step.events if event.player == question.player]
            params = {fact["code"]: fact["params"] for fact in row["facts"]}
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
    assert met <= TEXTS[name].FACT_CODES.keys()
    assert len(met) >= 2


def passed(question: Any, event: Any) -> int:
    """Return the number of rows that a step or a spring passes."""
    if event.type not in ("step", "jump") or event.end is None:
        return 0
    length = len(question.play.state.course.rows)
    start, end = event.start, event.end
    return int((end.lap * length + end.row) - (start.lap * length + start.row))


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_say_numbers_as_people_do(name: str, language: str):
    """Shares are whole per cent and never 0; counts have at most one decimal."""
    for response in responses(name, language):
        reasons = [why for row in response["moves"] for why in row["reasons"]]
        for each in (response["advice"], *reasons):
            text = each["text"]
            assert "{" not in text
            assert not re.search(r"\d[.,]\d+ ?%|(?<!\d)0 ?%|\d[.,]\d\d", text), text


@every_game
def test_reasons_have_the_codes_of_the_game(name: str):
    codes = {why["code"] for row in rows(name) for why in row["reasons"]}
    assert codes <= CODES[name].keys()
    assert len(codes) >= 5


@every_game
def test_languages_differ_in_texts_only(name: str):
    def stripped(language: str) -> list[Any]:
        return [
            [
                (each["advice"]["code"], each["advice"]["params"]),
                row["comparison"],
                [(why["code"], why["params"]) for why in (*row["reasons"], *row["facts"])],
            ]
            for each in responses(name, language)
            for row in each["moves"]
        ]

    assert all(stripped(language) == stripped("en") for language in LANGUAGES)
