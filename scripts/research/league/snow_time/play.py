"""Play one game of Snow Time between agents; a seed fixes the dice, whatever they choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from service.core.chance import draw
from service.core.game import Chance, Decision
from service.core.hints import ObservedDecision, ObservedRound, Question
from service.games.snow_time.rules.rules import Round, SnowTime
from service.games.snow_time.rules.state import DECK, Move, Seat, State, Track

GAME = SnowTime()
MAX_ROUNDS = 300
"""No game has lasted nearly as long; a longer one is an error."""


class Agent(Protocol):
    """A player."""

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        """Return the moves of all seats of ``question.player`` that decide now."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game.

    Attributes:
        positions: before the growth of each round; then the final one.
        rounds: the decisions of each round.
        shares: of the win, by player.
    """

    positions: Sequence[State]
    rounds: Sequence[ObservedRound[State, Move]]
    shares: Mapping[str, float]


def initial_state(seats: int, players: int, track: Track | None = None) -> State:
    """Return the first position with seats a, b, c, ...; two players have two seats each."""
    names = "abcde"[:seats]
    owners = [name if players == seats else names[index // 2] for index, name in enumerate(names)]
    first = tuple(Seat(name, owner, 0, DECK) for name, owner in zip(names, owners, strict=True))
    return State(first, (0,) * 6, track)


def play(state: State, agents: Mapping[str, Agent], seed: int) -> FinishedGame:
    """Play from a position to the end.

    Args:
        state: before the growth of its round.
        agents: by player.
        seed: of the dice of each round, and of each player's choices.

    Raises:
        RuntimeError: after ``MAX_ROUNDS`` rounds.
    """
    dice = Random(f"{seed} dice")
    randoms = {player: Random(f"{seed} {player}") for player in agents}
    positions = [state]
    rounds: list[ObservedRound[State, Move]] = []
    while not GAME.over(state):
        if len(positions) > MAX_ROUNDS:
            raise RuntimeError(f"the game with seed {seed} does not end")
        ongoing = GAME.begin(state).play
        roll = dice.getrandbits(53)
        decided: tuple[ObservedDecision[State, Move], ...] = ()
        while (node := GAME.pending(ongoing)) is not None:
            if isinstance(node, Chance):
                ongoing = GAME.draw(ongoing, draw(node, roll)).play
                continue
            history = (*rounds, decided) if decided else tuple(rounds)
            moves: dict[str, Move] = {}
            for player, agent in agents.items():
                question = question_for(ongoing, node, player, history)
                if question.actors:
                    moves |= agent.choose(question, randoms[player])
            decided += (ObservedDecision(ongoing.state, _revealed(ongoing), node, moves),)
            ongoing = GAME.choose(ongoing, moves).play
        state = GAME.rest(ongoing)
        positions.append(state)
        rounds.append(decided)
    winners = GAME.winners(state)
    shares = {player: (player in winners) / len(winners) for player in state.players}
    return FinishedGame(positions, rounds, shares)


def question_for(
    ongoing: Round,
    node: Decision[Move],
    player: str,
    history: Sequence[ObservedRound[State, Move]] = (),
) -> Question[State, Move]:
    """Return a player's question at a decision, with the defaults of the service.

    Args:
        ongoing: the round.
        node: the decision.
        player: the asker.
        history: the rounds before; then the earlier decisions of this one, if any.
    """
    state = ongoing.state
    return Question(
        position=state,
        revealed=_revealed(ongoing),
        decision=node,
        player=player,
        actors=tuple(seat.name for seat in state.seats_of(player) if seat.name in node.choices),
        objective="win",
        model="equilibrium",
        weights={},
        effort="standard",
        depth=1,
        deadline_ms=None,
        chosen=None,
        nonce=None,
        history=history,
    )


def _revealed(ongoing: Round) -> dict[str, Move]:
    names = (seat.name for seat in ongoing.state.seats)
    return dict(zip(names, ongoing.moves, strict=False))
