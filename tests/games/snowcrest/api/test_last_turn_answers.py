"""The last turn of a game: what others give up, and bids, as the final scores count them."""

import pytest

from service.core.vocabulary import EFFORTS
from tests.games.snowcrest.positions import activate, ask, draw, give, seat, settle, table

OLD_BEAR = table(
    seat("a", {3: "acolyte", 8: "woodcutter!", 5: "innkeeper"}, scrolls=6,
         discards="priest officer gardener potter farmer builder monk nun mason abbess",
         tokens={"barley": 1, "bowl": 1, "juniper": 2}, buildings={"farm": 2, "temple": (0, 1)}),
    seat("b", {4: "abbess", 3: "monk!", 6: "nun!", 2: "woodcutter", 0: "prophet"}, scrolls=4,
         omen=-1, hand="gardener", discards="scholar priest mason potter officer farmer",
         tokens={"bowl": 1, "juniper": 1}, buildings={"farm": 2, "forge": (1, 1)}),
    turn="b", supply=0, juniper=4, ending=True,
    row=["pilgrim", "baker", "carpenter", "merchant", "miller"],
)  # fmt: skip
SACRIFICE = [activate(0), draw("old-bear"), give("barley", building="farm"), settle("barley", 4)]
BELLS = table(
    seat("a", {7: "builder!", 2: "farmer", 3: "officer", 4: "herbalist!", 5: "nun"}, scrolls=5,
         omen=1, discards="gardener potter scholar monk abbess woodcutter acolyte priest",
         tokens={"bell": 1, "juniper": 1, "gold": 1},
         buildings={"farm": (2, 1), "temple": (0, 1), "forge": 1}),
    seat("b", {1: "farmer!", 7: "monk", 2: "scholar!", 8: "builder!", 3: "bell-ringer"}, scrolls=5,
         omen=2, hand="priest",
         discards="abbess gardener mason potter nun woodcutter acolyte officer",
         tokens={"bell": 1, "bowl": 1, "gold": 1}, buildings={"farm": (0, 1), "temple": (1, 1)}),
    turn="b", supply=2, juniper=2, ending=True,
    row=["strong-woodcutter", "ploughwoman", "pilgrim", "high-abbot", "bell-founder"],
)  # fmt: skip


def values_of(state, **more):
    """Return the values of b's hint by action, and for plays and activations by card or cell."""
    rows = ask("suggest", {"state": state, "player": "b", **more})["moves"]
    return {
        f"{move['type']} {move.get('card', move.get('cell', ''))}": each["value"]
        for each in reversed(rows)
        for move in [each["move"]]
    }


@pytest.mark.parametrize("effort", EFFORTS)
def test_c7_another_player_takes_omen_if_its_resources_decide_the_game(effort):
    """With 7 points each, a wins by 7 resources to 6 if it takes the omen twice.

    The hint let a give up a resource, and so said that b surely wins.
    """
    assert values_of(OLD_BEAR, so_far=SACRIFICE, effort=effort)["suffer "] == 0.0


def test_c7_the_answers_of_all_choices_are_followed_at_deep():
    """The other efforts have no time for the 45 choices."""
    whole = values_of(OLD_BEAR, effort="deep")
    assert whole["play pilgrim"] == 1.0
    assert whole["activate 0"] == pytest.approx(11 / 12)


@pytest.mark.parametrize("effort", EFFORTS)
def test_c6_each_size_of_a_bid_counts_in_the_last_turn(effort):
    """The bids that win were not among those followed, so the action before them was worth 0."""
    assert values_of(BELLS, effort=effort)["activate 3"] == 1.0
