"""The one door from raw documents to positions and moves; it reports every fault together.

Raw values have passed the schema, which left a hole where the shape was wrong.  A part with a
hole in it is passed over in silence, since its fault is known already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from service.core.faults import GAME_OVER, Fault, pointer
from service.games.reading import HOLE, Document
from service.games.snow_time.rules import dice_rolled, move_faults, recoverable, winners
from service.games.snow_time.state import (
    CARD_BY_LABEL,
    DECK,
    FRUIT_LEVELS,
    FRUIT_TOKENS,
    KIND_BY_LABEL,
    Bonus,
    Card,
    Move,
    Seat,
    State,
    Track,
    house_track,
)


@dataclass(slots=True)
class Findings:
    """The faults found so far in one body."""

    faults: list[Fault] = field(default_factory=list)

    def add(self, path: str, code: str, detail: str, rule: str | None = None) -> None:
        self.faults.append(Fault(path, code, detail, rule))


def whole(raw: Any) -> bool:
    """Whether there is no hole anywhere in the value."""
    if isinstance(raw, dict):
        return all(whole(inner) for inner in raw.values())
    if isinstance(raw, list):
        return all(whole(inner) for inner in raw)
    return raw is not HOLE


# Positions ------------------------------------------------------------------------------------


def read_state(raw: Any, findings: Findings, *, over: bool = False) -> State | None:
    """A legal position, or None with its faults in ``findings`` under ``/state``.

    Without ``over`` a finished game is a fault too (``game-over``).
    """
    if raw is HOLE:
        return None
    before = len(findings.faults)
    track = read_track(raw.get("track"), findings, "/state/track")
    _judge_seating(raw["seats"], findings, "/state/seats")
    _judge_seats(raw["seats"], track, findings)
    _judge_fruit(raw["fruit"], findings)
    if len(findings.faults) > before or not whole(raw):
        return None
    state = State(
        seats=tuple(_seat(seat) for seat in raw["seats"]),
        fruit=tuple(raw["fruit"]),
        track=None if "track" not in raw else track,
    )
    if winners(state) and not over:
        findings.add("/state", GAME_OVER, "The game is over: a seat stands on the last space.")
        return None
    return state


def new_state(raw: Document, findings: Findings) -> State | None:
    """The position at the start of a game: full hands, no fruit, all markers on space 0."""
    before = len(findings.faults)
    track = read_track(raw.get("track"), findings, "/track")
    _judge_seating(raw["seats"], findings, "/seats")
    if len(findings.faults) > before or not whole(raw):
        return None
    seats = tuple(_seat(seat | {"score": 0, "hand": ()}) for seat in raw["seats"])
    return State(
        seats=tuple(Seat(seat.name, seat.player, 0, DECK) for seat in seats),
        fruit=(0,) * FRUIT_LEVELS,
        track=None if "track" not in raw else track,
    )


def read_track(raw: Any, findings: Findings, at: str) -> Track | None:
    """The track that holds, the house track if none is given (R1); None if it is faulty."""
    if raw is None:
        return house_track()
    if raw is HOLE:
        return None
    before = len(findings.faults)
    length, bonuses = raw["length"], raw["bonuses"] or ()
    seen: set[int] = set()
    for index, bonus in enumerate(bonuses):
        space = bonus and bonus["space"]
        if not space:
            continue
        here = at + pointer("bonuses", index, "space")
        if length is not HOLE and space >= length:
            detail = f"Bonus spaces lie on 1 to {length - 1}, before the last space."
            findings.add(here, "bonus-off-track", detail, "R1")
        if space in seen:
            findings.add(here, "duplicate-bonus", f"Space {space} has a bonus already.", "R1")
        seen.add(space)
    if len(findings.faults) > before or not whole(raw):
        return None
    read = (
        Bonus(bonus["space"], KIND_BY_LABEL[bonus["kind"]], bonus["advance"]) for bonus in bonuses
    )
    return Track(length, tuple(sorted(read)))


def _judge_seating(raw: Any, findings: Findings, at: str) -> None:
    """Three to five players with one seat each, or two with two each."""
    names: set[str] = set()
    owners: list[Any] = []
    for index, seat in enumerate(raw or ()):
        name = HOLE if seat is HOLE else seat["seat"]
        if name is not HOLE and name in names:
            findings.add(
                at + pointer(index, "seat"), "duplicate-seat", f"There is a seat {name} already."
            )
        names |= {name} if name else set()
        owners.append(HOLE if seat is HOLE else seat.get("player", name))
    if raw is HOLE or HOLE in owners:
        return
    sizes = sorted(owners.count(player) for player in set(owners))
    if sizes != [2, 2] and (set(sizes) != {1} or not 3 <= len(sizes) <= 5):
        detail = "Three to five players have one seat each, two players have two seats each."
        findings.add(at, "wrong-seating", detail)


def _judge_seats(raw: Any, track: Track | None, findings: Findings) -> None:
    for index, seat in enumerate(raw or ()):
        if seat is HOLE:
            continue
        at = pointer("state", "seats", index)
        if track is not None and seat["score"] is not HOLE and seat["score"] > track.length:
            detail = f"The track ends at space {track.length}."
            findings.add(at + "/score", "score-off-track", detail, "R9")
        _judge_hand(seat["hand"], findings, at + "/hand")


def _judge_hand(raw: Any, findings: Findings, at: str) -> None:
    if raw is HOLE:
        return
    for index, label in enumerate(raw):
        if label is not HOLE and label in raw[:index]:
            detail = f"The hand holds {label} already; each colour has one."
            findings.add(at + pointer(index), "duplicate-card", detail)
    if HOLE not in raw and Card.HEALER.label not in raw:
        detail = "The healer is never discarded, so it is in every hand."
        findings.add(at, "healer-missing", detail)


def _judge_fruit(raw: Any, findings: Findings) -> None:
    if whole(raw) and sum(raw) > FRUIT_TOKENS:
        detail = f"There are {FRUIT_TOKENS} fruit tokens, not {sum(raw)}."
        findings.add("/state/fruit", "too-much-fruit", detail)


def _seat(raw: Mapping[str, Any]) -> Seat:
    hand = tuple(sorted(CARD_BY_LABEL[label] for label in raw["hand"]))
    return Seat(raw["seat"], raw.get("player", raw["seat"]), raw["score"], hand)


# Dice -----------------------------------------------------------------------------------------


def judge_dice(raw: Any, state: State | None, findings: Findings) -> None:
    """As many dice as growth rolls in this position."""
    if state is None or not isinstance(raw, list) or not whole(raw):
        return
    due = dice_rolled(state)
    if len(raw) != due:
        detail = f"{due} dice are rolled with {state.supply} tokens in the supply, not {len(raw)}."
        findings.add("/dice", "wrong-dice", detail)


# Moves ----------------------------------------------------------------------------------------


def read_moves(
    raw: Any, state: State | None, findings: Findings, at: str, *, everybody: bool
) -> dict[str, Move]:
    """Moves by seat, judged by each seat's own hand and discards.

    With ``everybody`` every seat of the position has to be named.
    """
    moves: dict[str, Move] = {}
    for name, told in (raw or {}).items():
        here = at + pointer(name)
        if state is not None and all(name != seat.name for seat in state.seats):
            findings.add(here, "unknown-seat", f"There is no seat {name}.")
            continue
        before = len(findings.faults)
        _judge_form(told, findings, here)
        if len(findings.faults) > before or not whole(told):
            continue
        move = _move(told)
        if state is not None:
            faults = [fault.under(here) for fault in move_faults(state.seat(name), move)]
            findings.faults += faults
        moves[name] = move
    if everybody and state is not None and raw is not HOLE:
        for seat in state.seats:
            if seat.name not in (raw or {}):
                detail = f"A move of every seat is due here; {seat.name}'s is missing."
                findings.add(at + pointer(seat.name), "move-missing", detail)
    return moves


def require_complete(moves: Mapping[str, Move], state: State, findings: Findings, at: str) -> None:
    """Names every decision that the moves leave open (``open-decision``)."""
    for seat in state.seats:
        move = moves.get(seat.name)
        if move is None:
            continue
        here = at + pointer(seat.name)
        if move.awaits_added_card:
            detail = "A watcher adds another card."
            findings.add(here + "/then", "open-decision", detail, "R2")
        elif move.awaits_recovery and len(recoverable(seat)) > 1:
            detail = "It has to be told which champions this healer takes back."
            inner = "/then/recover" if move.then else "/recover"
            findings.add(here + inner, "open-decision", detail, "R4")


def _judge_form(raw: Any, findings: Findings, at: str) -> None:
    """What belongs to a card: ``then`` to the watcher, ``recover`` to the healer."""
    for part, here in _parts(raw, at):
        card = part["card"]
        if card is HOLE:
            continue
        if part.get("then", HOLE) is not HOLE and card != Card.WATCHER.label:
            detail = "Only a watcher adds another card."
            findings.add(here + "/then", "then-without-watcher", detail, "R2")
        if part.get("recover", HOLE) is not HOLE and card != Card.HEALER.label:
            detail = "Only a healer takes champions back."
            findings.add(here + "/recover", "recover-without-healer", detail, "R4")
        told = part.get("recover") or []
        for index, label in enumerate(told):
            if label is not HOLE and label in told[:index]:
                detail = f"{label} is taken back already."
                findings.add(here + pointer("recover", index), "duplicate-card", detail)


def _parts(raw: Any, at: str) -> Iterator[tuple[Document, str]]:
    if raw:
        yield raw, at
        if raw.get("then"):
            yield raw["then"], at + "/then"


def _move(raw: Mapping[str, Any]) -> Move:
    then, recover = raw.get("then"), raw.get("recover")
    return Move(
        card=CARD_BY_LABEL[raw["card"]],
        then=None if then is None else _move(then),
        recover=None
        if recover is None
        else tuple(sorted(CARD_BY_LABEL[label] for label in recover)),
    )
