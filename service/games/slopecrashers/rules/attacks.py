"""Targets and effects of attack gifts, and of snowmen (S8 to S13)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from service.games.slopecrashers.rules.course import Field
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card, Gift, deck_order
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import Direction, Place, Space, State, pool

ATTACKS: Final = (Gift.ROCKET, Gift.BLACK_ICE, Gift.BEE_STING, Gift.CARRIER_PIGEON)
SLIDE: Final = 2
"""Maximum number of spaces that black ice moves a character."""

_ICE_ORDER: Final = (Direction.FORWARD, Direction.LEFT, Direction.RIGHT, Direction.BACK)


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack that has not taken effect yet.

    Attributes:
        gift: the attacking gift.
        waiting: the target seats that have not answered yet, in turn order (S13).
        foiled: the target seats that have answered with a magnet.
    """

    gift: Gift
    waiting: tuple[int, ...]
    foiled: tuple[int, ...] = ()


def start_attack(state: State, gift: Gift) -> Attack:
    """Return the attack of the player in turn, with targets by the current places."""
    targets = _target_seats(state, gift)
    return Attack(gift, tuple(seat for seat in state.seats_after(state.turn) if seat in targets))


def top_cards(state: State, seat: int, in_play: Card | None = None) -> tuple[Card, ...]:
    """Return the possible top cards of a stack: none, the known one, or the pool (S14, S15)."""
    gifts = state.seats[seat].gifts
    if gifts[:1] == (UNKNOWN,):
        return tuple(pool(state, in_play))
    return gifts[:1]


def magnets(state: State, seat: int, in_play: Card | None) -> tuple[Card, ...]:
    """Return the cards with which the seat may answer an attack (S13)."""
    return tuple(card for card in top_cards(state, seat, in_play) if Gift.MAGNET in card)


def _target_seats(state: State, gift: Gift) -> tuple[int, ...]:
    """Return the target seats, which may include the attacker."""
    if gift is Gift.ROCKET:
        return _rocket_targets(state)
    if gift is Gift.BLACK_ICE:
        return tuple(seat for _, seat in _neighbours(state))
    return leaders(state)


def leaders(state: State) -> tuple[int, ...]:
    """Return all seats with the largest progress (S10)."""
    progress = {
        index: seat.place.progress
        for index, seat in enumerate(state.seats)
        if seat.place is not None
    }
    return tuple(seat for seat, value in progress.items() if value == max(progress.values()))


def _place(state: State, seat: int) -> Place:
    place = state.seats[seat].place
    assert place is not None, "attackers and targets are on the board"
    return place


def _rocket_targets(state: State) -> tuple[int, ...]:
    """Return the first character ahead in the lane (S9).

    Obstacles and snowmen block it, and it does not leave the course.
    """
    own = _place(state, state.turn)
    for row in range(own.row + 1, state.course.length):
        space = Space(row, own.lane)
        seats = state.seats_on(space)
        if seats:
            return seats
        blocks = state.course.rows[row][own.lane] in (Field.OBSTACLE, Field.OFF_COURSE)
        if blocks or state.snowman_on(space) is not None:
            return ()
    return ()


def _neighbours(state: State) -> tuple[tuple[Direction, int], ...]:
    """Return the characters next to the player, in the order in which they slide (S8)."""
    own = _place(state, state.turn)
    return tuple(
        (direction, seat)
        for direction in _ICE_ORDER
        for seat in state.seats_on(Space(own.row + direction.rows, own.lane + direction.lanes))
    )


def resolve_attack(state: State, attack: Attack) -> tuple[State, tuple[Event, ...]]:
    """Apply an attack after all answers."""
    if attack.gift is Gift.BLACK_ICE:
        return _slide_neighbours(state, attack.foiled)
    hit = (seat for seat in _target_seats(state, attack.gift) if seat not in attack.foiled)
    events: tuple[Event, ...] = ()
    for seat in hit:
        state, event = _apply_hit(state, seat, attack.gift)
        events += (event,)
    return state, events


def _apply_hit(state: State, seat: int, gift: Gift) -> tuple[State, Event]:
    victim = state.seats[seat]
    if gift is Gift.BEE_STING:
        return (
            state.with_seat(seat, replace(victim, stung=True)),
            Event("stung", "S10", player=victim.player),
        )
    rule = "S9" if gift is Gift.ROCKET else "S10"
    return suspend(state, seat, rule)


def suspend(state: State, seat: int, rule: str) -> tuple[State, Event]:
    """Let the seat miss its next turn (S11)."""
    victim = state.seats[seat]
    event = Event("suspended", rule, player=victim.player)
    return state.with_seat(seat, replace(victim, misses_turn=True)), event


# Black ice (S8) -------------------------------------------------------------------------------


def _slide_neighbours(state: State, foiled: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
    events: tuple[Event, ...] = ()
    for direction, seat in _neighbours(state):
        if seat not in foiled:
            state, slide_events = _slide(state, seat, direction)
            events += slide_events
    return state, events


def _slide(state: State, seat: int, direction: Direction) -> tuple[State, tuple[Event, ...]]:
    start = place = _place(state, seat)
    for _ in range(SLIDE):
        row, lane = place.row + direction.rows, place.lane + direction.lanes
        space = Space(row, lane)
        if not state.course.is_enterable(row, lane) or state.seats_on(space):
            break
        place = Place(start.lap, row, lane)
        if state.snowman_on(space) is not None:
            break
    if place == start:
        return state, ()
    slider = state.seats[seat]
    events = (Event("slide", "S8", player=slider.player, start=start, end=place),)
    return hit_snowman(move_character(state, seat, place), seat, events)


def move_character(state: State, seat: int, place: Place) -> State:
    """Return the state with the character on another place."""
    return state.with_seat(seat, replace(state.seats[seat], place=place))


def hit_snowman(
    state: State, seat: int, events: tuple[Event, ...]
) -> tuple[State, tuple[Event, ...]]:
    """Remove a snowman on the character's space; the character misses its next turn (S12)."""
    place = _place(state, seat)
    snowman = state.snowman_on(place.space)
    if snowman is None:
        return state, events
    cleared = add_discard(
        replace(state, snowmen=tuple(other for other in state.snowmen if other != snowman)),
        snowman.card,
    )
    cleared, event = suspend(cleared, seat, "S12")
    removed = Event(
        "snowman-removed", "S12", player=event.player, space=snowman.space, card=snowman.card
    )
    return cleared, (*events, removed, event)


def add_discard(state: State, card: Card) -> State:
    """Return the state with a card added to the discards."""
    return replace(state, discards=tuple(sorted((*state.discards, card), key=deck_order)))


def remove_top_card(state: State, seat: int) -> State:
    """Return the state without the top card of a stack."""
    holder = state.seats[seat]
    return state.with_seat(seat, replace(holder, gifts=holder.gifts[1:]))
