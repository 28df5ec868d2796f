"""Hints: hidden information, quality, rejected requests, and consistent numbers."""

import json
import math
from types import SimpleNamespace

import pytest

from service.core.languages import LANGUAGES
from service.core.turn_hints import TurnQuestion
from service.core.vocabulary import EFFORTS
from service.games.registry import GAMES
from service.games.snowcrest.api.action_names import card_name
from service.games.snowcrest.api.reasons import label
from service.operations import catalogue
from service.solver.search import turn_plans
from tests.games.snowcrest.positions import (
    CORNERS,
    GAME,
    activate,
    ask,
    bid,
    draw,
    follow_actions,
    give,
    hint,
    pay,
    play_card,
    response_violations,
    seat,
    state,
    table,
    value_of,
    with_cards,
)
from tests.rich_requests import RICH

STATE = RICH["snowcrest"]["resolve"]["state"]
BODY = {"state": STATE, "player": "anna", "effort": "quick"}


# Contents -------------------------------------------------------------------------------------


def test_the_fewer_the_players_the_larger_is_the_error():
    for players in ("ab", "abc", "abcd"):
        seats = [seat(name, hand="monk nun", tokens={"barley": 2}) for name in players]
        pick = hint(table(*seats), "a")["moves"][0]
        spread = math.sqrt(pick["value"] * (1.0 - pick["value"]))
        assert 1.6 / len(players) < pick["error"] / spread < 2.0 / len(players)


def test_a_graded_choice_leaves_the_values_of_other_cards():
    """Plays of one card are searched together."""
    response = ask("suggest", BODY)
    worst = response["moves"][-1]["move"]
    graded = ask("suggest", BODY | {"chosen": worst})
    before, now = (
        [(row["move"], row["value"]) for row in rows if row["move"].get("card") != worst["card"]]
        for rows in (response["moves"], graded["moves"])
    )
    assert sorted(before, key=repr) == sorted(now, key=repr) != []


def test_a_graded_choice_has_as_many_deals_as_the_best_ones():
    village = {0: "farmer", 2: "woodcutter!", 8: "acolyte", 6: "builder", 4: "carpenter!"}
    start = table(
        seat("a", CORNERS | {4: "prophet"}, hand="monk potter", scrolls=6,
             tokens={"juniper": 2, "barley": 3, "bowl": 3},
             buildings={"farm": 2, "forge": 1, "temple": 2}),
        seat("b", village, hand="nun", scrolls=8, tokens={"barley": 4, "bell": 2},
             buildings={"farm": 2, "forge": 2, "temple": 1}),
        seat("c", hand="nun", scrolls=7, tokens={"juniper": 1, "barley": 2}),
        supply=6, challenges=[{"challenge": "whole-village"}],
        row=["guide", "poet", "miller", "storyteller", "teacher"],
    )  # fmt: skip
    teach = play_card("teacher", 1)
    graded = hint(start, "a", chosen=teach, effort="standard")
    after = hint(start, "a", teach, effort="standard")
    assert value_of(graded, teach) == after["moves"][0]["value"]
    assert value_of(hint(start, "a", effort="standard"), teach) != value_of(graded, teach)


def test_c4_a_legal_payment_that_is_not_listed_is_graded_too():
    """There are too many payments to list those with six buildings."""
    scribe = {"actions": [{"pay": {"any": 6}, "effects": [{"type": "gain", "what": "scroll"}]}]}
    start = table(
        seat("a", {4: "scribe"}, buildings={"farm": 2, "forge": 3, "temple": 3},
             tokens=dict.fromkeys(("barley", "bell", "bowl", "juniper", "gold"), 6)),
        catalogue=with_cards(scribe=scribe),
    )  # fmt: skip
    unlisted = pay(buildings={"forge": 3, "temple": 3})
    response = hint(start, "a", activate(4), chosen=unlisted)
    moves = ask("legal-moves", {"state": start, "so_far": [activate(4)]})["moves"]["a"]
    assert unlisted not in moves
    assert [each["move"] for each in response["moves"]].count(unlisted) == 1
    assert response["grade"]["move"] == unlisted


def test_c4_a_hint_can_propose_gold_in_place_of_barley():
    """In the last turn, b keeps most of the barley; a has more gold anyway."""
    start = table(
        seat("a", {}, tokens={"barley": 1, "gold": 3}, buildings={}, scrolls=5),
        seat("b", hand="potter", tokens={"barley": 2, "gold": 2}, buildings={}, scrolls=5),
        turn="b", supply=0, ending=True,
    )  # fmt: skip
    response = hint(start, "b", play_card("potter", 1))
    assert response["pick"] == pay(tokens={"gold": 2})


def test_c4_a_card_may_be_chosen_with_its_payment():
    paid = play_card("mason", 1, tokens={"barley": 3})
    response = hint(table(seat("a", hand="mason", tokens={"barley": 4})), "a", chosen=paid)
    assert response["grade"]["move"] == paid


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        (activate(0), ("/chosen/cell", "not-face-up")),
        ({"type": "activate"}, ("/chosen/cell", "missing")),
        (activate(6) | {"player": "hugo"}, ("/chosen/player", "not-deciding")),
    ],
)
def test_an_illegal_choice_is_rejected(chosen, fault):
    assert response_violations("suggest", BODY | {"chosen": chosen}) == {fault}


