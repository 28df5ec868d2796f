"""Headlines: how clear a choice is."""

from __future__ import annotations

from typing import Any

import pytest

from service.core.advice import (
    AVOID,
    CLEAR,
    DECIDED,
    DRAWN,
    EQUAL,
    FORCED,
    LEVEL,
    LOST,
    MIXTURE,
    UNCERTAIN,
    UNLIKELY,
    WON,
    judge,
)
from service.core.vocabulary import POINTS, WIN

RARE, UNPLAYED = [0.845, 0.11, 0.04, 0.005], [0.0, 0.6, 0.4, 0.0]
FALLING = [0.5, 0.3, 0.17, 0.03]
SURE, OPEN, LOSS = (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)


@pytest.mark.parametrize(("value", "result"), [(1.0, WON), (0.0, LOST), (0.25, LEVEL)])
def test_a_share_that_nobody_can_change_decides(value: float, result: str) -> None:
    verdict = judge([value] * 3, WIN, bounds=[(value, value)] * 3)
    assert (verdict.code, verdict.result) == (DECIDED, result)


@pytest.mark.parametrize("bounds", [None, [(0.0, 0.5)] * 3, [LOSS, LOSS, OPEN]])
@pytest.mark.parametrize(("value", "code"), [(0.0, UNLIKELY), (0.25, EQUAL), (1.0, EQUAL)])
def test_equal_values_alone_decide_nothing(value: float, code: str, bounds: Any) -> None:
    verdict = judge([value] * 3, WIN, bounds=bounds)
    assert (verdict.code, verdict.result) == (code, "")


VERDICTS: dict[str, list[tuple[list[float], dict[str, Any], str, list[int]]]] = {
    "one legal choice is forced": [([0.3], {}, FORCED, [0])],
    "equal sampled values do not decide": [([0.3, 0.3], {"error": 0.02}, UNCERTAIN, [0, 1])],
    "choices within the tolerance are equal, in the order of recommendation": [
        ([0.4, 0.397, 0.39, 0.2], {}, EQUAL, [0, 1]),
        ([0.6, 0.600005, 0.2], {}, EQUAL, [0, 1]),
        ([0.4, 0.391, 0.2], {"tolerance": 0.01}, EQUAL, [0, 1]),
        ([2.0, 1.96, 1.0], {"objective": POINTS}, EQUAL, [0, 1]),
        ([2.0, 1.9, 1.0], {"objective": POINTS}, CLEAR, [0]),
    ],
    "few mistakes among equal choices are named, unless another is neither good nor bad": [
        ([0.4, 0.4, 0.399, 0.35], {}, AVOID, [3]),
        ([0.4, 0.4, 0.4, 0.39, 0.35], {}, EQUAL, [0, 1, 2]),
    ],
    "a difference within the sampling error is uncertain": [
        ([0.4, 0.38, 0.2], {"error": 0.03}, UNCERTAIN, [0, 1]),
    ],
    "an unpredictable strategy is a mixture by probability": [
        ([0.4, 0.4, 0.39, 0.2], {"probabilities": [0.3, 0.66, 0.04, 0.0]}, MIXTURE, [1, 0]),
        (
            [0.4, 0.4, 0.39, 0.2],
            {"probabilities": [0.97, 0.03, 0.0, 0.0], "pick": 1},
            MIXTURE,
            [0, 1],
        ),
    ],
    "a mixture of nearly one choice is clear": [
        ([0.4, 0.38, 0.2], {"probabilities": [0.97, 0.03, 0.0]}, CLEAR, [0]),
    ],
    "a mixture is no reason if every choice is good": [
        ([0.4, 0.399], {"probabilities": [0.5, 0.5]}, EQUAL, [0, 1]),
    ],
    # The headline said "Play Blizzard, ahead by 2 %" when the blizzard was drawn with 5 %.
    "a drawn choice that is not good makes it a mixture": [
        ([0.317, 0.2934, 0.2933, 0.1], {"probabilities": RARE, "pick": 2}, MIXTURE, [0, 2]),
        ([0.317, 0.2934, 0.2933, 0.1], {"probabilities": RARE, "pick": 0}, CLEAR, [0]),
    ],
    # The headline said "Blizzard (0%)" about the best response to the mixture.
    "a mixture names no choice that is not played": [
        ([0.400, 0.393, 0.392, 0.2], {"probabilities": UNPLAYED, "pick": 1}, MIXTURE, [1, 2]),
        ([0.4, 0.393, 0.2], {"probabilities": [0.0, 1.0, 0.0], "pick": 1}, DRAWN, [0]),
    ],
    "a drawn mistake is not one to avoid": [
        ([0.3, 0.3, 0.299, 0.2], {"probabilities": FALLING, "pick": 0}, AVOID, [3]),
        ([0.3, 0.3, 0.299, 0.2], {"probabilities": FALLING, "pick": 3}, MIXTURE, [0, 1, 2, 3]),
    ],
    "a weaker choice that was drawn is not called equal": [
        ([0.4, 0.398, 0.37], {"pick": 2}, DRAWN, [0, 1]),
        ([0.4, 0.398, 0.37], {"pick": 1}, EQUAL, [0, 1]),
    ],
}


