"""Numbers of a hint, recomputed from its printed strategies alone.

The rules play every joint choice of cards, weighted by the printed probabilities.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from service.games.snow_time.api.schema import MoveSchema, StateSchema
from service.games.snow_time.rules.state import Move, State
from tests.games.snow_time.engine.plain_normal_form import OBJECTIVES, PlainNormalForm, in_order
from tests.games.snow_time.positions import ask, position, track
from tests.randomized import Properties, case_numbers

SEEDS = case_numbers(9, 36)
properties = Properties()
PRINTED = 1.1e-9
TIED = 2.1e-9
"""Values that differ only in the last decimal are ties and are made equal."""
Rows = dict[str, dict[str, float]]
"""By player, the probability of each joint move as JSON text."""

every_model = pytest.mark.parametrize("model", ["equilibrium", "quantal", "level-1"])
every_seed = pytest.mark.parametrize("seed", SEEDS)


def random_position(random: Random) -> State:
    """Return a position with few cards and watchers of at most one player, so without subgames."""
    owners = random.choice(("", "", "aabb", "abab"))
    count = 4 if owners else random.randint(3, 5)
    watching = random.choice((owners or "abcde")[:count])
    words = []
    for place in range(count):
        champions = random.sample("1234567", k=random.randint(0, 3 if count < 5 else 2))
        special = random.choice(("", "b"))
        if (owners or "abcde")[place] == watching:
            special += random.choice(("", "w"))
        words.append("".join([*champions, "h", *special]))
    length = random.choice((9, 30))
    low = random.choice((0, length - 4))
    return position(
        *words,
        scores=tuple(random.randint(low, length - 1) for _ in words),
        fruit={level: random.choice((0, 1, 2)) for level in range(1, 7)},
        on=track(length, (3, "fight", 1), (length - 2, "mana", 1)),
        players=owners,
    )


def random_weights(random: Random, state: State, asker: str) -> dict[str, dict[Move, float]]:
    """Return weights for some of the other players' seats."""
    return {
        seat.name: {Move(card): random.choice((0.0, 1.0, 3.0)) for card in seat.hand}
        | {Move(seat.hand[0]): 2.0}
        for seat in state.seats
        if seat.player != asker and random.random() < 0.4
    }


@cache
def asked(model: str, seed: int) -> tuple[PlainNormalForm, dict[str, dict[Move, float]], Any]:
    random = Random(f"hints {seed}")
    state = random_position(random)
    plain = PlainNormalForm(state, OBJECTIVES[seed % 3], {}, random.choice(state.players))
    weights = random_weights(random, state, plain.asker) if seed % 2 else {}
    print(model, seed, plain, weights)
    answer = ask("suggest", body_of(plain, weights, model, seed))
    return plain, weights, json.loads(json.dumps(answer))


def body_of(
    plain: PlainNormalForm, weights: dict[str, dict[Move, float]], model: str, seed: int
) -> dict[str, Any]:
    """Return the question as a request body."""
    given = {
        seat: {move.card.label: weight for move, weight in of_seat.items()}
        for seat, of_seat in weights.items()
    }
    return {
        "state": StateSchema().dump(plain.state),
        "player": plain.asker,
        "objective": plain.objective,
        "opponents": {"model": model, "weights": given},
        "nonce": f"{seed}",
        "include": ["facts"],
    }


def spelled(move: Any) -> str:
    return json.dumps(move, sort_keys=True)


def joint_moves(plain: PlainNormalForm, player: str) -> dict[str, dict[str, Move]]:
    """Return a player's joint moves by their JSON text."""
    own = [seat.name for seat in in_order(plain.state) if seat.player == player]
    legal = [plain.decision.choices[name] for name in own]
    dump = MoveSchema().dump
    return {
        spelled({name: dump(move) for name, move in zip(own, moves, strict=True)}): dict(
            zip(own, moves, strict=True)
        )
        for moves in product(*legal)
    }


def rows(answer: Any) -> Rows:
    """Return the printed strategies; the asker's strategy comes from ``moves``."""
    strategies = {
        player: {spelled(row["move"]): row["probability"] for row in mixture}
        for player, mixture in answer["strategies"].items()
    }
    strategies[answer["player"]] = {
        spelled(row["move"]): row["probability"] for row in answer["moves"] if row["probability"]
    }
    return strategies


def plays(
    plain: PlainNormalForm, strategies: Rows, player: str, own: dict[str, Move]
) -> Iterator[tuple[float, dict[str, Move]]]:
    """Yield the complete moves after a player's move against the others, with probabilities."""
    others = [name for name in plain.state.players if name != player]
    moves = {name: joint_moves(plain, name) for name in others}
    for theirs in product(*(strategies[name].items() for name in others)):
        chosen = dict(own)
        for name, (its, _) in zip(others, theirs, strict=True):
            chosen |= moves[name][its]
        yield prod(chance for _, chance in theirs), plain.played(chosen)


