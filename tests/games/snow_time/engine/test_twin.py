"""The compiled rules equal the readable ones, and both equal the plain twin of the tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from service.games.snow_time.api.schema import MoveSchema, StateSchema, TrackSchema
from service.games.snow_time.engine.kernels import effects, joint, rounds
from service.games.snow_time.engine.packing import (
    final_counts,
    hand_bits,
    hand_of,
    lines_of,
    merged_counts,
    pack_track,
)
from service.games.snow_time.engine.round_game import SnowTimeRoundGame
from service.games.snow_time.rules.resolution import Resolution, resolve
from service.games.snow_time.rules.state import (
    DECK,
    Bonus,
    Card,
    Kind,
    Move,
    Seat,
    State,
    Track,
    default_track,
)
from tests import randomized
from tests.games.snow_time import plain_rules as plain
from tests.games.snow_time.champion_fates import fates_of
from tests.games.snow_time.engine.plain_normal_form import PlainNormalForm
from tests.games.snow_time.positions import full, hand, move, position, track

SEED = randomized.seed(20250)
RANDOM_ROUNDS = randomized.case_count(20_000, 100_000)
RANDOM_LINES = randomized.case_count(2_000, 6_000)
FINALS = (
    *(move("h:"), *map(move, "1234567"), move("b")),
    *(move(f"w{level}") for level in "1234567"),
)
"""The moves that show the final cards 0 to 15 from a full hand."""
SPARING = Track(30, (), spared_champion=True)
COMPILED = rounds.fill_cells
PLAIN = getattr(COMPILED, "py_func", COMPILED)
"""The uncompiled kernel, also if compilation is switched off."""
MASKS = {"back": 31, "over": 31 << 5, "taken": 63 << 10}
"""The bits of a mark by meaning."""

Round = tuple[tuple[int, ...], tuple[int, ...], int]
"""Spaces gained and packed points by seat, and the mark, see ``rounds.fill_cells``."""


# Rounds of both implementations --------------------------------------------------------------


def kernel_rounds(
    state: State,
    shown: Sequence[Sequence[int]],
    function: Any = COMPILED,
    fruits: Sequence[Sequence[int]] = (),
) -> list[Round]:
    """Return the kernel's results of every cell of these final cards, by position."""
    n, cells = len(shown), prod(map(len, shown))
    fruits = fruits or [state.fruit]
    finals = np.zeros((n, 16), np.int64)
    for seat, cards in enumerate(shown):
        finals[seat, : len(cards)] = cards
    kinds, advances = pack_track(state.board)
    # Fill the outputs with wrong values to detect elements that the kernel does not write.
    gained = np.full((len(fruits), cells, n), 251, np.uint8)
    points = np.full((len(fruits), cells, n), -7, np.int32)
    marks = np.full((len(fruits), cells), -7, np.int32)
    function(
        finals,
        np.array([len(cards) for cards in shown], np.int64),
        np.array(fruits, np.int64),
        np.array([seat.score for seat in state.seats], np.int64),
        kinds,
        advances,
        state.board.length,
        rounds.Cells(gained, points, marks),
    )
    return [
        (tuple(moved), tuple(awarded), mark)
        for moved, awarded, mark in zip(
            gained.reshape(-1, n).tolist(),
            points.reshape(-1, n).tolist(),
            marks.ravel().tolist(),
            strict=True,
        )
    ]


def readable_rounds(
    state: State, shown: Sequence[Sequence[int]], fruits: Sequence[Sequence[int]] = ()
) -> list[Round]:
    """Return the same results from the readable rules; hands must be full."""
    return [
        readable_round(there, moves, resolve(there, moves))
        for there in [replace(state, fruit=tuple(on)) for on in fruits or [state.fruit]]
        for moves in product(*([FINALS[final] for final in cards] for cards in shown))
    ]


def readable_round(state: State, moves: Sequence[Move], resolution: Resolution) -> Round:
    """Return a resolved round in the kernel's notation."""
    after, last = resolution.state, state.board.length
    fates = fates_of(moves, resolution)
    mark = 0
    for index, seat in enumerate(after.seats):
        if "survived" in fates.get(seat.name, ()):
            mark |= 1 << index
        if seat.score == last:
            mark |= 1 << (5 + index)
    for place, (then, now) in enumerate(zip(state.fruit, after.fruit, strict=True)):
        if now < then:
            mark |= 1 << (10 + place)
    gained = tuple(
        seat.score - before.score for seat, before in zip(after.seats, state.seats, strict=True)
    )
    points = tuple(
        p.fight + (p.fruit << 8) + (p.mana << 16) + (p.bonus << 24) for p in resolution.points
    )
    return gained, points, mark


