"""Values of hints: equal for equal situations, exact where a race is decided; snowmen."""

from dataclasses import replace
from itertools import chain, product
from random import Random

import numpy as np
import pytest

from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.core.vocabulary import EFFORTS
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import estimation, rating, reaching
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.nodes import ATTACK
from service.games.slopecrashers.engine.packing import make_board, pack_turn, race_of
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK, Gift
from service.games.slopecrashers.rules.state import (
    ActionType,
    Place,
    Seat,
    Snowman,
    Space,
    State,
    observed,
)
from service.games.slopecrashers.rules.turn import Turn
from service.solver.search.turn_expectimax import rank_choices, solve
from tests import randomized
from tests.games.slopecrashers.engine.plain_evaluation import possible_snowman_costs
from tests.games.slopecrashers.engine.test_twin import packed
from tests.games.slopecrashers.positions import GAME, follow_turn, state
from tests.games.slopecrashers.rules.test_properties import random_course, turns


def question_of(turn, effort):
    """Return the question of the player in turn."""
    player = turn.mover.player
    seen = replace(turn, state=observed(turn.state, player))
    node = GAME.pending(seen)
    assert isinstance(node, Decision)
    return TurnQuestion(seen, node, player, effort, None, None)


def solved(turn, effort):
    """Return the share of the player in turn by choice."""
    question = question_of(turn, effort)
    solution = solve(SlopecrashersTurns(), question, None)
    seat, [choices] = turn.state.turn, question.decision.choices.values()
    return {choice: shares[seat] for choice, shares in zip(choices, solution.shares, strict=True)}


def by_word(start, *words, effort="quick"):
    """Return the best value after some actions of each direction, gift or type of choice."""
    best = {}
    for action, value in solved(follow_turn(start, *words).play, effort).items():
        names = (each for each in (action.gift, action.direction, action.type) if each is not None)
        word = next(names).label
        best[word] = max(value, best.get(word, 0.0))
    return best


# A snowman in front of the finish --------------------------------------------------------------

FINISH = state(
    {"r": (2, 10, 1), "o": (2, 8, 2)}, "... " * 12, turn="r", stung="r", snowmen=((11, 1),)
)


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_step_onto_a_snowman_does_not_change_the_value_of_other_choices(effort):
    """o needs two turns.  r wins in its next turn, unless it steps onto the snowman and misses it.

    The value of each choice is that of the best choice after it.
    """
    values = by_word(FINISH, effort=effort)
    assert values["forward"] < 0.01
    for word, first in (("left", "l"), ("right", "r")):
        assert values[word] == pytest.approx(1.0, abs=1e-5)
        assert max(by_word(FINISH, first, effort=effort).values()) == values[word]
    assert values["end"] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_place_reached_from_both_sides_has_one_value(effort):
    """On the left, the way forward is closed by a snowman; on the right, it is open."""
    start = state({"r": (2, 10, 1), "o": (2, 9, 1)}, "... " * 12, turn="r", snowmen=((11, 0),))
    assert by_word(start, "l", effort=effort)["right"] == by_word(start, "r", effort=effort)["left"]


def test_the_foremost_player_gains_nothing_by_waiting():
    """b would pass, and a would hit it with the rocket; but b can wait as well."""
    start = state({"a": (2, 3, 1), "b": (2, 2, 1)}, "... " * 12, gifts={"a": "rocket"})
    values = by_word(start)
    assert values["end"] <= values["forward"] == max(values.values())


@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_waiting_is_worth_no_more_than_a_draw_if_progress_needs_one(effort):
    """Two players with hidden gifts waited without end: a draw is sampled less than an end."""
    start = state(
        {"a": (7, 3), "b": (8, 3)},
        ".... ..~+ #g.g +.~. .g.. .... ~g.g ..+. g~.# .... .... .g~+ +.#g .~.. ...g .... g+#g .~.. "
        "#..+ ..g. ...g +#.. ..~g .#+. g... .... g..+ ..#g ~+g~ ....",
        gifts={"a": "? ? ?", "b": "rocket chili"},
        turn="b",
        discards="carrier-pigeon spring-or-rocket",
    )
    values = by_word(start, effort=effort)
    assert values["end"] <= values["forward"]


