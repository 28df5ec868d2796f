"""The one door from raw documents to positions; it reports every fault together.

Raw values have passed the schema, which left a hole where the shape was wrong.  A part with a
hole in it is passed over in silence, since its fault is known already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from service.core.violations import GAME_OVER, pointer
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.slopecrashers.api.schema import LARGEST_DECK, MOST_PIECES
from service.games.slopecrashers.rules.course import FIELD_BY_LABEL, HOUSE_PIECES, Course, Piece
from service.games.slopecrashers.rules.gifts import (
    CARD_BY_LABEL,
    CARDS,
    HOUSE_DECK,
    UNKNOWN,
    UNKNOWN_LABEL,
    Card,
    Deck,
    Gift,
    deck_order,
    label,
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

FEWEST_ROWS = 4
_PLACE = ("lap", "row", "lane")


# Tracks and decks (S1) ------------------------------------------------------------------------


def read_pieces(raw: Any, violations: Violations, at: str) -> tuple[Piece, ...] | None:
    """The pieces there are, the house's if none are told; None if they are faulty."""
    if raw is None:
        return HOUSE_PIECES
    if raw is INVALID:
        return None
    before = len(violations)
    if not raw:
        violations.add(at, "no-pieces", "One piece at least is due.", "S1")
    if len(raw) > MOST_PIECES:
        violations.add(at, "too-many-pieces", f"{MOST_PIECES} pieces are the most.", "S1")
    if not fully_valid(raw):
        return None
    lanes = {len(row) for rows in raw.values() for row in rows}
    if len(lanes) > 1:
        violations.add(at, "uneven-lanes", "All rows have the same number of lanes.", "S1")
    if len(violations) > before:
        return None
    return tuple(
        Piece(name, tuple(tuple(FIELD_BY_LABEL[field] for field in row) for row in rows))
        for name, rows in sorted(raw.items())
    )


def read_deck(raw: Any, violations: Violations, at: str) -> Deck | None:
    """The deck, the house's if none is told; None if it is faulty."""
    if raw is None:
        return HOUSE_DECK
    if not fully_valid(raw):
        return None
    if sum(raw.values()) > LARGEST_DECK:
        detail = f"{LARGEST_DECK} cards are the most."
        violations.add(at, "deck-too-large", detail)
        return None
    counts = {CARD_BY_LABEL[name]: count for name, count in raw.items()}
    return Deck(tuple((card, counts[card]) for card in CARDS if counts.get(card)))


def read_course(
    raw: Any, pieces: Sequence[Piece] | None, violations: Violations, at: str
) -> Course | None:
    """The pieces as they are laid; None if that is faulty."""
    if raw is INVALID or pieces is None:
        return None
    before = len(violations)
    by_name = {piece.name: piece for piece in pieces}
    for index, name in enumerate(raw):
        if name is INVALID:
            continue
        if name not in by_name:
            violations.add(at + pointer(index), "unknown-piece", f"There is no piece {name}.", "S1")
        if name in raw[:index]:
            violations.add(at + pointer(index), "duplicate-piece", f"{name} is laid already.", "S1")
    if len(violations) > before or not fully_valid(raw):
        return None
    course = Course(tuple(by_name[name] for name in raw))
    if course.length < FEWEST_ROWS:
        violations.add(at, "too-short", f"{FEWEST_ROWS} rows are the fewest.", "S1")
        return None
    return course


# Positions ------------------------------------------------------------------------------------


def read_state(raw: Any, violations: Violations, *, over: bool = False) -> State | None:
    """Reads a position; its faults are added to ``violations`` under ``/state``.

    Without ``over`` a finished game is a fault too (``game-over``).
    """
    if raw is INVALID:
        return None
    before = len(violations)
    pieces = read_pieces(raw.get("pieces"), violations, "/state/pieces")
    course = read_course(raw["course"], pieces, violations, "/state/course")
    deck = read_deck(raw.get("deck"), violations, "/state/deck")
    names = judge_names(raw["seats"], violations, "/state/seats")
    turn = _seat_called(raw["turn"], names, violations, "/state/turn")
    winner = _seat_called(raw.get("winner"), names, violations, "/state/winner")
    seats = [
        _read_seat(seat, course, violations, pointer("state", "seats", index))
        for index, seat in enumerate(raw["seats"] or ())
    ]
    snowmen = [
        _read_snowman(snowman, course, violations, pointer("state", "snowmen", index))
        for index, snowman in enumerate(raw.get("snowmen") or ())
    ]
    _judge_crowding(seats, snowmen, violations)
    if len(violations) > before or not fully_valid(raw):
        return None
    assert course is not None, "it has no fault"
    assert deck is not None, "it has no fault"
    state = State(
        seats=tuple(seat for seat in seats if seat is not None),
        turn=turn or 0,
        course=course,
        deck=deck,
        discards=_cards(raw.get("discards", ())),
        snowmen=tuple(sorted(snowman for snowman in snowmen if snowman is not None)),
        winner=winner,
        own_pieces=pieces if "pieces" in raw else None,
        own_deck="deck" in raw,
    )
    _judge_cards(state, violations)
    _judge_winner(state, violations, over=over)
    return None if len(violations) > before else state


