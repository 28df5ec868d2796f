"""Headlines of hints: what to do, how clear the case is, and in which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

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
from service.core.hints import Hint, MoveValue, Question
from service.core.languages import DEFAULT_LANGUAGE
from service.core.rounding import TIE, rounded
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.snow_time.api.metadata import card_name
from service.games.snow_time.rules.state import Card, Move, State
from service.texts.catalogue import text
from service.texts.formatting import join_list

HEADLINE_CODES: Final = {code: ADVICE_CODES[code] for code in ADVICE_CODES if code != UNCERTAIN}
"""Codes of headlines; nothing is sampled in this game."""

MAX_NAMED: Final = 2
"""The sentence names at most so many other moves."""
MANY: Final = ("mixture-many", "equal-many", "same-many", "equal-won-many")
"""Sentences that name none of the other moves."""


def advice(
    question: Question[State, Move], hint: Hint[Move], language: str, names: DisplayNames
) -> Document:
    """Return the headline: code, parameters and sentence."""
    verdict = hint.verdict
    return {
        "code": verdict.code,
        "params": _params(hint, verdict),
        "text": _sentence(question, hint, language, names),
    }


def _params(hint: Hint[Move], verdict: Verdict) -> Document:
    moves = list(verdict.choices)
    numbers = {"margin": rounded(verdict.margin), "spread": rounded(verdict.spread)}
    shown: Mapping[str, Sequence[str]] = {CLEAR: ["margin"], EQUAL: ["spread"]}
    params: Document = {name: numbers[name] for name in shown.get(verdict.code, ())}
    if verdict.code == AVOID:
        return numbers | {"mistakes": moves}
    if verdict.result:
        params["result"] = verdict.result
    if verdict.code == UNLIKELY:
        return {"needs": {actor: own.card.label for actor, own in hint.needed.items()}}
    if verdict.code == DECIDED:
        return params
    if verdict.code == DRAWN:
        params["margin"] = numbers["margin"]
    if verdict.code == MIXTURE:
        params["chances"] = [hint.moves[index].probability for index in verdict.choices]
    return params | {"choices": moves}


def _sentence(
    question: Question[State, Move], hint: Hint[Move], language: str, names: DisplayNames
) -> str:
    verdict = hint.verdict
    if verdict.code == DECIDED:
        do = _instruction(question.decision.name, hint.pick, language, names)
        return text(f"snow-time.advice.decided-{verdict.result}", language, do=do)
    if verdict.code == UNLIKELY:
        do = _instruction(question.decision.name, hint.pick, language, names)
        needed = [
            text("snow-time.advice-part.needed", language, seat=names.label(seat), move=label)
            for seat, own in hint.needed.items()
            for label in [_label(own, language)]
        ]
        form = "unlikely" if needed else "unlikely-open"
        needed_by_all = join_list(needed, language)
        return text(f"snow-time.advice.{form}", language, do=do, needed=needed_by_all)
    label = partial(choice_label, question.decision.name, language=language, names=names)
    rows = [hint.moves[index] for index in verdict.choices]
    named = [row for row in rows if row.move != hint.pick]
    if verdict.code == DRAWN:
        named = named[:1]  # The best one; a player wants no list of what was not drawn.
    named = sorted(named[:MAX_NAMED], key=partial(_deck_order, question)) + named[MAX_NAMED:]
    form, to_avoid = _form(verdict, question.objective), verdict.code == AVOID
    # Elsewhere, some sentences only list the names of cards.
    with_articles = language == DEFAULT_LANGUAGE or to_avoid or form in (DRAWN, "equal-won")
    labels = [
        (with_articles and _object(question, row.move, language)) or label(row.move)
        for row in named[:MAX_NAMED]
    ]
    if len(named) > MAX_NAMED and f"{form}-many" in MANY:
        form = f"{form}-many"
    return text(
        f"snow-time.advice.{form}",
        language,
        do=_instruction(question.decision.name, hint.pick, language, names),
        move=label(hint.pick),
        choices=join_list(labels, language, "standard" if to_avoid else "or"),
    )


def _deck_order(question: Question[State, Move], row: MoveValue[Move]) -> list[int]:
    choices = question.decision.choices
    return [list(choices[seat]).index(move) for seat, move in row.move.items()]


def _object(question: Question[State, Move], move: Mapping[str, Move], language: str) -> str:
    """Return a choice as an object with its article, such as "the 6"; empty if it has none."""
    if len(move) > 1 or question.decision.name == "healer":
        return ""
    [own] = move.values()
    return played(own.last, language)


def played(move: Move, language: str) -> str:
    """Return a card as what somebody plays, such as "the 6"; empty if more is to be said."""
    if move.recover is not None:
        return ""
    kind = "champion" if move.card.is_champion else move.card.label
    return text(f"snow-time.played.{kind}", language, card=move.card.label)


def _instruction(
    decision: str, move: Mapping[str, Move], language: str, names: DisplayNames
) -> str:
    """Return what to do at a decision, such as "Play the 6" or "Take back 2 and 5"."""
    label = move_label(move, language, names)
    if len(move) == 1:
        [own] = move.values()
        if decision == "healer":
            label = join_list((card.label for card in own.last.recover or ()), language)
            if not label:
                return text("snow-time.advice-part.do-nothing", language)
        else:
            label = played(own.last, language) or label
    return text(f"snow-time.advice-part.do-{decision}", language, move=label)


def _form(verdict: Verdict, objective: str) -> str:
    """Return which sentence of its code a verdict has."""
    if verdict.result:
        return f"{verdict.code}-won"
    if verdict.code == CLEAR:
        return clear_form(verdict.margin, objective)
    if verdict.code == EQUAL and verdict.spread <= TIE:
        return "same"
    return verdict.code


def choice_label(
    decision: str, move: Mapping[str, Move], *, language: str, names: DisplayNames
) -> str:
    """Return the name of a choice in a list: at the healer's decision, the cards, as "2+5"."""
    if decision == "healer" and len(move) == 1:
        [own] = move.values()
        cards = "+".join(card.label for card in own.last.recover or ())
        return cards or text("snow-time.advice-part.nothing", language)
    return move_label(move, language, names)


def move_label(move: Mapping[str, Move], language: str, names: DisplayNames) -> str:
    """Return the name of a move; with two seats, with the names of the seats."""
    labels = {seat: _label(own, language) for seat, own in move.items()}
    if len(labels) == 1:
        return next(iter(labels.values()))
    seats = [
        text("snow-time.advice-part.of-seat", language, seat=names.label(seat), move=label)
        for seat, label in labels.items()
    ]
    return " + ".join(seats)


def _label(move: Move, language: str) -> str:
    last = move.last
    if last.card.is_champion:
        return last.card.label
    label = card_name(last.card.label, language)
    if last.card is Card.HEALER and last.recover is not None:
        cards = join_list((card.label for card in last.recover), language)
        nothing = text("snow-time.advice-part.nothing", language)
        return text("snow-time.advice-part.recovers", language, card=label, cards=cards or nothing)
    return label
