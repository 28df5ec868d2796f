"""Positions and questions for the tests of the league."""

from __future__ import annotations

from random import Random

from league.snow_time.play import GAME, ask

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

LETTERS = dict(zip("1234567hwb", Card, strict=True))
SHORT = Track(9, (Bonus(3, Kind.FIGHT, 1), Bonus(5, Kind.FRUIT, 2), Bonus(7, Kind.MANA, 1)))


def position(
    *hands: str,
    scores: tuple[int, ...] = (),
    fruit: tuple[int, ...] = (0,) * 6,
    players: str = "abcde",
    on: Track | None = None,
) -> State:
    """A position with hands as words: ``1`` to ``7``, ``h``, ``w`` and ``b``."""
    seats = tuple(
        Seat(
            name="abcde"[place],
            player=players[place],
            score=scores[place] if scores else 0,
            hand=tuple(sorted(LETTERS[letter] for letter in word)),
        )
        for place, word in enumerate(hands)
    )
    return State(seats, fruit, on)


def random_position(random: Random, seats: int, held: float = 0.6, two: bool = False) -> State:
    """Any position that is not over; with ``two``, of two players with two seats each."""
    on = random.choice((default_track(), SHORT, Track(40, ())))
    low = random.choice((0, max(0, on.length - 4)))
    fruit = [0] * 6
    for _ in range(random.choice((0, 3, 8, 15))):
        fruit[random.randrange(6)] += 1
    return State(
        tuple(
            Seat(
                name=name,
                player="ab"[place % 2] if two else name,
                score=random.randint(low, on.length - 1),
                hand=tuple(c for c in DECK if c is Card.HEALER or random.random() < held),
            )
            for place, name in enumerate("abcde"[:seats])
        ),
        tuple(fruit),
        on,
    )


def question(state: State, player: str, revealed: str = "") -> Question[State, Move]:
    """What a player is asked after growth: at the card decision, or with a card of each seat."""
    ongoing = Round(state)
    if revealed:
        cards = [Move(LETTERS[letter]) for letter in revealed]
        names = [seat.name for seat in state.seats]
        ongoing = GAME.choose(ongoing, dict(zip(names, cards, strict=True))).play
    return ask(ongoing, GAME.pending(ongoing), player)


def recovered(seat: Seat) -> tuple[Card, ...]:
    """What the league's healers take back: the two highest champions, or all seven (R4)."""
    missing = seat.discarded_champions
    return missing if len(missing) == len(CHAMPIONS) else missing[-2:]
