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
    Gained,
    Recruit,
    Redraw,
    TakeBack,
    Trade,
)
from service.games.snowcrest.payments.payments import MOST_LISTED, can_pay
from service.games.snowcrest.payments.resources import NOTHING, ONE, PLAIN, Building, Resource, plus
from service.games.snowcrest.payments.sources import hand_cards
from service.games.snowcrest.rules.actions import DECLINE, Act, Atom, Returned
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    SLOTS,
    Resident,
    Seat,
    State,
    Stock,
    Stocks,
)
from service.games.snowcrest.rules.turn import (
    Do,
    Draw,
    Pay,
    Perform,
    Receive,
    Release,
    Turn,
    copyable,
    under_pile,
)

# Choices --------------------------------------------------------------------------------------


def buildings_to_build(turn: Turn, kind: Building | None) -> Iterator[Atom]:
    """What can be built; on a full row a building goes back first (C5, C21)."""
    kinds = tuple(Building) if kind is None else (kind,)
    state, mover = turn.state, turn.mover
    if mover.building_count < SLOTS:
        for built_ in kinds:
            if state.left_of(built_):
                yield Atom(Act.BUILD, building=built_)
        return
    for built_ in kinds:
        for returned in returnable(mover):
            if state.left_of(built_) or returned.building is built_:
                yield Atom(Act.BUILD, building=built_, returned=returned)


def returnable(seat: Seat) -> Iterator[Returned]:
    for kind in Building:
        if seat.buildings[kind].up:
            yield Returned(kind, False)
        if seat.buildings[kind].spent:
            yield Returned(kind, True)


def trades(turn: Turn, effect: Trade) -> Iterator[Atom]:
    for give, get in product(effect.sets, repeat=2):
        if give.what != get.what and _can_give(turn, give):
            yield Atom(Act.TRADE, give=give.what, get=get.what)


def _can_give(turn: Turn, give: Gain) -> bool:
    if give.what is Gained.SCROLL:
        return turn.mover.scrolls >= give.count
    return can_pay(turn.state, turn.state.turn, traded_cost(give), turn.idle)


def traded_cost(give: Gain) -> Cost:
    resource = give.what.resource
    assert resource is not None, "scrolls are given otherwise"
    return Cost(plus(NOTHING, ONE[resource], give.count))


def redraws(turn: Turn) -> tuple[Atom, ...]:
    """Any cards of the hand, none included; where there are too many ways the first ones."""
    held = tuple(hand_cards(turn.state, turn.state.turn).items())

    def choose(at: int, chosen: tuple[Card, ...], left: int) -> Iterator[tuple[Card, ...]]:
        if at == len(held):
            yield chosen
            return
        card, (known, most) = held[at]
        for count in range(min(most, known + left) + 1):
            yield from choose(at + 1, chosen + (card,) * count, left - max(0, count - known))

    some = islice(choose(0, (), turn.mover.unknown), MOST_LISTED)
    return tuple(Atom(Act.REDRAW, cards=cards) for cards in some)


def copies(turn: Turn) -> tuple[Atom, ...]:
    """Whose action can be copied: of others, or in the game of one of the row (C17)."""
    state = turn.state
    if state.solo:
        row = dict.fromkeys(card for card in state.row if copyable(state.villager(card)))
        return tuple(Atom(Act.COPY, card=card) for card in row)
    return tuple(
        Atom(Act.COPY, owner=state.seats[seat].player, cell=cell)
        for seat in state.after(state.turn)
        for cell, resident in enumerate(state.seats[seat].village)
        if resident is not None
        and not resident.exhausted
        and copyable(state.villager(resident.card))
    )


def hires(turn: Turn) -> tuple[Atom, ...]:
    cards = (*hand_cards(turn.state, turn.state.turn), *dict.fromkeys(turn.state.row))
    return tuple(Atom(Act.RECRUIT, card=card) for card in cards)


def choices(turn: Turn, effect: Effect) -> tuple[Atom, ...]:
    """What the player may choose for an effect that waits."""
    match effect:
        case Build(building=building):
            return tuple(buildings_to_build(turn, building))
        case Trade():
            return (*trades(turn, effect), DECLINE)
        case TakeBack():
            return tuple(
                Atom(Act.TAKE_BACK, card=card) for card in dict.fromkeys(turn.mover.discards)
            )
        case Redraw():
            return redraws(turn)
        case Copy():
            return copies(turn)
    raise AssertionError(f"{effect} waits for nobody")


def gains() -> tuple[Atom, ...]:
    return tuple(Atom(Act.GAIN, resource=resource) for resource in PLAIN)


# What a choice comes to -----------------------------------------------------------------------


def chosen(turn: Turn, effect: Effect, atom: Atom) -> Turn:
    """Carries out an effect as it was chosen; its task is gone already."""
    match effect:
        case Build():
            return built(turn, atom)
        case Trade():
            return _traded(turn, effect, atom)
        case TakeBack():
            return _taken_back(turn, atom)
        case Redraw():
            return _redrawn(turn, atom)
        case Copy():
            return _copied(turn, atom)
    raise AssertionError(f"{effect} waits for nobody")


def built(turn: Turn, atom: Atom) -> Turn:
    assert atom.building is not None, "a kind is built"
    seat = turn.mover
    if atom.returned is not None:
        turn = returned_building(turn, turn.state.turn, atom.returned)
        seat = turn.mover
    stocks = list(seat.buildings)
    up, spent = stocks[atom.building]
    stocks[atom.building] = Stock(up + 1, spent)
    event = Event("build", player=seat.player, building=atom.building)
    return turn.with_mover(replace(seat, buildings=_three(stocks)), event)


