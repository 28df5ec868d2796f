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
from numpy.typing import NDArray

from service.core.arrays import Floats, Ints
from service.core.game import Choice
from service.core.hints import Position
from service.core.simultaneous import OpenSubgames, SimultaneousGame
from service.solver.budget import EquilibriumBudget, WorkMeter
from service.solver.equilibrium.regret_matching import match_all
from service.solver.kernels import regret_matching
from service.solver.normal_form import NormalForm, update_profiles

RARELY_MET: Final = 2e-3
"""Meetings met less often are solved roughly: they change hardly anything."""
ROUGHLY: Final = 8
"""In so many times fewer steps."""
AT_ONCE: Final = 100_000
"""Payoffs of the meetings that are solved before it is asked whether there is time for more."""
SAME: Final = 1e-9
"""Chances that differ by less, relatively, are the same but for rounding."""


@dataclass(frozen=True, slots=True)
class SubgameSymmetry:
    """What some open profiles of one shape come to.

    Attributes:
        names: of k profiles; those with equal ones are one meeting.
        orders: int64[k, deciding], the deciding players in the order of the meeting, by their
            places among those.
        alike: int64[k, deciding], for each in that order the first one with the same game.
    """

    names: Sequence[bytes]
    orders: Ints
    symmetry_classes: Ints


