"""What a caller tells of a turn: a list of atoms, in order, for every game in turns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Generic, TypeVar

from service.core.chance import draw
from service.core.game import Chance, Decision
from service.core.violations import Violation, pointer

Atom = TypeVar("Atom")
Drawn = TypeVar("Drawn")


class AtomScript(ABC, Generic[Atom, Drawn]):
    """A turn as a list of atoms, in order; draws may be left out where there is a seed.

    Each draw is made from a seed of its own, from the one given and how many came before.

    Args:
        atoms: choices, answers and draws.
        at: JSON pointer to the list.
        seed: of the draws that are left out, if there is one.
    """

    def __init__(self, atoms: tuple[Atom, ...], at: str, seed: int | None) -> None:
        self._atoms, self._at, self._seed = atoms, at, seed
        self._next = self._told = 0
        self._drawn = 0

    @abstractmethod
    def said(self, atom: Atom, due: str) -> tuple[str, Atom]:
        """Who has said it, and what; ``due`` is who has to decide."""

    @abstractmethod
    def drawn(self, atom: Atom) -> Drawn | None:
        """What the atom says was drawn; None if it is no draw."""

    def choices(self, node: Decision[Any]) -> Mapping[str, Atom]:
        self._told = self._next
        if self._next == len(self._atoms):
            return {}
        self._next += 1
        [due] = node.choices
        actor, atom = self.said(self._atoms[self._told], due)
        return {actor: atom}

    def outcome(self, node: Chance[Any]) -> Drawn | None:
        self._told = self._next
        self._drawn += 1
        if self._next < len(self._atoms):
            told = self.drawn(self._atoms[self._next])
            if told is not None:
                self._next += 1
                return told
        if self._seed is None:
            return None
        made: Drawn = draw(node, _seed_of(self._seed, self._drawn))
        return made

    def where(self, actor: str | None) -> str:
        return self._at + pointer(self._told)

    def surplus(self) -> tuple[Violation, ...]:
        if self._next == len(self._atoms):
            return ()
        at = self._at + pointer(self._next)
        return (Violation(at, "surplus", "The turn is complete before this."),)


def _seed_of(seed: int, number: int) -> int:
    return int.from_bytes(sha256(f"{seed} {number}".encode()).digest()[:8])
