"""No-regret play of everybody: mixed strategies that nobody gains much by leaving.

Averages of regret matching need not converge with three or more players, and iterates need not
with two.  So several methods run for a fixed number of steps each, and of all that they come by
the strategies of least gap are taken: the most that any player could gain by another move.  That
gap is measured, never promised.

A later decision in which several players meet is solved as a game of its own where the strategies
can get there, alone or by one player's other move, and folded in; then everything is solved again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from service.core.joint import Joint
from service.core.play import Choice
from service.core.rounding import apportion, apportion_mirrored
from service.solver import kernels
from service.solver.games import Floats, Ints, NormalForm, reduced, split
from service.solver.limits import Effort, Meter

FIRST_WINDOW: Final = 8
"""Steps of the first window; each is twice as long as the one before."""
PRECISIONS: Final = (8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
"""Of the logit path, relative to the spread of payoffs."""
LOGIT_STEP: Final = 0.2
RARE: Final = 1e-3
"""Probabilities below this are dropped where that costs hardly anything."""
HARDLY: Final = 1e-4
"""What dropping them may add to the gap, relative to the spread of payoffs."""
SAME: Final = 1e-9
"""Chances that differ by less, relatively, are the same but for rounding."""


@dataclass(frozen=True)
class Solved:
    """Strategies of all players, as printed, and how good they are.

    Attributes:
        strategies: by player, float64[moves].
        gap: the most that a player whose strategy is not given could gain by leaving it.
        settled: whether each later decision that can be met was solved as a game.
    """

    strategies: Sequence[Floats]
    gap: float
    settled: bool


def equilibrium(
    joint: Joint[Choice], ways: Sequence[Floats | None], effort: Effort, meter: Meter
) -> Solved:
    """Finds strategies of small gap.

    Args:
        joint: the decision; open profiles that matter are settled.
        ways: see :meth:`Joint.given`.
        effort: how much work to do.
        meter: keeps the deadline.

    Raises:
        OutOfTime: before anything was found.
    """
    for _ in range(effort.refinements):
        game = reduced(joint.payoffs, joint.counts, joint.alike, ways)
        rough = moves_of(_least_gap(game, effort.roughly, meter), game, ways)
        if not settle(joint, rough, effort, meter):
            break
    else:
        game = reduced(joint.payoffs, joint.counts, joint.alike, ways)
    found = _without_rare(game, _least_gap(game, effort, meter))
    return certified(joint, ways, moves_of(found, game, ways))


def certified(
    joint: Joint[Choice], ways: Sequence[Floats | None], strategies: Sequence[Floats]
) -> Solved:
    """Rounds strategies as they are printed, and measures their gap."""
    printed: list[Floats] = []
    for player, own in enumerate(strategies):
        mirror, twin = joint.mirrors[player], joint.alike[player]
        if twin < player:
            printed.append(printed[twin])
        elif mirror is None:
            printed.append(np.array(apportion(own)))
        else:
            printed.append(np.array(apportion_mirrored(own, mirror)))
    game = reduced(joint.payoffs, joint.counts, joint.alike, [None] * len(printed))
    values = split(game.respond(np.concatenate(printed)), joint.counts)
    gap = 0.0
    for own, value, way in zip(printed, values, ways, strict=True):
        reachable = value if way is None else (way * value).sum(axis=1)
        if len(reachable) > 1:
            gap = max(gap, float(reachable.max() - (own * value).sum()))
    return Solved(printed, gap, settled=not len(_met(joint, printed)[0]))


def moves_of(strategies: Floats, game: NormalForm, ways: Sequence[Floats | None]) -> list[Floats]:
    """From mixtures of what can be chosen to mixtures of moves."""
    chosen = split(strategies, game.shape)
    return [
        own if way is None else (own[:, None] * way).sum(axis=0)
        for own, way in zip(chosen, ways, strict=True)
    ]


# The portfolio -------------------------------------------------------------------------------


def _least_gap(game: NormalForm, effort: Effort, meter: Meter) -> Floats:
    """The candidate of least gap."""
    spread = _spread(game)
    best, gaps = game.uniform[None], np.array([np.inf])
    steps = effort.steps(game.payoffs.size)
    for predictive, share in ((True, 1.0), (False, 0.25)):
        current, regrets = game.uniform[None], np.zeros_like(best)
        done, window = 0, FIRST_WINDOW
        while done < share * steps and gaps[0] > effort.enough * spread:
            meter.check()
            kernels.match_regrets(
                game.turned[None],
                game.shape,
                game.alike,
                window,
                predictive,
                effort.enough * spread,
                current,
                regrets,
                best,
                gaps,
            )
            done += window
            window *= 2
        if gaps[0] <= effort.good * spread:
            break
    else:
        each = max(1, steps // 4 // len(PRECISIONS))
        _follow_logit_path(game, spread, each, best[0], gaps, meter)
    found: Floats = best[0]
    return found


def _follow_logit_path(
    game: NormalForm, spread: float, steps: int, best: Floats, gaps: Floats, meter: Meter
) -> None:
    """From even play to ever more precise responses; ``best`` and ``gaps`` as in the kernels."""
    strategies = game.uniform
    everybody = np.ones(len(game.shape), np.bool_)
    for precision in PRECISIONS:
        meter.check()
        kernels.follow_logit(
            game.turned,
            game.shape,
            game.alike,
            everybody,
            precision / spread,
            LOGIT_STEP,
            steps,
            0.0,
            strategies,
            best,
            gaps,
        )


def _spread(game: NormalForm) -> float:
    return float(game.payoffs.max() - game.payoffs.min()) or 1.0


def _without_rare(game: NormalForm, strategies: Floats) -> Floats:
    """The same without moves played hardly ever, if that is as good."""
    kept = []
    for own in split(strategies, game.shape):
        often = np.where(own < RARE, 0.0, own)
        kept.append(often / often.sum())
    plain = np.concatenate(kept)
    allowed = game.gap(strategies) + HARDLY * _spread(game)
    return plain if game.gap(plain) <= allowed else strategies


# Later decisions of several players ----------------------------------------------------------


def settle(
    joint: Joint[Choice], strategies: Sequence[Floats], effort: Effort, meter: Meter
) -> bool:
    """Solves the open profiles that are met most often; False if there was none.

    An open profile is met as often as the others' strategies lead there when one player, any,
    goes for it.
    """
    profiles = _most_met(joint, strategies, effort.open_entries)
    for found in joint.opened(profiles):
        meter.check()
        payoffs = np.ascontiguousarray(found.payoffs[:, list(found.deciding)])
        shape = np.array(found.sizes)
        turned = np.empty_like(payoffs)
        for own, into in zip(payoffs, turned, strict=True):
            kernels.turn(own, shape, into)
        uniform = np.concatenate([np.full(size, 1.0 / size) for size in shape])
        current = np.tile(uniform, (len(payoffs), 1))
        best, regrets = current.copy(), np.zeros_like(current)
        gaps = np.full(len(payoffs), np.inf)
        done, window = 0, FIRST_WINDOW
        while done < effort.small_steps:
            kernels.match_regrets(
                turned,
                shape,
                np.arange(len(shape)),
                window,
                True,
                effort.enough * (float(payoffs.max() - payoffs.min()) or 1.0),
                current,
                regrets,
                best,
                gaps,
            )
            done += window
            window *= 2
        joint.settle(found, best)
    return len(profiles) > 0


def _most_met(joint: Joint[Choice], strategies: Sequence[Floats], entries: int) -> Ints:
    """The open profiles met most often, as long as their payoffs are no more than so many.

    Profiles that come to the same with equal players or actors exchanged are met equally often
    and go together, lest a symmetric game become another.
    """
    profiles, sizes, chances = _met(joint, strategies)
    order = np.argsort(-chances, kind="stable")
    fitting = np.flatnonzero(np.cumsum(sizes[order]) > entries)
    if len(fitting):
        cut = chances[order[fitting[0]]]
        profiles = profiles[chances > cut * (1.0 + SAME)]
    return profiles


def _met(joint: Joint[Choice], strategies: Sequence[Floats]) -> tuple[Ints, Ints, Floats]:
    """The open profiles that can be met, how many payoffs they have, and how often."""
    profiles, sizes = joint.open_profiles()
    played = np.empty((len(strategies), len(profiles)))
    rest = profiles
    for player in range(len(strategies) - 1, -1, -1):
        played[player] = strategies[player][rest % joint.counts[player]]
        rest = rest // joint.counts[player]
    chances = np.zeros(len(profiles))
    for player in range(len(strategies)):
        others = np.delete(played, player, axis=0).prod(axis=0)
        chances = np.maximum(chances, others)
    met = chances > 0.0
    return profiles[met], sizes[met], chances[met]
