"""What the player may choose for an effect, and what a choice comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    Build,
    Card,
    Copy,
    Cost,
    Effect,
    Gain,
    GainKind,
    Recruit,
    Redraw,
    TakeBack,
    Trade,
)
from service.games.snowcrest.payments.payments import MAX_LISTED, can_pay
from service.games.snowcrest.payments.resources import NOTHING, ONE, PLAIN, Building, Resource, plus
from service.games.snowcrest.payments.sources import possible_hand_cards
from service.games.snowcrest.rules.actions import DECLINE, Action, ActionType, Returned
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    BUILDING_SLOTS,
    BuildingCount,
    BuildingCounts,
    Resident,
    Seat,
    State,
)
from service.games.snowcrest.rules.turn import (
    ApplyEffect,
    DrawCards,
    PayCost,
    PerformAction,
    ReceiveGain,
    ReturnCopiedCommon,
    Turn,
    is_copyable,
    put_under_pile,
)

# Choices --------------------------------------------------------------------------------------


def build_choices(turn: Turn, kind: Building | None) -> Iterator[Action]:
    """What can be built; on a full row a building goes back first (C5, C21)."""
    kinds = tuple(Building) if kind is None else (kind,)
    state, mover = turn.state, turn.mover
    if mover.building_count < BUILDING_SLOTS:
        for built_ in kinds:
            if state.available_buildings(built_):
                yield Action(ActionType.BUILD, building=built_)
        return
    for built_ in kinds:
        for returned in returnable_buildings(mover):
            if state.available_buildings(built_) or returned.building is built_:
                yield Action(ActionType.BUILD, building=built_, returned=returned)


def returnable_buildings(seat: Seat) -> Iterator[Returned]:
    for kind in Building:
        if seat.buildings[kind].up:
            yield Returned(kind, False)
        if seat.buildings[kind].spent:
            yield Returned(kind, True)


def trade_choices(turn: Turn, effect: Trade) -> Iterator[Action]:
    for give, get in product(effect.sets, repeat=2):
        if give.what != get.what and _can_trade_away(turn, give):
            yield Action(ActionType.TRADE, give=give.what, get=get.what)


def _can_trade_away(turn: Turn, give: Gain) -> bool:
    if give.what is GainKind.SCROLL:
        return turn.mover.scrolls >= give.count
    return can_pay(turn.state, turn.state.turn, trade_cost(give), turn.acting_cell)


def trade_cost(give: Gain) -> Cost:
    resource = give.what.resource
    assert resource is not None, "scrolls are given otherwise"
    return Cost(plus(NOTHING, ONE[resource], give.count))


def redraw_choices(turn: Turn) -> tuple[Action, ...]:
    """Any cards of the hand, none included; where there are too many ways the first ones."""
    held = tuple(possible_hand_cards(turn.state, turn.state.turn).items())

    def choose(at: int, chosen: tuple[Card, ...], left: int) -> Iterator[tuple[Card, ...]]:
        if at == len(held):
            yield chosen
            return
        card, (known, most) = held[at]
        for count in range(min(most, known + left) + 1):
            yield from choose(at + 1, chosen + (card,) * count, left - max(0, count - known))

    some = islice(choose(0, (), turn.mover.unknown_count), MAX_LISTED)
    return tuple(Action(ActionType.REDRAW, cards=cards) for cards in some)


def copy_choices(turn: Turn) -> tuple[Action, ...]:
    """Whose action can be copied: of others, or in the game of one of the row (C17)."""
    state = turn.state
    if state.solo:
        row = dict.fromkeys(card for card in state.row if is_copyable(state.villager(card)))
        return tuple(Action(ActionType.COPY, card=card) for card in row)
    return tuple(
        Action(ActionType.COPY, owner=state.seats[seat].player, cell=cell)
        for seat in state.seats_after(state.turn)
        for cell, resident in enumerate(state.seats[seat].village)
        if resident is not None
        and not resident.exhausted
        and is_copyable(state.villager(resident.card))
    )


def recruit_choices(turn: Turn) -> tuple[Action, ...]:
    cards = (*possible_hand_cards(turn.state, turn.state.turn), *dict.fromkeys(turn.state.row))
    return tuple(Action(ActionType.RECRUIT, card=card) for card in cards)


def effect_choices(turn: Turn, effect: Effect) -> tuple[Action, ...]:
    """What the player may choose for an effect that waits."""
    match effect:
        case Build(building=building):
            return tuple(build_choices(turn, building))
        case Trade():
            return (*trade_choices(turn, effect), DECLINE)
        case TakeBack():
            return tuple(
                Action(ActionType.TAKE_BACK, card=card)
                for card in dict.fromkeys(turn.mover.discards)
            )
        case Redraw():
            return redraw_choices(turn)
        case Copy():
            return copy_choices(turn)
    raise AssertionError(f"{effect} waits for nobody")


def gain_choices() -> tuple[Action, ...]:
    return tuple(Action(ActionType.GAIN, resource=resource) for resource in PLAIN)


# What a choice comes to -----------------------------------------------------------------------


def apply_effect_choice(turn: Turn, effect: Effect, action: Action) -> Turn:
    """Carries out an effect as it was chosen; its task is gone already."""
    match effect:
        case Build():
            return build(turn, action)
        case Trade():
            return _trade(turn, effect, action)
        case TakeBack():
            return _take_back(turn, action)
        case Redraw():
            return _redraw(turn, action)
        case Copy():
            return _copy(turn, action)
    raise AssertionError(f"{effect} waits for nobody")


def build(turn: Turn, action: Action) -> Turn:
    assert action.building is not None, "a kind is built"
    seat = turn.mover
    if action.returned is not None:
        turn = return_building(turn, turn.state.turn, action.returned)
        seat = turn.mover
    stocks = list(seat.buildings)
    up, spent = stocks[action.building]
    stocks[action.building] = BuildingCount(up + 1, spent)
    event = Event("build", player=seat.player, building=action.building)
    return turn.with_mover(replace(seat, buildings=_three(stocks)), event)


def return_building(turn: Turn, seat: int, returned: Returned) -> Turn:
    """A building goes back to the board."""
    owner = turn.state.seats[seat]
    stocks = list(owner.buildings)
    up, spent = stocks[returned.building]
    stocks[returned.building] = BuildingCount(up - (not returned.spent), spent - returned.spent)
    event = Event("return", player=owner.player, building=returned.building)
    state = turn.state.with_seat(seat, replace(owner, buildings=_three(stocks)))
    return turn.with_state(state, event)


def _three(stocks: list[BuildingCount]) -> BuildingCounts:
    farms, forges, temples = stocks
    return (farms, forges, temples)


def apply_gain_choice(turn: Turn, left: int, resource: Resource) -> Turn:
    """One of whatever kind; what is left of the gain comes after it."""
    if left > 1:
        turn = turn.push(ReceiveGain(GainKind.ANY, left - 1))
    return turn.push(ReceiveGain(GainKind(resource), 1))


def _trade(turn: Turn, effect: Trade, action: Action) -> Turn:
    if action.type is ActionType.DECLINE:
        return turn.with_events(Event("decline", "C5", player=turn.mover.player))
    sets = {each.what: each for each in effect.sets}
    assert action.give is not None, "a trade has two sides"
    assert action.get is not None, "a trade has two sides"
    give, get = sets[action.give], sets[action.get]
    event = Event("trade", "C9", player=turn.mover.player, what=give.what, count=give.count)
    if give.what is not GainKind.SCROLL:
        return turn.with_events(event).push(PayCost(trade_cost(give), (get,), chosen=True))
    seat = replace(turn.mover, scrolls=turn.mover.scrolls - give.count)
    state = replace(turn.state, supply=turn.state.supply + give.count)
    return turn.with_state(state.with_seat(state.turn, seat), event).push(ApplyEffect(get))


def _take_back(turn: Turn, action: Action) -> Turn:
    assert action.card is not None, "a card is taken back"
    discards = list(turn.mover.discards)
    discards.remove(action.card)
    seat = replace(turn.mover, discards=tuple(discards)).with_card(action.card)
    return turn.with_mover(seat, Event("take-back", player=seat.player, card=action.card))


def _redraw(turn: Turn, action: Action) -> Turn:
    cards = action.cards or ()
    if not cards:
        return turn.with_events(Event("decline", "C19", player=turn.mover.player))
    for card in cards:
        seat = turn.mover.without_card(card).with_discard(card)
        turn = turn.with_mover(seat, Event("discard", "C19", player=seat.player, card=card))
    return turn.push(DrawCards(len(cards)))


def _copy(turn: Turn, action: Action) -> Turn:
    state = turn.state
    if action.card is not None:
        event = Event("copy", "C17", player=turn.mover.player, card=action.card)
        turn = turn.push(ReturnCopiedCommon(action.card))
        card = action.card
    else:
        assert action.cell is not None, "somebody's villager is copied"
        resident = owner_of(state, action).village[action.cell]
        assert resident is not None, "somebody's villager is copied"
        card = resident.card
        event = Event("copy", "C17", player=turn.mover.player, card=card, owner=action.owner)
    return turn.with_events(event).push(*map(PerformAction, state.villager(card).actions))


def owner_of(state: State, action: Action) -> Seat:
    return next(seat for seat in state.seats if seat.player == action.owner)


def return_copied_common(turn: Turn, card: Card) -> Turn:
    """The copied common goes under the pile, if it is still there (C13)."""
    row = list(turn.state.row)
    row.remove(card)
    return put_under_pile(turn.with_state(replace(turn.state, row=tuple(row))), card)


def place_villager(turn: Turn, card: Card, cell: int) -> Turn:
    """A villager comes from the hand or the row into a free cell, face up."""
    state, seat = turn.state, turn.mover
    if card in state.catalogue.deck:
        seat = seat.without_card(card)
    else:
        row = list(state.row)
        row.remove(card)
        state = replace(state, row=tuple(row))
    seat = seat.with_resident(cell, Resident(card))
    return replace(turn.with_state(state.with_seat(state.turn, seat)), acting_cell=cell)


def recruit(turn: Turn, cell: int, card: Card) -> Turn:
    """Whoever is recruited acts at once, and costs nothing; a recruiter does not act (C18)."""
    event = Event("recruit", "C18", player=turn.mover.player, card=card, cell=cell)
    return queue_entry_actions(place_villager(turn, card, cell).with_events(event), card)


def queue_entry_actions(turn: Turn, card: Card) -> Turn:
    """The actions of a villager who has come into the village; a recruiter has none yet (C18)."""
    villager = turn.state.villager(card)
    if villager.has(Recruit):
        return turn
    return turn.push(*map(PerformAction, villager.actions))


def without_unknown_cards(state: State, seat: int) -> State:
    """As if the seat held no card that nobody has told."""
    known = tuple(card for card in state.seats[seat].hand if card != UNKNOWN)
    return state.with_seat(seat, replace(state.seats[seat], hand=known))


def may_have_in_hand(state: State, seat: int, cards: tuple[Card, ...]) -> bool:
    """Whether a seat may hold all these cards, unknown ones being some of them."""
    held = possible_hand_cards(state, seat)
    unseen = 0
    for card, count in Counter(cards).items():
        known, most = held.get(card, (0, 0))
        if count > most:
            return False
        unseen += max(0, count - known)
    return unseen <= state.seats[seat].unknown_count
