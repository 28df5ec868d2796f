"""Villager actions: effects run in printed order, each one if it is possible (C5)."""

from __future__ import annotations

from typing import Final

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import (
    EFFECT_LABELS,
    UNKNOWN,
    Build,
    CardAction,
    Copy,
    Discard,
    Effect,
    Exhaust,
    Gain,
    GainKind,
    Meditate,
    PerBuilding,
    Recruit,
    Redraw,
    TakeBack,
    TurnUpBuildings,
    Wake,
    Worship,
)
from service.games.snowcrest.rules.actions import DECLINE, SKIP, Action, ActionType
from service.games.snowcrest.rules.effects.options import (
    build,
    build_choices,
    copy_choices,
    villager_choices,
)
from service.games.snowcrest.rules.payments.resources import Building
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    MAX_OMEN,
    BuildingCount,
    Seat,
    pile_size,
    unseen_deck,
)
from service.games.snowcrest.rules.turn import (
    ApplyEffect,
    CollectBids,
    DrawCards,
    PayCost,
    PlaceRecruit,
    ReceiveGain,
    RevealSpirit,
    TakeOmen,
    Turn,
    gain_scrolls,
    gain_tokens,
    reduce_omen,
    remove_resident,
    replant_forest,
    skip,
)

STARTER_WORSHIP: Final = 2
"""Scrolls for a worship in the starter variant."""


# Actions and effects --------------------------------------------------------------------------


def perform_action(turn: Turn, action: CardAction) -> Turn:
    """Queue the effects of an action; a cost is due only if at least one effect is possible."""
    if action.cost is None:
        return turn.push(*map(ApplyEffect, action.effects))
    if not any(is_possible(turn, effect) for effect in action.effects):
        return skip(turn, "pay").with_forced(SKIP)
    return turn.push(PayCost(action.cost, action.effects))


def is_possible(turn: Turn, effect: Effect) -> bool:
    """Return whether an effect can be carried out now, judged by public information."""
    state, mover = turn.state, turn.mover
    match effect:
        case Gain(what=GainKind.CARD):
            return pile_size(state, state.turn) > 0 or bool(mover.discards)
        case Gain(what=GainKind.LESS_OMEN):
            return mover.omen < MAX_OMEN
        case Build(building=building):
            return any(build_choices(turn, building))
        case TurnUpBuildings():
            return any(count.spent for count in mover.buildings)
        case TakeBack():
            return bool(mover.discards)
        case Redraw() | Discard():
            return bool(mover.hand)
        case Recruit():
            return bool(mover.hand or state.row)
        case PerBuilding(building=building):
            return bool(face_up_buildings(mover, building))
        case Copy():
            return bool(copy_choices(turn))
        case Wake() | Exhaust():
            return bool(villager_choices(turn, wake=isinstance(effect, Wake)))
    return True


def apply_effect(turn: Turn, effect: Effect) -> Turn | None:
    """Apply an effect whose task has been popped; None if the player has to choose first."""
    if not is_possible(turn, effect):
        if isinstance(effect, Redraw):
            turn = turn.with_forced(Action(ActionType.REDRAW, cards=()))
        if isinstance(effect, Discard):
            turn = turn.with_forced(SKIP)
        if isinstance(effect, TakeBack):
            turn = turn.with_forced(DECLINE)
        return skip(turn, EFFECT_LABELS[type(effect)], _rule_of(effect))
    match effect:
        case Gain(what=what, count=count):
            return turn.push(ReceiveGain(what, count))
        case PerBuilding(building=building, gain=gain):
            count = gain.count * face_up_buildings(turn.mover, building)
            return turn.push(ReceiveGain(gain.what, count))
        case TurnUpBuildings():
            return _turn_up_buildings(turn)
        case Worship():
            return _worship(turn)
        case Meditate():
            return turn.push(
                CollectBids((turn.state.turn, *turn.state.seats_after(turn.state.turn)))
            )
        case Recruit():
            assert turn.acting_cell is not None, "a recruiter acts from a cell"
            without_recruiter = remove_resident(turn, turn.state.turn, turn.acting_cell)
            return without_recruiter.push(PlaceRecruit(turn.acting_cell))
        case Build(building=building):
            choices = tuple(build_choices(turn, building))
            return build(turn, choices[0]).with_forced(choices[0]) if len(choices) == 1 else None
    return None


