"""Payments after which an effect can be carried out; without one, the effect is skipped (C5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import (
    Cost,
    Discard,
    Effect,
    Exhaust,
    Meditate,
    PenaltyItem,
    PerBuilding,
    Recruit,
    Redraw,
    TurnUpBuildings,
)
from service.games.snowcrest.rules.actions import Action, Payment
from service.games.snowcrest.rules.effects.effects import is_possible
from service.games.snowcrest.rules.effects.options import without_hand
from service.games.snowcrest.rules.effects.penalties import give_up, item_gifts
from service.games.snowcrest.rules.payments.bids import bell_count
from service.games.snowcrest.rules.payments.payments import can_pay, list_payments
from service.games.snowcrest.rules.payments.sources import (
    CELLS,
    HAND,
    SPENT,
    Source,
    apply_payment,
    build_payment,
    payment_sources,
)
from service.games.snowcrest.rules.state import State
from service.games.snowcrest.rules.turn import ApplyEffect, GiveItems, PayCost, Turn

_BUILDING_ITEMS: Final = (PenaltyItem.FARM, PenaltyItem.FORGE, PenaltyItem.TEMPLE)


def enables(turn: Turn, task: PayCost, payment: Payment) -> bool:
    """Return whether the player can carry out an effect after a payment for it."""
    items = task.cost.items
    if task.chosen or (not items and any(_outlasts_payments(turn, each) for each in task.effects)):
        return True
    after = turn.with_state(apply_payment(turn.state, turn.state.turn, payment))
    return any(
        is_possible(turn, effect) and _is_left(after, items, payment, effect)
        for effect in task.effects
    )


def must_pay(turn: Turn, task: PayCost) -> bool:
    """Return whether a player without hand cards could pay and carry out an effect afterwards."""
    public = turn.with_state(without_hand(turn.state, turn.state.turn))
    if task.cost.items:
        payments, _ = list_payments(public.state, turn.state.turn, task.cost, turn.acting_cell)
        return any(enables(public, task, payment) for payment in payments)
    if task.chosen or any(_outlasts_payments(turn, effect) for effect in task.effects):
        return can_pay(public.state, turn.state.turn, task.cost, turn.acting_cell)
    return any(
        is_possible(turn, effect) and _can_pay_beside(public, task.cost, effect)
        for effect in task.effects
    )


# Hand cards and buildings of a cost ---------------------------------------------------------------


def give_choices(turn: Turn, task: GiveItems) -> tuple[Action, ...]:
    """Return what the player can give for the next item so that an effect is possible later."""
    left, given, effects = task.items[1:], task.given, task.paid.effects
    gifts = [(gift, give_up(turn, turn.state.turn, gift, "C4")) for gift in item_gifts(turn, task)]
    return tuple(
        gift
        for gift, after in gifts
        if any(_is_left(after, left, given, effect) for effect in effects)
    )


def give_item(turn: Turn, task: GiveItems, gift: Action) -> Turn:
    """Give an item of a cost; its task has been popped."""
    turn, left = give_up(turn, turn.state.turn, gift, "C4"), task.items[1:]
    if left:
        return turn.push(replace(task, items=left))
    return turn.push(*map(ApplyEffect, task.paid.effects))


def _is_left(turn: Turn, items: tuple[PenaltyItem, ...], given: Payment, effect: Effect) -> bool:
    """Return whether an effect is possible after the items of a cost are given in some way."""
    if not _is_possible_now(turn, effect):
        return False
    if not items:
        return True
    if isinstance(effect, TurnUpBuildings):
        return any(
            stock.spent and _can_give(turn, items, given, None if given.buildings[kind] else kind)
            for kind, stock in enumerate(turn.mover.buildings)
        )
    if _outlasts_payments(turn, effect):
        return _can_give(turn, items, given)
    return any(
        _can_give(
            turn,
            items,
            given,
            source.key if source.part == SPENT else None,
            cards=int(source.part == HAND),
        )
        for source in payment_sources(turn.state, turn.state.turn, turn.acting_cell)
        if _serves(source, effect)
    )


def _can_give(
    turn: Turn,
    items: tuple[PenaltyItem, ...],
    given: Payment,
    kind: int | None = None,
    cards: int = 0,
) -> bool:
    """Return whether items can be given without a building of a kind and a number of cards."""
    left = [
        stock.total - given.buildings[of] - (of == kind) - items.count(_BUILDING_ITEMS[of])
        for of, stock in enumerate(turn.mover.buildings)
    ]
    enough = min(left) >= 0 and sum(left) >= items.count(PenaltyItem.BUILDING)
    return enough and len(turn.mover.hand) - cards >= items.count(PenaltyItem.CARD)


# Payments beside what is needed -------------------------------------------------------------------


def payments_beside(turn: Turn, task: PayCost) -> Iterator[Payment]:
    """Yield payments that leave one source that an effect needs, some of them repeatedly.

    If there are too many payments to list, none of those listed may leave such a source.
    """
    for effect in task.effects:
        if is_possible(turn, effect) and not _outlasts_payments(turn, effect):
            for kept in _states_beside(turn, effect):
                yield from list_payments(
                    kept, turn.state.turn, task.cost, turn.acting_cell
                ).payments


def _outlasts_payments(turn: Turn, effect: Effect) -> bool:
    """Return whether an effect is possible and remains so after any payment."""
    if isinstance(effect, Recruit):
        return bool(turn.state.row)
    needs_source = isinstance(effect, Discard | Exhaust | Meditate | PerBuilding | Redraw)
    return not needs_source and is_possible(turn, effect)


def _is_possible_now(turn: Turn, effect: Effect) -> bool:
    """Return whether an effect is possible; a meditation if the player may have a bell to bid."""
    if not isinstance(effect, Meditate):
        return is_possible(turn, effect)
    sources = payment_sources(turn.state, turn.state.turn, turn.acting_cell)
    return any(_serves(source, effect) for source in sources)


def _can_pay_beside(turn: Turn, cost: Cost, effect: Effect) -> bool:
    """Return whether the player can pay a cost and keep one source that an effect needs."""
    index = turn.state.turn
    return any(
        can_pay(kept, index, cost, turn.acting_cell) for kept in _states_beside(turn, effect)
    )


def _states_beside(turn: Turn, effect: Effect) -> Iterator[State]:
    """Yield the positions without each of the sources that an effect needs."""
    index = turn.state.turn
    for source in payment_sources(turn.state, index, turn.acting_cell):
        if _serves(source, effect):
            yield apply_payment(turn.state, index, build_payment((source,), (1,)))


def _serves(source: Source, effect: Effect) -> bool:
    """Return whether an effect is possible as long as the player has a source."""
    match effect:
        case Meditate():
            return bell_count(source.icons) > 0
        case PerBuilding(building=building):
            return source.part == SPENT and building in (None, source.key)
        case Exhaust():
            return source.part == CELLS
    return source.part == HAND
