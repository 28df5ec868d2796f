"""Facts about moves, nudges and shortlists: correct numbers, all languages, no leak of the move."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest

from service.core.languages import LANGUAGES
from service.games.snow_time.api.reasons.nudges import NO_DIFFERENCE, NUDGES
from tests import randomized
from tests.operations.bodies import (
    SOLVED,
    JsonObject,
    legal_moves,
    move_key,
    seeded_body,
    shown,
    suggest,
    suggest_body,
    violations,
)

SEEDS = range(40)
DANGERS = {"struck", "brawl", "buried"}
properties = randomized.Properties()
TABLE = suggest_body("357hw", "246hb", "135h", "47hw", fruit=[2, 0, 1, 0, 2, 1])


def body_with_facts(seed: int) -> JsonObject:
    return seeded_body(seed) | {"include": ["facts"]}


def facts(hint: JsonObject) -> list[tuple[JsonObject, JsonObject]]:
    """Return every fact together with the row of its move."""
    return [(row, fact) for row in hint["moves"] for fact in row["facts"]]


@properties
def facts_agree_with_the_position(seed: int):
    body = body_with_facts(seed)
    state = body["state"]
    seats = {seat["seat"]: seat for seat in state["seats"]}
    for row, fact in facts(suggest(body)):
        code, params = fact["code"], fact["params"]
        seat = seats[params["seat"]] if "seat" in params else {}
        played = cards_of(row["move"].get(params.get("seat")) or {"card": ""})
        if code == "fruit":
            assert params["count"] == state["fruit"][params["level"] - 1] > 0
        elif code in DANGERS and params["seat"] in row["move"]:
            assert params["own"] == played[-1]
            above = {"brawl": params["own"], "struck": str(int(params["own"]) + 1)}
            assert params["card"] == above.get(code, "blizzard")
        elif code == "spends":
            assert params["card"] in seat["hand"]
            assert params["card"] == played[-1]
        elif code in ("recovers", "sits-out"):
            discarded = 7 - sum(card.isdigit() for card in seat["hand"])
            assert played[-1] == "healer"
            assert (code == "sits-out") == (not discarded)
            if code == "recovers":
                assert params["discarded"] == discarded
                assert params["all"] == (params["count"] == discarded)


def test_revealed_cards_are_neither_spent_nor_kept():
    """The watcher is revealed already: only the card that it adds can be spent."""
    revealed = shown("w21")
    seats = ("36hwb", "24hb", "135h")
    body = suggest_body(*seats, revealed=revealed, opponents=SOLVED, include=["facts"])
    facts_by_card = {
        row["move"]["red"]["then"]["card"]: [
            (fact["code"], fact["params"]["card"])
            for fact in row["facts"]
            if fact["code"] == "spends"
        ]
        for row in suggest(body)["moves"]
    }
    assert facts_by_card.pop("blizzard") == [("spends", "blizzard")]
    assert all(("spends", "watcher") not in listed for listed in facts_by_card.values())
    assert all(card != "watcher" for listed in facts_by_card.values() for _, card in listed)


def cards_of(move: Any) -> list[str]:
    return [move["card"], *([move["then"]["card"]] if "then" in move else [])]


@pytest.mark.slow
def test_random_requests_produce_the_common_codes():
    """Otherwise a property above could pass without checking anything."""
    codes = {fact["code"] for seed in SEEDS for _, fact in facts(suggest(body_with_facts(seed)))}
    assert codes >= {"fruit", "bonus", "knocks", "spends", "recovers", "sits-out", *DANGERS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_differ_only_in_texts(language: str):
    def without_texts(hint: JsonObject) -> JsonObject:
        hint["advice"].pop("text")
        for row in hint["moves"]:
            for reason in (*row["reasons"], *row.get("facts", ())):
                reason.pop("text")
        return hint

    assert without_texts(suggest(TABLE, language)) == without_texts(suggest(TABLE, "en"))
    assert (suggest(TABLE, language) == suggest(TABLE, "en")) == (language == "en")


HIDDEN_WORDS = ("pick", "best", "value", "strateg", "probability", "win_shares", "loss")


@properties
def hints_below_the_level_card_do_not_reveal_the_move(seed: int):
    for level in ("nudge", "shortlist"):
        check_level(seed, level)


def check_level(seed: int, level: str) -> None:
    body = body_with_facts(seed) | {"hint_level": level, "include": []}
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
        assert hint.keys() == {"player", "decision", "hint_level", "nudges", "search"}


@properties
def a_shortlist_contains_the_recommended_and_the_likeliest_move_in_deck_order(seed: int):
    body = body_with_facts(seed)
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