@pytest.mark.parametrize("rule", VERDICTS)
def test_a_verdict_follows_the_rule_of_its_name(rule: str) -> None:
    for values, options, code, choices in VERDICTS[rule]:
        verdict = judge(values, **{"objective": WIN} | options)
        assert (verdict.code, list(verdict.choices)) == (code, choices), (values, options)


# A hint for points called a choice that gains one space "a sure win".
CERTAIN: list[tuple[list[float], dict[str, Any], str, list[int], str]] = [
    ([1.0, 0.0], {"bounds": [SURE, LOSS], "objective": POINTS}, CLEAR, [0], ""),
    ([1.0, 1.0, 0.9], {"bounds": [SURE, OPEN, (0.5, 1.0)]}, CLEAR, [0], WON),
    ([1.0, 1.0, 0.9], {"bounds": [SURE, OPEN, (0.5, 1.0)], "pick": 1}, EQUAL, [0, 1], ""),
    # A sure win now is better than a later one.
    ([1.0, 0.999999, 0.4], {"bounds": [SURE, SURE, OPEN]}, CLEAR, [0], WON),
    ([1.0, 1.0, 0.4], {"bounds": [SURE, SURE, OPEN]}, EQUAL, [0, 1], WON),
    # Results of later rounds are discounted.
    ([3.3e-7, 3.3e-7], {"bounds": [LOSS] * 2}, DECIDED, [0, 1], LOST),
    ([0.999999, 0.999999], {"bounds": [SURE] * 2}, DECIDED, [0, 1], WON),
]


@pytest.mark.parametrize(("values", "options", "code", "choices", "result"), CERTAIN)
def test_only_what_holds_against_every_play_is_sure(
    values: list[float], options: dict[str, Any], code: str, choices: list[int], result: str
) -> None:
    verdict = judge(values, **{"objective": WIN} | options)
    assert (verdict.code, list(verdict.choices), verdict.result) == (code, choices, result)


@pytest.mark.parametrize(
    ("values", "options", "margin", "spread"),
    [
        ([0.4, 0.39, 0.2], {}, 0.01, 0.0),
        ([0.4, 0.397, 0.39, 0.2], {}, 0.01, 0.003),
        ([0.6, 0.600005, 0.2], {}, 0.400005, 5e-6),
        ([0.4, 0.4, 0.399, 0.35], {}, 0.05, 0.001),
        ([0.4, 0.393, 0.2], {"probabilities": [0.0, 1.0, 0.0], "pick": 1}, 0.007, 0.0),
        ([0.4, 0.398, 0.37], {"pick": 2}, 0.03, 0.002),
    ],
)
def test_a_verdict_states_its_margin_and_the_spread_of_good_choices(
    values: list[float], options: dict[str, Any], margin: float, spread: float
) -> None:
    verdict = judge(values, WIN, **options)
    assert (verdict.margin, verdict.spread) == pytest.approx((margin, spread))
