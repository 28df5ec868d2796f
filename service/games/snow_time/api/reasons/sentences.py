"""The sentences of reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.core.hints import Reason
from service.games.common.display_names import DisplayNames
from service.games.common.spoken_texts import how_likely
from service.games.snow_time.api.reasons.consequences import CONSEQUENCE_CODES
from service.games.snow_time.api.reasons.replies import CERTAIN
from service.texts.catalogue import text
from service.texts.formatting import join_list

_LIKELY, _REPLY = ("", "-likely"), ("", "-fruit", "-if", "-if-fruit")
_DANGER = ("", "-surely")
FORMS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(CONSEQUENCE_CODES, ("",)),
    **dict.fromkeys(("fruit", "mana", "bonus", "finishes"), _LIKELY),
    **dict.fromkeys(("knocks", "stops"), _REPLY),
    **dict.fromkeys(("struck", "brawl", "buried"), _DANGER),
    "avoids": ("", "-by", "-surely", "-surely-by"),
    "recovers": ("", "-all", "-more"),
    "recovers-fewer": ("", "-these"),
}
"""The sentences of each code: what their ids end with."""


def reason_sentence(
    reason: Reason, language: str, names: DisplayNames, *, of_seat: bool = False
) -> str:
    """Return a reason as a sentence.

    Args:
        reason: with one of ``CONSEQUENCE_CODES``.
        language: one of ``LANGUAGES``.
        names: display names, in place of the ids of seats.
        of_seat: whether to name the own seat that the reason is about.
    """
    words = _words(reason, language, names)
    sentence = text(f"snow-time.consequence.{_form(reason)}", language, **words)
    if of_seat and "seat" in reason.params:
        seat = names.label(reason.params["seat"])
        return text("snow-time.fact-part.of-seat", language, seat=seat, text=sentence)
    return sentence


def _form(reason: Reason) -> str:
    """Return the last part of the id of a reason's text."""
    code, params, forms = reason.code, reason.params, FORMS[reason.code]
    certain = params.get("chance", 1.0) >= CERTAIN
    if code == "recovers":
        return f"{code}-all" if params["all"] else code if "cards" in params else f"{code}-more"
    if code == "recovers-fewer":
        return f"{code}-these" if "cards" in params else code
    if forms is _LIKELY:
        return code if certain else f"{code}-likely"
    if forms is _REPLY:
        code = code if certain else f"{code}-if"
        return f"{code}-fruit" if "count" in params else code
    if "-surely" in forms:
        code = f"{code}-surely" if certain else code
        return f"{code}-by" if "by" in params else code
    return code


def _words(reason: Reason, language: str, names: DisplayNames) -> dict[str, Any]:
    params = reason.params
    words: dict[str, Any] = {
        name: str(params[name]) for name in ("level", "space") if name in params
    }
    if "count" in params:
        words["count"] = params["count"]
    if "hand" in params:
        words["hand"] = str(params["hand"])
    if "chance" in params:
        words["chance"] = how_likely(params["chance"], language)
        words["cases"] = str(min(9, max(1, round(10.0 * params["chance"]))))
    if "cards" in params:
        words["cards"] = join_list(params["cards"], language)
    if "own" in params:
        words["own"] = str(params["own"])
    if "other" in params:
        words["player"] = names.label(params["other"])
        words["card"] = _card(params["card"], language)
        words["theirs"] = _card(params["card"], language, words["player"])
    elif "card" in params:
        words["card"] = _card(params["card"], language)
    if "by" in params:
        words["actor"] = _card(params["by_card"], language, names.label(params["by"]))
    return words


def _card(card: str, language: str, player: str = "") -> str:
    """Return a card as what somebody plays, such as "the 6", or with its player: "Ben's 6"."""
    kind = "champion" if card.isdigit() else card
    if player:
        return text(f"snow-time.played-by.{kind}", language, card=card, player=player)
    return text(f"snow-time.played.{kind}", language, card=card)
