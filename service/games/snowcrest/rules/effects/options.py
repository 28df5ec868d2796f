"""Choices within an effect, and their application."""

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
    Discard,
    Effect,
    Exhaust,
    Gain,
    GainKind,
    Recruit,
    Redraw,
    TakeBack,
    Trade,
    Wake,
)
from service.games.snowcrest.rules.actions import DECLINE, SKIP, Action, ActionType, Returned
from service.games.snowcrest.rules.payments.payments import MAX_LISTED, can_pay
from service.games.snowcrest.rules.payments.resources import (
    NOTHING,
    ONE,
    PLAIN,
    Building,
    Resource,
    plus,
)
from service.games.snowcrest.rules.payments.sources import possible_hand_cards
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
    ReturnSpirit,
    Turn,
    is_copyable,
    put_under_pile,
    skip,
)

# Choices --------------------------------------------------------------------------------------


def build_choices(turn: Turn, kind: Building | None) -> Iterator[Action]:
    """Yield the buildings that can be built (C5, C21).

    If all slots are full, another building goes back first.
    """
    kinds = tuple(Building) if kind is None else (kind,)
    state, mover = turn.state, turn.mover
    if mover.building_count < BUILDING_SLOTS:
        for new_kind in kinds:
            if state.available_buildings(new_kind):
                yield Action(ActionType.BUILD, building=new_kind)
        return
    for new_kind in kinds:
        for returned in returnable_buildings(mover):
            if state.available_buildings(new_kind) or returned.building is new_kind:
                yield Action(ActionType.BUILD, building=new_kind, returned=returned)


def returnable_buildings(seat: Seat) -> Iterator[Returned]:
    """Yield the distinct buildings that a seat can return."""
    for kind in Building:
        if seat.buildings[kind].up:
            yield Returned(kind, False)
        if seat.buildings[kind].spent:
            yield Returned(kind, True)


def trade_choices(turn: Turn, effect: Trade) -> Iterator[Action]:
    """Yield the possible trades."""
    for give, get in product(effect.sets, repeat=2):
        if give.what != get.what and _can_trade_away(turn, give):
            yield Action(ActionType.TRADE, give=give.what, get=get.what)


def _can_trade_away(turn: Turn, give: Gain) -> bool:
    if give.what is GainKind.SCROLL:
        return turn.mover.scrolls >= give.count
    return can_pay(turn.state, turn.state.turn, trade_cost(give), turn.acting_cell)


def trade_cost(give: Gain) -> Cost:
    """Return the cost of the given side of a trade."""
    resource = give.what.resource
    assert resource is not None, "only resources have a cost"
    return Cost(plus(NOTHING, ONE[resource], give.count))


def redraw_choices(turn: Turn) -> tuple[Action, ...]:
    """Return the sets of hand cards to discard, the empty one included, up to ``MAX_LISTED``."""
    listed = islice(_redraws(turn), MAX_LISTED)
    return tuple(Action(ActionType.REDRAW, cards=cards) for cards in listed)


def has_more_redraws(turn: Turn) -> bool:
    """Return whether :func:`redraw_choices` leaves sets of hand cards out."""
    return next(islice(_redraws(turn), MAX_LISTED, None), None) is not None


def _redraws(turn: Turn) -> Iterator[tuple[Card, ...]]:
    hand = tuple(possible_hand_cards(turn.state, turn.state.turn).items())

    def choose(at: int, chosen: tuple[Card, ...], left: int) -> Iterator[tuple[Card, ...]]:
        if at == len(hand):
            yield chosen
            return
        card, (known, maximum) = hand[at]
        for count in range(min(maximum, known + left) + 1):
            yield from choose(at + 1, chosen + (card,) * count, left - max(0, count - known))

    return choose(0, (), turn.mover.unknown_count)


def copy_choices(turn: Turn) -> tuple[Action, ...]:
    """Return the villagers to copy: of other players, or of the row in a solo game (C13, C17)."""
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


def villager_choices(turn: Turn, *, wake: bool) -> tuple[Action, ...]:
    """Return the villagers to turn face up, or else to exhaust; the acting one is neither."""
    kind = ActionType.WAKE if wake else ActionType.EXHAUST
    return tuple(
        Action(kind, cell=cell)
        for cell, resident in enumerate(turn.mover.village)
        if resident is not None and resident.exhausted == wake and cell != turn.acting_cell
    )


