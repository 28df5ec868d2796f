"""The canonical order of a table: by what lies before the seats, not by where they sit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from service.core.game import Decision
from service.core.hints import Question
from service.core.simultaneous import Canonical
from service.core.vocabulary import CARD
from service.games.snow_time.engine.packing import hand_bits
from service.games.snow_time.rules.state import Move, Seat, State


@dataclass(frozen=True)
class Table:
    """The seats of a decision in canonical order: what lies before them, not where they sit.

    Attributes:
        seats: those of a player together, by score and hand; players by their seats.
        players: in that order.
        owners: the player of each seat.
        keys: what each seat has before it, as it counts for the order.
    """

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    owners: tuple[int, ...]
    keys: tuple[tuple[object, ...], ...]

    def of(self, player: int) -> range:
        """A player's seats."""
        first = self.owners.index(player)
        return range(first, first + self.owners.count(player))


def canonical_seats(question: Question[State, Move]) -> Table:
    """Puts the seats of a question in order."""

    def key(seat: Seat) -> tuple[object, ...]:
        weights = question.weights.get(seat.name)
        return (
            seat.score,
            hand_bits(seat.hand),
            revealed_key(question, seat),
            () if weights is None else tuple(sorted((m.card, w) for m, w in weights.items())),
        )

    state = question.position
    by_player = {
        player: sorted((key(seat), seat.name) for seat in state.seats_of(player))
        for player in state.players
    }
    players = sorted(by_player, key=lambda player: ([k for k, _ in by_player[player]], player))
    in_order = [(k, name, player) for player in players for k, name in by_player[player]]
    return Table(
        seats=tuple(state.seat(name) for _, name, _ in in_order),
        players=tuple(players),
        owners=tuple(players.index(player) for _, _, player in in_order),
        keys=tuple(k for k, _, _ in in_order),
    )


def canonical(question: Question[State, Move]) -> Canonical[State, Move]:
    """The question with seats and players called by their numbers in canonical order."""
    table = canonical_seats(question)
    players = {player: str(number) for number, player in enumerate(table.players)}
    seats = {
        seat.name: replace(seat, name=str(place), player=players[seat.player])
        for place, seat in enumerate(table.seats)
    }
    choices = question.decision.choices
    return Canonical(
        question=replace(
            question,
            position=replace(question.position, seats=tuple(seats.values())),
            told={seats[name].name: question.told[name] for name in seats if name in question.told},
            decision=Decision(
                question.decision.name,
                {seats[name].name: choices[name] for name in seats if name in choices},
            ),
            player=players[question.player],
            actors=tuple(seats[name].name for name in seats if name in question.actors),
            weights={
                seats[name].name: question.weights[name]
                for name in seats
                if name in question.weights
            },
            deadline_ms=None,
            chosen=None,
            nonce=None,
            temperature=None,
            hint_level=CARD,
            include=frozenset(),
        ),
        players=table.players,
        actors=tuple(seats),
        owners={seat.name: seat.player for seat in seats.values()},
        # What other healers take back is taken for granted.
        mutual=question.decision.name != "healer",
    )


def revealed_key(question: Question[State, Move], seat: Seat) -> tuple[int, ...]:
    """What a seat has told of its move, as plain numbers."""
    told = question.told.get(seat.name)
    if told is None:
        return ()
    recover = (-1,) if told.last.recover is None else told.last.recover
    return (int(told.card), int(told.then.card) if told.then else 0, *map(int, recover))
