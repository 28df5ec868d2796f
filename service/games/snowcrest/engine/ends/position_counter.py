"""Counts the positions of a search with the plain rules, so that it can be stopped."""

from __future__ import annotations

from service.core.sequential import Check


class PositionCounter:
    """Counts positions, options of a penalty and answers alike: each takes about 0.14 ms.

    Attributes:
        count: since the last :meth:`start`.
        check: called with the count after each position, or None; may raise to stop the search.
    """

    def __init__(self) -> None:
        self.count = 0
        self.check: Check | None = None

    def start(self) -> None:
        """Count from 0 again."""
        self.count = 0

    def add(self, positions: int = 1) -> None:
        """Count some positions."""
        self.count += positions
        if self.check is not None:
            self.check(self.count)
