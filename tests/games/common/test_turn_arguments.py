"""Arguments for the choices of a turn: which ones, in which order, and their sentences."""

from typing import Any

import pytest

from service.core.advice import CLEAR, EQUAL, FORCED, UNCERTAIN
from service.core.comparison import Comparison
from service.core.hints import Reason
from service.core.sequential import ChoiceValue, TurnHint
from service.games.common.turn_arguments import Arguments
from service.games.common.turn_reasons import advise
from service.games.slopecrashers.api.reasons import ARGUMENTS, EXPLAINER
from service.games.snowcrest.api.reasons import ARGUMENTS as SNOWCREST


def value(
    parts: dict[str, float], measures: dict[str, float] | None = None, error: float = 0.0
) -> ChoiceValue[str]:
    difference = sum(parts.values())
    return ChoiceValue(
        choice="own",
        value=0.5,
        loss=max(0.0, -difference),
        error=error,
        shares={},
        comparison=Comparison("other", difference, parts),
        measures=measures or {},
        difference_error=error,
    )


def codes(arguments: Arguments, own: ChoiceValue[str], *, best: bool) -> list[str]:
    return [reason.code for reason in arguments.of(own, ("b", "c"), best=best)]


def sentences(own: ChoiceValue[str], *, best: bool, language: str = "en") -> list[str]:
    return [
        EXPLAINER.argument(reason, language, best=best)
        for reason in ARGUMENTS.of(own, ("b", "c"), best=best)
    ]


def test_the_best_choice_has_its_advantages_first_and_then_the_largest_cost() -> None:
    parts = {"progress": 0.02, "gifts": -0.01, "next-turn": 0.05, "others": -0.02}
    assert codes(ARGUMENTS, value(parts), best=True) == ["next-turn", "progress", "others"]


def test_another_choice_has_its_largest_advantage_first_and_then_what_it_costs() -> None:
    parts = {"progress": 0.01, "gifts": 0.03, "next-turn": -0.02, "others": -0.06}
    assert codes(ARGUMENTS, value(parts), best=False) == ["gifts", "others", "next-turn"]


def test_at_most_three_arguments() -> None:
    parts = {"progress": 0.01, "gifts": 0.02, "next-turn": 0.03, "others": 0.04}
    assert len(codes(ARGUMENTS, value(parts), best=True)) == 3
    negative = {part: -share for part, share in parts.items()}
    assert codes(ARGUMENTS, value(negative), best=False) == ["others", "next-turn", "gifts"]


def test_small_parts_are_no_argument_unless_there_is_no_larger_one() -> None:
    assert codes(ARGUMENTS, value({"progress": 0.2, "gifts": 0.015}), best=True) == ["progress"]
    assert codes(ARGUMENTS, value({"progress": 0.001}), best=True) == ["progress"]


def test_a_choice_that_comes_to_the_same_says_so() -> None:
    assert sentences(value({}), best=False) == ["It makes no difference."]


def test_own_harm_is_named_before_larger_costs_of_the_best_choice() -> None:
    parts = {"progress": 0.2, "gifts": -0.06, "next-turn": -0.04}
    harmed = value(parts, {"misses-turn": 1.0})
    assert codes(ARGUMENTS, harmed, best=True) == ["progress", "misses-turn"]
    assert codes(ARGUMENTS, value(parts), best=True) == ["progress", "gifts"]
    omen = {"points": 0.2, "resources": -0.06, "omen": -0.04}
    assert codes(SNOWCREST, value(omen), best=True) == ["points", "omen"]


def test_harm_that_the_other_choice_does_is_an_advantage() -> None:
    own = value({"next-turn": 0.04}, {"stung": -1.0})
    assert sentences(own, best=True) == ["Your next turn begins with two movements."]


def test_a_count_explains_a_part_only_if_it_points_the_same_way() -> None:
    more = value({"gifts": 0.02}, {"gifts": 1.0})
    assert sentences(more, best=True) == ["1 gift more."]
    fewer = value({"gifts": 0.02}, {"gifts": -1.0})
    assert sentences(fewer, best=True) == ["Better gifts in your stack."]
    hardly = value({"gifts": 0.02}, {"gifts": 0.01})
    assert sentences(hardly, best=True) == ["Better gifts in your stack."]


def test_counts_have_one_decimal_and_shares_whole_per_cent() -> None:
    own = value({"progress": -0.0342117}, {"movements": -1.6824})
    assert sentences(own, best=False) == [
        "1.7 movements further from the finish: costs about 3% of the win."
    ]
    assert sentences(own, best=False, language="de") == [
        "1,7 Bewegungen weiter vom Ziel: kostet etwa 3\u00a0% Siegchance."
    ]


def test_the_other_player_who_changes_most_is_named() -> None:
    measures = {"rival-1": 0.4, "rival-2": 2.0}
    assert sentences(value({"others": 0.05}, measures), best=True) == ["c falls back."]
    ahead = {"rival-1": -0.4, "rival-2": 2.0}
    assert sentences(value({"others": -0.05}, ahead), best=False) == [
        "b gets ahead: costs about 5% of the win."
    ]


def test_nobody_is_named_who_moves_in_the_other_direction() -> None:
    """Met in Snowcrest: shares are not linear, so the part and the means can disagree."""
    ahead = {"rival-1": -0.4, "rival-2": 0.0}
    [reason] = ARGUMENTS.of(value({"others": 0.05}, ahead), ("b", "c"), best=True)
    assert reason == Reason("others", {"share": 0.05})
    assert sentences(value({"others": 0.05}, ahead), best=True) == [
        "Better chances against the others."
    ]
    back = {"rival-1": 0.4, "rival-2": 0.1}
    assert sentences(value({"others": -0.05}, back), best=False) == [
        "Worse chances against the others: costs about 5% of the win."
    ]


def test_an_uncertain_comparison_says_so() -> None:
    own = value({"progress": 0.02}, error=0.03)
    assert codes(ARGUMENTS, own, best=True) == ["progress", "unsure"]
    assert sentences(own, best=True)[1] == "Hidden cards make this uncertain, by about 3%."
    sure = value({"progress": 0.04}, error=0.03)
    assert codes(ARGUMENTS, sure, best=True) == ["progress"]


def hint(*values: float, error: float = 0.0) -> TurnHint[Any]:
    choices = [
        ChoiceValue(place, each, values[0] - each, error, {}, difference_error=error)
        for place, each in enumerate(values)
    ]
    return TurnHint(choices, None, {}, "", 1, 1, False, True, 1)


@pytest.mark.parametrize(
    ("shares", "error", "advice"),
    [
        ((0.4,), 0.0, Reason(FORCED, {})),
        ((0.4, 0.3, 0.2), 0.0, Reason(CLEAR, {"margin": 0.1})),
        ((0.4, 0.398, 0.3), 0.0, Reason(EQUAL, {"choices": [0, 1], "spread": 0.002})),
        ((0.4, 0.38), 0.03, Reason(UNCERTAIN, {"choices": [0, 1], "error": 0.03})),
    ],
)
def test_the_headline_says_how_clear_the_case_is(
    shares: tuple[float, ...], error: float, advice: Reason
) -> None:
    assert advise(hint(*shares, error=error)) == advice
