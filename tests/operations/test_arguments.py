"""Headlines, comparisons, reasons and nudges of Snow Time: they say what the numbers say."""

from __future__ import annotations

import json
import re
from random import Random
from statistics import median
from typing import Any

import pytest
from marshmallow import RAISE

from service.core.advice import MISTAKES, TOLERANCES
from service.core.languages import LANGUAGES
from service.core.rounding import UNITS
from service.games.snow_time.api.hint_schema import ReasonParams
from service.games.snow_time.api.reasons.arguments import ARGUMENT_CODES, MAX_ARGUMENTS, NUDGES
from service.games.snow_time.api.reasons.headlines import HEADLINE_CODES
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from tests import randomized
from tests.operations.bodies import (
    DEFINITION,
    ENDPOINTS,
    MODELS,
    JsonObject,
    random_body,
    suggest,
    suggest_body,
)

properties = randomized.Properties()
FULL = "1234567hwb"
SOLVED = {"model": "equilibrium"}


def body_of(seed: int) -> JsonObject:
    body = random_body(seed, MODELS[seed % len(MODELS)])
    print(f"seed {seed}: {json.dumps(body)}")
    return body


def in_language(body: JsonObject, language: str) -> JsonObject:
    response = execute(DEFINITION, ENDPOINTS["suggest"], body, RequestContext(language=language))
    document: JsonObject = json.loads(json.dumps(response.document))
    return document


def picked(hint: JsonObject) -> JsonObject:
    row: JsonObject = hint["moves"][hint["pick_index"]]
    return row


def units(value: float) -> int:
    return round(value * UNITS)


# Comparisons ----------------------------------------------------------------------------------


@properties
def printed_parts_sum_to_the_printed_difference_of_printed_values(seed: int):
    hint = suggest(body_of(seed))
    values = {json.dumps(row["move"], sort_keys=True): row["value"] for row in hint["moves"]}
    for row in hint["moves"]:
        if "comparison" not in row:
            assert len(hint["moves"]) == 1
            continue
        comparison = row["comparison"]
        other = values[json.dumps(comparison["move"], sort_keys=True)]
        assert units(comparison["difference"]) == units(row["value"]) - units(other)
        assert sum(map(units, comparison["parts"].values())) == units(comparison["difference"])
        assert all(comparison["parts"].values())


@properties
def the_pick_is_compared_with_the_best_different_move_and_others_with_the_pick(seed: int):
    hint = suggest(body_of(seed))
    for row in hint["moves"]:
        if row["move"] != hint["pick"]:
            assert row["comparison"]["move"] == hint["pick"]
        elif len(hint["moves"]) > 1:
            other = next(r for r in hint["moves"] if r["move"] == row["comparison"]["move"])
            better = [r for r in hint["moves"] if r["value"] > other["value"] and r is not row]
            assert not [r for r in better if r["comparison"]["parts"]]


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
def test_further_rounds_are_a_part_of_their_own(objective: str):
    body = suggest_body("5hw", "4h", "3h", objective=objective, depth=2, opponents=SOLVED)
    hint = suggest(body)
    assert hint["search"]["depth"] == 2
    assert any("later" in row["comparison"]["parts"] for row in hint["moves"])


# Reasons --------------------------------------------------------------------------------------


@properties
def reasons_are_about_the_largest_parts(seed: int):
    hint = suggest(body_of(seed))
    for row in hint["moves"]:
        assert len(row["reasons"]) <= MAX_ARGUMENTS
        assert len({reason["text"] for reason in row["reasons"]}) == len(row["reasons"])
        for reason in row["reasons"]:
            assert reason["code"] in ARGUMENT_CODES
            assert ReasonParams(unknown=RAISE).validate(reason["params"]) == {}
            if "part" in reason["params"]:
                parts = row["comparison"]["parts"]
                assert reason["params"]["value"] == parts[reason["params"]["part"]]
        values = [r["params"]["value"] for r in row["reasons"] if "value" in r["params"]]
        gains = [value for value in values if value > 0]
        # Gains come first, then costs; each from the largest to the smallest.
        assert values == sorted(gains, reverse=True) + sorted(v for v in values if v < 0)


