"""Games in normal form, compiled: what moves are worth, and strategies nobody wants to leave.

A game has players p with ``shape[p]`` moves.  Its payoffs are *turned*: float64[players, profiles]
where each player's own move turns fastest, the others' before it in their order.  Then everything
that a player may expect is a chain of sums of rows.  Strategies of all players stand one after the
other in float64[sum of shape].

Players who are ``symmetry_classes`` (the first such player named for each) have the same payoffs up to
renaming; they are given the same strategy, bit for bit, by working only for the first.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

_HALVES = np.array([2.0**-power for power in range(1075)])
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@kernel("float64(float64)")
def exponential(x):
    """exp(x) for x <= 0 by + − × ÷ alone, the same bits on every machine; relative error 1e-15."""
    halvings = np.int64(0.5 - x * 1.4426950408889634)
    if halvings >= 1075:
        return 0.0
    rest = (x + halvings * _LN2_HIGH) + halvings * _LN2_LOW
    # |rest| <= ln 2 / 2: the next term of the series is below 1e-18.
    total = 1.0
    for term in range(14, 0, -1):
        total = 1.0 + total * rest / term
    return total * _HALVES[halvings]


@kernel("void(float64[:, ::1], int64[::1], float64[:, ::1])")
def to_own_action_last(payoffs, shape, own_action_last):
    """From the last player's move turning fastest to each player's own.

    Args:
        payoffs: float64[players, profiles].
        turned: float64[players, profiles], out.
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
    """The same for some games of one shape: float64[games, players, profiles]."""
    for game in range(payoffs.shape[0]):
        to_own_action_last(payoffs[game], shape, own_action_last[game])


@kernel("void(float64[:, ::1], int64[::1], int64[::1], float64[:, ::1])")
def update_own_action_last(payoffs, shape, profiles, own_action_last):
    """The same for some profiles alone; the others stay as they are.

    Args:
        profiles: int64[k].
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
    """What every move is worth while the others play their strategies.

    Args:
        turned: float64[players, profiles].
        shape: int64[players].
        alike: int64[players].
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
    """How often each profile is met when one player, any, goes for it: the most that the others'
    strategies lead there.

    Args:
        profiles: int64[k].
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
    """The most any player could gain by leaving its strategy."""
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
    """Makes some weights, none of them negative, sum to 1; even ones if there are none."""
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
    """Regret matching plus on some games of one shape, all players at the same time.

    The candidates are every iterate and the average of this call's iterates, so that calls of
    doubling lengths look at averages over doubling windows.  With ``predictive`` the last
    regrets count twice (Farina, Kroer, Sandholm 2021, *Faster Game Solving via Predictive
    Blackwell Approachability*; without it, Tammelin 2014, *Solving Large Imperfect Information
    Games Using CFR+*).

    Args:
        turned: float64[games, players, profiles].
        iterations: of this call.
        tolerances: float64[games]; a game with a candidate of this gap is left alone.
        current: float64[games, sum of shape], in and out, the iterates.
        regrets: float64[games, sum of shape], in and out.
        best: float64[games, sum of shape], in and out, the candidates of least gap.
        gaps: float64[games], in and out, theirs.
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
            found = epsilon(shape, strategies, values)
            if found < epsilons[game]:
                epsilons[game] = found
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
            found = epsilon(shape, average, values)
            if found < epsilons[game]:
                epsilons[game] = found
                for move in range(moves):
                    best[game, move] = average[move]


@kernel("void(float64[:, ::1], int64[::1], int64[::1], int64, float64[::1])")
def average_regret_matching(own_action_last, shape, symmetry_classes, iterations, average):
    """What players come to play on average who adapt by their regrets (Hart, Mas-Colell 2000).

    Args:
        turned: float64[players, profiles].
        iterations: of regret matching, everybody at the same time, beginning with even play.
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
    """Logit responses to what moves are worth; ``responses`` of who does not answer are left.

    Args:
        answering: boolean[players].
        precision: per unit of payoff.
        values, responses: float64[sum of shape], the latter out.
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
    """Steps towards the logit response of everybody to everybody (McKelvey, Palfrey 1995).

    Args:
        answering: boolean[players], who responds; the others stay with their strategies.
        precision: of the response, per unit of payoff.
        step: how far to go towards it, 0 to 1.
        midway: whether to go towards the response to where the step would lead, which does not
            circle where players oppose each other (Korpelevich 1976, *The extragradient method*).
        iterations: at most.
        exact: a residual that ends them.
        strategies: float64[sum of shape], in and out.
        best, least: in and out, the strategies met of least gap and that gap, float64[1].

    Returns:
        The residual: the farthest that a probability was from its response, at the last step.
    """
    moves = strategies.shape[0]
    buffers = np.empty((2, own_action_last.shape[1]), np.float64)
    values = np.empty(moves, np.float64)
    responses = strategies.copy()
    halfway = np.empty(moves, np.float64)
    residual = 0.0
    for _ in range(iterations):
        action_values(own_action_last, shape, symmetry_classes, strategies, buffers, values)
        found = epsilon(shape, strategies, values)
        if found < least[0]:
            least[0] = found
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