def returned_building(turn: Turn, seat: int, returned: Returned) -> Turn:
    """A building goes back to the board."""
    owner = turn.state.seats[seat]
    stocks = list(owner.buildings)
    up, spent = stocks[returned.building]
    stocks[returned.building] = Stock(up - (not returned.spent), spent - returned.spent)
    event = Event("return", player=owner.player, building=returned.building)
    state = turn.state.with_seat(seat, replace(owner, buildings=_three(stocks)))
    return turn.at(state, event)


def _three(stocks: list[Stock]) -> Stocks:
    farms, forges, temples = stocks
    return (farms, forges, temples)


def gained(turn: Turn, left: int, resource: Resource) -> Turn:
    """One of whatever kind; what is left of the gain comes after it."""
    if left > 1:
        turn = turn.first(Receive(Gained.ANY, left - 1))
    return turn.first(Receive(Gained(resource), 1))


def _traded(turn: Turn, effect: Trade, atom: Atom) -> Turn:
    if atom.act is Act.DECLINE:
        return turn.noting(Event("decline", "C5", player=turn.mover.player))
    sets = {each.what: each for each in effect.sets}
    assert atom.give is not None, "a trade has two sides"
    assert atom.get is not None, "a trade has two sides"
    give, get = sets[atom.give], sets[atom.get]
    event = Event("trade", "C9", player=turn.mover.player, what=give.what, count=give.count)
    if give.what is not Gained.SCROLL:
        return turn.noting(event).first(Pay(traded_cost(give), (get,), chosen=True))
    seat = replace(turn.mover, scrolls=turn.mover.scrolls - give.count)
    state = replace(turn.state, supply=turn.state.supply + give.count)
    return turn.at(state.with_seat(state.turn, seat), event).first(Do(get))


def _taken_back(turn: Turn, atom: Atom) -> Turn:
    assert atom.card is not None, "a card is taken back"
    discards = list(turn.mover.discards)
    discards.remove(atom.card)
    seat = replace(turn.mover, discards=tuple(discards)).with_card(atom.card)
    return turn.with_mover(seat, Event("take-back", player=seat.player, card=atom.card))


def _redrawn(turn: Turn, atom: Atom) -> Turn:
    cards = atom.cards or ()
    if not cards:
        return turn.noting(Event("decline", "C19", player=turn.mover.player))
    for card in cards:
        seat = turn.mover.without_card(card).discarding(card)
        turn = turn.with_mover(seat, Event("discard", "C19", player=seat.player, card=card))
    return turn.first(Draw(len(cards)))


def _copied(turn: Turn, atom: Atom) -> Turn:
    state = turn.state
    if atom.card is not None:
        event = Event("copy", "C17", player=turn.mover.player, card=atom.card)
        turn = turn.first(Release(atom.card))
        card = atom.card
    else:
        assert atom.cell is not None, "somebody's villager is copied"
        resident = owner_of(state, atom).village[atom.cell]
        assert resident is not None, "somebody's villager is copied"
        card = resident.card
        event = Event("copy", "C17", player=turn.mover.player, card=card, owner=atom.owner)
    return turn.noting(event).first(*map(Perform, state.villager(card).actions))


def owner_of(state: State, atom: Atom) -> Seat:
    return next(seat for seat in state.seats if seat.player == atom.owner)


def released(turn: Turn, card: Card) -> Turn:
    """The copied common goes under the pile, if it is still there (C13)."""
    row = list(turn.state.row)
    row.remove(card)
    return under_pile(turn.at(replace(turn.state, row=tuple(row))), card)


def laid(turn: Turn, card: Card, cell: int) -> Turn:
    """A villager comes from the hand or the row into a free cell, face up."""
    state, seat = turn.state, turn.mover
    if card in state.catalogue.deck:
        seat = seat.without_card(card)
    else:
        row = list(state.row)
        row.remove(card)
        state = replace(state, row=tuple(row))
    seat = seat.with_resident(cell, Resident(card))
    return replace(turn.at(state.with_seat(state.turn, seat)), idle=cell)


def hired(turn: Turn, cell: int, card: Card) -> Turn:
    """Whoever is recruited acts at once, and costs nothing; a recruiter does not act (C18)."""
    event = Event("recruit", "C18", player=turn.mover.player, card=card, cell=cell)
    return entering(laid(turn, card, cell).noting(event), card)


def entering(turn: Turn, card: Card) -> Turn:
    """The actions of a villager who has come into the village; a recruiter has none yet (C18)."""
    villager = turn.state.villager(card)
    if villager.has(Recruit):
        return turn
    return turn.first(*map(Perform, villager.actions))


def without_unknown(state: State, seat: int) -> State:
    """As if the seat held no card that nobody has told."""
    known = tuple(card for card in state.seats[seat].hand if card != UNKNOWN)
    return state.with_seat(seat, replace(state.seats[seat], hand=known))


def holds(state: State, seat: int, cards: tuple[Card, ...]) -> bool:
    """Whether a seat may hold all these cards, unknown ones being some of them."""
    held = hand_cards(state, seat)
    unseen = 0
    for card, count in Counter(cards).items():
        known, most = held.get(card, (0, 0))
        if count > most:
            return False
        unseen += max(0, count - known)
    return unseen <= state.seats[seat].unknown
