"""Limits of the work of a turn search: inside a long method, and in large decisions."""

from dataclasses import replace

import pytest

from service.core.turn_budgets import Breadth, Lines, TurnBudget
from service.solver.budget import cpu_limit
from service.solver.search.turn_expectimax import solve
from service.solver.search.turn_search import MOST_EVENTS
from tests.solver.search.test_turn_expectimax import (
    TURN_BUDGETS,
    End,
    Game,
    Node,
    Tree,
    question,
    searched,
    values,
)

ONE_END = Breadth((1,), (), determinizations=1)


class SlowTree(Tree):
    """A tree that takes ten positions for every reach, one after the other."""

    def __init__(self, nodes):
        super().__init__(nodes)
        self.searched = 0

    def watch(self, check):
        self.check = check

    def reach(self, node, ends, events):
        for count in range(1, 11):
            self.check(count)
            self.searched += 1
        return replace(super().reach(node, ends, events), positions=10)


class RecordingTree(Tree):
    """A tree that notes how many rounds are looked ahead, and for how many deals."""

    def __init__(self, nodes):
        super().__init__(nodes)
        self.asked = []

    def evaluate_end(self, end, rounds, determinizations):
        if rounds:
            self.asked.append((rounds, determinizations))
        return super().evaluate_end(end, rounds, determinizations)


@pytest.mark.parametrize(
    ("positions", "rounds", "ends"),
    # Ten ends, two deals, two players: forty positions for each round, in half of the budget.
    [(240, 3, 10), (239, 2, 10), (80, 1, 10), (79, 1, 9), (10, 1, 1), (0, 1, 1)],
)
def test_many_ends_are_evaluated_after_fewer_rounds(positions, rounds, ends, monkeypatch):
    """If one round is too much, the best choices are looked ahead; the best of all always is."""
    lines = Lines(None, 2), Lines(1, 4)
    budget = TurnBudget((ONE_END,), rounds=3, positions=positions, lines=lines)
    monkeypatch.setitem(TURN_BUDGETS, "standard", budget)
    nodes = [Node((End((place / 10,) * 4),)) for place in range(10)]
    tree = RecordingTree(nodes)
    solution = solve(Game(tree), question(10), None)
    assert solution.rounds == rounds
    assert tree.asked.count((rounds, 2)) == ends
    assert {asked for asked, _ in tree.asked} == {rounds}


@pytest.mark.parametrize(
    ("first", "expected"),
    [(9, [0.55, 0.55]), (10, [0.2, 0.55]), (20, [0.2, 0.55]), (21, [0.2, 0.7])],
)
def test_what_the_narrowest_breadth_has_no_budget_for_is_cut_off(first, expected, monkeypatch):
    budget = TurnBudget((ONE_END,), rounds=1, positions=0, first=first)
    monkeypatch.setitem(TURN_BUDGETS, "standard", budget)
    tree = SlowTree([Node((End((share,)),)) for share in (0.2, 0.7)])
    solution = solve(Game(tree), question(2), None)
    assert values(solution) == expected
    assert solution.complete
    assert not solution.exact


def test_a_search_without_cpu_time_has_a_value_for_every_choice(monkeypatch):
    budget = TurnBudget((ONE_END, ONE_END), rounds=1, positions=100)
    monkeypatch.setitem(TURN_BUDGETS, "standard", budget)
    with cpu_limit(0.0):
        solution = searched(*(Node((End((share,)),)) for share in (0.2, 0.7)))
    assert values(solution) == [0.55, 0.55]
    assert not solution.complete
    assert not solution.exact


def test_a_choice_from_which_nothing_is_reached_is_cut_off():
    assert values(searched(Node(), Node((End((0.2,)),)), effort="quick")) == [0.55, 0.2]


@pytest.mark.parametrize(("events", "share"), [(MOST_EVENTS, 0.9), (150, 0.55)])
def test_only_so_many_events_are_followed_one_after_another(events, share):
    """A chain of hundreds ended with a RecursionError."""
    node = Node((End((0.9,)),))
    for _ in range(events):
        node = Node(events=(((1.0, node),),))
    assert values(searched(node, effort="quick")) == [share]
