"""Whole games over HTTP: the properties of every response on the way."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from tests.api.calls import (
    BASE,
    DECK,
    SEED,
    changed,
    post,
    problem_of,
    put,
    result_of,
    violations_of,
)
from tests.api.snow_time_bodies import COMPLETE, FULL_TREE, PAIRS, REVEALED, STATE, TRACK, UNIFORM
from tests.api.snow_time_oracle import legal, recoveries
from tests.api.snow_time_playthrough import Round, play

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
    """Play a random game and return its rounds; the same game on every call."""
    client = create_app(Config(log_level="CRITICAL")).test_client()
    return tuple(play(client, SETUPS[setup], Random(f"{SEED} {setup}")))


def player_of_seat(state: Any) -> dict[str, str]:
    return {seat["seat"]: seat["player"] for seat in state["seats"]}


# Whole games ----------------------------------------------------------------------------------


@GAMES
def test_a_random_game_ends_and_has_winners_only_then(setup: str) -> None:
    rounds = game(setup)

    assert all(not played.result["game_over"] for played in rounds[:-1])
    assert all(played.result["winners"] == [] for played in rounds[:-1])
    assert rounds[-1].result["game_over"]
    assert rounds[-1].result["winners"]


def test_the_random_games_include_every_decision() -> None:
    decisions = {
        decision["decision"] for setup in SETUPS for played in game(setup)
        for decision in played.decisions
    }  # fmt: skip
    added = {
        move["then"]["card"] for setup in SETUPS for played in game(setup)
        for move in played.moves.values() if "then" in move
    }  # fmt: skip

    assert decisions == {"card", "watcher", "healer", "none"}
    assert {"healer", "blizzard", "1", "7"} <= added


@GAMES
def test_growth_adds_up_to_two_fruit_from_the_supply(setup: str) -> None:
    for played in game(setup):
        expected = min(2, 15 - sum(played.before["fruit"]))
        assert len(played.dice) == expected
        fruit = list(played.before["fruit"])
        for die in played.dice:
            fruit[die - 1] += 1
        assert played.grown == played.before | {"fruit": fruit}


@GAMES
def test_the_card_decision_lists_the_hands_of_all_seats(setup: str) -> None:
    for played in game(setup):
        first = played.decisions[0]
        assert (first["decision"], first["game_over"]) == ("card", False)
        hands = {seat["seat"]: seat["hand"] for seat in played.grown["seats"]}
        assert first["moves"] == {
            seat: [{"card": card} for card in hand] for seat, hand in hands.items()
        }


@GAMES
def test_the_watcher_decision_lists_the_other_cards_of_each_watcher_seat(setup: str) -> None:
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
def test_the_healer_decision_lists_the_recoveries_of_each_seat_with_a_choice(setup: str) -> None:
    for played in game(setup):
        hands = {seat["seat"]: seat["hand"] for seat in played.grown["seats"]}
        healing = {
            seat
            for seat, move in played.moves.items()
            if move.get("then", move)["card"] == "healer" and len(recoveries(hands[seat])) > 1
        }
        healer_decisions = [
            decision for decision in played.decisions if decision["decision"] == "healer"
        ]
        assert len(healer_decisions) == bool(healing)
        for decision in healer_decisions:
            assert set(decision["moves"]) == healing
            for seat, moves in decision["moves"].items():
                listed = [move.get("then", move)["recover"] for move in moves]
                assert {frozenset(cards) for cards in listed} == set(
                    map(frozenset, recoveries(hands[seat]))
                )
                assert all(cards == sorted(cards) for cards in listed)
                assert len(listed) == len(recoveries(hands[seat]))


@GAMES
def test_a_marker_moves_by_its_points_up_to_the_last_space(setup: str) -> None:
    for played in game(setup):
        length = SETUPS[setup].get("track", {"length": 30})["length"]
        points = played.result["points"]
        seats = zip(played.grown["seats"], played.result["state"]["seats"], strict=True)
        assert set(points) == set(player_of_seat(played.grown))
        for before, after in seats:
            gained = points[before["seat"]]
            assert list(gained) == ["fight", "fruit", "mana", "bonus"]
            assert min(gained.values()) >= 0
            moved = after["score"] - before["score"]
            assert moved == min(sum(gained.values()), length - before["score"])


@GAMES
def test_awards_in_the_event_log_add_up_to_the_points(setup: str) -> None:
    for played in game(setup):
        at = {seat["seat"]: seat["score"] for seat in played.grown["seats"]}
        total = {seat: {"fight": 0, "fruit": 0, "mana": 0, "bonus": 0} for seat in at}
        for event in played.result["events"]:
            for award in event.get("awards", ()):
                assert award["start"] == at[award["seat"]]
                at[award["seat"]] = award["end"]
                total[award["seat"]][award["kind"]] += award["points"]
        assert total == played.result["points"]
        assert at == {seat["seat"]: seat["score"] for seat in played.result["state"]["seats"]}


@GAMES
def test_exactly_the_awarded_fruit_leaves_the_tree(setup: str) -> None:
    for played in game(setup):
        taken = sum(points["fruit"] for points in played.result["points"].values())
        assert sum(played.grown["fruit"]) - sum(played.result["state"]["fruit"]) == taken


@GAMES
def test_winners_are_the_players_with_a_seat_on_the_last_space(setup: str) -> None:
    for played in game(setup):
        state, result = played.result["state"], played.result
        length = SETUPS[setup].get("track", {"length": 30})["length"]
        arrived = [seat["seat"] for seat in state["seats"] if seat["score"] == length]
        assert result["winning_seats"] == arrived
        assert result["game_over"] == bool(arrived)
        assert set(result["winners"]) == {player_of_seat(state)[seat] for seat in arrived}
        assert len(result["winners"]) == len(set(result["winners"]))


@GAMES
def test_hands_stay_in_deck_order_and_always_contain_the_healer(setup: str) -> None:
    for played in game(setup):
        for seat in played.result["state"]["seats"]:
            assert seat["hand"] == [card for card in DECK if card in seat["hand"]]
            assert "healer" in seat["hand"]


@GAMES
def test_a_played_watcher_or_blizzard_never_returns_to_the_hand(setup: str) -> None:
    for played in game(setup):
        hands = {seat["seat"]: seat["hand"] for seat in played.result["state"]["seats"]}
        for seat, move in played.moves.items():
            played_cards = {move["card"], move.get("then", move)["card"]}
            assert not played_cards & {"watcher", "blizzard"} & set(hands[seat])


@GAMES
def test_a_default_track_stays_absent_and_a_custom_track_is_sorted(setup: str) -> None:
    custom = SETUPS[setup].get("track")
    for played in game(setup):
        for state in (played.before, played.grown, played.result["state"]):
            if custom is None:
                assert "track" not in state
            else:
                bonuses = sorted(custom["bonuses"], key=lambda bonus: bonus["space"])
                assert state["track"] == {"length": custom["length"], "bonuses": bonuses}


@GAMES
def test_resolving_with_dice_equals_growth_followed_by_resolving(
    client: FlaskClient, setup: str
) -> None:
    for played in game(setup)[:25]:
        body = {"state": played.before, "moves": played.moves, "dice": played.dice}
        combined = result_of(post(client, "resolve", body))
        growth = [event for event in combined["events"] if event["type"] == "growth"]
        assert [event["dice"] for event in growth] == ([sorted(played.dice)] if played.dice else [])
        later_events = [event for event in combined["events"] if event["type"] != "growth"]
        assert combined | {"events": later_events} == played.result


@GAMES
def test_growth_with_the_dice_of_a_seed_gives_the_same_position(
    client: FlaskClient, setup: str
) -> None:
    for played in game(setup)[:25]:
        body = {"state": played.before, "dice": played.dice[::-1]}
        result = result_of(post(client, "grow", body))
        assert result["state"] == played.grown
        assert sorted(result["dice"]) == sorted(played.dice)


@GAMES
def test_a_finished_game_has_no_legal_moves_and_no_further_round(
    client: FlaskClient, setup: str
) -> None:
    last = game(setup)[-1]
    state = last.result["state"]
    player = state["seats"][0]["player"]

    legal_moves = result_of(post(client, "legal-moves", {"state": state}))

    assert legal_moves == {"decision": "none", "moves": {}, "game_over": True}
    moves = {seat["seat"]: {"card": "healer", "recover": []} for seat in state["seats"]}
    for seat in state["seats"]:
        if len(recoveries(seat["hand"])) == 1:
            del moves[seat["seat"]]["recover"]
    for endpoint, body in (
        ("grow", {"state": state, "seed": 1}),
        ("resolve", {"state": state, "moves": moves}),
        ("suggest", {"state": state, "player": player, "opponents": UNIFORM}),
    ):
        document = problem_of(post(client, endpoint, body), 422, "game-over", body)
        assert violations_of(document) == {("/state", "game-over")}


@pytest.mark.parametrize("setup", ["three", "pairs", "shortest"])
def test_the_order_of_seats_does_not_matter(client: FlaskClient, setup: str) -> None:
    for played in game(setup)[:10]:
        reversed_state = played.grown | {"seats": played.grown["seats"][::-1]}
        moves = dict(reversed(played.moves.items()))
        result = result_of(post(client, "resolve", {"state": reversed_state, "moves": moves}))
        assert result["points"] == played.result["points"]
        assert result["state"]["seats"][::-1] == played.result["state"]["seats"]
        assert set(result["winners"]) == set(played.result["winners"])


# Single requests ------------------------------------------------------------------------------


def test_a_new_game_has_full_hands_no_fruit_and_scores_of_zero(client: FlaskClient) -> None:
    setup = {"seats": [{"seat": "a"}, {"seat": "b", "player": "bob"}, {"seat": "c"}]}

    result = result_of(post(client, "new", setup))

    seats = [
        {"seat": seat, "player": player, "score": 0, "hand": list(DECK)}
        for seat, player in (("a", "a"), ("b", "bob"), ("c", "c"))
    ]
    assert result == {"state": {"seats": seats, "fruit": [0] * 6}}


def test_bonuses_are_returned_sorted_by_space(client: FlaskClient) -> None:
    assert [bonus["space"] for bonus in TRACK["bonuses"]] == [12, 4]

    result = result_of(post(client, "grow", {"state": STATE, "dice": [1, 1]}))

    assert result["state"]["track"]["bonuses"] == TRACK["bonuses"][::-1]


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**53 - 1])
def test_a_seed_always_gives_the_same_response(client: FlaskClient, seed: int) -> None:
    body = {"state": STATE, "seed": seed}

    bodies = {post(client, "grow", body).data for _ in range(5)}

    assert len(bodies) == 1


def test_different_seeds_roll_every_pair_of_dice(client: FlaskClient) -> None:
    rng = Random(SEED)

    rolled = {
        tuple(sorted(result_of(post(client, "grow", {"state": STATE, "seed": seed}))["dice"]))
        for seed in rng.sample(range(2**53), 400)
    }

    assert len(rolled) == 21


@pytest.mark.parametrize(("missing", "dice"), [(0, []), (1, [3]), (2, [3, 3]), (3, [3, 3])])
def test_growth_rolls_as_many_dice_as_the_supply_allows(
    client: FlaskClient, missing: int, dice: list[int]
) -> None:
    state = put(FULL_TREE, ("fruit", 0), 5 - missing)

    result = result_of(post(client, "grow", {"state": state, "dice": dice}))
    rolled = result_of(post(client, "grow", {"state": state, "seed": 3}))["dice"]

    assert result["state"]["fruit"] == [5 - missing, 5, 5 + len(dice), 0, 0, 0]
    assert len(rolled) == len(dice)
    wrong = {"state": state, "dice": [*dice, 1][:2] if len(dice) < 2 else [1]}
    document = problem_of(post(client, "grow", wrong), 422, "invalid-body", wrong)
    assert violations_of(document) == {("/dice", "wrong-dice")}


@pytest.mark.parametrize("recovered", [["1", "5"], ["5", "1"]])
def test_r4_recovered_champions_are_listed_in_deck_order(
    client: FlaskClient, recovered: list[str]
) -> None:
    moves = put(COMPLETE, ("red", "then", "recover"), recovered)

    result = result_of(post(client, "resolve", {"state": STATE, "moves": moves}))

    (recover,) = [event for event in result["events"] if event["type"] == "recover"]
    assert recover["cards"] == {"red": ["1", "5"], "blue": list("1234567")}
    assert result["state"]["seats"][0]["hand"] == ["1", "2", "3", "5", "healer"]
    assert result["state"]["seats"][1]["hand"] == [*"1234567", "healer", "blizzard"]


def test_r4_a_full_recovery_need_not_be_given(client: FlaskClient) -> None:
    explicit = put(COMPLETE, ("blue", "recover"), list("7654321"))

    bodies = [
        post(client, "resolve", {"state": STATE, "moves": moves}).data
        for moves in (explicit, COMPLETE)
    ]

    assert json.loads(bodies[0])["state"]["seats"][1]["hand"][:7] == list("1234567")
    assert bodies[0] == bodies[1]


def test_a_hand_in_any_order_is_returned_in_deck_order(client: FlaskClient) -> None:
    state = put(STATE, ("seats", 0, "hand"), ["watcher", "healer", "3", "2"])

    bodies = [post(client, "legal-moves", {"state": position}).data for position in (STATE, state)]

    assert json.loads(bodies[0])["moves"]["red"][0] == {"card": "2"}
    assert bodies[0] == bodies[1]


def test_a_healer_with_one_legal_recovery_has_nothing_to_decide(client: FlaskClient) -> None:
    revealed = {"red": {"card": "2"}, "blue": {"card": "healer"}, "green": {"card": "7"}}

    result = result_of(post(client, "legal-moves", {"state": STATE, "revealed": revealed}))

    assert result == {"decision": "none", "moves": {}, "game_over": False}


def test_a_healer_with_a_full_hand_has_nothing_to_decide(client: FlaskClient) -> None:
    state = put(STATE, ("seats", 2, "hand"), list(DECK))
    revealed = {"red": {"card": "2"}, "blue": {"card": "blizzard"}, "green": {"card": "healer"}}

    result = result_of(post(client, "legal-moves", {"state": state, "revealed": revealed}))

    assert result["decision"] == "none"


def test_an_empty_reveal_equals_an_absent_one(client: FlaskClient) -> None:
    absent = post(client, "legal-moves", {"state": STATE})
    empty = post(client, "legal-moves", {"state": STATE, "revealed": {}})

    assert result_of(absent)["decision"] == "card"
    assert absent.data == empty.data


def test_legal_moves_of_players_with_two_seats_are_listed_by_seat(client: FlaskClient) -> None:
    result = result_of(post(client, "legal-moves", {"state": PAIRS}))

    assert result["moves"]["a1"] == [{"card": "2"}, {"card": "healer"}]
    assert list(result["moves"]) == ["a1", "b1", "a2", "b2"]


# Hints ----------------------------------------------------------------------------------------

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
    "card, equilibrium": {"state": STATE, "player": "anna"},
    "two seats, quantal": {
        "state": PAIRS,
        "player": "anna",
        "opponents": {"model": "quantal"},
    },
    "two watchers, level-1": {
        "state": STATE,
        "player": "green",
        "opponents": {"model": "level-1"},
        "revealed": changed(REVEALED, (("green", "card"), "watcher")),
    },
}


def test_the_game_lists_its_opponent_models_and_quantal_precisions(client: FlaskClient) -> None:
    about = result_of(client.get(BASE))

    models = ["equilibrium", "quantal", "level-1", "uniform", "learned"]
    assert about["suggest"]["models"] == models
    assert set(about["quantal_precision"]) == set(about["suggest"]["objectives"])
    assert all(precision > 0 for precision in about["quantal_precision"].values())


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
@pytest.mark.parametrize("hint", HINTS)
def test_a_hint_is_consistent(client: FlaskClient, hint: str, objective: str) -> None:
    body = HINTS[hint] | {"objective": objective}
    assert legal("suggest", body)

    result = result_of(post(client, "suggest", body))

    players = set(
        player_of_seat(
            result_of(post(client, "grow", {"state": body["state"], "seed": 1}))["state"]
        ).values()
    )
    moves = result["moves"]
    position = {name: body[name] for name in ("state", "revealed") if name in body}
    choices = result_of(post(client, "legal-moves", position))
    own = {
        seat["seat"]
        for seat in body["state"]["seats"]
        if seat.get("player", seat["seat"]) == body["player"]
    }
    deciding = own & set(choices["moves"])
    count = 1
    for seat in deciding:
        count *= len(choices["moves"][seat])
    assert result["player"] == body["player"]
    assert result["decision"] == choices["decision"]
    assert result["pick_public"] is True
    assert len(moves) == count
    assert all(set(move["move"]) == deciding for move in moves)
    assert all(move["move"][seat] in choices["moves"][seat] for move in moves for seat in deciding)
    assert result["pick"] == moves[result["pick_index"]]["move"]
    values = [move["value"] for move in moves]
    # Values that differ by no more than epsilon count as equal.
    tolerance = result["search"].get("epsilon", 0.0) + 1e-9
    assert all(lower <= higher + tolerance for higher, lower in pairwise(values))
    assert moves[0]["probability"] > 0
    for move in moves:
        assert move["loss"] == pytest.approx(max(values) - move["value"], abs=1e-9)
        assert set(move["survival"]) <= own
        assert all(0 <= chance <= 1 for chance in move["survival"].values())
    assert (
        set(result["strategies"])
        == set(result["win_shares"])
        == set(result["expected_values"])
        == players
    )
    for strategy in result["strategies"].values():
        chances = [entry["probability"] for entry in strategy]
        assert not chances or sum(chances) == pytest.approx(1, abs=1e-9)
    assert sum(result["win_shares"].values()) == pytest.approx(1, abs=1e-9)
    strategy_value = sum(move["probability"] * move["value"] for move in moves)
    assert result["expected_values"][body["player"]] == pytest.approx(strategy_value, abs=2.1e-9)
    assert "grade" not in result
    for number in floats(result):
        assert number == round(number, 9)


def floats(value: Any) -> list[float]:
    """Return every float in a JSON value."""
    if isinstance(value, dict):
        return [number for inner in value.values() for number in floats(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in floats(inner)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
def test_the_expected_value_of_the_player_is_the_value_of_its_strategy(
    client: FlaskClient, objective: str
) -> None:
    for played in (*game("three")[:12], *game("shortest")[:12]):
        player = played.grown["seats"][0]["player"]
        body = {"state": played.grown, "player": player, "opponents": UNIFORM}
        result = result_of(post(client, "suggest", body | {"objective": objective}))
        value = sum(move["probability"] * move["value"] for move in result["moves"])
        assert result["expected_values"][player] == round(value, 9)


@pytest.mark.parametrize("hint", HINTS)
def test_a_repeated_hint_request_gets_the_same_bytes(client: FlaskClient, hint: str) -> None:
    body = HINTS[hint]
    with_defaults = body | {"objective": "win", "effort": "standard", "depth": 1, "chosen": {}}

    plain = {post(client, "suggest", body).data for _ in range(3)}

    assert len(plain) == 1
    assert post(client, "suggest", with_defaults).data in plain


@pytest.mark.parametrize("hint", HINTS)
def test_a_graded_move_has_the_loss_of_its_row(client: FlaskClient, hint: str) -> None:
    body = HINTS[hint] | {"objective": "points"}
    moves = result_of(post(client, "suggest", body))["moves"]

    for move in moves[:3] + moves[-3:]:
        result = result_of(post(client, "suggest", body | {"chosen": move["move"]}))
        assert result["grade"]["move"] == move["move"]
        assert result["grade"]["loss"] == move["loss"]
        assert (result["grade"]["class"] == "best") == (move["loss"] == 0)


def test_a_nonce_makes_the_pick_private(client: FlaskClient) -> None:
    body = HINTS["card"] | {"nonce": "b7f1"}

    assert result_of(post(client, "suggest", body))["pick_public"] is False
