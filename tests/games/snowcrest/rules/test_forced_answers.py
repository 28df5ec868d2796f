"""C5, C12: actions that have no alternative may be stated; a list fits every view of the game."""

import pytest

from service.core.violations import Rejected
from service.games.snowcrest.api.responses import render_action, render_state
from service.games.snowcrest.rules.state import observed
from tests.conformance.walks import random_playout
from tests.games.snowcrest.positions import (
    CORNERS,
    GAME,
    SKIP,
    activate,
    ask,
    draw,
    pay,
    play_card,
    seat,
    state,
    table,
    with_cards,
)

BUILD_FARM = {"type": "build", "building": "farm"}
FREE = with_cards(potter={"cost": 0})
FULL = [seat(name, {}, buildings={"farm": 8}) for name in "bc"]
PLOUGHING = table(seat("a", {0: "ploughwoman"}, tokens={"barley": 4, "juniper": 4}))

CASES = {
    "the only building": (PLOUGHING, [activate(0), "pay"], BUILD_FARM),
    "nothing to pay for": (
        table(seat("a", {0: "ploughwoman"}, tokens={"juniper": 1}, buildings={"farm": 5}), *FULL),
        [activate(0)], SKIP,
    ),
    "a free villager": (
        table(seat("a", hand="potter"), catalogue=FREE), [play_card("potter", 4)], pay(),
    ),
    "no card to discard": (
        table(seat("a", {4: "officer"})), [activate(4)], {"type": "redraw", "cards": []},
    ),
    "no card to take back": (table(seat("a", {4: "nun"})), [activate(4)], {"type": "decline"}),
}  # fmt: skip


def with_payment(start, actions):
    """Replace the word "pay" by the first listed payment."""
    return [
        ask("legal-moves", {"state": start, "so_far": actions[:place]})["moves"]["a"][0]
        if action == "pay"
        else action
        for place, action in enumerate(actions)
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("named", [{}, {"player": "a"}])
def test_c5_an_action_without_an_alternative_may_be_stated(case, named):
    start, actions, forced = CASES[case]
    bare = with_payment(start, actions)
    stated = [*bare, forced | named]
    turn = ask("resolve", {"state": start, "seed": 3, "moves": bare})["moves"]
    longer = [*turn[: len(bare)], forced | named, *turn[len(bare) :]]
    for endpoint, one, other in (
        ("resolve", {"seed": 3, "moves": bare}, {"seed": 3, "moves": stated}),
        ("legal-moves", {"so_far": bare}, {"so_far": stated}),
        ("review", {"effort": "quick", "turns": [turn]}, {"effort": "quick", "turns": [longer]}),
    ):
        assert ask(endpoint, {"state": start} | one) == ask(endpoint, {"state": start} | other)


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        ("the only building", [{"type": "build", "building": "temple"}]),
        ("the only building", [BUILD_FARM | {"player": "b"}]),
        pytest.param("the only building", [BUILD_FARM] * 2, id="stated twice"),
        ("nothing to pay for", [pay(tokens={"juniper": 1})]),
        ("no card to discard", [{"type": "redraw", "cards": ["monk"]}]),
        ("no card to take back", [{"type": "take-back", "card": "monk"}]),
    ],
)
def test_c5_a_wrong_action_where_one_is_forced_is_refused(case, wrong):
    start, actions, _ = CASES[case]
    refused(start, *with_payment(start, actions), *wrong)


def refused(start, *moves):
    with pytest.raises(Rejected):
        ask("resolve", {"state": start, "moves": moves, "seed": 3})


def test_c5_a_payment_is_always_stated():
    """Its alternatives may depend on a secret hand, so a single one has to be stated, too."""
    for more, only in (({"tokens": {"juniper": 1}}, "pay"), ({"buildings": {}}, "skip")):
        start = table(seat("a", {0: "ploughwoman"}, **more))
        [listed] = ask("legal-moves", {"state": start, "so_far": [activate(0)]})["moves"]["a"]
        assert listed["type"] == only
        refused(start, activate(0))


def test_c11_reveals_of_known_hands_are_accepted_in_any_order():
    """The list of a player who could not see the hands is valid for a caller who can."""
    last = table(
        seat("a", CORNERS), seat("b", CORNERS, hand="monk nun"), turn="b", ending=True, supply=0
    )
    first = ask("legal-moves", {"state": last})["moves"]["b"][0]
    resolved = ask("resolve", {"state": last, "moves": [first], "seed": 3})
    assert resolved["game_over"]
    for cards in (["monk", "nun"], ["nun", "monk"], ["nun"]):
        moves = [*resolved["moves"], *map(draw, cards)]
        assert ask("resolve", {"state": last, "moves": moves}) == resolved
    refused(last, *resolved["moves"], draw("potter"))
    hidden = render_state(observed(state(last), "a"))
    moves = [*resolved["moves"], draw("nun"), draw("monk")]
    assert ask("resolve", {"state": hidden, "moves": moves})["scores"] == resolved["scores"]


def test_c12_the_moves_of_a_turn_are_valid_in_every_view():
    start = ask("new", {"seats": [{"player": name} for name in "abc"], "seed": 2})["state"]
    playout = random_playout(GAME, state(start), 2)
    turns = list(zip(playout.states, playout.completed, strict=False))[:-1]
    assert len(turns) > 20
    for number, (before, play) in enumerate(turns):
        moves = [render_action(action, before.catalogue) for action in play.actions]
        seen = render_state(observed(before, before.players[number % 3]))
        assert ask("resolve", {"state": seen, "moves": moves})["moves"] == moves
