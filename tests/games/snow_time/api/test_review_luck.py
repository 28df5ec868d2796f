"""Luck in the review of a game, recomputed by simple means."""

from __future__ import annotations

from itertools import product

import pytest

from service.games.snow_time.api.requests import SnowTimeRequests
from service.games.snow_time.rules.rules import growth_outcomes
from tests.games.snow_time.api.reviews import (
    PRINTED,
    Body,
    every_game,
    exact,
    game,
    grown,
    one_round,
    played,
    reviewed,
    table,
    total,
)
from tests.games.snow_time.positions import (
    ENDPOINTS,
    FULL,
    ask,
    move,
    play_round,
    position,
    state_document,
    track,
)
from tests.operations.caches import cached_solutions
from tests.solver.search.reference_expectimax import estimate


@pytest.mark.parametrize("name", ["three", "four, late", "two players"])
def test_the_share_before_the_dice_is_the_mean_over_all_rolls(name: str):
    body, review = game(name, 1)
    one = review["rounds"][0]
    before = dict.fromkeys(review["players"], 0.0)
    supply = 15 - sum(body["state"]["fruit"])
    for roll, chance in growth_outcomes(min(2, supply)):
        asked = {"state": grown(body["state"], list(roll)), "player": next(iter(before))}
        shares = ask("suggest", asked | {"effort": "quick"})["win_shares"]
        for player, share in shares.items():
            before[player] += float(chance) * share
    assert one["before"] == pytest.approx(before, abs=3e-9)
    for player, share in one["win_shares"].items():
        assert one["luck"][player]["draws"] == pytest.approx(share - before[player], abs=4e-9)


def test_with_an_empty_supply_there_are_no_dice_and_no_luck_from_them():
    _, review = game("no supply", 1)
    first = review["rounds"][0]
    assert first["dice"] == []
    assert first["before"] == first["win_shares"]
    assert {luck["draws"] for luck in first["luck"].values()} == {0.0}


CARDS_ONLY = ("136h", "24hb", "57h")


@pytest.mark.parametrize("scores", [(0, 2, 1), (10, 11, 10)])
def test_came_to_is_the_evaluators_estimate_or_the_result(scores: tuple[int, ...]):
    """The expected share comes from the rules and a plain evaluation."""
    words = ("3", "2", "7")
    state = table(*CARDS_ONLY, scores=scores, fruit=[0] * 6)
    review = reviewed(one_round(state, *words)).document
    board = track(12, (3, "fight", 1), (8, "mana", 2))
    settled = play_round(position(*CARDS_ONLY, scores=scores, fruit={1: 2}, on=board), *words)
    shares = estimate(settled.state)
    if settled.winners:
        shares = {name: (name in settled.winners) / len(settled.winners) for name in shares}
    assert bool(settled.winners) == (scores[0] == 10)
    for each in review["decisions"]:
        assert each["realized_value"] == pytest.approx(shares[each["player"]], abs=PRINTED)


@pytest.mark.slow
@pytest.mark.parametrize(
    "state",
    [
        table("36h", "267h", "267h", scores=(10, 5, 6)),
        table("5h", "36hb", "146hb", "46hb", scores=(3, 6, 5, 7)),
        table("3hb", "3h", "136h", "16h", scores=(11, 6, 11, 7), owners="xyyx"),
    ],
    ids=["three", "four", "two players"],
)
def test_luck_from_others_is_zero_on_average_over_their_strategies(state: Body):
    """This is true for every own card, not only for the best one."""
    dice = [2, 5]
    first = next(iter(dict.fromkeys(s.get("player", s["seat"]) for s in state["seats"])))
    hint = ask("suggest", {"state": grown(state, dice), "player": first, "effort": "quick"})
    mixtures = {player: rows for player, rows in hint["strategies"].items() if player != first}
    assert max(map(len, mixtures.values())) > 1, "at least one strategy is mixed"
    spread = 0.0
    for own in hint["moves"]:
        mean = 0.0
        for rows in product(*mixtures.values()):
            moves, chance = complete(state, own["move"]), 1.0
            for row in rows:
                moves, chance = moves | complete(state, row["move"]), chance * row["probability"]
            body = {"state": state, "rounds": [{"dice": dice, "moves": moves}], "effort": "quick"}
            [each] = [
                judged
                for judged in reviewed(body, CACHE).document["decisions"]
                if (judged["player"], judged["decision"]) == (first, "card")
            ]
            assert each["value"] == own["value"]
            mean += chance * (each["realized_value"] - each["value"])
            spread = max(spread, abs(each["realized_value"] - each["value"]))
        assert mean == pytest.approx(0.0, abs=4e-9)
    assert spread > 1e-3


