"""Monte Carlo tree search of simultaneous rounds, compiled, with a resolver of its own.

Every seat chooses by UCB1 on its own statistics of a node, as if the others were a part of chance
(*decoupled* UCT: Tak, Lanctot, Winands 2014, *Monte Carlo Tree Search Variants for Simultaneous
Move Games*).  A node is a card decision, reached by a history of joint choices and dice; dice are
sampled.  Watchers and healers answer by rules of thumb, see :func:`play_round`.

Cards are numbered as in ``state.Card``; a hand is a set of bits in deck order.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from service.compiling import kernel

FIGHT, FRUIT, MANA = 0, 1, 2
HEALER, WATCHER, BLIZZARD = 8, 9, 10
CHAMPIONS = 127
"""A hand with all champions and nothing else."""
NOTHING, STORM = 0, 8
"""Final cards besides the champions: none, and a blizzard."""
LEVELS = 7
DICE, TOKENS, FRUIT_LEVELS = 2, 15, 6
SCORE, HAND = 0, 1
"""Rows of the seats."""
CARDS = 11
"""Actions are cards, 1 to 10; 0 is none."""
QUARTERS = 4
"""Hands are valued in quarter spaces."""
ARRIVES = 1_000
"""More quarter spaces than a round can be worth."""
MOST_DEPTH = 64
"""Rounds that a history in the tree may have."""


def _healed(hand: int) -> int:
    """The hand after its healer: all seven champions back (R4), or the two highest."""
    missing = [1 << place for place in range(LEVELS - 1, -1, -1) if not hand >> place & 1]
    return hand + sum(missing if len(missing) == LEVELS else missing[:2])


_HEALED = np.array([_healed(hand) for hand in range(1024)], np.int64)
_CHAMPIONS_IN = np.array([(hand & CHAMPIONS).bit_count() for hand in range(1024)], np.int64)
_HOW_MANY = np.array([mask.bit_count() for mask in range(32)], np.int64)
_FIRST = np.array([(mask & -mask).bit_length() - 1 for mask in range(32)], np.int64)
_FINALS = np.array([NOTHING, 1, 2, 3, 4, 5, 6, 7, NOTHING, NOTHING, STORM], np.int64)
"""The final card of each card shown."""
_TOP_57, _TOP_53 = (1 << 57) - 1, (1 << 53) - 1


@kernel("float64(int64[::1])")
def draw(state):
    """A number from 0 to below 1 (xorshift64: Marsaglia 2003, *Xorshift RNGs*); state not 0."""
    x = state[0]
    x ^= x << 13
    x ^= x >> 7 & _TOP_57
    x ^= x << 17
    state[0] = x
    return (x >> 11 & _TOP_53) / 9007199254740992.0


@kernel("int64(int64[::1], int64, int64, int64)")
def _advance(scores, seat, spaces, length):
    """Moves a marker; the seat as a mask if it stands on the last space now."""
    scores[seat] = min(scores[seat] + spaces, length)
    return 1 << seat if scores[seat] == length else 0


@kernel("int64(int64[::1], int64[::1], int64[::1], int64[:, ::1])")
def settle(finals, scores, fruit, board):
    """Steps A to E of one round of final cards; markers and fruit change in place.

    Args:
        finals: int64[n], 0 nothing, 1 to 7 a champion, 8 a blizzard.
        scores: int64[n], in and out.
        fruit: int64[6], in and out.
        board: int64[2, length + 1], the bonus of each space: its kind, -1 for none, its advance.

    Returns:
        Masks of the seats whose champion returns and, from bit 8, of those that arrived.
    """
    n = finals.shape[0]
    length = board.shape[1] - 1
    # Five bits for each final card: the seats that show it; three for each seat: its kinds.
    at, got = 0, 0
    for seat in range(n):
        at |= 1 << (5 * finals[seat] + seat)
    standing, arrived = 0, 0
    storms = at >> (5 * STORM) & 31
    if storms:
        # Every champion is discarded, each blizzard counts all of them (R5).
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
                # Nothing is awarded any more; who was not knocked down returns (R11).
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
    """The best card that one watcher can add in this round, see :func:`play_round`."""
    n = finals.shape[0]
    scores, tree = scratch[1, :n], scratch[2]
    hand = seats[HAND, watcher] & ~(1 << (WATCHER - 1))
    best, most = HEALER, -ARRIVES * ARRIVES
    for card in range(1, CARDS):
        if not hand >> (card - 1) & 1:
            continue
        finals[watcher] = _FINALS[card]
        scores[:] = seats[SCORE]
        tree[:] = fruit
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
    """Plays a round after growth; seats and fruit change in place.

    A watcher whose added card is not told takes what is best in this round for its player, each
    as if the other such watchers added nothing: spaces gained and the worth of cards kept, to
    arrive above all.  Healers take back the two highest champions (or all seven, R4).

    Args:
        cards: int64[n], the cards revealed.
        added: int64[n], in and out, the card that each watcher adds, 0 if it is not told.
        seats: int64[2, n], in and out, markers and hands.
        fruit: int64[6], in and out.
        owners: int64[n], the player of each seat.
        board: see :func:`settle`.
        worth: int64[1024], of hands, in quarter spaces.
        scratch: int64[3, 6], a buffer.

    Returns:
        The mask of the seats that arrived.
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
    """Growth: two dice, as far as there are tokens; the tokens grown, four bits a level."""
    grown = 0
    for _ in range(min(DICE, TOKENS - fruit.sum())):
        level = int(draw(random) * FRUIT_LEVELS)
        fruit[level] += 1
        grown += 1 << (4 * level)
    return grown


