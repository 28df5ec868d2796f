"""Further rounds under solved models: everybody plays each of them by the same model.

After the first round is solved, the positions that its strategies lead to most often are looked
beyond: growth is weighed exactly, every round that follows is solved afresh, and what everybody can
expect of it is folded into the payoffs; then the first round is solved again.  Profiles that are
left out keep the estimate of one round.  Of a share of the win the error is at most the share left
out; of spaces it is that times the spread of what a round can bring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic

import numpy as np

from service.core.hint import Position, Question
from service.core.joint import Joint, Prospect, RoundGame
from service.core.play import Choice
from service.solver.games import Floats, Ints
from service.solver.limits import SOLVE, Meter
from service.solver.meetings import SAME

Expects = Callable[[Question[Position, Choice]], Prospect]
"""What everybody can expect of a question, as many rounds ahead as are left."""


@dataclass
class Lookahead(Generic[Position, Choice]):
    """Positions looked beyond in one search.

    Attributes:
        game: the game in rounds.
        question: what was asked, whose model, objective and tier every round has.
        expects: solves a later round.
        rounds: how many rounds of final choices may still be resolved.
        meter: keeps the deadline.
    """

    game: RoundGame[Position, Choice]
    question: Question[Position, Choice]
    expects: Expects[Position, Choice]
    rounds: int
    meter: Meter
    _known: dict[Position, Prospect] = field(default_factory=dict)

    def look(self, joint: Joint[Choice, Position], strategies: Sequence[Floats]) -> float:
        """Looks beyond what is played most, and returns the share of it that is left out.

        Profiles that are met equally often go together, so that equals stay equal.
        """
        profiles, chances = _played(joint, strategies)
        order = np.argsort(-chances, kind="stable")
        left = 1.0
        place = 0
        while place < len(order):
            group = [order[place]]
            while place + len(group) < len(order) and chances[order[place + len(group)]] >= chances[
                group[0]
            ] * (1.0 - SAME):
                group.append(order[place + len(group)])
            found = [joint.reached(int(profiles[which])) for which in group]
            if self._cost(found) > self.rounds:
                break
            for which, reached in zip(group, found, strict=True):
                prospects = [None if p is None else self._prospect(p) for _, p in reached]
                joint.look_beyond(int(profiles[which]), prospects)
                left -= float(chances[which])
            place += len(group)
        return max(0.0, left) if place < len(order) else 0.0

    def _cost(self, found: Sequence[Sequence[tuple[float, Position | None]]]) -> int:
        positions = {p for reached in found for _, p in reached if p is not None}
        return sum(
            rounds + SOLVE
            for position in positions
            if position not in self._known
            for _, _, rounds in self.game.next_rounds(self.question, position)
        )

    def _prospect(self, position: Position) -> Prospect:
        """What is expected from a position, chance weighed exactly."""
        if position in self._known:
            return self._known[position]
        gains: dict[str, float] = {}
        shares: dict[str, float] = {}
        for chance, question, rounds in self.game.next_rounds(self.question, position):
            self.meter.check()
            found = self.expects(question)
            self.rounds -= rounds + SOLVE
            for player in found.gains:
                gains[player] = gains.get(player, 0.0) + chance * found.gains[player]
                shares[player] = shares.get(player, 0.0) + chance * found.shares[player]
        self._known[position] = Prospect(gains, shares)
        return self._known[position]

    def average(
        self, joint: Joint[Choice, Position], strategies: Sequence[Floats]
    ) -> dict[str, float]:
        """What players gain later on average, where the game goes on and was looked beyond."""
        profiles, chances = _played(joint, strategies)
        gains = dict.fromkeys(joint.players, 0.0)
        mass = 0.0
        for profile, chance in zip(profiles, chances, strict=True):
            for part, position in joint.reached(int(profile)):
                if position is not None and position in self._known:
                    mass += chance * part
                    for player in gains:
                        gains[player] += chance * part * self._known[position].gains[player]
        return {player: gain / mass if mass else 0.0 for player, gain in gains.items()}


def _played(joint: Joint[Choice, Position], strategies: Sequence[Floats]) -> tuple[Ints, Floats]:
    """The profiles that are played, and how often."""
    profiles, chances = np.zeros(1, np.int64), np.ones(1)
    for own in strategies:
        played = np.flatnonzero(own)
        profiles = (profiles[:, None] * len(own) + played).ravel()
        chances = (chances[:, None] * own[played]).ravel()
    return profiles, chances
