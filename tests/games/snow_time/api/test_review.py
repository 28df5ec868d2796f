"""Reviews of played games: each decision as its hint judges it, and luck."""

from __future__ import annotations

import copy
import json
from random import Random

import pytest

from tests.games.snow_time.api.reviews import (
    LUCK_SOURCES,
    PRINTED,
    TABLES,
    Body,
    every_game,
    exact,
    game,
    grown,
    one_round,
    positions,
    questions,
    revealed_before,
    reviewed,
    table,
    total,
)
from tests.games.snow_time.positions import ask
from tests.operations.caches import cached_solutions


@every_game
def test_skill_and_luck_add_up_to_the_result_of_each_round_and_of_the_game(name: str, seed: int):
    """before - losses + luck = after, and start - loss + luck = end, exactly as printed."""
    body, review = game(name, seed)
    assert [one["round"] for one in review["rounds"]] == list(range(len(body["rounds"])))
    for player, account in review["players"].items():
        own = [each for each in review["decisions"] if each["player"] == player]
        for one in review["rounds"]:
            lost = total(each["loss"] for each in own if each["round"] == one["round"])
            luck = total(one["luck"][player].values())
            before, after = exact(one["before"][player]), exact(one["after"][player])
            assert before - lost + luck == after
        start, end = exact(account["start"]), exact(account["end"])
        assert start - exact(account["loss"]) + total(account["luck"].values()) == end
        assert account["start"] == review["rounds"][0]["before"][player]
        assert account["end"] == review["rounds"][-1]["after"][player]
        assert exact(account["loss"]) == total(each["loss"] for each in own)
        for source in LUCK_SOURCES:
            by_round = total(one["luck"][player][source] for one in review["rounds"])
            assert exact(account["luck"][source]) == by_round
        for class_, count in account["classes"].items():
            assert count == sum(each["class"] == class_ for each in own)


@every_game
def test_shares_sum_to_one_and_losses_of_one_player_are_gains_of_the_others(name: str, seed: int):
    _, review = game(name, seed)
    for one in review["rounds"]:
        for moment in ("before", "win_shares", "after"):
            assert total(one[moment].values()) == 1
        assert total(luck["draws"] for luck in one["luck"].values()) == 0
        lost = total(each["loss"] for each in review["decisions"] if each["round"] == one["round"])
        assert total(luck[of] for luck in one["luck"].values() for of in LUCK_SOURCES[1:]) == lost


def test_who_cannot_win_and_chooses_the_winner_is_no_luck():
    """b cannot win; with its 7 a wins, with its healer c. It was the others' luck."""
    state = table("7h", "7h", "2h", scores=(11, 10, 11), fruit=[15, 0, 0, 0, 0, 0])
    luck = reviewed(one_round(state, "7", "7", "2", dice=())).document["rounds"][0]["luck"]
    assert {player: own["indifferent"] for player, own in luck.items()} == pytest.approx(
        {"a": 0.5, "b": 0.0, "c": -0.5}, abs=1e-6
    )
    assert all(abs(own["others"]) < 1e-6 for own in luck.values())


@every_game
def test_the_shares_of_consecutive_rounds_connect_up_to_the_result(name: str, seed: int):
    body, review = game(name, seed)
    for one, following in zip(review["rounds"], review["rounds"][1:], strict=False):
        assert one["after"] == following["before"]
    assert review["progress"]["done"] == review["progress"]["total"]
    assert review["search"]["complete"]
    last = ask("resolve", {"state": positions(body)[-2], **body["rounds"][-1]})
    assert (review["game_over"], review["winners"]) == (True, last["winners"])
    for player, share in review["rounds"][-1]["after"].items():
        won = 1 / len(last["winners"]) if player in last["winners"] else 0.0
        assert share == pytest.approx(won, abs=PRINTED)


def test_a_shared_win_is_shared():
    state = table("17h", "17h", "4h", scores=(11, 11, 0))
    review = reviewed(one_round(state, "7", "7", "4", dice=(1, 2))).document
    assert review["winners"] == ["a", "b"]
    ends = {player: own["end"] for player, own in review["players"].items()}
    assert ends == {"a": 0.5, "b": 0.5, "c": 0.0}


@every_game
def test_each_decision_is_judged_by_the_hint_for_it(name: str, seed: int):
    body, review = game(name, seed)
    for each, asked in questions(body, review):
        hint = ask("suggest", asked)
        assert hint["decision"] == each["decision"]
        assert hint["grade"] == {"move": each["move"], "loss": each["loss"], "class": each["class"]}
        best, done = (
            next(row for row in hint["moves"] if row["move"] == move)
            for move in (each["best"], each["move"])
        )
        assert best["value"] == max(row["value"] for row in hint["moves"]) == each["best_value"]
        assert (done["value"], done["probability"]) == (each["value"], each["probability"])
        assert exact(each["best_value"]) - exact(each["value"]) == exact(each["loss"])
        if each["decision"] == "card":
            assert hint["win_shares"] == review["rounds"][each["round"]]["win_shares"]


