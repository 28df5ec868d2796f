"""Games in normal form, compiled: payoffs, the values of actions, and epsilon.

A game has players p with ``shape[p]`` actions.  Its payoffs are in the layout *own action last*:
float64[players, profiles] where each player's own action changes fastest and the others' actions
precede it in their order.  Expected values are then a chain of sums of rows.  Strategies of all
players are concatenated in float64[sum of shape].

``symmetry_classes`` names for each player the first player with the same payoffs up to renaming.
Symmetric players get the same strategy, bit for bit: only the first one is computed.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel


@kernel("void(float64[:, ::1], int64[::1], float64[:, ::1])")
def to_own_action_last(payoffs, shape, own_action_last):
    """Convert payoffs from *last player's action last* to *own action last*.

    Args:
        payoffs: float64[players, profiles].
        shape: int64[players].
        own_action_last: float64[players, profiles], out.
    """
    players = shape.shape[0]
    for player in range(players):
        before, after = 1, 1
        for other in range(players):
            if other < player:
                before *= shape[other]
            elif other > player:
                after *= shape[other]
        own = shape[player]
        for first in range(before):
            for last in range(after):
                row = (first * after + last) * own
                for move in range(own):
                    own_action_last[player, row + move] = payoffs[
                        player, (first * own + move) * after + last
                    ]


@kernel("void(float64[:, :, ::1], int64[::1], float64[:, :, ::1])")
def batch_to_own_action_last(payoffs, shape, own_action_last):
    """Convert the payoffs of games of one shape: float64[games, players, profiles]."""
    for game in range(payoffs.shape[0]):
        to_own_action_last(payoffs[game], shape, own_action_last[game])


@kernel("void(float64[:, ::1], int64[::1], int64[::1], float64[:, ::1])")
def update_own_action_last(payoffs, shape, profiles, own_action_last):
    """Convert the payoffs of some profiles; the others stay as they are.

    Args:
        payoffs: float64[players, profiles].
        shape: int64[players].
        profiles: int64[k].
        own_action_last: float64[players, profiles], in and out.
    """
    players = shape.shape[0]
    for profile in profiles:
        after = 1
        for player in range(players - 1, -1, -1):
            own = shape[player]
            last = profile % after
            move = profile // after % own
            first = profile // (after * own)
            own_action_last[player, (first * after + last) * own + move] = payoffs[player, profile]
            after *= own


@kernel("int64(float64[::1], int64, int64[:, ::1])")
def list_runs(strategy, length, runs):
    """List the runs of actions of positive probability.

    Args:
        strategy: float64[actions].
        length: payoffs of an action.
        runs: int64[2, actions], out, where each run begins and ends, in payoffs.

    Returns:
        The number of runs.
    """
    count = 0
    for move in range(strategy.shape[0]):
        if strategy[move] > 0.0:
            if count > 0 and runs[1, count - 1] == move * length:
                runs[1, count - 1] += length
            else:
                runs[0, count], runs[1, count] = move * length, (move + 1) * length
                count += 1
    return count


@kernel(
    "void(float64[:, ::1], int64[::1], int64[::1], float64[::1], float64[:, ::1], float64[::1])"
)
def action_values(own_action_last, shape, symmetry_classes, strategies, buffers, values):
    """Compute the value of each action against the others' strategies.

    Args:
        own_action_last: float64[players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        strategies: float64[sum of shape].
        buffers: float64[2, profiles], for intermediate sums.
        values: float64[sum of shape], out.
    """
    players = shape.shape[0]
    runs = np.empty((2, strategies.shape[0]), np.int64)
    first = 0
    for player in range(players):
        own = shape[player]
        if symmetry_classes[player] < player:
            twin = 0
            for other in range(symmetry_classes[player]):
                twin += shape[other]
            for move in range(own):
                values[first + move] = values[twin + move]
            first += own
            continue
        size = own_action_last.shape[1]
        source = own_action_last[player]
        into = 0
        begin = 0
        for other in range(players):
            end = begin + shape[other]
            if other != player:
                rest = size // shape[other]
                # The next sum skips actions of probability zero, so this one does it too.
                following = other + 1 if other + 1 != player else other + 2
                count, runs[0, 0], runs[1, 0] = 1, 0, rest
                if following < players:
                    after = end if other + 1 != player else end + own
                    chances = strategies[after : after + shape[following]]
                    count = list_runs(chances, rest // shape[following], runs)
                target = buffers[into]
                fresh = True
                for move in range(shape[other]):
                    chance = strategies[begin + move]
                    if chance > 0.0:
                        row = source[move * rest : (move + 1) * rest]
                        for run in range(count):
                            part = row[runs[0, run] : runs[1, run]]
                            total = target[runs[0, run] : runs[1, run]]
                            if fresh:
                                for place in range(part.shape[0]):
                                    total[place] = chance * part[place]
                            else:
                                for place in range(part.shape[0]):
                                    total[place] += chance * part[place]
                        fresh = False
                source = target
                size = rest
                into = 1 - into
            begin = end
        for move in range(own):
            values[first + move] = source[move]
        first += own


@kernel("void(float64[:, :, ::1], int64[::1], int64[::1], float64[:, ::1], float64[:, ::1])")
def batch_action_values(own_action_last, shape, symmetry_classes, strategies, values):
    """Compute the values of all actions in games of one shape; see :func:`action_values`.

    Args:
        own_action_last: float64[games, players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        strategies: float64[games, sum of shape].
        values: float64[games, sum of shape], out.
    """
    buffers = np.empty((2, own_action_last.shape[2]), np.float64)
    for game in range(own_action_last.shape[0]):
        action_values(
            own_action_last[game],
            shape,
            symmetry_classes,
            strategies[game],
            buffers,
            values[game],
        )


@kernel("float64(int64[::1], float64[::1], float64[::1])")
def epsilon(shape, strategies, values):
    """Return the largest gain of any player from a unilateral deviation."""
    worst = 0.0
    first = 0
    for player in range(shape.shape[0]):
        expected, best = 0.0, values[first]
        for move in range(first, first + shape[player]):
            expected += strategies[move] * values[move]
            best = max(best, values[move])
        worst = max(worst, best - expected)
        first += shape[player]
    return worst


@kernel("void(int64[::1], int64[::1], float64[::1], float64[::1])")
def reach_probabilities(profiles, shape, strategies, chances):
    """Compute for each profile the largest probability of the others' parts over all players.

    This is the probability of the profile if one player, the most favourable one, plays its part.

    Args:
        profiles: int64[k].
        shape: int64[players].
        strategies: float64[sum of shape].
        chances: float64[k], out.
    """
    players = shape.shape[0]
    played = np.empty(players, np.float64)
    for which in range(profiles.shape[0]):
        rest = profiles[which]
        first = strategies.shape[0]
        for player in range(players - 1, -1, -1):
            first -= shape[player]
            played[player] = strategies[first + rest % shape[player]]
            rest //= shape[player]
        most = 0.0
        for player in range(players):
            chance = 1.0
            for other in range(players):
                if other != player:
                    chance *= played[other]
            most = max(most, chance)
        chances[which] = most
