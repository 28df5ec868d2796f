"""Positions, moves and rounds of Snow Time in a short notation for tests.

A card is one letter: ``1`` to ``7`` a champion, ``h`` the healer, ``w`` the watcher, ``b`` the
blizzard.  A hand is a word of such letters, ``"136h"``.  A move is a word too: ``"6"`` plays a six,
``"w5"`` adds a five by the watcher, ``"h:12"`` takes back 1 and 2, ``"wh:"`` adds the healer and
takes back nothing, ``"h"`` is a healer without a recovery, ``"w0"`` adds no
card.  Seats are a, b, c, d, e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.games.definition import Endpoint
from service.games.registry import GAMES
from service.games.snow_time.api.response_schema import EventSchema
from service.games.snow_time.rules.resolution import Event, Points
from service.games.snow_time.rules.rules import Round, SnowTime
from service.games.snow_time.rules.state import DECK, Bonus, Card, Kind, Move, Seat, State, Track
from service.operations.dispatch import execute
from tests.games.unions import misfits, stated

GAME = SnowTime()
DEFINITION = GAMES["snow-time"]
ENDPOINTS: dict[str, Endpoint] = {endpoint.name: endpoint for endpoint in DEFINITION.endpoints}

FULL = "1234567hwb"
LETTERS = {**dict(zip(FULL, DECK, strict=True)), "0": Card.NONE}
LABELS = {letter: card.label for letter, card in LETTERS.items()}
NO_BONUSES = Track(30, ())
"""A track without bonus spaces, on which only the tree matters."""


# Notation -----------------------------------------------------------------------------------


def hand(word: str) -> tuple[Card, ...]:
    return tuple(sorted(LETTERS[letter] for letter in word))


def move(word: str) -> Move:
    laid, colon, taken = word.partition(":")
    inner = Move(LETTERS[laid[-1]], recover=hand(taken) if colon else None)
    return inner if len(laid) == 1 else Move(LETTERS[laid[0]], inner)


def track(length: int, *bonuses: tuple[int, str, int]) -> Track:
    """Return a track with bonus spaces given as (space, kind, advance)."""
    return Track(length, tuple(Bonus(space, Kind[kind.upper()], n) for space, kind, n in bonuses))


def position(
    *hands: str,
    scores: tuple[int, ...] = (),
    fruit: dict[int, int] | None = None,
    on: Track | None = NO_BONUSES,
    players: str = "",
) -> State:
    """Return a position with these hands; ``fruit`` by level, ``players`` one letter per seat."""
    seats = tuple(
        Seat(
            name="abcde"[index],
            player=players[index] if players else "abcde"[index],
            score=scores[index] if scores else 0,
            hand=hand(word),
        )
        for index, word in enumerate(hands)
    )
    tokens = fruit or {}
    return State(seats, tuple(tokens.get(level, 0) for level in range(1, 7)), on)


def full(seats: int, **settings: Any) -> State:
    return position(*[FULL] * seats, **settings)


# Rounds -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ResolvedRound:
    """A resolved round."""

    state: State
    points: dict[str, Points]
    events: tuple[Event, ...]

    @property
    def gained(self) -> dict[str, Points]:
        """The points of the seats that gain any."""
        return {name: own for name, own in self.points.items() if own != Points()}

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(seat.score for seat in self.state.seats)

    @property
    def fruit(self) -> dict[int, int]:
        return {level: n for level, n in enumerate(self.state.fruit, 1) if n}

    @property
    def hands(self) -> tuple[str, ...]:
        word = dict(zip(DECK, FULL, strict=True))
        return tuple("".join(word[card] for card in seat.hand) for seat in self.state.seats)

    @property
    def winners(self) -> tuple[str, ...]:
        return GAME.winners(self.state)

    @property
    def story(self) -> list[str]:
        """The types of the events, each with its level if it has one."""
        return [f"{e.type} {e.level}" if e.level else e.type for e in self.events]

    def event(self, event_type: str) -> Event:
        [event] = [event for event in self.events if event.type == event_type]
        return event


def play_round(state: State, *words: str) -> ResolvedRound:
    """Play one round after growth, with moves in seat order, and assert that they are legal."""
    moves = dict(zip((seat.name for seat in state.seats), map(move, words), strict=True))
    play, events = Round(state), ()
    while (node := GAME.pending(play)) is not None:
        chosen = {name: moves[name].up_to(node.name) for name in node.choices}
        for name, choice in chosen.items():
            assert choice in node.choices[name], f"{name} may not choose {choice}"
        step = GAME.choose(play, chosen)
        play, events = step.play, events + step.events
    assert play.resolution is not None, "the game was over before the round"
    names = [seat.name for seat in state.seats]
    points = dict(zip(names, play.resolution.points, strict=True))
    documents = ({name: part for name, part in stated(each).items() if part} for each in events)
    assert not misfits(documents, EventSchema.union)
    return ResolvedRound(GAME.rest(play), points, events)


def reveal(state: State, words: str) -> Round:
    """Return the round after the reveal of the cards: one letter per seat, in order."""
    cards = {seat.name: move(word) for seat, word in zip(state.seats, words, strict=True)}
    play = Round(state)
    for name, choice in cards.items():
        assert choice in GAME.pending(play).choices[name]
    return GAME.choose(play, cards).play


def points(fight: int = 0, fruit: int = 0, mana: int = 0, bonus: int = 0) -> Points:
    return Points(fight, fruit, mana, bonus)


# Documents ----------------------------------------------------------------------------------


def ask(endpoint: str, body: Any) -> dict[str, Any]:
    """Return the response document of an endpoint, without HTTP."""
    return execute(DEFINITION, ENDPOINTS[endpoint], body).document


def labels(word: str) -> list[str]:
    return [LABELS[letter] for letter in word]


def seat_document(name: str, word: str = FULL, score: int = 0, **more: Any) -> dict[str, Any]:
    return {"seat": name, "score": score, "hand": labels(word), **more}


def state_document(*words: str, **more: Any) -> dict[str, Any]:
    seats = [seat_document("abcde"[index], word) for index, word in enumerate(words)]
    return {"seats": seats, "fruit": [0] * 6, **more}


def move_document(word: str) -> dict[str, Any]:
    laid, colon, taken = word.partition(":")
    inner: dict[str, Any] = {"card": LABELS[laid[-1]]}
    if colon:
        inner["recover"] = labels(taken)
    return inner if len(laid) == 1 else {"card": LABELS[laid[0]], "then": inner}


def move_documents(*words: str) -> dict[str, Any]:
    return {"abcde"[index]: move_document(word) for index, word in enumerate(words)}
