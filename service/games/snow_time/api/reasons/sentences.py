"""The sentences of reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.core.hints import Reason
from service.games.common.display_names import DisplayNames
from service.games.common.reason_texts import as_exception, within_sentence
from service.games.common.spoken_texts import how_likely
from service.games.snow_time.api.reasons.consequences import CONSEQUENCE_CODES, COSTS
from service.games.snow_time.api.reasons.replies import SURE
from service.texts.catalogue import text
from service.texts.formatting import join_list

_LIKELY = ("", "-likely")
_FINISH = ("", "-finish", "-likely", "-finish-likely")
_REPLY = ("", "-fruit", "-finish", "-if", "-if-fruit", "-if-finish")
_DANGER = ("", "-surely")
FORMS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(CONSEQUENCE_CODES, ("",)),
    **dict.fromkeys(("bonus", "finishes", "wins", "takes"), _LIKELY),
    **dict.fromkeys(("mana", "sweeps"), _FINISH),
    "fruit": (*_FINISH, "-mana", "-mana-likely"),
    **dict.fromkeys(("knocks", "stops"), _REPLY),
    **dict.fromkeys(("struck", "brawl", "buried"), _DANGER),
    "avoids": ("", "-both", "-by", "-surely", "-surely-both", "-surely-by"),
    "recovers": ("-all", "-hand", "-more"),
    "recovers-fewer": ("", "-these"),
}
"""The sentences of each code: what their ids end with."""


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
    certain = params.get("chance", 1.0) >= SURE
    if code == "recovers":
        hand = "all" if "cards" in params else "hand"
        return f"{code}-{hand if params['all'] else 'more'}"
    if code == "recovers-fewer":
        return f"{code}-these" if "cards" in params else code
    if "-likely" in forms:
        code = f"{code}-finish" if "finishes" in params else code
        code = f"{code}-mana" if "mana" in params else code
        return code if params.get("chance", 1.0) >= SURE else f"{code}-likely"
    if forms is _REPLY:
        code = code if certain else f"{code}-if"
        fruit = "finish" if "finishes" in params else "fruit"
        return f"{code}-{fruit}" if "count" in params else code
    if "-surely" in forms:
        code = f"{code}-surely" if certain else code
        if reason.code != "avoids":
            return code
        both = params["own"] == params["card"]
        return f"{code}-by" if "by" in params else f"{code}-both" if both else code
    return code


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
        often = _often(params["chance"], language)
        threat = reason.code in ("wins", "takes")
        words["often"] = within_sentence(often, language) if threat else often
    if "cards" in params:
        words["cards"] = join_list(params["cards"], language)
        taken = (_card(card, language) for card in params["cards"])
        words["taken"] = join_list(taken, language)
    if "own" in params:
        words["own"] = str(params["own"])
    if "other" in params:
        words["player"] = names.label(params["other"])
    if "other" in params and "card" in params:
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


def _often(chance: float, language: str) -> str:
    """Return a probability as a number of ten cases, such as "In 6 of 10 cases"."""
    cases = min(9, max(1, round(10.0 * chance)))
    form = "half" if cases == 5 else "cases"
    return text(f"snow-time.often.{form}", language, cases=str(cases))