def move_values(plain: PlainNormalForm, strategies: Rows, player: str) -> dict[str, float]:
    """Return the value of each move of a player against these strategies of the others."""
    return {
        word: sum(
            chance * plain.value(moves, player)
            for chance, moves in plays(plain, strategies, player, own)
        )
        for word, own in joint_moves(plain, player).items()
    }


@properties
def values_are_expectations_against_the_printed_strategies(model: str, seed: int):
    plain, _, answer = asked(model, seed)
    expected = move_values(plain, rows(answer), plain.asker)
    values = {spelled(row["move"]): row["value"] for row in answer["moves"]}
    assert values == pytest.approx(expected, abs=TIED)


@every_model
@pytest.mark.parametrize("seed", SEEDS[::3])
def test_the_matrix_contains_expectations_given_one_other_move(model: str, seed: int):
    plain, weights, _ = asked(model, seed)
    question = body_of(plain, weights, model, seed) | {"include": ["matrix"]}
    answer = json.loads(json.dumps(ask("suggest", question)))
    met = False
    for player, table in answer["matrix"].items():
        for column, move in enumerate(table["against"]):
            supposed = rows(answer) | {player: {spelled(move): 1.0}}
            expected = move_values(plain, supposed, plain.asker)
            values = {
                spelled(own): row[column]
                for own, row in zip(table["moves"], table["values"], strict=True)
            }
            assert values == pytest.approx({word: expected[word] for word in values}, abs=TIED)
            met = True
    assert met or all(len(row) <= 1 for row in answer["strategies"].values())


@properties
def points_and_survival_are_expectations_against_the_printed_strategies(model: str, seed: int):
    plain, _, answer = asked(model, seed)
    moves = joint_moves(plain, plain.asker)
    for row in answer["moves"]:
        results = plays(plain, rows(answer), plain.asker, moves[spelled(row["move"])])
        outcome = plain.outcome([(play, chance) for chance, play in results], plain.asker)
        for kind, points in row["points"].items():
            assert points == pytest.approx(outcome[kind], abs=2 * PRINTED)
        for seat, chance in row["survival"].items():
            expected = outcome[f"survived:{seat}"] / outcome[f"played:{seat}"]
            assert chance == pytest.approx(expected, abs=2 * PRINTED)


@properties.when(lambda model, _: model != "level-1")
def the_gap_is_the_largest_gain_from_deviating_from_the_printed_strategies(model: str, seed: int):
    plain, weights, answer = asked(model, seed)
    strategies = rows(answer)
    worst = 0.0
    for player in plain.state.players:
        own = [seat.name for seat in plain.state.seats_of(player)]
        free = [name for name in own if name not in weights]
        values = move_values(plain, strategies, player)
        moves = joint_moves(plain, player)
        mean = sum(chance * values[word] for word, chance in strategies[player].items())
        if len(free) == len(own):
            best = max(values.values())
        elif free:
            # The other seat keeps its given weights.
            [given] = [name for name in own if name in weights]
            total = sum(weights[given].values())
            by_card: dict[Move, float] = {}
            for word, move in moves.items():
                chance = weights[given].get(move[given], 0.0) / total
                by_card[move[free[0]]] = by_card.get(move[free[0]], 0.0) + chance * values[word]
            best = max(by_card.values())
        else:
            best = mean
        worst = max(worst, best - mean)
    assert answer["search"]["epsilon"] == pytest.approx(worst, abs=PRINTED)


@properties.when(lambda model, _: model != "level-1")
def expected_values_match_the_printed_strategies(model: str, seed: int):
    plain, _, answer = asked(model, seed)
    strategies = rows(answer)
    for player in plain.state.players:
        values = move_values(plain, strategies, player)
        expected = sum(chance * values[word] for word, chance in strategies[player].items())
        assert answer["expected_values"][player] == pytest.approx(expected, abs=2 * PRINTED)


@properties
def given_weights_are_normalised_and_played(model: str, seed: int):
    plain, weights, answer = asked(model, seed)
    for player, row in rows(answer).items():
        moves = joint_moves(plain, player)
        for name in (seat.name for seat in plain.state.seats_of(player)):
            if name in weights:
                total = sum(weights[name].values())
                for card, weight in weights[name].items():
                    played = sum(p for word, p in row.items() if moves[word][name] == card)
                    assert played == pytest.approx(weight / total, abs=2e-8)


@pytest.mark.slow
@every_model
@every_seed
def test_a_hint_agrees_with_its_printed_strategies(model: str, seed: int):
    properties.check(model, seed)
