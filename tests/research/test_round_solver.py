from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from research.league.snow_time.round_solver import (
    CardWorth,
    choices_of,
    match_regrets,
    round_payoffs,
    solve_round,
)

from service.games.snow_time.rules.resolution import resolve
from service.games.snow_time.rules.state import Card, Move
from tests.research.positions import position, question, random_position, recovered

pytestmark = pytest.mark.research

WORTH = CardWorth(0.75, 1.0, 1.5)


def spaces(state, moves):
    """Return spaces moved plus the worth of the hand, by player, from the readable rules."""
    complete = [
        move.recovering(recovered(seat)) if move.awaits_recovery else move
        for seat, move in zip(state.seats, moves, strict=True)
    ]
    after = resolve(state, complete).state
    gained = dict.fromkeys(state.players, 0.0)
    for seat, now in zip(state.seats, after.seats, strict=True):
        gained[seat.player] += now.score - seat.score + WORTH.of(now.hand)
    return gained


def with_added_cards(state, cards):
    """Complete moves: each player's watchers add the best cards if other players' add nothing.

    Of equally good cards the first in deck order counts, as in the kernel; sums are exact.
    """
    idle = [move.adding(Card.HEALER) if move.awaits_added_card else move for move in cards]
    final = list(idle)
    for player in state.players:
        own = [
            place
            for place, (seat, move) in enumerate(zip(state.seats, cards, strict=True))
            if seat.player == player and move.awaits_added_card
        ]
        best = None
        adding = [[c for c in state.seats[place].hand if c is not Card.WATCHER] for place in own]
        for added in product(*adding):
            tried = list(idle)
            for place, card in zip(own, added, strict=True):
                tried[place] = cards[place].adding(card)
            value = spaces(state, tried)[player]
            if best is None or value > best[0]:
                best = (value, [tried[place] for place in own])
        for place, move in zip(own, best[1], strict=True):
            final[place] = move
    return final


@pytest.mark.parametrize(("seats", "two_players"), [(3, False), (4, True)])
def test_payoffs_agree_with_the_readable_rules(seats, two_players):
    random = Random(seats)
    watchers = 0
    for _ in range(20):
        state = random_position(random, seats, card_rate=0.4, two_players=two_players)
        in_order = [seat for player in state.players for seat in state.seats_of(player)]
        choices = [choices_of(seat, None, "card", WORTH) for seat in in_order]
        payoffs = round_payoffs(state, in_order, choices)
        profiles = list(product(*(own.moves for own in choices)))
        for profile in random.sample(range(len(profiles)), min(60, len(profiles))):
            by_name = dict(zip([s.name for s in in_order], profiles[profile], strict=True))
            cards = [by_name[seat.name] for seat in state.seats]
            expected = spaces(state, with_added_cards(state, cards))
            watchers += sum(move.awaits_added_card for move in cards) > 1
            for place, player in enumerate(state.players):
                assert payoffs[place, profile] == expected[player]
    assert watchers > 10


def test_regret_matching_solves_rock_paper_scissors():
    win = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float).ravel()
    one, two = match_regrets(np.stack([win, -win]), np.array([3, 3]), np.array([0, 1]))
    assert one == pytest.approx([1 / 3] * 3, abs=0.02)
    assert two == pytest.approx([1 / 3] * 3, abs=0.02)


def test_equal_seats_get_equal_strategies():
    state = position("1357hb", "246hw", "1357hb", fruit=(1, 0, 2, 0, 3, 0))
    strategies = solve_round(question(state, "a"), WORTH)
    assert strategies["a"][1] == strategies["c"][1]


def test_a_blizzard_is_played_unless_it_is_worth_more_in_hand():
    # It scores against a champion 1 whenever a third seat does not play its healer.
    state = position("1hb", "1hb", "1hb")
    chance = {}
    for blizzard in (0.0, 50.0):
        moves, chances = solve_round(question(state, "a"), CardWorth(0.0, 1.0, blizzard))["a"]
        chance[blizzard] = chances[moves.index({"a": Move(Card.BLIZZARD)})]
    assert chance[0.0] > 0.3
    assert chance[50.0] == 0.0


def test_a_watcher_adds_the_best_card_after_the_reveal():
    # No seat can knock down a lone six, and it takes three fruit.
    state = position("6h", "5h", "136hw", fruit=(0, 0, 0, 0, 0, 3))
    moves, chances = solve_round(question(state, "c", "hhw"), WORTH)["c"]
    assert moves[int(np.argmax(chances))] == {"c": Move(Card.WATCHER, Move(Card.SIX))}
    assert max(chances) > 0.99
