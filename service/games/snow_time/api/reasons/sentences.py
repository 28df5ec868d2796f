"""The sentences of reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.core.hints import Reason
from service.games.common.display_names import DisplayNames
from service.games.common.reason_texts import as_exception
from service.games.common.spoken_texts import how_likely
from service.games.snow_time.api.reasons.consequences import CONSEQUENCE_CODES, COSTS
from service.games.snow_time.api.reasons.replies import RARE, SURE
from service.texts.catalogue import text
from service.texts.formatting import join_list, whole_percent

FORMS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(CONSEQUENCE_CODES, ("",)),
    "mana": ("", "-finish", "-bonus"),
    "fruit": ("", "-finish", "-mana", "-bonus", "-mana-bonus"),
    **dict.fromkeys(("knocks", "stops"), ("", "-fruit", "-finish")),
    "storms": ("", "-fruit", "-finish"),
    "takes": ("", "-finish"),
    **dict.fromkeys(("struck", "brawl", "buried"), ("", "-surely")),
    "avoids": ("", "-both", "-by", "-surely", "-surely-both", "-surely-by"),
    "recovers": ("-all", "-some", "-hand", "-more"),
    "recovers-fewer": ("", "-these"),
}
"""The sentences of each code: what their ids end with."""
LIKELY: Final = ("fruit", "mana", "bonus", "finishes", "knocks", "stops", "wins", "takes")
"""Codes whose sentences end with how likely that is, in tens of per cent."""


def reason_sentences(
    reasons: Sequence[Reason], language: str, names: DisplayNames, *, of_seat: bool = False
) -> list[str]:
    """Return the reasons for or against one move as sentences.

    Args:
        reasons: with codes of ``CONSEQUENCE_CODES``.
        language: one of ``LANGUAGES``.
        names: display names, in place of the ids of seats.
        of_seat: whether to name the own seat that a reason is about.
    """
    sentences = []
    for place, reason in enumerate(reasons):
        words = _words(reason, language, names)
        sentence = text(f"snow-time.consequence.{_form(reason)}", language, **words)
        if reason.code in LIKELY and _likely(reason):
            chance = _in_tens(reason.params["chance"], language)
            sentence = text("snow-time.likely", language, text=sentence[:-1], chance=chance)
        if place and reason.code in COSTS:
            sentence = as_exception(sentence, language)
        if of_seat and "seat" in reason.params:
            seat = names.label(reason.params["seat"])
            sentence = text("snow-time.of-seat", language, seat=seat, text=sentence)
        sentences.append(sentence)
    return sentences


def _form(reason: Reason) -> str:
    """Return the last part of the id of a reason's text."""
    code, params, forms = reason.code, reason.params, FORMS[reason.code]
    if code == "recovers":
        if "cards" in params:
            return f"{code}-all" if params["all"] else f"{code}-some"
        return f"{code}-hand" if params["all"] else f"{code}-more"
    if code == "recovers-fewer":
        return f"{code}-these" if "cards" in params else code
    parts = (("mana", "-mana"), ("space", "-bonus"), ("count", "-fruit"))
    form = "".join(
        part for name, part in parts if name in params and any(part in each for each in forms)
    )
    form = "-finish" if "finishes" in params and "-finish" in forms else form
    if form:
        return f"{code}{form}"
    if "-surely" in forms:
        code = code if _likely(reason) else f"{code}-surely"
    if reason.code == "avoids":
        both = params["own"] == params["card"]
        return f"{code}-by" if "by" in params else f"{code}-both" if both else code
    return code


def _likely(reason: Reason) -> bool:
    """Return whether something is likely, but not certain."""
    return bool(reason.params.get("chance", 1.0) < SURE)


def _words(reason: Reason, language: str, names: DisplayNames) -> dict[str, Any]:
    params = reason.params
    words: dict[str, Any] = {
        name: str(params[name]) for name in ("level", "space") if name in params
    }
    if "count" in params:
        words["count"] = params["count"]
    if "discarded" in params:
        words["discarded"] = str(params["discarded"])
    if "chance" in params:
        words["chance"] = how_likely(params["chance"], language)
    if "cards" in params:
        words["cards"] = join_list(params["cards"], language)
    if "own" in params:
        words["own"] = str(params["own"])
    if "other" in params:
        words["player"] = names.label(params["other"])
    if "other" in params and "card" in params:
        words["card"] = _card(params["card"], language)
        words["theirs"] = _card(params["card"], language, words["player"])
    elif "card" in params:
        words["card"] = _card(params["card"], language)
    if reason.code == "takes":
        words["theirs"] = _card(str(params["level"]), language, words["player"])
    if "by" in params:
        words["actor"] = _card(params["by_card"], language, names.label(params["by"]))
    return words


def _card(card: str, language: str, player: str = "") -> str:
    """Return a card as what somebody plays, such as "the 6", or with its player: "Ben's 6"."""
    kind = "champion" if card.isdigit() else card
    if player:
        return text(f"snow-time.played-by.{kind}", language, card=card, player=player)
    return text(f"snow-time.played.{kind}", language, card=card)


def _in_tens(chance: float, language: str) -> str:
    """Return a probability in tens of per cent; it is not known better."""
    if chance < RARE:
        return text("snow-time.unlikely", language)
    return whole_percent(10 * min(9, max(1, round(10.0 * chance))), language)
