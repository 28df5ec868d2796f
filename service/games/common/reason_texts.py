"""Sentences of arguments, in the same form in all games: "But 2 fewer cards (−3%)."."""

from __future__ import annotations

from service.core.spoken import spoken_percent
from service.texts.catalogue import text
from service.texts.formatting import whole_percent


def with_impact(clause: str, share: float, language: str, error: float = 0.0) -> str:
    """Return a clause with what it gains (+) or costs (−) in per cent.

    Without it if that is less than the error, or 0% in whole per cent.

    Args:
        clause: the clause.
        share: part of a difference between shares of the win.
        language: one of ``LANGUAGES``.
        error: of the difference.
    """
    impact = spoken_percent(share, error)
    # A size just below the step to which it is rounded is said as that step.
    lost = abs(share) < max(error, impact.amount / 200.0) if impact.below else not impact.amount
    if lost:
        return clause
    signed = "+" if share > 0.0 else "\N{MINUS SIGN}"
    percent = signed + whole_percent(round(impact.amount), language)
    return text("reason.impact", language, text=clause, impact=percent)


def as_sentence(clause: str, language: str, name: str = "", *, is_exception: bool = False) -> str:
    """Return a clause with a capital letter and a full stop.

    Args:
        clause: the clause.
        language: one of ``LANGUAGES``.
        name: a name or id at the beginning, which keeps its first letter.
        is_exception: whether the clause is a cost that follows a gain.
    """
    if is_exception:
        clause = text("reason.but", language, text=clause)
    if is_exception or not (name and clause.startswith(name)):
        clause = clause[0].upper() + clause[1:]
    return text("reason.sentence", language, text=clause)
