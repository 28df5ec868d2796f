"""The evaluation of a position with the readable rules: features, potentials and win shares.

The oracle of the compiled evaluation. The equations are those of ``engine/evaluation.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import exp
from typing import Any

import numpy as np

from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    Build,
    Card,
    Catalogue,
    Cost,
    Gain,
    GainKind,
    Meditate,
    TurnUpBuildings,
    Worship,
)
from service.games.snowcrest.engine.abilities import ABILITIES, abilities
from service.games.snowcrest.engine.evaluation import Evaluator, knot_weights
from service.games.snowcrest.engine.features import FREE_BY_MASK
from service.games.snowcrest.rules.challenges import condition_value
from service.games.snowcrest.rules.effects.meditation import BELLS_PER_SOLO_SCROLL
from service.games.snowcrest.rules.payments.resources import Resource
from service.games.snowcrest.rules.scoring import BUILDING_POINTS
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import PostedChallenge, Seat, State, unseen_deck_of

HOARD = 8
KINDS = len(Resource)
USES = {Worship: "worship", Meditate: "meditation", Build: "build", TurnUpBuildings: "turn_up"}
Numbers = Any
"""float64[n], such as an amount of each resource."""


def potentials(evaluator: Evaluator, state: State, next_seat: int) -> list[float]:
    """Return the potentials of all seats; in a solo game, the log-odds of winning."""
    sets = np.array(evaluator.solo if state.solo else evaluator.several)
    weights = np.array(knots_of(state)) @ sets
    return [float(weights @ np.array(row)) for row in features(state, next_seat)]


def knots_of(state: State) -> tuple[float, ...]:
    """Return the weights of the knots for a state."""
    return knot_weights(state.supply, len(state.seats), ending=state.ending)


def shares(evaluator: Evaluator, state: State, next_seat: int) -> list[float]:
    """Return the win shares in seat order; in a solo game, the probability of winning."""
    found = potentials(evaluator, state, next_seat)
    if state.solo:
        return [1.0 / (1.0 + exp(-found[0]))]
    slope = float(np.array(knots_of(state)) @ np.array(evaluator.slopes))
    parts = [exp(slope * (each - max(found))) for each in found]
    return [part / sum(parts) for part in parts]


def features(state: State, next_seat: int) -> list[list[float]]:
    """Return the values of :data:`FEATURES` of all seats.

    Args:
        state: position at the end of a turn.
        next_seat: index of the seat with the next turn; ``len(seats)`` if a new round begins.
    """
    catalogue, seats = state.catalogue, state.seats
    known = [resources(seat, catalogue) for seat in seats]
    expected = [
        own + seat.unknown_count * mean_abilities(seat, catalogue)[:KINDS]
        for own, seat in zip(known, seats, strict=True)
    ]
    return [
        [
            *map(float, own_features(seat, expected[index], state.challenges, catalogue)),
            meditation(state, index, expected),
            0.0 if state.solo else majorities(index, known),
            *map(float, turn_features(state, index, next_seat)),
            *card_features(seat, catalogue),
        ]
        for index, seat in enumerate(seats)
    ]


# Cards ----------------------------------------------------------------------------------------


def uses(catalogue: Catalogue, card: Card) -> Iterator[tuple[str, Cost, int]]:
    """Yield what a villager could do at once, with cost and count."""
    for action in catalogue.villagers[card].actions:
        for effect in action.effects:
            if isinstance(effect, Gain) and effect.what is GainKind.SCROLL:
                yield "scrolls", action.cost or Cost(), effect.count
            elif type(effect) in USES:
                yield USES[type(effect)], action.cost or Cost(), 1


def face_up(seat: Seat) -> list[tuple[int, Card]]:
    """Return the cells and cards of the villagers that are face up."""
    village = ((cell, each) for cell, each in enumerate(seat.village) if each is not None)
    return [(cell, each.card) for cell, each in village if not each.exhausted]


@lru_cache(maxsize=4096)
def mean_abilities(seat: Seat, catalogue: Catalogue) -> Numbers:
    """Return the mean ability vector of an unseen card of a seat's deck (C12)."""
    vectors, unseen = abilities(catalogue), [*unseen_deck_of(seat, catalogue).elements()]
    return total([vectors[card] for card in unseen], len(ABILITIES)) / max(1, len(unseen))


def total(vectors: Sequence[Sequence[float]], width: int) -> Numbers:
    return np.sum([*vectors, [0.0] * width], axis=0)


def card_features(seat: Seat, catalogue: Catalogue) -> Numbers:
    """Return the summed abilities of a seat's villagers face up, exhausted, and in hand."""
    vectors, residents = abilities(catalogue), [each for each in seat.village if each is not None]
    up, down = ([each.card for each in residents if each.exhausted == is_] for is_ in (False, True))
    known = [card for card in seat.hand if card != UNKNOWN]
    sums = [total([vectors[each] for each in cards], len(ABILITIES)) for cards in (up, down, known)]
    sums[2] += seat.unknown_count * mean_abilities(seat, catalogue)
    return np.concatenate(sums)