def reached(vector, board):
    """Yield the positions of a turn from one on, without draws and answers."""
    open_, met = [vector], {vector.tobytes()}
    while open_:
        here = open_.pop()
        yield here
        if here[at.PHASE] == at.DECIDING:
            out = np.zeros((reaching.BRANCHES, at.LENGTH), np.int16)
            for after in out[: reaching.successors(here, board.fields, board.uses, False, out)]:
                if after.tobytes() not in met:
                    met.add(after.tobytes())
                    open_.append(after.copy())


def ended(here, race):
    """Return the position after the end of the turn, and the shares of all seats."""
    after, shares = here.copy(), np.empty(int(here[at.N]))
    at.end_turn(after)
    estimation.shares(after, race, shares)
    return after, shares


def plain_first(vector, board, race, asker):
    """Return the best end with progress of a turn of the asker, by the evaluator.

    The course has no gift fields, and all cards are known, so nothing is left to chance.
    """
    vector, best = vector.copy(), (-1.0, None)
    if vector[at.MOVES] == at.STUNG_MOVEMENTS:
        vector[at.SEAT + vector[at.TURN] * at.SEAT_SIZE + at.STUNG] = 1
    vector[at.TURN] = asker
    at.begin(vector)
    first = estimation.track_left(vector, asker, race.distances)
    for here in reached(vector, board):
        if here[at.WINNER] >= 0:
            return here
        if reaching.may_end(here) and estimation.track_left(here, asker, race.distances) < first:
            after, shares = ended(here, race)
            best = max(best, (shares[asker], after), key=lambda each: each[0])
    return best[1]


@pytest.mark.parametrize("seed", randomized.case_numbers(2, 20))
def test_going_first_is_the_best_end_with_progress(seed):
    random, compared = Random(seed), 0
    states, seen = np.empty((2048, at.LENGTH), np.int16), np.zeros((2, 8192), np.int64)
    out = np.empty(at.LENGTH, np.int16)
    for start in [random_finish(random) for _ in range(30)]:
        vector, board = packed(start)
        race = race_of(board, default_evaluator())
        for asker, seat in enumerate(start.seats):
            ahead = any(other.place.progress > seat.place.progress for other in start.seats)
            idle = vector[at.SEAT + asker * at.SEAT_SIZE + at.MISSES]
            found = rating.go_first(vector, asker, race, states, seen, out)
            if ahead or idle:
                assert not found
                continue
            expected = plain_first(vector, board, race, asker)
            assert found == (expected is not None)
            if expected is not None and expected[at.WINNER] < 0:
                values = np.empty((2, 3))
                estimation.shares(out, race, values[0])
                estimation.shares(expected, race, values[1])
                assert values[0, asker] == values[1, asker]
                compared += 1
    assert compared


# A snowman placed later in the turn ------------------------------------------------------------


@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_a_snowman_placed_later_in_the_turn_counts(effort):
    """After a step forward, a snowman in front of b closes the only way of b."""
    start = state(
        {"a": (2, 6, 0), "b": (2, 9, 1)},
        " ".join(["....", "#.##", *["...."] * 10]),
        gifts={"a": "snowman"},
    )
    before, after = by_word(start, effort=effort), by_word(start, "f", effort=effort)
    assert after["snowman"] == max(after.values())
    assert before["forward"] == pytest.approx(after["snowman"], abs=1e-9)
    assert before["forward"] == max(before.values())


@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_a_snowman_counts_although_other_ends_are_rated_higher(effort):
    """The best snowman has the eleventh highest rating before the others' turns."""
    start = state(
        {"a": (4, 0), "b": (1, 2), "c": (5, 3), "d": (2, 0, 0)},
        ".... +... g..# g.g# g... ....",
        gifts={"a": "snowman", "b": "bee-sting spring rocket"},
        missing="bc",
        stung="b",
    )
    before, after = by_word(start, effort=effort), by_word(start, "f", effort=effort)
    assert before["forward"] >= max(after.values()) - 1e-9