def recruit_choices(turn: Turn) -> tuple[Action, ...]:
    """Return the cards that can be recruited from the hand and the row."""
    cards = (*possible_hand_cards(turn.state, turn.state.turn), *dict.fromkeys(turn.state.row))
    return tuple(Action(ActionType.RECRUIT, card=card) for card in cards)


def effect_choices(turn: Turn, effect: Effect) -> tuple[Action, ...]:
    """Return the choices of an effect that needs one."""
    match effect:
        case Build(building=building):
            return tuple(build_choices(turn, building))
        case Trade():
            return (*trade_choices(turn, effect), DECLINE)
        case TakeBack():
            return (
                *(
                    Action(ActionType.TAKE_BACK, card=card)
                    for card in dict.fromkeys(turn.mover.discards)
                ),
                DECLINE,
            )
        case Redraw():
            return redraw_choices(turn)
        case Copy():
            return copy_choices(turn)
        case Wake() | Exhaust():
            return villager_choices(turn, wake=isinstance(effect, Wake))
        case Discard():
            cards = possible_hand_cards(turn.state, turn.state.turn)
            return (*(Action(ActionType.DISCARD, card=card) for card in cards), SKIP)
    raise AssertionError(f"{effect} needs no choice")


def gain_choices() -> tuple[Action, ...]:
    """Return the resources to choose from for a gain of any kind."""
    return tuple(Action(ActionType.GAIN, resource=resource) for resource in PLAIN)


# Applying a choice ----------------------------------------------------------------------------


def apply_effect_choice(turn: Turn, effect: Effect, action: Action) -> Turn:
    """Apply an effect as chosen; its task has been popped."""
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
        case Wake() | Exhaust():
            return _turn_villager(turn, action)
        case Discard() if action.type is ActionType.SKIP:
            return skip(turn, "discard")
        case Discard():
            assert action.card is not None, "a card is discarded"
            return _discard(turn, action.card, "C5")
    raise AssertionError(f"{effect} needs no choice")


def build(turn: Turn, action: Action) -> Turn:
    """Build a building, after returning another one if necessary."""
    assert action.building is not None, "a kind is built"
    seat = turn.mover
    if action.returned is not None:
        turn = return_building(turn, turn.state.turn, action.returned)
        seat = turn.mover
    counts = list(seat.buildings)
    up, spent = counts[action.building]
    counts[action.building] = BuildingCount(up + 1, spent)
    event = Event("build", player=seat.player, building=action.building)
    return turn.with_mover(replace(seat, buildings=_building_counts(counts)), event)


def return_building(turn: Turn, seat: int, returned: Returned) -> Turn:
    """Return a building to the board."""
    owner = turn.state.seats[seat]
    counts = list(owner.buildings)
    up, spent = counts[returned.building]
    counts[returned.building] = BuildingCount(up - (not returned.spent), spent - returned.spent)
    event = Event("return", player=owner.player, building=returned.building)
    state = turn.state.with_seat(seat, replace(owner, buildings=_building_counts(counts)))
    return turn.with_state(state, event)


def _building_counts(counts: list[BuildingCount]) -> BuildingCounts:
    farms, forges, temples = counts
    return (farms, forges, temples)


def apply_gain_choice(turn: Turn, left: int, resource: Resource) -> Turn:
    """Gain one chosen resource, and queue the rest of the gain."""
    if left > 1:
        turn = turn.push(ReceiveGain(GainKind.ANY, left - 1))
    gain = ReceiveGain(GainKind(resource), 1)
    return _after_refill(turn, gain) if resource is Resource.JUNIPER else turn.push(gain)


def _after_refill(turn: Turn, gain: ReceiveGain) -> Turn:
    """Queue a gain of juniper; in the reward of a forest card, after the refill (C8)."""
    for place, task in enumerate(turn.tasks):
        if isinstance(task, ReturnSpirit):
            if not task.forest:
                break
            return replace(turn, tasks=(*turn.tasks[: place + 1], gain, *turn.tasks[place + 1 :]))
    return turn.push(gain)


