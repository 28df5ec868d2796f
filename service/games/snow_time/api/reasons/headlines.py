"""The names of moves in headlines."""

from __future__ import annotations

from collections.abc import Mapping

from service.core.advice import AVOID, DRAWN
from service.core.languages import DEFAULT_LANGUAGE
from service.games.common.display_names import DisplayNames
from service.games.snow_time.api.metadata import card_name
from service.games.snow_time.rules.state import Card, Move
from service.texts.catalogue import text
from service.texts.formatting import join_list


def in_sentence(
    form: str, decision: str, move: Mapping[str, Move], language: str, names: DisplayNames
) -> str:
    """Return a move in a headline, where it has an article ("the 6") or is the name of a card."""
    label = choice_label(decision, move, language, names)
    # Elsewhere, some sentences only list the names of cards.
    with_articles = language == DEFAULT_LANGUAGE or form in (AVOID, DRAWN, "equal-won")
    if not with_articles or len(move) > 1 or decision == "healer":
        return label
    [own] = move.values()
    return played(own.last, language) or label


def played(move: Move, language: str) -> str:
    """Return a card as what somebody plays, such as "the 6"; empty if more is to be said."""
    if move.recover is not None or move.card is Card.NONE:
        return ""
    kind = "champion" if move.card.is_champion else move.card.label
    return text(f"snow-time.played.{kind}", language, card=move.card.label)


def instruction(decision: str, move: Mapping[str, Move], language: str, names: DisplayNames) -> str:
    """Return what to do at a decision, such as "Play the 6" or "Take back 2 and 5"."""
    label = move_label(move, language, names)
    if len(move) == 1:
        [own] = move.values()
        if decision == "healer":
            label = join_list((card.label for card in own.last.recover or ()), language)
            if not label:
                return text("snow-time.advice-part.do-nothing", language)
        elif own.last.card is Card.NONE:
            return text("snow-time.advice-part.add-nothing", language)
        else:
            label = played(own.last, language) or label
    return text(f"snow-time.advice-part.do-{decision}", language, move=label)


def choice_label(
    decision: str, move: Mapping[str, Move], language: str, names: DisplayNames
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
    if last.card is Card.NONE:
        return text("snow-time.advice-part.nothing", language)
    label = card_name(last.card.label, language)
    if last.card is Card.HEALER and last.recover is not None:
        cards = join_list((card.label for card in last.recover), language)
        nothing = text("snow-time.advice-part.nothing", language)
        return text("snow-time.advice-part.recovers", language, card=label, cards=cards or nothing)
    return label
