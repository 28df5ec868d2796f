"""How likely the champion of a move falls, and who plays the card for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from service.core.hints import Hint, MoveValue, Question, Reason
from service.core.rounding import rounded
from service.games.snow_time.rules.state import Card, Move, Seat, State

DANGERS: Final = {"brawl": "brawled", "struck": "struck", "buried": "buried"}
"""Codes of dangers, and the names of their measures."""


def chance_of(row: MoveValue[Move], fate: str, seat: str) -> float:
    """Return how likely the champion of a seat has a fate, if it is played."""
    played = row.measures[f"played:{seat}"]
    return rounded(row.measures[f"{fate}:{seat}"] / played) if played else 0.0


def dangers_of(
    question: Question[State, Move],
    hint: Hint[Move],
    row: MoveValue[Move],
    seat: str,
    champion: Card,
) -> Iterator[Reason]:
    """Yield how the champion of a seat may fall; dangers without a chance are left out."""
    level = int(champion)
    cards = {
        "brawl": champion,
        "struck": Card(level + 1) if level < Card.SEVEN else None,
        "buried": Card.BLIZZARD,
    }
    for code, fate in DANGERS.items():
        chance, card = chance_of(row, fate, seat), cards[code]
        if not chance:
            continue
        params: dict[str, Any] = {"seat": seat, "level": level, "chance": chance, "others": {}}
        if card is not None:
            moves = list(_moves_of_others(question, hint, row, seat))
            params["others"] = _likeliest(moves, card)
            if adders := [other.name for other, own in moves if _may_add(other, own, card)]:
                params["adders"] = sorted(adders)
        yield Reason(code, params)


_Moves = Sequence[tuple[Move, float]]


def _moves_of_others(
    question: Question[State, Move], hint: Hint[Move], row: MoveValue[Move], but: str
) -> Iterator[tuple[Seat, _Moves]]:
    """Yield each other seat with the moves that it may make, and their probabilities."""
    for seat in question.position.seats:
        if seat.name == but:
            continue
        if seat.name in row.move:
            yield seat, [(row.move[seat.name], 1.0)]
        elif seat.name in question.decision.choices:
            mixture = hint.strategies[seat.player]
            yield seat, [(move[seat.name], chance) for move, chance in mixture if chance > 0.0]
        elif seat.name in question.revealed:
            yield seat, [(question.revealed[seat.name], 1.0)]


def _likeliest(moves: Sequence[tuple[Seat, _Moves]], card: Card) -> dict[str, float]:
    """Return how often each seat plays a card at this decision, the likeliest first.

    Seats that never play it are left out.
    """
    chances = {
        seat.name: sum(chance for move, chance in own if move.last.card is card)
        for seat, own in moves
    }
    positive = ((rounded(chance), name) for name, chance in chances.items() if chance > 0.0)
    return {name: chance for chance, name in sorted(positive, key=lambda pair: (-pair[0], pair[1]))}


def _may_add(seat: Seat, moves: _Moves, card: Card) -> bool:
    """Return whether the watcher of a seat may add a card after this decision."""
    return card in seat.hand and any(move.awaits_added_card for move, _ in moves)
