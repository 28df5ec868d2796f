"""Hints: hidden information, playing strength, violations and consistent numbers."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.api.names import choice_name
from service.games.slopecrashers.api.responses import render_action, render_new
from service.games.slopecrashers.engine.breadth import TURN_BUDGETS
from service.games.slopecrashers.engine.errors import AT_FINISH, LEAST, MOST, error_model
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import estimation
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import make_board, pack_turn, race_of
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from tests.games.slopecrashers.positions import GAME, PLAIN, ask, follow_turn, state
from tests.games.slopecrashers.rules.test_legality import STATE, changed, response_violations


def document(start):
    """Return a state as a document, with its own pieces."""
    state_document = render_new(start)["state"]
    state_document["pieces"] = {
        piece.name: [[field.label for field in row] for row in piece.rows]
        for piece in start.course.pieces
    }
    return state_document


def ask_hint(start, player, **more):
    return ask("suggest", {"state": document(start), "player": player, **more})


def test_s15_hidden_gifts_do_not_change_a_hint():
    """Two states that the player cannot distinguish get the same bytes."""
    hints = set()
    for others in (["magnet"], ["rocket"], ["unknown"], ["chili"]):
        seen = changed(("seats 1 gifts", others), ("seats 2 gifts", others * 2))
        hints.add(json.dumps(ask("suggest", {"state": seen, "player": "anna"})))
    assert len(hints) == 1


def test_s15_gifts_drawn_by_others_do_not_change_a_hint():
    """b answers a rocket of a; b has not seen what a drew before it."""
    drawing = "\n".join(["...."] * 4 + [".g..", "...."])
    start = state({"a": (0, 1), "b": (4, 1)}, drawing, gifts={"b": "magnet"})
    hints = set()
    for card in ("chili", "spring", "unknown"):
        so_far = [{"type": "step", "direction": "forward"}, {"type": "draw", "card": card}]
        hints.add(json.dumps(ask_hint(start, "a", so_far=so_far)))
    assert len(hints) == 3, "a player sees the own draw"
    field = "\n".join(["...."] * 3 + [".g..", ".g..", "...."])
    start = state({"a": (0, 1), "b": (4, 1)}, field, gifts={"b": "magnet"})
    answers = set()
    for card in ("chili", "spring", "unknown"):
        so_far = [
            {"type": "step", "direction": "forward"},
            {"type": "draw", "card": card},
            {"type": "step", "direction": "forward"},
            {"type": "draw", "card": "rocket"},
            {"type": "play", "gift": "rocket"},
        ]
        answers.add(json.dumps(ask_hint(start, "b", so_far=so_far)))
    assert len(answers) == 1, "a player does not see the draw of another player"


def test_a_hint_wins_at_once_if_it_can():
    start = state({"a": (2, 6, 1), "b": (2, 7, 2), "c": (2, 7, 0)}, gifts={"a": "rocket"})
    response = ask_hint(start, "a")
    assert response["moves"][0]["move"]["type"] == "step"
    assert response["moves"][0]["value"] == 1.0
    assert response["win_shares"] == {"a": 1.0, "b": 0.0, "c": 0.0}


def test_a_spring_over_the_line_wins():
    start = state({"a": (2, 6, 1), "b": (2, 7, 2)}, stung="a", gifts={"a": "magnet spring"})
    response = ask_hint(start, "a", chosen={"type": "discard"})
    assert response["moves"][0]["value"] == 1.0
    assert response["grade"]["loss"] == 0.0
    lost = state({"a": (2, 6, 1), "b": (2, 7, 2)}, stung="a", gifts={"a": "magnet"})
    assert ask_hint(lost, "a")["moves"][0]["value"] < 1.0


def test_a_hint_stops_a_player_who_would_win_next():
    """b would win in its next turn; only the rocket prevents it, and then a wins."""
    start = state({"a": (2, 4, 1), "b": (2, 7, 1)}, gifts={"a": "rocket"})
    response = ask_hint(start, "a")
    assert response["moves"][0]["move"]["type"] in ("play", "step")
    best = next(each for each in response["moves"] if each["move"]["type"] == "play")
    ended = next(each for each in response["moves"] if each["move"]["type"] == "end")
    assert (best["value"], ended["value"]) == (1.0, 0.0)


def test_a_magnet_answers_a_rocket():
    start = state({"a": (2, 2, 1), "b": (2, 5, 1)}, gifts={"a": "rocket", "b": "magnet"})
    response = ask_hint(start, "b", so_far=[{"type": "play", "gift": "rocket"}])
    assert response["decision"] == "answer"
    assert response["moves"][0]["move"] == {
        "type": "answer",
        "player": "b",
        "card": "magnet",
        "magnet": True,
    }
    assert len(response["moves"]) == 2


def test_the_placement_has_a_hint():
    start = ask("new", {"seats": [{"player": "a"}, {"player": "b"}], "seed": 4})["state"]
    response = ask("suggest", {"state": start, "player": "a"})
    assert response["decision"] == "place"
    assert [each["move"]["type"] for each in response["moves"]] == ["place"] * 4


def test_an_illegal_choice_is_rejected():
    for chosen, violations in (
        ({"type": "place", "lane": 1}, {("/chosen/type", "wrong-moment")}),
        ({"type": "step"}, {("/chosen/direction", "missing")}),
    ):
        body = {"state": STATE, "player": "anna", "chosen": chosen}
        assert response_violations("suggest", body) == violations


@pytest.mark.slow
def test_a_deadline_during_the_search_returns_the_finished_part(monkeypatch):
    body = {"state": STATE, "player": "anna", "deadline_ms": 30_000, "effort": "deep"}
    complete = ask("suggest", body)
    calls = []
    counted = SimpleNamespace(monotonic=lambda: calls.append(1) or 0.0)
    monkeypatch.setattr("service.solver.budget.time", counted)
    narrowest = replace(TURN_BUDGETS["deep"], breadths=TURN_BUDGETS["deep"].breadths[:1])
    monkeypatch.setitem(TURN_BUDGETS, "quick", narrowest)
    ask("suggest", body | {"effort": "quick"})
    clock = iter([0.0] * len(calls))
    late = SimpleNamespace(monotonic=lambda: next(clock, 1e12))
    monkeypatch.setattr("service.solver.budget.time", late)
    response = ask("suggest", body)
    assert complete["search"]["complete"]
    assert not response["search"]["complete"]
    assert len(response["moves"]) == len(complete["moves"])


@pytest.mark.slow
@pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
def test_every_effort_reports_its_search(effort):
    response = ask("suggest", {"state": STATE, "player": "anna", "effort": effort})
    search = response["search"]
    assert search["effort"] == effort
    assert search["complete"]
    assert not search["exact"]
    # With one hidden gift of eleven kinds, all deals are searched; with two, a sample.
    bare = ("seats 0 gifts", [])
    response = ask("suggest", {"state": changed(bare), "player": "anna", "effort": effort})
    assert response["search"]["determinizations"] == 11
    hidden = changed(bare, ("seats 2 gifts", ["unknown"]))
    response = ask("suggest", {"state": hidden, "player": "anna", "effort": effort})
    assert response["search"]["determinizations"] == {"quick": 3, "standard": 5, "deep": 16}[effort]
    assert all(each["error"] >= 0.0 for each in response["moves"])
    assert any(each["error"] > 0.0 for each in response["moves"])


def test_without_hidden_cards_there_is_one_determinization():
    start = state({"a": (3, 1), "b": (4, 2)}, PLAIN, gifts={"a": "chili"})
    response = ask_hint(start, "a")
    assert response["search"]["determinizations"] == 1
    # The error of the model is left; the first character has four rows and another lap to go.
    error = AT_FINISH / (4 + 8)
    for each in response["moves"]:
        spread = (each["value"] * (1.0 - each["value"])) ** 0.5
        assert each["error"] == pytest.approx(error * spread, abs=1e-6)


@pytest.mark.parametrize(
    ("places", "error"),
    [
        ({"a": (2, 7, 1), "b": (1, 1, 1)}, MOST),
        ({"a": (2, 2, 1), "b": (2, 1, 1)}, AT_FINISH / 6),
        ({"a": (1, 7, 1), "b": (1, 1, 1)}, AT_FINISH / 9),
    ],
)
def test_the_error_of_the_model_grows_towards_the_finish(places, error):
    """Four rows before it, the stated errors were true in 65 % of the positions of games."""
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
    now = document(state(CROWD, NARROW, turn="a", snowmen=((5, 2),)))
    for _ in range(60):
        turn = []
        while (pending := ask("legal-moves", {"state": now, "so_far": turn}))["decision"] != "none":
            if pending["decision"] == "draw":
                turn.append({"type": "draw", "card": pending["draw"][0]["card"]})
                continue
            [player] = pending["moves"]
            hint = {"state": now, "so_far": turn, "player": player, "effort": "quick"}
            turn.append(ask("suggest", hint)["moves"][0]["move"])
        resolved = ask("resolve", {"state": now, "moves": turn})
        if resolved["game_over"]:
            break
        now = resolved["state"]
    assert resolved["game_over"]


def test_the_key_does_not_depend_on_how_a_place_was_reached():
    keys = set()
    for aside, first in (("r", (3, 0)), ("l", (3, 2))):
        play = follow_turn(state({"a": first, "b": (2, 3)}), aside).play
        question = TurnQuestion(play, GAME.pending(play), "a", "quick", None, None)
        assert play.place == (1, 3, 1)
        keys.add(SlopecrashersTurns().position_key(question))
    assert len(keys) == 1


def test_the_key_depends_on_whether_the_player_may_still_pass():
    """After a card, an end is no pass: two players ended their turns for ever by a cached hint."""
    start = state({"a": (3, 1), "b": (2, 3)}, gifts={"a": "bee-sting"})
    play = follow_turn(start, "bee-sting").play
    keys = {
        SlopecrashersTurns().position_key(
            TurnQuestion(each, GAME.pending(each), "a", "quick", None, None)
        )
        for each in (play, replace(play, actions=()))
    }
    assert len(keys) == 2


def test_decisions_in_the_middle_of_a_turn_have_hints():
    """The turn so far is validated with all cards, not only those that the player sees."""
    rocket = {"type": "play", "gift": "rocket"}
    start = state({"a": (2, 1), "b": (4, 1)}, gifts={"a": "rocket chili", "b": "spring"})
    assert ask_hint(start, "a", so_far=[rocket])["decision"] == "turn"
    step = {"type": "step", "direction": "forward"}
    assert ask_hint(start, "a", so_far=[rocket, step])["moves"]
    start = state(
        {"a": (2, 1), "b": (3, 1), "c": (2, 2)},
        gifts={"a": "black-ice", "b": "spring", "c": "magnet"},
    )
    ice = {"type": "play", "gift": "black-ice"}
    assert ask_hint(start, "c", so_far=[ice])["decision"] == "answer"
    start = state(
        {"a": (2, 1), "b": (3, 1), "c": (6, 1)},
        gifts={"a": "rocket spring", "c": "magnet"},
        stung="a",
    )
    assert ask_hint(start, "c", so_far=[step, rocket])["decision"] == "answer"


@pytest.mark.parametrize("others", [{"b": (1, 0, 2)}, {"b": (1, 0, 2), "c": (1, 0, 3)}])
def test_a_win_at_once_is_better_than_a_certain_one_in_the_next_turn(others):
    """The others are far behind; the spring over the line is listed late."""
    start = state({"a": (2, 7, 1), **others}, gifts={"a": "spring"})
    response = ask_hint(start, "a")
    values = [each["value"] for each in response["moves"]]
    assert values.count(1.0) >= 2
    assert response["pick"] == {"type": "step", "direction": "forward"}
    order = [each["move"].get("gift", each["move"]["type"]) for each in response["moves"]]
    assert order.index("spring") < order.index("end")


def test_a_sting_counts_for_the_next_player():
    """Without the magnet, the next turn of b would begin with one movement."""
    start = state({"a": (2, 1), "b": (4, 2)}, gifts={"a": "bee-sting", "b": "magnet"})
    response = ask_hint(start, "b", so_far=[{"type": "play", "gift": "bee-sting"}])
    values = {each["move"]["magnet"]: each["value"] for each in response["moves"]}
    free = state({"a": (2, 1), "b": (4, 2)})
    stung = state({"a": (2, 1), "b": (4, 2)}, stung="b", turn="b")
    shares = {}
    for name, position in (("free", free), ("stung", stung)):
        board = make_board(position.course, position.deck)
        vector = pack_turn(GAME.begin(position).play, board)
        vector[at.TURN] = 1
        out = np.empty(2)
        estimation.shares(vector, race_of(board, default_evaluator()), out)
        shares[name] = out[1]
    assert shares["stung"] < shares["free"]
    assert set(values) == {True, False}


def test_a_hint_works_with_a_stack_deeper_than_the_packed_one():
    many = " ".join(["rocket"] * 5 + ["magnet"] * 5 + ["spring"])
    start = state({"a": (1, 0), "b": (2, 0)}, stung="a", gifts={"a": many})
    response = ask_hint(start, "a", effort="quick")
    assert {"type": "step", "direction": "forward"} in [each["move"] for each in response["moves"]]


def test_the_key_depends_on_cards_below_the_packed_stack():
    top = " ".join(["rocket"] * 5 + ["magnet"] * 5)
    keys = set()
    for rest in ("chili bee-sting", "bee-sting chili"):
        start = state({"a": (3, 0), "b": (5, 0)}, gifts={"a": f"{top} {rest}"})
        turn = GAME.begin(start).play
        question = TurnQuestion(turn, GAME.pending(turn), "a", "quick", None, None)
        keys.add(SlopecrashersTurns().position_key(question))
    assert len(keys) == 2


def reasons_of(response, **members):
    """Return the codes of the reasons of the move with these members."""
    [row] = [each for each in response["moves"] if members.items() <= each["move"].items()]
    return [why["code"] for why in row["reasons"]]


def test_a_bee_on_oneself_warns_of_the_short_turn():
    start = state({"a": (5, 1), "b": (4, 2), "c": (2, 0)}, PLAIN, gifts={"a": "bee-sting"})
    bee = {"type": "play", "gift": "bee-sting"}
    assert reasons_of(ask_hint(start, "a", chosen=bee), **bee) == ["stung"]


def test_a_step_onto_a_snowman_warns_of_the_missed_turn():
    start = state({"a": (2, 1), "b": (4, 2), "c": (3, 0)}, PLAIN, snowmen=((3, 1),))
    step = {"type": "step", "direction": "forward"}
    assert reasons_of(ask_hint(start, "a", chosen=step), **step) == ["misses-turn"]


def test_facts_are_sent_only_if_requested():
    start = state({"a": (5, 1), "b": (4, 2)}, PLAIN, gifts={"a": "chili"})
    plain, full = ask_hint(start, "a"), ask_hint(start, "a", include=["facts"])
    assert all("facts" not in each for each in plain["moves"])
    [chili] = [each for each in full["moves"] if each["move"]["type"] == "play"]
    assert [fact["code"] for fact in chili["facts"]] == ["movements", "plays"]
    assert [each | {"facts": 0} for each in plain["moves"]] == [
        each | {"facts": 0} for each in full["moves"]
    ]


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ({"type": "step", "direction": "left"}, "Step left"),
        ({"type": "end"}, "End the turn"),
        ({"type": "discard", "card": "snowman"}, "Discard Snowman"),
    ],
)
def test_choices_have_names(action, name):
    start = state({"a": (5, 1), "b": (4, 2)}, PLAIN, gifts={"a": "snowman"})
    turn = GAME.begin(start).play
    question = TurnQuestion(turn, GAME.pending(turn), "a", "quick", None, None)
    [choices] = question.decision.choices.values()
    named = {json.dumps(render_action(each)): choice_name(question, each, "en") for each in choices}
    assert named[json.dumps(action)] == name
    assert len(set(named.values())) == len(named)


def test_a_boost_under_a_snowman_is_not_within_reach():
    """It was promised for the next turn."""
    body = {
        "state": {
            "seats": [
                {"player": "anna", "lap": 1, "row": 19, "lane": 3, "gifts": []},
                {"player": "hugo", "lap": 1, "row": 15, "lane": 3, "gifts": []},
                {"player": "nina", "lap": 1, "row": 16, "lane": 2, "gifts": []},
            ],
            "turn": "hugo",
            "course": ["alder", "larch", "cedar", "birch", "pine", "fir"],
            "snowmen": [{"row": 17, "lane": 2, "card": "snowman"}],
        },
        "player": "hugo",
        "effort": "quick",
    }
    codes = {why["code"] for row in ask("suggest", body)["moves"] for why in row["reasons"]}
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
    """A plan played a carrier pigeon that the player did not have."""
    hidden = {
        "seats": [
            {"player": "anna", "lap": 1, "row": row, "lane": lane, "gifts": ["spring", "unknown"]},
            {"player": "hugo", "lap": 1, "row": 14, "lane": 1, "gifts": []},
        ],
        "turn": "anna",
        "course": ["cedar", "fir", "birch", "pine"],
    }
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
    moves = [chili, {"type": "step", "direction": "forward"}, {"type": "end"}]
    review = ask("review", {"state": start, "turns": [moves], "effort": "quick"})
    for step in review["decisions"]:
        assert step["loss"] == round(step["best_value"] - step["value"], 9)


def test_s13_a_hint_answers_with_no_magnet_that_the_player_may_not_have():
    start = state({"a": (2, 2, 1), "b": (2, 5, 1)}, gifts={"a": "rocket", "b": "?"})
    hint = ask_hint(start, "b", so_far=[{"type": "play", "gift": "rocket"}])
    assert hint["decision"] == "answer"
    assert [names_a_gift(row["move"]) for row in hint["moves"]] == [False, True, True]
    # A magnet may be better, so this is not the only choice.
    assert hint["advice"]["text"].endswith("probably best.")


FAR_AHEAD = {
    "seats": [
        {
            "player": "anna",
            "lap": 2,
            "row": 19,
            "lane": 2,
            "gifts": [
                "black-ice",
                "chili",
                "carrier-pigeon",
                "chili",
                "spring",
                "bee-sting",
                "black-ice",
                "chili",
                "carrier-pigeon",
                "bee-sting",
                "black-ice",
            ],
        },
        {"player": "hugo", "lap": 2, "row": 16, "lane": 3, "gifts": ["spring"]},
    ],
    "turn": "anna",
    "course": ["fir", "cedar", "larch", "pine", "birch", "alder"],
    "snowmen": [
        {"row": 0, "lane": 1, "card": "snowman"},
        {"row": 13, "lane": 3, "card": "snowman"},
        {"row": 28, "lane": 3, "card": "snowman"},
    ],
    "discards": ["spring", "spring", "chili", "chili", "magnet", "magnet", "magnet", "black-ice"],
}


@pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
def test_who_is_far_ahead_moves_on_although_all_shares_are_equal(effort):
    """Shares are calibrated and rounded: two players ended their turns for ever."""
    hint = ask("suggest", {"state": FAR_AHEAD, "player": "anna", "effort": effort})
    values = {row["value"] for row in hint["moves"]}
    assert hint["plan"][0]["type"] != "end"
    assert len(values) == 1
