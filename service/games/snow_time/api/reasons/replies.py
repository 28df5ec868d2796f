"""The replies that other seats may give to a move, and what they mean for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from service.core.hints import Hint, MoveValue, Question
from service.core.rounding import TIE
from service.games.snow_time.api.reasons.outlook import Happenings
from service.games.snow_time.rules.state import Card, Move, State

CERTAIN: Final = 0.9
"""A larger probability is said as certain."""


class Case(NamedTuple):
    """A move and the one it is compared with."""

    question: Question[State, Move]
    hint: Hint[Move]
    row: MoveValue[Move]
    other: MoveValue[Move]
    parts: Mapping[str, float]
    happens: Happenings | None
    instead: Happenings | None


class Reply(NamedTuple):
    """A card that another seat may play.

    Attributes:
        chance: its probability.
        influence: what it contributes to the difference between the two moves, beyond its share.
        harm: what it costs the move.
        best: whether the move is the best one against it.
    """

    seat: str
    card: Card
    chance: float
    influence: float
    harm: float
    best: bool


def replies_of(case: Case) -> list[Reply]:
    """Return the replies of all other seats."""
    hint, found = case.hint, list[Reply]()
    row, other = hint.moves.index(case.row), hint.moves.index(case.other)
    difference = case.row.value - case.other.value
    for player, replies in hint.replies.items():
        by_card: dict[tuple[str, Card], list[tuple[float, Sequence[float]]]] = {}
        for (move, chance), values in zip(hint.strategies[player], replies, strict=True):
            for seat, own in move.items():
                by_card.setdefault((seat, own.last.card), []).append((chance, values))
        for (seat, card), weighted in by_card.items():
            chance = sum(each for each, _ in weighted)
            means = [
                sum(each * values[place] for each, values in weighted) / chance
                for place in range(len(hint.moves))
            ]
            influence = chance * (means[row] - means[other] - difference)
            harm = chance * (means[row] - case.row.value)
            best = means[row] >= max(means) - TIE
            found.append(Reply(seat, card, chance, influence, harm, best))
    champions = min(0.0, case.parts.get("champions", 0.0))
    return found + [
        Reply(seat, move.last.card, 1.0, 0.0, champions, best=False)
        for seat, move in case.question.revealed.items()
        if seat not in case.question.decision.choices and seat not in case.row.move
    ]
