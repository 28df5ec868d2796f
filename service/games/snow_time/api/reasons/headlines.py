"""Headlines of hints: what to do, how clear the case is, and in which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

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
)
from service.core.hints import Hint, MoveValue, Question
from service.core.rounding import TIE, rounded
from service.core.spoken import spoken_percent
from service.core.vocabulary import WIN
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.spoken_texts import about_percent, how_likely
from service.games.snow_time.api.metadata import card_name
from service.games.snow_time.rules.state import Card, Move, State
from service.texts.catalogue import text
from service.texts.formatting import join_list

HEADLINE_CODES: Final = {code: ADVICE_CODES[code] for code in ADVICE_CODES if code != UNCERTAIN}
"""Codes of headlines; nothing is sampled in this game."""

MAX_NAMED: Final = 3
"""The sentence names at most so many moves."""


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
    rows = [hint.moves[index] for index in verdict.choices]
    label = partial(choice_label, question.decision.name, language=language, names=names)
    words: dict[str, Any] = {
        "move": label(rows[0].move),
        "pick": label(hint.pick),
        "margin": amount(verdict.margin, question.objective, language),
        "spread": _apart(verdict.spread, question.objective, language),
    }
    drawn = sum(row.probability > 0.0 for row in hint.moves) > 1
    draw = f"snow-time.advice-part.{'drawn' if drawn else 'take'}"
    words["draw"] = text(draw, language, pick=words["pick"])
    words["do"] = _instruction(question.decision.name, rows[0].move, language, names)
    labels = [label(row.move) for row in rows[:MAX_NAMED]]
    if verdict.code == MIXTURE:
        labels = [_with_chance(*pair, language) for pair in zip(labels, rows, strict=False)]
    if len(rows) > MAX_NAMED:
        more = len(rows) - MAX_NAMED
        labels.append(text("snow-time.advice-part.more", language, count=more))
    words["choices"] = join_list(labels, language)
    return text(f"snow-time.advice.{_form(verdict, question.objective)}", language, **words)


def _instruction(
    decision: str, move: Mapping[str, Move], language: str, names: DisplayNames
) -> str:
    """Return what to do at a decision, such as "play 6", "add 6" or "take back 2 and 5"."""
    label = move_label(move, language, names)
    if decision == "healer" and len(move) == 1:
        [own] = move.values()
        label = join_list((card.label for card in own.last.recover or ()), language)
        if not label:
            return text("snow-time.advice-part.do-nothing", language)
    return text(f"snow-time.advice-part.do-{decision}", language, move=label)


def _form(verdict: Verdict, objective: str) -> str:
    """Return which sentence of its code a verdict has."""
    form = verdict.code
    if verdict.result:
        form += "-won"
    elif form == CLEAR and objective == WIN and spoken_percent(verdict.margin).below:
        form = "clear-slightly"
    elif form == EQUAL and verdict.spread <= TIE:
        form = "same"
    return form


def _with_chance(label: str, row: MoveValue[Move], language: str) -> str:
    """Return a move of a mixture with its probability."""
    chance = how_likely(row.probability, language)
    return text("snow-time.advice-part.chance", language, move=label, chance=chance)


def _apart(value: float, objective: str, language: str) -> str:
    """Return the size of a small difference, such as "less than 1%"."""
    if objective == WIN:
        return about_percent(value, language)
    return amount(value, objective, language)


def amount(value: float, objective: str, language: str) -> str:
    """Return the size of a difference of values, such as "about 3% of the win"."""
    if objective == WIN:
        return text("snow-time.advice-part.win", language, percent=about_percent(value, language))
    return text("snow-time.advice-part.spaces", language, count=max(0.1, round(abs(value), 1)))


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
