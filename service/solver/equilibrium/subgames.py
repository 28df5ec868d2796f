"""Simultaneous subgames after a reveal: later decisions of several players in the same round.

Subgames that are equal after an exchange of symmetric players, or of equal actors of one player,
share one solution.  Otherwise small rounding differences could lead to different solutions, and a
symmetric game would become asymmetric.
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
from service.solver.kernels import action_values
from service.solver.normal_form import NormalForm, update_profiles

RARE: Final = 2e-3
"""Subgames that are reached with a smaller probability get fewer steps: their effect is small."""
RARE_DIVISOR: Final = 8
"""Divisor of the number of steps of rare subgames."""
BATCH_ENTRIES: Final = 100_000
"""Payoffs of the subgames that are solved between two checks of the deadline."""
SAME: Final = 1e-9
"""Probabilities with a smaller relative difference count as equal."""


@dataclass(frozen=True, slots=True)
class SubgameSymmetry:
    """The symmetries of k subgames of one shape.

    Attributes:
        names: of k profiles; profiles with equal names share one subgame.
        orders: int64[k, deciding], the deciding players in the subgame's order, as indices.
        symmetry_classes: int64[k, deciding], for each player in that order the first player with
            the same game.
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
    """Solve the open profiles that are reached most often, and fold in the solutions.

    The reach of a profile is the probability of the others' parts if one player, the most
    favourable one, plays its own part.

    Returns:
        int64[k], these profiles; payoffs of other profiles are unchanged.
    """
    profiles, reach = _most_reached(stage_game, strategies, budget.subgame_entries)
    groups = [
        (subgames, _symmetry(stage_game, subgames))
        for subgames in stage_game.open_subgames(profiles)
    ]
    solutions: dict[bytes, Floats] = {}
    for (subgames, symmetry), places in zip(groups, _representatives(groups), strict=True):
        if meter.stop():
            break
        rare = reach[np.searchsorted(profiles, subgames.profiles)] < RARE
        _solve(subgames, symmetry, places, rare, budget, meter, solutions)
    for subgames, symmetry in groups:
        if solutions.keys() >= set(symmetry.names):
            own = [solutions[name] for name in symmetry.names]
            stage_game.set_subgame_solutions(subgames, _in_player_order(subgames, symmetry, own))
    return profiles


