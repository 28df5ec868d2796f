"""Violation codes of Snowcrest, each with its cause and its remedy."""

from __future__ import annotations

from typing import Final

from service.core.violation_codes import ErrorCode

VIOLATION_CODES: Final = {
    "reserved-id": ErrorCode(
        "A card has the id `unknown`, which is reserved for unseen cards (C12).",
        "Give the card another `id`.",
    ),
    "duplicate-set": ErrorCode(
        "Two sets of a trade have the same kind (C2).",
        "Use a different `what` for each set.",
    ),
    "never-met": ErrorCode(
        "A condition has an `at_most` below its `at_least` (C2).", "Raise `at_most`."
    ),
    "recruit-alone": ErrorCode(
        "Only a common can recruit, as its only effect and without a payment (C18).",
        "Move `recruit` to a common or villager, and remove the other effects and `pay`.",
    ),
    "endless-reward": ErrorCode(
        "A forest card rewards at least as much juniper as the refilled forest has, so forest "
        "cards can follow without end (C2, C8).",
        "Reduce `juniper` and `any` of its `reward` below three times the number of players.",
    ),
    "too-few-villagers": ErrorCode(
        "The deck has too few villagers in addition to the starters (C1).",
        "Add cards to `villagers`, or increase their `copies`.",
    ),
    "wrong-starters": ErrorCode(
        "A deck does not have four starters (C1).",
        "Each of the `decks` lists four `starters`; without `decks` there are four `starters`.",
    ),
    "twice-in-deck": ErrorCode(
        "A deck lists a card twice (C2).",
        "List each card once; the deck contains all its copies.",
    ),
    "no-decks": ErrorCode(
        "A seat names a deck, but the catalogue has no `decks` (C2).",
        "Remove `deck` from the seat.",
    ),
    "deck-missing": ErrorCode(
        "The catalogue has `decks`, but a seat names none (C2).",
        "Set `deck` of the seat to a name of `decks`.",
    ),
    "unknown-deck": ErrorCode(
        "The catalogue has no such deck (C2).",
        "Set `deck` of the seat to a name of `decks`.",
    ),
    "unknown-card": ErrorCode(
        "The catalogue has no such card (C1).",
        "Use an `id` of the catalogue; `GET /v1/games/snowcrest` lists the default cards.",
    ),
    "wrong-place": ErrorCode(
        "A card of this kind cannot be in this place (C1).",
        "Use a card that belongs there: hands have villagers, the row has commons, and `below` has "
        "the cards of each pile.",
    ),
    "cell-taken": ErrorCode(
        "Two villagers are in the same cell.",
        "Use a different `cell` for each villager; the cells are numbered from 0 to 8.",
    ),
    "too-many-buildings": ErrorCode(
        "The village or the game has fewer buildings (C21).",
        "Reduce the numbers in `buildings`.",
    ),
    "too-much-juniper": ErrorCode(
        "The forest has more juniper than at the start of the game (C8).",
        "Reduce `juniper`.",
    ),
    "duplicate-challenge": ErrorCode(
        "A challenge is listed twice (C10).",
        "List each challenge once.",
    ),
    "no-challenges": ErrorCode(
        "The starter variant has no challenges.",
        "Remove `challenges`, or set `starter_variant` to false.",
    ),
    "not-in-solo": ErrorCode(
        "A solo game has no starter variant (C13).",
        "Remove `starter_variant`, or add a seat.",
    ),
    "only-in-solo": ErrorCode(
        "The field belongs to a solo game, but the request has several seats (C13).",
        "Remove the field.",
    ),
    "not-at-set-up": ErrorCode(
        "A seat that has not taken its set-up turn has a villager in the centre or no hand (C20).",
        "Correct the seat, or set `phase` and `turn` to the current ones.",
    ),
    "round-is-over": ErrorCode(
        "The supply became empty in an earlier round, so the game is over (C9).",
        "Set `phase` to `over`.",
    ),
    "too-many-rests": ErrorCode(
        "The number of rests means that the solo game is lost (C13).",
        "Set `phase` to `over`, or correct `rests`.",
    ),
    "rest-due": ErrorCode(
        "Three exhausted villagers in a row force a rest (C3).",
        'Send `{"type": "rest"}`.',
    ),
    "no-rest-due": ErrorCode(
        "A rest needs three exhausted villagers in a row (C3).",
        "Activate or play a villager.",
    ),
    "no-pass": ErrorCode(
        "A pass is possible only if the player can neither activate nor play a villager (C3).",
        "Choose one of the actions that `legal-moves` lists.",
    ),
    "not-face-up": ErrorCode(
        "The cell has no face-up villager.",
        "Use the `cell` of a villager that is not exhausted.",
    ),
    "card-not-there": ErrorCode(
        "The card is neither in the hand nor in the row.",
        "Use a card that `legal-moves` lists.",
    ),
    "cell-exhausted": ErrorCode(
        "An exhausted villager cannot be replaced (C3).",
        "Use another `cell`.",
    ),
    "starter-stays": ErrorCode(
        "In the starter variant, starters cannot be replaced.",
        "Use a `cell` that is free or has another villager.",
    ),
    "cannot-pay": ErrorCode(
        "The player has too few resources to pay for the villager (C4).",
        "Choose a villager that `legal-moves` lists.",
    ),
    "too-little": ErrorCode(
        "The payment does not cover the cost (C4).",
        "Add sources to the payment; `legal-moves` lists payments that are sufficient.",
    ),
    "could-be-left-out": ErrorCode(
        "The payment covers the cost without this source (C4).",
        "Remove the source from the payment.",
    ),
    "not-owned": ErrorCode(
        "The player has fewer tokens or face-up buildings (C4).",
        "Reduce the number, or correct the seat in the position.",
    ),
    "not-in-hand": ErrorCode(
        "The hand has fewer copies of the card (C4, C19).",
        "Remove the card from the action, or correct the hand in the position.",
    ),
    "busy": ErrorCode(
        "A villager who acts or has just entered the village cannot pay (C4).",
        "Remove the cell from `village` of the payment.",
    ),
    "prevents-the-action": ErrorCode(
        "The payment uses what the action needs, such as the last bell of a meditation (C5).",
        "Pay with other sources, or send `skip`; `legal-moves` lists what is possible.",
    ),
    "has-to-pay": ErrorCode(
        "An action whose cost can be paid must be paid (C5).",
        "Send `pay` with a `payment` instead of `skip`.",
    ),
    "has-to-bid": ErrorCode(
        "A player who can bid must bid (C6).",
        "Send `bid` with a `payment` instead of `skip`.",
    ),
    "bids-nothing": ErrorCode(
        "The active player must bid at least one bell (C6).",
        "Add a source with a bell or gold to the payment.",
    ),
    "no-bell": ErrorCode(
        "The source provides no bell, gold or resource of any kind (C6).",
        "Remove the source from the bid.",
    ),
    "another-item": ErrorCode(
        "The penalty requires another item first (C7).",
        "Set `item` to the one that `detail` names.",
    ),
    "not-to-give": ErrorCode(
        "This does not settle the current item of the penalty (C7, C15).",
        "Choose one of the actions that `legal-moves` lists.",
    ),
    "not-in-discards": ErrorCode(
        "The card is not in the player's discards.",
        "Use a card of `discards`.",
    ),
    "nothing-to-copy": ErrorCode(
        "There is no villager to copy at this place (C17).",
        "Use an `owner` and a `cell` that `legal-moves` lists.",
    ),
    "cannot-build": ErrorCode(
        "The supply has no such building, or the village has no slot for it (C21).",
        "Choose one of the actions that `legal-moves` lists.",
    ),
    "cannot-trade": ErrorCode(
        "The trade is not one of those that the card offers, or the player cannot pay it.",
        "Choose one of the trades that `legal-moves` lists, or `decline`.",
    ),
}