CACHE = cached_solutions()


def complete(state: Body, moves: Body) -> Body:
    """Return complete moves: each healer takes back as many champions as it may."""
    hands = {seat["seat"]: seat["hand"] for seat in state["seats"]}
    completed = {}
    for seat, chosen in moves.items():
        completed[seat] = dict(chosen)
        if chosen["card"] == "healer":
            away = [card for card in "1234567" if card not in hands[seat]]
            completed[seat]["recover"] = away if len(away) == 7 else away[:2]
    return completed


@pytest.mark.slow
@every_game
def test_luck_from_others_is_came_to_minus_value_over_the_own_decisions(name: str, seed: int):
    """Decisions of others in which the player has no choice also move its share."""
    _, review = game(name, seed)
    for one in review["rounds"]:
        here = [each for each in review["decisions"] if each["round"] == one["round"]]
        last = {each["decision"] for each in here} == {"card"}
        for player, luck in one["luck"].items():
            own = [each for each in here if each["player"] == player]
            if last and own:
                gained = total(e["realized_value"] for e in own) - total(e["value"] for e in own)
                assert exact(luck["others"]) + exact(luck["indifferent"]) == gained


def test_a_watchers_loss_is_the_luck_of_the_players_without_a_decision():
    """a has a watcher; b and c have no decision after the reveal."""
    state = table("27hw", "5h", "6h", scores=(8, 8, 8))
    losses, luck = [], []
    for added in ("w2", "w7"):
        review = reviewed(one_round(state, added, "5", "6", dice=(3, 3))).document
        [each] = [each for each in review["decisions"] if each["decision"] == "watcher"]
        losses.append(exact(each["loss"]))
        luck.append(total(review["rounds"][0]["luck"][onlooker]["others"] for onlooker in "bc"))
    assert losses[0] == 0 < losses[1]
    assert float(luck[1] - luck[0]) == pytest.approx(float(losses[1]), abs=3e-9)


def test_revealed_cards_are_valued_as_the_card_decision_valued_them():
    """Watchers still choose; the recoveries of healers are fixed by the evaluator."""
    body = played(table("17hw", "26h", "3h"), 1, 1)
    [past] = ENDPOINTS["review"].parse(body, [], lambda: None).rounds
    for words, decision in {
        "w h 3": "watcher",
        "w7 h 3": "none",
        "7 h 3": "none",
        "wh h 3": "none",
        "7 2 3": "none",
    }.items():
        revealed = dict(zip("abc", map(move, words.split()), strict=True))
        question = SnowTimeRequests().value_question(past.opening, revealed)
        assert question.decision.name == decision, words
        if decision == "watcher":
            assert (question.player, question.actors) == ("a", ("a",))


def test_a_new_game_starts_with_equal_shares_and_dice_do_not_change_them():
    review = reviewed(played(state_document(*[FULL] * 3), 3, 1)).document
    [one] = review["rounds"]
    assert set(one["before"].values()) == {0.333333333, 0.333333334}
    assert {abs(luck["draws"]) for luck in one["luck"].values()} <= {0.0, 1e-9}
