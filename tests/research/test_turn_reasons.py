"""Texts of hints in games of turns: headlines, arguments from the parts, and facts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Any, cast

import pytest
from benchmarks.turns import questions
from marshmallow import RAISE

from service.core.advice import TOLERANCES
from service.core.game import Chance
from service.core.hints import Reason
from service.core.languages import LANGUAGES
from service.core.sequential import RESULT, TurnPlan
from service.core.vocabulary import FACTS, WIN
from service.games.common.advice_schema import AdviceParams
from service.games.common.display_names import NO_NAMES
from service.games.common.turns.arguments import MAX_ARGUMENTS
from service.games.common.turns.hint_schema import ReasonParams
from service.games.common.turns.part_arguments import COMMON_CODES, ODDS, SAME, UNSURE
from service.games.definition import SuggestTurn
from service.games.registry import GAMES
from service.games.slopecrashers.api import reasons as slopecrashers
from service.games.slopecrashers.api.response_schema import SlopecrashersFactParams
from service.games.snowcrest.api import reasons as snowcrest
from service.games.snowcrest.api.response_schema import SnowcrestFactParams
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint, solve

pytestmark = pytest.mark.slow

EXPLAINERS = {"slopecrashers": slopecrashers.EXPLAINER, "snowcrest": snowcrest.EXPLAINER}
FACT_PARAMS = {"slopecrashers": SlopecrashersFactParams, "snowcrest": SnowcrestFactParams}
ENDPOINTS = {
    name: endpoint
    for name in EXPLAINERS
    for endpoint in GAMES[name].endpoints
    if isinstance(endpoint, SuggestTurn)
}
every_game = pytest.mark.parametrize("name", EXPLAINERS)
UNIT = 1e-9


@cache
def hints_of(name: str) -> list[tuple[Any, Any]]:
    """Return questions of played games with their hints."""
    endpoint = ENDPOINTS[name]
    hints = []
    for asked in questions(name, games=1):
        question = replace(asked, effort="quick", include=frozenset({FACTS}))
        game = endpoint.search_game
        solution = solve(game, question, None, attributed=True)
        players = endpoint.players(question.play)
        hint = render_turn_hint(solution, question, players)
        hints.append(
            (question, compare_choices(hint, solution, game, players.index(question.player)))
        )
    return hints


def rendered(name: str, question: Any, hint: Any, language: str = "en") -> dict[str, Any]:
    no_plan = TurnPlan([hint.choices[0].choice], [question.play], question.play, question.decision)
    response = ENDPOINTS[name].render(question, hint, no_plan, language, NO_NAMES)
    return cast(dict[str, Any], response)


def responses(name: str, language: str = "en") -> list[dict[str, Any]]:
    return [rendered(name, question, hint, language) for question, hint in hints_of(name)]


def rows(name: str, language: str = "en") -> list[dict[str, Any]]:
    """Return the response row of every choice."""
    return [row for response in responses(name, language) for row in response["moves"]]


def params_by_code(facts: Any) -> dict[str, Any]:
    return {fact["code"]: fact["params"] for fact in facts}


@every_game
def test_printed_parts_sum_to_the_printed_difference(name: str):
    for response in responses(name):
        values = [(row["move"], row["value"]) for row in response["moves"]]
        for row in response["moves"]:
            comparison = row["comparison"]
            [other] = [value for move, value in values if move == comparison["move"]]
            assert comparison["difference"] == pytest.approx(row["value"] - other, abs=UNIT / 2)
            total = sum(round(part / UNIT) for part in comparison["parts"].values())
            assert total == round(comparison["difference"] / UNIT)
            assert comparison["parts"].keys() <= {*ENDPOINTS[name].search_game.parts, RESULT}


@every_game
def test_the_pick_is_compared_with_the_best_different_choice(name: str):
    for response in responses(name):
        best, *others = response["moves"]
        different = [row for row in others if row["loss"] > TOLERANCES[WIN]]
        if different:
            assert best["comparison"]["move"] == different[0]["move"]
        assert all(row["comparison"]["move"] == best["move"] for row in others)


@every_game
def test_arguments_come_from_the_largest_parts(name: str):
    arguments = EXPLAINERS[name].arguments
    for response in responses(name):
        for place, row in enumerate(response["moves"]):
            parts = row["comparison"]["parts"].values()
            shares = [why["params"]["share"] for why in row["reasons"] if "share" in why["params"]]
            beside_odds = {ODDS, UNSURE} <= {why["code"] for why in row["reasons"]}
            assert len(row["reasons"]) <= MAX_ARGUMENTS + beside_odds
            assert set(shares) <= set(parts)
            order = [
                (share < 0, arguments.is_vague(Reason(why["code"], why["params"])), -abs(share))
                for why in row["reasons"]
                if (share := why["params"].get("share")) is not None
            ]
            assert [each[0] for each in order] == sorted(each[0] for each in order), "gains first"
            if place:
                assert order == sorted(order), "what says more comes first, then what is larger"
            if order and order[0][:2] == (False, True):
                assert -order[0][2] == max(parts)


@every_game
def test_nearly_every_pick_has_a_reason(name: str):
    codes = [{why["code"] for why in each["moves"][0]["reasons"]} for each in responses(name)]
    assert sum(bool(own - {SAME, UNSURE}) for own in codes) >= 0.99 * len(codes)


@every_game
def test_every_pick_says_what_changes(name: str):
    arguments, checked = EXPLAINERS[name].arguments, 0
    for response in responses(name):
        best = response["moves"][0]
        if best["comparison"]["difference"] > TOLERANCES[WIN]:
            reasons = [Reason(why["code"], why["params"]) for why in best["reasons"]]
            gains = [each for each in reasons if each.params.get("share", 1.0) > 0.0]
            named = [each for each in gains if each.code not in (SAME, UNSURE)]
            assert any(map(arguments.names_change, named))
            checked += 1
    assert checked >= 20


@every_game
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_headline_and_the_reasons_of_the_pick_are_short(name: str, language: str):
    words = []
    for response in responses(name, language):
        texts = [response["advice"], *response["moves"][0]["reasons"]]
        # A number and its sign are one word, also with the space that German puts between them.
        words.append(sum(len(each["text"].split(" ")) for each in texts))
    assert median(words) <= 25


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
    for question, hint in hints_of(name):
        printed = rendered(name, question, hint)["moves"]
        for choice, row in zip(hint.choices, printed, strict=True):
            step = game.choose(question.play, {question.player: choice.choice})
            own = [event for event in step.events if event.player == question.player]
            params = params_by_code(row["facts"])
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
    assert met <= EXPLAINERS[name].codes.keys()
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
def test_arguments_have_the_codes_of_the_game(name: str):
    codes = {why["code"] for row in rows(name) for why in row["reasons"]}
    assert codes <= EXPLAINERS[name].arguments.codes.keys() | COMMON_CODES.keys()
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
