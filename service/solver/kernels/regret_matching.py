"""Games in normal form, compiled: action values, epsilon, regret matching and logit response.

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

_HALVES = np.array([2.0**-power for power in range(1075)])
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@kernel("float64(float64)")
def exponential(x):
    """Return exp(x) for x <= 0; relative error 1e-15.

    It uses only + − × ÷ and therefore gives the same bits on every machine.
    """
    halvings = np.int64(0.5 - x * 1.4426950408889634)
    if halvings >= 1075:
        return 0.0
    rest = (x + halvings * _LN2_HIGH) + halvings * _LN2_LOW
    # |rest| <= ln 2 / 2: the next term of the series is below 1e-18.
    total = 1.0
    for term in range(14, 0, -1):
        total = 1.0 + total * rest / term
    return total * _HALVES[halvings]


@kernel("void(float64[::1])")
def exponentiate(numbers):
    """Replace numbers x <= 0 by exp(x); see :func:`exponential`."""
    for place in range(numbers.shape[0]):
        numbers[place] = exponential(numbers[place])


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
            if other != player:
                rest = size // shape[other]
                target = buffers[into]
                fresh = True
                for move in range(shape[other]):
                    chance = strategies[begin + move]
                    if chance > 0.0:
                        row = source[move * rest : (move + 1) * rest]
                        if fresh:
                            for place in range(rest):
                                target[place] = chance * row[place]
                        else:
                            for place in range(rest):
                                target[place] += chance * row[place]
                        fresh = False
                source = target
                size = rest
                into = 1 - into
            begin += shape[other]
        for move in range(own):
            values[first + move] = source[move]
        first += own


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


@kernel("void(float64[::1], int64, int64)")
def normalize(weights, first, last):
    """Scale non-negative weights to sum 1; make them equal if all are zero."""
    total = 0.0
    for move in range(first, last):
        total += weights[move]
    for move in range(first, last):
        weights[move] = weights[move] / total if total > 0.0 else 1.0 / (last - first)


@kernel(
    "void(float64[:, :, ::1], int64[::1], int64[::1], int64, boolean, float64[::1],"
    " float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1])"
)
def regret_matching_plus(
    own_action_last,
    shape,
    symmetry_classes,
    iterations,
    predictive,
    tolerances,
    current,
    regrets,
    best,
    epsilons,
):
    """Run regret matching plus on games of one shape, with simultaneous updates of all players.

    Candidates for the result are every iterate and the average of this call's iterates, so calls
    of doubling lengths consider averages over doubling windows.  With ``predictive`` the latest
    regrets count twice (Farina, Kroer, Sandholm 2021, *Faster Game Solving via Predictive
    Blackwell Approachability*; without it, Tammelin 2014, *Solving Large Imperfect Information
    Games Using CFR+*).

    Args:
        own_action_last: float64[games, players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        iterations: of this call.
        predictive: see above.
        tolerances: float64[games]; a game with a candidate of this epsilon is skipped.
        current: float64[games, sum of shape], in and out, the iterates.
        regrets: float64[games, sum of shape], in and out.
        best: float64[games, sum of shape], in and out, the candidates with the smallest epsilon.
        epsilons: float64[games], in and out, of the candidates.
    """
    players = shape.shape[0]
    moves = current.shape[1]
    buffers = np.empty((2, own_action_last.shape[2]), np.float64)
    values = np.empty(moves, np.float64)
    average = np.empty(moves, np.float64)
    for game in range(own_action_last.shape[0]):
        payoffs = own_action_last[game]
        strategies = current[game]
        regret = regrets[game]
        for move in range(moves):
            average[move] = 0.0
        done = 0
        while done < iterations and epsilons[game] > tolerances[game]:
            action_values(payoffs, shape, symmetry_classes, strategies, buffers, values)
            current_epsilon = epsilon(shape, strategies, values)
            if current_epsilon < epsilons[game]:
                epsilons[game] = current_epsilon
                for move in range(moves):
                    best[game, move] = strategies[move]
            done += 1
            first = 0
            for player in range(players):
                last = first + shape[player]
                expected = 0.0
                for move in range(first, last):
                    expected += strategies[move] * values[move]
                for move in range(first, last):
                    average[move] += strategies[move]
                    instant = values[move] - expected
                    regret[move] = max(regret[move] + instant, 0.0)
                    strategies[move] = regret[move]
                    if predictive:
                        strategies[move] = max(regret[move] + instant, 0.0)
                normalize(strategies, first, last)
                first = last
        if done > 1 and epsilons[game] > tolerances[game]:
            for move in range(moves):
                average[move] /= done
            action_values(payoffs, shape, symmetry_classes, average, buffers, values)
            current_epsilon = epsilon(shape, average, values)
            if current_epsilon < epsilons[game]:
                epsilons[game] = current_epsilon
                for move in range(moves):
                    best[game, move] = average[move]


@kernel("void(float64[:, ::1], int64[::1], int64[::1], int64, float64[::1])")
def average_regret_matching(own_action_last, shape, symmetry_classes, iterations, average):
    """Compute the average strategies under regret matching (Hart, Mas-Colell 2000).

    Args:
        own_action_last: float64[players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        iterations: with simultaneous updates of all players, from uniform strategies.
        average: float64[sum of shape], out.
    """
    players = shape.shape[0]
    moves = average.shape[0]
    buffers = np.empty((2, own_action_last.shape[1]), np.float64)
    values = np.empty(moves, np.float64)
    strategies = np.zeros(moves, np.float64)
    regrets = np.zeros(moves, np.float64)
    first = 0
    for player in range(players):
        normalize(strategies, first, first + shape[player])
        first += shape[player]
    for move in range(moves):
        average[move] = 0.0
    for _ in range(iterations):
        action_values(own_action_last, shape, symmetry_classes, strategies, buffers, values)
        first = 0
        for player in range(players):
            last = first + shape[player]
            expected = 0.0
            for move in range(first, last):
                average[move] += strategies[move] / iterations
                expected += strategies[move] * values[move]
            for move in range(first, last):
                regrets[move] += values[move] - expected
                strategies[move] = max(regrets[move], 0.0)
            normalize(strategies, first, last)
            first = last


@kernel("void(int64[::1], boolean[::1], float64, float64[::1], float64[::1])")
def logit_responses(shape, answering, precision, values, responses):
    """Compute logit responses to action values.

    Args:
        shape: int64[players].
        answering: boolean[players]; the responses of other players stay as they are.
        precision: per unit of payoff.
        values: float64[sum of shape].
        responses: float64[sum of shape], out.
    """
    first = 0
    for player in range(shape.shape[0]):
        last = first + shape[player]
        if answering[player]:
            most, total = values[first], 0.0
            for move in range(first, last):
                most = max(most, values[move])
            for move in range(first, last):
                responses[move] = exponential(precision * (values[move] - most))
                total += responses[move]
            for move in range(first, last):
                responses[move] /= total
        first = last


@kernel(
    "float64(float64[:, ::1], int64[::1], int64[::1], boolean[::1], float64, float64, boolean,"
    " int64, float64, float64[::1], float64[::1], float64[::1])"
)
def iterate_logit(
    own_action_last,
    shape,
    symmetry_classes,
    answering,
    precision,
    step,
    midway,
    iterations,
    exact,
    strategies,
    best,
    least,
):
    """Move all strategies step by step towards their logit responses (McKelvey, Palfrey 1995).

    Args:
        own_action_last: float64[players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        answering: boolean[players], who responds; the strategies of the others stay.
        precision: of the responses, per unit of payoff.
        step: step size, 0 to 1.
        midway: whether to move towards the response to the strategies after the step; this
            converges where opposed players would cycle (Korpelevich 1976, *The extragradient
            method*).
        iterations: maximum number.
        exact: residual at which to stop.
        strategies: float64[sum of shape], in and out.
        best: float64[sum of shape], in and out, the strategies with the smallest epsilon.
        least: float64[1], in and out, their epsilon.

    Returns:
        The residual: the largest difference of a probability from its response at the last step.
    """
    moves = strategies.shape[0]
    buffers = np.empty((2, own_action_last.shape[1]), np.float64)
    values = np.empty(moves, np.float64)
    responses = strategies.copy()
    halfway = np.empty(moves, np.float64)
    residual = 0.0
    for _ in range(iterations):
        action_values(own_action_last, shape, symmetry_classes, strategies, buffers, values)
        current_epsilon = epsilon(shape, strategies, values)
        if current_epsilon < least[0]:
            least[0] = current_epsilon
            for move in range(moves):
                best[move] = strategies[move]
        logit_responses(shape, answering, precision, values, responses)
        residual = 0.0
        for move in range(moves):
            residual = max(residual, abs(responses[move] - strategies[move]))
        if midway and residual > exact:
            for move in range(moves):
                halfway[move] = strategies[move] + step * (responses[move] - strategies[move])
            action_values(own_action_last, shape, symmetry_classes, halfway, buffers, values)
            logit_responses(shape, answering, precision, values, responses)
        for move in range(moves):
            strategies[move] += step * (responses[move] - strategies[move])
        if residual <= exact:
            break
    return residual
