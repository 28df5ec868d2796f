"""Lookahead in which the others keep their styles, against independent ways to the same values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from service.core.vocabulary import QUICK
from service.games.snow_time.rules.state import Move
from service.solver.budget import WorkMeter
from service.solver.canonical import canonicalize, solve
from service.solver.opponents import later_rounds
from service.solver.opponents.fixed_models import joint_moves
from service.solver.opponents.learned import respond
from service.solver.opponents.learned_play import LearnedPlay
from service.solver.opponents.safety import SafeMixture
from service.solver.search.strategy_profile import SolveContext
from tests.solver.opponents.predicting import predicted
from tests.solver.scenarios import SUGGEST, Scenario, position

GAME = SUGGEST.search_game
LIBRARY = GAME.style_library
STATE = position("3h", "2h", "4", scores=(20, 21, 22), fruit=(3, 2, 2, 2, 1, 1))


def question_of(objective: str = "win", **settings: Any) -> Any:
    return Scenario(STATE, STATE.players[0], objective, model="equilibrium", **settings).question


def weights_of(**by_family: float) -> np.ndarray:
    """Return float64[styles]: even weights within each family."""
    weights = np.zeros(len(LIBRARY.styles))
    for index, style in enumerate(LIBRARY.styles):
        weights[index] = by_family.get(style.family.replace("-", "_"), 0.0)
    return weights / weights.sum()


def play_of(canonical: Any, styles: np.ndarray, trust: float) -> LearnedPlay:
    """Return play in which all other players are predicted by the same mixture of styles."""
    predictions = predicted(GAME, canonical)
    asker = canonical.players.index(STATE.players[0])
    rows = [(styles[:, None] * own).sum(axis=0) for own in predictions.rows]
    given = [None if number == asker else own for number, own in enumerate(rows)]
    return LearnedPlay(given, [None if own is None else styles for own in given], trust, LIBRARY)


def keep_to_equilibrium(*arguments: Any) -> SafeMixture:
    _, _, asker, equilibrium, _, _ = arguments
    return SafeMixture(equilibrium[asker], 0.0, 0.0, 0.0)


def test_players_who_follow_hints_later_are_worth_what_the_equilibrium_search_says(
    monkeypatch: pytest.MonkeyPatch,
):
    """Same strategies of the others now, given as weights, and equilibrium in the next round."""
    monkeypatch.setattr(later_rounds, "safe_mixture", keep_to_equilibrium)
    question = question_of(depth=2, effort="deep")
    canonical = canonicalize(GAME, question)
    asker = canonical.players.index(question.player)
    play = play_of(canonical, weights_of(equilibrium=0.5, chance=0.5), trust=0.0)
    hints_later = weights_of(equilibrium=1.0)
    play = replace(play, styles=[None if own is None else hints_later for own in play.styles])
    answer = respond(GAME, canonical, asker, solve(GAME, canonical), play, WorkMeter(None))
    assert (answer.depth, answer.unsearched) == (2, 0.0)

    weights: dict[str, dict[Move, float]] = {}
    for number, own in enumerate(play.predicted):
        if own is not None:
            [actor] = canonical.actors_of(number)
            moves = joint_moves(question, [actor])
            choices = [move[actor] for move in moves]
            weights[canonical.players[number]] = dict(zip(choices, own.tolist(), strict=True))
    given = canonicalize(GAME, replace(question, weights=weights))
    searched = solve(GAME, given)
    assert (searched.depth, searched.unsearched) == (2, 0.0)
    columns = GAME.columns(len(canonical.players), canonical.actors_of(asker))
    place = given.players.index(question.player)
    for part in (columns.shares, columns.gains):
        own = answer.outcomes[asker][:, part][:, asker]
        other = searched.outcomes[place][:, part][:, place]
        np.testing.assert_allclose(own, other, atol=1e-6)


def test_a_later_round_is_worth_what_the_hint_for_it_says():
    question = question_of(effort=QUICK)
    canonical = canonicalize(GAME, question)
    asker = canonical.players.index(question.player)
    # Without the equilibrium, whose effort differs between the two ways.
    styles = weights_of(level_1=0.7, quantal=0.2, regret_matching=0.1)
    play = play_of(canonical, styles, trust=0.8)
    answer = respond(GAME, canonical, asker, solve(GAME, canonical), play, WorkMeter(None))
    context = SolveContext(GAME, canonical.owners, WorkMeter(None))
    everything = list(range(len(styles)))
    value = later_rounds._value(context, canonical.question, str(asker), play, everything)
    columns = GAME.columns(len(canonical.players), canonical.actors_of(asker))
    shares = (answer.strategies[asker][:, None] * answer.outcomes[asker]).sum(axis=0)
    for number in range(len(canonical.players)):
        assert value.shares[str(number)] == pytest.approx(shares[columns.shares][number], abs=1e-6)


def test_unlikely_styles_are_left_out_of_later_rounds():
    canonical = canonicalize(GAME, question_of())
    styles = np.full(len(LIBRARY.styles), 1e-3)
    styles[[3, 8]] = 0.5
    play = play_of(canonical, styles / styles.sum(), trust=0.5)
    assert later_rounds._likely_styles(play) == [3, 8]


def test_a_search_that_is_too_large_leaves_the_hint_at_one_round(monkeypatch: pytest.MonkeyPatch):
    budgets = dict.fromkeys(later_rounds.LOOKAHEAD_BUDGETS, 1)
    monkeypatch.setattr(later_rounds, "LOOKAHEAD_BUDGETS", budgets)
    shallow, deeper = (canonicalize(GAME, question_of(depth=depth)) for depth in (1, 2))
    asker = shallow.players.index(STATE.players[0])
    play = play_of(shallow, weights_of(chance=1.0), trust=0.8)
    solution = solve(GAME, shallow)
    one, two = (
        respond(GAME, canonical, asker, solution, play, WorkMeter(None))
        for canonical in (shallow, deeper)
    )
    assert (two.depth, two.complete) == (1, True)
    np.testing.assert_array_equal(one.strategies[asker], two.strategies[asker])