@kernel("int64(int64, int64[::1], int64[::1])")
def guess(hand, fruit, random):
    """A card for a rollout: any, champions on fruit and needed healers more often."""
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
            if draw(random) * total < weight:
                chosen = card
    return chosen


@kernel("void(int64, int64[:, ::1], int64[::1], float64[:, ::1], int64[::1], float64[::1])")
def appraise(arrived, seats, owners, potentials, worth, shares):
    """Everybody's share of the win: counted at the end, else from scores and hands.

    Args:
        arrived: mask of the seats on the last space.
        seats, owners, worth: see :func:`play_round`.
        potentials: float64[length + 1, standings], by the leader's space and a seat's standing
            in quarter spaces, see ``mcts.potentials``.
        shares: float64[n], out: by player.
    """
    n = owners.shape[0]
    leader = seats[SCORE].max()
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
    """A seat's action at a node: an untried one if there is any, else by UCB1.

    Args:
        legal: its actions as a set of bits, action 1 first.
        visits, totals: int32 and float64[11], of its actions; visits[0] is their sum.
        exploration: the weight of what is little known, in shares of the win.
    """
    untried = 0
    for action in range(1, CARDS):
        if legal >> (action - 1) & 1 and visits[action] == 0:
            untried += 1
    rest = int(draw(random) * untried) if untried else 0
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
def find(key, table, fresh):
    """The node of a key; entered as ``fresh`` if unknown (open addressing, -1 is free)."""
    slots = table.shape[0]
    slot = (key * 0x9E3779B97F4A7C1 >> 20) & (slots - 1)
    while table[slot, 1] >= 0:
        if table[slot, 0] == key:
            return table[slot, 1]
        slot = (slot + 1) & (slots - 1)
    table[slot, 0], table[slot, 1] = key, fresh
    return fresh


@kernel(
    "int64(int64[::1], int64[:, ::1], int64[::1], int64[::1], int64[:, ::1], int64[::1],"
    " float64[:, ::1], int64, int64, float64, int64[::1], int32[:, :, ::1],"
    " float64[:, :, ::1], int64[:, ::1])"
)
def search(told, seats, owners, fruit, board, worth, potentials,
           iterations, rollout, exploration, random, visits, totals, table):  # fmt: skip
    """Searches from a card decision, or from a watcher decision where cards are told.

    Args:
        told: int64[n], the cards revealed, all 0 at the card decision.
        seats, owners, board, worth: see :func:`play_round`.
        fruit: int64[6], after growth.
        potentials: see :func:`appraise`.
        iterations: games begun.
        rollout: rounds guessed after the tree before a position is appraised.
        exploration: see :func:`select`.
        random: int64[1], not 0, in and out.
        visits, totals: int32 and float64[nodes, n, 11], zeroed, in and out, see :func:`select`;
            at least one node more than iterations.
        table: int64[power of two, 2], keys and nodes, filled with -1, in and out.

    Returns:
        The number of nodes; node 0 is the decision in question.
    """
    n = owners.shape[0]
    now, tree = np.empty((2, n), np.int64), np.empty(FRUIT_LEVELS, np.int64)
    cards, added = np.empty(n, np.int64), np.empty(n, np.int64)
    path, actions = np.empty(MOST_DEPTH, np.int64), np.empty((MOST_DEPTH, n), np.int64)
    scratch, shares = np.empty((3, FRUIT_LEVELS), np.int64), np.empty(n, np.float64)
    nodes = 1
    for _ in range(iterations):
        now[:] = seats
        tree[:] = fruit
        node, depth, arrived = 0, 0, 0
        while True:
            joint = 0
            for seat in range(n):
                shown, action = told[seat] if depth == 0 else 0, 0
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
            if arrived or depth == MOST_DEPTH:
                break
            # Exact: 19 bits of the node before, 20 of cards, 24 of fruit grown.
            node = find((node << 20 | joint) << 24 | roll(tree, random), table, nodes)
            if node == nodes:
                nodes += 1
                break
        guessed = 0
        while not arrived and guessed < rollout:
            for seat in range(n):
                cards[seat], added[seat] = guess(now[HAND, seat], tree, random), 0
            arrived = play_round(cards, added, now, tree, owners, board, worth, scratch)
            if not arrived:
                roll(tree, random)
            guessed += 1
        appraise(arrived, now, owners, potentials, worth, shares)
        for step in range(depth):
            for seat in range(n):
                action = actions[step, seat]
                if action:
                    visits[path[step], seat, 0] += 1
                    visits[path[step], seat, action] += 1
                    totals[path[step], seat, action] += shares[owners[seat]]
    return nodes
