"""What another player may gain in a round: the last space, or many fruit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from service.core.explanation import Consequence
from service.core.rounding import rounded
from service.games.snow_time.api.reasons.outlook import TAKES, WINS
from service.games.snow_time.api.reasons.replies import KNOWN, Case

OFTEN: Final = 0.2
"""A game that is lost less often is no threat."""
FEWEST: Final = 4
"""Fewer fruit are no threat."""
MANY: Final = 2.0
"""So many fruit, times the probability that they are taken, are worth saying."""


def largest_threat(case: Case) -> Consequence | None:
    """Return what another player may gain after the move, if that is much."""
    return min(_threats(case), key=lambda each: each.weight, default=None)


def _threats(case: Case) -> Iterator[Consequence]:
    """Yield threats; the weight is the spaces that they cost, and a game costs all spaces."""
    if case.happens is None or case.happens.known < KNOWN:
        return
    for each, chance in case.happens.chances().items():
        params: dict[str, Any] = {"other": each.other, "chance": rounded(min(1.0, chance))}
        if each.code == WINS and chance >= OFTEN:
            yield Consequence("wins", params, -chance * case.question.position.board.length)
        if each.code == TAKES and each.amount >= FEWEST and chance * each.amount >= MANY:
            params |= {"level": each.number, "count": each.amount}
            yield Consequence("takes", params, -chance * each.amount)
