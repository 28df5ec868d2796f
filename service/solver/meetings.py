"""Later decisions in which several players meet, solved as games of their own and folded in.

Profiles that come to the same with players exchanged who are alike, or with equal actors of one
player exchanged, are one meeting and get one solution: small differences of rounding would grow
into different ones, and a symmetric game would become another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from service.core.hint import Position
from service.core.joint import Joint, Open
from service.core.play import Choice
from service.solver.games import Floats, Ints
from service.solver.kernels import mixed
from service.solver.limits import Effort, Meter

FIRST_WINDOW: Final = 8
"""Steps of the first window; each is twice as long as the one before."""
RARE: Final = 2e-3
"""Meetings met less often are solved roughly: they change hardly anything."""
ROUGHLY: Final = 8
"""In so many times fewer steps."""
SAME: Final = 1e-9
"""Chances that differ by less, relatively, are the same but for rounding."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What an open profile comes to.

    Attributes:
        key: for each player, in an order of its own, the first player alike and the move.
        order: the deciding players in that order.
        alike: for each of those the first one with the same game before it, as its place.
    """

    key: tuple[tuple[int, int], ...]
    order: tuple[int, ...]
    alike: tuple[int, ...]


def settle(
    joint: Joint[Choice, Position], strategies: Sequence[Floats], effort: Effort, meter: Meter
) -> bool:
    """Solves the open profiles that are met most often; False if there was none.

    An open profile is met as often as the others' strategies lead there when one player, any,
    goes for it.
    """
    often = _most_met(joint, strategies, effort.open_entries)
    profiles = np.array(list(often), np.int64)
    known: dict[tuple[tuple[int, int], ...], list[Floats]] = {}
    for found in joint.opened(profiles):
        if meter.stop():
            break
        meetings = [_meeting(joint, found, int(profile)) for profile in found.profiles]
        fresh: dict[tuple[tuple[int, int], ...], int] = {}
        for place, meeting in enumerate(meetings):
            if meeting.key not in known:
                fresh.setdefault(meeting.key, place)
        # Players alike may have unequal numbers of additions: a shape is part of the kind.
        together: dict[tuple[tuple[int, ...], tuple[int, ...], bool], list[int]] = {}
        for place in fresh.values():
            meeting = meetings[place]
            shape = tuple(found.sizes[found.deciding.index(player)] for player in meeting.order)
            rare = often[int(found.profiles[place])] < RARE
            together.setdefault((meeting.alike, shape, rare), []).append(place)
        for (alike, _, rare), places in together.items():
            orders = [meetings[place].order for place in places]
            steps = effort.small_steps // ROUGHLY if rare else effort.small_steps
            solutions = _solve(found, places, orders, alike, steps, effort.enough)
            for place, solution in zip(places, solutions, strict=True):
                known[meetings[place].key] = solution
        mixtures = []
        for meeting in meetings:
            by_player = dict(zip(meeting.order, known[meeting.key], strict=True))
            mixtures.append(np.concatenate([by_player[player] for player in found.deciding]))
        joint.settle(found, np.stack(mixtures))
    return len(profiles) > 0


def _meeting(joint: Joint[Choice, Position], found: Open, profile: int) -> Meeting:
    named = []
    for player in range(len(joint.counts) - 1, -1, -1):
        profile, move = divmod(profile, joint.counts[player])
        mirror = joint.mirrors[player]
        if mirror is not None:
            move = min(move, int(mirror[move]))
        named.append((joint.alike[player], move, player))
    named.sort()
    deciding = [(kin, move, player) for kin, move, player in named if player in found.deciding]
    told = [(kin, move) for kin, move, _ in deciding]
    return Meeting(
        key=tuple((kin, move) for kin, move, _ in named),
        order=tuple(player for _, _, player in deciding),
        alike=tuple(told.index(own) for own in told),
    )


def _solve(
    found: Open,
    places: Sequence[int],
    orders: Sequence[tuple[int, ...]],
    alike: tuple[int, ...],
    steps: int,
    enough: float,
) -> list[list[Floats]]:
    """For some of the profiles, a mixture for each deciding player, in the order of its meeting."""
    axes = [[found.deciding.index(player) for player in order] for order in orders]
    shape = np.array([found.sizes[axis] for axis in axes[0]])
    turned = np.empty((len(places), len(shape), int(shape.prod())), np.float64)
    for into, place, own in zip(turned, places, axes, strict=True):
        players = [found.deciding[axis] for axis in own]
        payoffs = found.payoffs[place][players].reshape(len(players), *found.sizes)
        payoffs = payoffs.transpose(0, *(axis + 1 for axis in own))
        mixed.turn(np.ascontiguousarray(payoffs.reshape(len(players), -1)), shape, into)
    uniform = np.concatenate([np.full(size, 1.0 / size) for size in shape])
    current = np.tile(uniform, (len(places), 1))
    best, regrets = current.copy(), np.zeros_like(current)
    gaps = np.full(len(places), np.inf)
    tolerance = enough * (float(turned.max() - turned.min()) or 1.0)
    done, window = 0, FIRST_WINDOW
    while done < steps:
        mixed.match_regrets(
            turned, shape, np.array(alike), window, True, tolerance, np.zeros_like(uniform), np.inf,
            current, regrets, best, gaps,
        )  # fmt: skip
        done += window
        window *= 2
    ends = np.cumsum(shape).tolist()
    places_of = [slice(end - size, end) for end, size in zip(ends, shape.tolist(), strict=True)]
    return [[own[place] for place in places_of] for own in best]


def _most_met(
    joint: Joint[Choice, Position], strategies: Sequence[Floats], entries: int
) -> dict[int, float]:
    """How often the open profiles met most often are met, as long as their payoffs are no more
    than so many.

    Those of one meeting are met equally often, and go together.
    """
    profiles, sizes, chances = met(joint, strategies)
    order = np.argsort(-chances, kind="stable")
    beyond = np.flatnonzero(np.cumsum(sizes[order]) > entries)
    if len(beyond):
        cut = chances[order[beyond[0]]]
        kept = chances > cut * (1.0 + SAME)
        profiles, chances = profiles[kept], chances[kept]
    return dict(zip(profiles.tolist(), chances.tolist(), strict=True))


def met(joint: Joint[Choice, Position], strategies: Sequence[Floats]) -> tuple[Ints, Ints, Floats]:
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
    reachable = chances > 0.0
    return profiles[reachable], sizes[reachable], chances[reachable]