def with_subgames_solved(
    game: NormalForm,
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    strategies: Sequence[Floats],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> NormalForm | None:
    """Return the game after :func:`solve_open_subgames`; None if no subgame was open.

    Args:
        game: the result of ``fix_strategies``; it must not be used afterwards if the result is
            not None.
        stage_game: the decision.
        allowed: see :meth:`SimultaneousGame.allowed_mixtures`.
        strategies: by player, float64[moves].
        budget: of work.
        meter: checks the deadline.
    """
    changed = solve_open_subgames(stage_game, strategies, budget, meter)
    if not len(changed):
        return None
    return update_profiles(
        game,
        changed,
        stage_game.payoffs,
        stage_game.counts,
        stage_game.symmetry_classes,
        allowed,
    )


def _symmetry(
    stage_game: SimultaneousGame[Choice, Position], subgames: OpenSubgames
) -> SubgameSymmetry:
    codes = np.empty((len(subgames.profiles), len(stage_game.counts)), np.int64)
    for player, moves in enumerate(np.unravel_index(subgames.profiles, stage_game.counts)):
        mirror = stage_game.mirrors[player]
        if mirror is not None:
            moves = np.minimum(moves, mirror[moves])
        codes[:, player] = stage_game.symmetry_classes[player] * max(stage_game.counts) + moves
    own = np.take_along_axis(codes, subgames.deciding, axis=1)
    orders = own.argsort(axis=1, kind="stable")
    own = np.take_along_axis(own, orders, axis=1)
    symmetry_classes = np.zeros_like(own)
    for place in range(1, own.shape[1]):
        same = own[:, place] == own[:, place - 1]
        symmetry_classes[:, place] = np.where(same, symmetry_classes[:, place - 1], place)
    codes.sort(axis=1)
    return SubgameSymmetry([row.tobytes() for row in codes], orders, symmetry_classes)


def _representatives(
    groups: Sequence[tuple[OpenSubgames, SubgameSymmetry]],
) -> Sequence[list[int]]:
    """Return by group the profiles to solve, one for each name.

    Equal subgames differ by rounding only, so any of them would do.  But each run must choose the
    same one: among those with the first actors, the last.
    """
    rows = [
        (actors, group, place, name)
        for group, (subgames, symmetry) in enumerate(groups)
        for place, (actors, name) in enumerate(
            zip(subgames.actors.tolist(), symmetry.names, strict=True)
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
    subgames: OpenSubgames,
    symmetry: SubgameSymmetry,
    places: Sequence[int],
    rare: NDArray[np.bool_],
    budget: EquilibriumBudget,
    meter: WorkMeter,
    solutions: dict[bytes, Floats],
) -> None:
    """Solve some subgames until the deadline.

    Args:
        subgames: of one shape.
        symmetry: of these subgames.
        places: indices of the subgames to solve.
        rare: bool[k], whether a subgame gets fewer steps.
        budget: of work.
        meter: checks the deadline.
        solutions: float64[sum of sizes] by name, in the subgame's order of players; results are
            added.
    """
    kinds: dict[tuple[tuple[int, ...], tuple[int, ...], bool], list[int]] = {}
    for place in places:
        kind = (
            tuple(symmetry.orders[place]),
            tuple(symmetry.symmetry_classes[place]),
            bool(rare[place]),
        )
        kinds.setdefault(kind, []).append(place)
    for (order, symmetry_classes, is_rare), some in kinds.items():
        deciding = subgames.deciding[some][:, order]
        payoffs = np.take_along_axis(subgames.payoffs[some], deciding[:, :, None], axis=1)
        payoffs = payoffs.reshape(len(some), len(order), *subgames.sizes)
        payoffs = payoffs.transpose(0, 1, *(2 + axis for axis in order))
        payoffs = np.ascontiguousarray(payoffs.reshape(len(some), len(order), -1))
        shape = np.array([subgames.sizes[axis] for axis in order])
        steps = budget.subgame_steps // RARE_DIVISOR if is_rare else budget.subgame_steps
        tolerances = budget.good_epsilon * _payoff_ranges(payoffs, subgames.actors[some])
        own_action_last = np.empty_like(payoffs)
        action_values.batch_to_own_action_last(payoffs, shape, own_action_last)
        batch_size = max(1, BATCH_ENTRIES // own_action_last[0].size)
        for first in range(0, len(some), batch_size):
            if meter.stop():
                return
            batch = slice(first, first + batch_size)
            strategies, _ = match_all(
                own_action_last[batch],
                shape,
                np.array(symmetry_classes),
                steps,
                tolerances[batch],
                WorkMeter(None),
            )
            solutions.update(
                (symmetry.names[place], own)
                for place, own in zip(some[batch], strategies, strict=True)
            )


def _payoff_ranges(payoffs: Floats, actors: Ints) -> Floats:
    """Return float64[games], the payoff range of all games with the same actors; 1 instead of 0."""
    ranges = np.empty(len(payoffs))
    most, least = payoffs.max(axis=(1, 2)), payoffs.min(axis=(1, 2))
    for number in np.unique(actors):
        same = actors == number
        ranges[same] = most[same].max() - least[same].min() or 1.0
    return ranges


def _in_player_order(
    subgames: OpenSubgames, symmetry: SubgameSymmetry, solutions: Sequence[Floats]
) -> Floats:
    """Return float64[k, sum of sizes], the solutions in the order of the deciding players."""
    ordered = np.stack(solutions)
    ends = np.cumsum(subgames.sizes)
    for order in set(map(tuple, symmetry.orders.tolist())):
        rows = (symmetry.orders == order).all(axis=1)
        starts = np.cumsum([subgames.sizes[axis] for axis in order])[:-1]
        for axis, own in zip(order, np.split(ordered[rows], starts, axis=1), strict=True):
            ordered[rows, ends[axis] - subgames.sizes[axis] : ends[axis]] = own
    return ordered


def _most_reached(
    stage_game: SimultaneousGame[Choice, Position],
    strategies: Sequence[Floats],
    max_entries: int,
) -> tuple[Ints, Floats]:
    """Return the open profiles with the largest reach, ascending, and their reach.

    Their subgames have at most ``max_entries`` payoffs together.  Profiles with equal reach, as
    those of one subgame, are included together or not at all.
    """
    profiles, sizes, reach = reachable_open_profiles(stage_game, strategies)
    order = np.argsort(-reach, kind="stable")
    beyond = np.flatnonzero(np.cumsum(sizes[order]) > max_entries)
    if len(beyond):
        limit = reach[order[beyond[0]]]
        included = reach > limit * (1.0 + SAME)
        profiles, reach = profiles[included], reach[included]
    return profiles, reach


def reachable_open_profiles(
    stage_game: SimultaneousGame[Choice, Position], strategies: Sequence[Floats]
) -> tuple[Ints, Ints, Floats]:
    """Return the open profiles that can be reached, their number of payoffs, and their reach."""
    profiles, sizes = stage_game.open_profiles()
    reach = np.empty(len(profiles))
    action_values.reach_probabilities(
        profiles, np.array(stage_game.counts), np.concatenate(strategies), reach
    )
    reachable = reach > 0.0
    return profiles[reachable], sizes[reachable], reach[reachable]


def counterfactual_reach(
    stage_game: SimultaneousGame[Choice, Position],
    strategies: Sequence[Floats],
    profiles: Ints,
) -> Floats:
    """Return float64[players, profiles], the probability of the others' parts of each profile."""
    moves = np.unravel_index(profiles, stage_game.counts)
    played = np.stack([own[move] for own, move in zip(strategies, moves, strict=True)])
    return np.stack([np.delete(played, own, axis=0).prod(axis=0) for own in range(len(played))])
