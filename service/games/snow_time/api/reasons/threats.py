"""What another player can gain in a round: the last space, or many fruit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.core.explanation import Consequence
from service.core.rounding import rounded
from service.games.snow_time.api.reasons.outlook import TAKES, WINS, Happening
from service.games.snow_time.api.reasons.replies import (
    KNOWN,
    RARE,
    UNLIKELY,
    Case,
    Reply,
    finishing,
    is_much,
)
from service.games.snow_time.rules.state import Card


def largest_threat(case: Case, replies: Sequence[Reply]) -> Consequence | None:
    """Return what another player can gain after the move, if that is much."""
    threats = [*_wins(case)]
    threats += [each for each in _fruit(case, replies) if not _prevented(case, each)]
    return min(threats, key=_order, default=None)


def _wins(case: Case) -> Iterator[Consequence]:
    """Yield who reaches the last space; a game costs all spaces."""
    for each, chance in _chances(case).items():
        if each.code == WINS and chance >= RARE:
            params = {"other": each.other, "chance": rounded(min(1.0, chance))}
            yield Consequence("wins", params, -chance * case.question.position.board.length)


def _order(threat: Consequence) -> tuple[float, str, int]:
    """Return the key for the largest threat; the order of the seats must not decide."""
    return threat.weight, threat.params["other"], threat.params.get("level", 0)


def storms(case: Case, replies: Sequence[Reply], least: float) -> Iterator[Consequence]:
    """Yield what an own blizzard does, with the largest threat that it ends."""
    for seat, move in case.row.move.items():
        if move.last.card is Card.BLIZZARD:
            threats = [*_one_point_away(case), *_fruit(case, replies)]
            ended = min(threats, key=_order, default=None)
            if ended is None:
                yield Consequence("storms", {"seat": seat}, least, rank=1)
            else:
                params = {name: ended.params[name] for name in ended.params if name != "chance"}
                yield Consequence("storms", {"seat": seat, **params}, 1.35 * least)


def _one_point_away(case: Case) -> Iterator[Consequence]:
    """Yield the other seats that any point leads to the last space."""
    state = case.question.position
    for seat in state.seats:
        if seat.player != case.question.player and seat.score + 1 == state.board.length:
            params = {"other": seat.name, "finishes": True}
            yield Consequence("wins", params, -state.board.length)


def _prevented(case: Case, threat: Consequence) -> bool:
    """Return whether the move itself prevents that fruit is taken: its champion, its blizzard."""
    level = threat.params["level"]
    return bool(
        {move.last.card for move in case.row.move.values()} & {level, level + 1, Card.BLIZZARD}
    )


def _fruit(case: Case, replies: Sequence[Reply]) -> Iterator[Consequence]:
    """Yield the cards that can take many fruit, or enough to win; the weight is in spaces."""
    state, chances = case.question.position, _chances(case)
    for reply in replies:
        level = int(reply.card)
        if reply.chance < UNLIKELY or level > len(state.fruit):
            continue
        count = state.fruit[level - 1]
        # The lowest champion gains a mana point as well.
        finishes = finishing(state, reply.seat, count + (level == 1))
        params: dict[str, Any] = {"other": reply.seat, "level": level, "count": count, **finishes}
        if not count or not is_much(params):
            continue
        if chances:
            taken = Happening(TAKES, "", reply.seat, level, count)
            if taken not in chances:
                continue
            params["chance"] = rounded(min(1.0, chances[taken]))
        yield Consequence(
            "takes", params, -reply.chance * (state.board.length if finishes else count)
        )


def _chances(case: Case) -> dict[Happening, float]:
    if case.happens is None or case.happens.known < KNOWN:
        return {}
    return case.happens.chances()
