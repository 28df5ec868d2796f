"""Profiles: beliefs in codes and estimated parameters."""

from __future__ import annotations

import numpy as np
import pytest

from service.core.styles import Style, StyleLibrary, Valuation
from service.solver.opponents.compact_profiles import encode_profile
from service.solver.opponents.habits import HABITS, PRIOR
from service.solver.opponents.inference import Belief, Evidence, prior_belief
from service.solver.opponents.profiles import profile_of

STYLES = (
    Style("equilibrium"),
    Style("chance"),
    Style("greedy", Valuation((0.0, 0.0))),
    Style("level-1", Valuation((0.2, 1.0)), 2.0),
    Style("level-1", Valuation((0.8, 3.0)), 8.0),
    Style("level-2", Valuation((0.8, 1.0)), 2.0),
    Style("quantal", precision=40.0),
    Style("regret-matching", Valuation((0.8, 1.0), ignores_losses=True)),
    Style("regret-matching", Valuation((0.2, 3.0), leads=True)),
)
LIBRARY = StyleLibrary(1, ("stone", "joker"), "abc", STYLES, (0.2,) + (0.1,) * 8)


EVIDENCE = Evidence(5, 4.0, 0.0)


def belief(styles: dict[int, float], habits=PRIOR, evidence: Evidence = EVIDENCE) -> Belief:
    weights = np.full(len(STYLES), 1e-9)
    for style, weight in styles.items():
        weights[style] = weight
    return Belief(weights[:, None] * np.array(habits), evidence=evidence)


def said(*arguments, **settings) -> set[str]:
    profile = profile_of(LIBRARY, belief(*arguments, **settings))
    return {" ".join([trait.code, *trait.params.values()]) for trait in profile.traits}


@pytest.mark.parametrize(
    ("style", "codes"),
    [
        (0, {"follows-hints"}),
        (1, {"plays-at-random"}),
        (2, {"plays-for-spaces", "thinks-one-step", "spends stone", "spends joker"}),
        (3, {"thinks-one-step", "spends stone"}),
        (4, {"thinks-one-step", "saves stone", "saves joker"}),
        (5, {"thinks-two-steps", "saves stone"}),
        (6, {"plays-to-win", "expects-thinking-opponents"}),
        (7, {"expects-thinking-opponents", "ignores-losses", "saves stone"}),
        (8, {"expects-thinking-opponents", "watches-the-others", "saves joker", "spends stone"}),
    ],
)
def test_a_sure_style_is_described_in_full(style: int, codes: set[str]):
    assert said({style: 1.0}) == codes


def test_nothing_is_said_about_an_unknown_player():
    assert profile_of(LIBRARY, prior_belief(LIBRARY)).traits == []


@pytest.mark.parametrize(
    ("habit", "code"),
    [("favourites", "has-favourites"), ("variety", "varies"), ("repetition", "repeats")],
)
def test_habits_are_named(habit: str, code: str):
    habits = [0.4 if own == habit else 0.2 for own in HABITS]
    assert code in said({1: 1.0}, habits)
    assert code not in said({1: 1.0}, PRIOR)


@pytest.mark.parametrize(
    ("code", "yes", "no"),
    [
        ("hard-to-predict", (5, 0.4, 0.0), [(5, 0.6, 0.0), (1, -2.0, 0.0)]),
        ("predictable", (5, 2.6, 0.6), [(5, 2.4, 0.6), (5, 2.6, 0.4), (1, 2.0, 2.0)]),
    ],
)
def test_predictability_compares_predictions_with_chance_and_the_equilibrium(
    code: str, yes: tuple[float, ...], no: list[tuple[float, ...]]
):
    assert code in said({1: 1.0}, evidence=Evidence(*yes))
    for evidence in no:
        assert code not in said({1: 1.0}, evidence=Evidence(*evidence)), evidence


def test_traits_are_ordered_by_probability():
    traits = profile_of(LIBRARY, belief({1: 0.6, 4: 0.4})).traits
    assert traits[0].code == "plays-at-random"
    probabilities = [trait.probability for trait in traits]
    assert probabilities == sorted(probabilities, reverse=True)


def test_parameters_are_posterior_means():
    believed = belief({1: 0.5, 3: 0.3, 4: 0.2})
    profile = profile_of(LIBRARY, believed)
    assert profile.worth == pytest.approx(
        {"stone": (0.3 * 0.2 + 0.2 * 0.8) / 0.5, "joker": (0.3 * 1.0 + 0.2 * 3.0) / 0.5}
    )
    # The mean error is 0.6 / 2 + 0.4 / 8 spaces.
    assert profile.precision == pytest.approx(1 / (0.6 / 2 + 0.4 / 8))
    assert (profile.rounds, profile.nats) == (EVIDENCE.rounds, EVIDENCE.nats_over_chance)
    assert profile.compact == encode_profile(LIBRARY, believed)


def test_a_game_without_kept_cards_has_profiles():
    """It divided by zero, so that a review of such a game failed."""
    styles = (Style("equilibrium"), Style("chance"))
    library = StyleLibrary(1, (), (), styles, (0.5, 0.5))

    profile = profile_of(library, prior_belief(library))

    assert (profile.precision, profile.worth) == (0.0, {})
    assert "plays-for-spaces" not in {trait.code for trait in profile.traits}
