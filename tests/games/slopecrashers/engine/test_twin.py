"""Kernels and rules agree on random turns."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations, product
from random import Random

import numpy as np
import pytest

from service.core.game import Chance
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import estimation, forcing, rating, reaching, search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import (
    distances,
    make_board,
    pack_turn,
    race_of,
)
from service.games.slopecrashers.rules.choices import answer_choices
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.slopecrashers.rules.state import ActionType, Seat, State
from service.games.slopecrashers.rules.turn import Turn, apply_action
from tests import randomized
from tests.conformance.walks import random_turns
from tests.games.slopecrashers.positions import GAME, deck, state
from tests.games.slopecrashers.rules.test_properties import random_course, random_deck

SEEDS = randomized.case_numbers(8, 20)
TURNS = 60


def random_start(seed):
    random = Random(seed)
    seats = tuple(Seat(name) for name in "abcdef"[: random.randint(2, 6)])
    return random, State(seats, 0, random_course(random), random_deck(random))


def packed(start):
    """Return the packed turn that begins in a state, and its board."""
    board = make_board(start.course, start.deck)
    return pack_turn(GAME.begin(start).play, board), board


def by_rules(turn, board, action):
    """Return the packed position after an action by the rules; an attack may wait for answers."""
    return pack_turn(apply_action(turn, action).play, board).tobytes()


def by_kernel(vector, board):
    """Return the packed successors of a position by the kernel."""
    out = np.zeros((reaching.BRANCHES, at.LENGTH), np.int16)
    count = reaching.successors(vector, board.fields, board.uses, False, out)
    return {branch.tobytes() for branch in out[:count]}


def fits(turn):
    """Whether a packed position has room for the turn."""
    stacks = [len(seat.gifts) for seat in turn.state.seats]
    return max(stacks) < at.STACK and len(turn.state.snowmen) < at.SNOWMEN


def steps(random, state):
    """Yield each step of a random game: the turn, its decision or draw, and the turn after it."""
    for _, _, nodes, _ in islice(random_turns(GAME, state, random), TURNS):
        yield from ((visited.play, visited.node, visited.step.play) for visited in nodes)


@pytest.mark.parametrize("seed", SEEDS)
def test_kernels_apply_actions_and_begin_turns_like_the_rules(seed):
    """One difference: kernels allow going back and forth (S5); the search removes duplicates."""
    random, start = random_start(seed)
    board, compared = make_board(start.course, start.deck), 0
    for turn, node, after in steps(random, start):
        if isinstance(node, Chance):
            if fits(after):
                vector = pack_turn(turn, board)
                at.draw(vector, board.card_index(after.mover.gifts[0]))
                assert np.array_equal(vector, pack_turn(after, board))
            continue
        if fits(turn) and turn.attack is None:
            [legal] = node.choices.values()
            actions = [action for action in legal if action.type is not ActionType.END]
            vector = pack_turn(turn, board)
            assert reaching.may_end(vector) == (len(actions) < len(legal))
            kernel_results = by_kernel(vector, board)
            rule_results = {by_rules(turn, board, action) for action in actions}
            assert rule_results <= kernel_results
            assert len(kernel_results - rule_results) <= len(turn.visited)
            compared += 1
        if fits(turn) and after.over and not GAME.over(after.state):
            vector = pack_turn(turn, board)
            at.end_turn(vector)
            assert np.array_equal(vector, pack_turn(GAME.begin(after.state).play, board))
    assert compared > 20


@pytest.mark.parametrize("gift", ["rocket", "black-ice", "bee-sting", "carrier-pigeon"])
def test_kernels_resolve_attacks_like_the_rules_for_all_answers(gift):
    others = {"a": (3, 1), "b": (4, 1), "c": (3, 0), "d": (3, 2), "e": (2, 1), "f": (6, 1)}
    gifts = dict.fromkeys("bcdef", "magnet") | {"a": gift}
    cards = deck(**{"magnet": 6, gift.replace("-", "_"): 2, "snowman": 2})
    start = state(others, gifts=gifts, snowmen=((5, 1),), cards=cards)
    board, turn = make_board(start.course, start.deck), GAME.begin(start).play
    [choices] = GAME.pending(turn).choices.values()
    [attack] = [action for action in choices if action.gift is not None]
    opened = apply_action(turn, attack).play
    targets = len(opened.attack.waiting) if opened.attack is not None else 0
    for answers in product((0, 1), repeat=targets):
        after, foiled, vector = opened, 0, pack_turn(opened, board)
        for magnet in answers:
            seat = after.attack.waiting[0]
            foiled |= magnet << seat
            after = apply_action(after, answer_choices(after)[0 if magnet else 1]).play
            if magnet:
                at.discard(vector, at.take_top(vector, seat))
        at.settle(vector, board.fields, foiled)
        assert np.array_equal(vector, pack_turn(after, board))


@pytest.mark.parametrize("seed", SEEDS)
def test_reach_returns_all_positions_reachable_step_by_step(seed):
    """The plain search keeps a list of all positions, with the fewest actions before each."""
    random, start = random_start(seed)
    seats = tuple(
        Seat(seat.player, gifts=tuple(random.choices([card for card, _ in start.deck.counts], k=2)))
        for seat in start.seats
    )
    board = make_board(start.course, start.deck)
    vector = pack_turn(Turn(State(seats, 0, start.course, start.deck), movements=2), board)
    states = np.empty((4096, at.LENGTH), np.int16)
    scratch = np.zeros((2, 1 << 14), np.int64)
    count = reaching.reach(vector, board.fields, board.uses, reaching.STOP, states, scratch)
    assert count > 0
    actions = {vector.tobytes(): 0}
    waiting = list(actions)
    for before in waiting:
        position = np.frombuffer(before, np.int16).copy()
        if position[at.PHASE] == at.DECIDING:
            for after in by_kernel(position, board) - actions.keys():
                actions[after] = actions[before] + 1
                waiting.append(after)
    found = (each.tobytes() for each in states[:count])
    counted = dict(zip(found, scratch[1, :count].tolist(), strict=True))
    assert len(counted) == count
    assert counted == actions
    assert not scratch[0].any(), "the scratch table is cleared"
    # With little room, the first positions are the same; only a part of the table is used.
    few, small = states[:80].copy(), np.zeros((2, 1 << 13), np.int64)
    found = reaching.reach(vector, board.fields, board.uses, reaching.STOP, few, small)
    assert found == (count if count < 80 else -80)
    assert (few[: abs(found)] == states[: abs(found)]).all()
    assert (small[1, : abs(found)] == scratch[1, : abs(found)]).all()
    assert not small[0].any()


SECOND = at.SEAT + at.SEAT_SIZE + at.GIFTS
"""The gifts of the second seat."""


def test_a_deal_takes_the_unseen_gifts_from_the_pool():
    few = deck(spring=2, rocket=1, chili=1)
    start = state({"a": (0, 0), "b": (1, 0)}, gifts={"a": "spring", "b": "? ?"}, cards=few)
    dealt = set()
    for number in range(40):
        vector, _ = packed(start)
        assert search.deal_sample(vector, number, 1)
        stack = vector[SECOND:][:2].tolist()
        assert at.UNSEEN not in stack
        left = vector[at.POOL : at.POOL + 3].tolist()
        assert [left[card] + stack.count(card) for card in range(3)] == [1, 1, 1]
        dealt.add(tuple(stack))
    assert len(dealt) == 6
    known = state({"a": (0, 0), "b": (1, 0)}, gifts={"b": "rocket"}, cards=few)
    assert not search.deal_sample(packed(known)[0], 1, 1)


def test_the_deals_of_a_sample_are_spread_evenly():
    """Of four deals of a gift, each half of the pool is in two."""
    start = state({"a": (0, 0), "b": (1, 0)}, gifts={"b": "? ?"}, cards=deck(spring=8, rocket=8))
    dealt = []
    for number in range(4):
        vector, _ = packed(start)
        search.deal_sample(vector, number, 4)
        dealt.append(vector[SECOND:][:2].tolist())
    assert [sorted(cards) for cards in zip(*dealt, strict=True)] == [[0, 0, 1, 1]] * 2


def deal_probabilities(pool, hidden):
    """Return the probability of every list of cards drawn from a pool one after the other."""
    cards = [kind for kind, count in enumerate(pool) for _ in range(count)]
    lists = Counter(permutations(cards, hidden))
    return {one: Fraction(count, sum(lists.values())) for one, count in lists.items()}


@pytest.mark.parametrize("stacks", [{"b": "?"}, {"b": "? ?"}, {"b": "?", "c": "? spring ?"}])
def test_all_deals_have_their_probabilities(stacks):
    few = deck(spring=2, rocket=2, chili=1, magnet=1)
    start = state({"a": (0, 0), "b": (1, 0), "c": (2, 0)}, gifts=stacks, cards=few)
    vector, _ = packed(start)
    firsts = range(at.SEAT, at.SEAT + 3 * at.SEAT_SIZE, at.SEAT_SIZE)
    gifts = [
        first + at.GIFTS + place for first in firsts for place in range(vector[first + at.COUNT])
    ]
    places = [place for place in gifts if vector[place] == at.UNSEEN]
    plain = deal_probabilities(vector[at.POOL : at.POOL + 4].tolist(), len(places))
    probabilities = {}
    for number in range(search.count_deals(vector)):
        dealt = vector.copy()
        chance = search.deal_numbered(dealt, number)
        if chance > 0.0:
            probabilities[tuple(dealt[places].tolist())] = chance
            assert dealt[at.POOL :].sum() == vector[at.POOL :].sum() - len(places)
    assert probabilities == pytest.approx({one: float(chance) for one, chance in plain.items()})


def test_few_deals_are_all_searched():
    few = deck(spring=2, rocket=2, magnet=1)
    start = state({"a": (2, 0), "b": (1, 0)}, gifts={"b": "? ?"}, cards=few)
    vector, board = packed(replace(start, turn=1))
    race = race_of(board, default_evaluator())
    beyond = np.full((search.MIN_ROWS + 1, at.LENGTH), 77, np.int16)
    states, scratch = beyond[:-1], np.zeros((2, 16384), np.int64)

    def evaluate_end(position, samples):
        room, count = 12, np.zeros(1, np.int64)
        deals = search.Deals(
            np.empty((room, 2)), np.empty(room), np.empty((room, estimation.PARTS, 2))
        )
        minimax = forcing.Minimax(
            np.zeros(2, np.int64),
            np.empty((forcing.LEVELS, forcing.MAX_ENDS, at.LENGTH), np.int16),
            np.zeros((2, 4 * forcing.MAX_ENDS), np.int64),
        )
        rows = search.evaluate_end(
            position, 0, 1, (samples, room), race, states, scratch, minimax, deals, count
        )
        values, chances = deals.values[: abs(rows)], deals.chances[: abs(rows)]
        assert chances.sum() == pytest.approx(1.0)
        return rows, values, chances @ values

    plain = deal_probabilities(vector[at.POOL : at.POOL + 3].tolist(), 2)
    expected = np.zeros(2)
    for cards, chance in plain.items():
        dealt = vector.copy()
        dealt[SECOND : SECOND + 2] = cards
        for kind in cards:
            dealt[at.POOL + kind] -= 1
        rows, _, mean = evaluate_end(dealt, 1)
        assert rows == -1, "no card is hidden"
        expected += float(chance) * mean
    rows, _, mean = evaluate_end(vector, 4)
    assert rows == -len(plain)
    assert mean == pytest.approx(expected, abs=1e-12)
    more = state({"a": (2, 0), "b": (1, 0)}, gifts={"b": "? ? ?"}, cards=few)
    vector, _ = packed(replace(more, turn=1))
    rows, values, _ = evaluate_end(vector, 2)
    assert rows == 2, "27 deals are more than 12"
    assert values.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert (beyond[-1] == 77).all(), "no more rows are needed"


@pytest.mark.parametrize("rounds", [1, 2])
def test_all_players_play_on_to_the_end_of_the_askers_turn(rounds):
    start = state({"a": (2, 0), "b": (1, 0), "c": (4, 1)}, gifts={"b": "spring", "c": "rocket"})
    vector, board = packed(replace(start, turn=1))
    race = race_of(board, default_evaluator())
    states, scratch = np.empty((4096, at.LENGTH), np.int16), np.zeros((2, 16384), np.int64)
    value, count = np.empty(3), np.zeros(1, np.int64)
    played, after = vector.copy(), np.empty(at.LENGTH, np.int16)
    asker_turns, turns = 0, []
    while asker_turns < rounds:
        turns.append(int(played[at.TURN]))
        asker_turns += played[at.TURN] == 0
        rating.best_end(played, race, states, scratch, after, value)
        played[:] = after
    expected = np.empty(3)
    estimation.shares(played, race, expected)
    terms = np.empty((estimation.PARTS, 3))
    search.play_rounds(vector, 0, rounds, race, states, scratch, value, terms, count)
    assert vector.tolist() == played.tolist()
    assert value.tolist() == expected.tolist()
    assert turns[:3] == [1, 2, 0]
    assert turns[-1] == 0
    assert count[0] > len(turns)


@pytest.mark.parametrize("stack", ["rocket magnet", "magnet rocket", "rocket ?", "? magnet rocket"])
def test_gifts_further_down_are_worth_less_than_on_top(stack):
    """The shares of two players give the movements left, which match the evaluator's weights."""
    evaluator = replace(default_evaluator(), order=0.0, slope=1.0)
    start = state({"a": (2, 0), "b": (2, 1)}, gifts={"a": stack})
    (vector, board), out = packed(start), np.empty(2)
    estimation.shares(vector, race_of(board, evaluator), out)
    values = evaluator.worth | {"?": evaluator.hidden}, evaluator.deep | {"?": evaluator.hidden}
    saved = sum(values[depth > 0][gift] for depth, gift in enumerate(stack.split()))
    least = distances(start.course, evaluator.field)[1, 2, 0] - saved
    slope = 1.0 / np.sqrt(least + evaluator.room)
    assert out[0] == pytest.approx(1.0 / (1.0 + np.exp(-saved * slope)), rel=4e-3)


def test_the_exponential_is_close_to_numpys():
    arguments = np.linspace(-40.0, 0.0, 401)
    values = [estimation._exp(x) for x in arguments]
    assert values == pytest.approx(np.exp(arguments), rel=2e-3)
    assert estimation._exp(0.0) == 1.0
    assert values == sorted(values)


def test_a_packed_turn_contains_the_top_of_a_stack_that_is_too_deep():
    gifts, cards = {"a": "rocket " + "? " * 20}, deck(rocket=1, spring=30)
    deep = state({"a": (0, 0), "b": (1, 0)}, gifts=gifts, cards=cards)
    vector, board = packed(deep)
    assert vector[at.SEAT + at.COUNT] == at.STACK
    assert vector[at.SEAT + at.GIFTS + at.STACK - 1] == board.card_index(deep.mover.gifts[0])
    assert board.card_index(UNKNOWN) == at.UNSEEN