def _trade(turn: Turn, effect: Trade, action: Action) -> Turn:
    if action.type is ActionType.DECLINE:
        return turn.with_events(Event("decline", "C5", player=turn.mover.player))
    sets = {each.what: each for each in effect.sets}
    assert action.give is not None, "a trade has two sides"
    assert action.get is not None, "a trade has two sides"
    give, get = sets[action.give], sets[action.get]
    rule = "C9" if GainKind.SCROLL in (give.what, get.what) else "C5"
    event = Event("trade", rule, player=turn.mover.player, what=give.what, count=give.count)
    if give.what is not GainKind.SCROLL:
        return turn.with_events(event).push(PayCost(trade_cost(give), (get,), chosen=True))
    seat = replace(turn.mover, scrolls=turn.mover.scrolls - give.count)
    state = replace(turn.state, supply=turn.state.supply + give.count)
    return turn.with_state(state.with_seat(state.turn, seat), event).push(ApplyEffect(get))


def _take_back(turn: Turn, action: Action) -> Turn:
    if action.type is ActionType.DECLINE:
        return turn.with_events(Event("decline", "C5", player=turn.mover.player))
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
        turn = _discard(turn, card, "C19")
    return turn.push(DrawCards(len(cards)))


def _discard(turn: Turn, card: Card, rule: str) -> Turn:
    seat = turn.mover.without_card(card).with_discard(card)
    return turn.with_mover(seat, Event("discard", rule, player=seat.player, card=card))


def _copy(turn: Turn, action: Action) -> Turn:
    state = turn.state
    if action.card is not None:
        event = Event("copy", "C17", player=turn.mover.player, card=action.card)
        turn = turn.push(ReturnCopiedCommon(action.card))
        card = action.card
    else:
        assert action.cell is not None, "the copied cell has a villager"
        resident = owner_of(state, action).village[action.cell]
        assert resident is not None, "the copied cell has a villager"
        card = resident.card
        event = Event("copy", "C17", player=turn.mover.player, card=card, owner=action.owner)
    return turn.with_events(event).push(*map(PerformAction, state.villager(card).actions))


def _turn_villager(turn: Turn, action: Action) -> Turn:
    assert action.cell is not None, "a villager is turned"
    resident = turn.mover.village[action.cell]
    assert resident is not None, "a villager is turned"
    player, card = turn.mover.player, resident.card
    event = Event(action.type.label, "C5", player=player, card=card, cell=action.cell)
    turned = Resident(card, not resident.exhausted)
    return turn.with_mover(turn.mover.with_resident(action.cell, turned), event)


def owner_of(state: State, action: Action) -> Seat:
    """Return the seat whose villager is copied."""
    return next(seat for seat in state.seats if seat.player == action.owner)


def return_copied_common(turn: Turn, card: Card) -> Turn:
    """Put a copied common under its pile (C13)."""
    row = list(turn.state.row)
    row.remove(card)
    return put_under_pile(turn.with_state(replace(turn.state, row=tuple(row))), card)


def place_villager(turn: Turn, card: Card, cell: int) -> Turn:
    """Move a villager from the hand or the row into a free cell, face up."""
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
    """Put a recruited villager into a cell; it acts at no cost, unless it is a recruiter (C18)."""
    event = Event("recruit", "C18", player=turn.mover.player, card=card, cell=cell)
    return queue_entry_actions(place_villager(turn, card, cell).with_events(event), card)


def queue_entry_actions(turn: Turn, card: Card) -> Turn:
    """Queue the actions of a villager who enters the village; a recruiter has none yet (C18)."""
    villager = turn.state.villager(card)
    if villager.has(Recruit):
        return turn
    return turn.push(*map(PerformAction, villager.actions))


def without_unknown_cards(state: State, seat: int) -> State:
    """Return the state with the unknown cards of a seat's hand removed."""
    known = tuple(card for card in state.seats[seat].hand if card != UNKNOWN)
    return state.with_seat(seat, replace(state.seats[seat], hand=known))


def without_hand(state: State, seat: int) -> State:
    """Return the state without a seat's hand, for what does not depend on secret cards (C5)."""
    return state.with_seat(seat, replace(state.seats[seat], hand=()))


def may_have_in_hand(state: State, seat: int, cards: tuple[Card, ...]) -> bool:
    """Return whether a seat may have all these cards in hand, some of them unknown."""
    hand = possible_hand_cards(state, seat)
    unseen = 0
    for card, count in Counter(cards).items():
        known, maximum = hand.get(card, (0, 0))
        if count > maximum:
            return False
        unseen += max(0, count - known)
    return unseen <= state.seats[seat].unknown_count
