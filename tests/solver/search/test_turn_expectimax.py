"""Turn expectimax on trees made by hand, against a plain expectimax that searches everything."""

from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from service.core.game import Decision
from service.core.sequential import (
    EndValue,
    ErrorModel,
    Outcomes,
    Reach,
    Replies,
    SimilarNode,
    Waiting,
)
from service.core.turn_budgets import Breadth, TurnBudget
from service.core.turn_hints import TurnQuestion
from service.core.violations import OutOfTime
from service.solver.search.turn_expectimax import rank_choices, render_turn_hint, solve, unpack
from tests import randomized

PLAYERS = ("ann", "ben")
NARROW = Breadth((2, 1), (1,), determinizations=2)
TURN_BUDGETS = {
    "quick": TurnBudget((NARROW,), rounds=1, positions=0),
    "standard": TurnBudget(
        (NARROW, Breadth((6, 1), (3,), determinizations=4)), rounds=1, positions=60_000
    ),
}
EVERYTHING = Breadth((99,) * 4, (99,) * 4, determinizations=3)
WIDE = TurnBudget((EVERYTHING,), rounds=1, positions=0)


@dataclass(frozen=True)
class End:
    """The end of a turn, with ann's share in each determinization, and if she goes first."""

    shares: tuple[float, ...]
    first: "End | None" = None
    preference: tuple[float, ...] = (0.0,)


@dataclass(frozen=True)
class Node:
    """Reachable ends, events and attacks, each of the latter a tuple of (probability, node)."""

    ends: tuple[End, ...] = ()
    events: tuple[tuple[tuple[float, "Node"], ...], ...] = ()
    actions: int = 0
    attacks: tuple[tuple[tuple[float, "Node"], ...], ...] = ()


@dataclass(frozen=True)
class Answering:
    """The nodes after ben's replies to an attack."""

    nodes: tuple[Node, ...]


class Tree:
    players, looks_ahead = PLAYERS, True
    asker = 0

    def __init__(self, nodes):
        self.nodes = nodes
        self.reached = 0

    def watch(self, check):
        pass

    def after(self, choice):
        return self.nodes[choice]

    def reach(self, node, ends, events):
        self.reached += 1
        best = sorted(node.ends, key=lambda end: -float(np.mean(end.shares)))
        most = events or (not node.ends)
        cut = len(best) > ends or len(node.events) > most
        return Reach(best[:ends], node.events[:most], 1, cut, attacks=node.attacks)

    def outcomes(self, event, most):
        return Outcomes(event)

    def cut_off(self, node):
        return End((0.55,))

    def evaluate_end(self, end, rounds, determinizations):
        shares = np.array(end.shares[:determinizations])
        # After a win there are no turns of the others.
        both = np.stack([shares, 1.0 - shares], axis=1)
        return EndValue(both, len(both), int(end.shares != (1.0,)))

    def replies(self, node):
        return Replies(1, node.nodes) if isinstance(node, Answering) else None

    def preference(self, end):
        return end.preference

    def waiting(self, end):
        return end.first and Waiting(Reach([end.first], [], 0, cut=False), False, False)


class Game:
    evaluator, budgets = "by hand", TURN_BUDGETS

    def __init__(self, tree):
        self._tree = tree

    def tree(self, question):
        return self._tree

    def error_model(self, question):
        return ErrorModel(0.0, 0.0, 0.0)

    def assumes(self, question, choice):
        return False

    def position_key(self, question):
        return b""


def question(count, effort="standard", chosen=None):
    return TurnQuestion(
        None, Decision("turn", {"ann": tuple(range(count))}), "ann", effort, None, chosen
    )


def searched(*nodes, effort="standard", chosen=None, stop_at=None, tree=Tree):
    """Return the solution of the choice among these nodes."""
    return solve(Game(tree(nodes)), question(len(nodes), effort, chosen), stop_at)


def values(solution):
    return [shares[0] for shares in solution.shares]


def set_standard(monkeypatch, *breadths, positions=100):
    budget = TurnBudget(breadths, rounds=1, positions=positions)
    monkeypatch.setitem(TURN_BUDGETS, "standard", budget)


def stop_after(monkeypatch, calls):
    """Install a clock that shows a late time after some readings."""
    clock = iter([0.0] * calls)
    late = SimpleNamespace(monotonic=lambda: next(clock, 1e12))
    monkeypatch.setattr("service.solver.budget.time", late)


def plain(node):
    """Return the value of a node by a complete search."""
    ends = [float(np.mean(end.shares)) for end in node.ends]
    events = [sum(p * plain(inner) for p, inner in event) for event in node.events]
    return max(ends + events)


