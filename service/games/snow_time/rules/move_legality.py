"""Check moves, dice and weights against a parsed position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from service.core.hints import Weights
from service.core.violations import counted, pointer
from service.games.common.fields import Document
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.snow_time.rules.legality import ParsedPosition
from service.games.snow_time.rules.rules import (
    dice_rolled,
    move_violations,
    not_in_hand,
    recoverable,
)
from service.games.snow_time.rules.state import CARD_BY_LABEL, Card, Move, Seat

EXAMPLE_MOVE: Final = '{"card": "healer", "recover": []}'
"""In messages; the healer is in every hand."""


def check_dice(raw: Any, position: ParsedPosition, violations: Violations, at: str) -> None:
    """Report a wrong number of dice (``wrong-dice``): the supply decides how many are rolled."""
    if position.supply is None or not isinstance(raw, list) or not fully_valid(raw):
        return
    expected = dice_rolled(position.supply)
    if len(raw) != expected:
        dice, tokens = counted(expected, "die", "dice"), counted(position.supply, "token")
        detail = f"Expected {dice}: the supply has {tokens}."
        violations.add(at, "wrong-dice", detail)


def read_moves(
    raw: Any, position: ParsedPosition, violations: Violations, at: str, *, every_seat: bool
) -> dict[str, Move]:
    """Parse moves by seat and check each against the seat's hand and discards.

    If ``every_seat`` is true, every seat of the position must have a move.
    """
    moves: dict[str, Move] = {}
    for name, document in (raw or {}).items():
        here = at + pointer(name)
        if position.names_complete and name not in position.seats:
            violations.unknown(here, "unknown-seat", "seat", name, position.seats)
        before = len(violations)
        _check_form(document, violations, here)
        well_formed = len(violations) == before
        if not fully_valid(document):
            continue
        move = _parse_move(document)
        seat = position.seats.get(name)
        if seat is not None:
            found = move_violations(seat, move, position.track)
            violations += [violation.under(here) for violation in found]
        if well_formed:
            moves[name] = move
    if every_seat and raw is not INVALID:
        for name in position.seats:
            if name not in (raw or {}):
                detail = f"Add the move of seat {name}, for example {EXAMPLE_MOVE}."
                violations.add(at + pointer(name), "move-missing", detail)
    return moves


def require_complete(
    moves: Mapping[str, Move], position: ParsedPosition, violations: Violations, at: str
) -> None:
    """Add a violation for every decision that the moves leave open (``open-decision``)."""
    for name, seat in position.seats.items():
        move = moves.get(name)
        if move is None:
            continue
        here = at + pointer(name)
        if move.awaits_added_card:
            added = "5" if seat is None else _added_card(seat)
            optional = position.track is not None and position.track.optional_watcher
            or_none = ', or {"card": "none"}' if optional else ""
            detail = (
                "`then` is required: the card that the watcher adds, for example "
                f'{{"card": "{added}"}}{or_none}.'
            )
            violations.add(here + "/then", "open-decision", detail, "R2")
        elif move.awaits_recovery and seat is not None and len(recoverable(seat)) > 1:
            taken = ", ".join(f'"{card.label}"' for card in recoverable(seat)[-1])
            detail = (
                "`recover` is required: the champions that the healer takes back, for example "
                f"[{taken}], or [] for none."
            )
            inner = "/then/recover" if move.then else "/recover"
            violations.add(here + inner, "open-decision", detail, "R4")


def _added_card(seat: Seat) -> str:
    return next(card.label for card in seat.hand if card is not Card.WATCHER)


def read_weights(
    raw: Any, position: ParsedPosition, player: Any, violations: Violations, at: str
) -> Weights[Move]:
    """Parse distributions over the card choice of other players' seats and normalise them.

    An empty distribution counts as absent.
    """
    weights: dict[str, dict[Move, float]] = {}
    for name, given in (raw or {}).items():
        here = at + pointer(name)
        if position.names_complete and name not in position.seats:
            violations.unknown(here, "unknown-seat", "seat", name, position.seats)
        elif player is not INVALID and position.owners.get(name, INVALID) == player:
            detail = f"Remove {name}, a seat of {player}: weights describe the other players."
            violations.add(here, "own-seat", detail)
        if not given:
            continue
        seat = position.seats.get(name)
        for label in given:
            card = CARD_BY_LABEL.get(label)
            if seat is not None and card is not None and card not in seat.hand:
                violations.append(not_in_hand(seat, card, here + pointer(label)))
        if not fully_valid(given):
            continue
        total = sum(given.values())
        if not total:
            violations.add(
                here,
                "all-zero-weights",
                "Give at least one card a positive weight, or remove the seat.",
            )
            continue
        # Normalise before any multiplication so that tiny weights do not underflow.
        weights[name] = {
            Move(CARD_BY_LABEL[card]): weight / total for card, weight in given.items()
        }
    return weights


def _check_form(raw: Any, violations: Violations, at: str) -> None:
    """Check that only a watcher has ``then`` and only a healer has ``recover``."""
    for part, here in _parts(raw, at):
        card = part["card"]
        if card is INVALID:
            continue
        if part.get("then", INVALID) is not INVALID and card != Card.WATCHER.label:
            detail = "Only a watcher can add another card. Remove `then`, or play the watcher."
            violations.add(here + "/then", "then-without-watcher", detail, "R2")
        if part.get("recover", INVALID) is not INVALID and card != Card.HEALER.label:
            detail = "Only a healer can take back champions. Remove `recover`."
            violations.add(here + "/recover", "recover-without-healer", detail, "R4")
        recovered = part.get("recover") or []
        for index, label in enumerate(recovered):
            if label is not INVALID and label in recovered[:index]:
                detail = f"The card {label} is listed more than once; list it once."
                violations.add(here + pointer("recover", index), "duplicate-card", detail)


def _parts(raw: Any, at: str) -> Iterator[tuple[Document, str]]:
    if raw:
        yield raw, at
        if raw.get("then"):
            yield raw["then"], at + "/then"


def _parse_move(raw: Mapping[str, Any]) -> Move:
    then, recover = raw.get("then"), raw.get("recover")
    card = Card.NONE if raw["card"] == Card.NONE.label else CARD_BY_LABEL[raw["card"]]
    taken = None if recover is None else {CARD_BY_LABEL[label] for label in recover}
    return Move(
        card=card,
        then=None if then is None else _parse_move(then),
        recover=None if taken is None else tuple(sorted(taken)),
    )
