"""Apply actions to a turn, without checking that they are legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from service.core.game import Forced, Step
from service.games.slopecrashers.rules.attacks import (
    ATTACKS,
    Attack,
    add_discard,
    hit_snowman,
    magnets,
    move_character,
    remove_top_card,
    resolve_attack,
    start_attack,
)
from service.games.slopecrashers.rules.course import Field
from service.games.slopecrashers.rules.gifts import Card, Gift
from service.games.slopecrashers.rules.movement import (
    Landing,
    can_draw,
    chili_movements,
    placements,
    progress_of_others,
    springs,
    steps,
)
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import (
    END,
    MOVEMENTS,
    STUNG_MOVEMENTS,
    Action,
    ActionType,
    Place,
    Seat,
    Snowman,
    Space,
    State,
    pile_size,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that has begun.

    Attributes:
        state: the state after all actions so far.
        movements: number left.
        actions: all actions so far, draws and answers included, also the forced answers of
            players who have gifts: other views of the game may ask these players (S13).
        forced: number of forced answers among them.
        visited: places with the movements left there, since the stack last changed (S5).
        in_play: the card whose effect is not over; it is not among the discards yet (S14).
        attack: the attack that waits for answers.
        drawing: whether the player has to draw a gift now.
        over: whether the turn is complete.
    """

    state: State
    movements: int = 0
    actions: tuple[Action, ...] = ()
    forced: int = 0
    visited: frozenset[tuple[Place, int]] = frozenset()
    in_play: Card | None = None
    attack: Attack | None = None
    drawing: bool = False
    over: bool = False

    @property
    def mover(self) -> Seat:
        """The seat whose turn it is."""
        return self.state.mover

    @property
    def place(self) -> Place:
        """The place of the player, who has to be on the board."""
        place = self.mover.place
        assert place is not None, "the player is on the board"
        return place

    @property
    def count(self) -> int:
        """Number of actions so far, without the placement, draws and answers (S5)."""
        return sum(
            action.type not in (ActionType.PLACE, ActionType.DRAW, ActionType.ANSWER)
            for action in self.actions
        )


TurnStep = Step[Turn, Event]


def begin_turn(state: State) -> TurnStep:
    """Begin the turn of the next player who does not miss it (S11)."""
    if state.winner is not None:
        return Step(Turn(state, over=True))
    state, events = _skip_missed_turns(state)
    mover = state.mover
    movements = STUNG_MOVEMENTS if mover.stung else MOVEMENTS
    been = frozenset() if mover.place is None else frozenset({(mover.place, movements)})
    state = state.with_seat(state.turn, replace(mover, stung=False))
    return Step(Turn(state, movements, visited=been), events)


def end_without_placement(step: TurnStep) -> TurnStep:
    """End a turn without a space to start on (S3); a sting stays for the next turn (S11)."""
    turn, mover = step.play, step.play.mover
    stung = turn.movements == STUNG_MOVEMENTS
    state = turn.state.with_seat(turn.state.turn, replace(mover, stung=stung))
    event = Event("no-place", "S3", player=mover.player)
    ended = _end_turn(replace(turn, state=state), (*step.events, event))
    return replace(ended, forced=((mover.player, END),))


def apply_action(turn: Turn, action: Action) -> TurnStep:
    """Return the turn after a legal action, answer or draw."""
    extended = replace(turn, actions=(*turn.actions, action))
    return _APPLY[action.type](extended, action)


# Moving ---------------------------------------------------------------------------------------


def _place(turn: Turn, action: Action) -> TurnStep:
    landing = _chosen_landing(placements(turn.state.course), action)
    event = Event("enter", "S3", player=turn.mover.player, end=landing.place)
    return _enter(turn, landing, (event,))


def _step(turn: Turn, action: Action) -> TurnStep:
    assert action.direction is not None, "a step has a direction"
    landing = _chosen_landing(steps(turn.state.course, turn.place, action.direction), action)
    rule = None if landing.place and landing.place.lap == turn.place.lap else "S4"
    event = Event("step", rule, player=turn.mover.player, start=turn.place, end=landing.place)
    return _enter(replace(turn, movements=turn.movements - 1), landing, (event,))


