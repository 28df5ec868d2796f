"""What-ifs and next steps agree with the hint, with each other and with later hints."""

from __future__ import annotations

import json
from math import prod
from typing import Any, NoReturn

import pytest

from service.core.violations import OutOfTime
from service.games.common.validation import validate_shape
from service.games.snow_time.rules.rules import dice_rolled, growth_outcomes
from service.operations.solution_cache import Solutions
from service.solver.hints import conditional_values
from service.solver.hints.conditional_values import MAX_MOVES
from tests import randomized
from tests.operations.bodies import (
    DEFINITION,
    MODELS,
    JsonObject,
    legal_moves,
    move_key,
    owners,
    random_body,
    response_text,
    shown,
    suggest,
    suggest_body,
    violations,
)

ROUNDING = 3e-9
"""Tolerance for a mean of values and probabilities that are rounded to nine decimals."""
TABLE = suggest_body("357hw", "246hb", "135h", "47hw", fruit=[2, 0, 1, 0, 2, 1])
TWO_PLAYERS = suggest_body("357hw", "246hb", "135h", "47h", owners="abab", fruit=[2, 0, 1, 0, 2, 1])
PAST = {
    "state": TABLE["state"] | {"fruit": [1, 0, 2, 0, 1, 0]},
    "moves": {"blue": {"card": "4"}, "green": {"card": "healer"}},
}
LEARNED = suggest_body("357hw", "246hb", "135h", nonce="n", opponents={"history": [PAST]})
"""A request whose other players are predicted from a round that was played."""
CASES = [*randomized.case_numbers(5, 16), "learned"]


def card_decision(case: int | str, **more: Any) -> JsonObject:
    """Return a hint request at the card decision: a random one by its seed, or a learned one."""
    if case == "learned":
        return LEARNED | more
    seed = int(case)
    while True:
        body = random_body(seed, MODELS[seed % len(MODELS)]) | more
        if "revealed" not in body:
            print(f"seed {seed}: {json.dumps(body)}")
            return body
        seed += 1000


def chances(hint: JsonObject, player: str) -> dict[str, float]:
    return {move_key(row["move"]): row["probability"] for row in hint["strategies"][player]}


# Matrix and conditional values ------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_the_mean_of_a_matrix_row_is_the_value_of_the_move(case: int | str):
    hint = suggest(card_decision(case, include=["matrix"]))
    assert list(hint["matrix"]) == [p for p in hint["strategies"] if p != hint["player"]]
    for player, table in hint["matrix"].items():
        own = chances(hint, player)
        weights = [own.get(move_key(move), 0.0) for move in table["against"]]
        if sum(weights) < 1 - 1e-6:
            continue  # The matrix is limited to MAX_MOVES moves.
        for row, values in zip(hint["moves"], table["values"], strict=False):
            mean = sum(w * value for w, value in zip(weights, values, strict=True))
            assert mean == pytest.approx(row["value"], abs=ROUNDING)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("body", [TABLE, TWO_PLAYERS], ids=["four players", "two players"])
def test_matrix_rows_are_own_moves_and_columns_are_the_opponents_moves(
    body: JsonObject, model: str
):
    with_what_ifs = body | {"opponents": {"model": model}, "include": ["matrix", "conditional"]}
    hint = suggest(with_what_ifs)
    legal = legal_moves(body)["moves"]
    for player, table in hint["matrix"].items():
        moves = [row["move"] for row in hint["moves"]][:MAX_MOVES]
        seats = [seat for seat, owner in owners(body).items() if owner == player]
        assert table["moves"] == moves
        assert len(table["values"]) == len(moves)
        for move in table["against"]:
            assert set(move) == set(seats)
            assert all(move[seat] in legal[seat] for seat in seats)
        assert len({move_key(move) for move in table["against"]}) == len(table["against"])
        count = prod(len(legal[seat]) for seat in seats)
        assert len(table["against"]) == min(count, MAX_MOVES)


@pytest.mark.parametrize("case", CASES)
def test_conditional_values_agree_with_the_matrix(case: int | str):
    hint = suggest(card_decision(case, include=["conditional", "matrix"]))
    for player, entries in hint["conditional"].items():
        table, own = hint["matrix"][player], chances(hint, player)
        assert [entry["move"] for entry in entries] == table["against"]
        for place, entry in enumerate(entries):
            values = [row[place] for row in table["values"]]
            assert entry["probability"] == own.get(move_key(entry["move"]), 0.0)
            if len(hint["moves"]) <= MAX_MOVES:
                assert entry["value"] == max(values)
                assert entry["best_response"] == table["moves"][values.index(max(values))]
            assert sum(entry["win_shares"].values()) == pytest.approx(1, abs=1e-12)
            assert list(entry["win_shares"]) == list(hint["win_shares"])
        if sum(entry["probability"] for entry in entries) > 1 - 1e-6:
            for name, share in hint["win_shares"].items():
                mean = sum(entry["probability"] * entry["win_shares"][name] for entry in entries)
                assert mean == pytest.approx(share, abs=ROUNDING)


def test_only_the_requested_what_ifs_are_included():
    assert not {"next", "matrix", "conditional", "dice"} & suggest(TABLE).keys()
    assert "matrix" in suggest(TABLE | {"include": ["matrix"]})
    assert "matrix" not in suggest(TABLE | {"include": ["conditional"]})
    assert suggest(TABLE | {"include": []}) == suggest(TABLE)


