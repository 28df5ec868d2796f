"""When a challenge is met (C10)."""

from __future__ import annotations

from service.games.snowcrest.catalogue import Catalogue, Challenge, Condition, Counted, Kind
from service.games.snowcrest.resources import Building, Resource
from service.games.snowcrest.state import Seat, State, exhausted_lines


def met(state: State, seat: Seat, challenge: Challenge) -> bool:
    """Whether all conditions hold for a seat."""
    return all(
        counted(state.catalogue, seat, condition) >= condition.at_least
        for condition in challenge.conditions
    )


def counted(catalogue: Catalogue, seat: Seat, condition: Condition) -> int:
    """What a condition counts; spent buildings and exhausted villagers count as others do."""
    of = condition.of
    match condition.counted:
        case Counted.BUILDINGS:
            some = seat.buildings if of is None else (seat.buildings[Building(of)],)
            return sum(stock.total for stock in some)
        case Counted.RESOURCES:
            return sum(seat.tokens) if of is None else seat.tokens[Resource(of)]
        case Counted.SCROLLS:
            return seat.scrolls
        case Counted.OMEN:
            return seat.omen
        case Counted.VILLAGERS:
            kinds = [
                catalogue.villagers[resident.card].kind
                for resident in seat.village
                if resident is not None
            ]
            return len(kinds) if of is None else kinds.count(Kind(of))
        case Counted.EXHAUSTED:
            return sum(resident is not None and resident.exhausted for resident in seat.village)
        case Counted.EXHAUSTED_ROWS:
            return exhausted_lines(seat.village)
        case Counted.HAND:
            return len(seat.hand)
