"""The library of styles: its version changes with everything that predictions depend on."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from service.games.snow_time.engine.heuristic_payoffs import KEPT_KINDS
from service.games.snow_time.engine.round_game import SnowTimeRoundGame
from service.games.snow_time.engine.styles import STYLES, VERSION, read_library, style_library
from service.solver.canonical import canonicalize
from tests.solver.opponents.predicting import predicted
from tests.solver.scenarios import Scenario, position

LIBRARY = style_library()
FINGERPRINTS = {3: ("eaab6db501a4bb97", "5b9a1628329ef941")}
"""By version of the library: digests of styles and prior, and of the predictions of a position.

If this test fails after a change of the styles or of the solver's families, raise ``VERSION`` and
enter the new digests here.  If only the evaluator changed, replace the digest of the predictions.
"""


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def test_the_version_changes_with_the_library():
    content = [(style.name, f"{p:.9f}") for style, p in zip(STYLES, LIBRARY.prior, strict=True)]
    state = position("1357hw", "246hb", "17hw", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))
    game = SnowTimeRoundGame()
    canonical = canonicalize(game, Scenario(state, "red", "win").question)
    # The bits are the same in every process and on every machine.
    packed = predicted(game, canonical).pack()
    assert (digest(json.dumps(content).encode()), digest(packed)) == FINGERPRINTS[VERSION]


def test_the_prior_is_a_distribution_with_much_equilibrium_and_some_chance():
    by_name = dict(zip((style.name for style in STYLES), LIBRARY.prior, strict=True))
    assert sum(LIBRARY.prior) == pytest.approx(1.0)
    assert min(LIBRARY.prior) > 0.0
    assert by_name["equilibrium"] == pytest.approx(0.3, abs=1e-4)
    assert by_name["chance"] == pytest.approx(0.1, abs=1e-4)
    assert STYLES[LIBRARY.equilibrium].name == "equilibrium"


def test_each_valuation_has_a_value_for_each_kind_of_card():
    assert LIBRARY.kept_kinds == KEPT_KINDS
    for style in STYLES:
        assert len(style.valuation.values) in (0, len(KEPT_KINDS))


def test_a_prior_must_name_all_styles():
    prior = dict.fromkeys((style.name for style in STYLES), 1.0)
    assert read_library(prior).prior[0] == pytest.approx(1 / len(STYLES))
    for wrong in (prior | {"nobody": 1.0}, prior | {"chance": 0.0}, dict(list(prior.items())[1:])):
        with pytest.raises(ValueError, match="a positive probability for each style"):
            read_library(wrong)
