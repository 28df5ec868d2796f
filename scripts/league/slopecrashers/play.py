"""Plays a game of Slopecrashers between agents, with the same course and draws for a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from service.core.chance import draw
from service.core.game import Chance
from service.core.sequential import TurnQuestion
from service.games.slopecrashers.rules.course import HOUSE_PIECES, Course
from service.games.slopecrashers.rules.gifts import HOUSE_DECK
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Atom, Seat, State, observed
from service.games.slopecrashers.rules.turn import Turn

GAME = Slopecrashers()
MOST_TURNS = 4_000
"""Random players need some hundreds; a game that lasts so long is a fault."""


class Racer(Protocol):
    """Somebody who plays."""

    def choose(self, question: TurnQuestion[Turn, Atom], random: Random) -> Atom:
        """One of the choices of ``question.player``, who sees no more than the question tells."""


@dataclass(frozen=True)
class Raced:
    """A finished game: who won, by number, and how many turns it took."""

    winner: int
    turns: int


def start(players: int, seed: int) -> State:
    """Players a, b, c, ... before their first turn on the house pieces, shuffled."""
    pieces = list(HOUSE_PIECES)
    Random(f"{seed} course").shuffle(pieces)
    return State(tuple(map(Seat, "abcdef"[:players])), 0, Course(tuple(pieces)), HOUSE_DECK)


def race(
    state: State,
    racers: Mapping[str, Racer],
    seed: int,
    before: Callable[[State], None] = lambda _: None,
) -> Raced:
    """Plays from a position to the end.

    Args:
        state: between two turns.
        racers: by player.
        seed: of each player's choices, and of the draws, turn by turn.
        before: told of the position before each turn.
    """
    randoms = {player: Random(f"{seed} {player}") for player in racers}
    for turn in range(MOST_TURNS):
        if state.winner is not None:
            return Raced(state.winner, turn)
        before(state)
        draws = Random(f"{seed} turn {turn}")
        play = GAME.begin(state).play
        while (node := GAME.pending(play)) is not None:
            if isinstance(node, Chance):
                play = GAME.draw(play, draw(node, draws.getrandbits(53))).play
                continue
            [(player, choices)] = node.choices.items()
            seen = replace(play, state=observed(play.state, player))
            question = TurnQuestion(seen, node, player, "standard", None, None)
            atom = choices[0]
            if len(choices) > 1:
                atom = racers[player].choose(question, randoms[player])
            play = GAME.choose(play, {player: atom}).play
        state = GAME.rest(play)
    raise RuntimeError(f"the race with seed {seed} does not end")
