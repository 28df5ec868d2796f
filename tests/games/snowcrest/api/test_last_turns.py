"""Hints near the end: last turns are exact, and the others' next claims are foreseen."""

import pytest

from service.core.vocabulary import EFFORTS
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.threats import Threats
from tests.games.snowcrest.positions import (
    CORNERS,
    activate,
    ask,
    pay,
    play_card,
    seat,
    state,
    table,
)

IDLE = {6: "builder", 8: "acolyte"}
"""Villagers who can do nothing without resources."""


def hint(document, player, *so_far, **more):
    body = {"state": document, "player": player, "effort": "quick", "so_far": list(so_far)}
    return ask("suggest", body | more)


def last_turn(*seats, turn="c", **more):
    return table(*seats, turn=turn, supply=0, ending=True, **more)


def poor(player, village=None, **more):
    """Return a seat without resources."""
    return seat(player, IDLE if village is None else village, buildings={}, **more)


def value_of(response, move):
    return next(each["value"] for each in response["moves"] if each["move"] == move)


@pytest.mark.parametrize("effort", EFFORTS)
def test_the_outlook_of_a_decided_last_turn_is_exact(effort):
    """All three have the same, and nothing can change it; the hands of a and b are unknown."""
    village = IDLE | {0: "farmer!", 2: "woodcutter!"}
    seats = [poor(name, village, hand="potter", scrolls=4) for name in "abc"]
    for document in seats:
        discards = "nun monk abbess priest gardener officer scholar mason"
        document["discards"] = discards.split()
    start = last_turn(*seats)
    response = hint(start, "c", effort=effort)
    assert response["win_shares"] == pytest.approx(dict.fromkeys("abc", 1 / 3), abs=1e-8)
    assert response["search"]["exact"]
    assert {each["loss"] for each in response["moves"]} == {0.0}


@pytest.mark.parametrize("effort", ["quick", "standard"])
@pytest.mark.parametrize(("scrolls", "share"), [((30, 0, 0), 0.0), ((0, 0, 30), 1.0)])
def test_a_lost_last_turn_is_lost_and_a_won_one_is_won(effort, scrolls, share):
    start = last_turn(
        seat("a", hand="monk nun", scrolls=scrolls[0]),
        seat("b", hand="monk nun", scrolls=scrolls[1]),
        seat("c", hand="monk potter", tokens={"barley": 2}, scrolls=scrolls[2]),
    )
    response = hint(start, "c", effort=effort)
    assert {each["value"] for each in response["moves"]} == {share}
    chosen = response["moves"][-1]["move"]
    graded = hint(start, "c", effort=effort, chosen=chosen)["grade"]
    assert (graded["loss"], graded["class"]) == (0.0, "best")


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_winning_line_of_the_last_turn_is_found(effort):
    """The scribe takes three of any kind for a scroll; c has to keep most of the barley."""
    start = last_turn(
        poor("a", scrolls=6, tokens={"barley": 2, "bowl": 9}),
        poor("c", {4: "scribe"}, scrolls=5, tokens={"barley": 3, "bell": 3, "gold": 1}),
    )
    response = hint(start, "c", effort=effort)
    assert response["moves"][0]["move"] == activate(4)
    assert response["win_shares"]["c"] == 1.0
    after = hint(start, "c", activate(4), effort=effort)
    assert value_of(after, pay(tokens={"barley": 3})) == 0.0
    assert after["search"]["exact"]


@pytest.mark.parametrize("effort", EFFORTS)
def test_equal_plays_of_the_last_turn_have_equal_values(effort):
    """The potter wins in any free cell, and in no cell it is only estimated."""
    start = last_turn(
        poor("a", scrolls=5),
        poor("c", hand="potter", scrolls=5, tokens={"barley": 2, "bell": 1}),
    )
    response = hint(start, "c", effort=effort)
    plays = {each["value"] for each in response["moves"] if each["move"].get("card") == "potter"}
    assert plays == {1.0}
    assert response["search"]["exact"]


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_winning_line_of_a_turn_that_ends_the_game_is_found(effort):
    """The pilgrim meets the challenge and so takes the last scrolls; three juniper win."""
    start = table(
        poor("a", scrolls=6, tokens={"barley": 9, "bell": 9, "bowl": 9, "juniper": 2}),
        poor("c", scrolls=4, omen=2, tokens={"barley": 3}),
        turn="c", supply=2, challenges=[{"challenge": "good-omens"}],
        row=["pilgrim", "guide", "poet", "storyteller", "miller"],
    )  # fmt: skip
    response = hint(start, "c", effort=effort)
    assert value_of(response, play_card("pilgrim", 4)) == 1.0
    paid = play_card("pilgrim", 4, tokens={"barley": 3})
    after = hint(start, "c", paid, effort=effort)
    assert value_of(after, {"type": "gain", "resource": "juniper"}) == 1.0
    assert value_of(after, {"type": "gain", "resource": "bowl"}) == 0.0