def random_node(random, depth):
    ends = tuple(
        End((random.random(),) * random.choice((1, 3))) for _ in range(random.randint(1, 4))
    )
    events = ()
    if depth:
        events = tuple(
            tuple((1 / 3, random_node(random, depth - 1)) for _ in range(3))
            for _ in range(random.randint(0, 2))
        )
    return Node(ends, events)


def test_another_player_replies_with_its_own_best_choice():
    """Draws after the answers are followed as deep as draws before them."""
    drawing = Node(ends=(End((0.2,)),), events=(((1.0, Node(ends=(End((0.6,)),))),),))
    answering = Answering((Node(ends=(End((0.9,)),)), drawing))
    attacking = Node(attacks=(((0.25, answering), (0.75, Node(ends=(End((1.0,)),)))),))
    solution = searched(attacking, Node((End((0.5,)),)), effort="quick")
    assert values(solution) == pytest.approx([0.25 * 0.6 + 0.75, 0.5])


@pytest.mark.parametrize("seed", randomized.case_numbers(10, 30))
def test_with_unlimited_breadth_the_search_equals_plain_expectimax(seed, monkeypatch):
    print(f"seed {seed}")
    monkeypatch.setitem(TURN_BUDGETS, "standard", WIDE)
    random = Random(seed)
    nodes = [random_node(random, 3) for _ in range(4)]
    assert values(searched(*nodes)) == pytest.approx([plain(node) for node in nodes])


def test_the_best_choice_comes_first_and_losses_refer_to_it():
    nodes = [Node((End((share,)),)) for share in (0.2, 0.5, 0.3, 0.5)]
    hint = render_turn_hint(searched(*nodes, chosen=2), question(4, chosen=2), PLAYERS)
    assert [value.choice for value in hint.choices] == [1, 3, 2, 0]
    assert [value.loss for value in hint.choices] == [0.0, 0.0, 0.2, 0.3]
    assert hint.win_shares == {"ann": 0.5, "ben": 0.5}
    graded, class_ = hint.grade
    assert (graded.choice, class_) == (2, "blunder")


def test_a_choice_is_graded_by_the_stake_of_the_best_one():
    """A loss of 0.0355 is good at a stake of 0.9, and an inaccuracy at one of 0.8645."""
    solution = searched(*(Node((End((share,)),)) for share in (0.9, 0.8645)), chosen=1)
    _, class_ = render_turn_hint(solution, question(2, chosen=1), PLAYERS).grade
    assert class_ == "good"


def test_an_end_is_worth_no_more_than_going_first():
    """Otherwise all players might wait for another one."""
    slow, fast = End((0.4,)), End((0.95,))
    nodes = [Node((End((0.9,), first),)) for first in (slow, fast, None)]
    assert values(searched(Node((slow,)), *nodes)) == [0.4, 0.4, 0.9, 0.9]


def ranking(*nodes):
    hint = render_turn_hint(searched(*nodes), question(len(nodes)), PLAYERS)
    return [each.choice for each in hint.choices]


def test_a_preference_decides_among_equal_values():
    better, worse = End((0.5,), preference=(2.0, 0.0)), End((0.5 + 1e-10,), preference=(1.0, 9.0))
    assert ranking(Node((worse,)), Node((better,))) == [1, 0]
    assert ranking(Node((worse,)), Node((End((0.4,), preference=(9.0, 9.0)),))) == [0, 1]
    low = [End((0.1,), preference=(number, 0.0)) for number in (1.0, 2.0)]
    assert ranking(Node((better,)), *(Node((end,)) for end in low)) == [0, 2, 1]


def test_the_best_end_of_equal_ones_is_the_preferred_one():
    """The expected preference decides, also below events."""
    few, many = End((0.5,), preference=(1.0,)), End((0.5,), preference=(3.0,))
    event = ((0.5, Node((few,))), (0.5, Node((many,))))
    assert ranking(Node((End((0.5,), preference=(1.9,)),)), Node(events=(event,))) == [1, 0]
    assert ranking(Node((End((0.5,), preference=(2.1,)),)), Node(events=(event,))) == [0, 1]
    assert ranking(Node((few,)), Node((few, many))) == [1, 0]


def test_of_equal_ends_the_one_after_fewer_actions_is_preferred():
    class Counted(Tree):
        def reach(self, node, ends, events):
            found = super().reach(node, ends, events)
            return replace(found, actions=[node.actions] * (len(found.ends) + len(found.events)))

    nodes = [Node((End((0.5,)),), actions=number) for number in (3, 1, 2)]
    assert rank_choices(searched(*nodes, tree=Counted), 0) == [1, 2, 0]


def test_a_choice_that_waits_comes_after_its_equals():
    going = End((0.4,), preference=(1.0,))
    waiting = End((0.9,), going, preference=(5.0,))
    assert ranking(Node((waiting,)), Node((going,))) == [1, 0]


