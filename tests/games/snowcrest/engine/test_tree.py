"""The search tree of a turn against plain walks over the same choices."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from service.core.game import Decision
from service.core.sequential import SimilarNode
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.kernels.choices.candidates import list_candidates
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.rules.acting import act
from service.games.snowcrest.engine.kernels.searching import ASSUMED, ENDED, EVENT, OWN, settle
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.engine.position import Position
from service.games.snowcrest.engine.tree import Tree
from service.games.snowcrest.engine.turn_tree import MAX_CELLS_PER_CARD, SnowcrestTurns
from service.games.snowcrest.rules.actions import ActionType
from service.games.snowcrest.rules.progress import apply_choice
from service.games.snowcrest.rules.state import observed
from service.games.snowcrest.rules.turn import deciding_seat
from service.solver.search.turn_plans import follow_plan, solve_with_plans
from tests.games.snowcrest.engine.kernels.test_candidates import search_of
from tests.games.snowcrest.engine.kernels.test_twin import SEEDS, SETUPS, start, steps
from tests.games.snowcrest.engine.plain_evaluation import shares
from tests.games.snowcrest.plain_ends import next_turn
from tests.games.snowcrest.positions import GAME, activate, ask, bid, seat, state, table

SEARCH = SnowcrestTurns()
EVALUATOR = default_evaluator()
EVERY = 23
"""Of the decisions of a random game, one in so many is searched."""
FEW_SCROLLS = 12
"""With more of them a turn cannot end the game."""
WIDE = 40
"""Ends of a beam that keeps all positions of most turns."""


def tree_of(question: TurnQuestion[Any, Any]) -> Tree:
    return Tree(question, EVALUATOR, MAX_CELLS_PER_CARD[question.effort])


def questions(seed: int, *, own_catalogue: bool = False) -> list[TurnQuestion[Any, Any]]:
    """Return all decisions of a random game with a choice, as the deciding player sees them."""
    random, first, _ = start(seed, own_catalogue=own_catalogue)
    found = []
    for _, _, turn in steps(random, first):
        node = GAME.pending(turn)
        if not isinstance(node, Decision):
            continue
        [(player, choices)] = node.choices.items()
        assert turn.state.players[deciding_seat(turn)] == player
        view = replace(turn, state=observed(turn.state, player), actions=())
        if len(choices) > 1:
            found.append(TurnQuestion(view, node, player, "standard", None, None))
    return found[seed % EVERY :: EVERY] or found[-1:]


def choices_of(question: TurnQuestion[Any, Any]) -> list[Any]:
    [choices] = question.decision.choices.values()
    return [*choices]


def searched_nodes(question: TurnQuestion[Any, Any], tree: Tree, every: int) -> list[Position]:
    """Return the nodes after one in so many choices, without those that resemble others."""
    nodes = [tree.after(choice) for choice in choices_of(question)[::every]]
    return [node for node in nodes if isinstance(node, Position)]


def reached(question: TurnQuestion[Any, Any], position: Any) -> dict[int, set[bytes]]:
    """Return all ends and events of the asker's promising choices, one decision after the other."""
    packing = packing_of(question.play.state.catalogue, len(question.play.state.seats))
    search, asker = search_of(packing), question.play.state.players.index(question.player)
    found: dict[int, set[bytes]] = {ENDED: set(), EVENT: set()}
    open_, known = [position.copy()], set[bytes]()
    while open_:
        here = open_.pop()
        kind = settle(here, search, asker, True) & ~ASSUMED
        if kind != OWN:
            found[kind].add(here.tobytes())
            continue
        if here.tobytes() in known:
            continue
        known.add(here.tobytes())
        number = list_candidates(here, search, WIDE + 1)
        for choice in search.actions[:number].copy():
            after = here.copy()
            act(after, packing.cards, choice)
            open_.append(after)
    return found


