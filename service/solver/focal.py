"""Which of many equilibria: the one that does well among people.

Where everybody avoids everybody else there are many strategies that nobody gains by leaving, and
they fit together badly: who plays its part of one while the others play another fares worse than
all of them.  What others play cannot be known, but guessed.  People who think mostly play each
round for themselves: for what they gain and keep, in one way or another of valuing that.  Some
choose a move the more often the better it looks, others go over to what they regret not to have
played.  These are the *predictions*.  Searches for an equilibrium start from each of them, and from
the responses to them; and of what they find the strategies are taken that are worth most against
the predictions, less their gap.

A choice by what comes to mind is Schelling's (1960, *The Strategy of Conflict*); to hold an
equilibrium close to predicted play has proven itself in Diplomacy (Jacob et al. 2022, *Modeling
Strong and Human-Like Gameplay with KL-Regularized Search*).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from service.core.hint import Position
from service.core.joint import Joint
from service.core.play import Choice
from service.solver.games import (
    Floats,
    NormalForm,
    Part,
    reduced,
    respond_quantally,
    without_rare,
)
from service.solver.kernels import mixed
from service.solver.limits import Effort, Meter
from service.solver.newton import polished
from service.solver.regrets import match

PRECISION: Final = 4.0
"""Of people's choices, per space."""
PATH: Final = ((0.5, 0.5, 4), (1.0, 0.4, 6))
"""From even play to predictions: parts of the precision, how far each step goes, how many steps.
They need not settle down.
"""
ADAPTIONS, ADAPTED = 40, 6_000_000
"""How often people go over to something else, in the other kind of predictions, and the payoffs
weighed by all that together: in large games it is less often.
"""
SHARP: Final = 64.0
"""The precision of responses to predictions, relative to the spread of payoffs."""
INERTIA: Final = (1.0, 5.0)
"""How long a search holds on to where it starts, in steps at which everything is at stake."""
SLACK: Final = {"win": 0.012, "points": 0.06, "lead": 0.06}
"""By objective, in shares of the win or spaces: beyond such a gap nothing counts but the gap."""
LIKED: Final = 2.0
"""What a share or space that players on average win against predictions counts, against the gap."""
EVEN: Final = 0.02
"""The part of a start that is played evenly, lest a move is overlooked."""


def predictions(
    joint: Joint[Choice, Position], ways: Sequence[Floats | None], effort: Effort, meter: Meter
) -> list[Floats]:
    """How people may play: float64[sum of choices] for each way to judge the decision."""
    found: list[Floats] = []
    for which in range(min(joint.interests, effort.predictions)):
        if meter.stop():
            break
        game = reduced(joint.interest(which), joint.counts, joint.alike, ways)
        found.append(_adapting(game) if which % 2 else _erring(game))
    return found


def _erring(game: NormalForm) -> Floats:
    """How people play who choose what looks better more often."""
    strategies = game.uniform
    unused, least = strategies.copy(), np.array([np.inf])
    for part, step, steps in PATH:
        mixed.follow_logit(
            game.turned, game.shape, game.alike, game.shape > 1, part * PRECISION, step,
            False, steps, 0.0, strategies, unused, least,
        )  # fmt: skip
    return strategies


def _adapting(game: NormalForm) -> Floats:
    """How people play on average who go over to what they regret not to have played."""
    average = np.empty(int(game.shape.sum()))
    times = max(1, min(ADAPTIONS, ADAPTED // game.payoffs.size))
    mixed.average_matching(game.turned, game.shape, game.alike, times, average)
    return average


def focal(
    game: NormalForm,
    first: Floats,
    predicted: Sequence[Floats],
    slack: float,
    effort: Effort,
    meter: Meter,
) -> tuple[Floats, float]:
    """Strategies of small gap that are worth most against predictions, and their gap.

    Args:
        game: with three or more players.
        first: some strategies of small gap, which are looked at anyway.
        predicted: at least one prediction.
        slack: a gap beyond which nothing else counts.
        effort: how much work to do.
        meter: keeps the deadline.
    """
    spread = game.spread
    values = [game.respond(own) for own in predicted]
    against = game.respond(sum(predicted[1:], start=predicted[0]) / len(predicted))
    responses = [respond_quantally(game, own, SHARP / spread) for own in values]
    starts = [*predicted, *responses]
    part = Part.of(game, [first, *starts], [game.respond(first), *values], effort.profiles)
    small = part.game
    steps = effort.search_steps
    liking = against * (LIKED / len(game.shape))
    liked = liking[part.places]
    candidates = [_rated(game, first, liking, slack)]
    for start, inertia in [(first, INERTIA[-1]), *((s, i) for s in starts for i in INERTIA)]:
        own = (1.0 - EVEN) * part.below(start) + EVEN * small.uniform
        found, _ = match(
            small, steps, 0.0, meter, start=own, inertia=inertia, liking=liked, slack=slack
        )
        candidates.append(_rated(game, part.above(found), liking, slack))
        if meter.stop():
            break
    candidates.sort(key=_rating)
    for _, own in candidates[: effort.polished]:
        if not meter.stop():
            candidates.append(_rated(game, polished(game, own, effort, meter), liking, slack))
    best = min(candidates, key=_rating)[1]
    gap, plain = game.gap(best), without_rare(game, best)
    more = game.gap(plain)
    return (best, gap) if gap <= slack < more else (plain, more)


def _rated(
    game: NormalForm, strategies: Floats, liking: Floats, slack: float
) -> tuple[float, Floats]:
    return game.rate(strategies, liking, slack), strategies


def _rating(candidate: tuple[float, Floats]) -> float:
    return candidate[0]
