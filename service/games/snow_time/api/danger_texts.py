"""Sentences about dangers: how likely a champion falls, who fells it, and how surely."""

from __future__ import annotations

from typing import Any, Final

from service.core.hints import Reason
from service.core.spoken import ALMOST_SURE
from service.games.common.display_names import DisplayNames
from service.games.common.spoken_texts import how_likely
from service.texts.catalogue import text
from service.texts.formatting import join_list

DANGERS: Final = ("struck", "brawl", "buried")
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
    others = [(names.label(seat), chance) for seat, chance in params["others"].items()][:_NAMED]
    if len(others) == 1:
        form += "-by"
        words["who"] = _single(reason, *others[0], language)
    elif others:
        form += "-some"
        part = "snow-time.danger-part.player"
        players = (
            text(part, language, player=player, likely=how_likely(chance, language))
            for player, chance in others
        )
        words["who"] = join_list(players, language)
    return text(f"snow-time.danger.{form}", language, **words)


def _single(reason: Reason, player: str, chance: float, language: str) -> str:
    """Return who plays which card, and how surely."""
    form = "blizzard" if reason.code == "buried" else "champion"
    words = {"player": player}
    likely = how_likely(chance, language)
    # The chance of the danger itself has been said already.
    if likely != how_likely(reason.params["chance"], language):
        form += "-surely" if chance >= ALMOST_SURE else "-perhaps"
        words["likely"] = likely
    if reason.code != "buried":
        words["card"] = str(reason.params["level"] + (reason.code == "struck"))
    return text(f"snow-time.danger-part.{form}", language, **words)
