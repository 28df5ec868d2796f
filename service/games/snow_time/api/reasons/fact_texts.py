"""Texts of facts about a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.core.hints import Reason
from service.games.common.display_names import NO_NAMES, DisplayNames
from service.games.common.reason_texts import as_sentence
from service.games.common.spoken_texts import mean_spaces
from service.games.snow_time.api.metadata import card_name
from service.games.snow_time.api.reasons.danger_texts import danger_clause
from service.games.snow_time.api.reasons.dangers import DANGERS
from service.texts.catalogue import text
from service.texts.formatting import join_list, percent

NO_POINTS: Final = 0.005
"""The text does not mention fewer expected points."""


def fact_sentence(
    reason: Reason, language: str, names: DisplayNames = NO_NAMES, *, of_seat: bool
) -> str:
    """Return a fact as a sentence; with numbers as people say them.

    Args:
        reason: the fact.
        language: one of ``LANGUAGES``.
        names: display names, in place of the ids of seats.
        of_seat: whether to name the seat that the fact is about.
    """
    params = reason.params
    if reason.code in DANGERS:
        fact_text = as_sentence(danger_clause(reason, language, names), language)
        return _of_seat(fact_text, params, language, names) if of_seat else fact_text
    words = {name: _WORDS[name](value, language, names) for name, value in params.items()}
    fact_text = text(f"snow-time.fact.{_form(reason)}", language, **words)
    return _of_seat(fact_text, params, language, names) if of_seat else fact_text


def _form(reason: Reason) -> str:
    """Return the last part of the id of a fact's text."""
    if reason.code == "recovers" and "cards" not in reason.params:
        return "recovers-most"
    if reason.code == "fruit" and abs(reason.params["points"]) < NO_POINTS:
        return "fruit-only"
    return reason.code


def _of_seat(fact_text: str, params: Mapping[str, Any], language: str, names: DisplayNames) -> str:
    if "seat" not in params:
        return fact_text
    seat = names.label(params["seat"])
    return text("snow-time.fact-part.of-seat", language, seat=seat, text=fact_text)


def _to_go(spaces: Mapping[str, int], language: str, names: DisplayNames) -> str:
    return join_list((f"{names.label(seat)} {left}" for seat, left in spaces.items()), language)


def _next(bonuses: Mapping[str, Mapping[str, Any]], language: str, _: DisplayNames) -> str:
    part = "snow-time.fact-part.next"
    return "".join(
        text(part, language, **{**bonus, "kind": text(f"snow-time.kind.{bonus['kind']}", language)})
        for bonus in bonuses.values()
    )


def _card(card: str, language: str, _: DisplayNames) -> str:
    return card_name(card, language)


_WORDS: Final[Mapping[str, Callable[[Any, str, DisplayNames], Any]]] = {
    "chance": lambda chance, language, _: percent(chance, language),
    "points": lambda points, language, _: mean_spaces(points, language),
    "seat": lambda seat, _, names: names.label(seat),
    "next": _next,
    "card": _card,
    "cards": lambda cards, language, _: join_list(cards, language),
    "to_go": _to_go,
    "count": lambda count, *_: count,
    **dict.fromkeys(("level", "tokens"), lambda value, *_: str(value)),
}
"""The formatter of each parameter."""
