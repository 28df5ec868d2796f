"""A table of how often players won, by the predicted win share, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from service.core.arrays import Floats

EDGES: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.0)
"""Edges of the bins of predicted win shares."""


def share_table(prediction: Floats, won: Floats) -> Iterator[str]:
    """Yield the lines of the table.

    Args:
        prediction: float64[n], predicted win shares.
        won: float64[n], the shares of the win.
    """
    yield "| share | positions | mean share | won |"
    yield "|---|---:|---:|---:|"
    for low, high in pairwise(EDGES):
        within = (prediction >= low) & (prediction < high if high < 1.0 else prediction <= high)
        if within.any():
            mean, rate = prediction[within].mean(), won[within].mean()
            yield f"| {low:.2f} to {high:.2f} | {within.sum()} | {mean:.3f} | {rate:.3f} |"
