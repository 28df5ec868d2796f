"""What an atom makes of a turn; nothing is checked here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from service.core.game import Step
from service.games.slopecrashers.rules.attacks import (
    ATTACKS,
    Attack,
    attack,
    discarding,
    magnets,
    met_snowman,
    moved,
    settle,
    without_top,
)
from service.games.slopecrashers.rules.course import Field
from service.games.slopecrashers.rules.gifts import Card, Gift
from service.games.slopecrashers.rules.movement import (
    Landing,
    chili_movements,
    gifts_left,
    placements,
    progress_of_others,
    springs,
    steps,
)
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import (
    MOVEMENTS,
    STUNG_MOVEMENTS,
    Act,
    Atom,
    Place,
    Seat,
    Snowman,
    Space,
    State,
    pile_size,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way.

    Attributes:
        state: the position, with everything that has happened in this turn.
        movements: left.
        atoms: everything done and drawn so far, the others' answers included.
        been: places with movements left, since the stack last changed (S5).
        in_play: the card whose effect is not over yet; it is not among the discards (S14).
        attack: that is being answered.
        drawing: whether a gift has to be drawn now.
        over: whether the turn is complete.
    """

    state: State
    movements: int = 0
    atoms: tuple[Atom, ...] = ()
    been: frozenset[tuple[Place, int]] = frozenset()
    in_play: Card | None = None
    attack: Attack | None = None
    drawing: bool = False
    over: bool = False

    @property
    def mover(self) -> Seat:
        return self.state.mover

    @property
    def place(self) -> Place:
        """Where the player is, once on the board."""
        place = self.mover.place
        assert place is not None, "the player is on the board"
        return place

    @property
    def count(self) -> int:
        """Atoms so far; placing, draws and answers are none (S5)."""
        return sum(atom.act not in (Act.PLACE, Act.DRAW, Act.ANSWER) for atom in self.atoms)


TurnStep = Step[Turn, Event]


def begun(state: State) -> TurnStep:
    """The turn of who is next and does not miss it (S11)."""
    if state.winner is not None:
        return Step(Turn(state, over=True))
    state, events = _passing_over(state)
    mover = state.mover
    movements = STUNG_MOVEMENTS if mover.stung else MOVEMENTS
    been = frozenset() if mover.place is None else frozenset({(mover.place, movements)})
    state = state.with_seat(state.turn, replace(mover, stung=False))
    return Step(Turn(state, movements, been=been), events)


def without_placement(step: TurnStep) -> TurnStep:
    """The same turn, ended because there is no space to begin on (S3); a sting waits on (S11)."""
    turn, mover = step.play, step.play.mover
    stung = turn.movements == STUNG_MOVEMENTS
    state = turn.state.with_seat(turn.state.turn, replace(mover, stung=stung))
    kept = Event("no-place", "S3", player=mover.player)
    return _ended(replace(turn, state=state), (*step.events, kept))


def applied(turn: Turn, atom: Atom) -> TurnStep:
    """What a legal atom, an answer or a draw makes of the turn."""
    told = replace(turn, atoms=(*turn.atoms, atom))
    return _APPLY[atom.act](told, atom)


# Moving ---------------------------------------------------------------------------------------


def _place(turn: Turn, atom: Atom) -> TurnStep:
    landing = _told(placements(turn.state.course), atom)
    event = Event("enter", "S3", player=turn.mover.player, end=landing.place)
    return _entered(turn, landing, (event,))


def _step(turn: Turn, atom: Atom) -> TurnStep:
    assert atom.direction is not None, "a step has a direction"
    landing = _told(steps(turn.state.course, turn.place, atom.direction), atom)
    rule = None if landing.place and landing.place.lap == turn.place.lap else "S4"
    event = Event("step", rule, player=turn.mover.player, start=turn.place, end=landing.place)
    return _entered(replace(turn, movements=turn.movements - 1), landing, (event,))


def _told(landings: Iterable[Landing], atom: Atom) -> Landing:
    return next(found for found in landings if found.lane == atom.lane)


def _entered(turn: Turn, landing: Landing, events: tuple[Event, ...]) -> TurnStep:
    """The player comes onto a space, or over the last line (S6, S12, S16)."""
    if landing.place is None:
        return _won(turn, events)
    state, events = met_snowman(
        moved(turn.state, turn.state.turn, landing.place), turn.state.turn, events
    )
    turn = replace(turn, state=state)
    field = state.course.rows[landing.place.row][landing.place.lane]
    if len(state.standing_on(landing.place.space)) == 1:
        if field is Field.BOOST:
            boost = Event("boost", "S6", player=turn.mover.player, movements=1)
            turn, events = replace(turn, movements=turn.movements + 1), (*events, boost)
        elif field is Field.GIFT:
            return _draw_due(turn, events)
    return _rested(turn, events)


