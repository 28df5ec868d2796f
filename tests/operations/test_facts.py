"""Facts about moves, nudges and shortlists: correct numbers, all languages, no leak of the move."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from marshmallow import RAISE

from service.core.languages import LANGUAGES
from service.games.snow_time.api.hint_schema import ReasonParams
from service.games.snow_time.api.reasons.facts import FACT_CODES
from service.games.snow_time.api.reasons.nudges import NO_DIFFERENCE, NUDGES
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from tests import randomized
from tests.operations.bodies import (
    DEFINITION,
    ENDPOINTS,
    MODELS,
    JsonObject,
    legal_moves,
    move_key,
    owners,
    random_body,
    suggest,
    suggest_body,
    violations,
)

SEEDS = range(40)
properties = randomized.Properties()
TABLE = suggest_body("357hw", "246hb", "135h", "47hw", fruit=[2, 0, 1, 0, 2, 1])


def printed_random_body(seed: int) -> JsonObject:
    body = random_body(seed, MODELS[seed % len(MODELS)])
    body["include"] = sorted({*body.get("include", ()), "facts"})
    print(f"seed {seed}: {json.dumps(body)}")
    return body


def suggest_in(body: JsonObject, language: str) -> JsonObject:
    response = execute(DEFINITION, ENDPOINTS["suggest"], body, RequestContext(language=language))
    document: JsonObject = json.loads(json.dumps(response.document))
    return document


def facts(hint: JsonObject) -> list[tuple[JsonObject, JsonObject]]:
    """Return every fact together with the row of its move."""
    return [(row, fact) for row in hint["moves"] for fact in row["facts"]]


# Numbers --------------------------------------------------------------------------------------


def plays(body: JsonObject, hint: JsonObject, row: JsonObject, seat: str, card: str) -> float:
    """Return the probability that a seat plays a card at the decision."""

    def shows(move: Any) -> bool:
        return bool((move.get("then") or move)["card"] == card)

    deciding = legal_moves(body)["moves"]
    if seat in row["move"]:
        return float(shows(row["move"][seat]))
    if seat not in deciding:
        return float(shows(body["revealed"][seat]))
    strategy = hint["strategies"][owners(body)[seat]]
    return sum(entry["probability"] for entry in strategy if shows(entry["move"][seat]))


@properties
def probabilities_in_facts_agree_with_the_rendered_strategies(seed: int):
    body = printed_random_body(seed)
    hint = suggest(body)
    above = {"brawl": 0, "struck": 1}
    for row, fact in facts(hint):
        if "others" not in fact["params"]:
            continue
        level = fact["params"]["level"] + above.get(fact["code"], 0)
        card = "blizzard" if fact["code"] == "buried" else str(level)
        expected = {
            seat["seat"]: plays(body, hint, row, seat["seat"], card)
            for seat in body["state"]["seats"]
            if seat["seat"] != fact["params"]["seat"]
        }
        expected = {seat: chance for seat, chance in expected.items() if chance}
        assert fact["params"]["others"] == pytest.approx(expected, abs=2e-9)


@properties
def parameters_match_their_schema(seed: int):
    """This is stricter than the specification, which allows additional members."""
    for _, fact in facts(suggest(printed_random_body(seed))):
        assert ReasonParams(unknown=RAISE).validate(fact["params"]) == {}


@properties
def facts_agree_with_the_position(seed: int):
    body = printed_random_body(seed)
    state, hint = body["state"], suggest(body)
    seats = {seat["seat"]: seat for seat in state["seats"]}
    track = state.get("track") or DEFINITION.about["default_track"]
    played = [entry["move"] for entry in hint["strategies"][hint["player"]]]
    for row, fact in facts(hint):
        params = fact["params"]
        if fact["code"] == "race":
            to_go = {name: track["length"] - seat["score"] for name, seat in seats.items()}
            assert params["to_go"] == to_go
        elif fact["code"] == "fruit":
            assert params["tokens"] == state["fruit"][params["level"] - 1] > 0
            assert params["level"] in levels(row["move"])
        elif fact["code"] == "bonus":
            for name, next_bonus in params["next"].items():
                score = seats[name]["score"]
                ahead = [bonus for bonus in track["bonuses"] if bonus["space"] > score]
                assert next_bonus == min(ahead, key=lambda bonus: bonus["space"])
        elif fact["code"] in ("spends", "keeps"):
            cards = cards_of(row["move"][params["seat"]])[-1:]
            assert params["card"] in seats[params["seat"]]["hand"]
            assert (params["card"] in cards) == (fact["code"] == "spends")
            assert fact["code"] == "spends" or any(
                params["card"] in cards_of(move[params["seat"]])[-1:] for move in played
            )
        elif fact["code"] == "recovers":
            choice = row["move"][params["seat"]]
            choice = choice.get("then") or choice
            discarded = 7 - sum(card.isdigit() for card in seats[params["seat"]]["hand"])
            assert choice["card"] == "healer"
            if "recover" in choice:
                assert params["cards"] == choice["recover"]
                assert params["count"] == len(choice["recover"])
            else:
                assert params["count"] == (7 if discarded == 7 else min(2, discarded))


def test_revealed_cards_are_neither_spent_nor_kept():
    """The watcher is revealed already: only the card that it adds can be spent."""
    revealed = {"red": {"card": "watcher"}, "blue": {"card": "2"}, "green": {"card": "1"}}
    body = suggest_body(
        "36hwb",
        "24hb",
        "135h",
        revealed=revealed,
        opponents={"model": "equilibrium"},
        include=["facts"],
    )
    facts_by_card = {
        row["move"]["red"]["then"]["card"]: [
            (fact["code"], fact["params"]["card"])
            for fact in row["facts"]
            if fact["code"] in ("spends", "keeps")
        ]
        for row in suggest(body)["moves"]
    }
    assert facts_by_card.pop("blizzard") == [("spends", "blizzard")]
    assert all(("spends", "watcher") not in listed for listed in facts_by_card.values())
    assert all(card != "watcher" for listed in facts_by_card.values() for _, card in listed)


def levels(move: Any) -> set[int]:
    return {int(card) for own in move.values() for card in cards_of(own) if card.isdigit()}


def cards_of(move: Any) -> list[str]:
    return [move["card"], *([move["then"]["card"]] if "then" in move else [])]


@pytest.mark.slow
def test_random_requests_produce_every_code():
    """Otherwise a property above could pass without checking anything."""
    codes = {
        fact["code"] for seed in SEEDS for _, fact in facts(suggest(printed_random_body(seed)))
    }
    assert codes == set(FACT_CODES)


# Sentences ------------------------------------------------------------------------------------


@properties
def every_number_in_a_sentence_is_one_of_its_parameters(seed: int):
    for language in LANGUAGES:
        check_sentences(seed, language)


def check_sentences(seed: int, language: str) -> None:
    hint = suggest_in(printed_random_body(seed), language)
    shared = len({*owners(printed_random_body(seed)).values()}) == 2
    for _, fact in facts(hint):
        text = fact["text"]
        if shared and "seat" in fact["params"]:
            name = fact["params"]["seat"]
            assert text.startswith(name)
            text = text.removeprefix(name)
        numbers = re.findall(r"\d+(?:[.,]\d+)?", text)
        allowed = number_texts(fact["params"], language)
        if fact["code"] == "struck":
            allowed.add(str(fact["params"]["level"] + 1))
        assert set(numbers) <= allowed, (fact, numbers)
        assert "{" not in text


def number_texts(value: Any, language: str) -> set[str]:
    """Return every form in which the numbers of some parameters can occur in a sentence."""
    if isinstance(value, dict):
        return set().union(*(number_texts(inner, language) for inner in value.values()), set())
    if isinstance(value, list):
        return set().union(*(number_texts(inner, language) for inner in value), set())
    if isinstance(value, str):
        return {value}
    if isinstance(value, int):
        return {str(value)}
    decimal_text = f"{max(0.1, value):.1f}".removesuffix(".0")
    if language == "de":
        decimal_text = decimal_text.replace(".", ",")
    percent = round(100 * value)
    if 0 < value < 1:
        percent = min(99, max(1, percent))
    return {decimal_text, str(percent)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_differ_only_in_texts(language: str):
    def without_texts(hint: JsonObject) -> JsonObject:
        hint["advice"].pop("text")
        for row in hint["moves"]:
            for reason in (*row["reasons"], *row.get("facts", ())):
                reason.pop("text")
        return hint

    assert without_texts(suggest_in(TABLE, language)) == without_texts(suggest_in(TABLE, "en"))
    assert (suggest_in(TABLE, language) == suggest_in(TABLE, "en")) == (language == "en")


# Hint levels below a card ---------------------------------------------------------------------

HIDDEN_WORDS = (
    "pick",
    "best",
    "value",
    "strateg",
    "probability",
    "expected_values",
    "win_shares",
    "loss",
)


@properties
def hints_below_the_level_card_do_not_reveal_the_move(seed: int):
    for level in ("nudge", "shortlist"):
        check_level(seed, level)


def check_level(seed: int, level: str) -> None:
    body = printed_random_body(seed) | {"hint_level": level, "include": []}
    body.pop("chosen", None)
    hint = suggest(body)
    text = json.dumps(hint)
    assert not [word for word in HIDDEN_WORDS if word in text]
    assert hint["hint_level"] == level
    assert 1 <= len(hint["nudges"]) <= 2
    assert {nudge["code"] for nudge in hint["nudges"]} <= {*NUDGES, NO_DIFFERENCE}
    for nudge in hint["nudges"]:
        assert not re.search(r"\d", nudge["text"])
    if level == "nudge":
        assert "card" not in json.dumps({k: v for k, v in hint.items() if k == "moves"})
        assert hint.keys() == {"player", "decision", "hint_level", "nudges", "search"}


@properties
def a_shortlist_contains_the_recommended_and_the_likeliest_move_in_deck_order(seed: int):
    body = printed_random_body(seed)
    full_hint = suggest(body)
    shortlist = suggest(body | {"hint_level": "shortlist", "include": []})["shortlist"]
    listed = [move_key(move) for move in shortlist]
    assert len(listed) == len(set(listed))
    assert min(2, len(full_hint["moves"])) <= len(listed) <= 4
    assert move_key(full_hint["moves"][0]["move"]) in listed
    likely = max(full_hint["moves"], key=lambda row: row["probability"])
    assert likely["probability"] < 0.05 or move_key(likely["move"]) in listed
    legal = legal_moves(body)["moves"]
    deciding = list(full_hint["moves"][0]["move"])
    in_order = [
        move_key(dict(zip(deciding, joint, strict=True)))
        for joint in product(*(legal[seat] for seat in deciding))
    ]
    places = [in_order.index(move) for move in listed]
    assert places == sorted(places)


@pytest.mark.parametrize("level", ["nudge", "shortlist"])
def test_a_grade_is_refused_at_hint_levels_below_card(level: str):
    chosen = {"red": {"card": "3"}}
    assert violations(TABLE | {"hint_level": level, "chosen": chosen}) == {
        ("/chosen", "hint-level")
    }
    assert suggest(TABLE | {"hint_level": "card", "chosen": chosen})["grade"]


def test_the_default_hint_level_is_card():
    assert suggest(TABLE | {"hint_level": "card"}) == suggest(TABLE)


@pytest.mark.slow
@pytest.mark.parametrize("seed", randomized.case_numbers(12, 40))
def test_facts_agree_with_the_rendered_numbers(seed: int):
    properties.check(seed)
