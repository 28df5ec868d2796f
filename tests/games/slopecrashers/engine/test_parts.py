"""The parts of a hint against a plain computation with the readable rules."""

from functools import partial

import pytest

from service.core.game import Decision
from service.core.sequential import RESULT
from service.core.turn_budgets import Breadth, TurnBudget
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.engine.end_leaves import PARTS
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.state import ActionType
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint
from service.solver.search.turn_plans import follow_plan, solve_with_plans
from tests.games.slopecrashers.engine.plain_evaluation import estimated
from tests.games.slopecrashers.engine.plain_parts import estimate, leaf_after
from tests.games.slopecrashers.positions import GAME, state
from tests.solver.search.plain_attribution import plain_parts

WALLED = ".... .... .#.. .... +... #... .... ...."


# Plain play -----------------------------------------------------------------------------------


def ends(turn):
    """Yield the positions after all ways to finish a turn without gift fields and attacks."""
    node = GAME.pending(turn)
    if node is None:
        yield GAME.rest(turn)
        return
    assert isinstance(node, Decision)
    [(player, choices)] = node.choices.items()
    for choice in choices:
        yield from ends(GAME.choose(turn, {player: choice}).play)


def best_end(turn):
    mover = turn.state.turn
    return max(ends(turn), key=lambda position: estimated(position, mover))


def play_turn(position):
    return best_end(GAME.begin(position).play)


POSITIONS = {
    "a snowman ahead": state(
        {"a": (1, 1), "b": (2, 3), "c": (0, 2)},
        WALLED,
        gifts={"a": "chili", "b": "spring chili"},
        snowmen=((2, 1),),
    ),
    "a way with a snowman and one with a gift field": state(
        {"a": (0, 1), "b": (2, 4, 3)},
        ".... ...g .... .##. .##. .##. .##. .##. .##. ....",
        snowmen=((7, 0),),
    ),
    "others near the finish": state(
        {"a": (2, 4, 1), "b": (2, 5, 3), "c": (2, 3, 0)}, WALLED, gifts={"a": "spring"}
    ),
}


@pytest.mark.parametrize("position", POSITIONS)
def test_parts_equal_a_plain_computation_with_the_readable_rules(position):
    start = GAME.begin(POSITIONS[position]).play
    # Only the best-rated end, as in the plain computation.
    budget = TurnBudget((Breadth((1,), (), 1),), rounds=1, positions=0)
    hint, _ = compared(start, {"quick": budget})
    assert len(hint.choices) >= 3
    after = [best_end(GAME.choose(start, {"a": value.choice}).play) for value in hint.choices]
    leaves = [leaf_after(each, 0, play_turn) for each in after]
    reference = next(leaf.terms for leaf in leaves if leaf.result is None)
    parts = [plain_parts(leaf, reference, PARTS, partial(estimate, 0)) for leaf in leaves]
    met = set()
    for rank, value in enumerate(hint.choices):
        comparison = value.comparison
        other = [each.choice for each in hint.choices].index(comparison.other)
        for part in (*PARTS, RESULT):
            expected = parts[rank].get(part, 0.0) - parts[other].get(part, 0.0)
            assert comparison.parts.get(part, 0.0) == pytest.approx(expected, abs=3e-9), part
            met |= {part} if expected else set()
        assert sum(comparison.parts.values()) == pytest.approx(comparison.difference, abs=1e-12)
    assert {"progress", "next-turn"} <= met or RESULT in met


def test_a_missed_turn_belongs_to_the_next_turn():
    """Stepping onto the snowman costs the next turn; what the others then do is its consequence."""
    start = GAME.begin(POSITIONS["a snowman ahead"]).play
    hint, _ = compared(start)
    misses = [
        value.comparison.parts
        for value in hint.choices
        if GAME.choose(start, {"a": value.choice}).play.state.seats[0].misses_turn
    ]
    assert misses
    for parts in misses:
        assert parts["next-turn"] < -abs(parts.get("others", 0.0))


def compared(turn, budgets=None):
    """Return the hint of a, with comparisons, and its plan."""
    question = TurnQuestion(turn, GAME.pending(turn), "a", "quick", None, None)
    game = SlopecrashersTurns()
    game.budgets = budgets or game.budgets
    solution = solve_with_plans(game, question, None)
    hint = render_turn_hint(solution, question, turn.state.players)
    plan = follow_plan(game.rules, question, solution.plans[0])
    return compare_choices(hint, solution, game, 0), plan


def test_parts_are_about_the_end_of_the_plan():
    """Where a player waits, they described where it would be after going first."""
    start = state({"a": (0, 0), "b": (2, 1)}, ".. " * 10, gifts={"a": "chili"})
    hint, plan = compared(GAME.begin(start).play)
    assert plan.choices[-1].type == ActionType.END
    [ended] = [each for each in hint.choices if each.choice.type == ActionType.END]
    assert ended.comparison.parts["progress"] < 0.0