@properties
def a_champion_that_comes_back_or_falls_does_so_more_often_than_the_other_one(seed: int):
    body = body_of(seed)
    hint = suggest(body)
    by_move = {json.dumps(row["move"], sort_keys=True): row for row in hint["moves"]}
    for row in hint["moves"] if hint["decision"] == "card" else []:
        compared = row.get("comparison")
        other = compared and by_move[json.dumps(compared["move"], sort_keys=True)]
        if not other or any(not each["survival"] for each in (row, other)):
            continue
        if any(len(each["move"]) > 1 or "watcher" in str(each["move"]) for each in (row, other)):
            continue
        [own], [others] = row["survival"].values(), other["survival"].values()
        for reason in row["reasons"]:
            if "part" in reason["params"]:
                assert reason["code"] != "returns" or own > others
                assert reason["code"] not in ("struck", "brawl", "buried") or own < others


@properties
def a_card_is_kept_or_spent_only_by_one_of_two_moves(seed: int):
    hint = suggest(body_of(seed))
    by_move = {json.dumps(row["move"], sort_keys=True): row["move"] for row in hint["moves"]}

    def spends(move: JsonObject, card: str) -> int:
        return sum(card in (own["card"], own.get("then", {}).get("card")) for own in move.values())

    for row in hint["moves"]:
        for reason in row["reasons"]:
            if reason["code"] in ("keeps", "spends"):
                other = by_move[json.dumps(row["comparison"]["move"], sort_keys=True)]
                card = reason["params"]["card"]
                more = spends(row["move"], card) - spends(other, card)
                assert more * (1 if reason["code"] == "spends" else -1) > 0


@properties
def the_named_players_account_for_a_danger(seed: int):
    """Unless a watcher may still add the card."""
    for row in suggest(body_of(seed))["moves"]:
        for reason in row["reasons"]:
            if reason["code"] in ("struck", "brawl", "buried"):
                params = reason["params"]
                chances = sum(params["others"].values())
                assert params.get("adders") or params["chance"] <= chances + 1e-8, reason


@properties
def the_headline_and_the_shortlist_agree_with_the_pick(seed: int):
    body = body_of(seed) | {"nonce": str(seed), "temperature": 0.3}
    hint = suggest(body)
    advice = hint["advice"]
    if advice["code"] in ("clear", "equal"):
        assert hint["pick_index"] in advice["params"]["choices"]
    if advice["code"] == "drawn":
        loss = max(row["value"] for row in hint["moves"]) - picked(hint)["value"]
        assert units(advice["params"]["margin"]) == units(loss)
    assert hint["pick"] in suggest(body | {"hint_level": "shortlist"})["shortlist"]


@properties
def the_steps_of_a_hint_agree_in_openings(seed: int):
    """24 to 36 % of the probability was outside of the shortlist of another draw."""
    fruit = [0] * 6
    for level in Random(seed).choices(range(6), k=2):
        fruit[level] += 1
    body = suggest_body(*[FULL] * 4, opponents=SOLVED, fruit=fruit) | {"nonce": str(seed)}
    nudged, listed = (suggest(body | {"hint_level": level}) for level in ("nudge", "shortlist"))
    assert nudged["nudges"] == listed["nudges"]
    other = in_language(body | {"hint_level": "shortlist"}, "de")
    assert other["shortlist"] == listed["shortlist"]
    assert [each["code"] for each in other["nudges"]] == [each["code"] for each in nudged["nudges"]]
    assert suggest(body)["pick"] in listed["shortlist"]


def test_a_champion_that_comes_back_as_often_as_a_worse_one_is_better_in_hand():
    hint = suggest(suggest_body(FULL, FULL, FULL, fruit=[0, 1, 0, 1, 0, 0]))
    by_card = {row["move"][hint["player"]]["card"]: row for row in hint["moves"]}
    four, two = by_card["4"], by_card["2"]
    assert four["comparison"]["move"] == two["move"]
    assert four["survival"] == two["survival"]
    [reason] = [each for each in four["reasons"] if each["params"]["part"] == "champions"]
    assert (reason["code"], reason["text"]) == ("hand-value", "Better champions in your hand.")


