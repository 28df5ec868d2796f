"""Plays a game of Snowcrest between agents, with the same table and draws for a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from service.core.chance import draw
from service.core.game import Chance
from service.core.sequential import TurnQuestion
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.scoring import scores
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import State, observed
from service.games.snowcrest.rules.turn import Turn

GAME = Snowcrest()
MOST_TURNS = 2_000
"""Random players need some hundreds; a game that lasts so long is a fault."""

Question = TurnQuestion[Turn, Action]


class Villager(Protocol):
    """Somebody who plays."""

    def choose(self, question: Question, random: Random) -> Action:
        """One of the choices of ``question.player``, who sees no more than the question tells."""


@dataclass(frozen=True)
class Lived:
    """A finished game.

    Attributes:
        last: its position.
        shares: of the win, by player; all 0 where one alone has lost.
        points: by player.
        turns: how many it took.
    """

    last: State
    shares: Mapping[str, float]
    points: Mapping[str, int]
    turns: int


def start(players: int, seed: int, *, starter_variant: bool = False, difficulty: int = 1) -> State:
    """Players a, b, c, ... before the set-up."""
    return set_up("abcd"[:players], seed, starter_variant=starter_variant, difficulty=difficulty)


def live(
    state: State,
    villagers: Mapping[str, Villager],
    seed: int,
    before: Callable[[State], None] = lambda _: None,
) -> Lived:
    """Plays from a position to the end.

    Args:
        state: between two turns.
        villagers: by player.
        seed: of each player's choices, and of the draws, turn by turn.
        before: told of the position before each turn.
    """
    randoms = {player: Random(f"{seed} {player}") for player in villagers}
    for turn in range(MOST_TURNS):
        if GAME.over(state):
            return _finished(state, turn)
        before(state)
        state = _after_turn(state, villagers, randoms, Random(f"{seed} turn {turn}"))
    raise RuntimeError(f"the game with seed {seed} does not end")


def _after_turn(
    state: State,
    villagers: Mapping[str, Villager],
    randoms: Mapping[str, Random],
    draws: Random,
) -> State:
    play = GAME.begin(state).play
    while (node := GAME.pending(play)) is not None:
        if isinstance(node, Chance):
            play = GAME.draw(play, draw(node, draws.getrandbits(53))).play
            continue
        [(player, choices)] = node.choices.items()
        atom = choices[0]
        if len(choices) > 1:
            seen = replace(play, state=observed(play.state, player), actions=())
            question = TurnQuestion(seen, node, player, "standard", None, None)
            atom = villagers[player].choose(question, randoms[player])
        play = GAME.choose(play, {player: atom}).play
    return GAME.rest(play)


def _finished(state: State, turns: int) -> Lived:
    won = GAME.winners(state)
    return Lived(
        last=state,
        shares={player: (player in won) / max(1, len(won)) for player in state.players},
        points={score.player: score.points for score in scores(state)},
        turns=turns,
    )
