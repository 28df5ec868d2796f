"""The parts of values, against a plain computation on trees made by hand."""

from dataclasses import dataclass, replace
from math import exp
from random import Random

import numpy as np
import pytest

from service.core.comparison import round_parts
from service.core.sequential import (
    NEXT_TURN,
    RESULT,
    EndValue,
    Leaves,
    Reach,
    SimilarNode,
)
from service.core.turn_budgets import Breadth, TurnBudget
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint, solve
from tests import randomized
from tests.solver.search import test_turn_expectimax as by_hand
from tests.solver.search.plain_attribution import PlainLeaf, parts_of_ways, ways_of

NAMES = ("own", NEXT_TURN, "others")
WIDE = TurnBudget((Breadth((99,) * 3, (99,) * 3, determinizations=3),), rounds=1, positions=0)


@dataclass(frozen=True)
class Leaf:
    """A probability with a result, or with the terms of the parts, two features each."""

    probability: float
    result: float | None
    terms: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class End:
    leaves: tuple[Leaf, ...]
    first: "End | None" = None
    preference: tuple[float, ...] = (0.0,)


@dataclass(frozen=True)
class Node:
    """Ends, and one event: a tuple of (probability, node)."""

    ends: tuple[End, ...] = ()
    event: tuple[tuple[float, "Node"], ...] = ()


def total(terms):
    return [sum(features) for features in zip(*terms, strict=True)]


def share(features):
    """Return a share that is not linear: the second feature changes the effect of the first."""
    return 1.0 / (1.0 + exp(-features[0] * (1.0 + 0.5 * features[1])))


def leaf_share(leaf):
    return leaf.result if leaf.result is not None else share(total(leaf.terms))


def end_share(end):
    return sum(leaf.probability * leaf_share(leaf) for leaf in end.leaves)


class Tree(by_hand.Tree):
    def reach(self, node, ends, events):
        return Reach(node.ends, [node.event] if node.event else [], 1, cut=False)

    def evaluate_end(self, end, rounds, determinizations):
        value = end_share(end)
        return EndValue(np.array([[value, 1.0 - value]]), 1, 1)

    def leaves(self, ends, rounds, determinizations):
        flat = [(number, leaf) for number, end in enumerate(ends) for leaf in end.leaves]
        nothing = ((np.nan, np.nan),) * len(NAMES)
        return Leaves(
            ends=np.array([number for number, _ in flat]),
            probabilities=np.array([leaf.probability for _, leaf in flat]),
            results=np.array([np.nan if leaf.result is None else leaf.result for _, leaf in flat]),
            terms=np.array([leaf.terms or nothing for _, leaf in flat]),
        )

    def estimate(self, features):
        return np.array([share(row) for row in features])


class TreeOfThree(Tree):
    """The third player surely loses."""

    players = (*by_hand.PLAYERS, "cid")

    def evaluate_end(self, end, rounds, determinizations):
        value = end_share(end)
        return EndValue(np.array([[value, 1.0 - value, 0.0]]), 1, 1)


class Game(by_hand.Game):
    budgets, parts = {"quick": WIDE}, NAMES


def hint_of(*nodes, tree=Tree):
    """Return the hint for choices that lead to these nodes, with comparisons."""
    game, question = Game(tree(nodes)), by_hand.question(len(nodes), "quick")
    solution = solve(game, question, None, attributed=True)
    return compare_choices(render_turn_hint(solution, question, tree.players), solution, game, 0)


def random_leaves(random):
    weights = [random.uniform(0.2, 1.0) for _ in range(random.randint(1, 3))]
    return tuple(
        Leaf(
            weight / sum(weights),
            float(random.randint(0, 1)) if random.random() < 0.2 else None,
            tuple((random.gauss(0, 1), random.gauss(0, 1)) for _ in NAMES),
        )
        for weight in weights
    )


def random_similar(random, node):
    """Return a node that resembles another one: two positions, and the change between them."""
    before, after = (End(random_leaves(random)) for _ in range(2))
    change = end_share(after) - end_share(before)
    return SimilarNode(node, (change, -change), (before, after))


def random_node(random):
    event = ()
    if random.random() < 0.5:
        below = [Node((End(random_leaves(random)),)) for _ in range(2)]
        event = ((0.3, below[0]), (0.7, below[1]))
    ends = tuple(End(random_leaves(random)) for _ in range(random.randint(1, 2)))
    if random.random() < 0.5:
        ends = tuple(replace(end, first=End(random_leaves(random))) for end in ends)
    return Node(ends, event)


# A plain computation --------------------------------------------------------------------------


def plain_leaves(end):
    nothing = ((0.0, 0.0),) * len(NAMES)
    pairs = [(leaf, np.array(leaf.terms or nothing)) for leaf in end.leaves]
    return [PlainLeaf(leaf.probability, leaf.result, terms) for leaf, terms in pairs]


@pytest.mark.parametrize("seed", randomized.case_numbers(10, 40))
def test_parts_equal_a_plain_computation_and_sum_to_the_difference(seed):
    print(f"seed {seed}")
    random = Random(seed)
    nodes = [random_node(random) for _ in range(4)]
    nodes += [random_similar(random, nodes[0]) for _ in range(2)]
    hint = hint_of(*nodes)
    ways = ways_of(Tree(nodes), range(len(nodes)), WIDE)
    sums = parts_of_ways(ways, hint.choices[0].choice, NAMES, plain_leaves, share)
    for value in hint.choices:
        comparison = value.comparison
        assert comparison.difference == pytest.approx(
            value.value - next(c.value for c in hint.choices if c.choice == comparison.other)
        )
        assert sum(comparison.parts.values()) == pytest.approx(comparison.difference, abs=1e-12)
        expected = {
            name: sums[value.choice][name] - sums[comparison.other][name]
            for name in (*NAMES, RESULT)
        }
        assert expected == pytest.approx(
            {name: comparison.parts.get(name, 0.0) for name in expected}, abs=3e-9
        )
        assert comparison.parts == round_parts(comparison.parts, comparison.difference)


