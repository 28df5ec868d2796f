"""Reasons, nudges and shortlists: true in every number, in three languages, and no leak."""

from __future__ import annotations

import json
import re
import string
from itertools import product
from typing import Any

import pytest
from marshmallow import RAISE

from service.core.languages import LANGUAGES
from service.games.snow_time.api import messages
from service.games.snow_time.api.hint_schema import ReasonParams
from service.games.snow_time.api.reasons import CODES
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from tests import randomized
from tests.operations.bodies import (
    ENTRY,
    MODELS,
    VERBS,
    Body,
    body,
    faults,
    legal_moves,
    owners,
    random_body,
    spelled,
    suggest,
)

SEEDS = range(40)
properties = randomized.Properties()
TABLE = body("357hw", "246hb", "135h", "47hw", fruit=[2, 0, 1, 0, 2, 1])


def asked(seed: int) -> Body:
    found = random_body(seed, MODELS[seed % len(MODELS)])
    print(f"seed {seed}: {json.dumps(found)}")
    return found


def told(question: Body, language: str) -> Body:
    found = execute(ENTRY, VERBS["suggest"], question, RequestContext(language=language))
    document: Body = json.loads(json.dumps(found.document))
    return document


def reasons(found: Body) -> list[tuple[Body, Body]]:
    """Every reason beside the move that it is about."""
    return [(row, why) for row in found["moves"] for why in row["reasons"]]


# Numbers --------------------------------------------------------------------------------------


def plays(question: Body, found: Body, row: Body, seat: str, card: str) -> float:
    """How often a seat shows a card at the decision, by what is printed and told."""

    def shows(move: Any) -> bool:
        return bool((move.get("then") or move)["card"] == card)

    deciding = legal_moves(question)["moves"]
    if seat in row["move"]:
        return float(shows(row["move"][seat]))
    if seat not in deciding:
        return float(shows(question["revealed"][seat]))
    mixture = found["strategies"][owners(question)[seat]]
    return sum(own["probability"] for own in mixture if shows(own["move"][seat]))


@properties
def who_else_plays_there_is_as_often_as_the_printed_strategies_say(seed: int):
    question = asked(seed)
    found = suggest(question)
    above = {"brawl": 0, "struck": 1}
    for row, why in reasons(found):
        if "others" not in why["params"]:
            continue
        level = why["params"]["level"] + above.get(why["code"], 0)
        card = "blizzard" if why["code"] == "buried" else str(level)
        expected = {
            seat["seat"]: plays(question, found, row, seat["seat"], card)
            for seat in question["state"]["seats"]
            if seat["seat"] != why["params"]["seat"]
        }
        expected = {seat: chance for seat, chance in expected.items() if chance}
        assert why["params"]["others"] == pytest.approx(expected, abs=2e-9)


@properties
def params_are_those_of_the_shape(seed: int):
    """The specification lets further members pass, as clients have to; this does not."""
    for _, why in reasons(suggest(asked(seed))):
        assert ReasonParams(unknown=RAISE).validate(why["params"]) == {}


@properties
def facts_of_the_table_are_those_of_the_state(seed: int):
    question = asked(seed)
    state, found = question["state"], suggest(question)
    seats = {seat["seat"]: seat for seat in state["seats"]}
    track = state.get("track") or ENTRY.about["house_track"]
    played = [own["move"] for own in found["strategies"][found["player"]]]
    for row, why in reasons(found):
        params = why["params"]
        if why["code"] == "race":
            left = {name: track["length"] - seat["score"] for name, seat in seats.items()}
            assert params["to_go"] == left
        elif why["code"] == "fruit":
            assert params["tokens"] == state["fruit"][params["level"] - 1] > 0
            assert params["level"] in levels(row["move"])
        elif why["code"] == "bonus":
            for name, space in params["next"].items():
                ahead = [one for one in track["bonuses"] if one["space"] > seats[name]["score"]]
                assert space == min(ahead, key=lambda one: one["space"])
        elif why["code"] in ("spends", "keeps"):
            cards = cards_of(row["move"][params["seat"]])[-1:]
            assert params["card"] in seats[params["seat"]]["hand"]
            assert (params["card"] in cards) == (why["code"] == "spends")
            assert why["code"] == "spends" or any(
                params["card"] in cards_of(move[params["seat"]])[-1:] for move in played
            )
        elif why["code"] == "recovers":
            last = row["move"][params["seat"]]
            last = last.get("then") or last
            gone = 7 - sum(card.isdigit() for card in seats[params["seat"]]["hand"])
            assert last["card"] == "healer"
            if "recover" in last:
                assert params["cards"] == last["recover"]
                assert params["count"] == len(last["recover"])
            else:
                assert params["count"] == (7 if gone == 7 else min(2, gone))


def test_what_lies_on_the_table_already_is_neither_spent_nor_kept():
    """The watcher was revealed: only what it adds can be spent now."""
    revealed = {"red": {"card": "watcher"}, "blue": {"card": "2"}, "green": {"card": "1"}}
    question = body("36hwb", "24hb", "135h", revealed=revealed, opponents={"model": "equilibrium"})
    told_of = {
        row["move"]["red"]["then"]["card"]: [
            (why["code"], why["params"]["card"])
            for why in row["reasons"]
            if why["code"] in ("spends", "keeps")
        ]
        for row in suggest(question)["moves"]
    }
    assert told_of.pop("blizzard") == [("spends", "blizzard")]
    assert all(("spends", "watcher") not in why for why in told_of.values())
    assert all(card != "watcher" for why in told_of.values() for _, card in why)


