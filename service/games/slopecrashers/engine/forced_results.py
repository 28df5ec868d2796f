"""Results that the asker of a hint can force, or cannot avoid, after the end of its turn."""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Ints
from service.games.slopecrashers.engine.kernels import forcing, turns
from service.games.slopecrashers.engine.kernels.estimation import Race
from service.games.slopecrashers.engine.packing import Vector, is_truncated
from service.games.slopecrashers.rules.turn import Turn

LIMITS: Final = {"quick": (4, 1500, 6000), "standard": (4, 1500, 6000), "deep": (6, 6000, 24000)}
"""By effort, see ``kernels/forcing.forced_ends``."""
DEAL_LIMITS: Final = {"quick": (3, 300), "standard": (3, 300), "deep": (5, 3000)}
"""Likewise, in each deal of the hidden cards; see ``kernels/forcing.forced_result``."""
_HASH_SLOTS: Final = 4 * forcing.MAX_ENDS


class ForcedResults:
    """The forced results of one question.

    They are searched if two players race and the asker is in turn.  A result is the number of turns
    up to the end of the race, the asker's turn included; negative for a loss, and 0 if it is open.

    Args:
        turn: of the question.
        asker: index of the seat.
        effort: of the question.
        race: see ``kernels/estimation.py``.
    """

    def __init__(self, turn: Turn, asker: int, effort: str, race: Race) -> None:
        self._asker = asker
        self._searched = np.zeros(1, np.int64)
        self._race = race
        self._minimax: forcing.Minimax | None = None
        levels = np.empty((forcing.LEVELS, forcing.MAX_ENDS, turns.LENGTH), np.int16)
        table = np.zeros((2, _HASH_SLOTS), np.int64)
        self.of_deals = forcing.Minimax(np.array(DEAL_LIMITS[effort]), levels, table)
        whole = not is_truncated(turn.state)
        if len(turn.state.seats) == 2 and turn.state.turn == asker and whole:
            self._minimax = forcing.Minimax(np.array(LIMITS[effort]), levels, table)

    def of_ends(self, states: Vector, kinds: Ints) -> tuple[Ints, int]:
        """Return the results after all ends of a turn, and the number of positions searched.

        Args:
            states: int16[count or more, LENGTH], positions; see ``kernels/rating.rate``.
            kinds: int64[count], 1 for an end.
        """
        results = np.zeros(len(kinds), np.int64)
        self._searched[0] = 0
        if self._minimax is not None:
            forcing.forced_ends(
                states, kinds, self._asker, self._race, self._minimax, self._searched, results
            )
        else:
            results[(kinds == 1) & (states[: len(kinds), turns.PHASE] == turns.ENDED)] = 1
        return results, int(self._searched[0])

    def of_end(self, end: Vector) -> tuple[int, int]:
        """Return the result after the end of a turn, and the number of positions searched."""
        if end[turns.WINNER] >= 0:
            return (1 if end[turns.WINNER] == self._asker else -1), 0
        if self._minimax is None:
            return 0, 0
        [result], searched = self.of_ends(end[None], np.ones(1, np.int64))
        return int(result), searched
