"""Whom gifts hit, and what becomes of those who are hit (S8 to S13)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from service.games.slopecrashers.rules.course import Field
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card, Gift, deck_order
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import Direction, Place, Space, State, pool

ATTACKS: Final = (Gift.ROCKET, Gift.BLACK_ICE, Gift.BEE_STING, Gift.CARRIER_PIGEON)
SLIDE: Final = 2
"""Spaces that black ice moves a character, if nothing stops it."""

_ICE_ORDER: Final = (Direction.FORWARD, Direction.LEFT, Direction.RIGHT, Direction.BACK)


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack under way.

    Attributes:
        gift: what attacks.
        waiting: the other seats that it is about to hit and that have not been asked yet, in the
            order of turns (S13).
        foiled: those that have answered with a magnet.
    """

    gift: Gift
    waiting: tuple[int, ...]
    foiled: tuple[int, ...] = ()


def attack(state: State, gift: Gift) -> Attack:
    """The attack of whose turn it is, from where everybody stands now."""
    hit = _aimed_at(state, gift)
    return Attack(gift, tuple(seat for seat in state.after(state.turn) if seat in hit))


def top_cards(state: State, seat: int, in_play: Card | None = None) -> tuple[Card, ...]:
    """The seat's top card, or all that it may be; nothing of an empty stack (S14, S15)."""
    gifts = state.seats[seat].gifts
    if gifts[:1] == (UNKNOWN,):
        return tuple(pool(state, in_play))
    return gifts[:1]


def magnets(state: State, seat: int, in_play: Card | None) -> tuple[Card, ...]:
    """The cards that the seat may answer an attack with (S13)."""
    return tuple(card for card in top_cards(state, seat, in_play) if Gift.MAGNET in card)


def _aimed_at(state: State, gift: Gift) -> tuple[int, ...]:
    """Who is about to be hit, the player perhaps included."""
    if gift is Gift.ROCKET:
        return _in_front(state)
    if gift is Gift.BLACK_ICE:
        return tuple(seat for _, seat in _around(state))
    return leaders(state)


def leaders(state: State) -> tuple[int, ...]:
    """Everybody on the foremost row (S10)."""
    progress = {
        index: seat.place.progress
        for index, seat in enumerate(state.seats)
        if seat.place is not None
    }
    return tuple(seat for seat, reached in progress.items() if reached == max(progress.values()))


def _place(state: State, seat: int) -> Place:
    place = state.seats[seat].place
    assert place is not None, "only who is on the board attacks or is hit"
    return place


def _in_front(state: State) -> tuple[int, ...]:
    """The first character ahead in the lane, unless something stops the rocket before (S9)."""
    own = _place(state, state.turn)
    for row in range(own.row + 1, state.course.length):
        space = Space(row, own.lane)
        found = state.standing_on(space)
        if found:
            return found
        field = state.course.rows[row][own.lane]
        if field is Field.OBSTACLE or state.snowman_on(space) is not None:
            return ()
    return ()


def _around(state: State) -> tuple[tuple[Direction, int], ...]:
    """Who stands next to the player, in the order in which they slide (S8)."""
    own = _place(state, state.turn)
    return tuple(
        (direction, seat)
        for direction in _ICE_ORDER
        for seat in state.standing_on(Space(own.row + direction.rows, own.lane + direction.lanes))
    )


def settle(state: State, attack: Attack) -> tuple[State, tuple[Event, ...]]:
    """What an attack comes to, once everybody has answered."""
    if attack.gift is Gift.BLACK_ICE:
        return _slide_away(state, attack.foiled)
    hit = (seat for seat in _aimed_at(state, attack.gift) if seat not in attack.foiled)
    events: tuple[Event, ...] = ()
    for seat in hit:
        state, event = _struck(state, seat, attack.gift)
        events += (event,)
    return state, events


def _struck(state: State, seat: int, gift: Gift) -> tuple[State, Event]:
    victim = state.seats[seat]
    if gift is Gift.BEE_STING:
        return (
            state.with_seat(seat, replace(victim, stung=True)),
            Event("stung", "S10", player=victim.player),
        )
    rule = "S9" if gift is Gift.ROCKET else "S10"
    return suspended(state, seat, rule)


def suspended(state: State, seat: int, rule: str) -> tuple[State, Event]:
    """The seat misses its next turn (S11)."""
    victim = state.seats[seat]
    event = Event("suspended", rule, player=victim.player)
    return state.with_seat(seat, replace(victim, misses_turn=True)), event


# Black ice (S8) -------------------------------------------------------------------------------


def _slide_away(state: State, foiled: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
    events: tuple[Event, ...] = ()
    for direction, seat in _around(state):
        if seat not in foiled:
            state, slid = _slide(state, seat, direction)
            events += slid
    return state, events


def _slide(state: State, seat: int, direction: Direction) -> tuple[State, tuple[Event, ...]]:
    start = place = _place(state, seat)
    for _ in range(SLIDE):
        row, lane = place.row + direction.rows, place.lane + direction.lanes
        space = Space(row, lane)
        if not state.course.is_enterable(row, lane) or state.standing_on(space):
            break
        place = Place(start.lap, row, lane)
        if state.snowman_on(space) is not None:
            break
    if place == start:
        return state, ()
    slider = state.seats[seat]
    events = (Event("slide", "S8", player=slider.player, start=start, end=place),)
    return met_snowman(moved(state, seat, place), seat, events)


def moved(state: State, seat: int, place: Place) -> State:
    """The character is somewhere else."""
    return state.with_seat(seat, replace(state.seats[seat], place=place))


def met_snowman(
    state: State, seat: int, events: tuple[Event, ...]
) -> tuple[State, tuple[Event, ...]]:
    """Whoever enters a snowman's space removes it and misses the next turn (S12)."""
    place = _place(state, seat)
    snowman = state.snowman_on(place.space)
    if snowman is None:
        return state, events
    cleared = discarding(
        replace(state, snowmen=tuple(other for other in state.snowmen if other != snowman)),
        snowman.card,
    )
    cleared, event = suspended(cleared, seat, "S12")
    removed = Event(
        "snowman-removed", "S12", player=event.player, space=snowman.space, card=snowman.card
    )
    return cleared, (*events, removed, event)


def discarding(state: State, card: Card) -> State:
    """The card lies face up among the discards."""
    return replace(state, discards=tuple(sorted((*state.discards, card), key=deck_order)))


def without_top(state: State, seat: int) -> State:
    """The seat's top card leaves its stack."""
    holder = state.seats[seat]
    return state.with_seat(seat, replace(holder, gifts=holder.gifts[1:]))
