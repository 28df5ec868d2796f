"""Guardians and forest cards: what they take, item by item, and what they give (C7, C8, C15)."""

from __future__ import annotations

from collections.abc import Iterator

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import Card, Gained, Item
from service.games.snowcrest.effects.options import returnable, returned_building
from service.games.snowcrest.payments.resources import ONE, Amounts, Building, Resource
from service.games.snowcrest.payments.sources import exhausted, hand_cards, paid
from service.games.snowcrest.rules.actions import NO_PAYMENT, Act, Atom, Payment
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    Resident,
    after_top,
    unseen_forest,
    unseen_guardians,
)
from service.games.snowcrest.rules.turn import (
    Demand,
    Doom,
    Lay,
    Receive,
    Task,
    Turn,
    replanted,
    with_omen,
    without_resident,
)

# What a card sets going -----------------------------------------------------------------------


def flipped(turn: Turn, card: Card, *, forest: bool) -> Turn:
    """A guardian or forest card is turned up: own penalty, the others', reward, under the pile."""
    state = turn.state
    below = state.below
    if forest:
        below = replace(below, forest=after_top(unseen_forest(state), below.forest))
    else:
        below = replace(below, guardians=after_top(unseen_guardians(state), below.guardians))
    spirit = state.catalogue.spirit(card)
    event = Event(
        "forest" if forest else "guardian",
        "C8" if forest else None,
        player=turn.mover.player,
        card=card,
    )
    tasks: list[Task] = []
    for seat in (state.turn, *state.after(state.turn)):
        penalty = spirit.own if seat == state.turn else spirit.others
        tasks += [Doom(seat, penalty.omen), Demand(seat, penalty.items)]
    reward = [Receive(gain.what, gain.count) for gain in spirit.reward]
    # Juniper of the reward can be taken only once there is some again.
    late = [gain for gain in reward if forest and gain.what is Gained.JUNIPER]
    tasks += [gain for gain in reward if gain not in late]
    return turn.at(replace(state, below=below), event).first(*tasks, Lay(card, forest), *late)


def lain(turn: Turn, card: Card, *, forest: bool) -> Turn:
    """The card goes under its pile, where it is known; the forest is planted again."""
    below = turn.state.below
    if not forest:
        below = replace(below, guardians=(*below.guardians, card))
        return turn.at(replace(turn.state, below=below))
    below = replace(below, forest=(*below.forest, card))
    return replanted(turn.at(replace(turn.state, below=below)))


# What can be given ----------------------------------------------------------------------------


def answers(turn: Turn, demand: Demand) -> tuple[Atom, ...]:
    """What a seat may do about the first item that is left: give something, settle, or suffer."""
    item = demand.items[0]
    return (
        *_gifts(turn, demand.seat, item),
        *_settlings(turn, demand),
        Atom(Act.SUFFER, item=item),
    )


def _gifts(turn: Turn, index: int, item: Item) -> Iterator[Atom]:
    state, seat = turn.state, turn.state.seats[index]
    give = Atom(Act.GIVE, item=item)
    if item is Item.CARD:
        for card in hand_cards(state, index):
            yield replace(give, card=card)
    elif item is Item.VILLAGER:
        for cell, _ in _awake(turn, index):
            yield replace(give, cell=cell)
    elif item.is_building:
        for returned in returnable(seat):
            if item in (Item.BUILDING, Item.FARM + returned.building):
                yield replace(give, building=returned.building, spent=returned.spent)
    else:
        yield from _resources(turn, index, item, give)


def _resources(turn: Turn, index: int, item: Item, give: Atom) -> Iterator[Atom]:
    state, seat = turn.state, turn.state.seats[index]
    for resource in Resource:
        if seat.tokens[resource] and _fits(item, ONE[resource]):
            yield replace(give, resource=resource)
    for kind in Building:
        if seat.buildings[kind].up and _fits(item, ONE[kind.yields]):
            yield replace(give, building=kind)
    for cell, resident in _awake(turn, index):
        villager = state.villager(resident.card)
        # Who can settle as well does so: see _settlings.
        if _fits(item, villager.icons) and not villager.settles:
            yield replace(give, cell=cell)
    for card in hand_cards(state, index):
        if _fits(item, state.villager(card).icons):
            yield replace(give, card=card)


def _settlings(turn: Turn, demand: Demand) -> Iterator[Atom]:
    """Villagers who settle: this item, or another while their icons pay for this one (C15)."""
    item, *others = demand.items
    for cell, resident in _awake(turn, demand.seat):
        villager = turn.state.villager(resident.card)
        if not villager.settles:
            continue
        yield Atom(Act.SETTLE, item=item, cell=cell)
        if item.is_resource and _fits(item, villager.icons):
            for other in dict.fromkeys(others):
                if other is not item:
                    yield Atom(Act.SETTLE, item=item, cell=cell, settles=other)


def _awake(turn: Turn, index: int) -> Iterator[tuple[int, Resident]]:
    """The face-up villagers that a seat can give, exhaust or send away (C4)."""
    idle = turn.idle if index == turn.state.turn else None
    for cell, resident in enumerate(turn.state.seats[index].village):
        if resident is not None and not resident.exhausted and cell != idle:
            yield cell, resident


