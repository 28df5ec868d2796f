"""Hints: hidden information, playing strength, violations and consistent numbers."""

import json
from dataclasses import replace

import pytest

from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.api.names import choice_name
from service.games.slopecrashers.engine.errors import AT_FINISH, LEAST, MOST, error_model
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from tests.games.slopecrashers.positions import (
    GAME,
    PLAIN,
    ask,
    ask_hint,
    document,
    follow_turn,
    response_violations,
    state,
)
from tests.games.slopecrashers.rules.test_legality import STATE, changed

STEP = {"type": "step", "direction": "forward"}
ROCKET = {"type": "play", "gift": "rocket"}


def test_s15_gifts_drawn_by_others_do_not_change_a_hint():
    """b answers a rocket of a; b has not seen what a drew before it, but a has."""
    field = "\n".join(["...."] * 3 + [".g..", ".g..", "...."])
    start = state({"a": (0, 1), "b": (4, 1)}, field, gifts={"b": "magnet"})
    own, others = set(), set()
    for card in ("chili", "spring", "unknown"):
        so_far = [STEP, {"type": "draw", "card": card}]
        own.add(json.dumps(ask_hint(start, "a", so_far=so_far)))
        so_far += [STEP, {"type": "draw", "card": "rocket"}, ROCKET]
        others.add(json.dumps(ask_hint(start, "b", so_far=so_far)))
    assert (len(own), len(others)) == (3, 1)


def test_an_illegal_choice_is_rejected():
    for chosen, violations in (
        ({"type": "place", "lane": 1}, {("/chosen/type", "wrong-moment")}),
        ({"type": "step"}, {("/chosen/direction", "missing")}),
    ):
        body = {"state": STATE, "player": "anna", "chosen": chosen}
        assert response_violations("suggest", body) == violations


@pytest.mark.slow
@pytest.mark.parametrize(("effort", "sampled"), [("quick", 3), ("standard", 5), ("deep", 16)])
def test_few_deals_are_all_searched_and_many_are_sampled(effort, sampled):
    """One hidden gift has eleven kinds."""
    bare = ("seats 0 gifts", [])
    one, two = changed(bare), changed(bare, ("seats 2 gifts", ["unknown"]))
    for hidden, deals in ((one, 11), (two, sampled)):
        response = ask("suggest", {"state": hidden, "player": "anna", "effort": effort})
        assert response["search"]["determinizations"] == deals
    assert all(each["error"] >= 0.0 for each in response["moves"])
    assert any(each["error"] > 0.0 for each in response["moves"])


def test_without_hidden_cards_there_is_one_determinization():
    """The error of the model is left; the first character has four rows and another lap to go."""
    response = ask_hint(state({"a": (3, 1), "b": (4, 2)}, gifts={"a": "chili"}), "a")
    assert response["search"]["determinizations"] == 1
    for each in response["moves"]:
        spread = (each["value"] * (1.0 - each["value"])) ** 0.5
        assert each["error"] == pytest.approx(AT_FINISH / (4 + 8) * spread, abs=1e-6)


@pytest.mark.parametrize(
    ("places", "error"),
    [
        ({"a": (2, 7, 1), "b": (1, 1, 1)}, MOST),
        ({"a": (2, 2, 1), "b": (2, 1, 1)}, AT_FINISH / 6),
        ({"a": (1, 7, 1), "b": (1, 1, 1)}, AT_FINISH / 9),
    ],
)
def test_the_error_of_the_model_grows_towards_the_finish(places, error):
    assert error_model(state(places, PLAIN)).share == error
    assert error_model(state({"a": (0, 1)}, "\n".join([PLAIN] * 6))).share == LEAST


# A snowman behind a narrow place: the first character that passes it misses a turn.
NARROW = "\n".join(["...."] * 6 + ["##.."] + ["##.#"] + ["...."] * 4)
CROWD = {"a": (3, 2), "b": (4, 2), "c": (3, 1), "d": (2, 2)}


