"""Beliefs as bytes, without loss; ``compact_profiles.py`` has the short form for clients."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any, Final

import numpy as np

from service.core.arrays import Floats
from service.core.styles import Style, StyleLibrary
from service.solver.codec import are_probabilities, pack_arrays, unpack_arrays
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.inference import Belief, Evidence
from service.solver.opponents.refinement import CAPACITY, FAMILY, TableBeliefs

MAX_ROUNDS: Final = 1_000_000
"""More rounds of evidence than anybody plays."""
MAX_VALUE: Final = 1_000.0
"""More than anybody values a card, in spaces."""


def pack_table(table: TableBeliefs, players: Sequence[str]) -> bytes:
    """Return beliefs as bytes, bit for bit; :func:`unpack_table` needs the same players."""
    library, beliefs = table.library, [table.by_player[player] for player in players]
    added = [style.valuation.values for style in library.added]
    head = {
        "evidence": [astuple(own.evidence) for own in beliefs],
        "added": added,
        "origins": library.origins,
    }
    arrays = [
        array
        for own in beliefs
        for array in (
            own.weights,
            *(
                np.array([counts.get(choice, 0.0) for choice in library.choices])
                for counts in (own.memory.chosen, own.memory.expected, own.memory.last)
            ),
        )
    ]
    return pack_arrays(head, [np.array(library.prior), *arrays])


def unpack_table(library: StyleLibrary, players: Sequence[str], packed: bytes) -> TableBeliefs:
    """Return the beliefs that :func:`pack_table` packed.

    Args:
        library: without added styles.
        players: in the order in which they were packed.
        packed: the bytes.

    Raises:
        ValueError: if the bytes are not beliefs over this library.
    """
    try:
        head, (prior, *arrays) = unpack_arrays(packed)
        if len(arrays) != 4 * len(players):
            raise ValueError("a belief has four arrays")
        refined = _refined(library, prior, head["added"], head["origins"])
        beliefs = [
            Belief(
                weights,
                Memory(*(_by_choice(library, own) for own in counts)),
                _evidence(*evidence),
            )
            for evidence, weights, *counts in zip(
                head["evidence"], *(arrays[part::4] for part in range(4)), strict=True
            )
        ]
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not packed beliefs") from error
    shape = len(refined.styles), len(HABITS)
    if any(own.weights.shape != shape for own in beliefs):
        raise ValueError("the beliefs belong to another library")
    weights = [own.weights.ravel() for own in beliefs]
    if not all(own.min() > 0.0 and are_probabilities(own) for own in (prior, *weights)):
        raise ValueError("the weights of the beliefs are not probabilities")
    return TableBeliefs(refined, dict(zip(players, beliefs, strict=True)))


def _refined(library: StyleLibrary, prior: Floats, added: Any, origins: Any) -> StyleLibrary:
    """Return the library with the styles that were added at a table."""
    if len(added) > CAPACITY:
        raise ValueError("there are too many added styles")
    if not all(type(own) is int and 0 <= own < library.size for own in origins):
        raise ValueError("an added style comes from no style of the library")
    if len(origins) != len(added) or prior.shape != (library.size + len(added),):
        raise ValueError("the added styles are not those of the prior")
    styles = [
        _added_style(library, library.styles[origin], values)
        for origin, values in zip(origins, added, strict=True)
    ]
    return replace(
        library,
        styles=(*library.styles, *styles),
        prior=tuple(prior.tolist()),
        origins=tuple(origins),
    )


def _added_style(library: StyleLibrary, origin: Style, values: Any) -> Style:
    if origin.family != FAMILY:
        raise ValueError("an added style comes from a style that is not refined")
    if len(values) != len(library.kept_kinds) or not all(
        type(value) is float and 0.0 <= value <= MAX_VALUE for value in values
    ):
        raise ValueError("the values of an added style are out of range")
    return replace(origin, valuation=replace(origin.valuation, values=tuple(values)))


def _evidence(rounds: Any, *nats: Any) -> Evidence:
    if type(rounds) is int and 0 <= rounds <= MAX_ROUNDS and all(type(n) is float for n in nats):
        return Evidence(rounds, *nats)
    raise TypeError("evidence has other values than numbers")


def _by_choice(library: StyleLibrary, counts: Floats) -> Mapping[Hashable, float]:
    if not counts.min(initial=0.0) >= 0.0:
        raise ValueError("a count is negative")
    return dict(zip(library.choices, counts.tolist(), strict=True))
