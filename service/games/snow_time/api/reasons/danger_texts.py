"""Sentences about dangers: how likely a champion falls, who fells it, and how surely."""

from __future__ import annotations

from typing import Any, Final

from service.core.hints import Reason
from service.core.spoken import ALMOST_SURE
from service.games.common.display_names import DisplayNames
from service.games.common.spoken_texts import how_likely
from service.texts.catalogue import text
from service.texts.formatting import join_list

_NAMED: Final = 3
"""At most so many players are named."""


def danger_clause(reason: Reason, language: str, names: DisplayNames) -> str:
    """Return a danger without a capital letter and full stop.

    Args:
        reason: with one of the codes of ``DANGERS``.
        language: one of ``LANGUAGES``.
        names: display names, in place of the ids of seats.
    """
    params = reason.params
    form = reason.code
    words: dict[str, Any] = {
        "chance": how_likely(params["chance"], language),
        "level": str(params["level"]),
    }
    chances: dict[str, float | None] = {**params["others"]}
    for seat in params.get("adders", ()):
        chances.setdefault(seat, None)
    others = list(chances.items())[:_NAMED]
    if len(others) == 1:
        form += "-by"
        words["who"] = _single(reason, *others[0], language, names)
    elif others:
        form += "-some"
        words["names"] = join_list((names.label(seat) for seat, _ in others), language, "or")
        words["card"] = _card(reason)
    return text(f"snow-time.danger.{form}", language, **words)


def _card(reason: Reason) -> str:
    """Return the number of the champion that fells the player's."""
    return str(reason.params["level"] + (reason.code == "struck"))


def _single(
    reason: Reason, seat: str, chance: float | None, language: str, names: DisplayNames
) -> str:
    """Return who plays which card, and how surely."""
    params = reason.params
    form = "blizzard" if reason.code == "buried" else "champion"
    words = {"player": names.label(seat)}
    if reason.code != "buried":
        words["card"] = _card(reason)
    if chance is None:
        return text(f"snow-time.danger-part.{form}-adds", language, **words)
    words["likely"] = how_likely(chance, language)
    if seat in params.get("adders", ()):
        form += "-or-adds"
    # The chance of the danger itself has been said already.
    elif words["likely"] != how_likely(params["chance"], language):
        form += "-surely" if chance >= ALMOST_SURE else "-perhaps"
    return text(f"snow-time.danger-part.{form}", language, **words)
