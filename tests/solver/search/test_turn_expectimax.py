"""The search of turns on trees made by hand, against a plain expectimax that follows everything."""

from dataclasses import dataclass
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from service.core.game import Decision
from service.core.sequential import Breadth, EndValue, Reach, TurnBudget, TurnQuestion
from service.core.violations import OutOfTime
from service.solver.search import turn_expectimax
from service.solver.search.turn_expectimax import render_turn_hint, solve, unpack
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
    """A turn's end, with ann's share in each world, and whether she waits there."""

    shares: tuple[float, ...]
    waits: bool = False


@dataclass(frozen=True)
class Node:
    """What can be come to: ends and events, each a tuple of (probability, node)."""

    ends: tuple[End, ...] = ()
    events: tuple[tuple[tuple[float, "Node"], ...], ...] = ()


class Tree:
    players = PLAYERS
    asker = 0

    def __init__(self, nodes):
        self.nodes = nodes
        self.reached = 0

    def after(self, choice):
        return self.nodes[choice]

    def reach(self, node, ends, events):
        self.reached += 1
        best = sorted(node.ends, key=lambda end: -float(np.mean(end.shares)))
        most = events or (not node.ends)
        cut = len(best) > ends or len(node.events) > most
        return Reach(best[:ends], node.events[:most], 1, cut)

    def outcomes(self, event, most):
        return event

    def evaluate_end(self, end, rounds, determinizations):
        shares = np.array(end.shares[:determinizations])
        # Who has won needs no turns of the others.
        both = np.stack([shares, 1.0 - shares], axis=1)
        return EndValue(both, len(both), int(end.shares != (1.0,)), end.waits)


class Game:
    evaluator, budgets = "by hand", TURN_BUDGETS

    def __init__(self, tree):
        self._tree = tree

    def tree(self, question):
        return self._tree

    def position_key(self, question):
        return b""


def question(count, effort="standard", chosen=None):
    return TurnQuestion(
        None, Decision("turn", {"ann": tuple(range(count))}), "ann", effort, None, chosen
    )


def plain(node):
    """The worth of a node, everything being followed."""
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


@pytest.mark.parametrize("seed", randomized.case_numbers(10, 30))
def test_followed_everywhere_it_is_plain_expectimax(seed, monkeypatch):
    print(f"seed {seed}")
    monkeypatch.setitem(TURN_BUDGETS, "standard", WIDE)
    random = Random(seed)
    nodes = [random_node(random, 3) for _ in range(4)]
    found = solve(Game(Tree(nodes)), question(4), None)
    assert [shares[0] for shares in found.shares] == pytest.approx([plain(node) for node in nodes])


def test_the_best_choice_comes_first_and_losses_are_against_it():
    nodes = [Node((End((share,)),)) for share in (0.2, 0.5, 0.3, 0.5)]
    asked = question(4, chosen=2)
    told = render_turn_hint(solve(Game(Tree(nodes)), asked, None), asked, PLAYERS)
    assert [value.choice for value in told.choices] == [1, 3, 2, 0]
    assert [value.loss for value in told.choices] == [0.0, 0.0, 0.2, 0.3]
    assert told.win_shares == {"ann": 0.5, "ben": 0.5}
    assert told.grade is not None
    assert told.grade[0].choice == 2
    assert told.grade[1] == "blunder"


def test_waiting_is_worth_no_more_than_the_best_that_leads_on():
    nodes = [Node((End((share,), waits),)) for share, waits in ((0.4, False), (0.9, True))]
    asked = question(2)
    told = render_turn_hint(solve(Game(Tree(nodes)), asked, None), asked, PLAYERS)
    assert [(each.choice, each.value) for each in told.choices] == [(0, 0.4), (1, 0.4)]
    worse = [Node((End((share,), share < 0.5),)) for share in (0.6, 0.2)]
    told = render_turn_hint(solve(Game(Tree(worse)), asked, None), asked, PLAYERS)
    assert [(each.choice, each.value) for each in told.choices] == [(0, 0.6), (1, 0.2)]


def test_who_can_only_wait_waits_as_well_as_it_goes():
    nodes = [Node((End((share,), True),)) for share in (0.2, 0.7)]
    told = render_turn_hint(solve(Game(Tree(nodes)), question(2), None), question(2), PLAYERS)
    assert [(each.choice, each.value) for each in told.choices] == [(1, 0.7), (0, 0.2)]


def test_where_a_choice_leads_on_its_waiting_is_of_no_account():
    both = Node((End((0.9,), True), End((0.3,))))
    found = solve(Game(Tree([both, Node((End((0.2,)),))])), question(2), None)
    assert [shares[0] for shares in found.shares] == [0.3, 0.2]


