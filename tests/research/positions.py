"""Positions and questions for the league tests."""

from __future__ import annotations

from functools import partial
from random import Random

from research.league.snow_time.play import GAME, question_for

from service.core.hints import Question
from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import (
    CHAMPIONS,
    DECK,
    Bonus,
    Card,
    Kind,
    Move,
    Seat,
    State,
    Track,
    default_track,
)
from tests.solver import scenarios

NAMES = "abcde"
position = partial(scenarios.position, names=NAMES, track=None)
"""Returns a position with seats a, b, c, ..."""
SHORT = Track(9, (Bonus(3, Kind.FIGHT, 1), Bonus(5, Kind.FRUIT, 2), Bonus(7, Kind.MANA, 1)))


def random_position(
    random: Random, seats: int, card_rate: float = 0.6, two_players: bool = False
) -> State:
    """Return a position before the end; with ``two_players`` each player has two seats.

    ``card_rate`` is the probability of each card but the healer.
    """
    track = random.choice((default_track(), SHORT, Track(40, ())))
    low = random.choice((0, max(0, track.length - 4)))
    fruit = [0] * 6
    for _ in range(random.choice((0, 3, 8, 15))):
        fruit[random.randrange(6)] += 1
    return State(
        tuple(
            Seat(
                name=name,
                player="ab"[index % 2] if two_players else name,
                score=random.randint(low, track.length - 1),
                hand=tuple(c for c in DECK if c is Card.HEALER or random.random() < card_rate),
            )
            for index, name in enumerate(NAMES[:seats])
        ),
        tuple(fruit),
        track,
    )


def question(state: State, player: str, revealed: str = "") -> Question[State, Move]:
    """Return a player's question at the card decision, or after a card of each seat is revealed."""
    ongoing = Round(state)
    if revealed:
        cards = [Move(scenarios.LETTERS[letter]) for letter in revealed]
        names = [seat.name for seat in state.seats]
        ongoing = GAME.choose(ongoing, dict(zip(names, cards, strict=True))).play
    return question_for(ongoing, GAME.pending(ongoing), player)


def recovered(seat: Seat) -> tuple[Card, ...]:
    """Return what the league's healers take back: the two highest champions, or all seven (R4)."""
    missing = seat.discarded_champions
    return missing if len(missing) == len(CHAMPIONS) else missing[-2:]
