"""Styles that are added at a table: where they appear, and that nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from service.core.styles import Style, StyleLibrary, Valuation
from service.solver.opponents import refinement
from service.solver.opponents.habits import HABITS
from service.solver.opponents.inference import Choices, Observation, Round
from service.solver.opponents.refinement import (
    CAPACITY,
    NEW,
    PARENTS,
    PART,
    TableBeliefs,
    fold,
    fold_library,
)

SOLVERS = [Style("solver", Valuation((h, w))) for h in (0.0, 0.4, 0.8) for w in (1.0, 2.0)]
LIBRARY = StyleLibrary(
    version=1,
    kept_kinds=("stone", "joker"),
    choices="ab",
    styles=(Style("equilibrium"), Style("chance"), *SOLVERS),
    prior=(0.3, 0.1, *[0.1] * 6),
    steps=(0.1, 0.25),
)
TRUTH = (0.57, 1.6)
"""What the player of these tests thinks that cards are worth; no style of the library does."""


def observed(library: StyleLibrary, *players: str, truth: tuple[float, ...] = TRUTH) -> Round:
    """Return a round whose choice a style predicts the better the closer it is to the truth."""
    rows = np.tile(np.array([0.1, 0.9], np.float32), (len(library.styles), 1))
    for place, style in enumerate(library.styles):
        if style.family == "solver":
            pairs = zip(style.valuation.values, truth, LIBRARY.steps, strict=True)
            far = sum(abs(value - true) / step for value, true, step in pairs)
            rows[place] = 0.9 / (1.0 + far), 1.0 - 0.9 / (1.0 + far)
    seen = [Observation(Choices(rows, [("a",), ("b",)], habitual=False), [0])]
    return dict.fromkeys(players, seen)


def after(rounds: int, *players: str) -> TableBeliefs:
    table = TableBeliefs.start(LIBRARY, players)
    for _ in range(rounds):
        table = table.after(observed(table.library, *players))
    return table


def distance(style: Style) -> float:
    pairs = zip(style.valuation.values, TRUTH, LIBRARY.steps, strict=True)
    return sum(abs(value - true) / step for value, true, step in pairs)


def test_before_the_first_round_there_is_only_the_library():
    assert after(0, "x", "y").library == LIBRARY


def test_a_round_adds_neighbours_of_the_likeliest_solvers():
    table = after(1, "x")
    added = table.library.added
    assert len(added) == NEW == len(table.library.origins)
    for style, origin in zip(added, table.library.origins, strict=True):
        values, before = style.valuation.values, table.library.styles[origin].valuation.values
        steps = [abs(a - b) / s for a, b, s in zip(values, before, LIBRARY.steps, strict=True)]
        assert sorted(steps) == pytest.approx([0.0, 1.0])
        assert min(values) >= 0.0
    assert table.library.styles[: table.library.size] == LIBRARY.styles


def test_a_neighbour_takes_a_part_of_the_weight_and_of_the_prior(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(refinement, "NEW", 1)
    unrefined = TableBeliefs.start(LIBRARY, ["x"])
    seen = observed(LIBRARY, "x")
    plain, table = unrefined.after(seen, refined=False), unrefined.after(seen)
    [origin] = table.library.origins
    before, now = plain.by_player["x"].weights, table.by_player["x"].weights
    np.testing.assert_allclose(now[-1], PART * before[origin])
    np.testing.assert_allclose(now[origin], (1 - PART) * before[origin])
    assert table.library.prior[-1] == pytest.approx(PART * LIBRARY.prior[origin])


@pytest.mark.parametrize("rounds", [1, 3, 12])
def test_weights_stay_positive_and_add_up_and_styles_stay_distinct(rounds: int):
    library = (table := after(rounds, "x", "y")).library
    assert len(library.added) <= CAPACITY
    assert len(set(library.styles)) == len(library.styles) == len(library.prior)
    assert sum(library.prior) == pytest.approx(1.0)
    for belief in table.by_player.values():
        assert belief.weights.shape == (len(library.styles), len(HABITS))
        assert belief.weights.min() > 0.0
        assert belief.weights.sum() == pytest.approx(1.0)


def test_folding_returns_everything_to_the_library():
    table = after(9, "x")
    assert len(table.library.added) > NEW
    library, belief = fold_library(table.library), fold(table.library, table.by_player["x"])
    assert library == replace(LIBRARY, prior=library.prior)
    assert library.prior == pytest.approx(LIBRARY.prior)
    assert belief.weights.sum() == pytest.approx(1.0)
    alone = table.without_added()
    assert alone.library == library
    assert alone.by_player["x"].weights.tolist() == belief.weights.tolist()


def test_who_gives_way_returns_its_weight_to_its_origin(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(refinement, "MIN_WEIGHT", 2.0)  # No style gets a neighbour.
    table = after(0, "x")
    weights = np.full((10, len(HABITS)), 0.1 / len(HABITS))
    added = tuple(Style("solver", Valuation((0.1, w))) for w in (1.0, 2.0))
    library = replace(LIBRARY, styles=(*LIBRARY.styles, *added), prior=(0.1,) * 10, origins=(2, 3))
    belief = replace(table.by_player["x"], weights=weights)
    monkeypatch.setattr(refinement, "CAPACITY", 1)
    fewer = refinement._refine(TableBeliefs(library, {"x": belief}))
    assert fewer.library.origins == (2,)
    assert fewer.library.prior[3] == pytest.approx(0.2)
    assert fewer.by_player["x"].styles[3] == pytest.approx(0.2)


def test_a_style_that_may_get_a_neighbour_never_gives_way():
    assert PARENTS <= CAPACITY - NEW


def test_added_styles_move_to_the_player():
    def nearest(table: TableBeliefs) -> float:
        return min(distance(own) for own in table.library.styles if own.family == "solver")

    steps = [nearest(after(rounds, "x")) for rounds in (0, 1, 2, 4, 8)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 3.0
    assert steps[-1] < 0.8
    styles = after(8, "x").by_player["x"].styles
    assert distance(after(8, "x").library.styles[int(styles.argmax())]) < 1.5


def test_the_order_of_the_players_does_not_matter():
    def learn(*players: str) -> TableBeliefs:
        table = TableBeliefs.start(LIBRARY, players)
        for number in range(6):
            own = observed(table.library, "x") | observed(table.library, "y", truth=(0.1, 1.9))
            other = observed(table.library, "z", truth=(0.9, 0.1 * number))
            table = table.after(own | other)
        return table

    one, other = learn("x", "y", "z"), learn("z", "x", "y")
    assert one.library == other.library
    for player in "xyz":
        own, same = one.by_player[player], other.by_player[player]
        assert own.weights.tolist() == same.weights.tolist()


def test_a_library_without_steps_is_not_refined():
    library = replace(LIBRARY, steps=())
    table = TableBeliefs.start(library, ["x"]).after(observed(library, "x"))
    assert table.library == library
