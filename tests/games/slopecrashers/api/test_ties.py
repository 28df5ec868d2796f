"""Hints among equal values: no own harm, then more gifts, then progress, then fewer actions."""

import pytest

from tests.games.slopecrashers.positions import ask_hint, state

STEP = {"type": "step", "direction": "forward"}
BOOSTS = " ".join(["+..."] * 4 + ["...."] * 8)
LOST = {"at": {"a": (2, 9, 2), "b": (2, 7, 0)}, "drawing": BOOSTS, "stung": "a"}
"""b runs over the boosts to the finish in its next turn; a has one movement."""
WON = {"at": {"a": (2, 10, 1), "b": (1, 2, 0)}, "drawing": "... " * 12}
EFFORTS = ("quick", "standard")


def hint_after(position, *so_far, effort, **more):
    return ask_hint(state(**position, **more), "a", so_far=list(so_far), effort=effort)


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("gift", ["bee-sting", "carrier-pigeon"])
def test_a_leader_does_not_attack_itself_at_equal_values(gift, effort):
    response = hint_after(LOST, STEP, effort=effort, gifts={"a": gift})
    assert {each["loss"] for each in response["moves"]} == {0.0}
    assert [each["move"]["type"] for each in response["moves"]] == ["end", "discard", "play"]


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("gift", ["rocket", "black-ice", "snowman", "magnet"])
def test_a_gift_is_not_wasted_at_equal_values(gift, effort):
    response = hint_after(LOST, STEP, effort=effort, gifts={"a": gift})
    assert response["pick"] == {"type": "end"}
    # The other player need not win as soon as it can.
    assert response["advice"]["text"].endswith("You have almost no chance left.")
    won = hint_after(WON | {"stung": "a"}, STEP, effort=effort, gifts={"a": gift})
    assert {each["loss"] for each in won["moves"]} == {0.0}
    assert won["pick"] == {"type": "end"}


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_win_at_once_is_found_among_estimated_sure_wins(effort):
    """`quick` ended the turn instead: the estimates of other ends were rounded to 1, too."""
    start = {
        "at": {"a": (2, 3, 1), "b": (1, 2, 0), "c": (1, 3, 2), "d": (1, 1, 3)},
        "drawing": ".... .... .... ..## ##.+ ....",
        "gifts": {"a": "chili", "b": "rocket magnet rocket", "c": "magnet"},
        "missing": "cd",
    }
    response = hint_after(start, effort=effort)
    assert [action["type"] for action in response["plan"]] == ["step", "step", "play", "step"]


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_win_that_seems_certain_is_not_put_off(effort):
    """Only b can pass row 2, and misses a turn at the snowman behind it: b waited without end."""
    start = state(
        {"a": (2, 1, 0), "b": (2, 0, 0)},
        ".. .. .. .. .. .. .. .~ .~ #. .. ..",
        gifts={"b": "spring"},
        turn="b",
        discards="spring",
        snowmen=((3, 0), (7, 1)),
    )
    response = ask_hint(start, "b", effort=effort)
    assert response["moves"][0]["value"] > 0.9
    assert response["pick"]["type"] == "step"


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_lost_race_goes_on_without_detours(effort):
    response = ask_hint(state({"a": (2, 2, 1), "b": (2, 7, 0)}), "a", effort=effort)
    assert response["plan"] == [STEP, STEP, {"type": "end"}]


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize(
    ("gift", "at", "b"),
    [
        ("rocket", (2, 5, 1), {"missing": "b"}),
        ("bee-sting", (2, 7, 1), {"missing": "b", "stung": "b"}),
        ("black-ice", (2, 2, 0), {}),
    ],
)
def test_a_magnet_is_kept_if_the_hit_changes_nothing(gift, at, b, effort):
    """b misses its turn anyway, or cannot slide; before that, c wins."""
    response = attacked(gift, at, effort, **b)
    assert response["pick"]["magnet"] is False


def test_a_magnet_is_used_against_a_missed_turn_even_if_the_race_is_lost():
    assert attacked("rocket", (2, 5, 1), "standard")["pick"]["magnet"] is True


def attacked(gift, b, effort, **more):
    """Return the hint of b, who has a magnet, against an attack; c wins anyway."""
    at = {"a": (2, 2, 1), "c": (2, 7, 3), "b": b}
    start = state(at, gifts={"a": gift, "b": "magnet"}, **more)
    attack = {"type": "play", "gift": gift}
    response = ask_hint(start, "b", so_far=[attack], effort=effort)
    assert {each["loss"] for each in response["moves"]} == {0.0}
    return response
