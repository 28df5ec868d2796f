"""A few promising choices of a decision, and likely answers of other players.

Choices are rated by the evaluator's prices of single items, without search.  All candidates are
legal, but not all legal choices are candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Final

from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    Build,
    Copy,
    Gain,
    GainKind,
    Meditate,
    PerBuilding,
    Redraw,
    TakeBack,
    Trade,
    TurnUpBuildings,
)
from service.games.snowcrest.effects.options import trade_cost
from service.games.snowcrest.effects.paid_effects import enables
from service.games.snowcrest.engine.choices.bids import (
    MAX_FINAL,
    bid_candidates,
    final_bids,
    listed_choices,
)
from service.games.snowcrest.engine.choices.prices import (
    cheap_payments,
    payment_price,
)
from service.games.snowcrest.engine.evaluation import PhaseModel
from service.games.snowcrest.engine.features import free_after
from service.games.snowcrest.payments.payments import MAX_LISTED
from service.games.snowcrest.payments.sources import payment_value
from service.games.snowcrest.rules.actions import Action, ActionType
from service.games.snowcrest.rules.state import Resident, State, unseen_deck
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ApplyEffect,
    ChooseTurn,
    CollectBids,
    DecideBids,
    PayCost,
    PerformAction,
    PlaceRecruit,
    ReceiveGain,
    Turn,
)

_OF_SOURCES: Final = (Meditate, PerBuilding, Redraw, TakeBack, TurnUpBuildings)
"""Effects that depend on what paid for them."""


def candidate_actions(turn: Turn, model: PhaseModel, limit: int) -> Sequence[Action]:
    """Return about ``limit`` choices of the deciding player, most promising first."""
    state = turn.state
    match turn.task:
        case PayCost(cost=cost, chosen=chosen):
            payments = cheap_payments(model, state, state.turn, cost, turn.acting_cell, limit)
            actions = [
                Action(ActionType.PAY, payment=payment)
                for payment in payments
                if enables(turn, turn.task, payment)
            ]
            return actions or (listed_choices(turn)[:1] if chosen else listed_choices(turn)[-1:])
        case AnswerPenalty():
            return _best(
                listed_choices(turn), lambda action: -_penalty_cost(turn, model, action), limit
            )
        case CollectBids():
            return bid_candidates(turn, model, limit)
        case ApplyEffect(effect=Redraw()):
            return _redraw_candidates(turn, model)
        case ApplyEffect(effect=TakeBack()):
            return _best(listed_choices(turn), lambda action: _taken_value(model, action), limit)
        case ApplyEffect(effect=Build()):
            return _build_candidates(turn, model)
        case ApplyEffect(effect=Trade(sets=sets)):
            return _trade_candidates(turn, model, sets)
        case ApplyEffect(effect=Copy()):
            return _best(
                listed_choices(turn),
                lambda action: model.face_up[_copied_card(state, action)],
                limit + 1,
            )
        case PlaceRecruit():
            hand = {card for card in turn.mover.hand if card != UNKNOWN}
            known = [
                action
                for action in listed_choices(turn)
                if action.card in hand or action.card in state.row
            ]
            return _best(
                known or listed_choices(turn),
                lambda action: model.face_up[_card(action)] + model.exhausted[_card(action)],
                limit + 1,
            )
        case ReceiveGain():
            return listed_choices(turn)
        case DecideBids():
            return listed_choices(turn)[:limit]
        case ChooseTurn():
            return turn_candidates(state, model, listed_choices(turn))
    return listed_choices(turn)


def final_actions(turn: Turn, model: PhaseModel) -> tuple[Sequence[Action], bool]:
    """Return the choices to follow in the last turn of a game, and whether none is left out.

    Payments of the same worth are one choice, if nothing else than the final resources can depend
    on what they give up.
    """
    if isinstance(turn.task, CollectBids):
        return final_bids(turn, model), False
    listed = listed_choices(turn)
    actions = list(listed)
    match turn.task:
        case PayCost():
            actions = _distinct_payments(turn, model, listed)
        case AnswerPenalty():
            actions = _best(
                listed, lambda action: -_penalty_cost(turn, model, action), MAX_FINAL + 1
            )
        case ApplyEffect(effect=Redraw()) if len(actions) > MAX_FINAL:
            return _redraw_candidates(turn, model), False
    # Not all payments are listed if there are very many.
    return actions[:MAX_FINAL], len(actions) <= MAX_FINAL and len(listed) < MAX_LISTED


def _distinct_payments(turn: Turn, model: PhaseModel, listed: Sequence[Action]) -> list[Action]:
    """Return the payments of different worth, cheapest first."""
    state, seat = turn.state, turn.state.turn
    by_worth: dict[object, tuple[float, Action]] = {}
    assert isinstance(turn.task, PayCost), "a cost is paid"
    sources_matter = (
        any(posted.by is None for posted in state.challenges)
        or any(isinstance(task, PerformAction | ApplyEffect) for task in turn.tasks[1:])
        or any(isinstance(effect, _OF_SOURCES) for effect in turn.task.effects)
    )
    for action in listed:
        payment = action.payment
        if payment is None:
            by_worth[None] = 0.0, action
            continue
        price = payment_price(model, state, seat, payment)
        worth: object = payment_value(state, seat, payment)
        if sources_matter:
            used = payment.buildings, len(payment.hand), len(payment.cells)
            worth = worth, used
        if worth not in by_worth or price < by_worth[worth][0]:
            by_worth[worth] = price, action
    return [action for _, action in sorted(by_worth.values(), key=itemgetter(0))]


def _best(actions: Iterable[Action], value: Callable[[Action], float], limit: int) -> list[Action]:
    return sorted(actions, key=value, reverse=True)[:limit]


def _card(action: Action) -> int:
    assert action.card is not None, "a choice among cards"
    return action.card


def _taken_value(model: PhaseModel, action: Action) -> float:
    """Return the value of a card taken back; 0 for declining."""
    return 0.0 if action.card is None else model.in_hand[action.card]


def _copied_card(state: State, action: Action) -> int:
    if action.card is not None:
        return action.card
    owner = next(seat for seat in state.seats if seat.player == action.owner)
    resident = owner.village[action.cell or 0]
    assert resident is not None, "the copied cell has a villager"
    return resident.card


# Turns ----------------------------------------------------------------------------------------


def turn_candidates(state: State, model: PhaseModel, choices: Sequence[Action]) -> list[Action]:
    """Return the choices with at most the two best cells for each playable card."""
    candidates: list[Action] = []
    cells: dict[int, list[Action]] = {}
    for action in choices:
        if action.type is ActionType.PLAY:
            cells.setdefault(_card(action), []).append(action)
        else:
            candidates.append(action)
    for actions in cells.values():
        candidates += _best(actions, lambda action: _cell_value(state, model, action), 2)
    return candidates


def _cell_value(state: State, model: PhaseModel, action: Action) -> float:
    """Return the value of playing into a cell: what stays free minus what is replaced."""
    village, cell = state.mover.village, action.cell or 0
    replaced: Resident | None = village[cell]
    price = 0.0 if replaced is None else model.sending_away(replaced.card)
    return model.free * free_after(village, cell) - price


# Single effects -------------------------------------------------------------------------------


def _build_candidates(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return each kind of building with the cheapest building to return for it."""
    cheapest: dict[int, tuple[float, Action]] = {}
    for action in listed_choices(turn):
        assert action.building is not None, "a kind is built"
        price = 0.0
        if action.returned is not None:
            price = model.building(action.returned.building, spent=action.returned.spent)
        if action.building not in cheapest or price < cheapest[action.building][0]:
            cheapest[action.building] = price, action
    return [action for _, action in cheapest.values()]


