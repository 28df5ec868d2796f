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
    adders = params.get("adders", ())
    for seat in adders:
        chances.setdefault(seat, None)
    others = list(chances.items())[:_NAMED]
    if len(others) == 1:
        form += "-by"
        words["who"] = _single(reason, *others[0], language, names)
    elif others:
        form += "-some"
        players = (
            _one_of_some(names.label(seat), chance, language, adds=seat in adders)
            for seat, chance in others
        )
        words["who"] = join_list(players, language)
    return text(f"snow-time.danger.{form}", language, **words)


def _one_of_some(player: str, chance: float | None, language: str, *, adds: bool) -> str:
    """Return a player, how likely it plays the card, and whether its watcher may add it."""
    words = {"player": player}
    if chance is not None:
        words["likely"] = how_likely(chance, language)
    form = "player" if not adds else "player-adds" if chance is None else "player-or-adds"
    return text(f"snow-time.danger-part.{form}", language, **words)


def _single(
    reason: Reason, seat: str, chance: float | None, language: str, names: DisplayNames
) -> str:
    """Return who plays which card, and how surely."""
    params = reason.params
    form = "blizzard" if reason.code == "buried" else "champion"
    words = {"player": names.label(seat)}
    if reason.code != "buried":
        words["card"] = str(params["level"] + (reason.code == "struck"))
    if chance is None:
        return text(f"snow-time.danger-part.{form}-adds", language, **words)
    words["likely"] = how_likely(chance, language)
    if seat in params.get("adders", ()):
        form += "-or-adds"
    # The chance of the danger itself has been said already.
    elif words["likely"] != how_likely(params["chance"], language):
        form += "-surely" if chance >= ALMOST_SURE else "-perhaps"
    return text(f"snow-time.danger-part.{form}", language, **words)
