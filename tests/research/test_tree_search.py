from __future__ import annotations

from random import Random

import numpy as np
import pytest
from research.league.random_kernels import next_random
from research.league.snow_time import mcts_kernels
from research.league.snow_time.mcts import TreeSearchAgent, board, hand_worth, potentials

from service.games.snow_time.engine.packing import hand_bits
from service.games.snow_time.rules.resolution import resolve
from service.games.snow_time.rules.rules import added_choices, card_choices
from service.games.snow_time.rules.state import Card, Move, default_track
from tests.research.positions import position, question, random_position, recovered

pytestmark = pytest.mark.research

RANDOM_ROUNDS = 6_000


def complete_moves(random, state):
    """Return random moves; healers take back the same cards as in the tree search."""
    moves = []
    for seat in state.seats:
        move = random.choice(card_choices(seat))
        if move.awaits_added_card:
            move = random.choice(added_choices(seat, move, default_track()))
        moves.append(move.recovering(recovered(seat)) if move.awaits_recovery else move)
    return moves


def arrays(state):
    players = state.players
    return (
        np.array(
            [[seat.score for seat in state.seats], [hand_bits(seat.hand) for seat in state.seats]]
        ),
        np.array(state.fruit),
        np.array([players.index(seat.player) for seat in state.seats]),
        board(state.board),
        hand_worth(),
        np.zeros((3, 6), np.int64),
    )


def played(state, cards, added):
    """Return scores, hands, fruit and the seats on the last space, by the compiled rules."""
    seats, fruit, owners, track, worth, scratch = arrays(state)
    arrived = mcts_kernels.play_round(
        np.array(cards), added, seats, fruit, owners, track, worth, scratch
    )
    scores, hands = seats.tolist()
    return scores, hands, fruit.tolist(), arrived


def resolved(state, moves):
    """Return the same by the readable rules."""
    after = resolve(state, moves).state
    last = state.board.length
    arrived = sum(1 << place for place, seat in enumerate(after.seats) if seat.score == last)
    return (
        [seat.score for seat in after.seats],
        [hand_bits(seat.hand) for seat in after.seats],
        list(after.fruit),
        arrived,
    )


def test_compiled_rounds_agree_with_the_readable_rules():
    random = Random(11)
    finished = 0
    for number in range(RANDOM_ROUNDS):
        state = random_position(random, random.randint(3, 5), random.choice((0.3, 0.7, 1.0)))
        moves = complete_moves(random, state)
        added = np.array([move.then.card if move.then else 0 for move in moves])
        compiled = played(state, [move.card for move in moves], added)
        readable = resolved(state, moves)
        if readable[3]:
            # The search does not continue a finished game, so its hands and fruit do not matter.
            finished += 1
            assert (compiled[0], compiled[3]) == (readable[0], readable[3]), f"round {number}"
        else:
            assert compiled == readable, f"round {number}"
    assert finished > 100


def test_growth_rolls_two_dice_while_tokens_last():
    random = np.array([12345])
    for supply, dice in ((15, 2), (2, 2), (1, 1), (0, 0)):
        fruit = np.array([15 - supply, 0, 0, 0, 0, 0])
        mcts_kernels.roll(fruit, random)
        assert fruit.sum() == 15 - supply + dice


def test_random_numbers_are_uniform():
    random = np.array([987654321])
    drawn = np.array([next_random(random) for _ in range(20_000)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert np.histogram(drawn, 10, (0.0, 1.0))[0] == pytest.approx([2000] * 10, rel=0.1)


def test_shares_sum_to_one_and_seats_on_the_last_space_win():
    seats, owners = np.full((2, 4), 1023), np.array([0, 1, 0, 1])
    shares, table = np.zeros(4), potentials(30)
    seats[0] = (30, 12, 30, 9)
    mcts_kernels.evaluate(0b0101, seats, owners, table, hand_worth(), shares)
    assert shares.tolist() == [1.0, 0.0, 0.0, 0.0]
    seats[0] = (20, 12, 20, 9)
    mcts_kernels.evaluate(0, seats, owners, table, hand_worth(), shares)
    assert shares.sum() == pytest.approx(1.0)
    assert shares[0] > shares[1] > 0.0


def test_every_iteration_counts_one_card_of_every_seat():
    state = position("1357hb", "246hw", "17h", "34hwb", owners="abab")
    visits = TreeSearchAgent(iterations=500).visits(question(state, "a"), seed=3)
    assert visits[:, 0].tolist() == visits[:, 1:].sum(axis=1).tolist() == [500] * 4
    for seat, tried in zip(state.seats, visits, strict=True):
        assert {card for card in range(1, 11) if tried[card]} == set(map(int, seat.hand))


@pytest.mark.parametrize("mixed", [False, True])
def test_tree_search_takes_a_certain_win(mixed):
    # Level 6 has two fruit, and no other seat can reach or strike it.
    state = position("26h", "13h", "23h", scores=(28, 28, 28), fruit=(0, 0, 0, 0, 0, 2))
    agent = TreeSearchAgent(iterations=2_000, mixed=mixed, exploration=0.05)
    assert agent.choose(question(state, "a"), Random(1)) == {"a": Move(Card.SIX)}


def test_tree_search_adds_the_winning_card_at_the_watcher_decision():
    state = position("26hw", "13h", "23h", scores=(28, 28, 28), fruit=(0, 0, 0, 0, 0, 2))
    asked = question(state, "a", "w13")
    chosen = TreeSearchAgent(iterations=500).choose(asked, Random(1))
    assert chosen == {"a": Move(Card.WATCHER, Move(Card.SIX))}


def test_healers_take_back_the_two_highest_champions():
    state = position("13hb", "13h", "23h")
    asked = question(state, "a", "h13")
    taken = TreeSearchAgent(iterations=1).choose(asked, Random(1))["a"].recover
    assert taken == (Card.SIX, Card.SEVEN)
