"""Inference, compared with plain Bayes in Python numbers."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from service.core.styles import Style, StyleLibrary
from service.solver.opponents.habits import HABITS, Memory
from service.solver.opponents.habits import PRIOR as HABIT_PRIOR
from service.solver.opponents.inference import (
    POOLED,
    RECENCY,
    SHARE,
    SMOOTHING,
    Choices,
    Evidence,
    Observation,
    infer,
    natural_logarithm,
    pool,
    predict_move,
    prior_belief,
)

LIBRARY = StyleLibrary(
    1, (), "abcd", (Style("equilibrium"), Style("chance"), Style("greedy")), (0.5, 0.3, 0.2)
)
ROWS = [[0.7, 0.2, 0.1], [1 / 3, 1 / 3, 1 / 3], [0.0, 0.0, 1.0]]
LABELS = [("a",), ("b",), ("c",)]


def choices(rows=ROWS, labels=LABELS, habitual: bool = True) -> Choices:
    return Choices(np.array(rows, np.float32), labels, habitual)


def seen(*agreeing: int, habitual: bool = False, rows=ROWS) -> list[Observation]:
    return [Observation(choices(rows, habitual=habitual), agreeing)]


def smooth(rows=ROWS):
    return [[(1 - SMOOTHING) * p + SMOOTHING / len(row) for p in row] for row in rows]


def bayes(weights: list[float], likelihood: list[float]) -> list[float]:
    joint = [w * p for w, p in zip(weights, likelihood, strict=True)]
    return [
        (1 - SHARE) * w / sum(joint) + SHARE * p for w, p in zip(joint, LIBRARY.prior, strict=True)
    ]


def test_no_history_gives_the_prior():
    [belief] = infer(LIBRARY, ["x"], []).values()
    np.testing.assert_allclose(belief.styles, LIBRARY.prior)
    np.testing.assert_allclose(belief.habits, HABIT_PRIOR)
    assert belief.evidence.rounds == 0


def test_weights_follow_bayes_with_a_share_of_the_prior():
    expected = list(LIBRARY.prior)
    rounds = []
    for card in (0, 2, 0):
        expected = bayes(expected, [row[card] for row in smooth()])
        rounds.append({"x": seen(card)})
    belief = infer(LIBRARY, ["x"], rounds)["x"]
    np.testing.assert_allclose(belief.styles, expected, rtol=1e-6)


def test_a_partly_known_move_has_the_probability_of_all_moves_that_agree():
    expected = bayes(list(LIBRARY.prior), [row[0] + row[2] for row in smooth()])
    belief = infer(LIBRARY, ["x"], [{"x": seen(2, 0)}])["x"]
    np.testing.assert_allclose(belief.styles, expected, rtol=1e-6)


def test_all_decisions_of_a_round_count_before_the_share():
    first, second = [row[0] for row in smooth()], [row[2] for row in smooth()]
    both = [p * q for p, q in zip(first, second, strict=True)]
    belief = infer(LIBRARY, ["x"], [{"x": seen(0) + seen(2)}])["x"]
    np.testing.assert_allclose(belief.styles, bayes(list(LIBRARY.prior), both), rtol=1e-6)
    evidence = belief.evidence
    together = sum(w * p for w, p in zip(LIBRARY.prior, both, strict=True))
    assert evidence.rounds == 1
    # The second decision is predicted by a player who has seen the first one.
    assert evidence.nats_over_chance == pytest.approx(log(together * 9), rel=1e-6)
    assert evidence.nats_over_equilibrium == pytest.approx(log(together / both[0]), rel=1e-6)


def test_a_prediction_pools_the_other_opponents():
    beliefs = infer(LIBRARY, ["x", "y", "z"], [{"x": seen(0), "y": seen(2)}])
    pooled = pool(beliefs)["z"].sum(axis=1)
    mean = (beliefs["x"].styles + beliefs["y"].styles) / 2
    np.testing.assert_allclose(pooled, (1 - POOLED) * beliefs["z"].styles + POOLED * mean)
    alone = infer(LIBRARY, ["x"], [{"x": seen(0)}])
    assert pool(alone)["x"].tobytes() == alone["x"].weights.tobytes()


def test_a_prediction_is_the_mixture_of_all_styles():
    prior = prior_belief(LIBRARY)
    predicted = predict_move(prior.weights, prior.memory, choices(habitual=False))
    expected = np.array(LIBRARY.prior) @ np.array(smooth())
    np.testing.assert_allclose(predicted, expected, rtol=1e-6)


def test_evidence_is_counted_in_nats_before_each_round_is_seen():
    belief = infer(LIBRARY, ["x"], [{"x": seen(2)}, {}, {"x": seen(2)}])["x"]
    weights, nats, over = list(LIBRARY.prior), 0.0, 0.0
    for observed in (True, False, True):
        likelihood = [row[2] for row in smooth()] if observed else [1.0] * 3
        if observed:
            predicted = sum(w * p for w, p in zip(weights, likelihood, strict=True))
            nats += log(predicted * 3)
            over += log(predicted / likelihood[0])
        weights = bayes(weights, likelihood)
    assert belief.evidence.rounds == 2
    assert belief.evidence.nats_over_chance == pytest.approx(nats, abs=1e-6)
    assert belief.evidence.nats_over_equilibrium == pytest.approx(over, abs=1e-6)


def test_recent_evidence_counts_a_round_less_after_each_later_one():
    rounds = [{"x": seen(2)}, {}, {"x": seen(0) + seen(2)}, {"x": seen(2)}]
    totals = [
        infer(LIBRARY, ["x"], rounds[:count])["x"].evidence.nats_over_equilibrium
        for count in range(len(rounds) + 1)
    ]
    first, _, second, third = np.diff(totals)
    recent = infer(LIBRARY, ["x"], rounds)["x"].evidence.recent_nats
    assert recent == pytest.approx(RECENCY * (RECENCY * first + second) + third)


def test_even_evidence_has_the_recent_part_of_equal_rounds():
    assert Evidence.even(0, 0.0, 0.0) == Evidence()
    recent = Evidence.even(3, 5.0, 6.0).recent_nats
    assert recent == pytest.approx(2.0 * (1.0 + RECENCY + RECENCY**2))


def test_the_order_of_players_does_not_matter():
    random = np.random.default_rng(3)
    rows = [random.dirichlet(np.full(3, 0.3), size=3) for _ in range(5)]
    rounds = [
        {p: seen(int(random.integers(3)), habitual=True, rows=own) for p in "wxyz"} for own in rows
    ]
    beliefs = infer(LIBRARY, list("wxyz"), rounds)
    other = infer(LIBRARY, list("zxwy"), [dict(reversed(r.items())) for r in rounds])
    for player in "wxyz":
        assert beliefs[player].weights.tobytes() == other[player].weights.tobytes()
        assert pool(beliefs)[player].tobytes() == pool(other)[player].tobytes()
        assert beliefs[player].evidence == other[player].evidence


def test_a_change_of_style_is_noticed():
    rounds = [{"x": seen(0)}] * 10 + [{"x": seen(2)}] * 4
    assert infer(LIBRARY, ["x"], rounds[:10])["x"].styles.argmax() == 0
    assert infer(LIBRARY, ["x"], rounds)["x"].styles.argmax() == 2


# Habits ---------------------------------------------------------------------------------------

EVEN = [[0.25] * 4] * 3
CARDS = [("a",), ("b",), ("c",), ("d",)]


def rounds_of(cards: str):
    own = Choices(np.array(EVEN, np.float32), CARDS)
    return [{"x": [Observation(own, ["abcd".index(card)])]} for card in cards]


def habits_of(cards: str) -> dict[str, float]:
    belief = infer(LIBRARY, ["x"], rounds_of(cards))["x"]
    return dict(zip(HABITS, belief.habits.tolist(), strict=True))


def test_a_favourite_card_is_learned_even_if_all_styles_agree():
    belief = infer(LIBRARY, ["x"], rounds_of("aabaacaa"))["x"]
    predicted = predict_move(belief.weights, belief.memory, Choices(np.array(EVEN), CARDS))
    assert predicted[0] > 1 / 3
    assert habits_of("aabaacaa")["none"] < HABIT_PRIOR[0]


def test_players_who_never_and_who_often_repeat_a_card_are_recognized():
    learned = habits_of("abcdabdcabdcbadc")
    assert learned["variety"] > HABIT_PRIOR[HABITS.index("variety")]
    assert learned["repetition"] < HABIT_PRIOR[HABITS.index("repetition")] / 2
    assert habits_of("aaabbbbcccddd")["repetition"] > 0.5


def test_the_factor_of_a_favourite_is_chosen_over_expected():
    memory = Memory()
    even = np.full(4, 0.25)
    for card in "aab":
        memory = memory.after(CARDS, even, np.eye(4)["abcd".index(card)])
    none, favourites, variety, repetition = memory.factors(CARDS)
    assert none.tolist() == [1.0] * 4
    expected = [(2 + 1.5) / (0.75 + 1.5), (1 + 1.5) / (0.75 + 1.5), *[1.5 / (0.75 + 1.5)] * 2]
    np.testing.assert_allclose(favourites, expected)
    assert variety.tolist() == [1.0, 0.4, 1.0, 1.0]
    assert repetition.tolist() == [1.0, 2.5, 1.0, 1.0]


def test_a_joint_move_has_the_factors_of_all_its_choices():
    memory = Memory().after(CARDS, np.full(4, 0.25), np.eye(4)[0])
    [_, [a, b, _, _], _, _] = memory.factors(CARDS)
    assert memory.factors([("a", "b")])[1, 0] == pytest.approx(a * b)


def test_a_choice_that_two_actors_made_was_the_last_one_once():
    """Counted twice, the factor of variety would be negative, and so would probabilities."""
    moves = [("a", "a"), ("a", "b"), ("b", "b")]
    memory = Memory().after(moves, np.full(3, 1 / 3), np.array([0.5, 0.5, 0.0]))
    assert memory.last == {"a": 1.0, "b": 0.5}
    assert memory.chosen == {"a": 1.5, "b": 0.5}
    assert memory.factors(moves).min() > 0.0


def test_the_logarithm_is_exact():
    for number in (1e-9, 0.01, 0.5, 0.999, 1.0, 1.001, 2.718281828, 10.0, 1e6):
        assert natural_logarithm(number) == pytest.approx(log(number), rel=1e-14, abs=1e-15)
