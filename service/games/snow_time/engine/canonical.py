"""Canonical order of seats: by score, hand and revealed cards, not by name or seating."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from service.core.hints import Question
from service.core.simultaneous import CanonicalQuestion
from service.games.common.rounds.canonical import renamed
from service.games.snow_time.engine.packing import hand_bits
from service.games.snow_time.rules.state import Move, Seat, State


@dataclass(frozen=True)
class CanonicalSeats:
    """The seats of a decision in canonical order.

    Attributes:
        seats: grouped by player; the seats of a player are ordered by key, players by their seats.
        players: in canonical order.
        owners: index of each seat's player.
        keys: the sort key of each seat: score, hand, revealed move, given weights.
    """

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    owners: tuple[int, ...]
    keys: tuple[tuple[object, ...], ...]

    def seats_of(self, player: int) -> range:
        """Return the indices of a player's seats."""
        first = self.owners.index(player)
        return range(first, first + self.owners.count(player))


def canonical_seats(question: Question[State, Move]) -> CanonicalSeats:
    """Return the seats of a question in canonical order."""

    def key(seat: Seat) -> tuple[object, ...]:
        weights = question.weights.get(seat.name)
        return (
            seat.score,
            hand_bits(seat.hand),
            revealed_key(question, seat),
            () if weights is None else tuple(sorted((m.card, w) for m, w in weights.items())),
            repr(replace(seat, name="", player="")),  # Whatever else a seat has.
        )

    state = question.position
    by_player = {
        player: sorted((key(seat), seat.name) for seat in state.seats_of(player))
        for player in state.players
    }
    players = sorted(by_player, key=lambda player: ([k for k, _ in by_player[player]], player))
    in_order = [(k, name, player) for player in players for k, name in by_player[player]]
    return CanonicalSeats(
        seats=tuple(state.seat(name) for _, name, _ in in_order),
        players=tuple(players),
        owners=tuple(players.index(player) for _, _, player in in_order),
        keys=tuple(k for k, _, _ in in_order),
    )


def canonical(question: Question[State, Move]) -> CanonicalQuestion[State, Move]:
    """Return the question with seats and players renamed to their numbers in canonical order."""
    seats = canonical_seats(question).seats

    def rename(state: State, places: Mapping[str, str], players: Mapping[str, str]) -> State:
        ordered = (
            replace(seat, name=places[seat.name], player=players[seat.player]) for seat in seats
        )
        return replace(state, seats=tuple(ordered))

    return renamed(
        question,
        [seat.name for seat in seats],
        {seat.name: seat.player for seat in seats},
        rename,
        # At the healer decision the recoveries of the other players are fixed.
        mutual=question.decision.name != "healer",
    )


def revealed_key(question: Question[State, Move], seat: Seat) -> tuple[int, ...]:
    """Return what a seat has revealed of its move as plain integers."""
    move = question.revealed.get(seat.name)
    return () if move is None else move.key
