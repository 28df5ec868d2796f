"""The guarantees of the API contract for every hint, checked on rendered responses."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from itertools import pairwise, product
from math import prod

import pytest

from service.solver.hints.grading import GRADE_LIMITS, LEAST_STAKE, REFERENCE_STAKE
from tests import randomized
from tests.operations.bodies import (
    FULL,
    MODELS,
    JsonObject,
    as_decimal,
    floats,
    legal_moves,
    move_key,
    owners,
    random_body,
    shown,
    suggest,
    suggest_body,
)

CASES = [("uniform", seed) for seed in randomized.case_numbers(16, 48)]
CASES += [(model, seed) for model in MODELS[:3] for seed in randomized.case_numbers(8, 24)]
properties = randomized.Properties()
Case = tuple[str, int]


@cache
def request_and_hint(case: Case) -> tuple[JsonObject, JsonObject]:
    """Return the hint request of a case and its response."""
    model, seed = case
    body = random_body(seed, model)
    print(case, body)
    return body, suggest(body)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_the_random_requests_cover_all_decisions_and_seat_counts(model: str):
    cases = [request_and_hint((model, seed)) for seed in range(24)]
    assert {hint["decision"] for _, hint in cases} == {"card", "watcher", "healer"}
    assert {len(body["state"]["seats"]) for body, _ in cases} == {3, 4, 5}
    assert any(len(hint["pick"]) == 2 for _, hint in cases)
    if model == "quantal":
        assert any(hint["pick_index"] > 0 for _, hint in cases)
    assert any(body["opponents"].get("weights") for body, _ in cases)


# Moves --------------------------------------------------------------------------------------


@properties
def every_legal_move_is_listed_once(case: Case):
    body, hint = request_and_hint(case)
    legal = legal_moves(body)
    assert hint["decision"] == legal["decision"]
    own = {s: m for s, m in legal["moves"].items() if owners(body)[s] == body["player"]}
    joint = [dict(zip(own, moves, strict=True)) for moves in product(*own.values())]
    listed = [row["move"] for row in hint["moves"]]
    assert sorted(map(move_key, listed)) == sorted(map(move_key, joint))


@properties
def losses_are_rendered_differences_from_the_highest_value_and_ties_are_equal(case: Case):
    _, hint = request_and_hint(case)
    values = sorted(as_decimal(row["value"]) for row in hint["moves"])
    for row in hint["moves"]:
        assert as_decimal(row["loss"]) == values[-1] - as_decimal(row["value"])
    differences = {better - worse for worse, better in pairwise(values)}
    assert Decimal("1e-9") not in differences, "values that differ by 1e-9 must be ties"


@properties
def moves_are_in_the_order_of_recommendation(case: Case):
    """By value class, then probability, then deck order; a class spans at most epsilon."""
    body, hint = request_and_hint(case)
    epsilon = as_decimal(hint["search"].get("epsilon", 0.0))
    highest_of_class: dict[Decimal, Decimal] = {}
    highest = max(as_decimal(row["value"]) for row in hint["moves"])
    for value in sorted({as_decimal(row["value"]) for row in hint["moves"]}, reverse=True):
        if highest - value > epsilon:
            highest = value
        highest_of_class[value] = highest
    legal = legal_moves(body)["moves"]
    ranks = []
    for row in hint["moves"]:
        in_deck = [legal[seat].index(move) for seat, move in row["move"].items()]
        rank = -highest_of_class[as_decimal(row["value"])], -row["probability"], in_deck
        ranks.append(rank)
    assert ranks == sorted(ranks)


@properties
def the_first_move_is_played_and_within_epsilon_of_the_highest_value(case: Case):
    _, hint = request_and_hint(case)
    first = hint["moves"][0]
    assert first["probability"] > 0.0
    assert as_decimal(first["loss"]) <= as_decimal(hint["search"].get("epsilon", 0.0))
    assert hint["moves"][hint["pick_index"]]["move"] == hint["pick"]


@properties
def no_number_has_more_than_nine_decimals_or_is_minus_zero(case: Case):
    _, hint = request_and_hint(case)
    for number in floats(hint):
        assert -as_decimal(number).as_tuple().exponent <= 9, number
        assert repr(number) != "-0.0"


@properties
def awarded_points_agree_with_the_values(case: Case):
    """For the objective points, a value is less than the points only at the end of the track."""
    body, hint = request_and_hint(case)
    for row in hint["moves"]:
        assert row["points"].keys() == {"fight", "fruit", "mana", "bonus"}
        assert all(points >= 0 for points in row["points"].values())
        if body["objective"] == "points":
            awarded = sum(map(as_decimal, row["points"].values()))
            assert as_decimal(row["value"]) <= awarded + Decimal("3e-9")
        assert all(0 <= survival <= 1 for survival in row["survival"].values())
        own = {seat for seat, owner in owners(body).items() if owner == body["player"]}
        assert row["survival"].keys() <= own
        for seat, move in row["move"].items():
            if "recover" in move or move["card"] in ("healer", "blizzard"):
                assert seat not in row["survival"]
            elif move["card"].isdigit():
                assert seat in row["survival"]


# Strategies ---------------------------------------------------------------------------------


@properties
def probabilities_of_every_strategy_sum_to_exactly_one(case: Case):
    body, hint = request_and_hint(case)
    deciding = {owners(body)[seat] for seat in legal_moves(body)["moves"]}
    assert hint["strategies"].keys() == set(owners(body).values())
    for player, row in hint["strategies"].items():
        total = sum(as_decimal(entry["probability"]) for entry in row)
        assert total == (1 if player in deciding else 0), player
        assert all(entry["probability"] > 0 for entry in row)


@properties.when(lambda case: case[0] in ("uniform", "level-1"))
def the_player_plays_its_best_move_with_certainty(case: Case):
    body, hint = request_and_hint(case)
    first = hint["moves"][0]
    assert first["loss"] == 0.0
    assert hint["strategies"][body["player"]] == [{"move": first["move"], "probability": 1.0}]
    assert (hint["pick"], hint["pick_index"]) == (first["move"], 0)
    assert [row["probability"] for row in hint["moves"]] == [1.0] + [0.0] * (len(hint["moves"]) - 1)


@properties.when(lambda case: case[0] in ("equilibrium", "quantal"))
def the_players_strategy_agrees_with_the_probabilities_of_its_moves(case: Case):
    body, hint = request_and_hint(case)
    rows = hint["strategies"][body["player"]]
    strategy = {move_key(entry["move"]): entry["probability"] for entry in rows}
    by_move = {move_key(row["move"]): row["probability"] for row in hint["moves"]}
    assert strategy == {move: chance for move, chance in by_move.items() if chance}
    assert move_key(hint["pick"]) in strategy


@properties
def strategies_are_in_deck_order_and_contain_exactly_the_deciding_seats(case: Case):
    body, hint = request_and_hint(case)
    legal = legal_moves(body)["moves"]
    for player, row in hint["strategies"].items():
        seats = {seat for seat in legal if owners(body)[seat] == player}
        assert all(entry["move"].keys() == seats for entry in row)
        if len(seats) == 1:
            [seat] = seats
            places = [legal[seat].index(entry["move"][seat]) for entry in row]
            assert places == sorted(set(places))


@properties.when(lambda case: case[0] == "uniform")
def uniform_opponents_play_their_legal_moves_evenly_or_by_weight(case: Case):
    body, hint = request_and_hint(case)
    legal = legal_moves(body)["moves"]
    chances = {seat: {move_key(move): 1 / len(own) for move in own} for seat, own in legal.items()}
    for seat, given in body["opponents"].get("weights", {}).items():
        total = sum(given.values())
        chances[seat] = {move_key({"card": card}): own / total for card, own in given.items()}
    for player, row in hint["strategies"].items():
        seats = [seat for seat in legal if owners(body)[seat] == player]
        if player == body["player"] or not seats:
            continue
        expected = {}
        for joint in product(*(legal[seat] for seat in seats)):
            moves = dict(zip(seats, joint, strict=True))
            own = prod(chances[seat].get(move_key(move), 0.0) for seat, move in moves.items())
            if own:
                expected[move_key(moves)] = own
        actual = {move_key(entry["move"]): entry["probability"] for entry in row}
        assert actual == pytest.approx(expected, abs=1e-9)


# Win shares and expected values -------------------------------------------------------------


@properties
def rendered_win_shares_sum_to_exactly_one(case: Case):
    body, hint = request_and_hint(case)
    assert hint["win_shares"].keys() == set(owners(body).values())
    assert sum(map(as_decimal, hint["win_shares"].values())) == 1
    assert all(share >= 0 for share in hint["win_shares"].values())


@properties
def expected_values_equal_win_shares_for_the_objective_win(case: Case):
    body, hint = request_and_hint(case)
    assert hint["expected_values"].keys() == set(owners(body).values())
    if body["objective"] == "win":
        assert hint["expected_values"] == hint["win_shares"]
    elif body["objective"] == "lead":
        total = sum(map(as_decimal, hint["expected_values"].values()))
        assert abs(total) <= len(hint["expected_values"]) * Decimal("1e-9")
    else:
        assert all(gain >= 0 for gain in hint["expected_values"].values())


@properties
def the_expected_value_of_the_player_is_the_value_of_its_strategy(case: Case):
    body, hint = request_and_hint(case)
    expected = hint["expected_values"][body["player"]]
    value = sum(as_decimal(row["probability"]) * as_decimal(row["value"]) for row in hint["moves"])
    assert float(value) == pytest.approx(expected, abs=2.1e-9)
    if case[0] in ("uniform", "level-1"):
        assert expected == hint["moves"][0]["value"]


@pytest.mark.parametrize("player", ["red", "blue", "green"])
def test_a_third_is_rendered_alike_in_all_fields(player: str):
    """Of three equal win shares, one is rounded up to 0.333333334; the value is rounded alike."""
    hint = suggest(suggest_body("h", "h", "h", fruit=[0] * 6) | {"player": player})
    value = hint["moves"][0]["value"]
    assert value == hint["expected_values"][player] == hint["win_shares"][player]


# Search, grade, pick ------------------------------------------------------------------------


@properties
def the_search_reports_method_effort_and_accuracy(case: Case):
    body, hint = request_and_hint(case)
    search = hint["search"]
    assert search.keys() - {"epsilon", "quantal_residual"} == {
        "method", "depth", "effort", "exact", "complete", "nodes", "unsearched", "evaluator",
    }  # fmt: skip
    assert (search["depth"], search["effort"]) == (1, "standard")
    assert (search["complete"], search["unsearched"]) == (True, 0.0)
    assert search["nodes"] > 0
    model = body["opponents"]["model"]
    assert search["method"] == ("expectimax" if model == "uniform" else model)
    assert ("epsilon" in search) == (model in ("equilibrium", "quantal"))
    weighted = {owners(body)[seat] for seat in body["opponents"].get("weights", {})}
    alone = all(
        len(row) <= 1 or player in weighted
        for player, row in hint["strategies"].items()
        if player != body["player"]
    )
    if model != "quantal" or not alone:
        assert ("quantal_residual" in search) == (model == "quantal")
    assert all(search[name] >= 0.0 for name in ("epsilon", "quantal_residual") if name in search)
    if body["objective"] != "win" and model == "uniform":
        assert search["exact"] is True


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
def test_every_choice_is_graded_by_its_loss(objective: str):
    limits = list(GRADE_LIMITS[objective].items())
    assert [limit for _, limit in limits] == sorted(limit for _, limit in limits)
    body = suggest_body(FULL, "24hw", "35h", fruit=[0, 0, 5, 0, 0, 4], objective=objective)
    classes = set()
    moves = suggest(body)["moves"]
    best = max(row["value"] for row in moves)
    stake = max(best, LEAST_STAKE) / REFERENCE_STAKE if objective == "win" else 1.0
    for row in moves:
        hint = suggest(body | {"chosen": row["move"]})
        name = next((name for name, limit in limits if row["loss"] <= limit * stake), "blunder")
        assert hint["grade"] == {"move": row["move"], "loss": row["loss"], "class": name}
        # Only the graded move is explained in any case.
        unexplained = [[each | {"reasons": []} for each in own] for own in (hint["moves"], moves)]
        assert unexplained[0] == unexplained[1], "a grade changed the moves"
        classes.add(name)
    assert "best" in classes
    assert len(classes) > 2


def test_without_a_choice_there_is_no_grade():
    for more in ({}, {"chosen": {}}):
        assert "grade" not in suggest(suggest_body("12h", "3h", "4h", **more))


def test_a_chosen_watcher_is_graded_at_its_decision():
    revealed = shown("w3h")
    chosen = {"red": {"card": "watcher", "then": {"card": "2"}}}
    body = suggest_body("24hw", "3h", "1h", objective="points", revealed=revealed, chosen=chosen)
    # The 4 strikes the 3 and takes the mana; the 2 is struck by the 3.
    hint = suggest(body | {"state": body["state"] | {"fruit": [0] * 6}})
    assert hint["grade"] == {"move": chosen, "loss": 2.0, "class": "blunder"}


def test_only_a_nonce_makes_the_pick_private():
    body = suggest_body("12h", "3h", "4h")
    assert suggest(body)["pick_public"] is True
    private = suggest(body | {"nonce": "b7f1"})
    assert private["pick_public"] is False
    assert private | {"pick_public": True} == suggest(body)


# Weights ------------------------------------------------------------------------------------


def test_even_weights_equal_the_uniform_model():
    body = suggest_body("135hw", "246h", "35hw")
    even = {"blue": dict.fromkeys(("2", "4", "6", "healer"), 0.7)}
    assert suggest(body | {"opponents": {"model": "uniform", "weights": even}}) == suggest(body)


def test_a_card_without_weight_does_not_matter():
    body = suggest_body("135hw", "246hb", "35hw", objective="points")
    absent = {"model": "uniform", "weights": {"blue": {"2": 1, "4": 1}}}
    zero = {"model": "uniform", "weights": {"blue": {"2": 1, "4": 1, "6": 0, "blizzard": 0.0}}}
    hint = suggest(body | {"opponents": absent})
    assert suggest(body | {"opponents": zero}) == hint
    assert [row["move"]["blue"]["card"] for row in hint["strategies"]["blue"]] == ["2", "4"]


def test_weights_apply_only_to_the_first_round():
    """In the second round, blue plays uniformly again."""
    body = suggest_body("7h", "hb", "h", fruit=[0] * 6, objective="points", depth=2)
    body["state"]["track"] = {"length": 30, "bonuses": []}
    body["opponents"]["weights"] = {"blue": {"healer": 1}}
    hint = suggest(body)
    # The first round is certain: red's 7 takes the mana, the others recover all champions. In the
    # second round green plays one of eight cards and blue one of nine, including the blizzard: 72
    # pairs. Red's 7 gains nothing in the 8 pairs with the blizzard. In the others it gains:
    #   both 7: 2; one 7 (7 + 7 pairs): 1 each, 14; neither (49 pairs): 7 + 7 times a struck 6, and
    #   the mana in 4 pairs of 6 and healer and in 5 brawls below: 2 + 14 + 14 + 9 = 39.
    # If the weights still applied, blue would play its healer again: another number.
    seven = next(row for row in hint["moves"] if row["move"]["red"]["card"] == "7")
    assert seven["value"] == pytest.approx(1 + 39 / 72, abs=1e-9)


@pytest.mark.parametrize("weight", [5e-324, 1e-310, 1e-200])
def test_tiny_weights_have_full_effect(weight: float):
    body = suggest_body("135h", "246hw", "35h", objective="points")
    opponents = {"model": "uniform", "weights": {"blue": {"watcher": weight}}}
    certain = {"model": "uniform", "weights": {"blue": {"watcher": 1}}}
    assert suggest(body | {"opponents": opponents}) == suggest(body | {"opponents": certain})


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]}")
def test_a_hint_has_all_guaranteed_properties(case: Case):
    properties.check(case)