def test_the_game_document_describes_hints():
    """The grades of the solo game are listed separately."""
    about = catalogue.game(GAMES["snowcrest"])
    hints = {"objectives": ["win"], "efforts": [*EFFORTS], "include": ["facts"]}
    assert about["suggest"] == hints
    assert about["hint_grades"]["limits"]["win"]["best"] == 0.0
    assert about["grades"][0]["code"] == "inner-peace"


# Hidden information (C12) ---------------------------------------------------------------------


EFFECTS = [{"type": "gain", "what": "card"}, {"type": "meditate"}]
DRAWING = with_cards(monk={"actions": [{"effects": EFFECTS}]})


def test_c12_cards_drawn_by_others_do_not_change_a_hint():
    """Player b bids after a has drawn a card and meditates."""
    start = table(
        seat("a", {4: "monk"}, tokens={"bell": 2}), seat("b", tokens={"bell": 3}), catalogue=DRAWING
    )
    responses = {
        json.dumps(hint(start, "b", activate(4), draw(card), bid(tokens={"bell": 1})))
        for card in ("nun", "priest", "unknown")
    }
    assert len(responses) == 1


def test_c12_a_hint_uses_the_own_draw():
    """A nun shows a bell and can be bid; a priest cannot."""
    start = table(seat("a", {4: "monk"}, tokens={"bell": 1}), catalogue=DRAWING)
    bids = [len(hint(start, "a", activate(4), draw(card))["moves"]) for card in ("nun", "priest")]
    assert bids == [3, 1]


# Quality --------------------------------------------------------------------------------------


def test_a_hint_takes_free_scrolls_in_the_last_turn():
    """The bells certainly suffice, and only the scoring follows this turn."""
    other = seat("b", {0: "farmer!"}, buildings={}, scrolls=9)
    own = seat("a", {4: "monk", 0: "farmer"}, tokens={"bell": 5}, scrolls=6)
    response = hint(table(other, own, supply=0, ending=True, turn="a"), "a")
    assert response["moves"][0]["move"] == activate(4)
    assert response["win_shares"] == {"a": 1.0, "b": 0.0}
    assert value_of(response, activate(0)) < 1.0


def test_a_hint_builds_the_building_that_meets_a_challenge():
    own = seat("a", buildings={"temple": 2, "farm": 1}, tokens={"juniper": 2})
    start = table(own, challenges=[{"challenge": "holy-ground"}])
    response = hint(start, "a", activate(6), pay(tokens={"juniper": 2}))
    assert response["moves"][0]["move"] == {"type": "build", "building": "temple"}


def test_a_hint_prefers_the_cheaper_payment():
    """Three barley are cheaper than gold or cards."""
    start = table(seat("a", hand="mason scholar", tokens={"barley": 3, "gold": 3}, buildings={}))
    response = hint(start, "a", play_card("mason", 1))
    assert response["moves"][0]["move"] == pay(tokens={"barley": 3})


def test_a_hint_finds_the_winning_worship_in_the_last_turn():
    """Only a worship, which brings two scrolls, reaches nine points and the most resources."""
    other = seat("b", {0: "farmer!"}, buildings={}, scrolls=10)
    own = seat(
        "a", {8: "acolyte", 0: "farmer"}, scrolls=6, buildings={}, tokens={"bowl": 2, "gold": 2}
    )
    start = table(other, own, supply=0, ending=True, starter_variant=True, turn="a")
    response = hint(start, "a")
    assert response["moves"][0]["move"] == activate(8)
    assert response["win_shares"] == {"b": 0.0, "a": 1.0}
    assert value_of(response, activate(0)) < 1.0, "a drawn card may still add a majority"


def test_c7_a_hint_gives_the_least_valuable_resource():
    """A guardian takes any two resources of a, and one of b: barley is given before gold."""
    tokens, barley = {"bowl": 2, "barley": 2, "gold": 2}, give("any", resource="barley")
    own = seat("a", {8: "acolyte"}, tokens=tokens, buildings={})
    start = table(own, seat("b", tokens={"gold": 1, "barley": 1}))
    so_far = [activate(8), pay(tokens={"bowl": 2}), draw("snow-leopard")]
    response = hint(start, "a", *so_far)
    assert (response["decision"], response["pick"]) == ("penalty", barley)
    answer = hint(start, "b", *so_far, barley, barley)
    assert answer["pick"] != give("any", resource="gold")