@pytest.mark.parametrize("effort", ["quick", "standard"])
@pytest.mark.parametrize("seed", randomized.case_numbers(4, 40))
def test_a_choice_has_the_best_value_of_those_after_it(effort, seed):
    """Up to the best end being left out, which costs 0.004 at most in 600 positions."""
    random = Random(seed)
    for _ in range(5):
        start = random_finish(random)
        turn = GAME.begin(observed(start, start.mover.player)).play
        for choice, value in solved(turn, effort).items():
            after = GAME.choose(turn, {turn.mover.player: choice}).play
            node = GAME.pending(after)
            if isinstance(node, Decision) and turn.mover.player in node.choices:
                assert value == pytest.approx(max(solved(after, effort).values()), abs=0.01)


@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_a_draw_later_in_the_turn_counts(effort):
    """Only the draw that is best without further steps was followed, so the value was 0."""
    start = state(
        {"a": (2, 10, 1), "b": (2, 12, 3)},
        ".... g..+ ..#g ~+g~ .... .... ..~+ #g.g +.~. .g.. .... ~g.g ..+. g~.# ....",
        gifts={"a": "magnet rocket rocket", "b": "?"},
    )
    before, after = by_word(start, effort=effort), by_word(start, "r", effort=effort)
    assert before["right"] == pytest.approx(max(after.values()), abs=0.01)


ALONE = """.... ~g.g ..+. g~.# .... .... ..~+ #g.g +.~. .g.. .... .g~+ +.#g
    .~.. ...g .... g+#g .~.. #..+ ..g. ...g +#.. ..~g .#+. g..."""


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("gift", ["rocket", "black-ice", "magnet"])
def test_no_gift_is_wasted_to_avoid_waiting(gift, effort):
    """b is far behind, so a waits for nobody; the rocket, which hits nobody, had equal value."""
    places, gifts = {"a": (2, 7, 2), "b": (1, 19, 3)}, {"a": f"{gift} spring"}
    start = state(places, ALONE, gifts=gifts, stung="a", snowmen=((9, 3),))
    turn = follow_turn(start, "r").play
    question = question_of(turn, effort)
    solution = solve(SlopecrashersTurns(), question, None)
    [choices] = question.decision.choices.values()
    best = choices[rank_choices(solution, 0)[0]]
    assert best.type is ActionType.END
    assert len({round(shares[0], 9) for shares in solution.shares}) == 1


@pytest.mark.parametrize("effort", EFFORTS)
def test_an_attack_after_a_discard_counts_beside_many_draws(effort):
    """The pigeon wins the race; the rating of the three gift fields in front of b is higher."""
    start = state(
        {"a": (2, 11, 2), "b": (2, 9, 0), "c": (2, 11, 1)},
        "... ggg " + "... " * 10,
        gifts={"b": "magnet carrier-pigeon rocket", "c": "?"},
        missing="c",
        turn="b",
    )
    before, after = by_word(start, effort=effort), by_word(start, "drop", effort=effort)
    assert after["carrier-pigeon"] > max(0.8, max(after.values()) - 1e-3)
    assert before["discard"] > max(0.8, max(before.values()) - 1e-3)


GIFTS = {"a": "spring spring rocket bee-sting", "b": "?"}


def tree_with(gifts):
    """Return the question and the tree of a player with gifts, and gift fields ahead."""
    start = state({"a": (1, 2, 1), "b": (1, 4, 1)}, "... ... ... ... g.g g.g ...", gifts=gifts)
    question = question_of(GAME.begin(start).play, "standard")
    return question, SlopecrashersTurns().tree(question)


def test_few_ends_and_events_are_followed_with_many_gifts():
    """Five gifts and a gift field offer many events, and their values differ little."""
    many = GIFTS | {"a": GIFTS["a"] + " chili"}
    for gifts, ends, followed in ((GIFTS, 16, 3), (many, 4, 1)):
        question, tree = tree_with(gifts)
        reaches = [
            tree.reach(tree.after(choice), 16, 3)
            for choice in question.decision.choices["a"]
            if choice.type is ActionType.STEP
        ]
        assert max(len(reach.events) + len(reach.attacks) for reach in reaches) == followed
        assert max(len(reach.ends) for reach in reaches) == ends