# Dice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fruit", [[2, 0, 1, 0, 2, 1], [3, 3, 3, 3, 2, 0], [3, 3, 3, 3, 3, 0]])
def test_each_roll_agrees_with_the_hint_after_it(fruit: list[int]):
    state = TABLE["state"] | {"fruit": fruit}
    body = TABLE | {"state": state, "opponents": {"model": "equilibrium"}, "nonce": "n"}
    rolls = suggest(body | {"include": ["dice"]})["dice"]
    outcomes = growth_outcomes(dice_rolled(15 - sum(fruit)))
    assert [tuple(roll["dice"]) for roll in rolls] == [dice for dice, _ in outcomes]
    assert sum(roll["probability"] for roll in rolls) == pytest.approx(1, abs=1e-12)
    for roll, (dice, chance) in zip(rolls, outcomes, strict=True):
        grown = [own + dice.count(level) for level, own in enumerate(fruit, 1)]
        hint = suggest(body | {"state": state | {"fruit": grown}})
        assert roll["probability"] == pytest.approx(float(chance), abs=1e-8)
        assert roll["move"] == hint["moves"][0]["move"]
        assert roll["win_shares"] == hint["win_shares"]
        assert roll["value"] == hint["expected_values"][body["player"]]


# Next steps -----------------------------------------------------------------------------------


def checked_next_steps(body: JsonObject) -> list[JsonObject]:
    """Check the next steps of a hint against the hints after each reveal and return them."""
    hint = suggest(body | {"include": ["next"]})
    steps: list[JsonObject] = hint["next"]
    for step in steps:
        assert step["move"] in (hint["pick"], hint["moves"][0]["move"])
        after_reveal = body | {"revealed": step["revealed"]}
        after_reveal["opponents"] = {**body["opponents"], "weights": {}}
        hint_after_reveal = suggest(after_reveal)
        assert step["next"] == hint_after_reveal["moves"][0]["move"]
        assert step["value"] == hint_after_reveal["moves"][0]["value"]
        chance = 1.0
        for player, row in hint["strategies"].items():
            if player == hint["player"]:
                continue
            revealed = {seat: step["revealed"][seat] for seat in row[0]["move"]}
            chance *= sum(entry["probability"] for entry in row if entry["move"] == revealed)
        assert step["probability"] == pytest.approx(chance, abs=ROUNDING)
        assert step["move"] == {seat: step["revealed"][seat] for seat in step["move"]}
    for move in {move_key(step["move"]) for step in steps}:
        likely = [step["probability"] for step in steps if move_key(step["move"]) == move]
        assert likely == sorted(likely, reverse=True)
        assert len(likely) <= 3
    return steps


@pytest.mark.parametrize("case", CASES)
def test_a_next_step_agrees_with_the_hint_after_the_reveal(case: int | str):
    for step in checked_next_steps(card_decision(case)):
        assert {"watcher", "healer"} & {own["card"] for own in step["move"].values()}


@pytest.mark.parametrize("model", MODELS)
def test_both_a_watcher_and_a_healer_get_next_steps(model: str):
    """The high temperature makes the pick almost uniform, so that every card is picked."""
    body = suggest_body("167hw", "24h", "35h", opponents={"model": model}, temperature=1000)
    cards = set()
    for nonce in "abcdefghijklmnopqrst":
        for step in checked_next_steps(body | {"nonce": nonce}):
            card = step["move"]["red"]["card"]
            assert step["next"]["red"].keys() - {"card"} == {
                {"watcher": "then", "healer": "recover"}[card]
            }
            cards.add(card)
    assert cards == {"watcher", "healer"}


# Refusals, deadlines, bytes -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"hint_level": "nudge"}, "hint-level"),
        ({"hint_level": "shortlist"}, "hint-level"),
        ({"depth": 2}, "include-with-depth"),
        ({"revealed": shown("w214")}, "include-with-revealed"),
    ],
)
def test_what_ifs_are_refused_where_they_are_unavailable(more: JsonObject, code: str):
    assert violations(TABLE | {"include": ["matrix"]} | more) == {("/include", code)}


def test_duplicate_and_unknown_what_ifs_are_refused():
    twice = TABLE | {"include": ["matrix", "matrix"]}
    assert violations(twice) == {("/include", "duplicate-what-if")}
    assert violations(TABLE | {"include": ["luck"]}) == {("/include/0", "unknown-word")}


class CacheWithoutTime(Solutions):
    """A solution cache whose deadline passes before the what-ifs are computed."""

    def conditional_values(self, *_: Any) -> NoReturn:
        raise OutOfTime


def test_without_time_for_what_ifs_the_hint_is_returned_as_incomplete():
    hint = suggest(TABLE)
    hint["search"]["complete"] = False
    without_what_ifs = response_text("suggest", TABLE | {"include": ["matrix"]}, CacheWithoutTime())
    assert json.loads(without_what_ifs) == hint


@pytest.mark.parametrize("model", MODELS)
def test_packing_conditional_values_loses_nothing(model: str):
    [endpoint] = [endpoint for endpoint in DEFINITION.endpoints if endpoint.name == "suggest"]
    document, _ = validate_shape(endpoint.request_schema(), TABLE | {"opponents": {"model": model}})
    question = endpoint.parse(document, [])
    computed = conditional_values.solve(
        endpoint.search_game, endpoint.search_game.canonicalize(question), None
    )
    again = conditional_values.unpack(computed.pack())
    assert again.places == computed.places
    assert again.nodes == computed.nodes
    for unpacked, original in zip(again.outcomes, computed.outcomes, strict=True):
        assert unpacked.tobytes() == original.tobytes()
    for broken in (b"", b"{}", computed.pack()[:-1], computed.pack() + b"x"):
        with pytest.raises(ValueError, match="not packed conditional values"):
            conditional_values.unpack(broken)
