"""Proven bounds of the choices of a turn, on trees made by hand."""

from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

from service.core.advice import UNKNOWN
from service.core.sequential import EndValue, Outcomes, Reach, Replies, SimilarNode
from tests import randomized
from tests.solver.search import test_turn_expectimax as by_hand

WON, LOST = (1.0, 1.0), (0.0, 0.0)


@dataclass(frozen=True)
class End:
    """The end of a turn with a share and its bounds."""

    share: float
    bounds: tuple[float, float] = UNKNOWN


@dataclass(frozen=True)
class Choices:
    """A decision of the asker: ends, and events that may go on."""

    ends: tuple[End, ...] = ()
    events: tuple["Event", ...] = ()
    cut: bool = False
    assumed: bool = False


@dataclass(frozen=True)
class Event:
    """Equally likely nodes, which may not be all."""

    nodes: tuple["Choices | Answers", ...]
    all: bool = True


@dataclass(frozen=True)
class Answers:
    """The nodes after another player's replies."""

    nodes: tuple[Choices, ...]


class Tree(by_hand.Tree):
    def reach(self, node, ends, events):
        return Reach(node.ends, node.events, 1, node.cut, assumed=node.assumed)

    def outcomes(self, event, most):
        chance = 1.0 / len(event.nodes)
        return Outcomes([(chance, node) for node in event.nodes], all=event.all)

    def evaluate_end(self, end, rounds, determinizations):
        return EndValue(np.array([[end.share, 1.0 - end.share]]), 1, 1, bounds=end.bounds)

    def replies(self, node):
        return Replies(1, node.nodes) if isinstance(node, Answers) else None

    def preference(self, end):
        return (0.0,)

    def waiting(self, end):
        return None


def bounds_of(*nodes):
    """Return the bounds that the search gives to each choice."""
    return by_hand.searched(*nodes, tree=Tree).bounds


def plain_bounds(node):
    match node:
        case End():
            return node.bounds
        case Choices():
            if node.assumed:
                return UNKNOWN
            below = [*map(plain_bounds, (*node.ends, *node.events))]
            return max(low for low, _ in below), 1.0 if node.cut else max(high for _, high in below)
        case Event(all=False):
            return UNKNOWN
    below = [*map(plain_bounds, node.nodes)]
    return min(low for low, _ in below), max(high for _, high in below)


def random_choices(random, depth):
    ends = tuple(
        End(random.random(), random.choice((WON, LOST, LOST, UNKNOWN, (0.5, 0.5))))
        for _ in range(random.randint(1, 3))
    )
    events = tuple(
        random_event(random, depth - 1) for _ in range(random.randint(0, 2) * (depth > 0))
    )
    return Choices(ends, events, random.random() < 0.15, random.random() < 0.1)


def random_event(random, depth):
    def node():
        replies = random.randint(0, 2)
        if not replies:
            return random_choices(random, depth)
        return Answers(tuple(random_choices(random, depth) for _ in range(replies)))

    return Event(tuple(node() for _ in range(random.randint(1, 3))), random.random() < 0.85)


@pytest.mark.parametrize("seed", randomized.case_numbers(20, 200))
def test_bounds_equal_a_plain_minimax(seed, monkeypatch):
    monkeypatch.setitem(by_hand.TURN_BUDGETS, "standard", by_hand.WIDE)
    random = Random(seed)
    nodes = [random_choices(random, 2) for _ in range(6)]
    assert [*bounds_of(*nodes)] == [*map(plain_bounds, nodes)]


def test_a_choice_that_resembles_a_sure_win_is_not_sure():
    won = Choices((End(1.0, WON),))
    assert [*bounds_of(won, SimilarNode(won, (0.0, 0.0), (won, won)))] == [WON, UNKNOWN]


def test_among_equal_values_a_sure_win_comes_first():
    nodes = Choices((End(1.0),)), Choices((End(1.0, WON),))
    solution = by_hand.searched(*nodes, tree=Tree)
    assert solution.preferences[1] > solution.preferences[0]


def test_nothing_is_proven_where_a_search_is_cut_off():
    class Cut(Tree):
        def cut_off(self, node):
            return End(1.0, WON)

    nodes = Choices(), Choices((End(0.2, LOST),))
    solution = by_hand.searched(*nodes, effort="quick", tree=Cut)
    assert [tuple(each) for each in solution.bounds] == [UNKNOWN, LOST]
