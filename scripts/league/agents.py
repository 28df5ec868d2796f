"""Agents for the league, from random to the service itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from service.core.hint import Question
from service.core.joint import Joint
from service.games.snow_time.stage import SnowTimeStages
from service.games.snow_time.state import Move, State
from service.solver.limits import Meter
from service.solver.solved import Play, play_by_everybody

STAGES = SnowTimeStages()


class RandomAgent:
    """Any legal move, all with the same chance."""

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        return {actor: random.choice(question.decision.choices[actor]) for actor in question.actors}


class SolvingAgent:
    """Draws from the strategies that the service finds; one solve serves a whole table.

    Args:
        model, objective, tier: as in a request.
        rash: the chance of any legal move instead, to see more of the game.
    """

    def __init__(
        self,
        model: str = "equilibrium",
        objective: str = "win",
        tier: str = "standard",
        rash: float = 0.0,
    ) -> None:
        self._asks = {"model": model, "objective": objective, "tier": tier}
        self._rash = rash
        self._last: tuple[object, Joint[Move], Play] | None = None

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if self._rash and random.random() < self._rash:
            return RandomAgent().choose(question, random)
        joint, play = self._solve(replace(question, **self._asks))
        player = joint.players.index(question.player)
        strategy = play.strategies[player].tolist()
        return random.choices(joint.moves(player), strategy)[0]

    def _solve(self, question: Question[State, Move]) -> tuple[Joint[Move], Play]:
        # At the healer decision everybody else is fixed, so that each asker has its own.
        asker = question.player if question.decision.name == "healer" else None
        key = (STAGES.key(question), asker)
        if self._last is None or self._last[0] != key:
            owners = {seat.name: seat.player for seat in question.position.seats}
            joint, play = play_by_everybody(STAGES, question, owners, Meter(None))
            self._last = (key, joint, play)
        return self._last[1], self._last[2]
