"""Names of evaluators, and stated shares: how often players win for some estimated shares.

An evaluator serves to compare choices.  Its shares are not how often players win: a search prefers
what it overestimates, and weights that play well may be too sure or too timid.  Therefore each
evaluator has a :class:`Calibration`, which was fitted to games in which all players follow hints
(``scripts/research/calibrate.py``).  It hardly changes the order of choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import exp
from typing import Any, NamedTuple

from service.core.arrays import Floats


class Calibration(NamedTuple):
    """How stated shares follow from estimated ones.

    Attributes:
        sharpness: the logarithms of the shares are multiplied by it.
        optimism: that of the asker is then reduced by it.
        doubt: weight of equal shares in the result.
        surprise: the same where the search has played a game to its end: cards were dealt, and
            the others' play was predicted.
    """

    sharpness: float
    optimism: float
    doubt: float
    surprise: float

    def stated(self, shares: Floats, asker: int) -> Floats:
        """Return the stated shares, which sum to 1.

        Args:
            shares: float64[rows, players], estimated.
            asker: whose search found the positions.
        """
        powers = shares**self.sharpness
        powers[:, asker] *= exp(-self.optimism)
        certain = powers / powers.sum(axis=1, keepdims=True)
        stated: Floats = (1.0 - self.doubt) * certain + self.doubt / shares.shape[1]
        return stated

    def of_finished(self, shares: Floats) -> Floats:
        """Return the stated shares of games that the search has played to their end."""
        stated: Floats = (1.0 - self.surprise) * shares + self.surprise / shares.shape[1]
        return stated


def calibrations(document: Mapping[str, Sequence[float]]) -> dict[int, Calibration]:
    """Return the calibrations by number of players, from the document of an evaluator."""
    return {int(players): Calibration(*numbers) for players, numbers in document.items()}


def evaluator_name(evaluator: Any) -> str:
    """Return the version of an evaluator with a digest of its numbers.

    Cache keys and responses contain the name. The digest changes with every number, so values of
    another evaluator are cache misses even if its version was not raised.

    Args:
        evaluator: a data class with the attribute ``version``.
    """
    return f"{evaluator.version}.{sha256(repr(evaluator).encode()).hexdigest()[:8]}"
