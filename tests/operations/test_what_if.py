"""What-ifs and what to do next agree with the hint, with each other, and with further hints."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest

from service.core.violations import OutOfTime
from service.games.common.validation import validate_shape
from service.games.snow_time.rules.rules import dice_rolled, growth_outcomes
from service.operations.solution_cache import SolutionCache
from service.solver.hints import conditional_values
from service.solver.hints.conditional_values import MOST_MOVES
from tests import randomized
from tests.operations.bodies import (
    ENTRY,
    MODELS,
    Body,
    body,
    faults,
    legal_moves,
    owners,
    random_body,
    spelled,
    suggest,
    text,
)

PRINTED = 3e-9
"""A mean of numbers of nine decimals, by chances of nine decimals, against another such."""
TABLE = body("357hw", "246hb", "135h", "47hw", fruit=[2, 0, 1, 0, 2, 1])
PAIRS = body("357hw", "246hb", "135h", "47h", owners="abab", fruit=[2, 0, 1, 0, 2, 1])
SEEDS = randomized.case_numbers(5, 16)


def asked(seed: int, **more: Any) -> Body:
    """About the card decision, and of one round."""
    while True:
        found = random_body(seed, MODELS[seed % len(MODELS)]) | more
        if "revealed" not in found:
            print(f"seed {seed}: {json.dumps(found)}")
            return found
        seed += 1000


def column(table: Body, place: int) -> list[float]:
    return [row[place] for row in table["values"]]


def chances(found: Body, player: str) -> dict[str, float]:
    return {spelled(row["move"]): row["probability"] for row in found["strategies"][player]}


# Matrix and conditional -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_means_by_each_others_strategy_are_the_values(seed: int):
    found = suggest(asked(seed, include=["matrix"]))
    assert list(found["matrix"]) == [p for p in found["strategies"] if p != found["player"]]
    for player, table in found["matrix"].items():
        own = chances(found, player)
        weights = [own.get(spelled(move), 0.0) for move in table["against"]]
        if sum(weights) < 1 - 1e-6:
            continue  # Of very many moves not all are told.
        for row, values in zip(found["moves"], table["values"], strict=False):
            mean = sum(w * value for w, value in zip(weights, values, strict=True))
            assert mean == pytest.approx(row["value"], abs=PRINTED)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("question", [TABLE, PAIRS], ids=["four players", "two players"])
def test_rows_are_the_own_moves_and_columns_the_others(question: Body, model: str):
    wanted = question | {"opponents": {"model": model}, "include": ["matrix", "conditional"]}
    found = suggest(wanted)
    legal = legal_moves(question)["moves"]
    for player, table in found["matrix"].items():
        moves = [row["move"] for row in found["moves"]][:MOST_MOVES]
        seats = [seat for seat, owner in owners(question).items() if owner == player]
        assert table["moves"] == moves
        assert len(table["values"]) == len(moves)
        for move in table["against"]:
            assert set(move) == set(seats)
            assert all(move[seat] in legal[seat] for seat in seats)
        assert len({spelled(move) for move in table["against"]}) == len(table["against"])
        every = 1
        for seat in seats:
            every *= len(legal[seat])
        assert len(table["against"]) == min(every, MOST_MOVES)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_somebodys_move_changes_agrees_with_the_matrix(seed: int):
    found = suggest(asked(seed, include=["conditional", "matrix"]))
    for player, entries in found["conditional"].items():
        table, own = found["matrix"][player], chances(found, player)
        assert [one["move"] for one in entries] == table["against"]
        for place, one in enumerate(entries):
            values = column(table, place)
            assert one["probability"] == own.get(spelled(one["move"]), 0.0)
            if len(found["moves"]) <= MOST_MOVES:
                assert one["value"] == max(values)
                assert one["best"] == table["moves"][values.index(max(values))]
            assert sum(one["outlook"].values()) == pytest.approx(1, abs=1e-12)
            assert list(one["outlook"]) == list(found["outlook"])
        if sum(one["probability"] for one in entries) > 1 - 1e-6:
            for name, share in found["outlook"].items():
                mean = sum(one["probability"] * one["outlook"][name] for one in entries)
                assert mean == pytest.approx(share, abs=PRINTED)


def test_what_was_not_asked_for_is_not_told():
    assert not {"next", "matrix", "conditional", "dice"} & suggest(TABLE).keys()
    assert "matrix" in suggest(TABLE | {"include": ["matrix"]})
    assert "matrix" not in suggest(TABLE | {"include": ["conditional"]})
    assert suggest(TABLE | {"include": []}) == suggest(TABLE)


# Dice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fruit", [[2, 0, 1, 0, 2, 1], [3, 3, 3, 3, 2, 0], [3, 3, 3, 3, 3, 0]])
def test_each_roll_is_told_as_the_hint_after_it(fruit: list[int]):
    state = TABLE["state"] | {"fruit": fruit}
    question = TABLE | {"state": state, "opponents": {"model": "equilibrium"}, "nonce": "n"}
    found = suggest(question | {"include": ["dice"]})["dice"]
    outcomes = growth_outcomes(dice_rolled(15 - sum(fruit)))
    assert [tuple(one["dice"]) for one in found] == [dice for dice, _ in outcomes]
    assert sum(one["probability"] for one in found) == pytest.approx(1, abs=1e-12)
    for one, (dice, chance) in zip(found, outcomes, strict=True):
        grown = [own + dice.count(level) for level, own in enumerate(fruit, 1)]
        hint = suggest(question | {"state": state | {"fruit": grown}})
        assert one["probability"] == pytest.approx(float(chance), abs=1e-8)
        assert one["best"] == hint["best"]
        assert one["outlook"] == hint["outlook"]
        assert one["value"] == hint["expected"][question["player"]]


# What to do next ------------------------------------------------------------------------------


def follows(question: Body) -> list[Body]:
    found = suggest(question | {"include": ["next"]})
    told: list[Body] = found["next"]
    for one in told:
        assert one["move"] in (found["pick"], found["best"])
        then = question | {"revealed": one["revealed"]}
        then["opponents"] = {"model": question["opponents"]["model"]}
        hint = suggest(then)
        assert one["next"] == hint["best"]
        assert one["value"] == hint["moves"][0]["value"]
        chance = 1.0
        for player, row in found["strategies"].items():
            if player == found["player"]:
                continue
            shown = {seat: one["revealed"][seat] for seat in row[0]["move"]}
            chance *= sum(e["probability"] for e in row if e["move"] == shown)
        assert one["probability"] == pytest.approx(chance, abs=PRINTED)
        assert one["move"] == {seat: one["revealed"][seat] for seat in one["move"]}
    return told


@pytest.mark.parametrize("seed", SEEDS)
def test_what_to_do_next_is_what_a_hint_after_the_reveal_says(seed: int):
    for move in [told["move"] for told in follows(asked(seed))]:
        assert {"watcher", "healer"} & {own["card"] for own in move.values()}


@pytest.mark.parametrize("model", MODELS)
def test_a_watcher_and_a_healer_are_told_what_to_do_next(model: str):
    """Whatever is picked: at such a temperature every card is, sooner or later."""
    question = body("167hw", "24h", "35h", opponents={"model": model}, temperature=1000)
    seen = set()
    for nonce in "abcdefghijklmnopqrst":
        for one in follows(question | {"nonce": nonce}):
            card = one["move"]["red"]["card"]
            assert one["next"]["red"].keys() - {"card"} == {
                {"watcher": "then", "healer": "recover"}[card]
            }
            seen.add(card)
    assert seen == {"watcher", "healer"}


def test_the_likeliest_reveals_come_first():
    for seed in SEEDS:
        told = follows(asked(seed))
        for move in {spelled(one["move"]) for one in told}:
            likely = [one["probability"] for one in told if spelled(one["move"]) == move]
            assert likely == sorted(likely, reverse=True)
            assert len(likely) <= 3


# Refusals, deadlines, bytes -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"hint_level": "nudge"}, "hint-level"),
        ({"hint_level": "shortlist"}, "hint-level"),
        ({"depth": 2}, "include-with-depth"),
        (
            {"revealed": {"red": {"card": "watcher"}, "blue": {"card": "2"},
                          "green": {"card": "1"}, "black": {"card": "4"}}},
            "include-with-revealed",
        ),
    ],
)  # fmt: skip
def test_what_ifs_that_cannot_be_are_refused(more: Body, code: str):
    assert faults(TABLE | {"include": ["matrix"]} | more) == {("/include", code)}


def test_a_what_if_is_named_once_and_known():
    twice = TABLE | {"include": ["matrix", "matrix"]}
    assert faults(twice) == {("/include", "duplicate-what-if")}
    assert faults(TABLE | {"include": ["luck"]}) == {("/include/0", "unknown-word")}


class Hasty(SolutionCache):
    """Has no time for what-ifs."""

    def conditional_values(self, *_: Any) -> NoReturn:
        raise OutOfTime


def test_without_time_for_what_ifs_the_hint_alone_is_told_as_incomplete():
    hint = suggest(TABLE)
    hint["search"]["complete"] = False
    found = json.loads(text("suggest", TABLE | {"include": ["matrix"]}, Hasty()))
    assert found == hint


@pytest.mark.parametrize("model", MODELS)
def test_what_is_kept_of_crossings_is_what_was_found(model: str):
    [verb] = [verb for verb in ENTRY.endpoints if verb.name == "suggest"]
    document, _ = validate_shape(verb.request_schema(), TABLE | {"opponents": {"model": model}})
    question = verb.parse(document, [])
    found = conditional_values.solve(
        verb.search_game, verb.search_game.canonicalize(question), None
    )
    again = conditional_values.unpack(found.pack())
    assert again.places == found.places
    assert again.nodes == found.nodes
    for one, other in zip(again.outcomes, found.outcomes, strict=True):
        assert one.tobytes() == other.tobytes()
    for broken in (b"", b"{}", found.pack()[:-1], found.pack() + b"x"):
        with pytest.raises(ValueError, match="no packed crossings"):
            conditional_values.unpack(broken)
