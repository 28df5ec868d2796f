"""The leaves of a hint, in plain functions of readable positions.

The equations are those of ``docs/comparisons.md``. The features of a position are those of all
seats and the weights of the knots; the terms of a part are the features of the part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.core.sequential import OTHERS, RIVALS, TurnTree
from service.games.snowcrest.engine.evaluation import default_evaluator, knot_weights
from service.games.snowcrest.engine.features import FEATURES, features
from service.games.snowcrest.engine.final_scores import is_last_turn
from service.games.snowcrest.engine.parts import PARTS
from service.games.snowcrest.engine.threats import Threats
from service.games.snowcrest.payments.resources import Resource
from service.games.snowcrest.rules.scoring import winners
from service.games.snowcrest.rules.state import Phase, State
from service.games.snowcrest.rules.turn import FillRow, RevealHands, Turn
from tests.solver.search.plain_attribution import PlainLeaf

EVALUATOR = default_evaluator()
WEIGHTS = np.array(EVALUATOR.several)


def part_of(name):
    """Return the part of an own feature."""
    for prefix, part in (
        ("ready_", "actions"),
        ("up_", "villagers"),
        ("down_", "villagers"),
        ("held_", "hand"),
        ("farm_", "buildings"),
        ("forge_", "buildings"),
        ("temple_", "buildings"),
    ):
        if name.startswith(prefix):
            return part
    single = {
        "scrolls": "points",
        "building_points": "points",
        "omen": "omen",
        "hand": "hand",
        "challenges": "challenges",
        "majorities": "majorities",
    }
    resources = ("barley", "bell", "bowl", "juniper", "gold", "hoard")
    groups = dict.fromkeys(resources, "resources")
    groups |= dict.fromkeys(("residents", "free", "due"), "villagers")
    return (single | groups).get(name, "phase")


PART_OF_FEATURE = [PARTS.index(part_of(name)) for name in FEATURES]


def potentials(numbers: np.ndarray) -> np.ndarray:
    """Return the potentials of all seats for the features of a position."""
    rows, knots = numbers[: -len(WEIGHTS)].reshape(-1, len(FEATURES)), numbers[-len(WEIGHTS) :]
    return (rows @ WEIGHTS.T) @ knots


def estimate(asker: int, numbers: np.ndarray) -> float:
    """Return the asker's share for the features of a position."""
    each = potentials(numbers)
    slope = numbers[-len(WEIGHTS) :] @ EVALUATOR.slopes
    return float(1.0 / np.exp(slope * (each - each[asker])).sum())


def leaf_of(state: State, following: int, *, asker: int, result: float | None = None) -> PlainLeaf:
    """Return the leaf of a position at the end of a turn.

    Args:
        state: the position.
        following: index of the next seat; the number of seats if a new round begins.
        asker: index of the asker's seat.
        result: the asker's share if the game is over.
    """
    rows, knots = np.array(features(state, following), float), knot_weights(state)
    terms = np.zeros((len(PARTS), rows.size + len(knots)))
    by_part = terms[:, : rows.size].reshape(len(PARTS), *rows.shape)
    by_part[PARTS.index(OTHERS)] = rows
    by_part[PARTS.index(OTHERS), asker] = 0.0
    by_part[PART_OF_FEATURE, asker, np.arange(len(FEATURES))] = rows[asker]
    terms[PARTS.index("phase"), rows.size :] = knots
    counts = counts_of(state, asker)
    each = potentials(terms.sum(axis=0))
    for after in range(1, len(rows)):
        counts[RIVALS[after - 1]] = -each[(asker + after) % len(rows)]
    return PlainLeaf(1.0, result, np.zeros_like(terms) if result is not None else terms, counts)


def leaf_after(tree: TurnTree[Any], end: Turn, determinizations: int) -> PlainLeaf:
    """Return the leaf of a position; a finished game has the mean share of its deals.

    At the end of a turn, the others claim the challenges that the search foresees.
    """
    state, asker = end.state, tree.asker
    if end.tasks and not isinstance(end.task, FillRow | RevealHands):
        return leaf_of(state, state.turn + 1, asker=asker)
    following = state.turn + 1 if end.tasks else state.turn or len(state.seats)
    reveals = bool(end.tasks) and isinstance(end.task, RevealHands)
    if state.phase is Phase.OVER or reveals or (end.tasks and is_last_turn(state)):
        result = float(tree.evaluate_end(end, 0, determinizations).shares[:, asker].mean())
        if not any(seat.unknown_count for seat in state.seats):
            won = winners(state)
            assert result == (state.players[asker] in won) / max(1, len(won))
        return leaf_of(state, following, asker=asker, result=result)
    foreseen = Threats(asker, EVALUATOR.model).after_claims(state, following)
    return leaf_of(foreseen, following, asker=asker)


def counts_of(state: State, asker: int) -> dict[str, float]:
    """Return what a player counts, by measure."""
    seat = state.seats[asker]
    residents = [resident for resident in seat.village if resident is not None]
    own = dict(zip(FEATURES, features(state, 0)[asker], strict=True))
    return {
        "scrolls": seat.scrolls,
        "omen": seat.omen - seat.omen_tokens,
        "resources": sum(seat.tokens),
        "buildings": sum(stock.up + stock.spent for stock in seat.buildings),
        "villagers": sum(not resident.exhausted for resident in residents),
        "hand": len(seat.hand),
        "rest-due": own["due"],
        "rest-sooner": -own["free"],
        **{kind.label: count for kind, count in zip(Resource, seat.tokens, strict=True)},
    }
