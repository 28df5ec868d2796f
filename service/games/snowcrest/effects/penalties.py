"""Guardians and forest cards: what they take, item by item, and what they give (C7, C8, C15)."""

from __future__ import annotations

from collections.abc import Iterator

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import Card, GainKind, PenaltyItem
from service.games.snowcrest.effects.options import return_building, returnable_buildings
from service.games.snowcrest.payments.resources import ONE, Amounts, Building, Resource
from service.games.snowcrest.payments.sources import (
    apply_payment,
    possible_hand_cards,
    with_exhausted,
)
from service.games.snowcrest.rules.actions import NO_PAYMENT, Action, ActionType, Payment
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    Resident,
    known_after_draw,
    unseen_forest,
    unseen_guardians,
)
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ReceiveGain,
    ReturnSpirit,
    TakeOmen,
    Task,
    Turn,
    remove_resident,
    replant_forest,
    take_omen,
)

# What a card sets going -----------------------------------------------------------------------


def reveal_spirit(turn: Turn, card: Card, *, forest: bool) -> Turn:
    """A guardian or forest card is turned up: own penalty, the others', reward, under the pile."""
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
    # Juniper of the reward can be taken only once there is some again.
    late = [gain for gain in reward if forest and gain.what is GainKind.JUNIPER]
    tasks += [gain for gain in reward if gain not in late]
    return turn.with_state(replace(state, below=below), event).push(
        *tasks, ReturnSpirit(card, forest), *late
    )


def return_spirit(turn: Turn, card: Card, *, forest: bool) -> Turn:
    """The card goes under its pile, where it is known; the forest is planted again."""
    below = turn.state.below
    if not forest:
        below = replace(below, guardians=(*below.guardians, card))
        return turn.with_state(replace(turn.state, below=below))
    below = replace(below, forest=(*below.forest, card))
    return replant_forest(turn.with_state(replace(turn.state, below=below)))


# What can be given ----------------------------------------------------------------------------


def penalty_choices(turn: Turn, task: AnswerPenalty) -> tuple[Action, ...]:
    """What a seat may do about the first item that is left: give something, settle, or suffer."""
    item = task.items[0]
    return (
        *_gift_choices(turn, task.seat, item),
        *_settle_choices(turn, task),
        Action(ActionType.SUFFER, item=item),
    )


def _gift_choices(turn: Turn, index: int, item: PenaltyItem) -> Iterator[Action]:
    state, seat = turn.state, turn.state.seats[index]
    give = Action(ActionType.GIVE, item=item)
    if item is PenaltyItem.CARD:
        for card in possible_hand_cards(state, index):
            yield replace(give, card=card)
    elif item is PenaltyItem.VILLAGER:
        for cell, _ in _usable_villagers(turn, index):
            yield replace(give, cell=cell)
    elif item.is_building:
        for returned in returnable_buildings(seat):
            if item in (PenaltyItem.BUILDING, PenaltyItem.FARM + returned.building):
                yield replace(give, building=returned.building, spent=returned.spent)
    else:
        yield from _resource_gifts(turn, index, item, give)


def _resource_gifts(turn: Turn, index: int, item: PenaltyItem, give: Action) -> Iterator[Action]:
    state, seat = turn.state, turn.state.seats[index]
    for resource in Resource:
        if seat.tokens[resource] and _pays_item(item, ONE[resource]):
            yield replace(give, resource=resource)
    for kind in Building:
        if seat.buildings[kind].up and _pays_item(item, ONE[kind.yields]):
            yield replace(give, building=kind)
    for cell, resident in _usable_villagers(turn, index):
        villager = state.villager(resident.card)
        # Who can settle as well does so: see _settlings.
        if _pays_item(item, villager.icons) and not villager.settles:
            yield replace(give, cell=cell)
    for card in possible_hand_cards(state, index):
        if _pays_item(item, state.villager(card).icons):
            yield replace(give, card=card)


def _settle_choices(turn: Turn, task: AnswerPenalty) -> Iterator[Action]:
    """Villagers who settle: this item, or another while their icons pay for this one (C15)."""
    item, *others = task.items
    for cell, resident in _usable_villagers(turn, task.seat):
        villager = turn.state.villager(resident.card)
        if not villager.settles:
            continue
        yield Action(ActionType.SETTLE, item=item, cell=cell)
        if item.is_resource and _pays_item(item, villager.icons):
            for other in dict.fromkeys(others):
                if other is not item:
                    yield Action(ActionType.SETTLE, item=item, cell=cell, settles=other)


def _usable_villagers(turn: Turn, index: int) -> Iterator[tuple[int, Resident]]:
    """The face-up villagers that a seat can give, exhaust or send away (C4)."""
    acting_cell = turn.acting_cell if index == turn.state.turn else None
    for cell, resident in enumerate(turn.state.seats[index].village):
        if resident is not None and not resident.exhausted and cell != acting_cell:
            yield cell, resident


