"""Whole games over HTTP, and what is promised of each answer on the way."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from tests.api.calls import BASE, DECK, SEED, answer_of, changed, faults_of, post, problem_of, put
from tests.api.snow_time_bodies import COMPLETE, FULL_TREE, PAIRS, REVEALED, STATE, TRACK, UNIFORM
from tests.api.snow_time_judge import legal, recoveries
from tests.api.snow_time_table import Round, play

SETUPS: dict[str, Any] = {
    "three": {"seats": [{"seat": seat} for seat in ("red", "blue", "green")]},
    "four": {
        "seats": [{"seat": seat, "player": seat.upper()} for seat in "abcd"],
        "track": {"length": 60, "bonuses": []},
    },
    "five": {"seats": [{"seat": seat} for seat in ("_schema", "-", "5", "moves", "card")]},
    "pairs": {
        "seats": [
            {"seat": "a1", "player": "anna"},
            {"seat": "b1", "player": "bob"},
            {"seat": "b2", "player": "bob"},
            {"seat": "a2", "player": "anna"},
        ],
        "track": TRACK,
    },
    "shortest": {
        "seats": [{"seat": seat} for seat in "abc"],
        "track": {"length": 5, "bonuses": [{"space": 1, "kind": "mana", "advance": 3}]},
    },
    "longest": {
        "seats": [{"seat": seat} for seat in "abcde"],
        "track": {"length": 200, "bonuses": []},
    },
}
GAMES = pytest.mark.parametrize("setup", SETUPS)


@cache
def game(setup: str) -> tuple[Round, ...]:
    """The same random game whenever it is asked for."""
    client = create_app(Config(log_level="CRITICAL")).test_client()
    return tuple(play(client, SETUPS[setup], Random(f"{SEED} {setup}")))


def owner(state: Any) -> dict[str, str]:
    return {seat["seat"]: seat["player"] for seat in state["seats"]}


# Whole games ----------------------------------------------------------------------------------


@GAMES
def test_a_random_game_goes_on_to_its_end_and_not_beyond(setup: str) -> None:
    rounds = game(setup)

    assert all(not played.answer["game_over"] for played in rounds[:-1])
    assert all(played.answer["winners"] == [] for played in rounds[:-1])
    assert rounds[-1].answer["game_over"]
    assert rounds[-1].answer["winners"]


def test_the_random_games_come_to_every_decision() -> None:
    met = {
        decision["decision"] for setup in SETUPS for played in game(setup)
        for decision in played.decisions
    }  # fmt: skip
    added = {
        move["then"]["card"] for setup in SETUPS for played in game(setup)
        for move in played.moves.values() if "then" in move
    }  # fmt: skip

    assert met == {"card", "watcher", "healer", "none"}
    assert {"healer", "blizzard", "1", "7"} <= added


@GAMES
def test_growth_puts_as_many_fruits_as_the_supply_has_up_to_two(setup: str) -> None:
    for played in game(setup):
        due = min(2, 15 - sum(played.before["fruit"]))
        assert len(played.dice) == due
        fruit = list(played.before["fruit"])
        for die in played.dice:
            fruit[die - 1] += 1
        assert played.grown == played.before | {"fruit": fruit}


@GAMES
def test_the_card_decision_lists_everybodys_hand(setup: str) -> None:
    for played in game(setup):
        first = played.decisions[0]
        assert (first["decision"], first["game_over"]) == ("card", False)
        hands = {seat["seat"]: seat["hand"] for seat in played.grown["seats"]}
        assert first["moves"] == {
            seat: [{"card": card} for card in hand] for seat, hand in hands.items()
        }


@GAMES
def test_the_watcher_decision_lists_every_other_card_of_those_who_watch(setup: str) -> None:
    for played in game(setup):
        hands = {seat["seat"]: seat["hand"] for seat in played.grown["seats"]}
        watching = {seat for seat, move in played.moves.items() if move["card"] == "watcher"}
        names = [decision["decision"] for decision in played.decisions]
        assert ("watcher" in names) == bool(watching)
        for decision in played.decisions:
            if decision["decision"] == "watcher":
                assert decision["moves"] == {
                    seat: [
                        {"card": "watcher", "then": {"card": card}}
                        for card in hands[seat]
                        if card != "watcher"
                    ]
                    for seat in watching
                }


@GAMES
def test_the_healer_decision_lists_every_set_of_those_who_have_a_choice(setup: str) -> None:
    for played in game(setup):
        hands = {seat["seat"]: seat["hand"] for seat in played.grown["seats"]}
        healing = {
            seat
            for seat, move in played.moves.items()
            if move.get("then", move)["card"] == "healer" and len(recoveries(hands[seat])) > 1
        }
        named = [one for one in played.decisions if one["decision"] == "healer"]
        assert len(named) == bool(healing)
        for decision in named:
            assert set(decision["moves"]) == healing
            for seat, moves in decision["moves"].items():
                told = [move.get("then", move)["recover"] for move in moves]
                assert {frozenset(taken) for taken in told} == set(
                    map(frozenset, recoveries(hands[seat]))
                )
                assert all(taken == sorted(taken) for taken in told)
                assert len(told) == len(recoveries(hands[seat]))


@GAMES
def test_spaces_moved_are_the_points_as_far_as_the_track_goes(setup: str) -> None:
    for played in game(setup):
        length = SETUPS[setup].get("track", {"length": 30})["length"]
        points = played.answer["points"]
        seats = zip(played.grown["seats"], played.answer["state"]["seats"], strict=True)
        assert set(points) == set(owner(played.grown))
        for before, after in seats:
            gained = points[before["seat"]]
            assert list(gained) == ["fight", "fruit", "mana", "bonus"]
            assert min(gained.values()) >= 0
            moved = after["score"] - before["score"]
            assert moved == min(sum(gained.values()), length - before["score"])


@GAMES
def test_awards_of_the_log_add_up_to_the_points(setup: str) -> None:
    for played in game(setup):
        at = {seat["seat"]: seat["score"] for seat in played.grown["seats"]}
        total = {seat: {"fight": 0, "fruit": 0, "mana": 0, "bonus": 0} for seat in at}
        for event in played.answer["events"]:
            for award in event.get("awards", ()):
                assert award["start"] == at[award["seat"]]
                at[award["seat"]] = award["end"]
                total[award["seat"]][award["kind"]] += award["points"]
        assert total == played.answer["points"]
        assert at == {seat["seat"]: seat["score"] for seat in played.answer["state"]["seats"]}


@GAMES
def test_fruit_taken_leaves_the_tree_and_nothing_else_does(setup: str) -> None:
    for played in game(setup):
        taken = sum(points["fruit"] for points in played.answer["points"].values())
        assert sum(played.grown["fruit"]) - sum(played.answer["state"]["fruit"]) == taken


@GAMES
def test_winners_are_the_owners_of_the_seats_on_the_last_space(setup: str) -> None:
    for played in game(setup):
        state, answer = played.answer["state"], played.answer
        length = SETUPS[setup].get("track", {"length": 30})["length"]
        arrived = [seat["seat"] for seat in state["seats"] if seat["score"] == length]
        assert answer["winning_seats"] == arrived
        assert answer["game_over"] == bool(arrived)
        assert set(answer["winners"]) == {owner(state)[seat] for seat in arrived}
        assert len(answer["winners"]) == len(set(answer["winners"]))


@GAMES
def test_hands_stay_in_deck_order_and_keep_the_healer(setup: str) -> None:
    for played in game(setup):
        for seat in played.answer["state"]["seats"]:
            assert seat["hand"] == [card for card in DECK if card in seat["hand"]]
            assert "healer" in seat["hand"]


@GAMES
def test_a_played_watcher_or_blizzard_is_gone_for_good(setup: str) -> None:
    for played in game(setup):
        hands = {seat["seat"]: seat["hand"] for seat in played.answer["state"]["seats"]}
        for seat, move in played.moves.items():
            laid = {move["card"], move.get("then", move)["card"]}
            assert not laid & {"watcher", "blizzard"} & set(hands[seat])


@GAMES
def test_an_absent_track_stays_absent_and_an_own_one_is_sorted(setup: str) -> None:
    own = SETUPS[setup].get("track")
    for played in game(setup):
        for state in (played.before, played.grown, played.answer["state"]):
            if own is None:
                assert "track" not in state
            else:
                bonuses = sorted(own["bonuses"], key=lambda bonus: bonus["space"])
                assert state["track"] == {"length": own["length"], "bonuses": bonuses}


@GAMES
def test_resolving_with_dice_is_growing_and_resolving(client: FlaskClient, setup: str) -> None:
    for played in game(setup)[:25]:
        body = {"state": played.before, "moves": played.moves, "dice": played.dice}
        at_once = answer_of(post(client, "resolve", body))
        growth = [event for event in at_once["events"] if event["type"] == "growth"]
        assert [event["dice"] for event in growth] == ([sorted(played.dice)] if played.dice else [])
        rest = [event for event in at_once["events"] if event["type"] != "growth"]
        assert at_once | {"events": rest} == played.answer


@GAMES
def test_growing_by_the_dice_that_a_seed_rolled_is_the_same(
    client: FlaskClient, setup: str
) -> None:
    for played in game(setup)[:25]:
        body = {"state": played.before, "dice": played.dice[::-1]}
        answer = answer_of(post(client, "grow", body))
        assert answer["state"] == played.grown
        assert sorted(answer["dice"]) == sorted(played.dice)


@GAMES
def test_a_finished_game_has_no_moves_and_no_further_round(client: FlaskClient, setup: str) -> None:
    last = game(setup)[-1]
    state = last.answer["state"]
    player = state["seats"][0]["player"]

    told = answer_of(post(client, "legal-moves", {"state": state}))

    assert told == {"decision": "none", "moves": {}, "game_over": True}
    moves = {seat["seat"]: {"card": "healer", "recover": []} for seat in state["seats"]}
    for seat in state["seats"]:
        if len(recoveries(seat["hand"])) == 1:
            del moves[seat["seat"]]["recover"]
    for verb, body in (
        ("grow", {"state": state, "seed": 1}),
        ("resolve", {"state": state, "moves": moves}),
        ("suggest", {"state": state, "player": player, "opponents": UNIFORM}),
    ):
        document = problem_of(post(client, verb, body), 422, "game-over", body)
        assert faults_of(document) == {("/state", "game-over")}


@pytest.mark.parametrize("setup", ["three", "pairs", "shortest"])
def test_the_order_of_seats_never_matters(client: FlaskClient, setup: str) -> None:
    for played in game(setup)[:10]:
        turned = played.grown | {"seats": played.grown["seats"][::-1]}
        moves = dict(reversed(played.moves.items()))
        answer = answer_of(post(client, "resolve", {"state": turned, "moves": moves}))
        assert answer["points"] == played.answer["points"]
        assert answer["state"]["seats"][::-1] == played.answer["state"]["seats"]
        assert set(answer["winners"]) == set(played.answer["winners"])


# One thing at a time --------------------------------------------------------------------------


def test_a_new_game_has_full_hands_no_fruit_and_markers_on_the_start(client: FlaskClient) -> None:
    setup = {"seats": [{"seat": "a"}, {"seat": "b", "player": "bob"}, {"seat": "c"}]}

    answer = answer_of(post(client, "new", setup))

    seats = [
        {"seat": seat, "player": player, "score": 0, "hand": list(DECK)}
        for seat, player in (("a", "a"), ("b", "bob"), ("c", "c"))
    ]
    assert answer == {"state": {"seats": seats, "fruit": [0] * 6}}


def test_bonuses_come_back_sorted_by_space(client: FlaskClient) -> None:
    assert [bonus["space"] for bonus in TRACK["bonuses"]] == [12, 4]

    answer = answer_of(post(client, "grow", {"state": STATE, "dice": [1, 1]}))

    assert answer["state"]["track"]["bonuses"] == TRACK["bonuses"][::-1]


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**53 - 1])
def test_a_seed_always_rolls_the_same(client: FlaskClient, seed: int) -> None:
    body = {"state": STATE, "seed": seed}

    told = {post(client, "grow", body).data for _ in range(5)}

    assert len(told) == 1


def test_different_seeds_roll_every_pair_of_dice(client: FlaskClient) -> None:
    rng = Random(SEED)

    rolled = {
        tuple(sorted(answer_of(post(client, "grow", {"state": STATE, "seed": seed}))["dice"]))
        for seed in rng.sample(range(2**53), 400)
    }

    assert len(rolled) == 21


@pytest.mark.parametrize(("missing", "dice"), [(0, []), (1, [3]), (2, [3, 3]), (3, [3, 3])])
def test_growth_rolls_what_the_supply_allows(
    client: FlaskClient, missing: int, dice: list[int]
) -> None:
    state = put(FULL_TREE, ("fruit", 0), 5 - missing)

    answer = answer_of(post(client, "grow", {"state": state, "dice": dice}))
    rolled = answer_of(post(client, "grow", {"state": state, "seed": 3}))["dice"]

    assert answer["state"]["fruit"] == [5 - missing, 5, 5 + len(dice), 0, 0, 0]
    assert len(rolled) == len(dice)
    wrong = {"state": state, "dice": [*dice, 1][:2] if len(dice) < 2 else [1]}
    document = problem_of(post(client, "grow", wrong), 422, "invalid-body", wrong)
    assert faults_of(document) == {("/dice", "wrong-dice")}


@pytest.mark.parametrize("taken", [["1", "5"], ["5", "1"]])
def test_champions_are_taken_back_in_any_order_and_told_in_deck_order(
    client: FlaskClient, taken: list[str]
) -> None:
    moves = put(COMPLETE, ("red", "then", "recover"), taken)

    answer = answer_of(post(client, "resolve", {"state": STATE, "moves": moves}))

    (recover,) = [event for event in answer["events"] if event["type"] == "recover"]
    assert recover["cards"] == {"red": ["1", "5"], "blue": list("1234567")}
    assert answer["state"]["seats"][0]["hand"] == ["1", "2", "3", "5", "healer"]
    assert answer["state"]["seats"][1]["hand"] == [*"1234567", "healer", "blizzard"]


def test_all_seven_come_back_told_or_not(client: FlaskClient) -> None:
    told = put(COMPLETE, ("blue", "recover"), list("7654321"))

    answers = [
        post(client, "resolve", {"state": STATE, "moves": moves}).data for moves in (told, COMPLETE)
    ]

    assert json.loads(answers[0])["state"]["seats"][1]["hand"][:7] == list("1234567")
    assert answers[0] == answers[1]


def test_a_hand_is_taken_in_any_order_and_told_in_deck_order(client: FlaskClient) -> None:
    state = put(STATE, ("seats", 0, "hand"), ["watcher", "healer", "3", "2"])

    answers = [post(client, "legal-moves", {"state": position}).data for position in (STATE, state)]

    assert json.loads(answers[0])["moves"]["red"][0] == {"card": "2"}
    assert answers[0] == answers[1]


def test_a_healer_with_one_legal_set_has_nothing_to_decide(client: FlaskClient) -> None:
    revealed = {"red": {"card": "2"}, "blue": {"card": "healer"}, "green": {"card": "7"}}

    answer = answer_of(post(client, "legal-moves", {"state": STATE, "revealed": revealed}))

    assert answer == {"decision": "none", "moves": {}, "game_over": False}


def test_a_full_hand_leaves_its_healer_nothing_to_decide(client: FlaskClient) -> None:
    state = put(STATE, ("seats", 2, "hand"), list(DECK))
    revealed = {"red": {"card": "2"}, "blue": {"card": "blizzard"}, "green": {"card": "healer"}}

    answer = answer_of(post(client, "legal-moves", {"state": state, "revealed": revealed}))

    assert answer["decision"] == "none"


def test_empty_revealed_cards_are_none(client: FlaskClient) -> None:
    absent = post(client, "legal-moves", {"state": STATE})
    empty = post(client, "legal-moves", {"state": STATE, "revealed": {}})

    assert answer_of(absent)["decision"] == "card"
    assert absent.data == empty.data


def test_pairs_choose_for_each_seat_by_itself(client: FlaskClient) -> None:
    answer = answer_of(post(client, "legal-moves", {"state": PAIRS}))

    assert answer["moves"]["a1"] == [{"card": "2"}, {"card": "healer"}]
    assert list(answer["moves"]) == ["a1", "b1", "a2", "b2"]


# Hints by what is promised of their form ------------------------------------------------------

HINTS: dict[str, Any] = {
    "card": {"state": STATE, "player": "anna", "opponents": UNIFORM},
    "two seats": {"state": PAIRS, "player": "anna", "opponents": UNIFORM},
    "watcher": {"state": STATE, "player": "green", "opponents": UNIFORM}
    | {"revealed": changed(REVEALED, (("green", "card"), "watcher"))},
    "healer": {
        "state": STATE,
        "player": "anna",
        "opponents": UNIFORM,
        "revealed": REVEALED | {"red": {"card": "healer"}},
    },
    "card, everybody solved": {"state": STATE, "player": "anna"},
    "two seats, everybody errs": {
        "state": PAIRS,
        "player": "anna",
        "opponents": {"model": "quantal"},
    },
    "watchers who meet": {
        "state": STATE,
        "player": "green",
        "opponents": {"model": "level-1"},
        "revealed": changed(REVEALED, (("green", "card"), "watcher")),
    },
}


def test_the_game_tells_its_models_and_how_precise_they_are_who_err(client: FlaskClient) -> None:
    about = answer_of(client.get(BASE))

    assert about["suggest"]["models"] == ["equilibrium", "quantal", "level-1", "uniform"]
    assert set(about["quantal_precision"]) == set(about["suggest"]["objectives"])
    assert all(precision > 0 for precision in about["quantal_precision"].values())


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
@pytest.mark.parametrize("hint", HINTS)
def test_a_hint_keeps_its_promises(client: FlaskClient, hint: str, objective: str) -> None:
    body = HINTS[hint] | {"objective": objective}
    assert legal("suggest", body)

    answer = answer_of(post(client, "suggest", body))

    players = set(
        owner(
            answer_of(post(client, "grow", {"state": body["state"], "seed": 1}))["state"]
        ).values()
    )
    moves = answer["moves"]
    told = {name: body[name] for name in ("state", "revealed") if name in body}
    choices = answer_of(post(client, "legal-moves", told))
    own = {
        seat["seat"]
        for seat in body["state"]["seats"]
        if seat.get("player", seat["seat"]) == body["player"]
    }
    deciding = own & set(choices["moves"])
    count = 1
    for seat in deciding:
        count *= len(choices["moves"][seat])
    assert answer["player"] == body["player"]
    assert answer["decision"] == choices["decision"]
    assert answer["pick_public"] is True
    assert len(moves) == count
    assert all(set(move["move"]) == deciding for move in moves)
    assert all(move["move"][seat] in choices["moves"][seat] for move in moves for seat in deciding)
    assert answer["best"] == moves[0]["move"]
    assert answer["pick"] in [move["move"] for move in moves]
    values = [move["value"] for move in moves]
    assert values == sorted(values, reverse=True)
    for move in moves:
        assert move["loss"] == pytest.approx(values[0] - move["value"], abs=1e-9)
        assert set(move["survival"]) == own
        assert all(chance is None or 0 <= chance <= 1 for chance in move["survival"].values())
    assert set(answer["strategies"]) == set(answer["outlook"]) == set(answer["expected"]) == players
    for strategy in answer["strategies"].values():
        chances = [entry["probability"] for entry in strategy]
        assert not chances or sum(chances) == pytest.approx(1, abs=1e-9)
    assert sum(answer["outlook"].values()) == pytest.approx(1, abs=1e-9)
    worth = sum(move["probability"] * move["value"] for move in moves)
    assert answer["expected"][body["player"]] == pytest.approx(worth, abs=2.1e-9)
    assert "grade" not in answer
    for number in numbers(answer):
        assert number == round(number, 9)


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [found for inner in value.values() for found in numbers(inner)]
    if isinstance(value, list):
        return [found for inner in value for found in numbers(inner)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
def test_the_asker_expects_the_printed_value_of_its_strategy(
    client: FlaskClient, objective: str
) -> None:
    for played in (*game("three")[:12], *game("shortest")[:12]):
        asker = played.grown["seats"][0]["player"]
        body = {"state": played.grown, "player": asker, "opponents": UNIFORM}
        answer = answer_of(post(client, "suggest", body | {"objective": objective}))
        value = sum(move["probability"] * move["value"] for move in answer["moves"])
        assert answer["expected"][asker] == round(value, 9)


@pytest.mark.parametrize("hint", HINTS)
def test_the_same_question_gets_the_same_bytes(client: FlaskClient, hint: str) -> None:
    body = HINTS[hint]
    spelled = body | {"objective": "win", "tier": "standard", "depth": 1, "chosen": {}}

    plain = {post(client, "suggest", body).data for _ in range(3)}

    assert len(plain) == 1
    assert post(client, "suggest", spelled).data in plain


@pytest.mark.parametrize("hint", HINTS)
def test_every_move_can_be_graded_and_loses_what_is_told(client: FlaskClient, hint: str) -> None:
    body = HINTS[hint] | {"objective": "points"}
    moves = answer_of(post(client, "suggest", body))["moves"]

    for move in moves[:3] + moves[-3:]:
        answer = answer_of(post(client, "suggest", body | {"chosen": move["move"]}))
        assert answer["grade"]["move"] == move["move"]
        assert answer["grade"]["loss"] == move["loss"]
        assert (answer["grade"]["class"] == "best") == (move["loss"] == 0)


def test_a_nonce_keeps_the_pick_to_those_who_know_it(client: FlaskClient) -> None:
    body = HINTS["card"] | {"nonce": "b7f1"}

    assert answer_of(post(client, "suggest", body))["pick_public"] is False
