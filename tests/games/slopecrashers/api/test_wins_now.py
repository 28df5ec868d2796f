"""Wins in this turn: with many gifts in hand, and over gift fields whatever is drawn."""

from dataclasses import replace

import pytest

from service.core.vocabulary import EFFORTS
from tests.games.slopecrashers.positions import ask_hint, deck, state

ROOMY = "........ " * 10
MANY = deck(spring=20, chili=20, black_ice=20, bee_sting=20, snowman=20, magnet=20)
POSITIONS = {
    "chilies below snowmen": state(
        {"a": (2, 1, 3), "b": (2, 9, 7)},
        ROOMY,
        gifts={"a": "snowman snowman snowman snowman chili chili chili spring"},
        cards=MANY,
    ),
    "six gifts": state(
        {"a": (2, 0, 1), "b": (2, 0, 0), "c": (2, 7, 1)},
        ".... ..~. .... +... ...+ .... ..+. ....",
        gifts={"a": "chili spring black-ice snowman bee-sting chili"},
        cards=MANY,
    ),
    "over a gift field": state(
        {"a": (2, 7, 1), "b": (2, 11, 1), "c": (2, 11, 0)},
        ".. .g .. #. #+ g. .+ ~. #. .. g~ ..",
        gifts={"a": "chili-or-magnet bee-sting", "b": "?"},
        discards="chili snowman",
        snowmen=((5, 1),),
    ),
    "over two gift fields": state(
        {"a": (2, 6, 0), "b": (2, 5, 0), "c": (2, 7, 1)},
        "... g.. g.~ .~. .g. .g. g~g #g. ..~ ...",
        gifts={"a": "chili-or-magnet snowman", "b": "?"},
        discards="spring",
        snowmen=((8, 0), (5, 1), (9, 2), (4, 0)),
        cards=deck(spring=7, chili=30, magnet=30, snowman=40, chili_or_magnet=8),
    ),
}


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("name", POSITIONS)
def test_a_win_in_this_turn_is_found(name, effort):
    response = ask_hint(replace(POSITIONS[name], own_deck=True), "a", effort=effort)
    assert response["moves"][0]["value"] == 1.0


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_hint_with_more_gifts_than_are_searched_is_not_exact(effort):
    """The springs below ten other gifts win the race."""
    gifts = " ".join(["bee-sting"] * 10 + ["spring"] * 4)
    start = state({"a": (2, 3, 3), "b": (2, 9, 7)}, ROOMY, gifts={"a": gifts}, cards=MANY)
    response = ask_hint(replace(start, own_deck=True), "a", effort=effort)
    assert not response["search"]["exact"]
    assert response["advice"]["text"] != "You cannot win any more."
