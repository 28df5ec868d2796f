"""Attacks that a target may foil, and races that it decides whether to foil them (S13)."""

from dataclasses import replace

import pytest

from service.core.vocabulary import EFFORTS
from tests.games.slopecrashers.positions import ask_hint, deck, state


def value_of(response, **move):
    [value] = [each["value"] for each in response["moves"] if move.items() <= each["move"].items()]
    return value


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_target_may_keep_its_magnet(effort):
    """b keeps the chili of its card, and wins; forward was called a sure win."""
    start = state(
        {"a": (2, 3, 1), "b": (2, 5, 1)},
        ".+ ~. ~. .. .# .. ..",
        gifts={"a": "snowman black-ice rocket", "b": "chili-or-magnet"},
        cards=deck(rocket=1, black_ice=1, snowman=1, chili_or_magnet=1),
    )
    response = ask_hint(replace(start, own_deck=True), "a", effort=effort)
    assert value_of(response, direction="forward") < 0.15
    pick = response["pick"]
    assert (pick["gift"], pick["row"], pick["lane"]) == ("snowman", 6, 1)
    assert response["moves"][0]["value"] > 0.85


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize(("gift", "certain"), [("", True), ("? ?", False), ("magnet ?", False)])
def test_a_win_that_a_magnet_can_foil_is_not_certain(gift, certain, effort):
    """After a step forward, a wins at once if black ice moves b off the boost."""
    at, drawing = {"a": (2, 2, 1), "b": (2, 4, 1)}, "... ... ... .+. ... ... ... ..."
    start = state(at, drawing, gifts={"a": "black-ice chili", "b": gift})
    response = ask_hint(start, "a", effort=effort)
    assert (value_of(response, direction="forward") == 1.0) is certain


def test_draws_after_an_answer_are_followed():
    """At ``deep``, a seemed to have no chance: a gift that it draws after the attack may win."""
    start = state(
        {"a": (2, 2, 0), "b": (2, 7, 2)},
        ".gg ... ~.# #g. .g. +.+ .g# .g. ...",
        gifts={"a": "spring carrier-pigeon", "b": "?"},
        discards="spring chili magnet bee-sting",
    )
    spring = {"type": "play", "direction": "forward", "gift": "spring"}
    for effort in EFFORTS:
        response = ask_hint(start, "a", so_far=[spring], effort=effort)
        assert value_of(response, gift="carrier-pigeon") > 0.3


def test_a_forced_loss_in_every_deal_of_the_hidden_cards_is_seen():
    """b's sting hits both, and then b wins: forward was worth 0.9999995."""
    start = state(
        {"a": (2, 2, 1), "b": (2, 3, 1)},
        ".. .. .~ .. ~. .+ +.",
        gifts={"a": "black-ice", "b": "bee-sting-or-carrier-pigeon"},
        cards=deck(black_ice=1, bee_sting_or_carrier_pigeon=1),
    )
    response = ask_hint(replace(start, own_deck=True), "a", effort="deep")
    assert response["moves"][0]["value"] < 0.15


@pytest.mark.parametrize("effort", EFFORTS)
def test_reasons_count_no_impossible_movements(effort):
    """They said "About 999998.3 movements further ahead" where a spring has to open the way."""
    start = state(
        {"a": (2, 0, 2), "b": (1, 4, 1)},
        ".g. .gg g.g ~gg .~# .+.",
        gifts={"a": "black-ice spring chili-or-magnet", "b": "? ?"},
        missing="b",
        discards="rocket",
    )
    drop = {"type": "discard", "card": "black-ice"}
    response = ask_hint(start, "a", so_far=[drop], effort=effort)
    reasons = [reason for each in response["moves"] for reason in each["reasons"]]
    counts = [reason["params"]["count"] for reason in reasons if "count" in reason["params"]]
    assert max(counts, default=0) < 100


def test_a_win_now_is_the_reason_although_another_choice_is_almost_certain():
    start = state({"a": (2, 6, 1), "b": (1, 0, 2), "c": (1, 0, 0)}, gifts={"b": "?"})
    response = ask_hint(start, "a")
    best, *others = response["moves"]
    assert best["value"] == 1.0
    assert 0.75 < others[0]["value"] < 1.0
    assert [reason["code"] for reason in best["reasons"]] == ["finishes"]
