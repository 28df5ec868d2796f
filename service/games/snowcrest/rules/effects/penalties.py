"""Guardians and forest cards: penalties and rewards (C7, C8, C15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import TypeAlias

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import (
    Card,
    Catalogue,
    GainKind,
    PenaltyItem,
    Villager,
)
from service.games.snowcrest.rules.actions import NO_PAYMENT, Action, ActionType, Payment
from service.games.snowcrest.rules.effects.options import return_building, returnable_buildings
from service.games.snowcrest.rules.payments.resources import ONE, Amounts, Building, Resource
from service.games.snowcrest.rules.payments.sources import (
    apply_payment,
    possible_cards_of,
    with_exhausted,
)
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    Seat,
    known_after_draw,
    unseen_forest,
    unseen_guardians,
)
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    GiveItems,
    ReceiveGain,
    ReturnSpirit,
    TakeOmen,
    Task,
    Turn,
    remove_resident,
    replant_forest,
    take_omen,
)

# Revealing a card -----------------------------------------------------------------------------


def reveal_spirit(turn: Turn, card: Card, *, forest: bool) -> Turn:
    """Reveal a guardian or forest card and queue its steps.

    The order is: own penalty, the other players' penalties, reward, card under its pile.
    """
    state = turn.state
    below = state.below
    if forest:
        below = replace(below, forest=known_after_draw(unseen_forest(state), below.forest))
    else:
        below = replace(below, guardians=known_after_draw(unseen_guardians(state), below.guardians))
    spirit = state.catalogue.spirit(card)
    event = Event(
        "forest" if forest else "guardian",
        "C8" if forest else None,
        player=turn.mover.player,
        card=card,
    )
    tasks: list[Task] = []
    for seat in (state.turn, *state.seats_after(state.turn)):
        penalty = spirit.own if seat == state.turn else spirit.others
        tasks += [TakeOmen(seat, penalty.omen), AnswerPenalty(seat, penalty.items)]
    reward = [ReceiveGain(gain.what, gain.count) for gain in spirit.reward]
    # Juniper of the reward can be taken only after the forest is refilled.
    deferred = [gain for gain in reward if forest and gain.what is GainKind.JUNIPER]
    tasks += [gain for gain in reward if gain not in deferred]
    return turn.with_state(replace(state, below=below), event).push(
        *tasks, ReturnSpirit(card, forest), *deferred
    )


def return_spirit(turn: Turn, card: Card, *, forest: bool) -> Turn:
    """Put the card under its pile, where it is known; after a forest card, refill the forest."""
    below = turn.state.below
    if not forest:
        below = replace(below, guardians=(*below.guardians, card))
        return turn.with_state(replace(turn.state, below=below))
    below = replace(below, forest=(*below.forest, card))
    return replant_forest(turn.with_state(replace(turn.state, below=below)))


# Choices --------------------------------------------------------------------------------------


def penalty_choices(turn: Turn, task: AnswerPenalty) -> tuple[Action, ...]:
    """Return the answers to the next penalty item: give something, settle, or take omen."""
    state = turn.state
    acting_cell = turn.acting_cell if task.seat == state.turn else None
    seat = state.seats[task.seat]
    return _answers(seat, task.items, task.given, acting_cell, state.catalogue)


# A search asks again and again: most seats stay as they are.
@lru_cache(maxsize=1024)
def _answers(
    seat: Seat,
    items: tuple[PenaltyItem, ...],
    given: Payment,
    acting_cell: int | None,
    catalogue: Catalogue,
) -> tuple[Action, ...]:
    usable = [
        (cell, catalogue.villagers[resident.card])
        for cell, resident in enumerate(seat.village)
        if resident is not None and not resident.exhausted and cell != acting_cell
    ]
    return (
        *_gift_choices(seat, items[0], given, usable, catalogue),
        *_settle_choices(items, usable),
        Action(ActionType.SUFFER, item=items[0]),
    )


_Usable: TypeAlias = Sequence[tuple[int, Villager]]
"""The cells and villagers that a seat can give up or exhaust: those that are face up (C4)."""


def _gift_choices(
    seat: Seat,
    item: PenaltyItem,
    given: Payment,
    usable: _Usable,
    catalogue: Catalogue,
) -> Iterator[Action]:
    give = Action(ActionType.GIVE, item=item)
    if item is PenaltyItem.CARD:
        for card in possible_cards_of(seat, catalogue):
            yield replace(give, card=card)
    elif item is PenaltyItem.VILLAGER:
        for cell, _ in usable:
            yield replace(give, cell=cell)
    elif item is PenaltyItem.EXHAUSTED:
        for cell, resident in enumerate(seat.village):
            if resident is not None and resident.exhausted and cell not in given.cells:
                yield replace(give, cell=cell)
    elif item.is_building:
        for returned in returnable_buildings(seat):
            kind = returned.building
            if returned.spent and seat.buildings[kind].spent <= given.buildings[kind]:
                continue  # They were spent for resource items.
            if item in (PenaltyItem.BUILDING, PenaltyItem.FARM + returned.building):
                yield replace(give, building=returned.building, spent=returned.spent)
    else:
        yield from _resource_gifts(seat, give, usable, catalogue)


def _resource_gifts(
    seat: Seat, give: Action, usable: _Usable, catalogue: Catalogue
) -> Iterator[Action]:
    item = give.item
    assert item is not None, "an item is given"
    for resource in Resource:
        if seat.tokens[resource] and _pays_item(item, ONE[resource]):
            yield replace(give, resource=resource)
    for kind in Building:
        if seat.buildings[kind].up and _pays_item(item, ONE[kind.yields]):
            yield replace(give, building=kind)
    for cell, villager in usable:
        if _pays_item(item, villager.icons):
            yield replace(give, cell=cell)
    for card in possible_cards_of(seat, catalogue):
        if _pays_item(item, catalogue.villagers[card].icons):
            yield replace(give, card=card)


def _settle_choices(items: tuple[PenaltyItem, ...], usable: _Usable) -> Iterator[Action]:
    """Yield the villagers that can settle (C15).

    A villager settles this item, or settles another item while its icons pay for this one.
    """
    item, *others = items
    for cell, villager in usable:
        if not villager.settles:
            continue
        yield Action(ActionType.SETTLE, item=item, cell=cell)
        if item.is_resource and _pays_item(item, villager.icons):
            for other in dict.fromkeys(others):
                if other is not item:
                    yield Action(ActionType.SETTLE, item=item, cell=cell, settles=other)


def _pays_item(item: PenaltyItem, icons: Amounts) -> bool:
    """Return whether icons pay a resource item.

    Gold pays any resource item; only gold pays an item of gold.
    """
    if item is PenaltyItem.ANY:
        return any(icons)
    return bool(icons[item] or icons[Resource.GOLD])


def paid_items(items: tuple[PenaltyItem, ...], icons: Amounts) -> tuple[PenaltyItem, ...]:
    """Return the resource items that icons pay together, as many as possible (C7).

    Items of a specific resource come before items of any kind, so no item is paid with an icon that
    another one needs: icons pay their own kind first, then gold pays, and the rest pays any kind.
    """
    left = list(icons)
    paid: list[PenaltyItem] = []
    for item in items:
        if not item.is_resource:
            continue
        if item is PenaltyItem.ANY:
            source = next((resource for resource in Resource if left[resource]), None)
        else:
            source = next((kind for kind in (Resource(item), Resource.GOLD) if left[kind]), None)
        if source is not None:
            left[source] -= 1
            paid.append(item)
    return tuple(paid)


def item_gifts(turn: Turn, task: GiveItems) -> tuple[Action, ...]:
    """Return what the player can give for the next item of a cost, whatever it is needed for."""
    return tuple(_gift_choices(turn.mover, task.items[0], task.given, (), turn.state.catalogue))


# Applying an answer ---------------------------------------------------------------------------


def apply_penalty_choice(turn: Turn, task: AnswerPenalty, action: Action) -> Turn:
    """Apply the answer of a seat to a penalty item; its task has been popped."""
    item, *others = task.items
    if action.type is ActionType.SUFFER:
        event = Event("suffer", "C7", player=turn.state.seats[task.seat].player, items=(item,))
        turn = take_omen(turn.with_events(event), task.seat, 1, "C7")
        return _continue(turn, task, tuple(others))
    if action.type is ActionType.SETTLE:
        return _settle(turn, task, action)
    if item.is_resource:
        return _give(turn, task, action)
    return _continue(give_up(turn, task.seat, action, "C7"), task, tuple(others))


def _continue(turn: Turn, task: AnswerPenalty, items: tuple[PenaltyItem, ...]) -> Turn:
    return turn.push(replace(task, items=items)) if items else turn


def _settle(turn: Turn, task: AnswerPenalty, action: Action) -> Turn:
    """Settle one item with a villager, whose icons pay for others (C15)."""
    assert action.cell is not None, "a villager settles"
    assert action.item is not None, "an item is settled"
    seat = turn.state.seats[task.seat]
    resident = seat.village[action.cell]
    assert resident is not None, "a villager settles"
    settled = action.item if action.settles is None else action.settles
    left = _remove_items(task.items, (settled,))
    paid = paid_items(left, turn.state.villager(resident.card).icons)
    event = Event(
        "settle",
        "C15",
        player=seat.player,
        card=resident.card,
        cell=action.cell,
        items=(settled, *paid),
    )
    state = turn.state.with_seat(task.seat, with_exhausted(seat, action.cell))
    task = _after_giving(task, NO_PAYMENT._replace(cells=(action.cell,)))
    return _continue(turn.with_state(state, event), task, _remove_items(left, paid))


def _after_giving(task: AnswerPenalty, payment: Payment) -> AnswerPenalty:
    """Return the task with the buildings and villagers of a payment among those that are given."""
    given = task.given
    farms, forges, temples = map(add, given.buildings, payment.buildings)
    cells = tuple(sorted((*given.cells, *payment.cells)))
    return replace(task, given=Payment(buildings=(farms, forges, temples), cells=cells))


def _give(turn: Turn, task: AnswerPenalty, action: Action) -> Turn:
    """Pay resource items with one source; any surplus is lost (C7)."""
    payment, icons = _resource_source(turn, task.seat, action)
    paid = paid_items(task.items, icons)
    player = turn.state.seats[task.seat].player
    event = Event("give", "C7", player=player, payment=payment, items=paid)
    state = apply_payment(turn.state, task.seat, payment)
    left = _remove_items(task.items, paid)
    return _continue(turn.with_state(state, event), _after_giving(task, payment), left)


def _resource_source(turn: Turn, index: int, action: Action) -> tuple[Payment, Amounts]:
    """Return the payment for a resource item and the resources that it shows."""
    state = turn.state
    if action.resource is not None:
        return NO_PAYMENT._replace(tokens=ONE[action.resource]), ONE[action.resource]
    if action.building is not None:
        farms, forges, temples = (int(kind is action.building) for kind in Building)
        payment = NO_PAYMENT._replace(buildings=(farms, forges, temples))
        return payment, ONE[action.building.yields]
    if action.card is not None:
        return NO_PAYMENT._replace(hand=(action.card,)), state.villager(action.card).icons
    assert action.cell is not None, "a source is given"
    resident = state.seats[index].village[action.cell]
    assert resident is not None, "a villager is exhausted"
    return NO_PAYMENT._replace(cells=(action.cell,)), state.villager(resident.card).icons


def give_up(turn: Turn, index: int, action: Action, rule: str) -> Turn:
    """Give up a card, villager or building for an item; it pays for nothing else (C7)."""
    seat = turn.state.seats[index]
    assert action.item is not None, "a penalty item is given"
    items = (action.item,)
    if action.card is not None:
        event = Event("give", rule, player=seat.player, card=action.card, items=items)
        hand = seat.without_card(action.card).with_discard(action.card)
        return turn.with_state(turn.state.with_seat(index, hand), event)
    if action.cell is not None:
        resident = seat.village[action.cell]
        assert resident is not None, "a villager is given up"
        event = Event(
            "give", rule, player=seat.player, card=resident.card, cell=action.cell, items=items
        )
        return remove_resident(turn.with_events(event), index, action.cell)
    returned = next(
        each
        for each in returnable_buildings(seat)
        if each.building is action.building and each.spent == action.spent
    )
    event = Event("give", rule, player=seat.player, building=returned.building, items=items)
    return return_building(turn.with_events(event), index, returned)


def _remove_items(
    items: tuple[PenaltyItem, ...], removed: tuple[PenaltyItem, ...]
) -> tuple[PenaltyItem, ...]:
    left = list(items)
    for item in removed:
        left.remove(item)
    return tuple(left)