# Seats ----------------------------------------------------------------------------------------


def resources(seat: Seat, catalogue: Catalogue) -> Numbers:
    """Return all that a seat could pay with, per resource, without unknown cards."""
    cards = [card for _, card in face_up(seat)] + [card for card in seat.hand if card != UNKNOWN]
    available = np.array(seat.tokens, float)
    available[: len(seat.buildings)] += [stock.up for stock in seat.buildings]
    return available + total([catalogue.villagers[card].icons for card in cards], KINDS)


def could_pay(available: Numbers, *costs: Cost) -> bool:
    """Return whether resources pay all costs together; gold replaces other resources."""
    left = np.array(available) - np.sum([cost.plain for cost in costs], axis=0)
    over, gold = left[: Resource.GOLD], left[Resource.GOLD]
    gold += over.clip(max=0).sum()
    return gold >= 0 and over.clip(min=0).sum() + gold >= sum(cost.any for cost in costs)


def own_features(
    seat: Seat, expected: Numbers, challenges: Sequence[PostedChallenge], catalogue: Catalogue
) -> list[float]:
    """Return the values of :data:`OWN_FEATURES` of a seat that could pay with some resources."""
    village = [each for each in seat.village if each is not None]
    exhausted = [cell for cell, each in enumerate(seat.village) if each and each.exhausted]
    free = FREE_BY_MASK[sum(1 << cell for cell in exhausted)]
    return [
        seat.scrolls,
        BUILDING_POINTS.get(seat.building_count, 0),
        seat.omen - seat.omen_tokens,
        *(stock.up for stock in seat.buildings),
        *(stock.spent for stock in seat.buildings),
        *seat.tokens,
        max(0, sum(seat.tokens) - HOARD),
        len(seat.hand),
        len(village),
        max(0, free),
        free < 0,
        challenge_progress(seat, challenges, catalogue),
        *readiness(seat, expected, catalogue),
    ]


def readiness(seat: Seat, available: Numbers, catalogue: Catalogue) -> list[float]:
    ready = [(cell, *use) for cell, card in face_up(seat) for use in uses(catalogue, card)]
    payable = [(kind, count) for _, kind, cost, count in ready if could_pay(available, cost)]
    worships = [(cell, cost) for cell, kind, cost, _ in ready if kind == "worship"]
    twice = any(
        one != other and could_pay(available, cost, further)
        for (one, cost), (other, further) in combinations(worships, 2)
    )
    turns_up = any(kind == "turn_up" for _, kind, _, _ in ready)
    return [
        ("worship", 1) in payable,
        twice,
        ("build", 1) in payable,
        max((count for kind, count in payable if kind == "scrolls"), default=0),
        turns_up * sum(stock.spent for stock in seat.buildings),
    ]


def challenge_progress(
    seat: Seat, challenges: Sequence[PostedChallenge], catalogue: Catalogue
) -> float:
    near = 0.0
    for challenge in (
        catalogue.challenges[each.challenge] for each in challenges if each.by is None
    ):
        missing = 0.0
        for condition in challenge.conditions:
            count = condition_value(catalogue, seat, condition)
            nearest = min(max(count, condition.at_least), condition.at_most)
            missing += abs(count - nearest) / max(1, abs(nearest))
        near += challenge.scrolls * max(0.0, 1.0 - missing) ** 2
    return near


# The table ------------------------------------------------------------------------------------


def meditation(state: State, index: int, expected: Sequence[Numbers]) -> float:
    """Return the fraction of the other seats whose bells this seat matches, if it can meditate.

    In a solo game, return the number of scrolls instead (C6).
    """
    cards = (card for _, card in face_up(state.seats[index]))
    if all(kind != "meditation" for card in cards for kind, _, _ in uses(state.catalogue, card)):
        return 0.0
    own, *others = (
        each[Resource.BELL] + each[Resource.GOLD]
        for each in (expected[index], *expected[:index], *expected[index + 1 :])
    )
    if not others:
        return float(own // BELLS_PER_SOLO_SCROLL)
    return sum(own >= other for other in others) / len(others) if own >= 1.0 else 0.0


def majorities(index: int, known: Sequence[Numbers]) -> float:
    """Return the points for majorities if the game ended now, without unknown cards (C11)."""
    return float(((known[index] > 0.0) & (known[index] == np.max(known, axis=0))).sum())


def turn_features(state: State, index: int, next_seat: int) -> list[float]:
    """Return when the seat moves, the rests that a solo game still allows (C13), and one."""
    count = len(state.seats)
    before = (index - next_seat) % count
    rests = DIFFICULTIES[state.difficulty].rests - 1 - state.rests if state.solo else 0
    return [before == 0, before / count, next_seat < count and index >= next_seat, rests, 1]
