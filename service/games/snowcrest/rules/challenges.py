"""Conditions of challenges (C10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from service.games.snowcrest.catalogue.cards import (
    Catalogue,
    Challenge,
    Condition,
    ConditionKind,
    VillagerKind,
)
from service.games.snowcrest.rules.payments.resources import Building, Resource
from service.games.snowcrest.rules.state import Seat, State, exhausted_lines


def is_met(state: State, seat: Seat, challenge: Challenge) -> bool:
    """Return whether a seat meets all conditions of a challenge."""
    # A loop, because every step of a search gets here; a generator takes twice the time.
    catalogue = state.catalogue
    for condition in challenge.conditions:
        count = condition_value(catalogue, seat, condition)
        if not condition.at_least <= count <= condition.at_most:
            return False
    return True


def condition_value(catalogue: Catalogue, seat: Seat, condition: Condition) -> int:
    """Return the count that a condition compares; spent buildings and exhausted villagers count."""
    return _COUNTS[condition.kind](catalogue, seat, condition.of)


Of: TypeAlias = Building | Resource | VillagerKind | None


def _buildings(_: Catalogue, seat: Seat, of: Of) -> int:
    return seat.building_count if of is None else seat.buildings[of].total


def _resources(_: Catalogue, seat: Seat, of: Of) -> int:
    return sum(seat.tokens) if of is None else seat.tokens[of]


def _villagers(catalogue: Catalogue, seat: Seat, of: Of) -> int:
    return sum(
        resident is not None and of in (None, catalogue.villagers[resident.card].kind)
        for resident in seat.village
    )


def _exhausted(_: Catalogue, seat: Seat, __: Of) -> int:
    return sum(resident is not None and resident.exhausted for resident in seat.village)


# A lookup table, because every step of a search evaluates all open conditions.
_COUNTS: Final[dict[ConditionKind, Callable[[Catalogue, Seat, Of], int]]] = {
    ConditionKind.BUILDINGS: _buildings,
    ConditionKind.RESOURCES: _resources,
    ConditionKind.SCROLLS: lambda _, seat, __: seat.scrolls,
    ConditionKind.OMEN: lambda _, seat, __: seat.omen,
    ConditionKind.VILLAGERS: _villagers,
    ConditionKind.EXHAUSTED: _exhausted,
    ConditionKind.EXHAUSTED_ROWS: lambda _, seat, __: exhausted_lines(seat.village),
    ConditionKind.HAND: lambda _, seat, __: len(seat.hand),
}