def test_a_watcher_that_may_add_the_healer_may_recover():
    """It was said to take back no champions, although it takes back as many."""
    body = suggest_body("57hw", "2357hw", "2567hw", "2567hw", scores=(5, 8, 13, 8))
    [watcher] = [r for r in suggest(body)["moves"] if r["move"]["red"]["card"] == "watcher"]
    assert watcher["comparison"]["move"] == {"red": {"card": "healer"}}
    codes = {each["code"] for each in watcher["reasons"]}
    assert "spends" in codes
    assert "no-recovery" not in codes


def test_others_who_gain_the_same_are_no_reason():
    """Other spaces of the same sum count differently; the sum differs only by rounding errors."""
    body = suggest_body(
        *("123567h", "2367h", "123567h"), scores=(28, 7, 8), fruit=[3, 0, 1, 6, 0, 2]
    )
    reasons = [each for row in suggest(body)["moves"] for each in row["reasons"]]
    gains = [each for each in reasons if each["code"] == "others-gain"]
    assert all(each["params"]["points"] > 0.0 for each in gains)


def test_an_end_that_is_as_likely_with_both_moves_is_not_missed():
    """The chances of an end differ by rounding errors."""
    hint = suggest(
        suggest_body(
            *("234567h", "12347h", "12457h"), scores=(28, 29, 22), fruit=[0, 3, 0, 3, 1, 3]
        )
    )
    by_card = {row["move"][hint["player"]]["card"]: row for row in hint["moves"]}
    two, six = by_card["2"], by_card["6"]
    assert two["comparison"]["move"] == six["move"]
    [reason] = [each for each in two["reasons"] if each["params"].get("part") == "end"]
    assert (reason["code"], reason["params"]["value"] < 0.0) == ("end", True)


def test_a_lost_watcher_is_the_price_of_more_spaces():
    hint = suggest(suggest_body(FULL, FULL, FULL, FULL, opponents=SOLVED))
    [watcher] = [r for r in hint["moves"] if r["move"]["red"]["card"] == "watcher"]
    texts = [reason["text"] for reason in watcher["reasons"]]
    assert re.fullmatch(r"But the Watcher is spent \(−\d%\)\.", texts[1]), texts


def test_a_danger_has_its_chance_first_and_names_who_plays_the_card():
    """Blue has nothing better than the 3, which strikes the 2."""
    body = suggest_body(
        "2h", "3h", "17h", fruit=[0, 0, 3, 0, 0, 0],
        opponents={"model": "equilibrium", "weights": {"blue": {"3": 0.96, "healer": 0.04}}},
        include=["facts"],
    )  # fmt: skip
    [row] = [row for row in suggest(body)["moves"] if row["move"]["red"]["card"] == "2"]
    [struck] = [fact for fact in row["facts"] if fact["code"] == "struck"]
    assert struck["text"] == "Almost surely: blue plays the 3 and strikes your 2."
    body["opponents"]["weights"]["blue"] = {"3": 0.5, "healer": 0.5}
    [row] = [row for row in suggest(body)["moves"] if row["move"]["red"]["card"] == "2"]
    [struck] = [fact for fact in row["facts"] if fact["code"] == "struck"]
    assert struck["text"] == "50%: blue plays the 3 and strikes your 2."


def test_every_choice_of_a_four_player_round_has_a_reason():
    """The pick, too, although some picks only keep cards for later."""
    words = []
    for seed in range(12):
        hands = [FULL[seed % 5 :], FULL[(seed + 2) % 6 :], FULL, FULL[:7] + "h"]
        scores = [5 + seed, 7, 3 + seed, 6]
        hint = suggest(suggest_body(*hands, scores=scores, fruit=[seed % 2] * 6, opponents=SOLVED))
        if hint["advice"]["code"] != "decided":
            assert all(row["reasons"] for row in hint["moves"])
        texts = [hint["advice"]["text"], *(r["text"] for r in picked(hint)["reasons"])]
        words.append(len(" ".join(texts).split()))
    assert median(words) <= 25, words