def certain(*terms, result=None):
    return Node((End((Leaf(1.0, result, terms),)),))


def resembling(node, high, low, *others):
    """Return a node like another one, changed by the difference of two positions."""
    change = share(total(low)) - share(total(high))
    positions = End((Leaf(1.0, None, high),)), End((Leaf(1.0, None, low),))
    return SimilarNode(node, (change, -change, *others), positions)


def test_a_part_without_a_difference_is_absent():
    hint = hint_of(
        certain((1.0, 0.2), (0.5, 0.0), (-1.0, 0.3)), certain((0.4, 0.1), (0.5, 0.0), (-0.8, 0.3))
    )
    assert set(hint.choices[0].comparison.parts) == {"own", "others"}


def test_a_finished_game_belongs_to_the_result():
    hint = hint_of(certain((1.0, 0.0), (0.0, 0.0), (0.0, 0.0)), certain(result=1.0))
    [won, open_] = hint.choices
    assert won.comparison.parts == {RESULT: won.comparison.difference}
    assert open_.comparison.parts == {RESULT: -won.comparison.difference}


def test_choices_that_all_finish_the_game_differ_by_result():
    hint = hint_of(certain(result=0.0), certain(result=1.0))
    assert [value.comparison.parts for value in hint.choices] == [{RESULT: 1.0}, {RESULT: -1.0}]


def test_the_best_choice_is_compared_with_the_best_different_one():
    shares = (0.0, -0.001, -0.002, -0.5, -2.0)
    nodes = [certain((each, 0.0), (0.0, 0.0), (0.0, 0.0)) for each in shares]
    hint = hint_of(*nodes)
    assert [value.comparison.other for value in hint.choices] == [3, 0, 0, 0, 0]
    hint = hint_of(*nodes[:3])
    assert [value.comparison.other for value in hint.choices] == [1, 0, 0]
    hint = hint_of(nodes[0], nodes[0])
    assert [value.comparison.other for value in hint.choices] == [1, 0]
    assert hint.choices[0].comparison.parts == {}


def test_one_choice_has_no_comparison():
    [only] = hint_of(certain((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))).choices
    assert only.comparison is None


def test_a_similar_choice_has_the_parts_of_the_other_one_and_the_change():
    low, high = ((0.0, 0.0), (0.3, 0.0), (0.0, 0.0)), ((1.0, 0.0), (0.3, 0.0), (0.0, 0.0))
    change = share(total(low)) - share(total(high))
    node = certain(*high)
    [_, similar] = hint_of(node, resembling(node, high, low)).choices
    assert similar.comparison.difference == pytest.approx(change, abs=1e-9)
    assert similar.comparison.parts == {"own": similar.comparison.difference}


def test_what_is_equal_in_both_similar_positions_has_no_part():
    """The hint said "more points to come" for a card in a cell that only cost a villager: the
    positions differed from the reference by points, which decided what a villager was worth."""
    searched = certain((4.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    high, low = ((0.0, 1.0), (0.5, 0.0), (0.3, 0.0)), ((0.0, 1.0), (0.5, 0.0), (-0.2, 0.0))
    [_, similar] = hint_of(searched, resembling(searched, high, low)).choices
    assert similar.comparison.parts == {"others": similar.comparison.difference}


def test_a_limited_change_is_scaled():
    """A share cannot fall below 0, whatever the estimated difference is."""
    lost, high = certain(result=0.0), ((3.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    low = ((0.0, 0.0), (-1.0, 0.0), (0.0, 0.0))
    hint = hint_of(lost, resembling(lost, high, low))
    assert [value.value for value in hint.choices] == [0.0, 0.0]
    assert [value.comparison.parts for value in hint.choices] == [{}, {}]


def test_a_change_is_scaled_if_the_share_of_another_player_is_limited():
    """What is left of the sum of shares went to the largest part: 0.5 % of it in a played game."""
    searched = certain((1.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    high, low = ((1.0, 0.0), (0.5, 0.0), (0.0, 0.0)), ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    similar = resembling(searched, high, low, 0.0)
    change = similar.shares[0]
    # The third player has nothing to lose.
    limited = replace(similar, shares=(change, 0.1 - change, -0.1))
    whole, less = (
        hint_of(searched, each, tree=TreeOfThree).choices[1] for each in (similar, limited)
    )
    assert whole.value == pytest.approx(end_share(searched.ends[0]) + change, abs=1e-9)
    assert less.value == pytest.approx(whole.value / 1.1, abs=1e-9)
    scale = less.comparison.difference / whole.comparison.difference
    assert less.comparison.parts == pytest.approx(
        {part: scale * number for part, number in whole.comparison.parts.items()}, abs=2e-9
    )


def test_an_end_that_waits_has_its_own_parts_and_loses_them_in_the_next_turn():
    """A hint must not describe the position after going first, which its plan does not reach."""
    terms = ((1.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    going = End((Leaf(1.0, None, terms),))
    waiting = End((Leaf(1.0, None, ((2.0, 0.0), *terms[1:])),), going)
    [_, waits] = hint_of(Node((going,)), Node((waiting,))).choices
    assert waits.comparison.difference == 0.0
    parts = waits.comparison.parts
    assert parts["own"] > 0.1
    assert parts == {"own": parts["own"], NEXT_TURN: -parts["own"]}
