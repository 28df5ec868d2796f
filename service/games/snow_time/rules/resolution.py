"""Resolution of a round: steps A to E, the return of cards, and the event log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.games.snow_time.rules.state import LEVELS, Card, Kind, Move, Seat, State

BONUS: Final = "bonus"
POINT_KINDS: Final = (*(kind.label for kind in Kind), BONUS)
"""The kinds of points and ``bonus``, in the order of :class:`Points`."""


@dataclass(frozen=True, slots=True)
class Award:
    """Points for one seat and the move of its marker.

    Attributes:
        seat: the seat that gains the points.
        kind: ``fight``, ``fruit``, ``mana``, or ``bonus`` for the advance of a bonus space.
        points: as awarded; at the end of the track the marker may move fewer spaces (R9).
        start: the marker's space before the award.
        end: the marker's space after the award.
    """

    seat: str
    kind: str
    points: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the event log, with enough detail to animate and to explain it.

    Attributes:
        type: the type of event.
        step: the decision, or the step of the rule sheet.
        rule: the ruling that applies, if any.
        level: the level of the tree, if the event happens on one.
        seats: the seats that act.
        fallen: the seats whose champions the event discards.
        cards: cards played, taken back, returned or spent, by seat.
        awards: simultaneous gains.
        dice: the levels rolled.
    """

    type: str
    step: str
    rule: str | None = None
    level: int | None = None
    seats: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    cards: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    awards: tuple[Award, ...] = ()
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Points:
    """The points awarded to a seat in a round, not clipped at the end of the track."""

    fight: int = 0
    fruit: int = 0
    mana: int = 0
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolved round: the next position, the event log, and the points in seat order."""

    state: State
    events: tuple[Event, ...]
    points: tuple[Points, ...]


class _RoundInProgress:
    """Mutable state of a round during resolution; seats are indices into ``state.seats``."""

    def __init__(self, state: State, moves: Sequence[Move]) -> None:
        self.state = state
        self.moves = moves
        self.board = state.board
        self.score = [seat.score for seat in state.seats]
        self.fruit = list(state.fruit)
        self.points = [[0, 0, 0, 0] for _ in state.seats]
        self.standing: dict[int, Card] = {
            index: move.champion for index, move in enumerate(moves) if move.champion is not None
        }
        self.events: list[Event] = []

    @property
    def over(self) -> bool:
        return self.board.length in self.score

    def name(self, indices: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.state.seats[index].name for index in indices)

    def at(self, level: int) -> list[int]:
        return [index for index, champion in self.standing.items() if champion == level]

    def award(self, gains: Sequence[tuple[int, int]], kind: Kind | None) -> tuple[Award, ...]:
        """Apply simultaneous gains of (seat, points); ``kind`` None is a bonus advance (R9)."""
        awards = []
        for index, points in gains:
            start = self.score[index]
            self.score[index] = end = min(start + points, self.board.length)
            self.points[index][len(Kind) if kind is None else kind] += points
            label = BONUS if kind is None else kind.label
            awards.append(Award(self.state.seats[index].name, label, points, start, end))
        return tuple(awards)

    def fall(self, indices: Iterable[int]) -> None:
        for index in indices:
            del self.standing[index]


def resolve(state: State, moves: Sequence[Move]) -> Resolution:
    """Resolve a round of complete moves, one for each seat in order.

    The function is pure and does not check its input: moves must be legal, and the game must not
    be over.
    """
    table = _played(state, moves)
    table.events += _return(table)
    return Resolution(
        state=_after(table),
        events=tuple(table.events),
        points=tuple(Points(*points) for points in table.points),
    )


def events_on_tree(state: State, moves: Sequence[Move]) -> Sequence[Event]:
    """Return the events until the cards return to hand, for moves like those of :func:`resolve`."""
    return _played(state, moves).events


def _played(state: State, moves: Sequence[Move]) -> _RoundInProgress:
    """Return the round before cards return to hand."""
    table = _RoundInProgress(state, moves)
    for step in (_blizzard, _levels, _mana, _bonuses):
        if not table.over:
            step(table)
    if table.over:
        table.events.append(_finish(table))
    return table


def recoveries(state: State, moves: Sequence[Move]) -> tuple[Event, ...]:
    """Return the event of the healers, who act before step A (R4)."""
    taken = tuple(
        (seat.name, move.last.recover)
        for seat, move in zip(state.seats, moves, strict=True)
        if move.last.recover
    )
    return (Event("recover", "healer", rule="R4", cards=taken),) if taken else ()


def _blizzard(table: _RoundInProgress) -> None:
    """Step A: a blizzard discards all champions of the round, added ones too (R5).

    If the track says so, it spares added champions.
    """
    storms = [index for index, move in enumerate(table.moves) if move.last.card is Card.BLIZZARD]
    if not storms:
        return
    spares = table.board.spared_champion
    buried = [index for index in table.standing if not (spares and table.moves[index].then)]
    table.fall(buried)
    gains = [(index, len(buried)) for index in storms if buried]
    event = Event(
        "blizzard",
        "A",
        rule="R5",
        seats=table.name(storms),
        fallen=table.name(buried),
        awards=table.award(gains, Kind.FIGHT),
    )
    table.events.append(event)


def _levels(table: _RoundInProgress) -> None:
    """Steps B and C: both steps of a level before the next level, from the top (R6)."""
    for level in range(LEVELS, 0, -1):
        present = table.at(level)
        if len(present) > 1:
            _brawl(table, level, present)
        elif present:
            _strike(table, level, present[0])
            if not table.over:
                _fruit(table, level, present[0])
        if table.over:
            return


def _brawl(table: _RoundInProgress, level: int, present: list[int]) -> None:
    """Several champions on a level: all fall, each gains a point per other one, no strike."""
    table.fall(present)
    gains = [(index, len(present) - 1) for index in present]
    names = table.name(present)
    awards = table.award(gains, Kind.FIGHT)
    table.events.append(
        Event("brawl", "B", rule="R6", level=level, seats=names, fallen=names, awards=awards)
    )


def _strike(table: _RoundInProgress, level: int, attacker: int) -> None:
    """A single champion on a level knocks down all champions directly below it."""
    below = table.at(level - 1)
    if not below:
        return
    table.fall(below)
    event = Event(
        "strike",
        "B",
        rule="R6",
        level=level,
        seats=table.name([attacker]),
        fallen=table.name(below),
        awards=table.award([(attacker, len(below))], Kind.FIGHT),
    )
    table.events.append(event)


def _fruit(table: _RoundInProgress, level: int, picker: int) -> None:
    """A single champion on a level takes all its fruit; the tokens go back to the supply."""
    tokens = table.fruit[level - 1] if level <= len(table.fruit) else 0
    if not tokens:
        return
    table.fruit[level - 1] = 0
    awards = table.award([(picker, tokens)], Kind.FRUIT)
    table.events.append(
        Event("fruit", "C", rule="R6", level=level, seats=table.name([picker]), awards=awards)
    )


def _mana(table: _RoundInProgress) -> None:
    """Step D: a mana point for the lowest champion; each level now has at most one."""
    if not table.standing:
        return
    lowest = min(table.standing, key=table.standing.__getitem__)
    level = int(table.standing[lowest])
    awards = table.award([(lowest, 1)], Kind.MANA)
    table.events.append(Event("mana", "D", level=level, seats=table.name([lowest]), awards=awards))


def _bonuses(table: _RoundInProgress) -> None:
    """Step E: bonus advances, automatic (R8), once per round, all simultaneous (R7)."""
    gains = []
    for index, points in enumerate(table.points):
        bonus = table.board.bonus_by_space.get(table.score[index])
        if bonus is not None and points[bonus.kind]:
            gains.append((index, bonus.advance))
    if gains:
        seats = table.name(index for index, _ in gains)
        awards = table.award(gains, None)
        table.events.append(Event("bonus", "E", rule="R7", seats=seats, awards=awards))


def _finish(table: _RoundInProgress) -> Event:
    """Return the end of the game; seats that arrive in the same award share the win (R10)."""
    last = table.board.length
    arrived = [index for index, score in enumerate(table.score) if score == last]
    return Event("finish", "end", rule="R10", seats=table.name(arrived))


def _return(table: _RoundInProgress) -> list[Event]:
    """Return standing champions and healers to hand, also if the game ends mid-round (R11)."""
    back, spent = [], []
    for index, (seat, move) in enumerate(zip(table.state.seats, table.moves, strict=True)):
        home = tuple(card for card in move.cards if _comes_back(table, index, card))
        gone = tuple(card for card in move.cards if card in (Card.WATCHER, Card.BLIZZARD))
        back += [(seat.name, home)] if home else []
        spent += [(seat.name, gone)] if gone else []
    rule = "R11" if table.over else None
    events = []
    if back:
        events.append(Event("return", "return", rule=rule, cards=tuple(back)))
    if spent:
        events.append(Event("spend", "return", cards=tuple(spent)))
    return events


def _comes_back(table: _RoundInProgress, index: int, card: Card) -> bool:
    return card is Card.HEALER or (card.is_champion and index in table.standing)


def _after(table: _RoundInProgress) -> State:
    seats = tuple(
        replace(seat, score=table.score[index], hand=_hand_after(table, index, seat))
        for index, seat in enumerate(table.state.seats)
    )
    return replace(table.state, seats=seats, fruit=tuple(table.fruit))


def _hand_after(table: _RoundInProgress, index: int, seat: Seat) -> tuple[Card, ...]:
    move = table.moves[index]
    hand = {card for card in seat.hand if card not in move.cards}
    hand |= {card for card in move.cards if _comes_back(table, index, card)}
    hand |= set(move.last.recover or ())
    return tuple(sorted(hand))
