"""Headlines of hints in games of rounds: what to do, and how clear the case is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

from service.core.advice import (
    ADVICE_CODES,
    AVOID,
    CLEAR,
    DECIDED,
    DRAWN,
    EQUAL,
    MIXTURE,
    UNCERTAIN,
    UNLIKELY,
    Verdict,
    clear_form,
)
from service.core.game import Choice
from service.core.hints import Hint, MoveValue, Position, Question
from service.core.rounding import TIE, rounded
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.texts.catalogue import text
from service.texts.formatting import join_list

HEADLINE_CODES: Final = {code: ADVICE_CODES[code] for code in ADVICE_CODES if code != UNCERTAIN}
"""Codes of headlines; nothing is sampled in these games."""

MAX_NAMED: Final = 2
"""The sentence names at most so many other moves."""
MANY: Final = ("mixture-many", "mixture-close-many", "equal-many", "same-many", "equal-won-many")
"""Sentences that name none of the other moves."""


class MoveWords(Protocol):
    """How a game names moves; a move has the choice of each of the player's actors."""

    def card(self, choice: Any) -> str:
        """Return the card that a choice reveals, as in JSON."""

    def instruction(
        self, decision: str, move: Mapping[str, Any], language: str, names: DisplayNames
    ) -> str:
        """Return what to do at a decision, such as "Play the 6"."""

    def label(
        self, decision: str, move: Mapping[str, Any], language: str, names: DisplayNames
    ) -> str:
        """Return a move in a list, such as "6"."""

    def in_sentence(
        self, form: str, decision: str, move: Mapping[str, Any], language: str, names: DisplayNames
    ) -> str:
        """Return a move in the sentence of a headline, such as "the 6"."""


def advice(
    question: Question[Position, Choice],
    hint: Hint[Choice],
    words: MoveWords,
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the headline: code, parameters and sentence."""
    return {
        "code": hint.verdict.code,
        "params": _params(hint, words),
        "text": _sentence(question, hint, words, language, names),
    }


def _params(hint: Hint[Choice], words: MoveWords) -> Document:
    verdict = hint.verdict
    moves = list(verdict.choices)
    numbers = {"margin": rounded(verdict.margin), "spread": rounded(verdict.spread)}
    shown: Mapping[str, Sequence[str]] = {CLEAR: ["margin"], EQUAL: ["spread"]}
    params: Document = {name: numbers[name] for name in shown.get(verdict.code, ())}
    if verdict.code == AVOID:
        return numbers | {"mistakes": moves}
    if verdict.result:
        params["result"] = verdict.result
    if verdict.code == UNLIKELY:
        return {"needs": {actor: words.card(own) for actor, own in hint.needed.items()}}
    if verdict.code == DECIDED:
        return params
    if verdict.code == DRAWN:
        params["margin"] = numbers["margin"]
    if verdict.code == MIXTURE:
        params["chances"] = [hint.moves[index].probability for index in verdict.choices]
    return params | {"choices": moves}


def _sentence(
    question: Question[Position, Choice],
    hint: Hint[Choice],
    words: MoveWords,
    language: str,
    names: DisplayNames,
) -> str:
    verdict, decision = hint.verdict, question.decision.name
    do = words.instruction(decision, hint.pick, language, names)
    if verdict.code == DECIDED:
        return text(f"rounds.advice.decided-{verdict.result}", language, do=do)
    if verdict.code == UNLIKELY:
        needed = [
            text("rounds.advice-part.needed", language, seat=names.label(actor), move=label)
            for actor, own in hint.needed.items()
            for label in [words.label(decision, {actor: own}, language, names)]
        ]
        form = "unlikely" if needed else "unlikely-open"
        return text(f"rounds.advice.{form}", language, do=do, needed=join_list(needed, language))
    rows = [hint.moves[index] for index in verdict.choices]
    named = [row for row in rows if row.move != hint.pick]
    if verdict.code == DRAWN:
        named = named[:1]  # The best one; a player wants no list of what was not drawn.
    named = sorted(named[:MAX_NAMED], key=partial(_deck_order, question)) + named[MAX_NAMED:]
    form, to_avoid = _form(verdict, question.objective), verdict.code == AVOID
    labels = [
        words.in_sentence(form, decision, row.move, language, names) for row in named[:MAX_NAMED]
    ]
    if len(named) > MAX_NAMED and f"{form}-many" in MANY:
        form = f"{form}-many"
    return text(
        f"rounds.advice.{form}",
        language,
        do=do,
        move=words.label(decision, hint.pick, language, names),
        number=str(len(named) + 1),
        choices=join_list(labels, language, "standard" if to_avoid else "or"),
    )


def _deck_order(question: Question[Position, Choice], row: MoveValue[Choice]) -> list[int]:
    choices = question.decision.choices
    return [list(choices[actor]).index(move) for actor, move in row.move.items()]


def _form(verdict: Verdict, objective: str) -> str:
    """Return which sentence of its code a verdict has."""
    if verdict.result:
        return f"{verdict.code}-won"
    if verdict.code == CLEAR:
        return clear_form(verdict.margin, objective)
    if verdict.code == EQUAL and verdict.spread <= TIE:
        return "same"
    if verdict.code == MIXTURE and verdict.spread > TIE:
        return "mixture-close"
    return verdict.code
