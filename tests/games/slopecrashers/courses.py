"""Random courses as an owner's set may give them: turned, shifted and narrow pieces (S1).

They depend on the given course alone, so the numbers of a test's generator stay the same.
"""

from dataclasses import replace
from random import Random

from service.games.slopecrashers.rules.course import Course, Field, Piece

BOTH = 0.3


def laid_out(rows, kept=(), lane=None, both=BOTH):
    """Return a course with these rows: every second time in pieces that lie in all possible ways.

    Args:
        rows: of the course.
        kept: rows and lanes of spaces that stay on the course.
        lane: stays on the course; default: any one does.
        both: share of the gift and boost fields that become both.
    """
    random = Random(repr((rows, sorted(kept), lane)))
    if random.random() < 0.5:
        return Course((Piece("whole", rows),))
    shared = random.randrange(len(rows[0])) if lane is None else lane
    pieces, first = [], 0
    while first < len(rows):
        part = rows[first : first + random.randint(1, 5)]
        used = {at for row, at in kept if first <= row < first + len(part)} | {shared}
        used |= set() if pieces else {0}
        varied = [[_varied(field, both, random) for field in row] for row in part]
        pieces.append(_piece(f"part-{first}", varied, used, random))
        first += len(part)
    return Course(tuple(pieces))


def _piece(name, rows, used, random):
    """Return a part of the rows as a piece that has at least the used lanes."""
    left, end = random.randint(0, min(used)), random.randint(max(used) + 1, len(rows[0]))
    if end - left == 1:
        left, end = (left, end + 1) if end < len(rows[0]) else (left - 1, end)
    laid = tuple(tuple(row[left:end]) for row in rows)
    is_reversed = random.random() < 0.5
    printed = tuple(row[::-1] for row in laid[::-1]) if is_reversed else laid
    return Piece(name, printed, is_reversed, left)


def _varied(field, both, random):
    either = field in (Field.GIFT, Field.BOOST)
    return Field.GIFT_BOOST if either and random.random() < both else field


def relaid(state, both=BOTH):
    """Return the state on a course of the same rows, which may lie in other ways."""
    kept = {seat.place.space for seat in state.seats if seat.place is not None}
    kept |= {snowman.space for snowman in state.snowmen}
    return replace(state, course=laid_out(state.course.rows, kept, both=both))


def shuffled(course):
    """Return a course on which every second time some pieces lie turned round or shifted."""
    random = Random(repr(course))
    if random.random() < 0.5:
        return course
    offsets = [random.choice((0, 0, 1, 2)) for _ in course.pieces]
    return Course(
        tuple(
            replace(piece, is_reversed=random.random() < 0.5, offset=offset - min(offsets))
            for piece, offset in zip(course.pieces, offsets, strict=True)
        )
    )


def turned_round(course):
    """Return the same course with the rows of each piece given from the other end."""
    return Course(
        tuple(
            replace(
                piece,
                rows=tuple(row[::-1] for row in piece.rows[::-1]),
                is_reversed=not piece.is_reversed,
            )
            for piece in course.pieces
        )
    )


def printed(course):
    """Return the set of the pieces of a course."""
    pieces = (replace(piece, is_reversed=False, offset=0) for piece in course.pieces)
    return tuple(sorted(pieces, key=lambda piece: piece.name))
