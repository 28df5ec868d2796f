"""The evaluation of a position with the readable rules: features, potentials and win shares.

The oracle of the compiled evaluation. The equations are those of ``engine/evaluation.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import exp
from typing import Final

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
from service.games.snowcrest.engine.abilities import ABILITIES, Vector, abilities
from service.games.snowcrest.engine.evaluation import Evaluator, knot_weights
from service.games.snowcrest.engine.features import FREE_BY_MASK
from service.games.snowcrest.rules.challenges import condition_value
from service.games.snowcrest.rules.effects.meditation import BELLS_PER_SOLO_SCROLL
from service.games.snowcrest.rules.payments.resources import Resource
from service.games.snowcrest.rules.scoring import BUILDING_POINTS
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import (
    VILLAGE_CELLS,
    PostedChallenge,
    Seat,
    State,
    Village,
    unseen_deck_of,
)

_HOARD_THRESHOLD: Final = 8


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


def exhausted_mask(village: Village) -> int:
    """Return the set of exhausted cells as a bit mask."""
    mask = 0
    for cell, resident in enumerate(village):
        if resident is not None and resident.exhausted:
            mask |= 1 << cell
    return mask


# Cards ----------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def villager_uses(catalogue: Catalogue) -> tuple[tuple[Use, ...], ...]:
    """Return what each villager could do at once, with cost and count."""
    return tuple(
        tuple(
            (kind, action.cost or Cost(), count)
            for action in villager.actions
            for kind, count in _effect_uses(action.effects)
        )
        for villager in catalogue.villagers
    )


Use = tuple[str, Cost, int]
_USES: Final = {
    Worship: "worship",
    Meditate: "meditation",
    Build: "build",
    TurnUpBuildings: "turn_up",
}


def _effect_uses(effects: Sequence[object]) -> list[tuple[str, int]]:
    uses = []
    for effect in effects:
        if isinstance(effect, Gain) and effect.what is GainKind.SCROLL:
            uses.append(("scrolls", effect.count))
        elif type(effect) in _USES:
            uses.append((_USES[type(effect)], 1))
    return uses


@lru_cache(maxsize=4096)
def mean_abilities(seat: Seat, catalogue: Catalogue) -> Vector:
    """Return the mean ability vector of an unseen card of a seat's deck (C12)."""
    vectors, unseen = abilities(catalogue), unseen_deck_of(seat, catalogue)
    total = max(1, unseen.total())
    sums = [0.0] * len(ABILITIES)
    for card, count in unseen.items():
        for index, number in enumerate(vectors[card]):
            sums[index] += count * number
    return tuple(number / total for number in sums)


# Seats ----------------------------------------------------------------------------------------


def spendable_resources(seat: Seat, catalogue: Catalogue) -> tuple[float, ...]:
    """Return all that a seat could pay with, per resource.

    Returns:
        Twice as many numbers as resources: without unknown cards, then with their mean added.
    """
    available = [float(count) for count in seat.tokens]
    for kind, stock in enumerate(seat.buildings):
        available[kind] += stock.up
    villagers = catalogue.villagers
    for resident in seat.village:
        if resident is not None and not resident.exhausted:
            _add_icons(available, villagers[resident.card].icons)
    for card in seat.hand:
        if card != UNKNOWN:
            _add_icons(available, villagers[card].icons)
    if not seat.unknown_count:
        return (*available, *available)
    mean = mean_abilities(seat, catalogue)
    expected = [
        number + seat.unknown_count * each for number, each in zip(available, mean, strict=False)
    ]
    return (*available, *expected)


def _add_icons(available: list[float], icons: Sequence[float]) -> None:
    for resource, count in enumerate(icons[: len(available)]):
        available[resource] += count


def could_pay(available: Sequence[float], *costs: Cost) -> bool:
    """Return whether resources pay all costs together; gold replaces other resources."""
    plain: list[int] = [
        sum(amounts) for amounts in zip(*(cost.plain for cost in costs), strict=True)
    ]
    gold, left = available[Resource.GOLD] - plain[Resource.GOLD], 0.0
    for resource in range(Resource.GOLD):
        over = available[resource] - plain[resource]
        if over < 0:
            gold += over
        else:
            left += over
    return gold >= 0 and left + gold >= sum(cost.any for cost in costs)


def own_features(
    seat: Seat,
    spendable: Sequence[float],
    challenges: Sequence[PostedChallenge],
    catalogue: Catalogue,
) -> list[float]:
    """Return the values of :data:`OWN_FEATURES` of a seat."""
    free = FREE_BY_MASK[exhausted_mask(seat.village)]
    farms, forges, temples = seat.buildings
    tokens = seat.tokens
    return [
        seat.scrolls,
        BUILDING_POINTS.get(seat.building_count, 0),
        seat.omen - seat.omen_tokens,
        farms.up,
        forges.up,
        temples.up,
        farms.spent,
        forges.spent,
        temples.spent,
        *tokens,
        max(0, sum(tokens) - _HOARD_THRESHOLD),
        len(seat.hand),
        VILLAGE_CELLS - seat.village.count(None),
        max(0, free),
        free < 0,
        _challenge_progress(seat, challenges, catalogue),
        *_readiness_features(seat, spendable[RESOURCE_KINDS:], catalogue),
    ]


RESOURCE_KINDS: Final = len(Resource)


