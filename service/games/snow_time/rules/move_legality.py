"""Moves, dice and weights held against what could be read of their position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.core.hints import Weights
from service.core.violations import pointer
from service.games.common.validation import INVALID, Document, Violations, whole
from service.games.snow_time.rules.legality import ParsedPosition
from service.games.snow_time.rules.rules import dice_rolled, move_violations, recoverable
from service.games.snow_time.rules.state import CARD_BY_LABEL, Card, Move


def check_dice(raw: Any, position: ParsedPosition, violations: Violations, at: str) -> None:
    """As many dice as growth rolls in this position."""
    if position.supply is None or not isinstance(raw, list) or not whole(raw):
        return
    due = dice_rolled(position.supply)
    if len(raw) != due:
        detail = f"{due} dice are rolled with {position.supply} tokens in the supply."
        violations.add(at, "wrong-dice", detail)


def read_moves(
    raw: Any, position: ParsedPosition, violations: Violations, at: str, *, every_seat: bool
) -> dict[str, Move]:
    """Moves by seat, judged by each seat's own hand and discards.

    With ``every_seat`` every seat of the position has to be named.
    """
    moves: dict[str, Move] = {}
    for name, told in (raw or {}).items():
        here = at + pointer(name)
        if position.names_complete and name not in position.seats:
            violations.add(here, "unknown-seat", f"There is no seat {name}.")
        before = len(violations.faults)
        _check_form(told, violations, here)
        well_formed = len(violations.faults) == before
        if not whole(told):
            continue
        move = _move(told)
        seat = position.seats.get(name)
        if seat is not None:
            violations.faults += [fault.under(here) for fault in move_violations(seat, move)]
        if well_formed:
            moves[name] = move
    if every_seat and raw is not INVALID:
        for name in position.seats:
            if name not in (raw or {}):
                detail = f"A move of every seat is due here; {name}'s is missing."
                violations.add(at + pointer(name), "move-missing", detail)
    return moves


def require_complete(
    moves: Mapping[str, Move], position: ParsedPosition, violations: Violations, at: str
) -> None:
    """Names every decision that the moves leave open (``open-decision``)."""
    for name, seat in position.seats.items():
        move = moves.get(name)
        if move is None:
            continue
        here = at + pointer(name)
        if move.awaits_added_card:
            detail = "A watcher adds another card."
            violations.add(here + "/then", "open-decision", detail, "R2")
        elif move.awaits_recovery and seat is not None and len(recoverable(seat)) > 1:
            detail = "It has to be told which champions this healer takes back."
            inner = "/then/recover" if move.then else "/recover"
            violations.add(here + inner, "open-decision", detail, "R4")


def read_weights(
    raw: Any, position: ParsedPosition, player: Any, violations: Violations, at: str
) -> Weights[Move]:
    """Normalised distributions over the card choice of other players' seats.

    An empty one counts as absent.
    """
    weights: dict[str, dict[Move, float]] = {}
    for name, given in (raw or {}).items():
        here = at + pointer(name)
        if position.names_complete and name not in position.seats:
            violations.add(here, "unknown-seat", f"There is no seat {name}.")
        elif player is not INVALID and position.owners.get(name, INVALID) == player:
            violations.add(here, "own-seat", f"{name} is {player}'s own seat.")
        if not given:
            continue
        seat = position.seats.get(name)
        for label in given:
            card = CARD_BY_LABEL.get(label)
            if seat is not None and card is not None and card not in seat.hand:
                detail = f"{name} does not hold the card {label}."
                violations.add(here + pointer(label), "card-not-in-hand", detail)
        if not whole(given):
            continue
        total = sum(given.values())
        if not total:
            violations.add(here, "all-zero-weights", "At least one weight has to be positive.")
            continue
        # Normalised here, before anything is multiplied: the tiniest weights must not vanish.
        weights[name] = {
            Move(CARD_BY_LABEL[card]): weight / total for card, weight in given.items()
        }
    return weights


def _check_form(raw: Any, violations: Violations, at: str) -> None:
    """What belongs to a card: ``then`` to the watcher, ``recover`` to the healer."""
    for part, here in _parts(raw, at):
        card = part["card"]
        if card is INVALID:
            continue
        if part.get("then", INVALID) is not INVALID and card != Card.WATCHER.label:
            detail = "Only a watcher adds another card."
            violations.add(here + "/then", "then-without-watcher", detail, "R2")
        if part.get("recover", INVALID) is not INVALID and card != Card.HEALER.label:
            detail = "Only a healer takes champions back."
            violations.add(here + "/recover", "recover-without-healer", detail, "R4")
        told = part.get("recover") or []
        for index, label in enumerate(told):
            if label is not INVALID and label in told[:index]:
                detail = f"{label} is taken back already."
                violations.add(here + pointer("recover", index), "duplicate-card", detail)


def _parts(raw: Any, at: str) -> Iterator[tuple[Document, str]]:
    if raw:
        yield raw, at
        if raw.get("then"):
            yield raw["then"], at + "/then"


def _move(raw: Mapping[str, Any]) -> Move:
    then, recover = raw.get("then"), raw.get("recover")
    taken = None if recover is None else {CARD_BY_LABEL[label] for label in recover}
    return Move(
        card=CARD_BY_LABEL[raw["card"]],
        then=None if then is None else _move(then),
        recover=None if taken is None else tuple(sorted(taken)),
    )
