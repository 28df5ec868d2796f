"""Play one game of Snowcrest between agents; a seed fixes the set-up and the draws."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from research.league.turns import play_turns
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import State, observed
from service.games.snowcrest.rules.turn import Turn

GAME: Final = Snowcrest()
Question = TurnQuestion[Turn, Action]


def seen(turn: Turn, player: str) -> Turn:
    """Return a turn as a player sees it, without the actions so far, which no hint needs."""
    return replace(turn, state=observed(turn.state, player), actions=())


play: Final = partial(play_turns, GAME, seen)


def initial_state(players: int, seed: int, *, difficulty: int = 1) -> State:
    """Return players a, b, c, ... before the set-up."""
    return set_up("abcd"[:players], seed, difficulty=difficulty)
