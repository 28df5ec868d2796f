"""What villagers do: the actions of a card in printed order, each as far as it can be (C5)."""

from __future__ import annotations

from typing import Final

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import (
    EFFECT_LABELS,
    UNKNOWN,
    Action,
    Build,
    Copy,
    Effect,
    Gain,
    Gained,
    Meditate,
    PerBuilding,
    Recruit,
    Redraw,
    TakeBack,
    TurnUp,
    Worship,
)
from service.games.snowcrest.effects.options import buildings_to_build, built, copies
from service.games.snowcrest.payments.resources import Building
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    MOST_OMEN,
    Seat,
    Stock,
    pile_size,
    pool,
)
from service.games.snowcrest.rules.turn import (
    Bid,
    Do,
    Doom,
    Draw,
    Flip,
    Hire,
    Pay,
    Receive,
    Turn,
    replanted,
    skipped,
    with_less_omen,
    with_scrolls,
    with_tokens,
    without_resident,
)

STARTER_WORSHIP: Final = 2
"""Scrolls for worship in the variant for beginners."""


# What needs nobody's choice -------------------------------------------------------------------


def perform(turn: Turn, action: Action) -> Turn:
    """An action is paid for if it costs something and would come to anything."""
    if action.cost is None:
        return turn.first(*map(Do, action.effects))
    if not any(comes_to_something(turn, effect) for effect in action.effects):
        return skipped(turn, "pay")
    return turn.first(Pay(action.cost, action.effects))


def comes_to_something(turn: Turn, effect: Effect) -> bool:
    """Whether an effect can be carried out now, as far as everybody can see."""
    state, mover = turn.state, turn.mover
    match effect:
        case Gain(what=Gained.CARD):
            return pile_size(state, state.turn) > 0 or bool(mover.discards)
        case Gain(what=Gained.LESS_OMEN):
            return mover.omen < MOST_OMEN
        case Build(building=building):
            return any(buildings_to_build(turn, building))
        case TurnUp():
            return any(stock.spent for stock in mover.buildings)
        case TakeBack():
            return bool(mover.discards)
        case Redraw():
            return bool(mover.hand)
        case Recruit():
            return bool(mover.hand or state.row)
        case PerBuilding(building=building):
            return bool(face_up(mover, building))
        case Copy():
            return bool(copies(turn))
    return True


def do(turn: Turn, effect: Effect) -> Turn | None:
    """Carries an effect out as far as nobody has to choose; None if the choice comes first.

    ``turn`` has no longer the task of the effect in it.
    """
    if not comes_to_something(turn, effect):
        return skipped(turn, EFFECT_LABELS[type(effect)], _rule_of(effect))
    match effect:
        case Gain(what=what, count=count):
            return turn.first(Receive(what, count))
        case PerBuilding(building=building, gain=gain):
            count = gain.count * face_up(turn.mover, building)
            return turn.first(Receive(gain.what, count))
        case TurnUp():
            return _turned_up(turn)
        case Worship():
            return _worship(turn)
        case Meditate():
            return turn.first(Bid((turn.state.turn, *turn.state.after(turn.state.turn))))
        case Recruit():
            assert turn.idle is not None, "a recruiter acts from a cell"
            left = without_resident(turn, turn.state.turn, turn.idle)
            return left.first(Hire(turn.idle))
        case Build(building=building):
            choices = tuple(buildings_to_build(turn, building))
            return built(turn, choices[0]) if len(choices) == 1 else None
    return None


def _rule_of(effect: Effect) -> str:
    if isinstance(effect, Copy):
        return "C17"
    return "C18" if isinstance(effect, Recruit) else "C5"


def face_up(seat: Seat, building: Building | None) -> int:
    some = seat.buildings if building is None else (seat.buildings[building],)
    return sum(stock.up for stock in some)


def _turned_up(turn: Turn) -> Turn:
    farms, forges, temples = (Stock(stock.total) for stock in turn.mover.buildings)
    seat = replace(turn.mover, buildings=(farms, forges, temples))
    return turn.with_mover(seat, Event("turn-up", player=seat.player))


def _worship(turn: Turn) -> Turn:
    if not turn.state.starter_variant:
        return turn.first(Flip(forest=False))
    others = (Doom(seat, 1) for seat in turn.state.after(turn.state.turn))
    return with_scrolls(turn, turn.state.turn, STARTER_WORSHIP).first(*others)


# Gains ----------------------------------------------------------------------------------------


def receive(turn: Turn, what: Gained, count: int) -> Turn | None:
    """Gives the player something; None if a kind has to be chosen first."""
    match what:
        case _ if count == 0:
            return turn
        case Gained.ANY:
            return None
        case Gained.JUNIPER:
            return _juniper(turn, count)
        case Gained.SCROLL:
            return with_scrolls(turn, turn.state.turn, count)
        case Gained.CARD:
            return turn.first(Draw(count))
        case Gained.OMEN:
            return turn.first(Doom(turn.state.turn, count))
        case Gained.LESS_OMEN:
            return with_less_omen(turn, count)
    return with_tokens(turn, what, count)


def _juniper(turn: Turn, count: int) -> Turn:
    """Juniper is taken from the forest; the last one angers it, more than once if need be (C8)."""
    taken = min(count, turn.state.juniper)
    turn = with_tokens(turn, Gained.JUNIPER, taken)
    turn = turn.at(replace(turn.state, juniper=turn.state.juniper - taken))
    if turn.state.juniper:
        return turn
    if count > taken:
        turn = turn.first(Receive(Gained.JUNIPER, count - taken))
    if not turn.state.starter_variant:
        return turn.first(Flip(forest=True))
    others = (Doom(seat, 1) for seat in turn.state.after(turn.state.turn))
    return replanted(with_scrolls(turn, turn.state.turn, 1, "C8")).first(*others)


def draw(turn: Turn, count: int) -> Turn | None:
    """Goes on with drawing where there is nothing to draw; None if a card is due (C19)."""
    state = turn.state
    if not count:
        return turn
    if pile_size(state, state.turn):
        return None
    if not turn.mover.discards:
        return turn
    # An empty pile leaves no doubt what the unknown cards are.
    hidden = pool(state, state.turn).elements()
    known = (card for card in turn.mover.hand if card != UNKNOWN)
    seat = replace(turn.mover, hand=tuple(sorted((*known, *hidden))), discards=())
    shuffled = turn.with_mover(seat, Event("shuffle", "C19", player=seat.player))
    return shuffled.first(Draw(count))