def test_the_error_is_twice_the_standard_error_over_the_determinizations():
    solution = searched(Node((End((0.1, 0.3, 0.5)),)))
    assert solution.shares == [pytest.approx([0.3, 0.7])]
    assert solution.errors == [pytest.approx(0.4 / 3**0.5)]
    assert solution.determinizations == 3
    assert not solution.exact


def test_few_determinizations_that_agree_have_the_usual_error(monkeypatch):
    monkeypatch.setattr(Game, "error_model", lambda *_: ErrorModel(0.04, 0.0, 0.0))
    [error] = searched(Node((End((0.5, 0.5)),)), effort="quick").errors
    assert error == pytest.approx(2.0 * (3 * 0.04 * 0.25 / 4 / 2) ** 0.5)
    [alone] = searched(Node((End((0.5,)),)), effort="quick").errors
    assert alone == 0.0, "nothing is sampled"


def test_the_error_of_the_model_counts_where_a_share_is_estimated(monkeypatch):
    monkeypatch.setattr(Game, "error_model", lambda *_: ErrorModel(0.0, 0.1, 0.2))
    solution = searched(*(Node((End((share,)),)) for share in (0.5, 1.0)))
    assert solution.errors == [pytest.approx(0.05), 0.0]


def test_differences_have_an_error_even_of_equal_estimates(monkeypatch):
    monkeypatch.setattr(Game, "error_model", lambda *_: ErrorModel(0.0, 0.1, 0.2))
    nodes = [Node((End(shares),)) for shares in ((0.4, 0.6), (0.4, 0.4), (0.4, 0.6))]
    errors = searched(*nodes).difference_errors
    # Two standard errors over the deals are 0.2; that of the model is 0.2 √(s (1 - s)).
    assert errors == pytest.approx((0.0, (0.2**2 + 0.1**2) ** 0.5, 0.1))


def test_the_solution_is_exact_if_every_choice_wins(monkeypatch):
    monkeypatch.setattr(Game, "error_model", lambda *_: ErrorModel(0.3, 0.1, 0.2))
    won, open_ = Node((End((1.0,)),)), Node((End((0.0,)),))
    certain = searched(won, won)
    assert certain.exact
    assert (certain.errors, certain.difference_errors) == ([0.0, 0.0], (0.0, 0.0))
    assert not searched(won, open_).exact
    assert not searched(Node((End((1.0,)),) * 40)).exact, "not all ends were searched"


def test_an_exact_solution_has_no_errors(monkeypatch):
    """The shares are between 0 and 1, where estimates have errors."""

    class Finished(Tree):
        def evaluate_end(self, end, rounds, determinizations):
            return replace(super().evaluate_end(end, rounds, determinizations), positions=0)

    monkeypatch.setattr(Game, "error_model", lambda *_: ErrorModel(0.3, 0.1, 0.2))
    nodes = [Node((End((share,)),)) for share in (0.5, 0.25)]
    exact = searched(*nodes, tree=Finished)
    assert exact.exact
    assert (exact.errors, exact.difference_errors) == ([0.0, 0.0], (0.0, 0.0))
    assert searched(*nodes).difference_errors[1] > 0.0


HIDDEN_DEEP = Node((End((0.1,)),), (((1.0, Node((End((0.9,)),))),),))
OTHER = Node((End((0.2,)),), (((1.0, Node((End((0.8,)),))),),))
ENDS_ALONE, ALL = Breadth((1,), (), determinizations=1), Breadth((9, 9), (9, 9), determinizations=1)


@pytest.mark.parametrize(
    ("positions", "expected"), [(0, [0.1, 0.2]), (5, [0.1, 0.2]), (100, [0.9, 0.8])]
)
def test_all_choices_get_values_of_the_widest_breadth_within_the_budget(
    positions, expected, monkeypatch
):
    set_standard(monkeypatch, ENDS_ALONE, ALL, positions=positions)
    for solution, own in (
        (searched(HIDDEN_DEEP, OTHER), expected),
        (searched(OTHER, HIDDEN_DEEP), expected[::-1]),
    ):
        assert values(solution) == pytest.approx(own)
        assert solution.complete


def test_a_deadline_returns_the_last_breadth_finished_for_all_choices(monkeypatch):
    set_standard(monkeypatch, ENDS_ALONE, ALL)
    for calls, expected in ((2, [0.1, 0.2]), (4, [0.1, 0.2]), (99, [0.9, 0.8])):
        stop_after(monkeypatch, calls)
        solution = searched(HIDDEN_DEEP, OTHER, stop_at=1.0)
        assert values(solution) == pytest.approx(expected)
        assert solution.complete is (calls == 99)
    stop_after(monkeypatch, 0)
    with pytest.raises(OutOfTime):
        searched(HIDDEN_DEEP, stop_at=1.0)


FEW, MORE = Breadth((1,), (), determinizations=1), Breadth((1,), (), 4, best=2)