def _redraw_candidates(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return three sets of cards: none, those worth less than the mean draw, and all known ones."""
    hand = sorted(card for card in turn.mover.hand if card != UNKNOWN)
    unseen = unseen_deck(turn.state, turn.state.turn)
    mean = sum(model.in_hand[card] * count for card, count in unseen.items())
    mean /= max(1, unseen.total())
    poor = tuple(card for card in hand if model.in_hand[card] < mean)
    return [
        Action(ActionType.REDRAW, cards=cards) for cards in dict.fromkeys(((), poor, tuple(hand)))
    ]


def _trade_candidates(turn: Turn, model: PhaseModel, sets: Sequence[Gain]) -> list[Action]:
    """Return the trades that known sources can pay, and declining."""
    state = turn.state
    payable = {
        side.what
        for side in sets
        if side.what is GainKind.SCROLL
        or cheap_payments(model, state, state.turn, trade_cost(side), turn.acting_cell, 1)
    }
    return [each for each in listed_choices(turn) if each.give is None or each.give in payable]


# Penalties (C7) -------------------------------------------------------------------------------


def _penalty_cost(turn: Turn, model: PhaseModel, action: Action) -> float:
    """Return the value that a penalty answer gives up."""
    assert isinstance(turn.task, AnswerPenalty), "a penalty is answered"
    seat = turn.state.seats[turn.task.seat]
    if action.type is ActionType.SUFFER:
        return model.omen
    if action.type is ActionType.SETTLE:
        resident = seat.village[action.cell or 0]
        assert resident is not None, "a villager settles"
        return model.exhausting(resident.card)
    assert action.item is not None, "an item is given"
    if action.resource is not None:
        return model.token(action.resource)
    if action.card is not None:
        return model.discarding(action.card if action.card in seat.hand else UNKNOWN)
    if action.cell is not None:
        resident = seat.village[action.cell]
        assert resident is not None, "a villager is given"
        price = model.exhausting if action.item.is_resource else model.sending_away
        return price(resident.card)
    assert action.building is not None, "a building is given"
    if action.item.is_resource:
        return model.spending(action.building)
    return model.building(action.building, spent=bool(action.spent))