def solve_open_subgames(
    stage_game: SimultaneousGame[Choice, Position],
    strategies: Sequence[Floats],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> Ints:
    """Solves the open profiles that are met most often.

    An open profile is met as often as the others' strategies lead there when one player, any,
    goes for it.

    Returns:
        those profiles, or none; all but their payoffs are as before.
    """
    profiles, chances = _most_met(stage_game, strategies, budget.subgame_entries)
    groups = [(found, _meetings(stage_game, found)) for found in stage_game.open_subgames(profiles)]
    known: dict[bytes, Floats] = {}
    for (found, meetings), places in zip(groups, _chosen(groups), strict=True):
        if meter.stop():
            break
        rare = chances[np.searchsorted(profiles, found.profiles)] < RARELY_MET
        _solve(found, meetings, places, rare, budget, meter, known)
    for found, meetings in groups:
        if known.keys() >= set(meetings.names):
            stage_game.set_subgame_solutions(
                found, _told(found, meetings, [known[name] for name in meetings.names])
            )
    return profiles


def with_subgames_solved(
    game: NormalForm,
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    strategies: Sequence[Floats],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> NormalForm | None:
    """The game with what is met most often settled; None if there was nothing to settle.

    Args:
        game: what :func:`~service.solver.normal_form.fix_strategies` makes of the decision with these
            ways; out of date from now on if another one is returned.
        strategies: see :func:`solve_open_subgames`.
    """
    changed = solve_open_subgames(stage_game, strategies, budget, meter)
    if not len(changed):
        return None
    return update_profiles(
        game, changed, stage_game.payoffs, stage_game.counts, stage_game.symmetry_classes, allowed
    )


def _meetings(
    stage_game: SimultaneousGame[Choice, Position], found: OpenSubgames
) -> SubgameSymmetry:
    codes = np.empty((len(found.profiles), len(stage_game.counts)), np.int64)
    for player, moves in enumerate(np.unravel_index(found.profiles, stage_game.counts)):
        mirror = stage_game.mirrors[player]
        if mirror is not None:
            moves = np.minimum(moves, mirror[moves])
        codes[:, player] = stage_game.symmetry_classes[player] * max(stage_game.counts) + moves
    own = np.take_along_axis(codes, found.deciding, axis=1)
    orders = own.argsort(axis=1, kind="stable")
    own = np.take_along_axis(own, orders, axis=1)
    symmetry_classes = np.zeros_like(own)
    for place in range(1, own.shape[1]):
        same = own[:, place] == own[:, place - 1]
        symmetry_classes[:, place] = np.where(same, symmetry_classes[:, place - 1], place)
    codes.sort(axis=1)
    return SubgameSymmetry([row.tobytes() for row in codes], orders, symmetry_classes)


def _chosen(groups: Sequence[tuple[OpenSubgames, SubgameSymmetry]]) -> Sequence[list[int]]:
    """By group, the profiles that are solved for all that are the same meeting.

    Which one of them it is hardly matters, for they differ by rounding alone, but it has to be the
    same one in every run: of those in which the first actors decide, the last.
    """
    rows = [
        (actors, group, place, name)
        for group, (found, meetings) in enumerate(groups)
        for place, (actors, name) in enumerate(
            zip(found.actors.tolist(), meetings.names, strict=True)
        )
    ]
    chosen: dict[bytes, tuple[int, int, int]] = {}
    for actors, group, place, name in sorted(rows):
        if name not in chosen or chosen[name][0] == actors:
            chosen[name] = actors, group, place
    places: list[list[int]] = [[] for _ in groups]
    for _, group, place in chosen.values():
        places[group].append(place)
    return places


def _solve(
    found: OpenSubgames,
    meetings: SubgameSymmetry,
    places: Sequence[int],
    rare: NDArray[np.bool_],
    budget: EquilibriumBudget,
    meter: WorkMeter,
    known: dict[bytes, Floats],
) -> None:
    """Solves some meetings while there is time: float64[sum of sizes] in the order of each."""
    kinds: dict[tuple[tuple[int, ...], tuple[int, ...], bool], list[int]] = {}
    for place in places:
        kind = (
            tuple(meetings.orders[place]),
            tuple(meetings.symmetry_classes[place]),
            bool(rare[place]),
        )
        kinds.setdefault(kind, []).append(place)
    for (order, symmetry_classes, rarely), some in kinds.items():
        deciding = found.deciding[some][:, order]
        payoffs = np.take_along_axis(found.payoffs[some], deciding[:, :, None], axis=1)
        payoffs = payoffs.reshape(len(some), len(order), *found.sizes)
        payoffs = payoffs.transpose(0, 1, *(2 + axis for axis in order))
        payoffs = np.ascontiguousarray(payoffs.reshape(len(some), len(order), -1))
        shape = np.array([found.sizes[axis] for axis in order])
        steps = budget.subgame_steps // ROUGHLY if rarely else budget.subgame_steps
        tolerances = budget.good_epsilon * _spreads(payoffs, found.actors[some])
        own_action_last = np.empty_like(payoffs)
        regret_matching.batch_to_own_action_last(payoffs, shape, own_action_last)
        at_once = max(1, AT_ONCE // own_action_last[0].size)
        for first in range(0, len(some), at_once):
            if meter.stop():
                return
            part = slice(first, first + at_once)
            solved, _ = match_all(
                own_action_last[part],
                shape,
                np.array(symmetry_classes),
                steps,
                tolerances[part],
                WorkMeter(None),
            )
            known.update(
                (meetings.names[place], own) for place, own in zip(some[part], solved, strict=True)
            )


def _spreads(payoffs: Floats, actors: Ints) -> Floats:
    """float64[games]: from the least to the most that anybody gets where the same actors decide;
    1 where there is nothing to gain.
    """
    spreads = np.empty(len(payoffs))
    most, least = payoffs.max(axis=(1, 2)), payoffs.min(axis=(1, 2))
    for number in np.unique(actors):
        same = actors == number
        spreads[same] = most[same].max() - least[same].min() or 1.0
    return spreads


def _told(found: OpenSubgames, meetings: SubgameSymmetry, solutions: Sequence[Floats]) -> Floats:
    """float64[k, sum of sizes]: the solutions in the order of the deciding players."""
    told = np.stack(solutions)
    ends = np.cumsum(found.sizes)
    for order in set(map(tuple, meetings.orders.tolist())):
        rows = (meetings.orders == order).all(axis=1)
        begins = np.cumsum([found.sizes[axis] for axis in order])[:-1]
        for axis, own in zip(order, np.split(told[rows], begins, axis=1), strict=True):
            told[rows, ends[axis] - found.sizes[axis] : ends[axis]] = own
    return told


def _most_met(
    stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats], entries: int
) -> tuple[Ints, Floats]:
    """The open profiles met most often, ascending, as long as their payoffs are no more than so
    many, and how often.

    Those of one meeting are met equally often, and go together.
    """
    profiles, sizes, chances = reachable_open_profiles(stage_game, strategies)
    order = np.argsort(-chances, kind="stable")
    beyond = np.flatnonzero(np.cumsum(sizes[order]) > entries)
    if len(beyond):
        cut = chances[order[beyond[0]]]
        kept = chances > cut * (1.0 + SAME)
        profiles, chances = profiles[kept], chances[kept]
    return profiles, chances


def reachable_open_profiles(
    stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
) -> tuple[Ints, Ints, Floats]:
    """The open profiles that can be met, how many payoffs they have, and how often."""
    profiles, sizes = stage_game.open_profiles()
    chances = np.empty(len(profiles))
    regret_matching.reach_probabilities(
        profiles, np.array(stage_game.counts), np.concatenate(strategies), chances
    )
    reachable = chances > 0.0
    return profiles[reachable], sizes[reachable], chances[reachable]


def counterfactual_reach(
    stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats], profiles: Ints
) -> Floats:
    """float64[players, profiles]: how often the others play their parts of each profile."""
    moves = np.unravel_index(profiles, stage_game.counts)
    played = np.stack([own[move] for own, move in zip(strategies, moves, strict=True)])
    return np.stack([np.delete(played, own, axis=0).prod(axis=0) for own in range(len(played))])