def _draw_due(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    """Drawing is mandatory, from the discards where the pile is empty (S6, S14)."""
    in_play = turn.in_play is not None
    if not gifts_left(turn.state, in_play):
        return _rested(turn, (*events, Event("no-gift", "S14", player=turn.mover.player)))
    turn = replace(turn, drawing=True)
    if pile_size(turn.state, in_play) > 0:
        return Step(turn, events)
    renewed = replace(turn.state, discards=())
    return Step(replace(turn, state=renewed), (*events, Event("renew", "S14")))


def _draw(turn: Turn, atom: Atom) -> TurnStep:
    assert atom.card is not None, "a draw has a card"
    mover = turn.mover
    drawing = replace(mover, gifts=(atom.card, *mover.gifts))
    turn = replace(
        turn,
        state=turn.state.with_seat(turn.state.turn, drawing),
        drawing=False,
        been=frozenset(),
    )
    return _rested(turn, (Event("draw", "S6", player=mover.player, card=atom.card),))


def _rested(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    """An atom with all its effects is over: its card is discarded, and where it led is kept."""
    state = turn.state if turn.in_play is None else discarding(turn.state, turn.in_play)
    been = turn.been | {(turn.place, turn.movements)}
    return Step(replace(turn, state=state, in_play=None, been=been), events)


def _won(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    state = turn.state if turn.in_play is None else discarding(turn.state, turn.in_play)
    state = state.with_seat(state.turn, replace(state.mover, place=None))
    state = replace(state, winner=state.turn)
    event = Event("win", "S16", player=turn.mover.player)
    return Step(replace(turn, state=state, in_play=None, over=True), (*events, event))


# Gifts ----------------------------------------------------------------------------------------


def _play(turn: Turn, atom: Atom) -> TurnStep:
    assert atom.gift is not None, "a play has a gift"
    state = without_top(turn.state, turn.state.turn)
    turn = replace(turn, state=state, in_play=atom.card, been=frozenset())
    event = Event("play", player=turn.mover.player, card=atom.card, gift=atom.gift)
    if atom.gift in ATTACKS:
        return _attacked(turn, atom.gift, event)
    return _USE[atom.gift](turn, atom, event)


def _spring(turn: Turn, atom: Atom, event: Event) -> TurnStep:
    assert atom.direction is not None, "a spring has a direction"
    landing = _told(springs(turn.state.course, turn.place, atom.direction), atom)
    jump = Event("jump", "S7", player=event.player, start=turn.place, end=landing.place)
    return _entered(turn, landing, (event, jump))


def _chili(turn: Turn, _: Atom, event: Event) -> TurnStep:
    others = progress_of_others(turn.state, turn.state.turn)
    gained = chili_movements(turn.place, others)
    chili = Event("chili", "S10", player=event.player, movements=gained)
    return _rested(replace(turn, movements=turn.movements + gained), (event, chili))


def _snowman(turn: Turn, atom: Atom, event: Event) -> TurnStep:
    assert atom.row is not None, "a snowman is put on a space"
    assert atom.lane is not None, "a snowman is put on a space"
    assert atom.card is not None, "a snowman is a card"
    snowman = Snowman(Space(atom.row, atom.lane), atom.card)
    snowmen = tuple(sorted((*turn.state.snowmen, snowman)))
    placed = Event("snowman-placed", "S12", player=event.player, space=snowman.space)
    turn = replace(turn, state=replace(turn.state, snowmen=snowmen), in_play=None)
    return _rested(turn, (event, placed))


def _attacked(turn: Turn, gift: Gift, event: Event) -> TurnStep:
    begun = attack(turn.state, gift)
    targets = tuple(turn.state.seats[seat].player for seat in begun.waiting)
    return _asking(replace(turn, attack=begun), (replace(event, targets=targets),))


def _asking(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    """The next one who can answer is asked; after the last the attack takes effect (S13)."""
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    for place, seat in enumerate(attack.waiting):
        if magnets(turn.state, seat, turn.in_play):
            waiting = replace(attack, waiting=attack.waiting[place:])
            return Step(replace(turn, attack=waiting), events)
    state, effects = settle(turn.state, attack)
    return _rested(replace(turn, state=state, attack=None), events + effects)


def _answer(turn: Turn, atom: Atom) -> TurnStep:
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    seat, *waiting = attack.waiting
    foiled, state = attack.foiled, turn.state
    event = Event("answer", "S13", player=state.seats[seat].player, card=atom.card)
    if atom.card is not None:
        state, foiled = discarding(without_top(state, seat), atom.card), (*foiled, seat)
    following = replace(attack, waiting=tuple(waiting), foiled=foiled)
    return _asking(replace(turn, state=state, attack=following), (event,))


def _discard(turn: Turn, atom: Atom) -> TurnStep:
    assert atom.card is not None, "a discard has a card"
    state = discarding(without_top(turn.state, turn.state.turn), atom.card)
    event = Event("discard", "S14", player=turn.mover.player, card=atom.card)
    return _rested(replace(turn, state=state, been=frozenset()), (event,))


# The end of a turn ----------------------------------------------------------------------------


def _end(turn: Turn, _: Atom) -> TurnStep:
    return _ended(turn, (Event("end", player=turn.mover.player),))


def _ended(turn: Turn, events: tuple[Event, ...]) -> TurnStep:
    following = replace(turn.state, turn=_next(turn.state))
    state, missed = _passing_over(following)
    return Step(replace(turn, state=state, over=True), events + missed)


def _passing_over(state: State) -> tuple[State, tuple[Event, ...]]:
    """Who misses the turn is passed over, and that is all (S11)."""
    events: tuple[Event, ...] = ()
    while state.mover.misses_turn:
        mover = state.mover
        events += (Event("missed", "S11", player=mover.player),)
        state = state.with_seat(state.turn, replace(mover, misses_turn=False))
        state = replace(state, turn=_next(state))
    return state, events


def _next(state: State) -> int:
    return (state.turn + 1) % len(state.seats)


_APPLY: Final[dict[Act, Callable[[Turn, Atom], TurnStep]]] = {
    Act.PLACE: _place,
    Act.STEP: _step,
    Act.PLAY: _play,
    Act.DISCARD: _discard,
    Act.END: _end,
    Act.ANSWER: _answer,
    Act.DRAW: _draw,
}

_USE: Final[dict[Gift, Callable[[Turn, Atom, Event], TurnStep]]] = {
    Gift.SPRING: _spring,
    Gift.CHILI: _chili,
    Gift.SNOWMAN: _snowman,
}