def assert_equal(
    actual: list[Round], expected: list[Round], shown: Sequence[Sequence[int]], note: str
) -> None:
    assert len(actual) == len(expected)
    for place, (one, other) in enumerate(zip(actual, expected, strict=True)):
        assert one == other, f"{note}: {list(product(*shown))[place % prod(map(len, shown))]}"


# Random cases --------------------------------------------------------------------------------


def random_track(random: Random) -> Track:
    if random.random() < 0.3:
        return default_track()
    length = random.randint(5, random.choice((8, 40, 200)))
    share = random.random()
    bonuses = (
        Bonus(space, Kind(random.randrange(3)), random.randint(1, 3))
        for space in range(1, length)
        if random.random() < share
    )
    options = (random.random() < 0.3, random.random() < 0.3)
    return Track(length, tuple(bonuses), *options)


def random_fruit(random: Random) -> list[int]:
    fruit = [0] * 6
    for _ in range(random.choice((0, 3, 8, 15))):
        fruit[random.randrange(6)] += 1
    return fruit


def random_state(random: Random, share: float | None = None) -> State:
    on = random_track(random)
    lowest = random.choice((0, on.length - 1, max(0, on.length - 5)))
    share = share or random.choice((0.3, 0.7, 1.0))
    seats = tuple(
        Seat(
            name=name,
            player=name,
            score=random.randint(lowest, on.length - 1),
            hand=tuple(c for c in DECK if c is Card.HEALER or random.random() < share),
        )
        for name in "abcde"[: random.randint(3, 5)]
    )
    return State(seats, tuple(random_fruit(random)), on)


def random_table(random: Random) -> tuple[State, list[list[int]], list[list[int]]]:
    """Return a position, final cards of every seat, and the fruit of one to three positions."""
    state = random_state(random, share=1.0)
    most = {3: 9, 4: 5, 5: 4}[len(state.seats)]
    # Few levels make champions meet more often.
    cards = range(16 if state.board.spared_champion else 9)
    crowd = random.sample(cards, k=random.choice((4, 9)))
    shown = [random.sample(crowd, k=min(len(crowd), random.randint(1, most))) for _ in state.seats]
    return state, shown, [random_fruit(random) for _ in range(random.randint(1, 3))]


@pytest.mark.slow
def test_the_kernel_equals_the_readable_rules_in_all_cells_of_random_positions():
    random = Random(SEED + 2)
    done, met = 0, Counter[str]()
    while done < RANDOM_ROUNDS:
        state, shown, fruits = random_table(random)
        note = f"SEED={SEED}, after {done} rounds: {state}, {fruits}"
        expected = readable_rounds(state, shown, fruits)
        assert_equal(kernel_rounds(state, shown, COMPILED, fruits), expected, shown, note)
        assert_equal(kernel_rounds(state, shown, PLAIN, fruits), expected, shown, note)
        done += len(expected)
        marks = [mark for _, _, mark in expected]
        for name, mask in MASKS.items():
            met[name] += sum(mark & mask != 0 for mark in marks)
    assert min(met[name] for name in MASKS) > RANDOM_ROUNDS / 20, f"SEED={SEED} met {met}"


