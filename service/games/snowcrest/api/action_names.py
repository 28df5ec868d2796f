"""Names of the actions of Snowcrest in headlines; the page has the same texts.

Within sentences, villagers have their articles; German ones also their case.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.core.languages import DEFAULT_LANGUAGE
from service.games.common.reason_texts import within_sentence
from service.games.snowcrest.api.german_names import with_article
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Names
from service.games.snowcrest.rules.actions import Action, ActionType, Payment
from service.games.snowcrest.rules.payments.resources import Building, Resource
from service.games.snowcrest.rules.state import Seat, State
from service.texts.catalogue import text, texts
from service.texts.formatting import join_list


def action_name(state: State, player: str, action: Action, language: str) -> str:
    """Return the name of an action of a player."""
    seat = _seat(state, player) or state.mover
    words: dict[str, str] = {}
    for name, kind in (
        ("resource", action.resource),
        ("building", action.building),
        ("returned", action.returned and action.returned.building),
    ):
        if kind is not None:
            words[name] = text(f"snowcrest.amount.{kind.label}", language, count=1)
    for name, item in (
        ("give", action.give),
        ("get", action.get),
        ("item", action.item),
        ("settles", action.settles),
    ):
        if item is not None:
            words[name] = within_sentence(_kind(item.label, language), language)
    if action.card is not None:
        words["card"] = villager_object(state, action.card, language)
    if action.cell is not None:
        village = _seat(state, action.owner) or seat
        words["cell"] = _cell(action.cell)
        words["resident"] = _resident(state, village, action.cell, language)
    if action.owner is not None:
        words["owner"] = action.owner
    if action.payment is not None:
        paid = list(_payment(state, seat, action.payment, language))
        words["payment"] = join_list(paid, language) or text("page.nothing", language)
    if action.cards is not None:
        cards = [villager_object(state, card, language) for card in action.cards]
        words["cards"] = join_list(cards, language) or text("page.nothing", language)
    for name in ("building", "card", "resident", "resource"):
        if name in words:
            words["given"] = words[name]
            break
    return text(f"page.snowcrest.action.{_form(action)}", language, **words)


def card_name(state: State, card: Card, language: str) -> str:
    """Return the name of a villager; see :func:`_local_name`."""
    if card == UNKNOWN:
        return text("page.unknown", language)
    villager = state.villager(card)
    return _local_name(villager.names, language, villager.id)


def _local_name(names: Names | None, language: str, card_id: str) -> str:
    """Return the name in a language, or in English, or in any language, or else the id."""
    by_language = dict(names or ())
    given = (by_language.get(language), by_language.get(DEFAULT_LANGUAGE), *by_language.values())
    return next(filter(None, given), card_id)


def _name_within_sentence(state: State, card: Card) -> str:
    """Return the English name without a capital letter, or else another name as it is."""
    name = card_name(state, card, DEFAULT_LANGUAGE)
    names = None if card == UNKNOWN else state.villager(card).names
    is_english = not names or DEFAULT_LANGUAGE in dict(names)
    return within_sentence(name, DEFAULT_LANGUAGE) if is_english else name


def villager_object(state: State, card: Card, language: str) -> str:
    """Return a villager as the object of a sentence, such as "the farmer", "den Novizen"."""
    name = card_name(state, card, language)
    if card == UNKNOWN:
        return name
    if language == DEFAULT_LANGUAGE:
        return f"the {_name_within_sentence(state, card)}"
    return with_article(name, language, accusative=True)


def villager_subject(state: State, card: Card, language: str) -> str:
    """Return a villager as the subject of a sentence; the English one follows "your"."""
    name = card_name(state, card, language)
    if language == DEFAULT_LANGUAGE:
        return _name_within_sentence(state, card)
    return with_article(name, language, accusative=False)


def challenge_name(state: State, challenge_id: str, language: str) -> str:
    """Return the name of a challenge, as :func:`card_name` does."""
    catalogue = state.catalogue
    challenge = catalogue.challenges[catalogue.challenge_by_id[challenge_id]]
    return _local_name(challenge.names, language, challenge.id)


def _form(action: Action) -> str:
    """Return the last part of the id of the action's text."""
    if action.type is ActionType.PLAY and action.payment is not None:
        return "play-paid"
    if action.type is ActionType.BUILD and action.returned is not None:
        return "build-returned"
    if action.type is ActionType.COPY and action.owner is None:
        return "copy-row"
    if action.settles is not None:
        return "settle-both"
    return action.type.label


def _seat(state: State, player: str | None) -> Seat | None:
    return next((seat for seat in state.seats if seat.player == player), None)


def _payment(state: State, seat: Seat, payment: Payment, language: str) -> Iterator[str]:
    for resource, count in zip(Resource, payment.tokens, strict=True):
        if count:
            yield text(f"snowcrest.amount.{resource.label}", language, count=count)
    for building, count in zip(Building, payment.buildings, strict=True):
        if count:
            yield text(f"snowcrest.amount.{building.label}", language, count=count)
    for card in payment.hand:
        name = villager_object(state, card, language)
        yield text("page.snowcrest.from-hand", language, card=name)
    for cell in payment.cells:
        yield _resident(state, seat, cell, language)


def _kind(kind: str, language: str) -> str:
    named = f"page.snowcrest.item.{kind}"
    return text(named if named in texts(language) else f"snowcrest.kind.{kind}", language)


def _resident(state: State, seat: Seat, cell: int, language: str) -> str:
    """Return the name of a villager with its cell, or of an empty cell."""
    resident = seat.village[cell]
    if resident is None:
        return _cell(cell)
    words = {"card": villager_object(state, resident.card, language), "cell": _cell(cell)}
    return text("page.snowcrest.resident", language, **words)


def _cell(cell: int) -> str:
    """Return the name of a cell of a village, as the page has it."""
    return f"{'ABC'[cell % 3]}{cell // 3 + 1}"
