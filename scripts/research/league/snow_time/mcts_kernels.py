"""Compiled Monte Carlo tree search of simultaneous rounds, with a separate resolution of rounds.

Every seat chooses by UCB1 on its own statistics of a node, and treats the other seats as chance
(*decoupled* UCT: Tak, Lanctot, Winands 2014, *Monte Carlo Tree Search Variants for Simultaneous
Move Games*). A node is a card decision, identified by the history of joint choices and dice.
Dice are sampled. Watchers and healers follow fixed heuristics, see :func:`play_round`.

Cards are numbered as in ``state.Card``; a hand is a set of bits in deck order.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from research.league.random_kernels import next_random
from service.compiling import kernel

FIGHT, FRUIT, MANA = 0, 1, 2
HEALER, WATCHER, BLIZZARD = 8, 9, 10
CHAMPIONS = 127
"""The hand with all champions and no other card."""
NOTHING, STORM = 0, 8
"""Final cards other than champions: no card, and a blizzard."""
LEVELS = 7
DICE, TOKENS, FRUIT_LEVELS = 2, 15, 6
SCORE, HAND = 0, 1
"""Rows of the array of seats."""
CARDS = 11
"""Actions are card numbers, 1 to 10; 0 means no action."""
QUARTERS = 4
"""The worth of a hand is in quarter spaces."""
ARRIVES = 1_000
"""Value of reaching the last space: more quarter spaces than a round can be worth."""
MAX_DEPTH = 64
"""Rounds on a path in the tree."""


def _healed(hand: int) -> int:
    """Return the hand after its healer: all seven champions back (R4), or the two highest."""
    missing = [1 << place for place in range(LEVELS - 1, -1, -1) if not hand >> place & 1]
    return hand + sum(missing if len(missing) == LEVELS else missing[:2])


_HEALED = np.array([_healed(hand) for hand in range(1024)], np.int64)
_CHAMPIONS_IN = np.array([(hand & CHAMPIONS).bit_count() for hand in range(1024)], np.int64)
_HOW_MANY = np.array([mask.bit_count() for mask in range(32)], np.int64)
_FIRST = np.array([(mask & -mask).bit_length() - 1 for mask in range(32)], np.int64)
_FINALS = np.array([NOTHING, 1, 2, 3, 4, 5, 6, 7, NOTHING, NOTHING, STORM], np.int64)
"""The final card of each card played."""


@kernel("void(int64[::1], int64[::1])")
def _copy(source, target):
    """Copy numbers: assigning a slice would add 5 s to compilation, for the text of an error."""
    for place in range(len(source)):
        target[place] = source[place]


@kernel("int64(int64[::1], int64, int64, int64)")
def _advance(scores, seat, spaces, length):
    """Move a marker; return the bit of the seat if it reaches the last space, else 0."""
    scores[seat] = min(scores[seat] + spaces, length)
    return 1 << seat if scores[seat] == length else 0


@kernel("int64(int64[::1], int64[::1], int64[::1], int64[:, ::1])")
def settle(finals, scores, fruit, board):
    """Resolve steps A to E of one round of final cards; change markers and fruit in place.

    Args:
        finals: int64[n]: 0 for no card, 1 to 7 for a champion, 8 for a blizzard.
        scores: int64[n], in and out.
        fruit: int64[6], in and out.
        board: int64[2, length + 1], bonus of each space: its kind (-1 for none) and its advance.

    Returns:
        Masks of the seats whose champion returns and, from bit 8, of those on the last space.
    """
    n = finals.shape[0]
    length = board.shape[1] - 1
    # `at`: five bits per final card, the seats that play it. `got`: three bits per seat, the
    # kinds of advance.
    at, got = 0, 0
    for seat in range(n):
        at |= 1 << (5 * finals[seat] + seat)
    standing, arrived = 0, 0
    storms = at >> (5 * STORM) & 31
    if storms:
        # Every champion is discarded; each blizzard scores all of them (R5).
        fallen = n - _HOW_MANY[storms | at & 31]
        for seat in range(n):
            if fallen and storms >> seat & 1:
                arrived |= _advance(scores, seat, fallen, length)
                got |= 1 << (3 * seat + FIGHT)
    else:
        struck, lowest = False, -1
        for level in range(LEVELS, 0, -1):
            here = at >> (5 * level) & 31
            if here == 0 or struck:
                struck = False
            elif arrived:
                # No more awards; champions that were not knocked down return (R11).
                standing |= here
            elif here & (here - 1) == 0:
                lowest = _FIRST[here]
                standing |= here
                below = at >> (5 * (level - 1)) & 31 if level > 1 else 0
                if below:
                    struck = True
                    arrived = _advance(scores, lowest, _HOW_MANY[below], length)
                    got |= 1 << (3 * lowest + FIGHT)
                if level <= FRUIT_LEVELS and fruit[level - 1] and not arrived:
                    arrived = _advance(scores, lowest, fruit[level - 1], length)
                    fruit[level - 1] = 0
                    got |= 1 << (3 * lowest + FRUIT)
            else:
                for seat in range(n):
                    if here >> seat & 1:
                        arrived |= _advance(scores, seat, _HOW_MANY[here] - 1, length)
                        got |= 1 << (3 * seat + FIGHT)
        if lowest >= 0 and not arrived:
            arrived = _advance(scores, lowest, 1, length)
            got |= 1 << (3 * lowest + MANA)
    if got and not arrived:
        for seat in range(n):
            kind = board[0, scores[seat]]
            if kind >= 0 and got >> (3 * seat + kind) & 1:
                arrived |= _advance(scores, seat, board[1, scores[seat]], length)
    return standing | arrived << 8


@kernel(
    "int64(int64, int64[::1], int64[:, ::1], int64[::1], int64[::1], int64[:, ::1], int64[::1],"
    " int64[:, ::1])"
)
def _answer(watcher, finals, seats, fruit, owners, board, worth, scratch):
    """Return the best card that one watcher can add in this round, see :func:`play_round`."""
    n = finals.shape[0]
    scores, tree = scratch[1, :n], scratch[2]
    hand = seats[HAND, watcher] & ~(1 << (WATCHER - 1))
    best, most = HEALER, -ARRIVES * ARRIVES
    for card in range(1, CARDS):
        if not hand >> (card - 1) & 1:
            continue
        finals[watcher] = _FINALS[card]
        _copy(seats[SCORE], scores)
        _copy(fruit, tree)
        mark = settle(finals, scores, tree, board)
        value, won = 0, False
        for seat in range(n):
            if owners[seat] == owners[watcher]:
                value += QUARTERS * (scores[seat] - seats[SCORE, seat])
                if 1 <= finals[seat] <= LEVELS and not mark >> seat & 1:
                    value -= worth[1 << (finals[seat] - 1)]
                won = won or mark >> (8 + seat) & 1 != 0
        if card == HEALER:
            value += worth[_HEALED[hand]] - worth[hand]
        elif card == BLIZZARD:
            value -= worth[1 << (BLIZZARD - 1)]
        if mark >> 8:
            value += ARRIVES if won else -ARRIVES
        if value > most:
            best, most = card, value
    finals[watcher] = NOTHING
    return best


@kernel(
    "int64(int64[::1], int64[::1], int64[:, ::1], int64[::1], int64[::1], int64[:, ::1],"
    " int64[::1], int64[:, ::1])"
)
def play_round(cards, added, seats, fruit, owners, board, worth, scratch):
    """Play a round after growth; change seats and fruit in place.

    A watcher without a given card adds the card that is best for its player in this round, as if
    the other such watchers added nothing. It counts spaces gained and the worth of the cards left
    in hand; reaching the last space counts most. Healers take back the two highest champions (or
    all seven, R4).

    Args:
        cards: int64[n], revealed cards.
        added: int64[n], in and out, the card that each watcher adds; 0 to choose it here.
        seats: int64[2, n], in and out, markers and hands.
        fruit: int64[6], in and out.
        owners: int64[n], the player of each seat.
        board: see :func:`settle`.
        worth: int64[1024], worth of hands in quarter spaces.
        scratch: int64[3, 6], a buffer.

    Returns:
        The mask of the seats on the last space.
    """
    n = cards.shape[0]
    finals = scratch[0, :n]
    waiting = 0
    for seat in range(n):
        shown = added[seat] if cards[seat] == WATCHER else cards[seat]
        finals[seat] = _FINALS[shown]
        if not shown:
            waiting |= 1 << seat
    for seat in range(n):
        if waiting >> seat & 1:
            added[seat] = _answer(seat, finals, seats, fruit, owners, board, worth, scratch)
    for seat in range(n):
        if waiting >> seat & 1:
            finals[seat] = _FINALS[added[seat]]
    mark = settle(finals, seats[SCORE], fruit, board)
    hands = seats[HAND]
    for seat in range(n):
        shown = cards[seat]
        if shown == WATCHER:
            hands[seat] &= ~(1 << (WATCHER - 1))
            shown = added[seat]
        if shown == HEALER:
            hands[seat] = _HEALED[hands[seat]]
        elif shown == BLIZZARD or not mark >> seat & 1:
            hands[seat] &= ~(1 << (shown - 1))
    return mark >> 8


@kernel("int64(int64[::1], int64[::1])")
def roll(fruit, random):
    """Roll two dice and grow fruit while tokens last; return the growth, four bits per level."""
    grown = 0
    for _ in range(min(DICE, TOKENS - fruit.sum())):
        level = int(next_random(random) * FRUIT_LEVELS)
        fruit[level] += 1
        grown += 1 << (4 * level)
    return grown


@kernel("int64(int64, int64[::1], int64[::1])")
def random_card(hand, fruit, random):
    """Draw a card for a rollout, with more weight on champions with fruit and needed healers."""
    missing = LEVELS - _CHAMPIONS_IN[hand]
    chosen, total = HEALER, 0
    for card in range(1, CARDS):
        if hand >> (card - 1) & 1:
            weight = 2
            if card <= LEVELS:
                weight = 4 + 4 * fruit[card - 1] if card <= FRUIT_LEVELS else 4
            elif card == HEALER:
                weight = 40 if missing == LEVELS else missing * missing
            total += weight
            if next_random(random) * total < weight:
                chosen = card
    return chosen


@kernel("void(int64, int64[:, ::1], int64[::1], float64[:, ::1], int64[::1], float64[::1])")
def evaluate(arrived, seats, owners, potentials, worth, shares):
    """Compute the win shares: exact at the end, else estimated from scores and hands.

    Args:
        arrived: mask of the seats on the last space; 0 before the end.
        seats, owners, worth: see :func:`play_round`.
        potentials: float64[length + 1, standings], by the leader's space and a seat's standing
            in quarter spaces, see ``mcts.potentials``.
        shares: float64[n], out, by player.
    """
    n = owners.shape[0]
    leader = 0
    for seat in range(n):
        leader = max(leader, seats[SCORE, seat])
    shares[:] = 0.0
    total = 0.0
    for seat in range(n):
        if not arrived:
            standing = QUARTERS * seats[SCORE, seat] + worth[seats[HAND, seat]]
            shares[owners[seat]] += potentials[leader, standing]
            total += potentials[leader, standing]
        elif arrived >> seat & 1 and shares[owners[seat]] == 0.0:
            shares[owners[seat]] = 1.0
            total += 1.0
    for player in range(n):
        shares[player] /= total


@kernel("int64(int64, int32[::1], float64[::1], float64, int64[::1])")
def select(legal, visits, totals, exploration, random):
    """Return a seat's action at a node: an untried one if there is any, else by UCB1.

    Args:
        legal: legal actions as bits; the lowest bit is action 1.
        visits, totals: int32 and float64[11], by action; visits[0] is the sum of visits.
        exploration: weight of the confidence term, in win shares.
    """
    untried = 0
    for action in range(1, CARDS):
        if legal >> (action - 1) & 1 and visits[action] == 0:
            untried += 1
    rest = int(next_random(random) * untried) if untried else 0
    chosen, most = 0, -1.0
    logarithm = log(visits[0] + 1.0)
    for action in range(1, CARDS):
        if not legal >> (action - 1) & 1:
            continue
        if not untried:
            tried = visits[action]
            value = totals[action] / tried + exploration * sqrt(logarithm / tried)
            if value > most:
                chosen, most = action, value
        elif visits[action] == 0:
            if rest == 0:
                return action
            rest -= 1
    return chosen


@kernel("int64(int64, int64[:, ::1], int64)")
def find_or_insert(key, table, new):
    """Return the node of a key; insert ``new`` if it is missing (open addressing, -1 is free)."""
    slots = table.shape[0]
    slot = (key * 0x9E3779B97F4A7C1 >> 20) & (slots - 1)
    while table[slot, 1] >= 0:
        if table[slot, 0] == key:
            return table[slot, 1]
        slot = (slot + 1) & (slots - 1)
    table[slot, 0], table[slot, 1] = key, new
    return new


@kernel(
    "int64(int64[::1], int64[:, ::1], int64[::1], int64[::1], int64[:, ::1], int64[::1],"
    " float64[:, ::1], int64, int64, float64, int64[::1], int32[:, :, ::1],"
    " float64[:, :, ::1], int64[:, ::1])"
)
def search(revealed, seats, owners, fruit, board, worth, potentials,
           iterations, rollout, exploration, random, visits, totals, table):  # fmt: skip
    """Search from a card decision, or from a watcher decision with revealed cards.

    Args:
        revealed: int64[n], the revealed cards; all 0 at the card decision.
        seats, owners, board, worth: see :func:`play_round`.
        fruit: int64[6], after growth.
        potentials: see :func:`evaluate`.
        iterations: number of simulations.
        rollout: random rounds after the tree, before the position is evaluated.
        exploration: see :func:`select`.
        random: int64[1], state of the generator, not 0, in and out.
        visits, totals: int32 and float64[nodes, n, 11], zeroed, in and out, see :func:`select`;
            more nodes than iterations.
        table: int64[power of two, 2], keys and nodes, filled with -1, in and out.

    Returns:
        The number of nodes; node 0 is the root.
    """
    n = owners.shape[0]
    now, tree = np.empty((2, n), np.int64), np.empty(FRUIT_LEVELS, np.int64)
    cards, added = np.empty(n, np.int64), np.empty(n, np.int64)
    path, actions = np.empty(MAX_DEPTH, np.int64), np.empty((MAX_DEPTH, n), np.int64)
    scratch, shares = np.empty((3, FRUIT_LEVELS), np.int64), np.empty(n, np.float64)
    nodes = 1
    for _ in range(iterations):
        for row in range(len(seats)):
            _copy(seats[row], now[row])
        _copy(fruit, tree)
        node, depth, arrived = 0, 0, 0
        while True:
            joint = 0
            for seat in range(n):
                shown, action = revealed[seat] if depth == 0 else 0, 0
                watches = shown == WATCHER
                if watches or shown == 0:
                    legal = now[HAND, seat] & ~(watches << (WATCHER - 1))
                    action = select(
                        legal, visits[node, seat], totals[node, seat], exploration, random
                    )
                cards[seat] = shown if shown else action
                added[seat] = action if watches else 0
                actions[depth, seat] = action
                joint = joint << 4 | action
            path[depth] = node
            depth += 1
            arrived = play_round(cards, added, now, tree, owners, board, worth, scratch)
            if arrived or depth == MAX_DEPTH:
                break
            # The key is exact: 19 bits of the parent node, 20 of cards, 24 of growth.
            key = (node << 20 | joint) << 24 | roll(tree, random)
            node = find_or_insert(key, table, nodes)
            if node == nodes:
                nodes += 1
                break
        rolled_out = 0
        while not arrived and rolled_out < rollout:
            for seat in range(n):
                cards[seat], added[seat] = random_card(now[HAND, seat], tree, random), 0
            arrived = play_round(cards, added, now, tree, owners, board, worth, scratch)
            if not arrived:
                roll(tree, random)
            rolled_out += 1
        evaluate(arrived, now, owners, potentials, worth, shares)
        for step in range(depth):
            for seat in range(n):
                action = actions[step, seat]
                if action:
                    visits[path[step], seat, 0] += 1
                    visits[path[step], seat, action] += 1
                    totals[path[step], seat, action] += shares[owners[seat]]
    return nodes