def test_few_ends_and_events_are_followed_after_an_attack():
    """A turn with several attacks followed 1,500 ends, and a hint took 0.6 seconds."""
    question, tree = tree_with(GIFTS)
    node = tree.after(question.decision.choices["a"][0])
    for after, ends, events in (("", 16, 3), (ATTACK, 2, 1)):
        reach = tree.reach(node._replace(after=after), 16, 3)
        assert len(reach.ends) == ends
        assert len(reach.events) + len(reach.attacks) == events


def plain_rating(vector, board, race):
    """Return the best share of an end after an event, without its effect; -1 without any end."""
    mover, best, event = vector[at.TURN], -1.0, vector.copy()
    reaching.skip_chance(event, board.fields, board.uses)
    for here in reached(event, board):
        if here[at.WINNER] >= 0:
            best = 1.0
        if here[at.PHASE] == at.DECIDING and reaching.may_end(here):
            best = max(best, ended(here, race)[1][mover])
    return best


@pytest.mark.parametrize("seed", randomized.case_numbers(2, 20))
def test_events_are_rated_by_the_best_end_after_them(seed):
    compared = 0
    states, seen = np.empty((2048, at.LENGTH), np.int16), np.zeros((2, 8192), np.int64)
    beyond = np.full((rating.MAX_AFTER + 2, at.LENGTH), 77, np.int16)
    after = beyond[:-1]
    end, value = np.empty(at.LENGTH, np.int16), np.empty(at.SEATS)
    # In some games, nobody holds a gift that leads to an event.
    for start in chain.from_iterable(random_turns(seed + game, 6) for game in range(4)):
        board = make_board(start.state.course, start.state.deck)
        race = race_of(board, default_evaluator())
        vector = pack_turn(start, board)
        count = reaching.reach(vector, board.fields, board.uses, reaching.STOP, states, seen)
        ratings, kinds = np.zeros(abs(count)), np.empty(abs(count), np.int64)
        rating.rate(vector, race, states, abs(count), end, value, ratings, kinds)
        events = np.flatnonzero(kinds == 2)
        before, reached = ratings.copy(), states[events].copy()
        table = seen[:, :2048].copy()
        rating.rate_events(race, states, events, after, table, value, ratings)
        assert (states[events] == reached).all()
        assert (ratings[kinds != 2] == before[kinds != 2]).all()
        for place in events[:20]:
            expected = plain_rating(states[place], board, race)
            assert ratings[place] == (expected if expected >= 0.0 else before[place])
            compared += 1
    assert compared
    assert (beyond[-1] == 77).all(), "no more rows are needed"


# Equal situations ------------------------------------------------------------------------------


def situations(turn, depth):
    """Yield the positions after all lists of actions without draws and answers, with the lists."""
    open_ = [((), turn)]
    while open_:
        actions, reached = open_.pop()
        node = GAME.pending(reached)
        if not isinstance(node, Decision) or turn.mover.player not in node.choices:
            continue
        yield actions, reached
        if len(actions) < depth:
            for choice in node.choices[turn.mover.player]:
                after = GAME.choose(reached, {turn.mover.player: choice}).play
                open_.append(((*actions, choice), after))


def equal_situations(turn, depth):
    """Return lists of turns that differ only in the actions that led to the same position."""
    groups = {}
    for actions, reached in situations(turn, depth):
        same = replace(reached, actions=(), visited=frozenset())
        groups.setdefault(same, []).append((actions, reached))
    return [group for group in groups.values() if len(group) > 1]


def random_turns(seed, count):
    """Return the starts of random turns of random games, and of turns with snowmen ahead."""
    random = Random(seed)
    starts = [before for before, *_ in turns(seed, most=60) if before.mover.place is not None]
    starts = random.sample(starts, min(count, len(starts)))
    starts += [random_finish(random) for _ in range(count)]
    # The value of an attack is the mean over the answers that its player cannot foresee.
    return [GAME.begin(observed(start, start.mover.player)).play for start in starts]


