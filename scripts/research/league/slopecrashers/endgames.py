"""Random endgames of Slopecrashers for two players, and a plain minimax by the readable rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final, TypeAlias

from research.league.slopecrashers.play import GAME
from service.core.game import Decision
from service.games.slopecrashers.rules.course import Course, Field, Piece
from service.games.slopecrashers.rules.gifts import CARD_BY_LABEL, Card, Deck, deck_order
from service.games.slopecrashers.rules.state import LAPS, Place, Seat, State
from service.games.slopecrashers.rules.turn import Turn

WIN, OPEN, LOSS = 1, 0, -1
FIELDS: Final = (Field.PLAIN, Field.BOOST, Field.ABYSS, Field.OBSTACLE)
WEIGHTS: Final = (8, 1, 1, 1)
HANDS: Final = (0, 1, 1, 2, 2, 3)
"""Numbers of gifts of the asker; all are equally likely."""
MISSING: Final = 0.12
"""Probability that the opponent misses its next turn."""
FARTHEST, NEAREST = 6, 2
"""Rows before the finish between which the players are."""

Memo: TypeAlias = dict[tuple[object, ...], int]


class TooLargeError(Exception):
    """A minimax needs more positions than it may search."""


def endgame(random: Random) -> State:
    """Return a race of two, a few turns from the finish, in which the asker knows all gifts.

    There are no gift fields, and all gifts of the opponent are of one kind: it is the only one in
    the pool.
    """
    while True:
        rows, lanes = random.randint(5, 8), random.randint(2, 4)
        track = [tuple(random.choices(FIELDS, WEIGHTS, k=lanes)) for _ in range(rows)]
        track[0] = track[-1] = (Field.PLAIN,) * lanes
        course = Course((Piece("random", tuple(track)),))
        free = [
            (row, lane)
            for row in range(max(0, rows - FARTHEST), rows - NEAREST + 1)
            for lane in range(lanes)
            if course.is_enterable(row, lane)
        ]
        if len(free) > 1:
            break
    kinds = list(CARD_BY_LABEL.values())
    own = random.choices(kinds, k=random.choice(HANDS))
    others = [random.choice(kinds)] * random.randint(0, 2)
    deck = _deck([*own, *others] or kinds[:1])
    first, second = (Place(LAPS, *space) for space in random.sample(free, 2))
    return State(
        (
            Seat("a", first, tuple(own)),
            Seat("b", second, tuple(others), misses_turn=random.random() < MISSING),
        ),
        0,
        course,
        deck,
        discards=() if own or others else tuple(kinds[:1]),
        own_deck=True,
    )


def _deck(cards: list[Card]) -> Deck:
    counts = Counter(cards)
    return Deck(tuple((card, counts[card]) for card in sorted(counts, key=deck_order)))


def forced_result(turn: Turn, player: str, turns: int, memo: Memo, most: int = 10**9) -> int:
    """Return the result for a player that is forced within some turns, with all gifts known.

    Args:
        turn: so far.
        player: the result is 1 if it wins whatever the other one does, -1 if it loses, and 0 if
            that is open; a draw leaves it open.
        turns: at most, this one included.
        memo: results by position; for one player only.
        most: number of positions in the memo.

    Raises:
        TooLargeError: if there are more positions.
    """
    if turn.over:
        state = GAME.rest(turn)
        if state.winner is not None:
            return WIN if state.players[state.winner] == player else LOSS
        if turns == 1:
            return OPEN
        return forced_result(GAME.begin(state).play, player, turns - 1, memo, most)
    node = GAME.pending(turn)
    if not isinstance(node, Decision):
        return OPEN
    # The way to a place within the turn makes no difference.
    key = turn.state, turn.movements, turn.attack, turn.in_play, turns
    if key not in memo:
        if len(memo) >= most:
            raise TooLargeError
        [(decider, choices)] = node.choices.items()
        sign = 1 if decider == player else -1
        best = LOSS
        for choice in choices:
            after = GAME.choose(turn, {decider: choice}).play
            best = max(best, sign * forced_result(after, player, turns, memo, most))
            if best == WIN:
                break
        memo[key] = sign * best
    return memo[key]
