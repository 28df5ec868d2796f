"""Cached beliefs are those that were stored, bit for bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from service.core.styles import Style, StyleLibrary, Valuation
from service.games.snow_time.engine.styles import style_library
from service.solver.codec import pack_arrays, unpack_arrays
from service.solver.opponents.belief_codec import pack_table, unpack_table
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.inference import Belief, Evidence
from service.solver.opponents.refinement import TableBeliefs

LIBRARY = style_library()
PLAYERS = "xyz"
NO_SOLVER = next(n for n, style in enumerate(LIBRARY.styles) if style.family != "solver")


def some_table(library: StyleLibrary = LIBRARY, players: str = PLAYERS) -> TableBeliefs:
    random = np.random.default_rng(1)

    def belief(number: int) -> Belief:
        weights = random.dirichlet(np.full(len(library.styles) * len(HABITS), 0.1))
        counts = [
            dict(zip(library.choices, random.random(10).tolist(), strict=True)) for _ in "abc"
        ]
        evidence = Evidence(number, *random.normal(size=3).tolist())
        return Belief(weights.reshape(len(library.styles), len(HABITS)), Memory(*counts), evidence)

    return TableBeliefs(library, {player: belief(place) for place, player in enumerate(players)})


def refined() -> StyleLibrary:
    added = tuple(Style("solver", Valuation((0.1 * n, 1.05, 2.1))) for n in (1, 2, 3))
    prior = np.append(np.array(LIBRARY.prior) * 0.7, [0.1] * 3)
    return replace(
        LIBRARY,
        styles=(*LIBRARY.styles, *added),
        prior=tuple(prior.tolist()),
        origins=(50, 50, 51),
    )


@pytest.mark.parametrize("library", [LIBRARY, refined()], ids=["library", "with added styles"])
def test_unpacking_restores_every_bit(library: StyleLibrary):
    table = some_table(library)
    restored = unpack_table(LIBRARY, PLAYERS, pack_table(table, PLAYERS))
    assert restored.library == library
    for player, own in table.by_player.items():
        other = restored.by_player[player]
        assert own.weights.tolist() == other.weights.tolist()
        assert (own.memory, own.evidence) == (other.memory, other.evidence)


def test_an_added_style_differs_from_its_origin_in_values_only():
    origin = Style("solver", Valuation((1.0, 1.0, 1.0), leads=True), precision=2.0)
    base = replace(LIBRARY, styles=(*LIBRARY.styles, origin), prior=(*LIBRARY.prior, 0.0))
    added = replace(origin, valuation=replace(origin.valuation, values=(1.5, 1.0, 1.0)))
    uniform = (1.0 / (base.size + 1),) * (base.size + 1)
    library = replace(
        base, styles=(*base.styles, added), prior=uniform, origins=(len(base.styles) - 1,)
    )
    packed = pack_table(some_table(library), PLAYERS)
    assert unpack_table(base, PLAYERS, packed).library == library


def test_a_choice_that_was_never_possible_counts_zero():
    packed = pack_table(TableBeliefs.start(LIBRARY, "x"), "x")
    restored = unpack_table(LIBRARY, "x", packed).by_player["x"]
    assert set(restored.memory.chosen.values()) == {0.0}
    assert restored.evidence == Evidence()


def test_damaged_bytes_and_beliefs_about_other_players_are_refused():
    packed = pack_table(some_table(), PLAYERS)
    for players, content in (
        (PLAYERS, packed[:-8]),
        (PLAYERS, b""),
        (PLAYERS, b"x" * 9),
        ("xy", packed),
    ):
        with pytest.raises(ValueError, match="beliefs"):
            unpack_table(LIBRARY, players, content)


@pytest.mark.parametrize(
    "change",
    [
        {"added": [[0.1, 1.0]] * 3},
        {"added": [[0.1, 1.0, -0.5]] * 3},
        {"added": [[0.1, 1.0, 1e9]] * 3},
        {"added": [[0.1, 1.0, "1"]] * 3},
        {"added": [[0.1, 1.0, 1.0]] * 99, "origins": [1] * 99},
        {"added": [[0.1, 1.0, 1.0]] * 2, "origins": [1] * 2},
        {"origins": [1] * 2},
        {"origins": [50 - len(LIBRARY.styles)] * 3},
        {"origins": [10_000] * 3},
        {"origins": [NO_SOLVER] * 3},
        {"origins": [1.5] * 3},
        {"added": 1},
    ],
)
def test_wrong_added_styles_are_refused(change):
    head, arrays = unpack_arrays(pack_table(some_table(refined()), PLAYERS))
    with pytest.raises(ValueError, match="beliefs"):
        unpack_table(LIBRARY, PLAYERS, pack_arrays(head | change, arrays))