def levels(move: Any) -> set[int]:
    return {int(card) for own in move.values() for card in cards_of(own) if card.isdigit()}


def cards_of(move: Any) -> list[str]:
    return [move["card"], *([move["then"]["card"]] if "then" in move else [])]


@pytest.mark.slow
def test_random_questions_meet_every_code():
    """Or else the tests above would look at nothing."""
    met = {why["code"] for seed in SEEDS for _, why in reasons(suggest(asked(seed)))}
    assert met == set(CODES)


# Sentences ------------------------------------------------------------------------------------


@properties
def every_number_of_a_sentence_is_one_of_its_parameters(seed: int):
    for language in LANGUAGES:
        judge_sentences(seed, language)


def judge_sentences(seed: int, language: str) -> None:
    found = told(asked(seed), language)
    shared = len({*owners(asked(seed)).values()}) == 2
    for _, why in reasons(found):
        text = why["text"]
        if shared and "seat" in why["params"]:
            name = why["params"]["seat"]
            assert text.startswith(name)
            text = text.removeprefix(name)
        numbers = re.findall(r"\d+(?:[.,]\d+)?", text)
        assert set(numbers) <= printed(why["params"], language), (why, numbers)
        assert "{" not in text


def printed(value: Any, language: str) -> set[str]:
    """Every way in which the numbers of some parameters may stand in a sentence."""
    if isinstance(value, dict):
        return set().union(*(printed(inner, language) for inner in value.values()), set())
    if isinstance(value, list):
        return set().union(*(printed(inner, language) for inner in value), set())
    if isinstance(value, str):
        return {value}
    if isinstance(value, int):
        return {str(value)}
    spelled_out = f"{value:.2f}".rstrip("0").rstrip(".")
    if language == "de":
        spelled_out = spelled_out.replace(".", ",")
    percent = round(100 * value)
    if 0 < value < 1:
        percent = min(99, max(1, percent))
    return {spelled_out, str(percent)}


def test_every_code_has_a_sentence_and_a_nudge_in_every_language():
    assert set(messages._SENTENCES) == set(CODES)
    assert set(messages._NUDGES) == {*CODES, "even"}
    for sentences in (*messages._SENTENCES.values(), *messages._NUDGES.values()):
        assert set(sentences) == set(LANGUAGES)
        assert len(set(sentences.values())) == len(LANGUAGES)
        fields = [
            {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for text in sentences.values()
        ]
        assert fields[0] == fields[1] == fields[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_differ_in_texts_alone(language: str):
    def stripped(found: Body) -> Body:
        for row in found["moves"]:
            for why in row["reasons"]:
                why.pop("text")
        return found

    assert stripped(told(TABLE, language)) == stripped(told(TABLE, "en"))
    assert (told(TABLE, language) == told(TABLE, "en")) == (language == "en")


# Less than a card -----------------------------------------------------------------------------

KEPT_BACK = ("pick", "best", "value", "strateg", "probability", "expected", "outlook", "loss")


@properties
def below_card_nothing_is_given_away(seed: int):
    for level in ("nudge", "shortlist"):
        judge_level(seed, level)


def judge_level(seed: int, level: str) -> None:
    question = asked(seed) | {"hint_level": level}
    question.pop("chosen", None)
    found = suggest(question)
    text = json.dumps(found)
    assert not [word for word in KEPT_BACK if word in text]
    assert found["hint_level"] == level
    assert 1 <= len(found["nudges"]) <= 2
    assert {one["code"] for one in found["nudges"]} <= {*CODES, "even"}
    for one in found["nudges"]:
        assert not re.search(r"\d", one["text"])
    if level == "nudge":
        assert "card" not in json.dumps({k: v for k, v in found.items() if k == "moves"})
        assert found.keys() == {"player", "decision", "hint_level", "nudges", "search"}


@properties
def a_shortlist_holds_what_is_best_and_played_among_others_in_deck_order(seed: int):
    question = asked(seed)
    everything = suggest(question)
    short = suggest(question | {"hint_level": "shortlist"})["shortlist"]
    words = [spelled(move) for move in short]
    assert len(words) == len(set(words))
    assert min(2, len(everything["moves"])) <= len(words) <= 4
    assert spelled(everything["best"]) in words
    likely = max(everything["moves"], key=lambda row: row["probability"])
    assert likely["probability"] < 0.05 or spelled(likely["move"]) in words
    legal = legal_moves(question)["moves"]
    deciding = list(everything["best"])
    in_order = [
        spelled(dict(zip(deciding, joint, strict=True)))
        for joint in product(*(legal[seat] for seat in deciding))
    ]
    places = [in_order.index(word) for word in words]
    assert places == sorted(places)


@pytest.mark.parametrize("level", ["nudge", "shortlist"])
def test_a_grade_is_refused_where_it_would_give_the_card_away(level: str):
    chosen = {"red": {"card": "3"}}
    assert faults(TABLE | {"hint_level": level, "chosen": chosen}) == {("/chosen", "hint-level")}
    assert suggest(TABLE | {"hint_level": "card", "chosen": chosen})["grade"]


def test_the_level_card_is_what_is_told_without_one():
    assert suggest(TABLE | {"hint_level": "card"}) == suggest(TABLE)


@pytest.mark.parametrize("seed", randomized.case_numbers(12, 40))
def test_reasons_agree_with_the_printed_numbers(seed: int):
    properties.check(seed)
