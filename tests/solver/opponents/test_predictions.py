"""Predictions of all styles: equal for equivalent positions, bit for bit."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from service.core.styles import Style, Valuation
from service.core.violations import OutOfTime
from service.games.snow_time.rules.state import State
from service.solver.budget import WorkMeter
from service.solver.canonical import cache_key, canonicalize, solve
from service.solver.opponents.fixed_models import joint_moves
from service.solver.opponents.predictions import (
    FAMILIES,
    equilibrium_questions,
    predict,
    unpack,
    valued_games,
)
from tests.games.snow_time.positions import move
from tests.solver.opponents.predicting import predicted
from tests.solver.scenarios import SUGGEST, Scenario, position

GAME = SUGGEST.search_game
LIBRARY = GAME.style_library
TABLE = position("1357hw", "246hb", "17hw", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))
PAIRS = position("17h", "26h", "3hw", "4hb", scores=(0, 4, 2, 2), owners="abab")


def canonical_of(state: State, player: str | None = None, **settings):
    settings = {"objective": "points", "model": "equilibrium"} | settings
    return canonicalize(GAME, Scenario(state, player or state.players[0], **settings).question)


def predictions_of(state: State, **settings):
    return predicted(GAME, canonical_of(state, **settings))


@pytest.mark.parametrize("state", [TABLE, PAIRS], ids=["three players", "two seats each"])
def test_each_style_has_a_distribution_over_the_moves_of_each_player(state: State):
    canonical, predictions = canonical_of(state), predictions_of(state)
    for number, rows in enumerate(predictions.rows):
        actors = [actor for actor, owner in canonical.owners.items() if owner == str(number)]
        moves = joint_moves(canonical.question, actors)
        assert rows.dtype == np.float32
        assert rows.shape == (len(LIBRARY.styles), len(moves))
        assert rows.min() >= 0.0
        np.testing.assert_allclose(rows.sum(axis=1), 1.0, atol=1e-5)


def test_a_row_is_that_of_its_family_and_valuation():
    canonical, predictions = canonical_of(TABLE), predictions_of(TABLE)
    stage_game = GAME.stage_game(replace(canonical.question, objective="win"))
    for index, style in enumerate(LIBRARY.styles):
        if style.family in FAMILIES:
            games = valued_games(stage_game, [style.valuation])
            [strategies] = FAMILIES[style.family](games, style.precision)
            together = np.concatenate([rows[index] for rows in predictions.rows])
            assert together.tolist() == strategies.astype(np.float32).tolist(), style.name


def test_the_equilibrium_row_is_the_strategy_of_a_hint():
    solution = solve(GAME, canonical_of(TABLE, objective="win", effort="standard"))
    for rows, own in zip(predictions_of(TABLE).rows, solution.strategies, strict=True):
        assert rows[LIBRARY.equilibrium].tolist() == own.astype(np.float32).tolist()


def test_a_leading_player_subtracts_the_mean_of_the_others():
    stage_game = GAME.stage_game(canonical_of(TABLE).question)
    values = (0.5, 1.0, 1.5)
    valuations = [Valuation(values), Valuation(values, leads=True)]
    own, leading = valued_games(stage_game, valuations).payoffs
    for player in range(3):
        mean = np.delete(own, player, axis=0).mean(axis=0)
        np.testing.assert_allclose(leading[player], own[player] - mean, atol=1e-12)


@pytest.mark.parametrize("state", [TABLE, PAIRS], ids=["three players", "two seats each"])
def test_names_and_seat_order_do_not_matter(state: State):
    names = {seat.name: f"x{place}" for place, seat in enumerate(reversed(state.seats))}
    players = {player: f"p{place}" for place, player in enumerate(reversed(state.players))}
    seats = [replace(s, name=names[s.name], player=players[s.player]) for s in state.seats]
    for order in (seats, seats[::-1], seats[1:] + seats[:1]):
        other = replace(state, seats=tuple(order))
        assert predictions_of(other).pack() == predictions_of(state).pack()
        real = {number: players[name] for number, name in enumerate(canonical_of(state).players)}
        assert dict(enumerate(canonical_of(other).players)) == real


def test_the_asker_and_its_question_do_not_matter():
    packed = {
        predicted(GAME, canonical_of(TABLE, player, effort=effort)).pack()
        for player in TABLE.players
        for effort in ("quick", "deep")
    }
    assert len(packed) == 1


def test_equal_players_have_equal_rows():
    one, other, _ = predictions_of(position("136h", "136h", "25hb", scores=(0, 0, 1))).rows
    assert one.tobytes() == other.tobytes()


def test_later_decisions_are_predicted_too():
    state = position("13hw", "25hw", "37h", fruit=(1, 0, 2, 0, 1, 1))
    watching = {"red": move("w"), "blue": move("w"), "green": move("3")}
    rows = predictions_of(state, revealed=watching).rows
    assert sorted(own.shape[1] for own in rows) == [1, 3, 3]
    healing = {"red": move("h"), "blue": move("h"), "green": move("3")}
    rows = predictions_of(state, revealed=healing).rows
    assert sorted(own.shape[1] for own in rows) == [1, 16, 16]
    for own in rows:
        np.testing.assert_allclose(own.sum(axis=1), 1.0, atol=1e-5)


def test_unpacking_restores_every_bit():
    predictions = predictions_of(TABLE)
    counts = [rows.shape[1] for rows in predictions.rows]
    restored = unpack(predictions.pack(), len(LIBRARY.styles), counts)
    for own, other in zip(restored.rows, predictions.rows, strict=True):
        assert own.tobytes() == other.tobytes()
    with pytest.raises(ValueError, match="not predictions"):
        unpack(predictions.pack()[:-4], len(LIBRARY.styles), counts)


def test_style_names_are_unique():
    names = [style.name for style in LIBRARY.styles]
    assert len(set(names)) == len(names)
    assert Style("level-1", Valuation((0.5, 1.0), leads=True), 4.0).name == (
        "level-1 0.5/1 at 4 leading"
    )


def test_predictions_cut_short_by_a_deadline_are_none():
    """They would be cached as complete, and later hints would depend on the machine."""
    canonical = canonical_of(TABLE)
    [asked] = equilibrium_questions(canonical)
    cut_short = replace(solve(GAME, asked), complete=False)
    with pytest.raises(OutOfTime):
        predict(GAME, canonical, [cut_short], WorkMeter(None))
    with pytest.raises(OutOfTime):
        predict(GAME, canonical, [solve(GAME, asked)], WorkMeter(time.monotonic()))


def test_the_solution_of_a_hint_serves_the_predictions_of_its_decision():
    for player in TABLE.players:
        asked = canonical_of(TABLE, player, objective="win", effort="standard")
        [needed] = equilibrium_questions(canonical_of(TABLE, player))
        assert cache_key(GAME, needed) == cache_key(GAME, asked)
