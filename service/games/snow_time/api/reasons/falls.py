"""How an own champion falls: with the move, or only with the other one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from service.core.explanation import Consequence
from service.core.rounding import rounded
from service.games.snow_time.api.reasons.outlook import (
    BONUS,
    BRAWLS,
    BURIED,
    FALLS,
    FINISHES,
    MOSTLY,
    STRUCK,
    Happening,
    Happenings,
)
from service.games.snow_time.api.reasons.replies import (
    CERTAIN,
    DECISIVE,
    MORE,
    UNLIKELY,
    Case,
    Reply,
    own_card,
)
from service.games.snow_time.rules.state import Card

DANGERS: Final = {STRUCK: "struck", BRAWLS: "brawl", BURIED: "buried"}
RISKIER: Final = 0.1


def is_riskier(case: Case, own: str) -> bool:
    """Return whether the champion of a seat falls clearly more often with the other move."""
    assert case.happens is not None, "see `_replies`"
    assert case.instead is not None, "see `_replies`"
    return _falls(case.instead.chances(), own) >= _falls(case.happens.chances(), own) + RISKIER


def avoided_fall(
    after: Mapping[Happening, float],
    instead: Mapping[Happening, float],
    before: Mapping[Happening, float],
    reply: Reply,
) -> Happening | None:
    """Return how the champion of the other move falls after a reply, if that decides it.

    Args:
        after, instead: what happens after the reply, with the move and with the other one.
        before: what happens with the other one in general.
        reply: of another player.
    """
    for each, chance in instead.items():
        if each.code in FALLS and chance >= max(DECISIVE, _falls(after, each.own) + MORE):
            often = _falls(before, each.own)
            if reply.chance >= CERTAIN or _falls(instead, each.own) >= often + MORE:
                return each
    return None


def _falls(chances: Mapping[Happening, float], own: str) -> float:
    """Return the probability that the champion of an own seat falls."""
    return sum(chance for each, chance in chances.items() if each.code in FALLS and each.own == own)


def avoided(case: Case, fall: Happening, reply: Reply) -> dict[str, Any]:
    """Return the parameters of a reason: a fall of an own champion that the pick avoids."""
    params: dict[str, Any] = {
        "seat": fall.own,
        "own": own_card(case.other, case.question, fall.own),
        "other": reply.seat,
        "card": reply.card.label,
        "chance": rounded(min(1.0, reply.chance)),
    }
    if fall.other != reply.seat:
        params |= {"by": fall.other, "by_card": Card(fall.number).label}
    return params


def dangers_of(case: Case, replies: Sequence[Reply]) -> Iterator[Consequence]:
    """Yield the replies that let the champion of the move fall.

    A brawl whose fight point leads to a bonus or to the last space is no danger.
    """
    if case.happens is None:
        return
    for reply in replies:
        if reply.chance < UNLIKELY:
            continue
        after = case.happens.chances(reply.seat, reply.card)
        for each, chance in after.items():
            if (
                each.code in FALLS
                and (each.other, each.number) == (reply.seat, reply.card)
                and chance >= DECISIVE
                and not (each.code == BRAWLS and _pays(case.happens, each))
            ):
                params = {
                    "seat": each.own,
                    "own": own_card(case.row, case.question, each.own),
                    "other": each.other,
                    "card": reply.card.label,
                    "chance": rounded(min(1.0, reply.chance)),
                }
                yield Consequence(DANGERS[each.code], params, min(0.0, reply.harm))


def _pays(happens: Happenings, fall: Happening) -> bool:
    """Return whether a bonus or the last space mostly comes with a fall."""
    paid = {
        each
        for each in happens.chances()
        if each.code in (BONUS, FINISHES) and each.own == fall.own
    }
    return happens.share(paid, fall) >= MOSTLY
