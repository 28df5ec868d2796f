"""Movement: steps, springs, chili, and whether a turn can still end (S4 to S7, S10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from service.games.slopecrashers.rules.course import Course
from service.games.slopecrashers.rules.gifts import Card, Gift
from service.games.slopecrashers.rules.state import (
    LAPS,
    STEP_DIRECTIONS,
    Direction,
    Place,
    State,
    pile_size,
)


class Landing(NamedTuple):
    """A possible end of a step or a spring.

    Attributes:
        place: the new place; None after the finish line, which wins.
        lane: the lane that the action has to name; None if there is no choice.
    """

    place: Place | None
    lane: int | None = None


def placements(course: Course) -> Iterator[Landing]:
    """Return the spaces where a character may enter the board (S3)."""
    return _row_landings(course, lap=1, row=0)


def steps(course: Course, place: Place, direction: Direction) -> Iterator[Landing]:
    """Yield the possible ends of one movement (S4, S5)."""
    if direction is Direction.FORWARD and place.row == course.length - 1:
        yield from _across_line(course, place, row=0)
        return
    row, lane = place.row + direction.rows, place.lane + direction.lanes
    if course.is_enterable(row, lane):
        yield Landing(Place(place.lap, row, lane))


def springs(course: Course, place: Place, direction: Direction) -> Iterator[Landing]:
    """Yield the possible ends of a spring, which jumps over exactly one space of any kind (S7)."""
    if direction is Direction.FORWARD and place.row == course.length - 1:
        for landing in _across_line(course, place, row=1):
            if landing.lane is None or course.contains(0, landing.lane):
                yield landing
        return
    if not course.contains(place.row + direction.rows, place.lane + direction.lanes):
        return
    if direction is Direction.FORWARD and place.row == course.length - 2:
        yield from _across_line(course, place, row=0)
        return
    row, lane = place.row + 2 * direction.rows, place.lane + 2 * direction.lanes
    if course.is_enterable(row, lane):
        yield Landing(Place(place.lap, row, lane))


def _across_line(course: Course, place: Place, row: int) -> Iterator[Landing]:
    """Return the landings in the next lap, in any lane; after the last lap, the win."""
    if place.lap == LAPS:
        return iter((Landing(None),))
    return _row_landings(course, place.lap + 1, row)


def _row_landings(course: Course, lap: int, row: int) -> Iterator[Landing]:
    return (
        Landing(Place(lap, row, lane), lane)
        for lane in range(course.lanes)
        if course.is_enterable(row, lane)
    )


def chili_movements(own: Place, others: list[tuple[int, int]]) -> int:
    """Return the movements that a chili adds (S10).

    Args:
        own: place of the player.
        others: progress of all other players; (0, 0) before their first turn.
    """
    if own.progress >= max(others):
        return 1
    return 3 if own.progress < min(others) else 2


def progress_of_others(state: State, seat: int) -> list[tuple[int, int]]:
    """Return (lap, row) of all other players; (0, 0) before their first turn."""
    return [
        (0, 0) if other.place is None else other.place.progress
        for index, other in enumerate(state.seats)
        if index != seat
    ]


# The end of a turn (S5) -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EndSearch:
    """The start of a search for an end of the turn.

    Attributes:
        state: the places of all other players; the player's own is ignored.
        seat: index of the player's seat.
        place: of the player.
        movements: number left.
        gifts: the player's stack, top first.
        actions: number still allowed, the end of the turn included.
    """

    state: State
    seat: int
    place: Place
    movements: int
    gifts: tuple[Card, ...]
    actions: int


class _EndNode(NamedTuple):
    """A node of the search; ``used`` cards of the stack are gone."""

    place: Place
    movements: int
    used: int


def can_end(start: EndSearch) -> bool:
    """Whether the player can certainly end the turn on a free space, or win (S5).

    A breadth-first search over steps, discards, and springs and chili of known cards.  Gift and
    boost fields are ignored: they act on free spaces only, where the turn can end anyway.
    """
    taken = {
        seat.place.space
        for index, seat in enumerate(start.state.seats)
        if index != start.seat and seat.place is not None
    }
    root = _EndNode(start.place, start.movements, 0)
    level, visited = [root], {root}
    for _ in range(start.actions):
        if any(node.place.space not in taken for node in level):
            return True
        next_level = []
        for node in level:
            for successor in _successors(start, node):
                if successor is None:
                    return True
                if successor not in visited:
                    visited.add(successor)
                    next_level.append(successor)
        level = next_level
    return False


def _successors(start: EndSearch, node: _EndNode) -> Iterator[_EndNode | None]:
    """Yield the nodes after one action; None is the win."""
    course = start.state.course
    place, movements, used = node
    if movements:
        for direction in STEP_DIRECTIONS:
            for landing in steps(course, place, direction):
                yield landing.place and _EndNode(landing.place, movements - 1, used)
    if used == len(start.gifts):
        return
    card = start.gifts[used]
    yield _EndNode(place, movements, used + 1)
    if Gift.CHILI in card:
        others = progress_of_others(start.state, start.seat)
        yield _EndNode(place, movements + chili_movements(place, others), used + 1)
    if Gift.SPRING in card:
        for direction in STEP_DIRECTIONS:
            for landing in springs(course, place, direction):
                yield landing.place and _EndNode(landing.place, movements, used + 1)


def can_draw(state: State, in_play: int = 0) -> bool:
    """Whether the pile or the discards have a card to draw (S14)."""
    return bool(state.discards) or pile_size(state, in_play) > 0
