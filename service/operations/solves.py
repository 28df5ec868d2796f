"""Solves, each made once and kept for everybody at any table that looks alike."""

from __future__ import annotations

from service.cache.keys import key_of
from service.cache.store import Store
from service.core.hint import Position
from service.core.joint import Canonical, RoundGame
from service.core.play import Choice
from service.operations.versions import ENGINE_VERSION
from service.solver import asking
from service.solver.solve import PACKING, Solve, unpack


class Solves:
    """Finds solves, in a cache or anew.

    Args:
        store: where complete ones are kept; without one, none is.
    """

    def __init__(self, store: Store | None = None) -> None:
        self._store = store

    def find(
        self,
        rules: str,
        game: RoundGame[Position, Choice],
        asked: Canonical[Position, Choice],
        stop_at: float | None,
    ) -> Solve:
        """The solve of a question.

        Args:
            rules: the game's name and the version of its rules.
            game: the game in rounds.
            asked: the question in its canonical form.
            stop_at: ``time.monotonic()`` at which a search has to stop, if ever.

        Raises:
            OutOfTime: if that came before anything was found.
        """
        if self._store is None:
            return asking.find(game, asked, stop_at)
        versions = (rules, ENGINE_VERSION, game.evaluator)
        key = key_of("solve", PACKING, *versions, asking.key(game, asked))
        packed = self._store.get(key)
        if packed is not None:
            try:
                return unpack(packed)
            except ValueError:
                # Whatever stands there, it is no solve: a miss.
                pass
        found = asking.find(game, asked, stop_at)
        if found.complete:
            self._store.put(key, found.pack())
        return found
