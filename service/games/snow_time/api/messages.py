"""Texts of reasons and nudges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.core.hints import Reason
from service.games.common.display_names import NO_NAMES, DisplayNames
from service.games.snow_time.api.metadata import card_name
from service.texts.catalogue import text
from service.texts.formatting import decimal, join_list, percent


def sentence(
    reason: Reason, language: str, names: DisplayNames = NO_NAMES, *, of_seat: bool
) -> str:
    """Return a reason as a sentence; percentages and decimals are rounded parameters.

    Args:
        reason: the reason.
        language: one of ``LANGUAGES``.
        names: display names, in place of the ids of seats.
        of_seat: whether to name the seat that the reason is about.
    """
    params = reason.params
    words = {name: _WORDS[name](value, language, names) for name, value in params.items()}
    if reason.code == "recovers":
        most = text("snow-time.reason-part.up-to", language, count=params["count"])
        words["taken"] = words.get("cards") or most
        words.pop("count")
    reason_text = text(f"snow-time.reason.{reason.code}", language, **words)
    if of_seat and "seat" in params:
        part = "snow-time.reason-part.of-seat"
        reason_text = text(part, language, seat=words["seat"], text=reason_text)
    return reason_text


def nudge(code: str, language: str) -> str:
    """Return the text of a nudge, which names no number and no card."""
    return text(f"snow-time.nudge.{code}", language)


def _others(chances: Mapping[str, float], language: str, names: DisplayNames) -> str:
    if not chances:
        return ""
    pairs = (f"{names.label(seat)} {percent(chance, language)}" for seat, chance in chances.items())
    return text("snow-time.reason-part.others", language, others=join_list(pairs, language))


def _to_go(spaces: Mapping[str, int], language: str, names: DisplayNames) -> str:
    return join_list((f"{names.label(seat)} {left}" for seat, left in spaces.items()), language)


def _next(bonuses: Mapping[str, Mapping[str, Any]], language: str, _: DisplayNames) -> str:
    part = "snow-time.reason-part.next"
    return "".join(
        text(part, language, **{**bonus, "kind": text(f"snow-time.kind.{bonus['kind']}", language)})
        for bonus in bonuses.values()
    )


def _card(card: str, language: str, _: DisplayNames) -> str:
    return card_name(card, language)


_WORDS: Final[Mapping[str, Callable[[Any, str, DisplayNames], str]]] = {
    "chance": lambda chance, language, _: percent(chance, language),
    "points": lambda points, language, _: decimal(points, language),
    "seat": lambda seat, _, names: names.label(seat),
    "others": _others,
    "next": _next,
    "card": _card,
    "cards": lambda cards, language, _: join_list(cards, language),
    "to_go": _to_go,
    **dict.fromkeys(("level", "tokens", "count"), lambda value, *_: str(value)),
}
"""The formatter of each parameter."""