def sixth_building(builder="builder", **more):
    """Return a state in which a and b have five buildings and can pay for the sixth."""
    village = {0: "farmer", 2: "woodcutter", 8: "acolyte"}
    return table(
        seat("a", CORNERS | {4: "prophet"}, hand="monk potter", scrolls=6,
             tokens={"juniper": 2, "barley": 3, "bowl": 3},
             buildings={"farm": 2, "forge": 1, "temple": 2}),
        seat("b", village | {6: builder, 4: "carpenter"}, hand="nun", scrolls=8,
             tokens={"juniper": 2, "barley": 4, "bell": 2}, buildings={"farm": 3, "temple": 2}),
        seat("c", hand="nun", scrolls=7, tokens={"juniper": 1, "barley": 2}),
        supply=2,
        challenges=[{"challenge": "building-boom"}],
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_claim_of_the_next_player_is_foreseen(effort):
    """Both can build the sixth building; the prophet's scrolls would leave the claim to b."""
    assert hint(sixth_building(), "a", effort=effort)["pick"] == activate(6)


def test_a_claim_is_foreseen_only_if_the_rules_allow_it():
    """Without a builder, juniper or a turn before the end, b claims nothing."""
    worship = activate(4)
    threatened = value_of(hint(sixth_building(), "a"), worship)
    bare = sixth_building("builder!")
    bare["seats"][1]["village"][-1]["exhausted"] = True
    assert value_of(hint(bare, "a"), worship) > threatened
    poor_b = sixth_building()
    poor_b["seats"][1]["tokens"]["juniper"] = 0
    assert value_of(hint(poor_b, "a"), worship) > threatened


def claims_after(document, asker, next_seat):
    """Return the player of each claimed challenge after the others' next turns."""
    position = state(document)
    model = default_evaluator().model
    after = Threats(position.players.index(asker), model).after_claims(position, next_seat)
    return [
        None if posted.by is None else position.players[posted.by] for posted in after.challenges
    ], [each.scrolls for each in after.seats]


def test_the_first_of_several_players_claims_and_takes_the_scrolls():
    start = sixth_building()
    assert claims_after(start, "a", 1) == (["b"], [6, 10, 7])
    start["seats"][2] |= start["seats"][1] | {
        "player": "c",
        "village": start["seats"][0]["village"][:-1],
    }
    assert claims_after(start, "a", 1) == (["b"], [6, 10, 8])
    assert claims_after(start, "a", 2) == (["c"], [6, 8, 10])
    assert claims_after(start, "b", 1) == ([None], [6, 8, 8]), "the asker's own turn is next"
    assert claims_after(start, "b", 2)[0] == ["c"]


def test_nobody_claims_after_the_last_round():
    start = sixth_building() | {"supply": 0, "ending": True, "turn": "b"}
    assert claims_after(start, "b", 2) == ([None], [6, 8, 7])


@pytest.mark.parametrize(
    ("challenge", "village", "more"),
    [
        ("building-boom", {0: "builder"}, {"tokens": {"juniper": 2}, "buildings": {"farm": 5}}),
        ("full-barns", {0: "shepherd"}, {"tokens": {"barley": 6}}),
        ("good-omens", {0: "herbalist"}, {"omen": 1}),
        ("treasure", {0: "prospector"}, {"tokens": {"gold": 2}}),
        ("open-gates", {0: "smith", 1: "miller", 2: "baker"}, {"tokens": {"barley": 2}}),
        ("hard-work", {0: "nun!", 1: "monk!", 2: "mason!", 3: "farmer!", 6: "builder!",
                       4: "potter!", 5: "priest"}, {}),
    ],
)  # fmt: skip
def test_every_kind_of_condition_that_a_turn_can_meet_is_foreseen(challenge, village, more):
    row = ["guide", "poet", "storyteller", "teacher", "scribe"]
    start = table(
        seat("a"),
        seat("b", village, **more),
        challenges=[{"challenge": challenge}],
        row=row,
    )
    claimed, _ = claims_after(start, "a", 1)
    assert claimed == ["b"]