def test_the_leader_goes_first_where_all_players_would_wait():
    start = state(CROWD, NARROW, turn="b", snowmen=((5, 2),))
    response = ask_hint(start, "b")
    value = {each["move"]["type"]: each["value"] for each in response["moves"]}
    assert response["moves"][0]["move"]["type"] == "step"
    assert value["end"] <= value["step"]


def test_a_game_played_by_hints_ends():
    now, over = document(state(CROWD, NARROW, turn="a", snowmen=((5, 2),))), False
    for _ in range(60):
        turn = []
        while (pending := ask("legal-moves", {"state": now, "so_far": turn}))["decision"] != "none":
            if pending["decision"] == "draw":
                turn.append({"type": "draw", "card": pending["draw"][0]["card"]})
                continue
            [player] = pending["moves"]
            hint = {"state": now, "so_far": turn, "player": player, "effort": "quick"}
            turn.append(ask("suggest", hint)["pick"])
        resolved = ask("resolve", {"state": now, "moves": turn})
        now, over = resolved["state"], resolved["game_over"]
        if over:
            break
    assert over


def question_of(turn):
    return TurnQuestion(turn, GAME.pending(turn), "a", "quick", None, None)


def keys_of(turns):
    return {SlopecrashersTurns().position_key(question_of(turn)) for turn in turns}


def test_the_key_does_not_depend_on_how_a_place_was_reached():
    reached = [
        follow_turn(state({"a": (3, lane), "b": (2, 3)}), aside).play
        for aside, lane in (("r", 0), ("l", 2))
    ]
    assert {turn.place for turn in reached} == {(1, 3, 1)}
    assert len(keys_of(reached)) == 1


def test_the_key_depends_on_whether_the_player_may_still_pass():
    """After a card, an end is no pass: two players ended their turns for ever by a cached hint."""
    start = state({"a": (3, 1), "b": (2, 3)}, gifts={"a": "bee-sting"})
    turn = follow_turn(start, "bee-sting").play
    assert len(keys_of([turn, replace(turn, actions=())])) == 2


@pytest.mark.parametrize(
    ("at", "gifts", "so_far", "player", "decision"),
    [
        ({"a": (2, 1), "b": (4, 1)}, {"a": "rocket chili", "b": "spring"}, [ROCKET], "a", "turn"),
        ({"a": (2, 1), "b": (4, 1)}, {"a": "rocket", "b": "spring"}, [ROCKET, STEP], "a", "turn"),
        (
            {"a": (2, 1), "b": (3, 1), "c": (2, 2)},
            {"a": "black-ice", "b": "spring", "c": "magnet"},
            [{"type": "play", "gift": "black-ice"}],
            "c",
            "answer",
        ),
        (
            {"a": (2, 1), "b": (3, 1), "c": (6, 1)},
            {"a": "rocket spring", "c": "magnet"},
            [STEP, ROCKET],
            "c",
            "answer",
        ),
    ],
)
def test_decisions_in_the_middle_of_a_turn_have_hints(at, gifts, so_far, player, decision):
    """The turn so far is validated with all cards, not only those that the player sees."""
    start = state(at, gifts=gifts, stung="a" if so_far == [STEP, ROCKET] else "")
    assert ask_hint(start, player, so_far=so_far)["decision"] == decision


@pytest.mark.parametrize("others", [{"b": (1, 0, 2)}, {"b": (1, 0, 2), "c": (1, 0, 3)}])
def test_a_win_at_once_is_better_than_a_certain_one_in_the_next_turn(others):
    """The others are far behind; the spring over the line is listed late."""
    start = state({"a": (2, 7, 1), **others}, gifts={"a": "spring"})
    response = ask_hint(start, "a")
    values = [each["value"] for each in response["moves"]]
    assert values.count(1.0) >= 2
    assert response["pick"] == STEP
    order = [each["move"].get("gift", each["move"]["type"]) for each in response["moves"]]
    assert order.index("spring") < order.index("end")


