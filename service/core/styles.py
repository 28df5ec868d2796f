"""Styles: ways in which people play a simultaneous decision.

A *family* is a way to think, which the solver computes.  A *style* is a family with its
parameters.  A game lists the styles that people play it with, and how common each one is.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from service.core.vocabulary import EQUILIBRIUM


@dataclass(frozen=True, slots=True)
class Valuation:
    """What a player counts in one round, in spaces (or points).

    Attributes:
        values: of a kept item of each kind, see
            :attr:`~service.core.simultaneous.SimultaneousGame.kept_kinds`; empty for a player who
            counts shares of the win instead.
        ignores_losses: whether the player expects to keep an item that it may lose.
        leads: whether the player subtracts the others' mean.
    """

    values: tuple[float, ...] = ()
    ignores_losses: bool = False
    leads: bool = False


WIN_SHARES = Valuation()
"""The shares of the win, as the game's evaluator estimates them."""


@dataclass(frozen=True, slots=True)
class Style:
    """A way to play.

    Attributes:
        family: one of :data:`~service.core.vocabulary.STYLE_FAMILIES`.
        valuation: what the player counts.
        precision: of logit responses, per unit of payoff; 0 in families without them.
    """

    family: str
    valuation: Valuation = WIN_SHARES
    precision: float = 0.0

    @property
    def name(self) -> str:
        """A unique name, for data files and tests."""
        own = self.valuation
        words = [self.family]
        if own != WIN_SHARES:
            words.append("/".join(f"{value:g}" for value in own.values))
        if self.precision:
            words.append(f"at {self.precision:g}")
        if own.ignores_losses:
            words.append("ignoring losses")
        if own.leads:
            words.append("leading")
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class StyleLibrary:
    """The styles of a game.

    Attributes:
        version: changes with any style, with the prior, and with the families.
        kept_kinds: see :attr:`~service.core.simultaneous.SimultaneousGame.kept_kinds`.
        choices: of an actor at the first decision of a round; people have habits in them.
        styles: distinct ones; one of them is the equilibrium. Those that were added at a table come
            last.
        prior: probability of each style; the sum is 1.
        steps: by kind, the differences between the values of neighbouring styles, if styles may be
            added at a table.
        origins: of the added styles, the index of the style that each comes from.
    """

    version: int
    kept_kinds: tuple[str, ...]
    choices: Sequence[Hashable]
    styles: tuple[Style, ...]
    prior: Sequence[float]
    steps: tuple[float, ...] = ()
    origins: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of styles that were not added at a table."""
        return len(self.styles) - len(self.origins)

    @property
    def added(self) -> tuple[Style, ...]:
        """The styles that were added at a table."""
        return self.styles[self.size :]

    @property
    def equilibrium(self) -> int:
        """Index of the equilibrium."""
        return [style.family for style in self.styles].index(EQUILIBRIUM)
