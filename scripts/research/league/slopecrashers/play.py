"""Play one game of Slopecrashers between agents; a seed fixes the course and the draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from service.core.chance import draw
from service.core.game import Chance
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, Course
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Action, Seat, State, observed
from service.games.slopecrashers.rules.turn import Turn

GAME = Slopecrashers()
MAX_TURNS = 4_000
"""Random players need some hundreds of turns; a longer game is an error."""


class Agent(Protocol):
    """A player."""

    def choose(self, question: TurnQuestion[Turn, Action], random: Random) -> Action:
        """Return a legal action of ``question.player``; the question has only what it sees."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game.

    Attributes:
        winner: index of the player.
        turns: played.
    """

    winner: int
    turns: int


def initial_state(players: int, seed: int) -> State:
    """Return players a, b, c, ... before their first turn, on the default pieces, shuffled."""
    pieces = list(DEFAULT_PIECES)
    Random(f"{seed} course").shuffle(pieces)
    return State(tuple(map(Seat, "abcdef"[:players])), 0, Course(tuple(pieces)), DEFAULT_DECK)


def play(
    state: State,
    agents: Mapping[str, Agent],
    seed: int,
    before_turn: Callable[[State], None] = lambda _: None,
) -> FinishedGame:
    """Play from a position to the end.

    Args:
        state: between two turns.
        agents: by player.
        seed: of each player's choices, and of the draws of each turn.
        before_turn: called with the position before each turn.

    Raises:
        RuntimeError: after ``MAX_TURNS`` turns.
    """
    randoms = {player: Random(f"{seed} {player}") for player in agents}
    for turn in range(MAX_TURNS):
        if state.winner is not None:
            return FinishedGame(state.winner, turn)
        before_turn(state)
        draws = Random(f"{seed} turn {turn}")
        play = GAME.begin(state).play
        while (node := GAME.pending(play)) is not None:
            if isinstance(node, Chance):
                play = GAME.draw(play, draw(node, draws.getrandbits(53))).play
                continue
            [(player, choices)] = node.choices.items()
            visible = replace(play, state=observed(play.state, player))
            question = TurnQuestion(visible, node, player, "standard", None, None)
            action = choices[0]
            if len(choices) > 1:
                action = agents[player].choose(question, randoms[player])
            play = GAME.choose(play, {player: action}).play
        state = GAME.rest(play)
    raise RuntimeError(f"the game with seed {seed} does not end")
