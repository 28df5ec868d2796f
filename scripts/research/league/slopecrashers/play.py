"""Play one game of Slopecrashers between agents; a seed fixes the course and the draws."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from research.league.turns import play_turns
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, Course
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Seat, State, observed
from service.games.slopecrashers.rules.turn import Turn

GAME: Final = Slopecrashers()


def seen(turn: Turn, player: str) -> Turn:
    """Return a turn as a player sees it."""
    return replace(turn, state=observed(turn.state, player))


play: Final = partial(play_turns, GAME, seen)


def initial_state(players: int, seed: int) -> State:
    """Return players a, b, c, ... before their first turn, on the default pieces, shuffled."""
    pieces = list(DEFAULT_PIECES)
    Random(f"{seed} course").shuffle(pieces)
    return State(tuple(map(Seat, "abcdef"[:players])), 0, Course(tuple(pieces)), DEFAULT_DECK)
