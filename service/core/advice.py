"""Headlines of hints: what to do, and how clear the case is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.core.rounding import TIE
from service.core.vocabulary import LEAD, POINTS, WIN

ADVICE_CODES: Final = {
    "forced": "There is one legal choice.",
    "decided": "Nobody's choice changes the share of the win. `result`: `won`, `lost`, `equal`.",
    "unlikely": "Lost against the predicted play, but not for certain. `needs`: choices of others "
    "that the asker needs.",
    "clear": "One choice is better than all others, by `margin`. `result`: `won` if it surely "
    "wins.",
    "equal": "`choices` differ by at most `spread`, which is within the tolerance. `result`: `won` "
    "if they surely win.",
    "mixture": "`choices` are played with `chances`, so that the others cannot predict them.",
    "avoid": "Only `mistakes` are bad; all other choices differ by at most `spread`.",
    "uncertain": "The differences between `choices` are smaller than the error of such a "
    "difference, `error`, or a card of the asker's that the question calls unknown may be better.",
    "drawn": "The strategy, the model or the temperature drew a choice that loses `margin` against "
    "the best of `choices`.",
}
"""Codes of headlines and their descriptions."""
FORCED, DECIDED, UNLIKELY, CLEAR, EQUAL, MIXTURE, AVOID, UNCERTAIN, DRAWN = ADVICE_CODES
WON, LOST, LEVEL = "won", "lost", "equal"
"""Results of a decided game."""

TOLERANCES: Final = {WIN: 0.005, POINTS: 0.05, LEAD: 0.05}
"""By objective, the largest difference (win shares or spaces) between equal choices."""
MISTAKES: Final = {WIN: 0.02, POINTS: 0.25, LEAD: 0.25}
"""By objective, choices that lose more are mistakes to avoid."""
MUCH: Final = 5.0
"""A choice is much better if the others are mistakes so many times over."""
MAX_MISTAKES: Final = 2
"""With more mistakes, or without more good choices than this, the headline names good choices
instead."""
MIN_PLAYED: Final = 0.05
"""A mixture consists of choices that are played at least that often."""
HOPELESS: Final = 1e-5
"""A share of the win below this counts as lost against the predicted play."""
UNKNOWN: Final = (0.0, 1.0)
"""Bounds of the share of the win after a choice about which nothing is proven."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a headline says: which choices are good, and how sure that is.

    Attributes:
        code: one of ``ADVICE_CODES``.
        choices: the choices that the headline is about, by index, the best first: the good ones,
            or for ``avoid`` the mistakes.
        margin: best value minus that of the best choice outside of ``choices``; for ``avoid`` the
            best value minus that of the best mistake; 0 if there is no such choice.
        spread: largest difference between the values of the good choices.
        result: ``WON`` if the choices surely win; for ``decided`` also ``LOST`` or ``LEVEL``;
            otherwise empty.
    """

    code: str
    choices: Sequence[int]
    margin: float = 0.0
    spread: float = 0.0
    result: str = ""


def judge(
    values: Sequence[float],
    objective: str,
    *,
    tolerance: float = 0.0,
    error: float = 0.0,
    bounds: Sequence[tuple[float, float]] | None = None,
    probabilities: Sequence[float] | None = None,
    pick: int | None = None,
) -> Verdict:
    """Return which choices a headline recommends, or warns of, and how sure that is.

    Args:
        values: of all legal choices, in the order of recommendation.
        objective: their unit.
        tolerance: of the solution; the larger one of this and ``TOLERANCES`` applies.
        error: of the difference between the best two values.
        bounds: of each choice, the smallest and the largest value over all legal plays of the
            others, or wider bounds; None or empty if nothing is proven. Only they let a verdict
            say that something is sure.
        probabilities: of the choices in a strategy that must not be predictable; None if the best
            choice is played.
        pick: the choice drawn for the player, by index; None if it is the best one.
    """
    tolerance = max(tolerance, TOLERANCES[objective])
    best = max(values)
    if len(values) == 1:
        return Verdict(FORCED, (0,))
    bounds = bounds or [UNKNOWN] * len(values)
    lowest, highest = (sorted(each) for each in zip(*bounds, strict=True))
    if highest[-1] - lowest[0] < TIE:
        result = WON if lowest[0] > 1.0 - TIE else LOST if highest[-1] < TIE else LEVEL
        result = result if objective == WIN else LEVEL
        return Verdict(DECIDED, tuple(range(len(values))), result=result)
    sure = objective == WIN and lowest[-1] > 1.0 - TIE
    winning = [index for index, (least, _) in enumerate(bounds) if sure and least > 1.0 - TIE]
    if winning and (pick is None or pick in winning):
        # A win now is better than a later one, whose value is discounted.
        soonest = max(values[index] for index in winning) - TIE
        return _sure_win(values, [index for index in winning if values[index] > soonest])
    if objective == WIN and best < HOPELESS and not error:
        return Verdict(UNLIKELY, (0,))
    by_value = sorted(range(len(values)), key=lambda index: -values[index])
    near = max(tolerance, error)
    in_order = by_value if probabilities is not None else range(len(values))
    good = [index for index in in_order if values[index] >= best - near - TIE]
    bad = [index for index in by_value if values[index] < best - MISTAKES[objective] - TIE]
    spread = best - min(values[index] for index in good)
    rest = [values[index] for index in by_value if index not in good]
    margin = best - max(rest) if rest else 0.0
    played = [
        index
        for index, chance in enumerate(probabilities or ())
        if (chance >= MIN_PLAYED or index == pick) and best - values[index] <= MISTAKES[objective]
    ]
    if pick is not None and pick not in good and probabilities is None:
        return Verdict(DRAWN, good, best - values[pick], spread)
    if probabilities is not None and pick is not None and pick not in good:
        # The headline must not name another choice than the one that was drawn.
        drawn = sorted({*played, pick}, key=lambda index: -probabilities[index])
        if len(drawn) == 1:
            return Verdict(DRAWN, good, best - values[pick], spread)
        return Verdict(MIXTURE, drawn, margin, best - min(values[index] for index in drawn))
    if error > tolerance and len(good) > 1:
        return Verdict(UNCERTAIN, good, margin, spread)
    if bad and len(good) + len(bad) == len(values) and len(bad) <= MAX_MISTAKES < len(good):
        return Verdict(AVOID, bad, margin, spread)
    if len(played) > 1 and len(good) < len(values):
        assert probabilities is not None
        by_chance = sorted(played, key=lambda index: -probabilities[index])
        return Verdict(MIXTURE, by_chance, margin, best - min(values[index] for index in played))
    if len(good) > 1:
        return Verdict(EQUAL, good, margin, spread)
    return Verdict(CLEAR, good, margin)


def clear_form(margin: float, objective: str) -> str:
    """Return which sentence a clear case has: better, much better or slightly better."""
    if is_slight(margin, objective):
        return f"{CLEAR}-slightly"
    return f"{CLEAR}-much" if margin >= MUCH * MISTAKES[objective] else CLEAR


def is_slight(margin: float, objective: str) -> bool:
    """Return whether a clear choice is only slightly better than the others."""
    return margin < MISTAKES[objective]


def _sure_win(values: Sequence[float], winning: Sequence[int]) -> Verdict:
    """Return that some choices win against every play of the others."""
    margin = max(
        0.0, 1.0 - max(value for index, value in enumerate(values) if index not in winning)
    )
    return Verdict(CLEAR if len(winning) == 1 else EQUAL, winning, margin, result=WON)