def test_the_kernel_the_readable_rules_and_the_plain_twin_agree_on_random_lines():
    random = Random(SEED)
    dump_state, dump_move = StateSchema().dump, MoveSchema().dump
    met: Counter[str] = Counter()
    for number in range(RANDOM_LINES):
        state = random_state(random)
        lines = [lines_of(seat, None, None, state.board) for seat in state.seats]
        # In half of the rounds rare cards are as frequent as common ones.
        if random.random() < 0.5:
            finals = [random.randrange(len(packed.finals)) for packed in lines]
            chosen = [
                random.choice(np.flatnonzero(packed.packed[:, 0] == final).tolist())
                for packed, final in zip(lines, finals, strict=True)
            ]
        else:
            chosen = [random.randrange(len(packed.moves)) for packed in lines]
        moves = [packed.moves[line] for packed, line in zip(lines, chosen, strict=True)]
        shown = [
            [packed.finals[packed.packed[line, 0]]]
            for packed, line in zip(lines, chosen, strict=True)
        ]
        resolution = resolve(state, moves)
        [actual] = kernel_rounds(state, shown)
        note = f"SEED={SEED}, round {number}: {state}, {moves}"
        assert actual == readable_round(state, moves, resolution), note

        # Hands after the round, from the packed lines and the mask of returning champions.
        for index, (packed, line) in enumerate(zip(lines, chosen, strict=True)):
            bits = int(packed.packed[line, 1])
            if actual[2] >> index & 1:
                bits |= int(packed.packed[line, 2])
            assert hand_of(bits) == resolution.state.seats[index].hand, note
        names = [seat.name for seat in state.seats]
        documents = dict(zip(names, map(dump_move, moves), strict=True))
        expected = plain.resolve(dump_state(state), documents)
        assert dump_state(resolution.state) == expected["state"], note
        points = dict(zip(names, map(asdict, resolution.points), strict=True))
        assert points == expected["points"], note
        met.update(event.type for event in resolution.events)
    kinds = ("blizzard", "brawl", "strike", "fruit", "mana", "bonus", "finish")
    assert all(met[kind] > RANDOM_LINES / 100 for kind in kinds), f"SEED={SEED} met {met}"


ALL_KINDS = track(
    30, (3, "fight", 1), (4, "fruit", 2), (5, "mana", 3), (6, "fight", 3), (29, "mana", 1)
)
SHORTEST = track(5, (1, "mana", 3), (2, "fight", 3), (3, "fruit", 1), (4, "fight", 1))
LONGEST = track(200, (101, "mana", 3))
LATE_BONUSES = track(30, (27, "fight", 3), (28, "mana", 1), (29, "fruit", 1))
POSITIONS = {
    "the start": full(3),
    "default track, some fruit": full(3, on=None, fruit={6: 2, 5: 1, 1: 3}),
    "fruit everywhere": full(3, fruit=dict.fromkeys(range(1, 7), 2)),
    "all fruit at the roots": full(3, fruit={1: 15}),
    "all fruit on six": full(3, fruit={6: 15}),
    "all before the last space": full(3, scores=(29, 29, 29), fruit={3: 1}),
    "all two before it": full(3, scores=(28, 28, 28), fruit={5: 2, 2: 1}),
    "one, two and three before it": full(3, scores=(29, 28, 27), fruit={4: 1}),
    "bonus spaces ahead": full(3, scores=(2, 3, 4), fruit={5: 1}, on=ALL_KINDS),
    "a bonus that wins": full(3, scores=(28, 28, 4), fruit={2: 2}, on=ALL_KINDS),
    "the shortest track": full(3, on=SHORTEST),
    "the longest track": full(3, scores=(199, 100, 0), fruit={6: 9, 1: 6}, on=LONGEST),
    "four seats": full(4, scores=(28, 27, 26, 25), fruit={6: 1, 4: 2, 1: 1}, on=LATE_BONUSES),
    "spared champions": full(3, scores=(0, 28, 5), fruit={6: 1, 5: 2, 4: 1}, on=SPARING),
}


@pytest.mark.parametrize("state", POSITIONS.values(), ids=POSITIONS)
def test_the_kernel_equals_the_readable_rules_on_all_final_cards(state):
    shown = [range(16 if state.board.spared_champion else 9)] * len(state.seats)
    assert_kernel_is_right(state, shown)


def test_the_kernel_equals_the_readable_rules_on_crowded_levels_of_five_seats():
    state = full(5, scores=(0, 28, 29, 27, 3), fruit={6: 1, 5: 2, 4: 1}, on=None)
    assert_kernel_is_right(state, [(0, 4, 5, 6, 8)] * 5)


def assert_kernel_is_right(state: State, shown: Sequence[Sequence[int]]) -> None:
    expected = readable_rounds(state, shown)
    assert_equal(kernel_rounds(state, shown), expected, shown, "compiled")
    assert_equal(kernel_rounds(state, shown, PLAIN), expected, shown, "not compiled")


def test_a_single_cell_equals_the_same_cell_in_a_batch():
    own = track(30, (29, "fight", 1), (4, "mana", 2))
    state = full(3, scores=(28, 3, 0), fruit={5: 2, 1: 1}, on=own)
    shown = [[0, 5, 8], [4, 5], [1, 6, 7, 0]]
    alone = [kernel_rounds(state, [[final] for final in cell])[0] for cell in product(*shown)]
    assert kernel_rounds(state, shown) == alone