def test_an_id_at_the_beginning_of_a_sentence_keeps_its_first_letter():
    """Apps replace ids by the names of their seats."""
    body = suggest_body("24h", "36hw", "35h", scores=[25, 24, 22], fruit=[0, 1, 2, 0, 0, 1],
                        opponents=SOLVED)  # fmt: skip
    texts = [r["text"] for row in suggest(body)["moves"] for r in row["reasons"]]
    assert any(text.startswith("blue gains") for text in texts), texts


# Headlines ------------------------------------------------------------------------------------


@properties
def a_headline_agrees_with_the_values(seed: int):
    body = body_of(seed)
    hint = suggest(body)
    advice, moves = hint["advice"], hint["moves"]
    params = advice["params"]
    tolerance = max(hint["search"].get("epsilon", 0.0), TOLERANCES[body["objective"]])
    losses = [row["loss"] for row in moves]
    named = [losses[index] for index in params.get("choices", ())]
    assert advice["code"] in HEADLINE_CODES
    if advice["code"] == "forced":
        assert len(moves) == 1
    elif advice["code"] == "decided":
        assert max(losses) <= 2e-9
    elif advice["code"] == "clear":
        assert sorted(losses)[1] == pytest.approx(params["margin"], abs=2e-9)
        assert params["margin"] > tolerance
    elif advice["code"] == "equal":
        assert len(named) > 1
        assert max(named) == pytest.approx(params["spread"], abs=2e-9)
        assert params["spread"] <= tolerance + 2e-9
    elif advice["code"] == "mixture":
        assert len(named) == len(params["chances"]) > 1
    else:
        mistakes = [losses[index] for index in params["mistakes"]]
        assert min(mistakes) > MISTAKES[body["objective"]]
        assert min(mistakes) == pytest.approx(params["margin"], abs=2e-9)


def test_a_lost_game_is_said_to_be_decided():
    body = suggest_body("12h", "7h", "6h", scores=[0, 29, 29], opponents=SOLVED)
    body["state"]["track"] = {"length": 30, "bonuses": []}
    body["state"]["fruit"] = [0, 0, 0, 0, 0, 5]
    body["revealed"] = {"red": {"card": "healer"}, "blue": {"card": "7"}, "green": {"card": "6"}}
    assert suggest(body)["advice"] == {
        "code": "decided",
        "params": {"result": "lost"},
        "text": "You lose whatever you choose.",
    }


def test_a_game_that_only_others_can_save_is_not_called_lost():
    """It said "You lose whatever you choose", but blue can leave the win to red."""
    body = suggest_body("7h", "67h", "h", scores=[29, 29, 0], opponents=SOLVED)
    body["state"]["track"] = {"length": 30, "bonuses": []}
    body["state"]["fruit"] = [0, 0, 0, 0, 0, 5]
    body["opponents"] = {"model": "equilibrium", "weights": {"blue": {"7": 1}}}
    assert suggest(body)["advice"]["code"] != "decided"


@pytest.mark.parametrize(
    ("card", "hand", "start"),
    [("watcher", "2467hw", "Add 6, ahead by "), ("healer", "26h", "Take back 1 and 3, ahead by ")],
)
def test_after_the_reveal_the_headline_names_what_the_card_does(card: str, hand: str, start: str):
    """It said "Play 6" to a player who had revealed the watcher."""
    seats, fruit = (hand, "36h", "35h"), [0, 1, 2, 0, 0, 1]
    body = suggest_body(*seats, scores=(24, 20, 22), fruit=fruit, opponents=SOLVED)
    body["revealed"] = {"red": {"card": card}, "blue": {"card": "3"}, "green": {"card": "5"}}
    assert suggest(body)["advice"]["text"].startswith(start)


# Texts ----------------------------------------------------------------------------------------