def test_the_key_depends_on_cards_below_the_packed_stack():
    top = "rocket " * 5 + "magnet " * 5
    starts = [
        state({"a": (3, 0), "b": (5, 0)}, gifts={"a": top + rest})
        for rest in ("chili bee-sting", "bee-sting chili")
    ]
    assert len(keys_of(GAME.begin(start).play for start in starts)) == 2


@pytest.mark.parametrize(
    ("start", "chosen", "codes"),
    [
        (
            state({"a": (5, 1), "b": (4, 2), "c": (2, 0)}, gifts={"a": "bee-sting"}),
            {"type": "play", "gift": "bee-sting"},
            ["stung"],
        ),
        (
            state({"a": (2, 1), "b": (4, 2), "c": (3, 0)}, snowmen=((3, 1),)),
            STEP,
            ["misses-turn"],
        ),
    ],
    ids=["a bee on oneself", "a step onto a snowman"],
)
def test_a_short_or_missed_turn_is_a_reason(start, chosen, codes):
    rows = ask_hint(start, "a", chosen=chosen)["moves"]
    [row] = [each for each in rows if chosen.items() <= each["move"].items()]
    assert [why["code"] for why in row["reasons"]] == codes


def test_facts_are_sent_only_if_requested():
    start = state({"a": (5, 1), "b": (4, 2)}, gifts={"a": "chili"})
    plain, full = ask_hint(start, "a"), ask_hint(start, "a", include=["facts"])
    assert all("facts" not in each for each in plain["moves"])
    facts = {each["move"]["type"]: each.pop("facts") for each in full["moves"]}
    assert [fact["code"] for fact in facts["play"]] == ["movements", "plays"]
    assert full["moves"] == plain["moves"]


def test_choices_have_names():
    start = state({"a": (5, 1), "b": (4, 2)}, gifts={"a": "snowman"})
    question = question_of(GAME.begin(start).play)
    [choices] = question.decision.choices.values()
    names = {choice_name(question, each, "en") for each in choices}
    assert {"Step left", "End the turn", "Discard Snowman"} <= names
    assert len(names) == len(choices)


def on_course(course, *seats, **more):
    """Return a state on default pieces; a seat is a player, lap, row, lane and gifts."""
    fields = ("player", "lap", "row", "lane", "gifts")
    named = [dict(zip(fields, (*seat[:4], seat[4].split()), strict=True)) for seat in seats]
    return {"seats": named, "course": course.split()} | more


def test_a_boost_under_a_snowman_is_not_within_reach():
    seats = (("anna", 1, 19, 3, ""), ("hugo", 1, 15, 3, ""), ("nina", 1, 16, 2, ""))
    snowmen = [{"row": 17, "lane": 2, "card": "snowman"}]
    course = "alder larch cedar birch pine fir"
    start = on_course(course, *seats, turn="hugo", snowmen=snowmen)
    hint = ask("suggest", {"state": start, "player": "hugo", "effort": "quick"})
    codes = {why["code"] for row in hint["moves"] for why in row["reasons"]}
    assert "boost-ahead" not in codes


def test_the_plan_says_that_a_movement_ends_on_a_gift():
    course = ".... .... .... .g.. .... .... .... ...."
    hint = ask_hint(state({"a": (2, 1), "b": (5, 0)}, course), "a")
    assert hint["advice"]["text"].startswith("Step forward twice onto the gift")


def names_a_gift(action):
    return action["type"] in ("play", "discard") or action.get("magnet", False)


def with_unknown_gifts(known, row=11):
    """Return a state of the middle of a race in which a knows only her first gifts."""
    places = {"a": (1, row, 0), "b": (1, row + 2, 3)}
    course = "\n".join([".g.. .... ..g. ...."] * 2)
    return document(state(places, course, gifts={"a": f"{known} ?", "b": "?"}))