# Packing --------------------------------------------------------------------------------------


every_option = pytest.mark.parametrize(
    "on", [Track(30, ()), SPARING, Track(30, (), optional_watcher=True)]
)


def test_hands_round_trip_through_packing():
    for bits in range(1 << len(DECK)):
        assert hand_bits(hand_of(bits)) == bits


def test_the_track_is_packed_by_space():
    kinds, advances = pack_track(track(7, (2, "mana", 3), (6, "fight", 1)))
    assert kinds.tolist() == [-1, -1, 2, -1, -1, -1, 0, -1]
    assert advances.tolist() == [0, 0, 3, 0, 0, 0, 1, 0]


@every_option
@pytest.mark.parametrize("word", ["h", "1h", "hwb", "1267hwb", "1234567hwb", "345hw"])
def test_the_lines_of_a_seat_are_its_complete_moves(word, on):
    [seat] = position(word).seats
    lines = lines_of(seat, None, None, on)
    expected = plain.lines([card.label for card in hand(word)], TrackSchema().dump(on))
    assert [MoveSchema().dump(line) for line in lines.moves] == expected
    assert lines.probabilities.sum() == pytest.approx(1)
    finals = [lines.finals[row[0]] for row in lines.packed]
    spared = [8 if line.then and line.champion and on is SPARING else 0 for line in lines.moves]
    shown = [line.champion or (8 if line.last.card is Card.BLIZZARD else 0) for line in lines.moves]
    shown = [card + more for card, more in zip(shown, spared, strict=True)]
    assert finals == shown
    bits = [1 << (line.champion - 1) if line.champion else 0 for line in lines.moves]
    assert lines.packed[:, 2].tolist() == bits


def test_lines_are_limited_to_continuations_of_the_revealed_move():
    [seat] = position("12345hw").seats
    healing = tuple(map(move, ("wh:", "wh:6", "wh:7", "wh:67")))
    fighting = tuple(map(move, ("w1", "w2", "w3", "w4", "w5")))
    assert lines_of(seat, move("w"), None, default_track()).moves == fighting + healing
    assert lines_of(seat, move("wh"), None, default_track()).moves == healing
    assert lines_of(seat, move("wh:67"), None, default_track()).moves == healing[-1:]


@every_option
def test_counts_by_hand_are_those_of_the_lines(on):
    hands = np.array([bits for bits in range(1 << len(DECK)) if Card.HEALER in hand_of(bits)][::7])
    finals = final_counts(spared=on.spared_champion)
    merged = merged_counts(hands, on)
    for bits in hands.tolist():
        lines = lines_of(Seat("", "", 0, hand_of(bits)), None, None, on)
        assert (finals[bits], merged[bits]) == (len(lines.finals), len(lines.merged))


def test_the_next_round_keeps_the_options_of_the_track():
    on = Track(30, (), optional_watcher=True, spared_champion=True)
    state = position("5hw", "hb", "h", fruit={1: 15}, on=on)
    plain = PlainNormalForm(state, "points", {}, "a")
    model = SnowTimeRoundGame().best_response_model(plain.question)
    reached = next(iter(model.reachable_positions()))
    following = [model.next_round(each) for each in reached.positions]
    lines = [after._packed_round.lines for _, after in filter(None, following)]
    adding = [own for seats in lines for own in seats if any(move.then for move in own.moves)]
    assert adding
    for own in adding:
        assert any(move.then and move.then.card is Card.NONE for move in own.moves)
        assert any(final > rounds.SPARED for final in own.finals) == any(
            move.then and move.champion for move in own.moves
        )


def test_r3_a_watcher_adds_none_of_the_cards_that_are_only_played_at_once():
    """The third final card is worth most, but only the first two can be added."""
    columns = np.zeros((2, effects.SEAT_COLUMNS), np.int64)
    columns[:, effects.OWNER] = 0, 1
    columns[:, effects.FINALS], columns[:, effects.ADDABLE] = (3, 1), (2, 1)
    tables = np.zeros((2, 4, 1))
    tables[0, 1:, 0] = 0.0, 1.0, 9.0
    answers = np.full((1, 3), -1, np.int32)
    joint.best_added_cards(
        np.array([1]),
        columns,
        np.zeros((2, 3), np.uint32),
        tables,
        np.zeros((2, 16), np.int64),
        1,
        False,
        0.0,
        answers,
    )
    assert answers[0, 0] == 1
