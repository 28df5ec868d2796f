"""When a challenge is met (C10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from service.games.snowcrest.catalogue.cards import Catalogue, Challenge, Condition, Counted, Kind
from service.games.snowcrest.payments.resources import Building, Resource
from service.games.snowcrest.rules.state import Seat, State, exhausted_lines


def met(state: State, seat: Seat, challenge: Challenge) -> bool:
    """Whether all conditions hold for a seat."""
    return all(
        counted(state.catalogue, seat, condition) >= condition.at_least
        for condition in challenge.conditions
    )


def counted(catalogue: Catalogue, seat: Seat, condition: Condition) -> int:
    """What a condition counts; spent buildings and exhausted villagers count as others do."""
    return _COUNTS[condition.counted](catalogue, seat, condition.of)


Of: TypeAlias = Building | Resource | Kind | None


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


# A table, since every step of a search asks for all conditions that are left.
_COUNTS: Final[dict[Counted, Callable[[Catalogue, Seat, Of], int]]] = {
    Counted.BUILDINGS: _buildings,
    Counted.RESOURCES: _resources,
    Counted.SCROLLS: lambda _, seat, __: seat.scrolls,
    Counted.OMEN: lambda _, seat, __: seat.omen,
    Counted.VILLAGERS: _villagers,
    Counted.EXHAUSTED: _exhausted,
    Counted.EXHAUSTED_ROWS: lambda _, seat, __: exhausted_lines(seat.village),
    Counted.HAND: lambda _, seat, __: len(seat.hand),
}