def test_only_the_best_choices_are_searched_again_until_the_best_one_is_among_them(monkeypatch):
    """The first two fall behind the third one, which then has to be searched as well."""
    set_standard(monkeypatch, FEW, MORE)
    deals = (0.9, 0.1, 0.1, 0.1), (0.8, 0.2, 0.2, 0.2), (0.7, 0.4, 0.4, 0.5), (0.45, 0.9, 0.9, 0.9)
    solution = searched(*(Node((End(shares),)) for shares in deals))
    assert values(solution) == pytest.approx([0.3, 0.35, 0.5, 0.45])
    assert solution.determinizations == 4
    assert solution.errors[3] == 0.0, "one deal"


def test_the_choice_to_grade_is_searched_as_far_as_the_best_ones(monkeypatch):
    set_standard(monkeypatch, FEW, replace(MORE, best=1))
    deals = (0.9, 0.8, 0.8, 0.8), (0.1, 0.6, 0.6, 0.6), (0.2, 0.3, 0.3, 0.3)
    nodes = [Node((End(shares),)) for shares in deals]
    assert values(searched(*nodes)) == pytest.approx([0.825, 0.1, 0.2])
    assert values(searched(*nodes, chosen=1)) == pytest.approx([0.825, 0.475, 0.2])
    assert values(searched(*nodes, chosen=0)) == pytest.approx([0.825, 0.1, 0.2])


def test_the_recommended_one_of_equal_choices_is_searched_again(monkeypatch):
    """A review searched it further and called the hint a mistake that lost 0.17."""
    set_standard(monkeypatch, FEW, replace(MORE, best=1))
    first = End((0.9, 0.9, 0.9, 0.9), preference=(0.0,))
    preferred = End((0.9, 0.5, 0.5, 0.5), preference=(1.0,))
    solution = searched(Node((first,)), Node((preferred,)))
    assert values(solution) == pytest.approx([0.9, 0.6])


def test_a_deadline_in_the_search_of_the_best_choices_keeps_the_first_values(monkeypatch):
    set_standard(monkeypatch, FEW, MORE)
    nodes = [Node((End((0.9, 0.1, 0.1, 0.1)),)), Node((End((0.8, 0.2, 0.2, 0.2)),))]
    for calls, expected in ((2, [0.9, 0.8]), (3, [0.9, 0.8]), (99, [0.3, 0.35])):
        stop_after(monkeypatch, calls)
        solution = searched(*nodes, stop_at=1.0)
        assert values(solution) == pytest.approx(expected)
        assert solution.complete is (calls == 99)


def test_similar_choices_are_searched_again_together(monkeypatch):
    set_standard(monkeypatch, FEW, replace(MORE, best=1))
    node = Node((End((0.9, 0.5, 0.5, 0.5)),))
    similar = SimilarNode(node, (-0.1, 0.1), (None, None))
    solution = searched(node, similar, Node((End((0.2, 0.9)),)))
    assert values(solution) == pytest.approx([0.6, 0.5, 0.2])


def test_the_difference_of_a_similar_choice_is_limited_in_the_mean_and_not_in_each_deal():
    node = Node((End((0.0, 0.9)),))
    similar = SimilarNode(node, (-0.1, 0.1), (None, None))
    assert values(searched(node, similar, effort="quick")) == pytest.approx([0.45, 0.35])


def test_the_number_of_determinizations_is_that_of_the_finished_breadth(monkeypatch):
    node = Node((End((0.1, 0.2, 0.3, 0.4)),), (((1.0, Node((End((0.0,)),))),),))
    breadths = Breadth((1,), (), determinizations=2), Breadth((1, 1), (1,), determinizations=4)
    for positions, determinizations, value in ((0, 2, 0.15), (100, 4, 0.25)):
        set_standard(monkeypatch, *breadths, positions=positions)
        solution = searched(node)
        assert solution.determinizations == determinizations
        assert values(solution) == [pytest.approx(value)]


def test_consecutive_events_without_an_end_are_all_searched():
    node = Node((End((0.25,)), End((0.5,))))
    for _ in range(5):
        node = Node(events=(((1.0, node),),))
    for effort in TURN_BUDGETS:
        assert searched(node, effort=effort).shares == [[0.5, 0.5]]


def test_equal_nodes_are_searched_once():
    tree = Tree([Node((End((0.5,)),))] * 5)
    solve(Game(tree), question(5), None)
    assert tree.reached == len(TURN_BUDGETS["standard"].breadths)


def test_unpacking_restores_a_packed_solution():
    solution = searched(Node((End((0.1, 0.4)),)))
    assert unpack(solution.pack()) == solution
    for other in (b"", b"[]", b'{"shares": []}', b"\x00\x01"):
        with pytest.raises(ValueError, match="not a packed turn solution"):
            unpack(other)