def _cards(names: Sequence[str]) -> tuple[Card, ...]:
    return tuple(sorted((CARD_BY_LABEL[name] for name in names), key=deck_order))


def judge_names(raw: Any, violations: Violations, at: str) -> list[Any]:
    """The players' names, with holes; no two seats have the same player."""
    names = [INVALID if seat is INVALID else seat["player"] for seat in raw or ()]
    for index, name in enumerate(names):
        if name is not INVALID and name in names[:index]:
            detail = f"{name} has a seat already."
            violations.add(at + pointer(index, "player"), "duplicate-player", detail)
    return names


def _seat_called(raw: Any, names: Sequence[Any], violations: Violations, at: str) -> int | None:
    if not raw or INVALID in names or not names:
        return None
    if raw not in names:
        violations.add(at, "unknown-player", f"No seat belongs to {raw}.")
        return None
    return names.index(raw)


def _read_seat(raw: Any, course: Course | None, violations: Violations, at: str) -> Seat | None:
    if raw is INVALID:
        return None
    told = [name for name in _PLACE if name in raw]
    if told and len(told) < len(_PLACE):
        detail = f"{' and '.join(_PLACE)} are told together."
        violations.add(at, "half-placed", detail)
    if not fully_valid(raw) or len(told) not in (0, len(_PLACE)):
        return None
    place = Place(raw["lap"], raw["row"], raw["lane"]) if told else None
    if place is not None and course is not None:
        _judge_space(place.space, course, violations, at)
    gifts = raw.get("gifts", ())
    return Seat(
        player=raw["player"],
        place=place,
        gifts=tuple(UNKNOWN if name == UNKNOWN_LABEL else CARD_BY_LABEL[name] for name in gifts),
        misses_turn=raw.get("misses_turn", False),
        stung=raw.get("stung", False),
    )


def _read_snowman(
    raw: Any, course: Course | None, violations: Violations, at: str
) -> Snowman | None:
    if not fully_valid(raw):
        return None
    space = Space(raw["row"], raw["lane"])
    card = CARD_BY_LABEL[raw.get("card", Gift.SNOWMAN.label)]
    if course is not None:
        _judge_space(space, course, violations, at)
    if Gift.SNOWMAN not in card:
        detail = f"{label(card)} cannot be used as a snowman."
        violations.add(at + "/card", "not-a-snowman", detail, "S12")
    return Snowman(space, card)


def _judge_space(space: Space, course: Course, violations: Violations, at: str) -> None:
    if not course.has(*space):
        detail = f"Rows end at {course.length - 1}, lanes at {course.lanes - 1}."
        violations.add(at, "off-course", detail, "S2")
    elif not course.is_enterable(*space):
        violations.add(at, "not-enterable", "That is an abyss or an obstacle.", "S5")


def _judge_crowding(
    seats: Sequence[Seat | None], snowmen: Sequence[Snowman | None], violations: Violations
) -> None:
    """Between two turns nobody shares a space, with a character or with a snowman."""
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
                detail = "Somebody, or a snowman, is on the space already."
                violations.add(pointer("state", name, index), "space-taken", detail, "S5")
            taken.add(space)


def _judge_cards(state: State, violations: Violations) -> None:
    """What lies on the table, face up or down, is of the deck (S15)."""
    known = Counter(state.discards)
    known.update(snowman.card for snowman in state.snowmen)
    known.update(card for seat in state.seats for card in seat.gifts)
    unknown = known.pop(UNKNOWN, 0)
    for card in sorted(known, key=deck_order):
        count = state.deck.count_by_card.get(card, 0)
        if known[card] > count:
            detail = f"The deck has {count} of {label(card)}; {known[card]} are on the table."
            violations.add("/state", "too-many-cards", detail, "S15")
    if pile_size(state) < 0 or unknown > sum(pool(state).values()):
        detail = f"{unknown} gifts are unknown; the deck has not so many others."
        violations.add("/state", "too-many-unknown", detail, "S15")


def _judge_winner(state: State, violations: Violations, *, over: bool) -> None:
    if state.winner is None:
        return
    if state.seats[state.winner].place is not None:
        detail = "Who has won is nowhere on the course any more."
        violations.add(pointer("state", "seats", state.winner), "winner-on-course", detail, "S16")
    if not over:
        violations.add("/state", GAME_OVER, "The game is over: somebody has won.", "S16")