def test_c6_a_hint_outbids_when_that_is_cheap():
    start = table(
        seat("a", {4: "monk"}, tokens={"bell": 1}, buildings={}),
        seat("b", tokens={"bell": 4}),
        seat("c"),
    )
    response = hint(start, "b", activate(4), bid(tokens={"bell": 1}))
    assert response["decision"] == "bid"
    assert response["moves"][0]["move"]["payment"] == {"tokens": {"bell": 2}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_without_a_name_in_the_language_have_their_english_name_or_id(language):
    """A hint in German failed if a card of the row had an English name only."""
    cards = with_cards(shepherd={"names": {"en": "Sheep keeper"}})
    [poet] = [card for card in cards["commons"] if card["id"] == "poet"]
    del poet["names"]
    start = table(seat("a", {0: "poet", 4: "shepherd"}, hand="mason"), catalogue=cards)
    now = state(start)
    number = now.catalogue.card_by_id
    assert card_name(now, number["shepherd"], language) == "Sheep keeper"
    assert card_name(now, number["poet"], language) == "poet"
    assert ask("suggest", {"state": start, "player": "a", "effort": "quick"}, language)["moves"]


@pytest.mark.parametrize(
    ("players", "starter_variant"),
    [
        (1, False), (2, False), (2, True), (3, False),
        *(pytest.param(4, variant, marks=pytest.mark.slow) for variant in (False, True)),
    ],
)  # fmt: skip
def test_following_the_hints_plays_legal_turns(players, starter_variant):
    seats = [{"player": name} for name in "abcd"[:players]]
    body = {"seats": seats, "seed": 5} | ({"starter_variant": True} if starter_variant else {})
    now = ask("new", body)["state"]
    for _ in range(3 * players):
        turn = []
        while (due := ask("legal-moves", {"state": now, "so_far": turn}))["decision"] != "none":
            if due["decision"] == "draw":
                turn.append(draw(due["draw"][0]["card"]))
            else:
                turn.append(hint(now, due["player"], *turn)["pick"])
        now = ask("resolve", {"state": now, "moves": turn})["state"]


# Solo game (C13) ------------------------------------------------------------------------------


def alone(**more):
    own = {"tokens": {"bowl": 2}, **more.pop("own", {})}
    return table(seat("a", **own), solo=True, difficulty=1, supply=more.pop("supply", 2), **more)


EXHAUSTED_ROW = {0: "farmer!", 1: "monk!", 2: "woodcutter!", 8: "acolyte"}


@pytest.mark.parametrize(
    ("start", "move", "share"),
    [
        # Any guardian gives the last two scrolls, and twelve points suffice.
        pytest.param(alone(own={"scrolls": 12, "omen": 5}), activate(8), 1.0, id="a win"),
        pytest.param(
            alone(own={"village": EXHAUSTED_ROW, "scrolls": 8}, rests=3),
            {"type": "rest"},
            0.0,
            id="the losing rest",
        ),
    ],
)
def test_c13_the_solo_win_share_is_the_probability_of_winning(start, move, share):
    response = hint(start, "a")
    assert (response["pick"], response["win_shares"]) == (move, {"a": share})
    assert response["moves"][0]["value"] == share


def test_c13_more_remaining_rests_are_better():
    few, many = (hint(alone(own={"scrolls": 5}, rests=rests, supply=5), "a") for rests in (3, 0))
    assert 0.0 < few["win_shares"]["a"] < many["win_shares"]["a"] < 1.0


# Effort and deadlines -------------------------------------------------------------------------


def test_a_deadline_during_the_search_returns_the_finished_part(monkeypatch):
    """The narrow search has finished, and the wider one has not."""
    quick = hint(STATE, "anna")
    calls = []

    def clock():
        calls.append(None)
        return 0.0 if len(calls) <= most else 1e12

    monkeypatch.setattr("service.solver.budget.time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(turn_plans, "next_question", lambda *_: None)
    most = 10**9
    hint(STATE, "anna", effort="quick", deadline_ms=30_000)
    most, calls = len(calls) + 5, []
    response = hint(STATE, "anna", effort="standard", deadline_ms=30_000)
    assert not response["search"]["complete"]
    assert response["moves"][0]["move"] == quick["moves"][0]["move"]


def test_choices_have_names():
    start = table(seat("a", {4: "poet!", 0: "farmer"}, hand="potter", tokens={"barley": 3}))
    turn = follow_actions(start).play
    question = TurnQuestion(turn, GAME.pending(turn), "a", "quick", None, None)
    [choices] = question.decision.choices.values()
    names = [label(question, each, "en", 1) for each in choices]
    assert {"Activate the farmer (A1)", "Play the potter to B1"} <= set(names)
    assert len(set(names)) == len(names)


def test_a_hint_needs_no_row_whose_cards_are_then_drawn_at_the_end_of_the_turn():
    start = table(seat("a", hand="potter", tokens={"barley": 3}), row=["guide"])
    moves = [each["move"] for each in hint(start, "a")["moves"]]
    assert {each["card"] for each in moves if each["type"] == "play"} == {"guide", "potter"}
    turn = [{"type": "activate", "cell": 2}]
    legal = ask("legal-moves", {"state": start, "so_far": turn})
    assert legal["pile"] == "common"
    cards = [{"type": "draw", "card": card} for card in ("poet", "smith", "miller", "baker")]
    resolved = ask("resolve", {"state": start, "moves": turn + cards})
    assert resolved["state"]["row"] == ["guide", "poet", "smith", "miller", "baker"]
