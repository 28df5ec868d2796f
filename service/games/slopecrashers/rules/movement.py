"""Where characters can go: steps, springs, chili, and how a turn can still end (S4 to S7, S10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from service.games.slopecrashers.rules.course import Course
from service.games.slopecrashers.rules.gifts import Card, Gift
from service.games.slopecrashers.rules.state import (
    AHEAD,
    LAPS,
    Direction,
    Place,
    State,
    pile_size,
)


class Landing(NamedTuple):
    """Where a step or a spring may lead.

    Attributes:
        place: None beyond the line on the last lap, which wins.
        lane: the one that has to be told, where several are possible.
    """

    place: Place | None
    lane: int | None = None


def placements(course: Course) -> Iterator[Landing]:
    """Where a character may come onto the board (S3)."""
    return _rejoining(course, lap=1, row=0)


def steps(course: Course, place: Place, direction: Direction) -> Iterator[Landing]:
    """Where one movement may lead (S4, S5)."""
    if direction is Direction.FORWARD and place.row == course.length - 1:
        yield from _over_the_line(course, place, row=0)
        return
    row, lane = place.row + direction.rows, place.lane + direction.lanes
    if course.is_enterable(row, lane):
        yield Landing(Place(place.lap, row, lane))


def springs(course: Course, place: Place, direction: Direction) -> Iterator[Landing]:
    """Where a spring may lead: over exactly one space, whatever is on it (S7)."""
    if direction is Direction.FORWARD and place.row >= course.length - 2:
        yield from _over_the_line(course, place, row=place.row + 2 - course.length)
        return
    row, lane = place.row + 2 * direction.rows, place.lane + 2 * direction.lanes
    if course.is_enterable(row, lane):
        yield Landing(Place(place.lap, row, lane))


def _over_the_line(course: Course, place: Place, row: int) -> Iterator[Landing]:
    """From one lap to the next, in a lane of the player's choice, or to the end of the race."""
    if place.lap == LAPS:
        return iter((Landing(None),))
    return _rejoining(course, place.lap + 1, row)


def _rejoining(course: Course, lap: int, row: int) -> Iterator[Landing]:
    return (
        Landing(Place(lap, row, lane), lane)
        for lane in range(course.lanes)
        if course.is_enterable(row, lane)
    )


def chili_movements(own: Place, others: list[tuple[int, int]]) -> int:
    """What a chili adds where everybody stands now (S10).

    Args:
        own: where the player is.
        others: the progress of everybody else; (0, 0) before the first turn.
    """
    if own.progress >= max(others):
        return 1
    return 3 if own.progress < min(others) else 2


def progress_of_others(state: State, seat: int) -> list[tuple[int, int]]:
    """(lap, row) of everybody else; who is not placed yet is behind row 0."""
    return [
        (0, 0) if other.place is None else other.place.progress
        for index, other in enumerate(state.seats)
        if index != seat
    ]


# Certainty (S5) -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outset:
    """A moment of a turn, as far as it matters for how the turn can end.

    Attributes:
        state: for everybody else's places; the player's own does not count.
        seat: of the player.
        place: of the player.
        movements: left.
        gifts: the player's, top first.
        atoms: that may still be made, the end of the turn included.
    """

    state: State
    seat: int
    place: Place
    movements: int
    gifts: tuple[Card, ...]
    atoms: int


class _Moment(NamedTuple):
    """What a search for an end of the turn has reached; ``used`` cards of the stack are gone."""

    place: Place
    movements: int
    used: int


def can_end(outset: Outset) -> bool:
    """Whether the player is certain to be able to end the turn on a free space, or to win (S5).

    Steps, springs and chili of known cards count.  Fields need not be looked at: they act on free
    spaces only, and there the turn can end.  For the same reason no place can be met again: what
    is entered on the way gives no movement back.
    """
    taken = {
        seat.place.space
        for index, seat in enumerate(outset.state.seats)
        if index != outset.seat and seat.place is not None
    }
    moment = _Moment(outset.place, outset.movements, 0)
    level, met = [moment], {moment}
    for _ in range(outset.atoms):
        if any(moment.place.space not in taken for moment in level):
            return True
        following = []
        for moment in level:
            for reached in _onward(outset, moment):
                if reached is None:
                    return True
                if reached not in met:
                    met.add(reached)
                    following.append(reached)
        level = following
    return False


def _onward(outset: Outset, moment: _Moment) -> Iterator[_Moment | None]:
    """What one atom can make of a moment; None is the end of the race."""
    course = outset.state.course
    place, movements, used = moment
    if movements:
        for direction in AHEAD:
            for landing in steps(course, place, direction):
                yield landing.place and _Moment(landing.place, movements - 1, used)
    if used == len(outset.gifts):
        return
    card = outset.gifts[used]
    yield _Moment(place, movements, used + 1)
    if Gift.CHILI in card:
        others = progress_of_others(outset.state, outset.seat)
        yield _Moment(place, movements + chili_movements(place, others), used + 1)
    if Gift.SPRING in card:
        for direction in AHEAD:
            for landing in springs(course, place, direction):
                yield landing.place and _Moment(landing.place, movements, used + 1)


def gifts_left(state: State, in_play: int = 0) -> bool:
    """Whether anything can be drawn, from the pile or from the discards (S14)."""
    return bool(state.discards) or pile_size(state, in_play) > 0
