"""The parts of a hint, against the evaluator and a plain computation."""

from collections import Counter
from functools import partial

import numpy as np
import pytest

from service.core.turn_budgets import Lines, TurnBudget
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.lookahead import LookAhead
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.engine.parts import PARTS, estimates
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.rules.state import observed
from service.games.snowcrest.rules.turn import Turn
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint
from service.solver.search.turn_plans import solve_with_plans
from tests.games.snowcrest.engine.plain_evaluation import shares
from tests.games.snowcrest.engine.plain_parts import (
    PlainTree,
    estimate,
    leaves_after,
    plain_terms,
)
from tests.games.snowcrest.engine.test_evaluation import random_states
from tests.games.snowcrest.positions import GAME, follow_actions, play_card, seat, table
from tests.solver.search.plain_attribution import Way, parts_of_ways

EVALUATOR = default_evaluator()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_terms_are_those_of_the_readable_features_and_sum_to_the_estimate(players):
    for now in random_states(players, 8, 25):
        for asker, player in enumerate(now.players):
            seen = observed(now, player)
            following = seen.turn or players
            vector = packing_of(seen.catalogue, players).pack(Turn(seen))
            [by_part] = LookAhead(seen, asker, EVALUATOR).terms_of(vector[None])
            assert by_part == pytest.approx(plain_terms(seen, following, asker=asker), abs=1e-9)
            total = by_part.sum(axis=0)[None]
            [share] = estimates(EVALUATOR, asker, players, seen.solo, total)
            estimated = np.array([shares(EVALUATOR, seen, following)])
            [expected] = EVALUATOR.stated(estimated, asker)
            assert share == pytest.approx(expected[asker], abs=1e-9)


# A plain computation --------------------------------------------------------------------------


def test_parts_equal_a_plain_computation_with_the_readable_rules():
    """A payment: tokens, gold or hand cards, and how full the village gets."""
    start = table(
        seat(
            "a", {0: "farmer", 4: "builder!"}, hand="potter scholar mason",
            tokens={"barley": 2, "gold": 2}, buildings={"farm": 2}, scrolls=3, omen=1,
        ),
        seat("b", scrolls=4, tokens={"bell": 2}),
        supply=14,
    )  # fmt: skip
    turn = follow_actions(start, play_card("potter", 1)).play
    node = GAME.pending(turn)
    question = TurnQuestion(turn, node, "a", "quick", None, None)
    game = SnowcrestTurns()
    [breadth] = game.budgets["quick"].breadths
    game.budgets = {"quick": TurnBudget((breadth,), 2, 10_000, lines=(Lines(None, 6),))}
    solution = solve_with_plans(game, question, None)
    hint = compare_choices(render_turn_hint(solution, question, ("a", "b")), solution, game, 0)
    tree = PlainTree(question)
    reached = [tree.reach(tree.after(value.choice), 1, 0).ends for value in hint.choices]
    ways = [
        Way(value.value, (), [(1.0, end)])
        for value, [end] in zip(hint.choices, reached, strict=True)
    ]
    leaves_of = partial(leaves_after, tree, rounds=2, determinizations=6)
    plain = parts_of_ways(ways, 0, PARTS, leaves_of, partial(estimate, 0))
    parts = [*map(Counter, plain)]
    met = set()
    for rank, value in enumerate(hint.choices):
        comparison = value.comparison
        other = [each.choice for each in hint.choices].index(comparison.other)
        for part in PARTS:
            expected = parts[rank][part] - parts[other][part]
            assert comparison.parts.get(part, 0.0) == pytest.approx(expected, abs=3e-9), part
            met |= {part} if abs(expected) > 1e-6 else set()
        assert sum(comparison.parts.values()) == pytest.approx(comparison.difference, abs=1e-12)
    assert {"resources", "hand", "buildings"} <= met