def random_finish(random):
    """Return a position near the finish on a plain course with two snowmen."""
    spaces = random.sample([(row, lane) for row in range(7, 12) for lane in range(3)], 5)
    cards = random.choices(("snowman", "chili", "spring", "rocket", "magnet", ""), k=3)
    return state(
        {player: (2, *space) for player, space in zip("abc", spaces, strict=False)},
        "... " * 12,
        gifts=dict(zip("abc", cards, strict=True)),
        turn=random.choice("abc"),
        stung=random.choice(("", "a", "bc")),
        snowmen=tuple(sorted(spaces[3:])),
    )


@pytest.mark.parametrize(
    "effort", ["quick", "standard", pytest.param("deep", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("seed", randomized.case_numbers(2, 20))
def test_equal_situations_have_equal_values(effort, seed):
    """By which actions a position was reached in a turn does not matter.

    Its choices have equal values after all lists of actions, and the last actions of these lists,
    too.  At ``deep`` the last actions are not compared: the breadth depends on their alternatives.
    """
    compared, random, count = 0, Random(seed), 2 if effort == "deep" else 6
    for start in random_turns(seed, count):
        groups = equal_situations(start, 3)
        for group in random.sample(groups, min(len(groups), count)):
            lists = random.sample(group, min(len(group), 3))
            values = [solved(reached, effort) for _, reached in lists]
            common = set.intersection(*map(set, values))
            assert common
            for choice in common:
                assert len({each[choice] for each in values}) == 1
            if effort != "deep":
                before = (solved(follow_to(start, own[:-1]), effort)[own[-1]] for own, _ in lists)
                assert len(set(before)) == 1
            compared += len(common)
    assert compared


def follow_to(turn, actions):
    for action in actions:
        turn = GAME.choose(turn, {turn.mover.player: action}).play
    return turn


# Snowmen in the estimate -----------------------------------------------------------------------


def kernel_costs(position, stored=None):
    """Return the costs by seat; ``stored`` are the detours around snowmen from before."""
    board = make_board(position.course, position.deck)
    race = race_of(board, default_evaluator())
    if stored is not None:
        race = race._replace(detours=stored)
    costs = np.empty(len(position.seats))
    vector = pack_turn(Turn(position), board)
    estimation.snowman_costs(vector, race, costs)
    return costs.tolist()


@pytest.mark.parametrize("seed", randomized.case_numbers(8, 200))
def test_snowmen_cost_what_a_plain_search_of_paths_says(seed):
    random = Random(seed)
    course = random_course(random)
    every = product(range(course.length), range(course.lanes))
    spaces = [space for space in every if course.is_enterable(*space)]
    few_slots = np.zeros((4, 3))
    for _ in range(20):
        chosen = random.sample(spaces, min(len(spaces), random.randint(4, 9)))
        seats = tuple(
            Seat(player, Place(random.choice((1, 2)), *space) if random.random() < 0.9 else None)
            for player, space in zip("abc", chosen, strict=False)
        )
        snowmen = tuple(Snowman(Space(*space), (Gift.SNOWMAN,)) for space in sorted(chosen[3:]))
        position = State(seats, random.randrange(3), course, DEFAULT_DECK, snowmen=snowmen)
        costs = kernel_costs(position)
        possible = possible_snowman_costs(position)
        assert any(costs == pytest.approx(each, abs=1e-7) for each in possible)
        # Stored detours change nothing, even if others had their slots in between.
        assert kernel_costs(position, few_slots) == kernel_costs(position, few_slots) == costs


def test_only_the_foremost_character_pays_for_a_closed_way():
    """Those behind it go through after it; on an open course it costs a step aside at most."""
    closed, plain = "... ... ... #.# ... ... ...", "... " * 8
    missed = pytest.approx(default_evaluator().missing, abs=1e-5)
    for at_, course, expected in (
        ({"a": (1, 1), "b": (2, 1)}, closed, [0.0, missed]),
        ({"a": (1, 1), "b": (0, 2)}, plain, [pytest.approx(1.0), 0.0]),
        ({"a": (4, 1), "b": (0, 2)}, plain, [0.0, 0.0]),
    ):
        assert kernel_costs(state(at_, course, snowmen=((3, 1),))) == expected