@properties
def no_text_says_a_number_that_is_not_there_or_a_false_zero(seed: int):
    for language in LANGUAGES:
        hint = in_language(body_of(seed), language)
        texts = [hint["advice"]["text"]]
        texts += [reason["text"] for row in hint["moves"] for reason in row["reasons"]]
        for each in texts:
            assert "{" not in each
            assert not re.search(r"(?<![\d.,])0(?:[.,]0)? ?%", each), each
            assert not re.search(r"\d[.,]\d\d", each), each


def test_a_choice_without_consequences_this_round_keeps_most_for_later():
    """For points, the pick took back no champions: "Every choice is worth the same"."""
    body = suggest_body("26h", "5h", "4h", objective="points", opponents=SOLVED)
    body["revealed"] = {"red": {"card": "healer"}, "blue": {"card": "5"}, "green": {"card": "4"}}
    hint = suggest(body)
    assert hint["advice"] == {
        "code": "decided",
        "params": {"result": "equal"},
        "text": "Take back 1 and 3. This round it makes no difference.",
    }
    assert hint["pick"] == {"red": {"card": "healer", "recover": ["1", "3"]}}
    assert nudges(body) == ["decided"]


def test_a_revealed_watcher_is_no_reason():
    """Its loss changed with the space of the leader: "the Watcher in your hand is worth more"."""
    hands = ("2467hw", "15hb", "1234567h")
    for seed in range(6):
        body = suggest_body(*hands, fruit=[seed % 3, 0, 1, seed % 2, 0, 1], opponents=SOLVED)
        body["revealed"] = {
            "red": {"card": "watcher"},
            "blue": {"card": "5"},
            "green": {"card": str(1 + seed)},
        }
        for row in suggest(body)["moves"]:
            cards = [reason["params"].get("card") for reason in row["reasons"]]
            assert "watcher" not in cards


def test_fewer_champions_taken_back_are_counted():
    body = suggest_body("26h", "5h", "4h", opponents=SOLVED)
    body["revealed"] = {"red": {"card": "healer"}, "blue": {"card": "5"}, "green": {"card": "4"}}
    hint = suggest(body)
    sizes = {len(row["move"]["red"]["recover"]): row for row in hint["moves"]}
    [one] = sizes[1]["reasons"][:1]
    assert one["code"] == "recovers-fewer"
    assert one["text"].startswith("You take back 1 champion fewer")
    assert sizes[0]["reasons"][0]["text"].startswith("You take back no champions")
    assert nudges(body) == ["recovers-which"]


def test_the_champions_that_a_healer_takes_back_are_named():
    body = suggest_body("134567h", "5h", "4h", opponents=SOLVED)
    body["revealed"] = {"red": {"card": "healer"}, "blue": {"card": "5"}, "green": {"card": "4"}}
    assert picked(suggest(body))["reasons"][0]["text"].startswith("You take back 2 (+")


# Nudges ---------------------------------------------------------------------------------------


def nudges(body: JsonObject) -> list[Any]:
    return [nudge["code"] for nudge in suggest(body | {"hint_level": "nudge"})["nudges"]]


def test_no_nudge_points_at_fights_where_few_points_are_expected():
    seen = set()
    for seed in range(10):
        hands = [FULL[seed % 5 :], FULL[:5] + "h", FULL[2:], FULL[:7] + "h"]
        body = suggest_body(*hands, fruit=[0, seed % 3, 0, 1, 0, 0], opponents=SOLVED)
        codes = nudges(body)
        seen |= {*codes}
        if "fight" in codes:
            assert max(row["points"]["fight"] for row in suggest(body)["moves"]) >= 0.25
    assert seen <= {*NUDGES, "even"}


def test_nothing_stands_out_where_every_choice_is_the_same():
    body = suggest_body("1h", "1h", "1h", objective="points", opponents={"model": "uniform"})
    body["state"]["seats"][0]["hand"] = ["healer"]
    assert nudges(body) == ["forced"]


@pytest.mark.parametrize("seed", randomized.case_numbers(9, 40))
def test_hints_argue_with_true_numbers(seed: int):
    properties.check(seed)
