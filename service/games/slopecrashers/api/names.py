"""Names of cards and choices in the languages of the service."""

from __future__ import annotations

from service.core.languages import LANGUAGES
from service.core.turn_hints import TurnQuestion
from service.games.common.turns.reasons import repeated
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card
from service.games.slopecrashers.rules.state import Action, ActionType
from service.games.slopecrashers.rules.turn import Turn
from service.texts.catalogue import text, translations


def card_names(card: Card) -> dict[str, str]:
    """Return the name of a card in all languages."""
    gifts = [translations(f"slopecrashers.gift.{gift.label}") for gift in card]
    if len(gifts) == 1:
        return gifts[0]
    first, second = gifts
    return {
        each: text("slopecrashers.card.dual", each, first=first[each], second=second[each])
        for each in LANGUAGES
    }


def choice_name(
    question: TurnQuestion[Turn, Action], action: Action, language: str, count: int = 1
) -> str:
    """Return the name of a choice, made so many times in a row."""
    words: dict[str, str] = {}
    form = action.type.label
    if action.card is not None:
        known = action.card != UNKNOWN
        words["card"] = (
            card_names(action.card)[language] if known else text("page.unknown", language)
        )
    if action.gift is not None:
        words["gift"] = text(f"slopecrashers.gift.{action.gift.label}", language)
    if action.direction is not None:
        direction = action.direction.label
        words["direction"] = text(f"page.slopecrashers.direction.{direction}", language)
    if action.lane is not None:
        words["lane"] = space_name(None, action.lane)
    if action.row is not None and action.lane is not None:
        words["space"] = space_name(action.row, action.lane)
    if action.type is ActionType.ANSWER:
        form = "answer-magnet" if action.magnet else "answer"
    elif action.type is ActionType.STEP and action.lane is not None:
        form = "step-lane"
    elif action.type is ActionType.PLAY and action.direction is not None:
        form = "play-direction" if action.lane is None else "play-lane"
    elif action.type is ActionType.PLAY and action.row is not None:
        form = "play-space"
    name = text(f"page.slopecrashers.action.{form}", language, **words)
    return repeated(name, count, language)


def space_name(row: int | None, lane: int) -> str:
    """Return the name of a space or of a lane, as the page has it."""
    return f"{chr(ord('A') + lane)}{'' if row is None else row}"
