"""Plays a game of Snow Time between agents, the dice being the same whatever they choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from service.core.chance import draw
from service.core.game import Chance, Decision
from service.core.hints import Question
from service.games.snow_time.rules.rules import Round, SnowTime
from service.games.snow_time.rules.state import DECK, Move, Seat, State, Track

GAME = SnowTime()
MOST_ROUNDS = 300
"""No game has been seen to last nearly as long; one that does is a fault."""


class Agent(Protocol):
    """Somebody who plays."""

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        """The moves of all seats of ``question.player`` that decide now."""


@dataclass(frozen=True)
class Played:
    """A finished game.

    Attributes:
        positions: before each round, the fruit of that round not yet grown; then the last one.
        shares: of the win, by player.
    """

    positions: Sequence[State]
    shares: Mapping[str, float]


def start(seats: int, players: int, track: Track | None = None) -> State:
    """The first position: seats a, b, c, ...; two players have two seats each."""
    names = "abcde"[:seats]
    owners = [name if players == seats else names[place // 2] for place, name in enumerate(names)]
    first = tuple(Seat(name, owner, 0, DECK) for name, owner in zip(names, owners, strict=True))
    return State(first, (0,) * 6, track)


def play(state: State, agents: Mapping[str, Agent], seed: int) -> Played:
    """Plays from a position to the end.

    Args:
        state: before the dice of its round are rolled.
        agents: by player.
        seed: of the dice, round by round, and of each player's choices.
    """
    dice = Random(f"{seed} dice")
    randoms = {player: Random(f"{seed} {player}") for player in agents}
    positions = [state]
    while not GAME.over(state):
        if len(positions) > MOST_ROUNDS:
            raise RuntimeError(f"the game with seed {seed} does not end")
        ongoing = GAME.begin(state).play
        roll = dice.getrandbits(53)
        while (node := GAME.pending(ongoing)) is not None:
            if isinstance(node, Chance):
                ongoing = GAME.draw(ongoing, draw(node, roll)).play
            else:
                chosen = _choices(ongoing, node, agents, randoms)
                ongoing = GAME.choose(ongoing, chosen).play
        state = GAME.rest(ongoing)
        positions.append(state)
    won = GAME.winners(state)
    shares = {player: (player in won) / len(won) for player in state.players}
    return Played(positions, shares)


def _choices(
    ongoing: Round,
    node: Decision[Move],
    agents: Mapping[str, Agent],
    randoms: Mapping[str, Random],
) -> dict[str, Move]:
    chosen: dict[str, Move] = {}
    for player, agent in agents.items():
        question = ask(ongoing, node, player)
        if question.actors:
            chosen |= agent.choose(question, randoms[player])
    return chosen


def ask(ongoing: Round, node: Decision[Move], player: str) -> Question[State, Move]:
    """The question that a player faces, with the defaults of the service."""
    state = ongoing.state
    names = [seat.name for seat in state.seats]
    return Question(
        position=state,
        told=dict(zip(names, ongoing.moves, strict=False)),
        decision=node,
        player=player,
        actors=tuple(seat.name for seat in state.seats_of(player) if seat.name in node.choices),
        objective="win",
        model="equilibrium",
        weights={},
        tier="standard",
        depth=1,
        deadline_ms=None,
        chosen=None,
        nonce=None,
    )