def _fits(item: Item, icons: Amounts) -> bool:
    """Whether icons pay a resource item; gold pays any, and an item of gold is paid by it alone."""
    if item is Item.ANY:
        return any(icons)
    return bool(icons[item] or icons[Resource.GOLD])


def covered(items: tuple[Item, ...], icons: Amounts) -> tuple[Item, ...]:
    """The resource items that icons pay together, as many as they can (C7).

    Items come in their order, kinds before whatever kind, so that none is paid with what another
    one needs: plain icons pay their own kind first, then gold, and the rest pays any.
    """
    left = list(icons)
    done: list[Item] = []
    for item in items:
        if not item.is_resource:
            continue
        if item is Item.ANY:
            with_ = next((resource for resource in Resource if left[resource]), None)
        else:
            with_ = next((at for at in (Resource(item), Resource.GOLD) if left[at]), None)
        if with_ is not None:
            left[with_] -= 1
            done.append(item)
    return tuple(done)


# What an answer comes to ----------------------------------------------------------------------


def answered(turn: Turn, demand: Demand, atom: Atom) -> Turn:
    """A seat gives, settles or suffers; its task is gone already."""
    item, *others = demand.items
    if atom.act is Act.SUFFER:
        event = Event("suffer", "C7", player=turn.state.seats[demand.seat].player, items=(item,))
        left = with_omen(turn.noting(event), demand.seat, 1, "C7")
        return _going_on(left, demand.seat, tuple(others))
    if atom.act is Act.SETTLE:
        return _settled(turn, demand, atom)
    if item.is_resource:
        return _given(turn, demand, atom)
    return _going_on(_parted(turn, demand.seat, atom), demand.seat, tuple(others))


def _going_on(turn: Turn, seat: int, items: tuple[Item, ...]) -> Turn:
    return turn.first(Demand(seat, items)) if items else turn


def _settled(turn: Turn, demand: Demand, atom: Atom) -> Turn:
    """One item is settled, and the villager's icons pay others (C15)."""
    assert atom.cell is not None, "a villager settles"
    assert atom.item is not None, "an item is settled"
    seat = turn.state.seats[demand.seat]
    resident = seat.village[atom.cell]
    assert resident is not None, "a villager settles"
    settled = atom.item if atom.settles is None else atom.settles
    left = _without(demand.items, (settled,))
    also = covered(left, turn.state.villager(resident.card).icons)
    event = Event(
        "settle",
        "C15",
        player=seat.player,
        card=resident.card,
        cell=atom.cell,
        items=(settled, *also),
    )
    state = turn.state.with_seat(demand.seat, exhausted(seat, atom.cell))
    return _going_on(turn.at(state, event), demand.seat, _without(left, also))


def _given(turn: Turn, demand: Demand, atom: Atom) -> Turn:
    """A source pays as many resource items as it fits, and what is over is lost (C7)."""
    payment, icons = _source(turn, demand.seat, atom)
    done = covered(demand.items, icons)
    player = turn.state.seats[demand.seat].player
    event = Event("give", "C7", player=player, payment=payment, items=done)
    state = paid(turn.state, demand.seat, payment)
    return _going_on(turn.at(state, event), demand.seat, _without(demand.items, done))


def _source(turn: Turn, index: int, atom: Atom) -> tuple[Payment, Amounts]:
    """What is given for a resource item, and the resources it shows."""
    state = turn.state
    if atom.resource is not None:
        return NO_PAYMENT._replace(tokens=ONE[atom.resource]), ONE[atom.resource]
    if atom.building is not None:
        farms, forges, temples = (int(kind is atom.building) for kind in Building)
        payment = NO_PAYMENT._replace(buildings=(farms, forges, temples))
        return payment, ONE[atom.building.yields]
    if atom.card is not None:
        return NO_PAYMENT._replace(hand=(atom.card,)), state.villager(atom.card).icons
    assert atom.cell is not None, "a source is given"
    resident = state.seats[index].village[atom.cell]
    assert resident is not None, "a villager is exhausted"
    return NO_PAYMENT._replace(cells=(atom.cell,)), state.villager(resident.card).icons


def _parted(turn: Turn, index: int, atom: Atom) -> Turn:
    """A card, a villager or a building is given, and pays for nothing else (C7)."""
    seat = turn.state.seats[index]
    assert atom.item is not None, "it is given for an item"
    items = (atom.item,)
    if atom.card is not None:
        event = Event("give", "C7", player=seat.player, card=atom.card, items=items)
        hand = seat.without_card(atom.card).discarding(atom.card)
        return turn.at(turn.state.with_seat(index, hand), event)
    if atom.cell is not None:
        resident = seat.village[atom.cell]
        assert resident is not None, "a villager is sent away"
        event = Event(
            "give", "C7", player=seat.player, card=resident.card, cell=atom.cell, items=items
        )
        return without_resident(turn.noting(event), index, atom.cell)
    returned = next(
        each
        for each in returnable(seat)
        if each.building is atom.building and each.spent == atom.spent
    )
    event = Event("give", "C7", player=seat.player, building=returned.building, items=items)
    return returned_building(turn.noting(event), index, returned)


def _without(items: tuple[Item, ...], done: tuple[Item, ...]) -> tuple[Item, ...]:
    left = list(items)
    for item in done:
        left.remove(item)
    return tuple(left)
