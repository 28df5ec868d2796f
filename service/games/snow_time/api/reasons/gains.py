"""What a move gains on the board: fruit, mana, a bonus, the finish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    MOSTLY,
    Happening,
    Happenings,
)
from service.games.snow_time.api.reasons.replies import (
    CERTAIN,
    FELLED_BY,
    KNOWN,
    MORE,
    UNLIKELY,
    Case,
    against,
    finishing,
)
from service.games.snow_time.rules.state import Card, Move, State

_GAINS: Final = {FRUIT: "fruit", MANA: "mana", BONUS: "bonus", FINISHES: "end"}
"""Gains, and the part of a value to which they belong."""

POSSIBLE: Final = 0.25
"""A smaller probability of a gain is not worth saying."""
SEEN: Final = 0.05
"""Unless it is the fruit on the level of the own champion, which everybody sees."""
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
            yield _as_said(case.question.position, own, code, value)
        elif (
            code == FRUIT and value < 0.0 and other >= chance + MORE
            and instead[code]["count"] > 1 and _contested(case, instead[code]["level"])
        ):  # fmt: skip
            yield Consequence("leaves-fruit", instead[code], value)


def _contested(case: Case, level: int) -> bool:
    """Return whether another player can play the champion of a level."""
    own = case.question.player
    return any(
        Card(level) in seat.hand for seat in case.question.position.seats if seat.player != own
    )


def _chance_in(gains: Mapping[str, Mapping[str, Any]], code: str) -> float:
    return float(gains[code]["chance"]) if code in gains else 0.0


def _as_said(
    state: State, gains: Mapping[str, Mapping[str, Any]], code: str, weight: float
) -> Consequence:
    """Return a gain; fruit, the mana point and a bonus are one if they come together.

    Of fruit and the mana point, the larger gain is said.
    """
    fruit, mana = (gains.get(each, {}) for each in (FRUIT, MANA))
    # A champion that is the lowest one has taken its fruit.
    together = bool(fruit and mana) and _tens(fruit) == _tens(mana)
    together = together and "finishes" not in fruit and "finishes" not in mana
    if code == BONUS:
        code = FRUIT if "space" in fruit else MANA if "space" in mana else BONUS
    if code == MANA and fruit and (together or _expected(fruit) > mana["chance"]):
        code = FRUIT
    params = dict(gains[code])
    if code == FRUIT and together:
        params["mana"] = True
        params |= finishing(state, params["seat"], params["count"] + 1)
    if "finishes" in params:
        params.pop("space", None)
    return Consequence(code, params, weight)


def _tens(gain: Mapping[str, Any]) -> int:
    return round(10.0 * float(gain["chance"]))


def _expected(fruit: Mapping[str, Any]) -> float:
    return float(fruit["chance"] * fruit["count"])


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
    found = []
    if 0 < level <= len(fruit) and fruit[level - 1]:
        gain = Happening(FRUIT, seat, number=level, amount=fruit[level - 1])
        found.append((gain, row.measures[FRUIT] / fruit[level - 1]))
    if level:
        found.append((Happening(MANA, seat, number=level, amount=1), row.measures[MANA]))
    for gain, chance in found:
        gains[gain.code] = _gain_of(case, gain, chance)
        space = _bonus_after(happens, gain)
        if space is not None:
            gains[gain.code]["space"] = space
    landing = _landing(happens)
    if landing is not None and happens is not None:
        gains[BONUS] = _gain_of(case, landing, happens.chances()[landing])
    return gains


def _bonus_after(happens: Happenings | None, gain: Happening) -> int | None:
    """Return the space of the bonus that mostly comes with a gain, if there is one."""
    chances = happens.chances() if happens is not None else {}
    if happens is None or gain not in chances:
        return None
    for each in chances:
        if (each.code, each.own) == (BONUS, gain.own) and happens.share({each}, gain) >= MOSTLY:
            return each.number
    return None


def _landing(happens: Happenings | None) -> Happening | None:
    """Return the likeliest bonus."""
    if happens is None or happens.known < KNOWN:
        return None
    chances = happens.chances()
    bonuses = [each for each in chances if each.code == BONUS]
    return max(bonuses, key=lambda each: (chances[each], each), default=None)


def plain_gains(case: Case, least: float) -> Iterator[Consequence]:
    """Yield what the move does, even if the other move does it as often.

    Args:
        case: the moves.
        least: the least weight that matters.
    """
    state, gains = case.question.position, _gains(case, case.row, case.happens)
    yield from _landings(case, gains, least)
    chance = _chance_in(gains, FRUIT)
    if chance >= SEEN:
        yield _as_said(state, gains, FRUIT, 1.2 * least)
    felled = max(_felled(case), key=_missed, default=None)
    if felled is not None:
        missed, code, params = felled
        more = bool(missed > (_expected(gains[FRUIT]) if chance else 0.0))
        yield Consequence(code, params, (1.3 if more else 1.1) * least)
    if _chance_in(gains, MANA) >= POSSIBLE:
        yield _as_said(state, gains, MANA, least)
    for seat, move in case.row.move.items():
        if move.awaits_added_card:
            yield Consequence("watches", {"seat": seat}, least, rank=1)


def _missed(felled: tuple[float, str, dict[str, Any]]) -> tuple[float, str, str]:
    """Return the key for the largest loss; the order of the seats must not decide."""
    missed, _, params = felled
    return missed, params["other"], params["card"]


def _felled(case: Case) -> Iterator[tuple[float, str, dict[str, Any]]]:
    """Yield the fruit that a champion misses on average because the move fells it, and how."""
    if case.happens is None or case.happens.known < KNOWN:
        return
    for each, chance in case.happens.chances().items():
        if each.code not in FELLED_BY or chance < UNLIKELY:
            continue
        params = against(case, each, chance)
        # That both fall is no gain by itself.
        if each.code == KNOCKS or params.get("count", 0) > 1 or "finishes" in params:
            yield chance * params.get("count", 0.1), FELLED_BY[each.code], params


def _landings(
    case: Case, gains: Mapping[str, Mapping[str, Any]], least: float
) -> Iterator[Consequence]:
    """Yield how often the move leads to the last space or to a bonus."""
    if _chance_in(gains, BONUS) >= LANDING:
        more = FRUIT not in gains or gains[BONUS]["chance"] >= _expected(gains[FRUIT])
        yield _as_said(case.question.position, gains, BONUS, (1.25 if more else 1.15) * least)
    if case.happens is None or case.happens.known < KNOWN:
        return
    for each, chance in case.happens.chances().items():
        if each.code == FINISHES and chance >= LANDING:
            yield Consequence("finishes", _gain_of(case, each, chance), 1.4 * least)


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
