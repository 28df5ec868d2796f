"""Random positions of Snowcrest in which the game ends soon."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final

from research.league.snowcrest.agents import GreedyAgent, RandomAgent
from research.league.snowcrest.play import initial_state, play
from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.rules.scoring import scores
from service.games.snowcrest.rules.state import State, observed, unseen_deck
from service.games.snowcrest.rules.turn import Turn

GAMES: Final = 40
"""Games that the positions are from."""
EARLY: Final = 8
"""Turns at the beginning of a game that have no position."""


def near_end(random: Random) -> State:
    """Return a position of a close game that ends in this round; mostly with the last turn."""
    state = random.choice(_positions(random.randrange(GAMES)))
    own = len(state.seats) - 1 if random.random() < 0.8 else random.randrange(len(state.seats))
    points = [each.points for each in scores(state)]
    best = max(points[:own] + points[own + 1 :])
    ahead = random.choice((-6, -3, -2, -1, 0, 0, 1, 1, 2, 3, 6))
    lacks = best + ahead - points[own]
    changed = tuple(
        replace(seat, scrolls=seat.scrolls + (max(0, lacks) if index == own else max(0, -lacks)))
        for index, seat in enumerate(state.seats)
    )
    supply = random.choice((0, 0, 1, 2))
    return replace(state, turn=own, supply=supply, ending=True, seats=changed)


def dealt(turn: Turn, player: str, random: Random) -> Turn:
    """Return the turn with other cards in place of those that a player does not see."""
    state = observed(turn.state, player)
    for index, seat in enumerate(state.seats):
        if seat.unknown_count:
            cards = [*unseen_deck(state, index).elements()]
            random.shuffle(cards)
            hand = tuple(cards.pop() if card == UNKNOWN else card for card in seat.hand)
            state = state.with_seat(index, replace(seat, hand=hand))
    return replace(turn, state=state)


@lru_cache(maxsize=GAMES)
def _positions(seed: int) -> list[State]:
    start, found = initial_state(2 + seed % 3, seed), list[State]()
    agent = GreedyAgent() if seed % 2 else RandomAgent()
    play(start, dict.fromkeys(start.players, agent), seed, found.append)
    return [replace(state, turn=0) for state in found[EARLY:] or found]