def _rule_of(effect: Effect) -> str:
    if isinstance(effect, Copy):
        return "C17"
    return "C18" if isinstance(effect, Recruit) else "C5"


def face_up_buildings(seat: Seat, building: Building | None) -> int:
    """Return the number of face-up buildings of a kind, or of all kinds."""
    counts = seat.buildings if building is None else (seat.buildings[building],)
    return sum(count.up for count in counts)


def _turn_up_buildings(turn: Turn) -> Turn:
    farms, forges, temples = (BuildingCount(count.total) for count in turn.mover.buildings)
    seat = replace(turn.mover, buildings=(farms, forges, temples))
    return turn.with_mover(seat, Event("turn-up", player=seat.player))


def _worship(turn: Turn) -> Turn:
    if not turn.state.starter_variant:
        return turn.push(RevealSpirit(forest=False))
    others = (TakeOmen(seat, 1) for seat in turn.state.seats_after(turn.state.turn))
    return gain_scrolls(turn, turn.state.turn, STARTER_WORSHIP).push(*others)


# Gains ----------------------------------------------------------------------------------------


def receive_gain(turn: Turn, what: GainKind, count: int) -> Turn | None:
    """Give the active player a gain; None if the player has to choose a resource first."""
    match what:
        case _ if count == 0:
            return turn
        case GainKind.ANY:
            return None
        case GainKind.JUNIPER:
            return _juniper(turn, count)
        case GainKind.SCROLL:
            return gain_scrolls(turn, turn.state.turn, count)
        case GainKind.CARD:
            return turn.push(DrawCards(count))
        case GainKind.OMEN:
            return turn.push(TakeOmen(turn.state.turn, count))
        case GainKind.LESS_OMEN:
            return reduce_omen(turn, count)
        case _ if what.is_building:
            return turn.push(*(ApplyEffect(Build(what.building)),) * count)
    return gain_tokens(turn, what, count)


def _juniper(turn: Turn, count: int) -> Turn:
    """Take juniper from the forest (C8).

    Taking the last one reveals a forest card and refills the forest, more than once if necessary.
    """
    taken = min(count, turn.state.juniper)
    turn = gain_tokens(turn, GainKind.JUNIPER, taken)
    turn = turn.with_state(replace(turn.state, juniper=turn.state.juniper - taken))
    if turn.state.juniper:
        return turn
    if count > taken:
        turn = turn.push(ReceiveGain(GainKind.JUNIPER, count - taken))
    if not turn.state.starter_variant:
        return turn.push(RevealSpirit(forest=True))
    others = (TakeOmen(seat, 1) for seat in turn.state.seats_after(turn.state.turn))
    return replant_forest(gain_scrolls(turn, turn.state.turn, 1, "C8")).push(*others)


def draw_cards(turn: Turn, count: int) -> Turn | None:
    """Continue a draw that needs no card now; None if a card has to be drawn (C19)."""
    state = turn.state
    if not count:
        return turn
    if pile_size(state, state.turn):
        return None
    if not turn.mover.discards:
        return turn
    # The pile is empty, so all unseen cards are in the hand.
    hidden = unseen_deck(state, state.turn).elements()
    known = (card for card in turn.mover.hand if card != UNKNOWN)
    seat = replace(turn.mover, hand=tuple(sorted((*known, *hidden))), discards=())
    shuffled = turn.with_mover(seat, Event("shuffle", "C19", player=seat.player))
    return shuffled.push(DrawCards(count))
