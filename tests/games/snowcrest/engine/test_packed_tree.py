"""The compiled tree of a turn equals the plain one; the seeds are printed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from service.core.game import Chance
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.engine import turn_tree
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.packed_tree import PackedTree, is_packable, is_suitable
from service.games.snowcrest.engine.plain_tree import PlainTree
from service.games.snowcrest.engine.turn_steps import TurnSteps
from service.games.snowcrest.engine.turn_tree import MAX_CELLS_PER_CARD, SnowcrestTurns
from service.games.snowcrest.rules.state import observed
from service.solver.search.turn_expectimax import solve
from tests.games.snowcrest.engine.kernels.test_twin import SEEDS, SETUPS, start, steps
from tests.games.snowcrest.positions import GAME

SEARCH = SnowcrestTurns()
EVERY = 23
"""Of the suitable decisions of a random game, one in so many is compared."""


def suitable_questions(seed: int, *, own_catalogue: bool) -> list[TurnQuestion]:
    """Return decisions of a random game, as the active player sees them."""
    found = [each for each in questions(seed, own_catalogue=own_catalogue) if is_suitable(each)]
    return found[seed % EVERY :: EVERY] or found[-1:]


def questions(seed: int, *, own_catalogue: bool = False) -> list[TurnQuestion]:
    """Return all decisions of a random game with a choice, as the active player sees them."""
    random, state, _ = start(seed, own_catalogue=own_catalogue)
    found = []
    for _, _, turn in steps(random, state):
        node = GAME.pending(turn)
        if node is None or isinstance(node, Chance):
            continue
        [(player, choices)] = node.choices.items()
        view = replace(turn, state=observed(turn.state, player), actions=())
        question = TurnQuestion(view, node, player, "standard", None, None)
        if len(choices) > 1:
            found.append(question)
    return found


@pytest.mark.parametrize("own_catalogue", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [seed for seed in SEEDS if len(SETUPS[seed % 6]["players"]) > 1])
def test_hints_are_the_same(seed, own_catalogue):
    """Values, parts of the reasons, secondary criteria and the work."""
    compared: Counter[str] = Counter()
    asked_for = suitable_questions(seed, own_catalogue=own_catalogue)
    if own_catalogue and not asked_for:
        pytest.skip("all turns of this catalogue are left to the plain rules")
    for number, question in enumerate(asked_for):
        effort = ("quick", "standard")[number % 4 == 0]
        asked = replace(question, effort=effort)
        plain, packed = (
            solve(
                SEARCH,
                asked,
                None,
                tree=tree(asked, default_evaluator(), MAX_CELLS_PER_CARD[effort], *more),
                attributed=True,
            )
            for tree, *more in ((PlainTree, TurnSteps(default_evaluator())), (PackedTree,))
        )
        for name in ("shares", "errors", "parts", "preferences"):
            expected, found = getattr(plain, name), getattr(packed, name)
            # The root of a rounding error is larger.
            tolerance = 1e-7 if name == "errors" else 1e-9
            assert np.array(found) == pytest.approx(np.array(expected), abs=tolerance), (
                name,
                question,
            )
        for name in ("rounds", "determinizations", "exact", "complete"):
            assert getattr(packed, name) == getattr(plain, name), (name, question)
        # Cards that copy cards that copy can need more room than a vector has.
        assert packed.nodes == plain.nodes or own_catalogue
        compared[question.decision.name] += 1
    print(compared)
    assert compared


def with_few_scrolls(seed: int) -> list[TurnQuestion]:
    """Return decisions of the last seat as if few scrolls were left."""
    found = []
    for question in questions(seed):
        state = question.play.state
        if state.turn + 1 == len(state.seats) and question.player == state.mover.player:
            few = replace(state, supply=3 + 3 * (len(found) % 3))
            found.append(replace(question, play=replace(question.play, state=few), effort="quick"))
    return [question for question in found if is_packable(question)][seed % EVERY :: EVERY]


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if len(SETUPS[seed % 6]["players"]) > 1])
def test_with_few_scrolls_the_plain_tree_is_needed_only_where_the_game_may_end(seed, monkeypatch):
    everything = replace(SEARCH.budgets["quick"], followed=10**9)
    monkeypatch.setitem(turn_tree.TURN_BUDGETS, "quick", everything)
    compared = 0
    for asked in with_few_scrolls(seed):
        tree = PlainTree(asked, default_evaluator(), 1, TurnSteps(default_evaluator()))
        rough = SEARCH.rough_tree(asked, tree)
        assert isinstance(rough, PackedTree)
        both = solve(SEARCH, asked, None, tree=tree, rough=rough, attributed=True)
        plain = solve(SEARCH, asked, None, tree=tree, attributed=True)
        for name in ("shares", "parts"):
            found, expected = np.array(getattr(both, name)), np.array(getattr(plain, name))
            assert found == pytest.approx(expected, abs=1e-9), (name, asked)
        compared += 1
    assert compared
