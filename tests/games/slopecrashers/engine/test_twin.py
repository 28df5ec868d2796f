"""The kernels of turns against the plain rules, over random turns whose seeds are printed."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np
import pytest

from service.core.chance import draw
from service.core.game import Chance
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import reaching, search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import (
    FAR,
    board,
    evaluation_arguments,
    pack_turn,
    way,
)
from service.games.slopecrashers.rules.choices import answer_choices
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.slopecrashers.rules.state import ActionType, Seat, State
from service.games.slopecrashers.rules.turn import Turn, apply_action
from tests import randomized
from tests.games.slopecrashers.positions import GAME, deck, state
from tests.games.slopecrashers.rules.test_properties import random_course, random_deck

SEEDS = randomized.case_numbers(8, 20)
TURNS = 60


def started(seed):
    print(f"seed {seed}")
    random = Random(seed)
    seats = tuple(Seat(name) for name in "abcdef"[: random.randint(2, 6)])
    return random, State(seats, 0, random_course(random), random_deck(random))


def by_rules(turn, seen, atom):
    """The packed position that the rules make of an atom, whoever has a magnet using it."""
    after = apply_action(turn, atom).play
    while after.attack is not None:
        after = apply_action(after, answer_choices(after)[0]).play
    return pack_turn(after, seen).tobytes()


def by_kernel(vector, seen):
    out = np.zeros((reaching.BRANCHES, at.LENGTH), np.int16)
    count = reaching.successors(vector, seen.fields, seen.uses, False, out)
    return {branch.tobytes() for branch in out[:count]}


def fits(turn):
    return all(len(seat.gifts) < at.STACK for seat in turn.state.seats) and (
        len(turn.state.snowmen) < at.SNOWMEN
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_each_atom_makes_the_same_of_a_turn(seed):
    """But for one thing: kernels do not refuse to go back and forth (S5); searches drop that."""
    random, state = started(seed)
    seen = board(state.course, state.deck)
    compared = 0
    for _ in range(TURNS):
        if GAME.over(state):
            break
        step = GAME.begin(state)
        while (node := GAME.pending(step.play)) is not None:
            turn = step.play
            if isinstance(node, Chance):
                step = GAME.draw(turn, draw(node, random.getrandbits(32)))
                if fits(step.play):
                    vector = pack_turn(turn, seen)
                    at.draw(vector, seen.number(step.play.mover.gifts[0]))
                    assert np.array_equal(vector, pack_turn(step.play, seen))
                continue
            [(player, legal)] = node.choices.items()
            if turn.attack is None and fits(turn):
                vector = pack_turn(turn, seen)
                assert reaching.may_end(vector) == any(
                    atom.type is ActionType.END for atom in legal
                )
                mine = by_kernel(vector, seen)
                theirs = {
                    by_rules(turn, seen, atom) for atom in legal if atom.type is not ActionType.END
                }
                assert theirs <= mine
                assert len(mine - theirs) <= len(turn.visited)
                compared += 1
            step = GAME.choose(turn, {player: random.choice(legal)})
        state = GAME.rest(step.play)
    assert compared > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_the_next_turn_begins_the_same(seed):
    random, state = started(seed)
    seen = board(state.course, state.deck)
    for _ in range(TURNS):
        if GAME.over(state):
            break
        step = GAME.begin(state)
        while (node := GAME.pending(step.play)) is not None:
            turn = step.play
            if isinstance(node, Chance):
                step = GAME.draw(turn, draw(node, random.getrandbits(32)))
                continue
            [(player, legal)] = node.choices.items()
            step = GAME.choose(turn, {player: random.choice(legal)})
            if step.play.over and not GAME.over(step.play.state) and fits(turn):
                vector = pack_turn(turn, seen)
                at.end_turn(vector)
                assert np.array_equal(vector, pack_turn(GAME.begin(step.play.state).play, seen))
        state = GAME.rest(step.play)


@pytest.mark.parametrize("gift", ["rocket", "black-ice", "bee-sting", "carrier-pigeon"])
def test_attacks_are_settled_the_same_whoever_foils_them(gift):
    others = {"a": (3, 1), "b": (4, 1), "c": (3, 0), "d": (3, 2), "e": (2, 1), "f": (6, 1)}
    gifts = dict.fromkeys("bcdef", "magnet") | {"a": gift}
    start = state(others, gifts=gifts, snowmen=((5, 1),), cards=deck(**_plenty(gift)))
    seen = board(start.course, start.deck)
    turn = GAME.begin(start).play
    [choices] = GAME.pending(turn).choices.values()
    [attack] = [atom for atom in choices if atom.gift is not None]
    opened = apply_action(turn, attack).play
    asked = len(opened.attack.waiting) if opened.attack is not None else 0
    for answers in range(1 << asked):
        after, foiled = opened, 0
        for place in range(asked):
            magnet = answers >> place & 1
            foiled |= magnet << after.attack.waiting[0]
            after = apply_action(after, answer_choices(after)[0 if magnet else 1]).play
        vector = pack_turn(opened, seen)
        for seat in range(6):
            if foiled >> seat & 1:
                at.discard(vector, at.take_top(vector, seat))
        at.settle(vector, seen.fields, foiled)
        assert np.array_equal(vector, pack_turn(after, seen))


def _plenty(gift):
    return {"magnet": 6, gift.replace("-", "_"): 2, "snowman": 2}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reach_is_all_that_can_be_come_to_step_by_step(seed):
    """The plain twin keeps a list and looks each position up in it."""
    random, start = started(seed)
    seats = tuple(
        Seat(seat.player, gifts=tuple(random.choices([card for card, _ in start.deck.counts], k=2)))
        for seat in start.seats
    )
    seen = board(start.course, start.deck)
    vector = pack_turn(Turn(State(seats, 0, start.course, start.deck), movements=2), seen)
    states = np.empty((4096, at.LENGTH), np.int16)
    scratch = np.zeros((2, 1 << 14), np.int64)
    count = reaching.reach(vector, seen.fields, seen.uses, False, states, scratch)
    assert count > 0
    found, here = [vector.tobytes()], 0
    while here < len(found):
        position = np.frombuffer(found[here], np.int16).copy()
        if position[at.PHASE] == at.DECIDING:
            found += [told for told in by_kernel(position, seen) if told not in found]
        here += 1
    assert sorted(state.tobytes() for state in states[:count]) == sorted(found)
    assert not scratch[0].any(), "left as it was found"


def test_a_deal_takes_the_unseen_gifts_from_the_pool():
    few = deck(spring=2, rocket=1, chili=1)
    start = state({"a": (0, 0), "b": (1, 0)}, gifts={"a": "spring", "b": "? ?"}, cards=few)
    seen = board(start.course, start.deck)
    dealt = set()
    for number in range(40):
        vector = pack_turn(GAME.begin(start).play, seen)
        assert search.deal_sample(vector, number)
        stack = vector[at.SEAT + at.SEAT_SIZE + at.GIFTS :][:2].tolist()
        assert at.UNSEEN not in stack
        left = vector[at.POOL : at.POOL + 3].tolist()
        assert [left[card] + stack.count(card) for card in range(3)] == [1, 1, 1]
        dealt.add(tuple(stack))
    assert len(dealt) == 6
    known = state({"a": (0, 0), "b": (1, 0)}, gifts={"b": "rocket"}, cards=few)
    assert not search.deal_sample(pack_turn(GAME.begin(known).play, seen), 1)


def dealt_plainly(pool, hidden):
    """The chance of every list of so many cards from a pool, one drawn after the other."""
    cards = [kind for kind, count in enumerate(pool) for _ in range(count)]
    lists = Counter(permutations(cards, hidden))
    return {one: Fraction(count, sum(lists.values())) for one, count in lists.items()}


@pytest.mark.parametrize("stacks", [{"b": "?"}, {"b": "? ?"}, {"b": "?", "c": "? spring ?"}])
def test_all_deals_are_those_that_can_be_with_their_chances(stacks):
    few = deck(spring=2, rocket=2, chili=1, magnet=1)
    start = state({"a": (0, 0), "b": (1, 0), "c": (2, 0)}, gifts=stacks, cards=few)
    seen = board(start.course, start.deck)
    vector = pack_turn(GAME.begin(start).play, seen)
    places = [
        at.SEAT + seat * at.SEAT_SIZE + at.GIFTS + place
        for seat in range(3)
        for place in range(vector[at.SEAT + seat * at.SEAT_SIZE + at.COUNT])
        if vector[at.SEAT + seat * at.SEAT_SIZE + at.GIFTS + place] == at.UNSEEN
    ]
    plain = dealt_plainly(vector[at.POOL : at.POOL + 4].tolist(), len(places))
    found = {}
    for number in range(search.count_deals(vector)):
        dealt = vector.copy()
        chance = search.deal_numbered(dealt, number)
        if chance > 0.0:
            found[tuple(dealt[places].tolist())] = chance
            assert dealt[at.POOL :].sum() == vector[at.POOL :].sum() - len(places)
    assert found == pytest.approx({one: float(chance) for one, chance in plain.items()})


def test_where_few_deals_are_possible_all_of_them_are_looked_at():
    few = deck(spring=2, rocket=2, magnet=1)
    start = state({"a": (2, 0), "b": (1, 0)}, gifts={"b": "? ?"}, cards=few)
    seen = board(start.course, start.deck)
    vector = pack_turn(GAME.begin(replace(start, turn=1)).play, seen)
    numbers = evaluation_arguments(seen, default_evaluator())
    states, scratch = np.empty((4096, at.LENGTH), np.int16), np.zeros((2, 16384), np.int64)

    def evaluate_end(position, worlds):
        values, count = np.empty((worlds, 2)), np.zeros(1, np.int64)
        rows = search.evaluate_end(position, 0, 1, worlds, *numbers, states, scratch, values, count)
        return rows, values

    plain = dealt_plainly(vector[at.POOL : at.POOL + 3].tolist(), 2)
    expected = np.zeros(2)
    for cards, chance in plain.items():
        dealt = vector.copy()
        first = at.SEAT + at.SEAT_SIZE + at.GIFTS
        dealt[first : first + 2] = cards
        for kind in cards:
            dealt[at.POOL + kind] -= 1
        rows, values = evaluate_end(dealt, 1)
        assert rows == -1, "nothing is hidden any more"
        expected += float(chance) * values[0]
    rows, values = evaluate_end(vector, 4)
    assert rows == -len(plain)
    assert values[0] == pytest.approx(expected, abs=1e-12)
    more = state({"a": (2, 0), "b": (1, 0)}, gifts={"b": "? ? ?"}, cards=few)
    vector = pack_turn(GAME.begin(replace(more, turn=1)).play, seen)
    rows, values = evaluate_end(vector, 2)
    assert rows == 2, "27 lists are more than twelve, and than three times two"
    assert values.sum(axis=1) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("rounds", [1, 2])
def test_everybody_plays_on_to_the_end_of_the_askers_turn(rounds):
    start = state({"a": (2, 0), "b": (1, 0), "c": (4, 1)}, gifts={"b": "spring", "c": "rocket"})
    seen = board(start.course, start.deck)
    vector = pack_turn(GAME.begin(replace(start, turn=1)).play, seen)
    numbers = evaluation_arguments(seen, default_evaluator())
    states, scratch = np.empty((4096, at.LENGTH), np.int16), np.zeros((2, 16384), np.int64)
    value, count = np.empty(3), np.zeros(1, np.int64)
    played, after = vector.copy(), np.empty(at.LENGTH, np.int16)
    met, turns = 0, []
    while met < rounds:
        turns.append(int(played[at.TURN]))
        met += played[at.TURN] == 0
        search.best_end(played, *numbers, states, scratch, after, value)
        played[:] = after
    expected = np.empty(3)
    search.shares(played, *numbers[2:], expected)
    search.play_rounds(vector, 0, rounds, *numbers, states, scratch, value, count)
    assert vector.tolist() == played.tolist()
    assert value.tolist() == expected.tolist()
    assert turns[:3] == [1, 2, 0]
    assert turns[-1] == 0
    assert count[0] > len(turns)


def test_the_way_counts_movements_with_boosts_and_both_laps():
    plain = state({"a": (0, 0), "b": (1, 0)})
    left = way(plain.course)
    assert left[2, 7].tolist() == [1.0] * 4
    assert left[2, 0, 2] == 8.0
    assert left[1, 0, 2] == 16.0
    assert left[0, 0, 0] == 16.0
    walled = state({"a": (0, 0), "b": (1, 0)}, ".... .~+# .... ....")
    left = way(walled.course)
    assert left[2, 1].tolist() == [3.0, 3.0, 2.0, 3.0]
    assert left[2, 2, 1] == FAR


def test_a_gift_field_on_the_way_saves_what_it_is_worth():
    given = state({"a": (0, 0), "b": (1, 0)}, ".... .g.. .... ....")
    left = way(given.course, 0.25)
    assert left[2, 0].tolist() == [4.0, 3.75, 4.0, 4.0]
    assert left[2, 1].tolist() == [3.0, 2.75, 3.0, 3.0]
    assert left[2, 2].tolist() == [2.0] * 4
    assert left[1, 0].tolist() == [7.75, 7.5, 7.75, 7.75]


@pytest.mark.parametrize("stack", ["rocket magnet", "magnet rocket", "rocket ?", "? magnet rocket"])
def test_gifts_further_down_are_worth_less_than_on_top(stack):
    """What a player has left, told from the shares of two, is what the evaluator says of it."""
    evaluator = replace(default_evaluator(), order=0.0, slope=1.0)
    start = state({"a": (2, 0), "b": (2, 1)}, gifts={"a": stack})
    seen, out = board(start.course, start.deck), np.empty(2)
    vector = pack_turn(GAME.begin(start).play, seen)
    search.shares(vector, *evaluation_arguments(seen, evaluator)[2:], out)
    worth = evaluator.worth | {"?": evaluator.hidden}, evaluator.deep | {"?": evaluator.hidden}
    saved = sum(worth[depth > 0][gift] for depth, gift in enumerate(stack.split()))
    least = way(start.course, evaluator.field)[1, 2, 0] - saved
    steep = 1.0 / np.sqrt(least + evaluator.room)
    assert out[0] == pytest.approx(1.0 / (1.0 + np.exp(-saved * steep)), rel=4e-3)


def test_the_exponential_is_close_to_that_of_the_library():
    arguments = np.linspace(-40.0, 0.0, 401)
    found = [search._exp(x) for x in arguments]
    assert found == pytest.approx(np.exp(arguments), rel=2e-3)
    assert search._exp(0.0) == 1.0
    assert found == sorted(found)


def test_a_packed_turn_holds_the_top_of_a_stack_that_is_too_deep():
    deep = state(
        {"a": (0, 0), "b": (1, 0)},
        gifts={"a": "rocket " + "? " * 20},
        cards=deck(rocket=1, spring=30),
    )
    seen = board(deep.course, deep.deck)
    vector = pack_turn(GAME.begin(deep).play, seen)
    assert vector[at.SEAT + at.COUNT] == at.STACK
    assert vector[at.SEAT + at.GIFTS + at.STACK - 1] == seen.number(deep.mover.gifts[0])
    assert seen.number(UNKNOWN) == at.UNSEEN