def table_features(
    state: State, index: int, next_seat: int, spendables: Sequence[Sequence[float]]
) -> list[float]:
    """Return the values of :data:`TABLE_FEATURES` of a seat.

    Args:
        state: position at the end of a turn.
        index: index of the seat.
        next_seat: index of the seat with the next turn; ``len(seats)`` if a new round begins.
        spendables: spendable resources of all seats.
    """
    count = len(state.seats)
    before = (index - next_seat) % count
    solo = state.solo
    return [
        _meditation(state, index, spendables),
        0.0 if solo else _majorities(index, spendables),
        before == 0,
        before / count,
        next_seat < count and index >= next_seat,
        rests_left(state) if solo else 0.0,
        1.0,
    ]


def rests_left(state: State) -> int:
    """Return how many rests a solo game still allows (C13)."""
    return DIFFICULTIES[state.difficulty].rests - 1 - state.rests


def _readiness_features(
    seat: Seat, available: Sequence[float], catalogue: Catalogue
) -> list[float]:
    table = villager_uses(catalogue)
    build = scrolls = turn_up = 0.0
    worships: list[tuple[int, Cost]] = []
    for cell, resident in enumerate(seat.village):
        if resident is None or resident.exhausted:
            continue
        for kind, cost, count in table[resident.card]:
            if kind == "turn_up":
                turn_up = float(sum(stock.spent for stock in seat.buildings))
            elif kind == "worship":
                worships.append((cell, cost))
            elif kind == "build":
                build = max(build, float(could_pay(available, cost)))
            elif kind == "scrolls" and count > scrolls and could_pay(available, cost):
                scrolls = float(count)
    worship = any(could_pay(available, cost) for _, cost in worships)
    twice = any(
        one != other and could_pay(available, cost, further)
        for (one, cost), (other, further) in combinations(worships, 2)
    )
    return [float(worship), float(twice), build, scrolls, turn_up]


def _meditation(state: State, index: int, spendables: Sequence[Sequence[float]]) -> float:
    """Return the fraction of the other seats whose bells this seat matches, if it can meditate.

    In a solo game, return the number of scrolls instead (C6).
    """
    meditating = _meditating(state.catalogue)
    for resident in state.seats[index].village:
        if resident is not None and not resident.exhausted and resident.card in meditating:
            break
    else:
        return 0.0
    bells = [available[_EXPECTED_BELL] + available[_EXPECTED_GOLD] for available in spendables]
    own = bells.pop(index)
    if not bells:
        return float(own // BELLS_PER_SOLO_SCROLL)
    return sum(own >= other for other in bells) / len(bells) if own >= 1.0 else 0.0


@lru_cache(maxsize=8)
def _meditating(catalogue: Catalogue) -> frozenset[Card]:
    """Return the villagers that meditate."""
    return frozenset(
        card
        for card, uses in enumerate(villager_uses(catalogue))
        if any(kind == "meditation" for kind, _, _ in uses)
    )


_EXPECTED_BELL: Final = RESOURCE_KINDS + Resource.BELL
_EXPECTED_GOLD: Final = RESOURCE_KINDS + Resource.GOLD


def _challenge_progress(
    seat: Seat, challenges: Sequence[PostedChallenge], catalogue: Catalogue
) -> float:
    near = 0.0
    for each in challenges:
        if each.by is not None:
            continue
        challenge = catalogue.challenges[each.challenge]
        missing = 0.0
        for condition in challenge.conditions:
            count = condition_value(catalogue, seat, condition)
            nearest = min(max(count, condition.at_least), condition.at_most)
            missing += abs(count - nearest) / max(1, abs(nearest))
        near += challenge.scrolls * max(0.0, 1.0 - missing) ** 2
    return near


def _majorities(index: int, spendables: Sequence[Sequence[float]]) -> float:
    """Return the points for majorities if the game ended now, without unknown cards (C11)."""
    own = spendables[index][:RESOURCE_KINDS]
    most = map(max, zip(*spendables, strict=True))
    return float(sum(0.0 < number == each for number, each in zip(own, most, strict=False)))


def card_features(seat: Seat, catalogue: Catalogue) -> list[float]:
    """Return the summed abilities of a seat's villagers face up, exhausted, and in hand."""
    vectors, width = abilities(catalogue), len(ABILITIES)
    sums = [0.0] * (3 * width)
    for resident in seat.village:
        if resident is not None:
            _add_vector(sums, width * resident.exhausted, vectors[resident.card])
    for card in seat.hand:
        vector = mean_abilities(seat, catalogue) if card == UNKNOWN else vectors[card]
        _add_vector(sums, 2 * width, vector)
    return sums


def _add_vector(sums: list[float], first: int, vector: Vector) -> None:
    for index, number in enumerate(vector, first):
        sums[index] += number


def features(state: State, next_seat: int) -> list[list[float]]:
    """Return the values of :data:`FEATURES` of all seats; see :func:`table_features`."""
    catalogue = state.catalogue
    spendables = [spendable_resources(seat, catalogue) for seat in state.seats]
    return [
        [
            *map(float, own_features(seat, spendables[index], state.challenges, catalogue)),
            *map(float, table_features(state, index, next_seat, spendables)),
            *card_features(seat, catalogue),
        ]
        for index, seat in enumerate(state.seats)
    ]
