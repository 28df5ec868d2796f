"""The replies that other seats may give to a move, and what they mean for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.core.hints import Hint, MoveValue, Question
from service.core.rounding import rounded
from service.games.snow_time.api.reasons.outlook import BRAWLS, KNOCKS, Happening, Happenings
from service.games.snow_time.rules.state import Card, Move, State

CERTAIN: Final = 0.9
"""What happens with a larger probability decides nothing between two moves."""
SURE: Final = 0.995
"""What happens with a smaller probability is not said as a fact."""
KNOWN: Final = 0.8
"""How often something happens is said only if so much of the others' play is known."""
MORE: Final = 0.2
"""A gain or a fall is so much likelier than with the other move, at least."""

UNLIKELY: Final = 0.15
"""What a less likely reply leads to is not worth saying, and not known well."""
RARE: Final = 0.05
"""What happens less often is called unlikely."""
DECISIVE: Final = 0.75
"""A fall that a reply leads to happens with this probability if it comes, at least."""
HALF: Final = 0.5
"""The own champion fells that of a reply with this probability if it comes, at least."""
MANY: Final = 4
"""So many fruit on a level are much."""
FELLED_BY: Final = {KNOCKS: "knocks", BRAWLS: "stops"}
"""Codes of how an own champion fells another one, by what happens."""


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
    """

    seat: str
    card: Card
    chance: float
    influence: float
    harm: float


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
            found.append(Reply(seat, card, chance, influence, harm))
    champions = min(0.0, case.parts.get("champions", 0.0))
    return found + [
        Reply(seat, move.last.card, 1.0, 0.0, champions)
        for seat, move in case.question.revealed.items()
        if seat not in case.question.decision.choices and seat not in case.row.move
    ]


def felled_by(
    after: Mapping[Happening, float], instead: Mapping[Happening, float], reply: Reply
) -> Happening | None:
    """Return how the move fells the champion of a reply, if it does and the other move not."""
    for each, chance in after.items():
        if (
            each.code in FELLED_BY
            and (each.other, each.number) == (reply.seat, reply.card)
            and chance >= max(HALF, _same(each, instead) + MORE)
        ):
            return each
    return None


def _same(happening: Happening, chances: Mapping[Happening, float]) -> float:
    """Return the probability that an own champion fells the same one, with either move."""
    return sum(
        chance
        for each, chance in chances.items()
        if each.code in FELLED_BY
        and (each.other, each.number) == (happening.other, happening.number)
    )


def against(case: Case, happening: Happening, chance: float) -> dict[str, Any]:
    """Return who is felled by which own champion, how likely, and what fruit it misses."""
    fruit = case.question.position.fruit
    level = happening.number
    params: dict[str, Any] = {
        "seat": happening.own,
        "own": own_card(case.row, case.question, happening.own),
        "other": happening.other,
        "card": str(level),
    }
    if chance < SURE:
        params["chance"] = rounded(chance)
    if level <= len(fruit) and fruit[level - 1]:
        params["count"] = fruit[level - 1]
        params |= finishing(case.question.position, happening.other, fruit[level - 1])
    return params


def is_much(missed: Mapping[str, Any]) -> bool:
    """Return whether a seat misses many fruit, or those that lead to the last space."""
    return "finishes" in missed or bool(missed.get("count", 0) >= MANY)


def finishing(state: State, seat: str, spaces: int) -> dict[str, bool]:
    """Return the parameter of spaces that lead a seat to the last one."""
    return {"finishes": True} if state.seat(seat).score + spaces >= state.board.length else {}


def own_card(row: MoveValue[Move], question: Question[State, Move], seat: str) -> str:
    """Return the label of the champion that a seat sends up the tree with a move."""
    move = row.move.get(seat) or question.revealed[seat]
    return move.last.card.label
