"""The legal choices of a decision."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from service.core.game import Decision, LazyChoices
from service.games.snowcrest.catalogue.cards import (
    EFFECT_LABELS,
    Card,
    Redraw,
    VillagerKind,
)
from service.games.snowcrest.rules.actions import (
    PASS,
    REST,
    SKIP,
    Action,
    ActionType,
)
from service.games.snowcrest.rules.effects.meditation import bid_choices, bids_of, return_choices
from service.games.snowcrest.rules.effects.options import (
    effect_choices,
    gain_choices,
    has_more_redraws,
    recruit_choices,
    without_unknown_cards,
)
from service.games.snowcrest.rules.effects.paid_effects import (
    enables,
    give_choices,
    must_pay,
    payments_beside,
)
from service.games.snowcrest.rules.effects.penalties import penalty_choices
from service.games.snowcrest.rules.payments.payments import (
    MAX_LISTED,
    Listing,
    barley_cost,
    can_pay,
    list_payments,
)
from service.games.snowcrest.rules.payments.resources import NOTHING
from service.games.snowcrest.rules.payments.sources import possible_hand_cards
from service.games.snowcrest.rules.state import State, exhausted_lines
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ApplyEffect,
    ChooseTurn,
    CollectBids,
    DecideBids,
    GiveItems,
    PayCost,
    PlaceFirstVillager,
    PlaceRecruit,
    ReceiveGain,
    Turn,
)


def pending_decision(turn: Turn) -> Decision[Action]:
    """Return the pending decision: the deciding player and the listed legal choices.

    The choices are listed on demand, because there can be very many payments and bids.
    """
    seat = turn.state.turn
    match turn.task:
        case PlaceFirstVillager():
            name = "set-up"
        case ChooseTurn():
            name = "turn"
        case PayCost():
            name = "pay"
        case ApplyEffect(effect=effect):
            name = EFFECT_LABELS[type(effect)]
        case ReceiveGain():
            name = "gain"
        case GiveItems():
            name = "give"
        case PlaceRecruit():
            name = "recruit"
        case AnswerPenalty(seat=seat):
            name = "penalty"
        case CollectBids(waiting=waiting):
            name, seat = "bid", waiting[0]
        case DecideBids(waiting=waiting):
            name, seat = "return-bid", waiting[0]
        case _:
            raise AssertionError(f"{turn.task} needs no choice")
    return Decision(name, LazyChoices(turn.state.seats[seat].player, partial(_listed, turn)))


def listed_choices(turn: Turn) -> tuple[Action, ...]:
    """Return the listed choices of the deciding player."""
    [choices] = pending_decision(turn).choices.values()
    return choices


def _listed(turn: Turn) -> tuple[Action, ...]:
    match turn.task:
        case PlaceFirstVillager():
            cards = possible_hand_cards(turn.state, turn.state.turn)
            return tuple(Action(ActionType.PLACE_FIRST_VILLAGER, card=card) for card in cards)
        case ChooseTurn():
            return turn_choices(turn.state)
        case PayCost():
            return payment_choices(turn, turn.task)
        case ApplyEffect(effect=effect):
            return effect_choices(turn, effect)
        case ReceiveGain():
            return gain_choices()
        case PlaceRecruit():
            return recruit_choices(turn)
        case GiveItems():
            return give_choices(turn, turn.task)
        case AnswerPenalty():
            return penalty_choices(turn, turn.task)
        case CollectBids():
            return bid_choices(turn, turn.task)
        case DecideBids():
            return return_choices()
    raise AssertionError(f"{turn.task} needs no choice")


# The choice that begins a turn (C3) -----------------------------------------------------------


def turn_choices(state: State) -> tuple[Action, ...]:
    """Return the choices that begin a turn (C3).

    A rest is the only choice if it is forced.  A pass is listed unless the player is certain to be
    able to activate or play a villager.
    """
    if exhausted_lines(state.mover.village):
        return (REST,)
    listed = activations(state)
    plays = tuple(_play_choices(state))
    # A play that needs unknown hand cards for its payment may turn out to be impossible (C12).
    certain = listed or (plays and any(_play_choices(without_unknown_cards(state, state.turn))))
    return (*listed, *plays) if certain else (*listed, *plays, PASS)


def activations(state: State) -> tuple[Action, ...]:
    """Return the activations of all villagers that are face up."""
    return tuple(
        Action(ActionType.ACTIVATE, cell=cell)
        for cell, resident in enumerate(state.mover.village)
        if resident is not None and not resident.exhausted
    )


def _play_choices(state: State) -> Iterator[Action]:
    hand = tuple(possible_hand_cards(state, state.turn))
    for card in (*hand, *dict.fromkeys(state.row)):
        for cell in playable_cells(state, card):
            yield Action(ActionType.PLAY, card=card, cell=cell)


def playable_cells(state: State, card: Card) -> Iterator[int]:
    """Yield the cells into which the player can play a villager and pay for it."""
    cost = barley_cost(state.villager(card).cost)
    remaining = _without_card(state, card)
    if not can_pay(remaining, state.turn, cost):
        return
    for cell, resident in enumerate(state.mover.village):
        if resident is not None:
            if is_protected(state, cell):
                continue
            # A villager about to be replaced pays nothing (C4).
            shows = state.villager(resident.card).icons != NOTHING
            if shows and not can_pay(remaining, state.turn, cost, cell):
                continue
        yield cell


def _without_card(state: State, card: Card) -> State:
    """Return the state without a card that is about to leave the hand; it pays nothing (C4)."""
    if card not in state.catalogue.deck:
        return state
    return state.with_seat(state.turn, state.mover.without_card(card).with_discard(card))


def is_protected(state: State, cell: int) -> bool:
    """Return whether a villager cannot be replaced.

    Exhausted villagers stay, and in the starter variant starters stay too.
    """
    resident = state.mover.village[cell]
    assert resident is not None, "the cell has a villager"
    starter = state.villager(resident.card).kind is VillagerKind.STARTER
    return resident.exhausted or (state.starter_variant and starter)


# Paying (C4) ----------------------------------------------------------------------------------


def payment_choices(turn: Turn, task: PayCost) -> tuple[Action, ...]:
    """Return the payments after which an effect can be carried out (C4, C5).

    Skipping is listed too unless there is such a payment without hand cards.
    """
    payments, truncated = _payments(turn, task)
    enabling = [payment for payment in payments if enables(turn, task, payment)]
    if truncated and not enabling:
        beside = dict.fromkeys(payments_beside(turn, task))
        enabling = [payment for payment in beside if enables(turn, task, payment)][:MAX_LISTED]
    listed = tuple(Action(ActionType.PAY, payment=payment) for payment in enabling)
    return (*listed, SKIP) if may_skip_payment(turn, task) else listed


def _payments(turn: Turn, task: PayCost) -> Listing:
    return list_payments(turn.state, turn.state.turn, task.cost, turn.acting_cell)


def may_skip_payment(turn: Turn, task: PayCost) -> bool:
    """Return whether the player need not pay: an action needs cards from the hand (C5)."""
    return not (task.chosen or must_pay(turn, task))


def is_truncated(turn: Turn) -> bool:
    """Return whether legal choices of the pending decision are left out of the list (C4)."""
    match turn.task:
        case PayCost():
            return _payments(turn, turn.task).truncated
        case CollectBids(waiting=waiting):
            return bids_of(turn, waiting[0]).truncated
        case ApplyEffect(effect=Redraw()):
            return has_more_redraws(turn)
    return False
