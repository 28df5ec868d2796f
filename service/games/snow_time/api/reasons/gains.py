"""What a move gains on the board: fruit, mana, a bonus, the finish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from service.core.explanation import Consequence
from service.core.hints import MoveValue
from service.core.rounding import rounded
from service.games.snow_time.api.reasons.outlook import (
    BONUS,
    FINISHES,
    FRUIT,
    KNOCKS,
    MANA,
    SWEEPS,
    Happening,
    Happenings,
)
from service.games.snow_time.api.reasons.replies import (
    CERTAIN,
    DECISIVE,
    KNOWN,
    MORE,
    Case,
    Reply,
    against,
    felled_by,
    finishing,
)
from service.games.snow_time.rules.state import Card, Move

_GAINS: Final = {FRUIT: "fruit", MANA: "mana", BONUS: "bonus", FINISHES: "end"}
"""Gains, and the part of a value to which they belong."""

_CODES: Final = {FINISHES: "finishes", BONUS: "bonus"}
POSSIBLE: Final = 0.25
"""A smaller probability of a gain is not worth saying."""
MANY: Final = 1.0
"""Unless so many fruit are expected: many lie there."""
LANDING: Final = 0.2
"""A smaller probability of a bonus or of the last space is not worth saying."""


def comparative_gains(case: Case) -> Iterator[Consequence]:
    """Yield what the move gains with a large probability, or leaves to others."""
    own, instead = (
        _gains(case, row, happens)
        for row, happens in ((case.row, case.happens), (case.other, case.instead))
    )
    for code, part in _GAINS.items():
        value, chance = case.parts.get(part, 0.0), _chance_in(own, code)
        other = _chance_in(instead, code)
        if value > 0.0 and chance >= max(POSSIBLE, other + MORE):
            yield _as_said(own, code, value)
        elif (
            code == FRUIT and value < 0.0 and other >= chance + MORE
            and _contested(case, instead[code]["level"])
        ):  # fmt: skip
            yield Consequence("leaves-fruit", instead[code], value)
    yield from _sweeps(case)


def _contested(case: Case, level: int) -> bool:
    """Return whether another player can play the champion of a level."""
    own = case.question.player
    return any(
        Card(level) in seat.hand for seat in case.question.position.seats if seat.player != own
    )


def _sweeps(case: Case) -> Iterator[Consequence]:
    """Yield how many champions of others the blizzard sweeps away, if that is likely."""
    chances = {} if case.happens is None else case.happens.chances()
    swept = max(
        (each for each in chances if each.code == SWEEPS),
        key=lambda each: (chances[each], each),
        default=None,
    )
    if swept is None or not swept.amount or chances[swept] < DECISIVE:
        return
    finishes = finishing(case.question.position, swept.own, swept.amount)
    chance = rounded(min(1.0, chances[swept]))
    params = {"seat": swept.own, "count": swept.amount, "chance": chance} | finishes
    value = case.parts.get("fight", 0.0) + (case.parts.get("end", 0.0) if finishes else 0.0)
    yield Consequence("sweeps", params, value)


def _chance_in(gains: Mapping[str, Mapping[str, Any]], code: str) -> float:
    return float(gains[code]["chance"]) if code in gains else 0.0


def _as_said(gains: Mapping[str, Mapping[str, Any]], code: str, weight: float) -> Consequence:
    """Return a gain; fruit and the mana point are one if they come as often, and of one reason
    the larger gain is said.
    """
    if code in (FRUIT, MANA) and FRUIT in gains and MANA in gains:
        fruit, mana = gains[FRUIT], gains[MANA]
        together = round(10.0 * fruit["chance"]) == round(10.0 * mana["chance"])
        if together and "finishes" not in fruit and "finishes" not in mana:
            return Consequence(FRUIT, {**fruit, "mana": True}, weight)
        if code == MANA and fruit["chance"] * fruit["count"] > mana["chance"]:
            return Consequence(FRUIT, fruit, weight)
    return Consequence(code, gains[code], weight)


def _gains(
    case: Case, row: MoveValue[Move], happens: Happenings | None
) -> dict[str, dict[str, Any]]:
    """Return the gains of a move whose probability is exact or almost 1, by code."""
    gains: dict[str, dict[str, Any]] = {}
    known = happens is not None and happens.known >= CERTAIN
    for each, chance in happens.chances().items() if happens and known else ():
        if each.code in _GAINS and chance >= CERTAIN:
            gains[each.code] = _gain_of(case, each, chance)
    if len(case.question.position.seats_of(case.question.player)) > 1:
        return gains
    # The points of one seat have been computed over all plays.
    [(seat, move)] = row.move.items()
    level, fruit = move.champion or 0, case.question.position.fruit
    if 0 < level <= len(fruit) and fruit[level - 1]:
        chance, tokens = row.measures[FRUIT] / fruit[level - 1], fruit[level - 1]
        gains[FRUIT] = _gain_of(case, Happening(FRUIT, seat, number=level, amount=tokens), chance)
    if level:
        gains[MANA] = _gain_of(case, Happening(MANA, seat, number=level), row.measures[MANA])
    return gains


def plain_gains(case: Case, replies: Sequence[Reply], least: float) -> Iterator[Consequence]:
    """Yield what the move does, even if the other move does it as often.

    Args:
        case: the moves.
        replies: to the move.
        least: the least weight that matters.
    """
    gains = _gains(case, case.row, case.happens)
    yield from _landings(case, least)
    chance = _chance_in(gains, FRUIT)
    if chance >= POSSIBLE or (chance and chance * gains[FRUIT]["count"] >= MANY):
        yield _as_said(gains, FRUIT, 1.2 * least)
    for reply in sorted(replies, key=lambda each: -each.chance):
        happens = case.happens.chances(reply.seat, reply.card) if case.happens else {}
        felled = felled_by(happens, {}, reply)
        # Where both fall, nobody gains unless the comparison says so.
        if felled is not None and felled.code == KNOCKS and reply.chance >= POSSIBLE:
            yield Consequence("knocks", against(case, felled, reply), 1.1 * least)
            break
    if _chance_in(gains, MANA) >= POSSIBLE:
        yield _as_said(gains, MANA, least)
    for seat, move in case.row.move.items():
        if move.awaits_added_card:
            yield Consequence("watches", {"seat": seat}, least, rank=1)
        if move.last.card is Card.BLIZZARD:
            yield Consequence("storms", {"seat": seat}, least, rank=1)


def _landings(case: Case, least: float) -> Iterator[Consequence]:
    """Yield how often the move leads to the last space or to a bonus."""
    if case.happens is None or case.happens.known < KNOWN:
        return
    for each, chance in case.happens.chances().items():
        if each.code in (FINISHES, BONUS) and chance >= LANDING:
            weight = 1.4 if each.code == FINISHES else 1.15
            yield Consequence(_CODES[each.code], _gain_of(case, each, chance), weight * least)


def _gain_of(case: Case, gain: Happening, chance: float) -> dict[str, Any]:
    params: dict[str, Any] = {"seat": gain.own, "chance": rounded(min(1.0, chance))}
    if gain.code == FRUIT:
        params |= {"level": gain.number, "count": gain.amount}
        params |= finishing(case.question.position, gain.own, gain.amount)
    if gain.code == MANA:
        params |= finishing(case.question.position, gain.own, 1)
    if gain.code == BONUS:
        params["space"] = gain.number
    return params