def _chosen_landing(landings: Iterable[Landing], action: Action) -> Landing:
    return next(landing for landing in landings if landing.lane == action.lane)


def _enter(turn: Turn, landing: Landing, events: tuple[Event, ...]) -> TurnStep:
    """Move the player onto a space or over the finish line (S6, S12, S16)."""
    if landing.place is None:
        return _win(turn, events)
    state, events = hit_snowman(
        move_character(turn.state, turn.state.turn, landing.place), turn.state.turn, events
    )
    turn = replace(turn, state=state)
    field = state.course.rows[landing.place.row][landing.place.lane]
    if len(state.seats_on(landing.place.space)) == 1:
        if field.has(Field.BOOST):
            boost = Event("boost", "S6", player=turn.mover.player, movements=1)
            turn, events = replace(turn, movements=turn.movements + 1), (*events, boost)
        if field.has(Field.GIFT):
            return _require_draw(turn, events)
    return _finish_action(turn, events)


def _require_draw(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    """Require a draw; an empty pile is renewed from the discards (S6, S14)."""
    in_play = turn.in_play is not None
    if not can_draw(turn.state, in_play):
        return _finish_action(turn, (*events, Event("no-gift", "S14", player=turn.mover.player)))
    turn = replace(turn, drawing=True)
    if pile_size(turn.state, in_play) > 0:
        return Step(turn, events)
    renewed = replace(turn.state, discards=())
    return Step(replace(turn, state=renewed), (*events, Event("renew", "S14")))


def _draw(turn: Turn, action: Action) -> TurnStep:
    assert action.card is not None, "a draw has a card"
    mover = turn.mover
    drawing = replace(mover, gifts=(action.card, *mover.gifts))
    turn = replace(
        turn,
        state=turn.state.with_seat(turn.state.turn, drawing),
        drawing=False,
        visited=frozenset(),
    )
    return _finish_action(turn, (Event("draw", "S6", player=mover.player, card=action.card),))


def _finish_action(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    """Finish an action with all its effects: discard its card and record the visited place."""
    state = turn.state if turn.in_play is None else add_discard(turn.state, turn.in_play)
    been = turn.visited | {(turn.place, turn.movements)}
    return Step(replace(turn, state=state, in_play=None, visited=been), events)


def _win(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    state = turn.state if turn.in_play is None else add_discard(turn.state, turn.in_play)
    state = state.with_seat(state.turn, replace(state.mover, place=None))
    state = replace(state, winner=state.turn)
    event = Event("win", "S16", player=turn.mover.player)
    return Step(replace(turn, state=state, in_play=None, over=True), (*events, event))


# Gifts ----------------------------------------------------------------------------------------


def _play(turn: Turn, action: Action) -> TurnStep:
    assert action.gift is not None, "a play has a gift"
    state = remove_top_card(turn.state, turn.state.turn)
    turn = replace(turn, state=state, in_play=action.card, visited=frozenset())
    event = Event("play", player=turn.mover.player, card=action.card, gift=action.gift)
    if action.gift in ATTACKS:
        return _attack(turn, action.gift, event)
    return _USE[action.gift](turn, action, event)


def _spring(turn: Turn, action: Action, event: Event) -> TurnStep:
    assert action.direction is not None, "a spring has a direction"
    landing = _chosen_landing(springs(turn.state.course, turn.place, action.direction), action)
    jump = Event("jump", "S7", player=event.player, start=turn.place, end=landing.place)
    return _enter(turn, landing, (event, jump))


def _chili(turn: Turn, _: Action, event: Event) -> TurnStep:
    others = progress_of_others(turn.state, turn.state.turn)
    gained = chili_movements(turn.place, others)
    chili = Event("chili", "S10", player=event.player, movements=gained)
    return _finish_action(replace(turn, movements=turn.movements + gained), (event, chili))


def _snowman(turn: Turn, action: Action, event: Event) -> TurnStep:
    assert action.row is not None, "a snowman has a space"
    assert action.lane is not None, "a snowman has a space"
    assert action.card is not None, "a snowman has a card"
    snowman = Snowman(Space(action.row, action.lane), action.card)
    snowmen = tuple(sorted((*turn.state.snowmen, snowman)))
    placed = Event("snowman-placed", "S12", player=event.player, space=snowman.space)
    turn = replace(turn, state=replace(turn.state, snowmen=snowmen), in_play=None)
    return _finish_action(turn, (event, placed))


def _attack(turn: Turn, gift: Gift, event: Event) -> TurnStep:
    attack = start_attack(turn.state, gift)
    targets = tuple(turn.state.seats[seat].player for seat in attack.waiting)
    return _ask_next(replace(turn, attack=attack), (replace(event, targets=targets),))


def _ask_next(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    """Ask the next target with a possible magnet; after the last answer, apply the attack (S13).

    The answers of the other targets are forced.
    """
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    forced: Forced = ()
    for index, seat in enumerate(attack.waiting):
        if magnets(turn.state, seat, turn.in_play):
            remaining = replace(attack, waiting=attack.waiting[index:])
            return Step(replace(turn, attack=remaining), events, forced)
        target = turn.state.seats[seat]
        answer = Action(ActionType.ANSWER, player=target.player, magnet=False)
        forced += ((target.player, answer),)
        if target.gifts:
            turn = replace(turn, actions=(*turn.actions, answer), forced=turn.forced + 1)
    state, effects = resolve_attack(turn.state, attack)
    step = _finish_action(replace(turn, state=state, attack=None), events + effects)
    return replace(step, forced=forced)


def _answer(turn: Turn, action: Action) -> TurnStep:
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    seat, *waiting = attack.waiting
    foiled, state = attack.foiled, turn.state
    event = Event("answer", "S13", player=state.seats[seat].player, card=action.card)
    if action.card is not None:
        state, foiled = add_discard(remove_top_card(state, seat), action.card), (*foiled, seat)
    answered = replace(attack, waiting=tuple(waiting), foiled=foiled)
    return _ask_next(replace(turn, state=state, attack=answered), (event,))


def _discard(turn: Turn, action: Action) -> TurnStep:
    assert action.card is not None, "a discard has a card"
    state = add_discard(remove_top_card(turn.state, turn.state.turn), action.card)
    event = Event("discard", "S14", player=turn.mover.player, card=action.card)
    return _finish_action(replace(turn, state=state, visited=frozenset()), (event,))


# The end of a turn ----------------------------------------------------------------------------


def _end(turn: Turn, _: Action) -> TurnStep:
    return _end_turn(turn, (Event("end", player=turn.mover.player),))


def _end_turn(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    state, skipped = _skip_missed_turns(replace(turn.state, turn=_next_seat(turn.state)))
    return Step(replace(turn, state=state, over=True), events + skipped)


def _skip_missed_turns(state: State) -> tuple[State, tuple[Event, ...]]:
    """Skip the turns of players who miss theirs; nothing else happens in these turns (S11)."""
    events: tuple[Event, ...] = ()
    while state.mover.misses_turn:
        mover = state.mover
        events += (Event("missed", "S11", player=mover.player),)
        state = state.with_seat(state.turn, replace(mover, misses_turn=False))
        state = replace(state, turn=_next_seat(state))
    return state, events


def _next_seat(state: State) -> int:
    return (state.turn + 1) % len(state.seats)


_APPLY: Final[dict[ActionType, Callable[[Turn, Action], TurnStep]]] = {
    ActionType.PLACE: _place,
    ActionType.STEP: _step,
    ActionType.PLAY: _play,
    ActionType.DISCARD: _discard,
    ActionType.END: _end,
    ActionType.ANSWER: _answer,
    ActionType.DRAW: _draw,
}

_USE: Final[dict[Gift, Callable[[Turn, Action, Event], TurnStep]]] = {
    Gift.SPRING: _spring,
    Gift.CHILI: _chili,
    Gift.SNOWMAN: _snowman,
}