@pytest.mark.parametrize("own_catalogue", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_wide_reach_finds_all_ends_and_events_that_choices_lead_to(seed, own_catalogue):
    for question in questions(seed, own_catalogue=own_catalogue):
        tree = tree_of(question)
        for node in searched_nodes(question, tree, 7):
            if node.vector[at.SUPPLY] <= FEW_SCROLLS:  # The last turn has other choices.
                continue
            expected = reached(question, node.vector)
            if len(expected[ENDED]) + len(expected[EVENT]) > WIDE:
                continue
            reach = tree.reach(node, WIDE, WIDE)
            assert {each.data for each in reach.ends} == expected[ENDED]
            assert {each.data for each in reach.events} == expected[EVENT]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_narrow_reach_keeps_the_ends_with_the_largest_estimates(seed):
    for question in questions(seed):
        tree = tree_of(question)

        def value(end: Position, tree: Tree = tree) -> float:
            return float(tree.evaluate_end(end, 0, 1).shares[:, tree.asker].mean())

        for node in searched_nodes(question, tree, 5):
            wide, narrow = (tree.reach(node, ends, ends) for ends in (WIDE, 2))
            few = narrow.positions == wide.positions  # The beam left nothing out on the way.
            if few and 2 < len(wide.ends) < WIDE and len(narrow.ends) == 2:
                best = sorted(map(value, wide.ends), reverse=True)[:2]
                assert [*map(value, narrow.ends)] == pytest.approx(best)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_node_without_budget_has_an_end_that_its_choices_lead_to(seed):
    """It was valued as if the turn ended there: a choice with three decisions more looked bad."""
    for question in questions(seed):
        tree = tree_of(question)
        for node in searched_nodes(question, tree, 5):
            if node.vector[at.SUPPLY] <= FEW_SCROLLS:
                continue
            end, reach = tree.cut_off(node), tree.reach(node, WIDE, WIDE)
            assert (end.kind, end.assumed) == (ENDED, True)
            if not reach.events and len(reach.ends) < WIDE:
                assert end.data in {each.data for each in reach.ends}


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if len(SETUPS[seed % 6]["players"]) > 1])
def test_cells_that_are_not_searched_differ_by_their_estimates(seed):
    """Readable rules and evaluation: the difference of the positions after the plays."""
    for question in questions(seed):
        tree, asker = tree_of(question), question.play.state.players.index(question.player)
        for choice in choices_of(question):
            node = tree.after(choice)
            if not isinstance(node, SimilarNode):
                continue
            assert choice.type is ActionType.PLAY
            plays = [each for each in choices_of(question) if each.card == choice.card]
            after = [apply_choice(question.play, each).play for each in plays]
            estimated = [shares(EVALUATOR, each.state, next_turn(each)) for each in after]
            stated = EVALUATOR.stated(np.array(estimated), asker)[:, asker]
            expected = stated[plays.index(choice)] - max(stated)
            assert node.shares[asker] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_a_search_can_be_stopped_at_any_position(seed):
    class Enough(Exception):
        pass

    for question in questions(seed):
        tree, counts = tree_of(question), list[int]()

        def check(count: int, counts: list[int] = counts) -> None:
            counts.append(count)
            if len(counts) == 3:
                raise Enough

        tree.watch(check)
        searched = searched_nodes(question, tree, 1)
        try:
            for node in searched:
                tree.reach(node, 4, 4)
        except Enough:
            assert len(counts) == 3
        for node in searched:
            assert tree.cut_off(node).kind == ENDED
        assert len(counts) <= 3


def last_turn() -> TurnQuestion[Any, Any]:
    """Return the last turn of a player who can pay for several decisions."""
    rich = seat("b", tokens={"barley": 2, "gold": 1}, buildings={"farm": 1})
    document = table(seat("a", scrolls=2), rich, turn="b", supply=0, ending=True)
    play = GAME.begin(state(document)).play
    return TurnQuestion(play, GAME.pending(play), "b", "standard", None, None)


@pytest.mark.parametrize(("more", "length"), [(-1, 1), (0, 2)])
def test_a_plan_ends_if_its_decisions_will_take_too_many_positions(more, length, monkeypatch):
    """Three decisions with 300 ms each would be too slow for a hint; a choice of the next one is
    expected to take as many positions as one of this one."""
    asked = last_turn()
    expected = solve_with_plans(SEARCH, asked, None)
    [following] = follow_plan(GAME, asked, expected.plans[0][:1]).open.choices.values()
    both = expected.nodes + expected.nodes / len(choices_of(asked)) * len(following)
    limit = replace(SEARCH.budgets["standard"], planned=both + more)
    monkeypatch.setattr(SnowcrestTurns, "budgets", {"standard": limit})
    found = solve_with_plans(SEARCH, last_turn(), None)
    assert len(expected.plans[0]) == 2
    assert found.plans[0] == expected.plans[0][:length]
    assert found.complete


def test_equal_plays_of_the_last_turn_are_searched_once():
    asked = last_turn()
    tree = tree_of(asked)
    plays = [each for each in choices_of(asked) if each.type is ActionType.PLAY]
    nodes = {tree.after(each) for each in plays}
    assert 1 < len(nodes) < len(plays)


def test_a_bid_in_a_meditation_that_ends_the_game_is_searched():
    """What is paid decides majorities: the hint paid a forge and lost a game that 2 gold win."""
    own = seat("b", hand="monk abbess scholar", buildings={"farm": 1, "forge": 2}, scrolls=10,
               tokens={"barley": 2, "bell": 1, "bowl": 1, "gold": 3})  # fmt: skip
    village = {0: "farmer", 2: "woodcutter", 4: "hermit", 6: "builder", 8: "acolyte"}
    other = seat("a", village, scrolls=10, tokens={"barley": 1, "bell": 4, "bowl": 3, "gold": 4})
    start_ = table(own, other, supply=2, turn="a")
    turn = [activate(4), bid(tokens={"bell": 1})]
    hint = ask("suggest", {"state": start_, "so_far": turn, "player": "b"})
    assert hint["moves"][0]["value"] == 1.0