@pytest.mark.parametrize("row", range(5))
def test_s15_a_hint_does_not_choose_which_card_an_unknown_gift_is(row):
    body = {"state": with_unknown_gifts("", row), "player": "a"}
    hint = ask("suggest", body)
    assert not any(map(names_a_gift, hint["plan"]))
    assumed = [names_a_gift(row["move"]) for row in hint["moves"]]
    assert assumed == sorted(assumed)
    assert any(assumed)
    best = hint["moves"][0]["value"]
    for row in hint["moves"]:
        assert row["loss"] == round(best - row["value"], 9) >= 0.0
    params = hint["advice"]["params"]
    said = [*params.get("choices", []), *params.get("mistakes", [])]
    assert not any(names_a_gift(hint["moves"][place]["move"]) for place in said)
    assert hint["advice"]["code"] not in ("decided", "forced")
    if not all(row["loss"] for row in hint["moves"] if names_a_gift(row["move"])):
        # One of the gifts may be better.
        assert hint["advice"]["code"] == "uncertain"
    pigeon = next(row for row in hint["moves"] if row["move"].get("gift") == "carrier-pigeon")
    grade = ask("suggest", body | {"chosen": pigeon["move"]})["grade"]
    assert grade["loss"] == pigeon["loss"]


@pytest.mark.parametrize(("row", "lane"), [(2, 0), (2, 1), (2, 3), (11, 0), (11, 2)])
def test_s15_a_plan_ends_before_a_card_that_nobody_has_seen(row, lane):
    seats = (("anna", 1, row, lane, "spring unknown"), ("hugo", 1, 14, 1, ""))
    hidden = on_course("cedar fir birch pine", *seats, turn="anna")
    hint = ask("suggest", {"state": hidden, "player": "anna"})
    played = [action.get("card") for action in hint["plan"] if names_a_gift(action)]
    assert played in ([], ["spring"])


def test_s15_the_plan_of_a_player_with_an_unknown_gift_goes_on_to_the_end_of_the_turn():
    hint = ask_hint(state({"a": (2, 1), "b": (4, 3)}, gifts={"a": "?"}), "a")
    assert [action["type"] for action in hint["plan"]] == ["step", "step", "end"]


def test_s15_a_review_adds_up_if_an_unknown_gift_is_played():
    start = with_unknown_gifts("", 2)
    plays = ask("legal-moves", {"state": start})["moves"]["a"]
    chili = next(each for each in plays if each.get("gift") == "chili")
    moves = [chili, STEP, {"type": "end"}]
    review = ask("review", {"state": start, "turns": [moves], "effort": "quick"})
    for step in review["decisions"]:
        assert step["loss"] == round(step["best_value"] - step["value"], 9)


def test_s13_a_hint_answers_with_no_magnet_that_the_player_may_not_have():
    start = state({"a": (2, 2, 1), "b": (2, 5, 1)}, gifts={"a": "rocket", "b": "?"})
    hint = ask_hint(start, "b", so_far=[ROCKET])
    assert [names_a_gift(row["move"]) for row in hint["moves"]] == [False, True, True]
    # A magnet may be better, so this is not the only choice.
    assert hint["advice"]["text"].endswith("probably best.")


FAR_AHEAD = on_course(
    "fir cedar larch pine birch alder",
    (
        "anna", 2, 19, 2, "black-ice chili carrier-pigeon chili spring bee-sting black-ice chili "
        "carrier-pigeon bee-sting black-ice",
    ),
    ("hugo", 2, 16, 3, "spring"),
    turn="anna",
    snowmen=[{"row": row, "lane": lane} for row, lane in ((0, 1), (13, 3), (28, 3))],
    discards=["spring", "spring", "chili", "chili", "magnet", "magnet", "magnet", "black-ice"],
)  # fmt: skip


@pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
def test_who_is_far_ahead_moves_on_although_all_shares_are_equal(effort):
    """Shares are calibrated and rounded: two players ended their turns for ever."""
    hint = ask("suggest", {"state": FAR_AHEAD, "player": "anna", "effort": effort})
    values = {row["value"] for row in hint["moves"]}
    assert hint["plan"][0]["type"] != "end"
    assert len(values) == 1
