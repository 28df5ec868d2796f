"""Play the turns of all players after the end of a turn, in deals of the hidden cards.

Positions are packed as in ``turns``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.compiling import kernel, record
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.estimation import (
    GIFTS_PART,
    NEXT_TURN_PART,
    OTHERS_PART,
    PARTS,
    PROGRESS_PART,
    RACE,
    gift_value,
    movements_left,
    order_cost,
    shares,
    track_left,
)
from service.games.slopecrashers.engine.kernels.forcing import MINIMAX, forced_result
from service.games.slopecrashers.engine.kernels.rating import MAX_REDUCED, best_end
from service.games.slopecrashers.engine.kernels.reaching import STATES
from service.games.slopecrashers.engine.kernels.turns import VECTOR

MAX_DEALS = 1 << 20
"""Larger numbers of deals are not distinguished."""
END_ROW, DEAL_ROW = MAX_REDUCED, MAX_REDUCED + 1
"""Rows of the scratch after those of :func:`best_end`: the end of a turn, and the position of a
deal.  A kernel that creates no array itself does not count references.
"""
MIN_ROWS = MAX_REDUCED + 2


class Deals(NamedTuple):
    """What is found in each deal of the hidden cards.

    Attributes:
        values: float64[deals, n], win shares.
        chances: float64[deals], the probability of each deal.
        terms: float64[deals, PARTS, n], see :func:`play_rounds`.
    """

    values: NDArray[np.float64]
    chances: NDArray[np.float64]
    terms: NDArray[np.float64]


DEALS = record(Deals, values="float64[:, ::1]", chances="float64[::1]", terms="float64[:, :, ::1]")


@kernel("uint64(uint64)")
def _split_mix(x):
    """Return the next pseudo-random number (SplitMix64, Steele et al. 2014)."""
    x += np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel("uint64(int64, int64, int64)")
def _mixed(number, seat, place):
    return _split_mix(np.uint64(number * 1009 + seat * 131 + place))


@kernel(f"boolean({VECTOR}, int64, int64)")
def deal_sample(s, number, samples):
    """Replace the unseen gifts of all stacks by cards drawn from the pool without replacement.

    Each of the samples draws a gift from another part of the pool, in random order (Latin
    hypercube sampling: McKay, Beckman and Conover 1979), so few samples vary less.

    Args:
        number: seed; the same number deals the same cards in positions that differ in places only.
        samples: number of samples, numbered from 0; any number is allowed for a single one.

    Returns:
        Whether there were unseen gifts.
    """
    dealt = False
    left = np.int64(0)
    for kind in range(turns.KINDS):
        left += s[turns.POOL + kind]
    for seat in range(s[turns.N]):
        at = turns.SEAT + seat * turns.SEAT_SIZE
        for place in range(s[at + turns.COUNT]):
            if s[at + turns.GIFTS + place] != turns.UNSEEN or left <= 0:
                continue
            dealt = True
            mix, rank = _mixed(number, seat, place), 0
            if samples > 1:
                for other in range(samples):
                    rank += _mixed(other, seat, place) < mix
            within = float(_split_mix(mix) >> np.uint64(11)) / 9007199254740992.0
            chosen = int((rank + within) / samples * left)
            for kind in range(turns.KINDS):
                chosen -= s[turns.POOL + kind]
                if chosen < 0:
                    s[at + turns.GIFTS + place] = kind
                    s[turns.POOL + kind] -= 1
                    left -= 1
                    break
    return dealt


@kernel(f"int64({VECTOR})")
def count_deals(s):
    """Return the number of lists of kinds that the unseen gifts of all stacks may be.

    1 if there are no unseen gifts.  Some lists may be impossible because the pool has too few cards
    of a kind.
    """
    kinds, count = 0, 1
    for kind in range(turns.KINDS):
        kinds += s[turns.POOL + kind] > 0
    for seat in range(s[turns.N]):
        at = turns.SEAT + seat * turns.SEAT_SIZE
        for place in range(s[at + turns.COUNT]):
            if s[at + turns.GIFTS + place] == turns.UNSEEN and kinds and count < MAX_DEALS:
                count *= kinds
    return count


@kernel(f"float64({VECTOR}, int64)")
def deal_numbered(s, number):
    """Replace the unseen gifts by the cards of one list; see :func:`count_deals`.

    Args:
        number: index of the list, from 0.

    Returns:
        The probability of the list; 0 if it is impossible, and then ``s`` is invalid.
    """
    present = np.empty(turns.KINDS, np.int64)
    kinds, left = 0, np.int64(0)
    for kind in range(turns.KINDS):
        if s[turns.POOL + kind] > 0:
            present[kinds] = kind
            kinds += 1
        left += s[turns.POOL + kind]
    chance = 1.0
    for seat in range(s[turns.N]):
        at = turns.SEAT + seat * turns.SEAT_SIZE
        for place in range(s[at + turns.COUNT]):
            if s[at + turns.GIFTS + place] != turns.UNSEEN or left <= 0:
                continue
            kind = present[number % kinds]
            number //= kinds
            chance *= s[turns.POOL + kind] / left
            s[at + turns.GIFTS + place] = kind
            s[turns.POOL + kind] -= 1
            left -= 1
            if chance <= 0.0:
                return 0.0
    return chance


@kernel(f"void({VECTOR}, int64, {RACE}, float64[:, ::1])")
def _others_left(s, asker, race, terms):
    """Write the movements left of the other players, without the order of turns."""
    movements_left(s, race, terms[OTHERS_PART])
    for seat in range(s[turns.N]):
        terms[OTHERS_PART, seat] -= order_cost(s, seat, race.weights)
    terms[OTHERS_PART, asker] = 0.0


@kernel("void(float64[:, ::1])")
def _write_nan(terms):
    """Write NaN to all terms: the result is certain."""
    for part in range(terms.shape[0]):
        for seat in range(terms.shape[1]):
            terms[part, seat] = np.nan


@kernel(
    f"void({VECTOR}, int64, int64, {RACE}, {STATES}, int64[:, ::1], float64[::1], float64[:, ::1],"
    " int64[::1])"
)
def play_rounds(s, asker, rounds, race, states, seen, value, terms, searched):
    """Play the turns of all players, the asker's next turn included, with all cards known.

    Including the asker's turn matters: an evaluation right before a turn does not see what the
    position offers in it.  See :func:`evaluate_end`.

    Args:
        s: the position; changed.
        states: int16[MIN_ROWS or more, LENGTH], scratch; bounds are not checked.
        value: float64[n], out: the win shares afterwards.
        terms: float64[PARTS, n], out: the movements left afterwards by part, see ``estimation.py``;
            NaN if the result is certain.
    """
    after = states[END_ROW]
    n, own = s[turns.N], turns.SEAT + asker * turns.SEAT_SIZE
    for part in range(PARTS):
        for seat in range(n):
            terms[part, seat] = 0.0
    terms[PROGRESS_PART, asker] = track_left(s, asker, race.distances)
    terms[GIFTS_PART, asker] = -gift_value(s, asker, race.card_values)
    played, due = 0, 0
    while s[turns.WINNER] < 0 and played < rounds:
        own_turn = s[turns.TURN] == asker
        if due < rounds:
            due += own_turn
            if due == rounds:
                _others_left(s, asker, race, terms)
        played += own_turn
        missing = s[own + turns.MISSES]
        searched[0] += best_end(s, race, states, seen, after, value)
        turns.copy_position(after, s)
        # A missed turn counts as the asker's: what the others do after it is its consequence.
        if due < rounds and missing and not s[own + turns.MISSES]:
            due += 1
            if due == rounds:
                _others_left(s, asker, race, terms)
    shares(s, race, value)
    if s[turns.WINNER] >= 0:
        _write_nan(terms)
        return
    movements_left(s, race, terms[NEXT_TURN_PART])
    for seat in range(n):
        for part in range(PARTS):
            if part != NEXT_TURN_PART:
                terms[NEXT_TURN_PART, seat] -= terms[part, seat]


@kernel(f"boolean({VECTOR}, {RACE}, {MINIMAX}, float64[::1], float64[:, ::1], int64[::1])")
def decide_forced(s, race, minimax, value, terms, searched):
    """Write the result of a race of two that one of them wins by force with all cards known.

    Args:
        s: the position.
        value, terms: see :func:`play_rounds`.

    Returns:
        Whether there is a forced result.
    """
    result = forced_result(s, race, minimax, searched)
    if result == 0:
        return False
    winner = s[turns.TURN] if result > 0 else 1 - s[turns.TURN]
    value[0], value[1] = winner == 0, winner == 1
    _write_nan(terms)
    return True


@kernel(
    f"int64({VECTOR}, int64, int64, UniTuple(int64, 2), {RACE}, {STATES}, int64[:, ::1], {MINIMAX},"
    f" {DEALS}, int64[::1])"
)
def evaluate_end(s, asker, rounds, dealt, race, states, seen, minimax, deals, searched):
    """Evaluate the end of a turn: play on to the end of the asker's next turn in determinizations.

    All deals of the hidden cards are searched if there are few, otherwise a sample.

    Args:
        s: the position when the next turn begins.
        asker: seat of the asker.
        rounds: number of the asker's turns to play.
        dealt: the size of a sample; all deals are searched if they are no more than the second.
        states: int16[MIN_ROWS or more, LENGTH], scratch.
        deals: out: what is found, with room for all deals that may be searched.
        searched: int64[1]; the number of positions searched is added.

    Returns:
        The size of the sample; minus the number of deals if all were searched, -1 without hidden
        cards.
    """
    (samples, limit), deal = dealt, states[DEAL_ROW]
    count = count_deals(s)
    sampled = count > limit
    possible = 0
    for number in range(samples if sampled else count):
        turns.copy_position(s, deal)
        chance = 1.0 / samples
        if sampled and samples == 1:
            # Other draws get other deals, so that the errors of their values cancel out.
            own = turns.SEAT + asker * turns.SEAT_SIZE
            deal_sample(
                deal,
                s[own + turns.COUNT] * turns.KINDS
                + s[own + turns.GIFTS + s[own + turns.COUNT] - 1],
                1,
            )
        elif sampled:
            deal_sample(deal, number, samples)
        else:
            chance = deal_numbered(deal, number)
        if chance > 0.0:
            deals.chances[possible] = chance
            value, terms = deals.values[possible], deals.terms[possible]
            if not decide_forced(deal, race, minimax, value, terms, searched):
                play_rounds(deal, asker, rounds, race, states, seen, value, terms, searched)
            possible += 1
    return possible if sampled else -possible
