"""Nudges: what the hint will name, without a card or a number."""

from __future__ import annotations

from typing import Final

from service.core.advice import DECIDED, FORCED
from service.core.hints import Hint, Question
from service.games.common.rounds.hint_schema import NO_DIFFERENCE
from service.games.snow_time.api.reasons.consequences import Reasons
from service.games.snow_time.rules.state import SINGLE_USE, Move, State
from service.texts.catalogue import text

NUDGE_OF: Final = {
    "fruit": "fruit",
    "mana": "mana",
    "bonus": "bonus",
    "finishes": "end",
    "storms": "fight",
    "knocks": "fight",
    "stops": "fight",
    "avoids": "returns",
    "recovers": "recovers",
    "keeps": "keeps",
}
"""What a nudge is about, by the consequence that the hint names."""
NUDGES: Final = (
    *dict.fromkeys(NUDGE_OF.values()),
    "recovers-which",
    *(NO_DIFFERENCE, FORCED, DECIDED),
)
"""Nudge codes: what the hint will name, or why it names nothing."""


def nudge_codes(question: Question[State, Move], hint: Hint[Move]) -> list[str]:
    """Return what the reasons for the pick are about, the most important first."""
    if hint.verdict.code in (FORCED, DECIDED):
        return [hint.verdict.code]
    reasons = Reasons(question, hint).of(hint.moves[hint.pick_index])
    spends = any(card in move.cards for move in hint.pick.values() for card in SINGLE_USE)
    codes = dict.fromkeys(
        NUDGE_OF[each.code]
        for each in reasons
        # "Keep your special cards" would deny a pick that plays one of two.
        if each.code in NUDGE_OF and not (each.code == "keeps" and spends)
    )
    if question.decision.name == "healer":
        codes = {"recovers-which" if code == "recovers" else code: None for code in codes}
    return list(codes) or [NO_DIFFERENCE]


def nudge_sentence(code: str, language: str) -> str:
    """Return the text of a nudge."""
    return text(f"snow-time.nudge.{code}", language)
