"""Play one game of turns between agents; a seed fixes the draws, whatever they choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol

from service.core.chance import draw
from service.core.game import Chance
from service.core.turn_hints import TurnQuestion

MAX_TURNS: Final = 4_000
"""Random players need some hundreds of turns; a longer game is an error."""


class Agent(Protocol):
    """A player of a game of turns."""

    def choose(self, question: Any, random: Random) -> Any:
        """Return a legal action of ``question.player``; the question has only what it sees."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game.

    Attributes:
        shares: of the win, by player; all 0 if a solo player lost.
        turns: played.
    """

    shares: Mapping[str, float]
    turns: int


def play_turns(
    game: Any,
    seen: Callable[[Any, str], Any],
    state: Any,
    agents: Mapping[str, Agent],
    seed: int,
    before_turn: Callable[[Any], None] = lambda _: None,
) -> FinishedGame:
    """Play from a position to the end.

    Args:
        game: its rules.
        seen: returns a turn as a player sees it.
        state: between two turns.
        agents: by player.
        seed: of each player's choices, and of the draws of each turn.
        before_turn: called with the position before each turn.

    Raises:
        RuntimeError: after ``MAX_TURNS`` turns.
    """
    randoms = {player: Random(f"{seed} {player}") for player in agents}
    for number in range(MAX_TURNS):
        if game.over(state):
            winners = game.winners(state)
            shares = {name: (name in winners) / max(1, len(winners)) for name in state.players}
            return FinishedGame(shares, number)
        before_turn(state)
        draws, turn = Random(f"{seed} turn {number}"), game.begin(state).play
        while (node := game.pending(turn)) is not None:
            if isinstance(node, Chance):
                turn = game.draw(turn, draw(node, draws.getrandbits(53))).play
                continue
            [(player, choices)] = node.choices.items()
            action = choices[0]
            if len(choices) > 1:
                view = seen(turn, player)
                question = TurnQuestion(view, node, player, "standard", None, None)
                action = agents[player].choose(question, randoms[player])
            turn = game.choose(turn, {player: action}).play
        state = game.rest(turn)
    raise RuntimeError(f"the game with seed {seed} does not end")
