"""Profiles: what is believed about a player, in codes with parameters.

Texts for the codes are in the message catalogues of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import fsum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.core.arrays import Floats
from service.core.profiles import PlayerProfile, Trait
from service.core.styles import WIN_SHARES, Style, StyleLibrary
from service.core.vocabulary import EQUILIBRIUM
from service.solver.opponents.compact_profiles import encode_profile
from service.solver.opponents.habits import HABITS
from service.solver.opponents.inference import Belief, prior_belief
from service.solver.opponents.refinement import fold, fold_library

MIN_PROBABILITY: Final = 0.25
"""A trait is named from this probability on."""
MIN_RATIO: Final = 1.25
"""And only if it is so much more probable than for an unknown player."""
MIN_ROUNDS: Final = 2
"""A player is *predictable* or *hard to predict* from this number of rounds on."""
LITTLE, MUCH = 0.1, 0.5
"""Nats over chance in a round: with less a player is hard to predict, from the other on it is
predictable, if it is also ``LITTLE`` over the equilibrium.  A player who follows the hints chooses
good moves more often than by chance too, but nobody can know which of them.
"""
LOW, HIGH = 1 / 3, 2 / 3
"""Parts of the library's range of values: below a value is low, from the other on it is high."""


def profile_of(library: StyleLibrary, belief: Belief) -> PlayerProfile:
    """Return the profile of a player.

    Traits and the compact form count an added style as the one that it comes from.  Card values are
    posterior means over the styles that value cards; the precision is the posterior harmonic mean
    over those of them that err.
    """
    plain, folded = fold_library(library), fold(library, belief)
    return PlayerProfile(
        traits=traits_of(plain, folded),
        worth=_worth(library, belief.styles),
        precision=_precision(library, belief.styles),
        rounds=belief.evidence.rounds,
        nats=belief.evidence.nats_over_chance,
        compact=encode_profile(plain, folded),
    )


def traits_of(library: StyleLibrary, belief: Belief) -> list[Trait]:
    """Return what can be said about a player, the likeliest first.

    Of styles: ``follows-hints``, ``plays-at-random``, ``plays-for-spaces`` (this round alone),
    ``plays-to-win`` (counts shares of the win), ``thinks-one-step``, ``thinks-two-steps``,
    ``expects-thinking-opponents``, ``ignores-losses``, ``watches-the-others``; ``saves`` and
    ``spends`` with the parameter ``kind``.  Of habits: ``has-favourites``, ``varies``,
    ``repeats``.  Of the evidence: ``predictable``, ``hard-to-predict``.
    """
    prior = prior_belief(library)
    styles, styles_before = belief.styles, prior.styles
    traits: list[Trait] = []
    for code, kind, mask in _style_traits(library.styles, library.kept_kinds):
        probability, before = float(styles[mask].sum()), float(styles_before[mask].sum())
        _add(traits, code, kind, probability, before)
    for code, habit in (
        ("has-favourites", "favourites"),
        ("varies", "variety"),
        ("repeats", "repetition"),
    ):
        place = HABITS.index(habit)
        _add(traits, code, None, float(belief.habits[place]), float(prior.habits[place]))
    evidence = belief.evidence
    if evidence.rounds >= MIN_ROUNDS:
        if evidence.nats_over_chance < LITTLE * evidence.rounds:
            traits.append(Trait("hard-to-predict", 1.0, {}))
        elif (
            evidence.nats_over_chance >= MUCH * evidence.rounds
            and evidence.nats_over_equilibrium >= LITTLE * evidence.rounds
        ):
            traits.append(Trait("predictable", 1.0, {}))
    return sorted(traits, key=lambda trait: (-trait.probability, trait.code, *trait.params))


def _add(
    traits: list[Trait], code: str, kind: str | None, probability: float, before: float
) -> None:
    if probability >= max(MIN_PROBABILITY, MIN_RATIO * before):
        traits.append(Trait(code, probability, {} if kind is None else {"kind": kind}))


@lru_cache(maxsize=4)
def _style_traits(
    styles: tuple[Style, ...], kept_kinds: tuple[str, ...]
) -> list[tuple[str, str | None, NDArray[np.bool_]]]:
    """Return the code and the kind of each trait of styles, and which styles have it."""

    def family(*names: str) -> Callable[[Style], bool]:
        return lambda style: style.family in names

    values_nothing = (0.0,) * len(kept_kinds)
    rules: list[tuple[str, str | None, Callable[[Style], bool]]] = [
        ("follows-hints", None, family(EQUILIBRIUM)),
        ("plays-at-random", None, family("chance")),
        (
            "plays-for-spaces",
            None,
            lambda style: bool(kept_kinds) and style.valuation.values == values_nothing,
        ),
        (
            "plays-to-win",
            None,
            lambda style: (
                style.valuation == WIN_SHARES and style.family not in ("chance", EQUILIBRIUM)
            ),
        ),
        ("thinks-one-step", None, family("level-1", "greedy")),
        ("thinks-two-steps", None, family("level-2")),
        ("expects-thinking-opponents", None, family("quantal", "regret-matching", "solver")),
        ("ignores-losses", None, lambda style: style.valuation.ignores_losses),
        ("watches-the-others", None, lambda style: style.valuation.leads),
    ]
    for place, kind in enumerate(kept_kinds):
        values = [s.valuation.values[place] for s in styles if s.valuation.values]
        low = min(values) + LOW * (max(values) - min(values))
        high = min(values) + HIGH * (max(values) - min(values))
        rules += [
            ("spends", kind, _valued(place, -np.inf, low)),
            ("saves", kind, _valued(place, high, np.inf)),
        ]
    return [
        (code, kind, np.array([holds(style) for style in styles])) for code, kind, holds in rules
    ]


def _valued(place: int, least: float, below: float) -> Callable[[Style], bool]:
    """Return whether a style values the kept cards of a kind within limits."""
    return lambda style: bool(
        style.valuation.values and least <= style.valuation.values[place] < below
    )


def _worth(library: StyleLibrary, weights: Floats) -> dict[str, float]:
    valuing = [
        (style.valuation.values, weight)
        for style, weight in zip(library.styles, weights.tolist(), strict=True)
        if style.valuation.values
    ]
    total = fsum(weight for _, weight in valuing)
    return {
        kind: fsum(weight * values[place] for values, weight in valuing) / total
        for place, kind in enumerate(library.kept_kinds)
    }


def _precision(library: StyleLibrary, weights: Floats) -> float:
    """Return the harmonic mean: the mean size of errors, which is 1 / precision, is estimated.

    It is 0 in a game in which no style values anything kept.
    """
    erring = [
        (style.precision, weight)
        for style, weight in zip(library.styles, weights.tolist(), strict=True)
        if style.valuation.values and style.precision
    ]
    total = fsum(weight for _, weight in erring)
    return total and total / fsum(weight / precision for precision, weight in erring)