def test_the_error_is_the_standard_error_over_the_determinizations():
    found = solve(Game(Tree([Node((End((0.1, 0.3, 0.5)),))])), question(1), None)
    assert found.shares == [pytest.approx([0.3, 0.7])]
    assert found.errors == [pytest.approx(0.2 / 3**0.5)]
    assert found.determinizations == 3
    assert not found.exact


def test_it_is_exact_where_the_asker_wins_whatever_it_does():
    won, open_ = Node((End((1.0,)),)), Node((End((0.0,)),))
    assert solve(Game(Tree([won, won])), question(2), None).exact
    assert not solve(Game(Tree([won, open_])), question(2), None).exact
    many = Node((End((1.0,)),) * 40)
    assert not solve(Game(Tree([many])), question(1), None).exact, "not all were followed"


HIDDEN_DEEP = Node((End((0.1,)),), (((1.0, Node((End((0.9,)),))),),))
OTHER = Node((End((0.2,)),), (((1.0, Node((End((0.8,)),))),),))
ENDS_ALONE, ALL = Breadth((1,), (), determinizations=1), Breadth((9, 9), (9, 9), determinizations=1)


@pytest.mark.parametrize(
    ("positions", "values"), [(0, [0.1, 0.2]), (5, [0.1, 0.2]), (100, [0.9, 0.8])]
)
def test_all_choices_are_valued_at_the_widest_breadth_that_can_be_afforded(
    positions, values, monkeypatch
):
    effort = TurnBudget((ENDS_ALONE, ALL), rounds=1, positions=positions)
    monkeypatch.setitem(TURN_BUDGETS, "standard", effort)
    for order in ([0, 1], [1, 0]):
        nodes = [(HIDDEN_DEEP, OTHER)[place] for place in order]
        found = solve(Game(Tree(nodes)), question(2), None)
        assert [shares[0] for shares in found.shares] == pytest.approx(
            [values[place] for place in order]
        )
        assert found.complete


def test_a_deadline_leaves_what_was_finished_for_all(monkeypatch):
    effort = TurnBudget((ENDS_ALONE, ALL), rounds=1, positions=100)
    monkeypatch.setitem(TURN_BUDGETS, "standard", effort)
    for calls, values in ((2, [0.1, 0.2]), (4, [0.1, 0.2]), (99, [0.9, 0.8])):
        clock = iter([0.0] * calls)
        late = SimpleNamespace(monotonic=lambda clock=clock: next(clock, 1e12))
        monkeypatch.setattr(turn_expectimax, "time", late)
        found = solve(Game(Tree([HIDDEN_DEEP, OTHER])), question(2), 1.0)
        assert [shares[0] for shares in found.shares] == pytest.approx(values)
        assert found.complete is (calls == 99)
    monkeypatch.setattr(turn_expectimax, "time", SimpleNamespace(monotonic=lambda: 1e12))
    with pytest.raises(OutOfTime):
        solve(Game(Tree([HIDDEN_DEEP])), question(1), 1.0)


def test_the_worlds_told_are_those_of_the_breadth_that_was_finished(monkeypatch):
    node = Node((End((0.1, 0.2, 0.3, 0.4)),), (((1.0, Node((End((0.0,)),))),),))
    stages = Breadth((1,), (), determinizations=2), Breadth((1, 1), (1,), determinizations=4)
    for positions, determinizations in ((0, 2), (100, 4)):
        effort = TurnBudget(stages, rounds=1, positions=positions)
        monkeypatch.setitem(TURN_BUDGETS, "standard", effort)
        found = solve(Game(Tree([node])), question(1), None)
        assert found.determinizations == determinizations
        assert found.shares[0][0] == pytest.approx(0.15 if determinizations == 2 else 0.25)


def test_events_that_follow_each_other_without_an_end_are_all_followed():
    node = Node((End((0.25,)), End((0.5,))))
    for _ in range(5):
        node = Node(events=(((1.0, node),),))
    for effort in TURN_BUDGETS:
        found = solve(Game(Tree([node])), question(1, effort), None)
        assert found.shares == [[0.5, 0.5]]


def test_equal_nodes_are_searched_once():
    tree = Tree([Node((End((0.5,)),))] * 5)
    solve(Game(tree), question(5), None)
    assert tree.reached == len(TURN_BUDGETS["standard"].breadths)


def test_a_solve_comes_out_as_it_was_packed():
    found = solve(Game(Tree([Node((End((0.1, 0.4)),))])), question(1), None)
    assert unpack(found.pack()) == found
    for other in (b"", b"[]", b'{"shares": []}', b"\x00\x01"):
        with pytest.raises(ValueError, match="not a packed turn solution"):
            unpack(other)
