"""Expected outcomes under mixed strategies, with settled subgames, against plain expectations."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from service.core.simultaneous import ContinuationValue
from service.games.snow_time.engine.kernels import effects, heuristics, joint, parts, rounds
from service.games.snow_time.engine.stage_game.normal_form import SnowTimeNormalForm
from tests.games.snow_time.engine.plain_normal_form import (
    LATE,
    OBJECTIVES,
    PlainNormalForm,
    asked,
    random_normal_form,
)
from tests.games.snow_time.engine.profile_table import ProfileTable
from tests.games.snow_time.positions import position
from tests.randomized import Properties, case_numbers

SEEDS = case_numbers(6, 25)
properties = Properties()
WITHIN = 1e-11

WATCHERS = {
    "three watchers": position("35hw", "46hw", "hwb", fruit={4: 2, 6: 1}, on=None),
    "three watchers at the end": position("24hw", "3hw", "hwb", scores=(8, 7, 8), on=LATE),
    "two of each": position("5hw", "4hw", "hw", "6hb", fruit={5: 2}, on=None, players="abab"),
    "five": position("5hw", "5hw", "4h", "h", "6h", fruit={5: 1}, on=None),
}
CASES = [f"{name} | {objective}" for name in WATCHERS for objective in OBJECTIVES] + [
    f"seed {seed}" for seed in SEEDS
]
every_case = pytest.mark.parametrize("case", CASES)


@cache
def plain_of(case: str) -> PlainNormalForm:
    name, _, objective = case.partition(" | ")
    if objective:
        return asked(WATCHERS[name], objective)
    return random_normal_form(int(name.removeprefix("seed ")), most=1_500)


@properties
def payoffs_of_settled_profiles_are_those_of_their_mixture(case: str):
    plain = plain_of(case)
    table = ProfileTable(plain, seed=1)
    before = table.joint.payoffs.copy()
    settled = table.settle(0.7)
    print(case, plain.state, settled)
    left, _ = table.joint.open_profiles()
    assert not set(settled) & set(left.tolist())
    for profile in settled:
        expected = [
            sum(chance * plain.value(moves, player) for moves, chance in table.chances(profile))
            for player in table.joint.players
        ]
        np.testing.assert_allclose(table.joint.payoffs[:, profile], expected, rtol=0, atol=WITHIN)
    rest = np.setdiff1d(np.arange(before.shape[1]), settled)
    assert np.array_equal(table.joint.payoffs[:, rest], before[:, rest])


@pytest.mark.parametrize("share", [0.0, 0.6])
@every_case
def test_outcomes_are_the_expectations_over_the_others_strategies(case: str, share: float):
    plain = plain_of(case)
    table = ProfileTable(plain, seed=2)
    table.settle(share)
    print(case, plain.state, plain.revealed)
    together = np.concatenate(table.strategies)
    for asker in range(len(table.joint.players)):
        outcomes = table.joint.outcomes(asker, together)
        assert outcomes.shape == (table.joint.counts[asker], table.joint.columns(asker).width)
        named = [named_columns(table.joint, asker, row) for row in outcomes]
        player = table.joint.players[asker]
        expected = [table.plain.outcome(results, player) for results in table.results(asker)]
        for number, (one, other) in enumerate(zip(named, expected, strict=True)):
            assert one == pytest.approx(other, abs=WITHIN), table.joint.moves(asker)[number]


def named_columns(joint: SnowTimeNormalForm, asker: int, row: Any) -> dict[str, float]:
    columns = joint.columns(asker)
    numbers = {name: row[place] for name, place in columns.measures.items()}
    for number, player in enumerate(joint.players):
        numbers[f"gain:{player}"] = row[columns.gains][number]
        numbers[f"share:{player}"] = row[columns.shares][number]
    numbers["estimated"], numbers["mass"] = row[columns.estimated], row[columns.mass]
    assert len(numbers) == columns.width == len(row)
    return numbers


@properties
def mean_outcomes_do_not_depend_on_the_asker(case: str):
    """Expectations under the full strategies are the same for every asker."""
    table = ProfileTable(plain_of(case), seed=3)
    table.settle(0.5)
    together = np.concatenate(table.strategies)
    seen = []
    for asker, own in enumerate(table.strategies):
        columns = table.joint.columns(asker)
        mean = (own[:, None] * table.joint.outcomes(asker, together)).sum(axis=0)
        seen.append(
            [*mean[columns.gains], *mean[columns.shares], mean[columns.estimated],
             mean[columns.mass]]
        )  # fmt: skip
        assert mean[columns.mass] == pytest.approx(1, abs=WITHIN)
        assert sum(mean[columns.shares]) == pytest.approx(1, abs=WITHIN)
    np.testing.assert_allclose(seen, [seen[0]] * len(seen), rtol=0, atol=WITHIN)


@properties
def outcomes_do_not_depend_on_earlier_ones(case: str):
    """Shares are kept between calls, until subgames or later rounds change them."""
    asked_before, fresh = (ProfileTable(plain_of(case), seed=6) for _ in range(2))
    together = np.concatenate(fresh.strategies)
    asked_before.joint.outcomes(0, together)
    for table in (asked_before, fresh):
        table.settle(0.5)
    rows = [table.joint.outcomes(0, together).tobytes() for table in (asked_before, fresh)]
    assert rows[0] == rows[1]
    prospect = ContinuationValue(
        dict.fromkeys(fresh.joint.players, 2.0), dict.fromkeys(fresh.joint.players, 0.1)
    )
    profile = int(fresh.joint.open_profiles()[0][0]) if len(fresh.joint.open_profiles()[0]) else 0
    for table in (asked_before, fresh):
        for player in range(len(table.joint.players) if table is asked_before else 0):
            table.joint.outcomes(player, together)
        successors = table.joint.successors(profile)
        table.joint.set_continuation(
            profile, [prospect if after is not None else None for _, after in successors]
        )
    rows = [table.joint.outcomes(0, together).tobytes() for table in (asked_before, fresh)]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("case", [*CASES[:12], *CASES[-len(SEEDS) :: 4]])
def test_uncompiled_kernels_give_identical_bits(case: str, monkeypatch: pytest.MonkeyPatch):
    def everything() -> list[np.ndarray]:
        table = ProfileTable(plain_of(case), seed=5)
        first = table.joint.payoffs.copy()
        table.settle(0.5)
        together = np.concatenate(table.strategies)
        players = range(len(table.joint.players))
        return [
            first,
            table.joint.payoffs,
            table.joint.heuristic_payoffs(
                table.joint.typical_values, ignore_losses=[True, False] * 2
            ),
            table.joint.heuristic_payoffs(table.joint.typical_values, throughout=True),
            *(table.joint.outcomes(player, together) for player in players),
            *(table.joint.parts(player, together) for player in players),
        ]

    compiled = everything()
    for module in (rounds, effects, joint, heuristics, parts):
        for name, function in vars(module).items():
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
    for one, other in zip(everything(), compiled, strict=True):
        assert one.tobytes() == other.tobytes()


@every_case
def test_outcomes_agree_with_the_rules(case: str):
    properties.check(case)