def _pays_item(item: PenaltyItem, icons: Amounts) -> bool:
    """Whether icons pay a resource item; gold pays any, and an item of gold is paid by it alone."""
    if item is PenaltyItem.ANY:
        return any(icons)
    return bool(icons[item] or icons[Resource.GOLD])


def paid_items(items: tuple[PenaltyItem, ...], icons: Amounts) -> tuple[PenaltyItem, ...]:
    """The resource items that icons pay together, as many as they can (C7).

    Items come in their order, kinds before whatever kind, so that none is paid with what another
    one needs: plain icons pay their own kind first, then gold, and the rest pays any.
    """
    left = list(icons)
    done: list[PenaltyItem] = []
    for item in items:
        if not item.is_resource:
            continue
        if item is PenaltyItem.ANY:
            with_ = next((resource for resource in Resource if left[resource]), None)
        else:
            with_ = next((at for at in (Resource(item), Resource.GOLD) if left[at]), None)
        if with_ is not None:
            left[with_] -= 1
            done.append(item)
    return tuple(done)


# What an answer comes to ----------------------------------------------------------------------


def apply_penalty_choice(turn: Turn, task: AnswerPenalty, action: Action) -> Turn:
    """A seat gives, settles or suffers; its task is gone already."""
    item, *others = task.items
    if action.type is ActionType.SUFFER:
        event = Event("suffer", "C7", player=turn.state.seats[task.seat].player, items=(item,))
        left = take_omen(turn.with_events(event), task.seat, 1, "C7")
        return _continue(left, task.seat, tuple(others))
    if action.type is ActionType.SETTLE:
        return _settle(turn, task, action)
    if item.is_resource:
        return _give(turn, task, action)
    return _continue(_give_up(turn, task.seat, action), task.seat, tuple(others))


def _continue(turn: Turn, seat: int, items: tuple[PenaltyItem, ...]) -> Turn:
    return turn.push(AnswerPenalty(seat, items)) if items else turn


def _settle(turn: Turn, task: AnswerPenalty, action: Action) -> Turn:
    """One item is settled, and the villager's icons pay others (C15)."""
    assert action.cell is not None, "a villager settles"
    assert action.item is not None, "an item is settled"
    seat = turn.state.seats[task.seat]
    resident = seat.village[action.cell]
    assert resident is not None, "a villager settles"
    settled = action.item if action.settles is None else action.settles
    left = _without_card(task.items, (settled,))
    also = paid_items(left, turn.state.villager(resident.card).icons)
    event = Event(
        "settle",
        "C15",
        player=seat.player,
        card=resident.card,
        cell=action.cell,
        items=(settled, *also),
    )
    state = turn.state.with_seat(task.seat, with_exhausted(seat, action.cell))
    return _continue(turn.with_state(state, event), task.seat, _without_card(left, also))


def _give(turn: Turn, task: AnswerPenalty, action: Action) -> Turn:
    """A source pays as many resource items as it fits, and what is over is lost (C7)."""
    payment, icons = _resource_source(turn, task.seat, action)
    done = paid_items(task.items, icons)
    player = turn.state.seats[task.seat].player
    event = Event("give", "C7", player=player, payment=payment, items=done)
    state = apply_payment(turn.state, task.seat, payment)
    return _continue(turn.with_state(state, event), task.seat, _without_card(task.items, done))


def _resource_source(turn: Turn, index: int, action: Action) -> tuple[Payment, Amounts]:
    """What is given for a resource item, and the resources it shows."""
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


def _give_up(turn: Turn, index: int, action: Action) -> Turn:
    """A card, a villager or a building is given, and pays for nothing else (C7)."""
    seat = turn.state.seats[index]
    assert action.item is not None, "it is given for an item"
    items = (action.item,)
    if action.card is not None:
        event = Event("give", "C7", player=seat.player, card=action.card, items=items)
        hand = seat.without_card(action.card).with_discard(action.card)
        return turn.with_state(turn.state.with_seat(index, hand), event)
    if action.cell is not None:
        resident = seat.village[action.cell]
        assert resident is not None, "a villager is sent away"
        event = Event(
            "give", "C7", player=seat.player, card=resident.card, cell=action.cell, items=items
        )
        return remove_resident(turn.with_events(event), index, action.cell)
    returned = next(
        each
        for each in returnable_buildings(seat)
        if each.building is action.building and each.spent == action.spent
    )
    event = Event("give", "C7", player=seat.player, building=returned.building, items=items)
    return return_building(turn.with_events(event), index, returned)


def _without_card(
    items: tuple[PenaltyItem, ...], done: tuple[PenaltyItem, ...]
) -> tuple[PenaltyItem, ...]:
    left = list(items)
    for item in done:
        left.remove(item)
    return tuple(left)
