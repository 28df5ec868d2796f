"""Parse JSON documents to positions and report all violations together.

Documents come from the schema check, which puts ``INVALID`` in place of every value of a wrong
shape.  The functions skip such values because the schema check has reported them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from service.core.violations import GAME_OVER, counted, pointer
from service.games.common.fields import Document
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.snow_time.rules.rules import winners
from service.games.snow_time.rules.state import (
    CARD_BY_LABEL,
    DECK,
    FRUIT_LEVELS,
    FRUIT_TOKENS,
    KIND_BY_LABEL,
    SEATING,
    Bonus,
    Card,
    Seat,
    State,
    Track,
    default_track,
)

# Positions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ParsedPosition:
    """The valid parts of a position.  The rest of the request body is checked against them.

    Attributes:
        state: the position if all of it is legal; None if a finished game is a violation.
        supply: fruit tokens in the supply, if the fruit is legal.
        seats: by name; None for a seat whose hand is not legal.  Scores may be illegal.
        owners: the player of each seat, or ``INVALID``.
        track: the track in use, if it is legal.
        names_complete: whether the names of all seats are valid.
    """

    state: State | None = None
    supply: int | None = None
    seats: Mapping[str, Seat | None] = field(default_factory=dict)
    owners: Mapping[str, Any] = field(default_factory=dict)
    track: Track | None = None
    names_complete: bool = False

    @property
    def players(self) -> frozenset[str] | None:
        """All players, or None if a name is not valid."""
        if not self.names_complete or INVALID in self.owners.values():
            return None
        return frozenset(self.owners.values())


def as_parsed(state: State) -> ParsedPosition:
    """Return the parsed form of a legal position."""
    return ParsedPosition(
        state=state,
        supply=state.supply,
        seats={seat.name: seat for seat in state.seats},
        owners={seat.name: seat.player for seat in state.seats},
        track=state.board,
        names_complete=True,
    )


def read_position(
    raw: Any, violations: Violations, at: str = "/state", *, over: bool = False
) -> ParsedPosition:
    """Parse a position and add its violations.

    Args:
        raw: the document.
        violations: receives those of the position.
        at: JSON pointer to the document.
        over: whether a finished game is legal; otherwise it is a violation too (``game-over``).
    """
    if raw is INVALID:
        return ParsedPosition()
    before = len(violations)
    track = read_track(raw.get("track"), violations, at + "/track")
    _check_seating(raw["seats"], violations, at + "/seats")
    seats: dict[str, Seat | None] = {}
    owners: dict[str, Any] = {}
    for index, seat in enumerate(raw["seats"] or ()):
        if seat is INVALID:
            continue
        here = at + pointer("seats", index)
        _check_score(seat["score"], track, violations, here + "/score")
        hand = _read_hand(seat["hand"], violations, here + "/hand")
        if seat["seat"] is not INVALID:
            name, owner = seat["seat"], seat.get("player", seat["seat"])
            seats[name] = None if hand is None else Seat(name, str(owner), seat["score"], hand)
            owners[name] = owner
    fruit = _read_fruit(raw["fruit"], violations, at + "/fruit")
    return ParsedPosition(
        state=_checked_state(raw, seats, fruit, track, violations, before, at, over=over),
        supply=None if fruit is None else FRUIT_TOKENS - sum(fruit),
        seats=seats,
        owners=owners,
        track=track,
        names_complete=len(seats) == len(raw["seats"] or ()) > 0,
    )


def _checked_state(
    raw: Document,
    seats: Mapping[str, Seat | None],
    fruit: tuple[int, ...] | None,
    track: Track | None,
    violations: Violations,
    before: int,
    at: str,
    *,
    over: bool,
) -> State | None:
    """Return the state, or None if it has a violation."""
    if len(violations) > before or not fully_valid(raw) or fruit is None:
        return None
    legal = tuple(seat for seat in seats.values() if seat is not None)
    state = State(legal, fruit, None if "track" not in raw else track)
    if winners(state) and not over:
        violations.add(
            at,
            GAME_OVER,
            "The game is over: a marker is on the last space. Start a new game.",
        )
        return None
    return state


def new_state(raw: Document, violations: Violations) -> State | None:
    """Return the start position: full hands, no fruit, all markers on space 0."""
    before = len(violations)
    track = read_track(raw.get("track"), violations, "/track")
    _check_seating(raw["seats"], violations, "/seats")
    if len(violations) > before or not fully_valid(raw):
        return None
    return State(
        seats=tuple(
            Seat(seat["seat"], seat.get("player", seat["seat"]), 0, DECK) for seat in raw["seats"]
        ),
        fruit=(0,) * FRUIT_LEVELS,
        track=None if "track" not in raw else track,
    )


def read_track(raw: Any, violations: Violations, at: str) -> Track | None:
    """Return the given track or the default track (R1); None if the given one is invalid."""
    if raw is None:
        return default_track()
    if raw is INVALID:
        return None
    before = len(violations)
    length, bonuses = raw["length"], raw["bonuses"] or ()
    seen: set[int] = set()
    for index, bonus in enumerate(bonuses):
        space = bonus and bonus["space"]
        if not space:
            continue
        here = at + pointer("bonuses", index, "space")
        if length is not INVALID and space >= length:
            detail = f"Use a space from 1 to {length - 1}: the last space has no bonus."
            violations.add(here, "bonus-off-track", detail, "R1")
        if space in seen:
            detail = f"Space {space} has more than one bonus; keep one of them."
            violations.add(here, "duplicate-bonus", detail, "R1")
        seen.add(space)
    if len(violations) > before or not fully_valid(raw):
        return None
    parsed = (
        Bonus(bonus["space"], KIND_BY_LABEL[bonus["kind"]], bonus["advance"]) for bonus in bonuses
    )
    options = {name: raw[name] for name in ("optional_watcher", "spared_champion") if name in raw}
    return Track(length, tuple(sorted(parsed)), **options)


def _check_seating(raw: Any, violations: Violations, at: str) -> None:
    """Check the seating: 3 to 5 players with one seat each, or 2 players with two each."""
    before = len(violations)
    names: set[str] = set()
    owners: list[Any] = []
    for index, seat in enumerate(raw or ()):
        name = INVALID if seat is INVALID else seat["seat"]
        if name is not INVALID and name in names:
            violations.add(
                at + pointer(index, "seat"),
                "duplicate-seat",
                f"More than one seat is named {name}; give each a different name.",
            )
        names |= {name} if name else set()
        owners.append(INVALID if seat is INVALID else seat.get("player", name))
    if raw is INVALID or INVALID in owners or len(violations) > before:
        return
    sizes = sorted(owners.count(player) for player in set(owners))
    if sizes != [2, 2] and (set(sizes) != {1} or not 3 <= len(sizes) <= 5):
        got = f"{counted(len(owners), 'seat')} of {counted(len(sizes), 'player')}"
        detail = f"Expected {SEATING}; got {got}."
        violations.add(at, "wrong-seating", detail)


def _check_score(raw: Any, track: Track | None, violations: Violations, at: str) -> None:
    if track is not None and raw is not INVALID and raw > track.length:
        detail = (
            f"The last space of the track is {track.length}: reduce the score or extend the track."
        )
        violations.add(at, "score-off-track", detail, "R9")


def _read_hand(raw: Any, violations: Violations, at: str) -> tuple[Card, ...] | None:
    """Return the hand in deck order, or None if it is invalid."""
    if raw is INVALID:
        return None
    before = len(violations)
    for index, label in enumerate(raw):
        if label is not INVALID and label in raw[:index]:
            detail = f"The hand contains the card {label} more than once; remove one of them."
            violations.add(at + pointer(index), "duplicate-card", detail)
    if INVALID not in raw and Card.HEALER.label not in raw:
        detail = 'Add "healer" to the hand: it is never discarded.'
        violations.add(at, "healer-missing", detail)
    if len(violations) > before or INVALID in raw:
        return None
    return tuple(sorted(CARD_BY_LABEL[label] for label in raw))


def _read_fruit(raw: Any, violations: Violations, at: str) -> tuple[int, ...] | None:
    if not fully_valid(raw):
        return None
    surplus = sum(raw) - FRUIT_TOKENS
    if surplus > 0:
        detail = f"There are {FRUIT_TOKENS} fruit tokens, not {sum(raw)}: remove {surplus}."
        violations.add(at, "too-much-fruit", detail)
        return None
    return tuple(raw)
