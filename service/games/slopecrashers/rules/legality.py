"""Parse and validate raw documents into states, collecting all violations.

The schema has already replaced every malformed value by ``INVALID``.  Parts with such a value are
skipped here, because their violation has been reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from service.core.violations import GAME_OVER, counted, pointer
from service.games.common.fields import Document
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.slopecrashers.rules.course import (
    DEFAULT_PIECES,
    FIELD_BY_LABEL,
    MAX_LANES,
    MAX_PIECES,
    Course,
    Piece,
)
from service.games.slopecrashers.rules.gifts import (
    CARD_BY_LABEL,
    CARDS,
    DEFAULT_DECK,
    MAX_DECK_SIZE,
    UNKNOWN,
    UNKNOWN_LABEL,
    Card,
    Deck,
    Gift,
    card_label,
    deck_order,
)
from service.games.slopecrashers.rules.state import (
    Place,
    Seat,
    Snowman,
    Space,
    State,
    pile_size,
    pool,
)

MIN_ROWS = 4
_PLACE = ("lap", "row", "lane")


# Tracks and decks (S1) ------------------------------------------------------------------------


def parse_pieces(raw: Any, violations: Violations, at: str) -> tuple[Piece, ...] | None:
    """Return the given pieces, else the default ones; None if they are invalid."""
    if raw is INVALID:
        return None
    if not raw:  # Some generated clients send an empty object for an absent one.
        return DEFAULT_PIECES
    before = len(violations)
    if len(raw) > MAX_PIECES:
        violations.add(
            at,
            "too-many-pieces",
            f"Remove {counted(len(raw) - MAX_PIECES, 'piece')}: at most {MAX_PIECES} are allowed.",
            "S1",
        )
    if not fully_valid(raw):
        return None
    for name, rows in raw.items():
        lanes = {len(row) for row in rows}
        if len(lanes) > 1:
            counts = ", ".join(map(str, sorted(lanes)))
            detail = f"Give all rows of {name} the same number of lanes; they have {counts}."
            violations.add(at + pointer(name), "uneven-lanes", detail, "S1")
    if len(violations) > before:
        return None
    return tuple(
        Piece(name, tuple(tuple(FIELD_BY_LABEL[field] for field in row) for row in rows))
        for name, rows in sorted(raw.items())
    )


def parse_deck(raw: Any, violations: Violations, at: str) -> Deck | None:
    """Return the given deck, else the default one; None if it is invalid."""
    if raw is None:
        return DEFAULT_DECK
    if not fully_valid(raw):
        return None
    size = sum(raw.values())
    if size > MAX_DECK_SIZE:
        detail = f"A deck has at most {MAX_DECK_SIZE} cards: remove {size - MAX_DECK_SIZE}."
        violations.add(at, "deck-too-large", detail)
        return None
    counts = {CARD_BY_LABEL[name]: count for name, count in raw.items()}
    return Deck(tuple((card, counts[card]) for card in CARDS if counts.get(card)))


def parse_course(
    raw: Any, body: Document, pieces: Sequence[Piece] | None, violations: Violations, at: str
) -> Course | None:
    """Return the track; None if it is invalid.

    Args:
        raw: names of pieces in order.
        body: says how the pieces lie, in `reversed` and `offsets`.
        pieces: the set.
        violations: collects the violations.
        at: path of ``body``.
    """
    if raw is INVALID or pieces is None:
        return None
    before = len(violations)
    _check_order(raw, pieces, violations, at + "/course")
    turned, offsets = body.get("reversed") or (), body.get("offsets") or {}
    _check_on_course(raw, turned, offsets, violations, at)
    given = (raw, body.get("reversed"), body.get("offsets"))
    if len(violations) > before or not all(map(fully_valid, given)):
        return None
    by_name = {piece.name: piece for piece in pieces}
    course = Course(
        tuple(
            replace(by_name[name], is_reversed=name in turned, offset=offsets.get(name, 0))
            for name in raw
        )
    )
    _check_track(course, violations, at)
    return None if len(violations) > before else course


def _check_order(raw: Any, pieces: Sequence[Piece], violations: Violations, at: str) -> None:
    by_name = {piece.name: piece for piece in pieces}
    for index, name in enumerate(raw):
        if name is INVALID:
            continue
        if name not in by_name:
            violations.unknown(at + pointer(index), "unknown-piece", "piece", name, by_name, "S1")
        if name in raw[:index]:
            violations.add(
                at + pointer(index),
                "duplicate-piece",
                f"{name} is already on the track; list it once.",
                "S1",
            )


def _check_on_course(
    names: Any, turned: Any, offsets: Any, violations: Violations, at: str
) -> None:
    """Check that the pieces with a direction or an offset are on the track."""
    for index, name in enumerate(turned):
        if name is not INVALID and name in turned[:index]:
            detail = f"{name} is reversed already; list it once."
            violations.add(at + pointer("reversed", index), "duplicate-piece", detail, "S1")
    listed = [(pointer("reversed", index), name) for index, name in enumerate(turned)]
    listed += [
        (pointer("offsets", name), name)
        for name, offset in offsets.items()
        if offset is not INVALID
    ]
    for path, name in listed:
        if name is not INVALID and name not in names:
            detail = f"{name} is not on the track: add it to `course`, or remove it here."
            violations.add(at + path, "not-on-course", detail, "S1")


def _check_track(course: Course, violations: Violations, at: str) -> None:
    """Check that the pieces form one track."""
    if course.length < MIN_ROWS:
        detail = f"A track has at least {MIN_ROWS} rows, not {course.length}: add a piece."
        violations.add(at + "/course", "too-short", detail, "S1")
    least = min(piece.offset for piece in course.pieces)
    if least:
        detail = f"No piece begins in lane 0: reduce all offsets by {least}."
        violations.add(at + "/offsets", "empty-lane", detail, "S1")
    for piece in course.pieces:
        if piece.end > MAX_LANES:
            detail = (
                f"A track has at most {MAX_LANES} lanes: reduce the offset of {piece.name} by "
                f"{piece.end - MAX_LANES}."
            )
            violations.add(at + pointer("offsets", piece.name), "too-wide", detail, "S1")
    for index, (first, second) in enumerate(pairwise(course.pieces), 1):
        if first.end <= second.offset or second.end <= first.offset:
            detail = f"{first.name} and {second.name} share no lane: change an offset."
            violations.add(at + pointer("course", index), "pieces-apart", detail, "S1")


# States ---------------------------------------------------------------------------------------


def parse_state(raw: Any, violations: Violations, *, over: bool = False) -> State | None:
    """Return the state of a document; None if it is invalid.

    Args:
        raw: the document.
        violations: collects the violations, under ``/state``.
        over: whether a finished game is accepted.
    """
    if raw is INVALID:
        return None
    before = len(violations)
    pieces = parse_pieces(raw.get("pieces"), violations, "/state/pieces")
    course = parse_course(raw["course"], raw, pieces, violations, "/state")
    deck = parse_deck(raw.get("deck"), violations, "/state/deck")
    names = check_names(raw["seats"], violations, "/state/seats")
    turn = _seat_index(raw["turn"], names, violations, "/state/turn")
    winner = _seat_index(raw.get("winner"), names, violations, "/state/winner")
    seats = [
        _parse_seat(seat, course, violations, pointer("state", "seats", index))
        for index, seat in enumerate(raw["seats"] or ())
    ]
    snowmen = [
        _parse_snowman(snowman, course, violations, pointer("state", "snowmen", index))
        for index, snowman in enumerate(raw.get("snowmen") or ())
    ]
    _check_shared_spaces(seats, snowmen, violations)
    if len(violations) > before or not fully_valid(raw):
        return None
    assert course is not None, "a violation would have been reported"
    assert deck is not None, "a violation would have been reported"
    state = State(
        seats=tuple(seat for seat in seats if seat is not None),
        turn=turn or 0,
        course=course,
        deck=deck,
        discards=_cards(raw.get("discards", ())),
        snowmen=tuple(sorted(snowman for snowman in snowmen if snowman is not None)),
        winner=winner,
        own_pieces=pieces if raw.get("pieces") else None,
        own_deck="deck" in raw,
    )
    _check_cards(state, violations)
    _check_winner(state, violations, over=over)
    return None if len(violations) > before else state


def _cards(names: Sequence[str]) -> tuple[Card, ...]:
    return tuple(sorted((CARD_BY_LABEL[name] for name in names), key=deck_order))


def check_names(raw: Any, violations: Violations, at: str) -> list[Any]:
    """Return the player names, invalid ones included, after a check for duplicates."""
    names = [INVALID if seat is INVALID else seat["player"] for seat in raw or ()]
    for index, name in enumerate(names):
        if name is not INVALID and name in names[:index]:
            detail = f"{name} already has a seat; give each seat a different player."
            violations.add(at + pointer(index, "player"), "duplicate-player", detail)
    return names


def _seat_index(raw: Any, names: Sequence[Any], violations: Violations, at: str) -> int | None:
    if not raw or INVALID in names or not names:
        return None
    if raw not in names:
        violations.unknown(at, "unknown-player", "player", raw, names)
        return None
    return names.index(raw)


def _parse_seat(raw: Any, course: Course | None, violations: Violations, at: str) -> Seat | None:
    if raw is INVALID:
        return None
    given = [name for name in _PLACE if name in raw]
    if given and len(given) < len(_PLACE):
        absent = " and ".join(f"`{name}`" for name in _PLACE if name not in raw)
        detail = f"Add {absent}, or remove the whole place: lap, row and lane belong together."
        violations.add(at, "half-placed", detail)
    if not fully_valid(raw) or len(given) not in (0, len(_PLACE)):
        return None
    place = Place(raw["lap"], raw["row"], raw["lane"]) if given else None
    if place is not None and course is not None:
        _check_space(place.space, course, violations, at)
    gifts = raw.get("gifts", ())
    return Seat(
        player=raw["player"],
        place=place,
        gifts=tuple(UNKNOWN if name == UNKNOWN_LABEL else CARD_BY_LABEL[name] for name in gifts),
        misses_turn=raw.get("misses_turn", False),
        stung=raw.get("stung", False),
    )


def _parse_snowman(
    raw: Any, course: Course | None, violations: Violations, at: str
) -> Snowman | None:
    if not fully_valid(raw):
        return None
    space = Space(raw["row"], raw["lane"])
    card = CARD_BY_LABEL[raw.get("card", Gift.SNOWMAN.label)]
    if course is not None:
        _check_space(space, course, violations, at)
    if Gift.SNOWMAN not in card:
        detail = f"{card_label(card)} cannot be used as a snowman. Remove `card` for the plain one."
        violations.add(at + "/card", "not-a-snowman", detail, "S12")
    return Snowman(space, card)


def _check_space(space: Space, course: Course, violations: Violations, at: str) -> None:
    if not course.contains(*space):
        detail = (
            f"Choose a row from 0 to {course.length - 1} and a lane from 0 to {course.lanes - 1}."
        )
        violations.add(at, "off-course", detail, "S2")
    elif not course.is_enterable(*space):
        violations.add(
            at, "not-enterable", "This space is an abyss or an obstacle. Choose another one.", "S5"
        )


def _check_shared_spaces(
    seats: Sequence[Seat | None], snowmen: Sequence[Snowman | None], violations: Violations
) -> None:
    """Between turns, a space has at most one character or snowman."""
    characters = [
        None if seat is None or seat.place is None else seat.place.space for seat in seats
    ]
    obstacles = [None if snowman is None else snowman.space for snowman in snowmen]
    taken: set[Space] = set()
    for name, spaces in (("seats", characters), ("snowmen", obstacles)):
        for index, space in enumerate(spaces):
            if space is None:
                continue
            if space in taken:
                detail = "Another character or a snowman is on this space. Move one of them."
                violations.add(pointer("state", name, index), "space-taken", detail, "S5")
            taken.add(space)


def _check_cards(state: State, violations: Violations) -> None:
    """All cards, known or unknown, must be in the deck (S15)."""
    known = Counter(state.discards)
    known.update(snowman.card for snowman in state.snowmen)
    known.update(card for seat in state.seats for card in seat.gifts)
    unknown = known.pop(UNKNOWN, 0)
    for card in sorted(known, key=deck_order):
        count = state.deck.count_by_card.get(card, 0)
        if known[card] > count:
            detail = (
                f"The deck has {count} of {card_label(card)}, but the state has {known[card]}: "
                "remove some."
            )
            violations.add("/state", "too-many-cards", detail, "S15")
    if pile_size(state) < 0 or unknown > sum(pool(state).values()):
        detail = (
            f"The state has {counted(unknown, 'unknown gift')}, but the deck has fewer cards left: "
            "remove some gifts."
        )
        violations.add("/state", "too-many-unknown", detail, "S15")


def _check_winner(state: State, violations: Violations, *, over: bool) -> None:
    if state.winner is None:
        return
    if state.seats[state.winner].place is not None:
        detail = "The winner is not on the track: remove `lap`, `row` and `lane`."
        violations.add(pointer("state", "seats", state.winner), "winner-on-course", detail, "S16")
    if not over:
        violations.add("/state", GAME_OVER, "The game is over. Start a new game.", "S16")