@every_game
def test_every_decision_with_more_than_one_choice_is_judged(name: str, seed: int):
    body, review = game(name, seed)
    owners = {seat["seat"]: seat.get("player", seat["seat"]) for seat in body["state"]["seats"]}
    expected = []
    for number, (state, one) in enumerate(zip(positions(body), body["rounds"], strict=False)):
        for decision in ("card", "watcher", "healer"):
            asked = {"state": grown(state, one["dice"]), "revealed": revealed_before(one, decision)}
            legal = ask("legal-moves", asked)
            if legal["decision"] == decision:
                free = {owners[seat] for seat, moves in legal["moves"].items() if len(moves) > 1}
                in_order = [player for player in review["players"] if player in free]
                expected += [(number, decision, player) for player in in_order]
    judged = [(each["round"], each["decision"], each["player"]) for each in review["decisions"]]
    assert judged == expected


def test_the_random_games_include_every_decision():
    met = {
        (each["decision"], len(each["move"]))
        for name in TABLES
        for each in game(name, 1)[1]["decisions"] + game(name, 2)[1]["decisions"]
    }
    assert {decision for decision, _ in met} == {"card", "watcher", "healer"}
    assert ("card", 2) in met


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three", "two players"])
def test_best_came_to_equals_came_to_in_a_review_of_the_best_line(name: str):
    """Plays the best card, then follows the solver for the rest of the round."""
    body, review = game(name, 1)
    states = positions(body)
    better = [e for e in review["decisions"] if e["decision"] == "card" and e["best"] != e["move"]]
    assert better
    for each in better[:6]:
        one = body["rounds"][each["round"]]
        cards = revealed_before(one, "watcher") | each["best"]
        state = grown(states[each["round"]], one["dice"])
        owners = {seat["seat"]: seat.get("player", seat["seat"]) for seat in state["seats"]}
        moves, decision = cards, "card"
        while True:
            legal = ask("legal-moves", {"state": state, "revealed": moves})
            decision = legal["decision"]
            if decision == "none":
                break
            for player in review["players"]:
                if any(owners[seat] == player for seat in legal["moves"]):
                    hint = {"state": state, "player": player, "revealed": moves, "effort": "quick"}
                    moves = moves | highest(ask("suggest", hint))
        line = {"state": states[each["round"]], "effort": "quick"}
        line["rounds"] = [{"dice": one["dice"], "moves": moves}]
        [again] = [
            other
            for other in reviewed(line).document["decisions"]
            if (other["decision"], other["player"]) == ("card", each["player"])
        ]
        assert again["move"] == each["best"]
        assert again["realized_value"] == each["realized_best_value"]


def highest(hint: Body) -> Body:
    """Return the move with the highest value, the first of equals."""
    move: Body = max(hint["moves"], key=lambda row: row["value"])["move"]
    return move


def test_a_forced_recovery_is_optional_and_not_a_decision():
    state = table("h", "17h", "26h")
    first, second = (
        reviewed(one_round(state, healing, "1", "6")).document for healing in ("h", "h:1234567")
    )
    assert first == second
    assert {each["player"] for each in first["decisions"]} == {"b", "c"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three", "five", "two players"])
def test_the_review_of_a_prefix_equals_the_start_of_the_full_review(name: str):
    body, review = game(name, 2)
    count = len(body["rounds"])
    for most in {1, count // 2, count - 1}:
        part = reviewed(body | {"rounds": body["rounds"][:most]}).document
        assert part["rounds"] == review["rounds"][:most]
        assert part["decisions"] == [e for e in review["decisions"] if e["round"] < most]
        assert (part["game_over"], part["winners"]) == (False, [])


def test_reviews_of_consecutive_parts_of_a_game_connect():
    body, review = game("three", 2)
    cut = len(body["rounds"]) // 2
    rest = {"state": positions(body)[cut], "rounds": body["rounds"][cut:], "effort": "quick"}
    later = reviewed(rest).document
    for one, whole in zip(later["rounds"], review["rounds"][cut:], strict=True):
        assert one | {"round": whole["round"]} == whole
    for player, account in later["players"].items():
        assert account["start"] == review["rounds"][cut - 1]["after"][player]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three", "five", "two players"])
def test_order_of_seats_dice_and_hands_does_not_matter(name: str):
    body, review = game(name, 1)
    random = Random(7)
    other = copy.deepcopy(body)
    random.shuffle(other["state"]["seats"])
    for seat in other["state"]["seats"]:
        random.shuffle(seat["hand"])
    for one in other["rounds"]:
        one["dice"].reverse()
        one["moves"] = dict(random.sample(sorted(one["moves"].items()), len(one["moves"])))
    solves = cached_solutions()
    reviewed(body, solves)
    response = reviewed(other, solves)
    again = response.document
    assert response.layer == "memory", "equivalent positions share their solutions"

    def spelled(review: Body) -> Body:
        rows = sorted(json.dumps(each, sort_keys=True) for each in review["decisions"])
        return json.loads(json.dumps(review | {"decisions": rows}))

    assert spelled(again) == spelled(review)
