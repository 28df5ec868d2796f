"""Play one game of Snowcrest between agents; a seed fixes the set-up and the draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from service.core.chance import draw
from service.core.game import Chance
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.scoring import scores
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import State, observed
from service.games.snowcrest.rules.turn import Turn

GAME = Snowcrest()
MAX_TURNS = 2_000
"""Random players need some hundreds of turns; a longer game is an error."""

Question = TurnQuestion[Turn, Action]


class Agent(Protocol):
    """A player."""

    def choose(self, question: Question, random: Random) -> Action:
        """Return a legal action of ``question.player``; the question has only what it sees."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game.

    Attributes:
        last: its final position.
        shares: of the win, by player; all 0 if a solo player lost.
        points: by player.
        turns: played.
    """

    last: State
    shares: Mapping[str, float]
    points: Mapping[str, int]
    turns: int


def initial_state(
    players: int, seed: int, *, starter_variant: bool = False, difficulty: int = 1
) -> State:
    """Return players a, b, c, ... before the set-up."""
    return set_up("abcd"[:players], seed, starter_variant=starter_variant, difficulty=difficulty)


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
        if GAME.over(state):
            return _finished(state, turn)
        before_turn(state)
        state = _after_turn(state, agents, randoms, Random(f"{seed} turn {turn}"))
    raise RuntimeError(f"the game with seed {seed} does not end")


def _after_turn(
    state: State,
    agents: Mapping[str, Agent],
    randoms: Mapping[str, Random],
    draws: Random,
) -> State:
    play = GAME.begin(state).play
    while (node := GAME.pending(play)) is not None:
        if isinstance(node, Chance):
            play = GAME.draw(play, draw(node, draws.getrandbits(53))).play
            continue
        [(player, choices)] = node.choices.items()
        action = choices[0]
        if len(choices) > 1:
            visible = replace(play, state=observed(play.state, player), actions=())
            question = TurnQuestion(visible, node, player, "standard", None, None)
            action = agents[player].choose(question, randoms[player])
        play = GAME.choose(play, {player: action}).play
    return GAME.rest(play)


def _finished(state: State, turns: int) -> FinishedGame:
    winners = GAME.winners(state)
    return FinishedGame(
        last=state,
        shares={player: (player in winners) / max(1, len(winners)) for player in state.players},
        points={score.player: score.points for score in scores(state)},
        turns=turns,
    )
