"""Hints: what they can see, what they find, what they refuse, and what their numbers add up to."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from service.core.sequential import TurnQuestion
from service.core.violations import OutOfTime
from service.games.registry import GAMES
from service.games.slopecrashers.api.responses import render_new
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import board, evaluation_arguments, pack_turn
from service.games.slopecrashers.engine.turn_tree import TURN_BUDGETS, SlopecrashersTurns
from service.operations import catalogue
from tests.games.slopecrashers.positions import GAME, PLAIN, ask, follow_turn, state
from tests.games.slopecrashers.rules.test_legality import STATE, changed, faults

ROCKET = {"type": "play", "gift": "rocket", "card": "rocket"}


def document(start):
    own = render_new(start)["state"]
    own["pieces"] = {
        piece.name: [[field.label for field in row] for row in piece.rows]
        for piece in start.course.pieces
    }
    return own


def ask_hint(start, player, **more):
    return ask("suggest", {"state": document(start), "player": player, **more})


def ask_about():
    return catalogue.game(GAMES["slopecrashers"])


def test_the_numbers_of_a_hint_add_up():
    told = ask("suggest", {"state": STATE, "player": "anna"})
    values = [each["value"] for each in told["moves"]]
    assert values[0] == max(values)
    assert [each["loss"] for each in told["moves"]] == pytest.approx(
        [values[0] - value for value in values], abs=1e-9
    )
    assert told["best"] == told["pick"] == told["moves"][0]["move"]
    assert [each["probability"] for each in told["moves"]] == [1.0] + [0.0] * (len(values) - 1)
    assert sum(told["win_shares"].values()) == pytest.approx(1.0, abs=1e-9)
    assert told["win_shares"]["anna"] == values[0]
    assert told["expected_values"] == told["win_shares"]
    assert set(told["win_shares"]) == {"anna", "hugo", "nina", "vincent"}


def test_every_legal_atom_is_valued_once():
    told = ask("suggest", {"state": STATE, "player": "anna"})
    listed = ask("legal-moves", {"state": STATE})["moves"]["anna"]
    assert sorted(json.dumps(each["move"]) for each in told["moves"]) == sorted(
        json.dumps(atom) for atom in listed
    )


def test_what_the_asker_cannot_see_is_of_no_account():
    """S15: two states that look alike to the player get the same bytes."""
    told = set()
    for others in (["magnet"], ["rocket"], ["unknown"], ["chili"]):
        seen = changed(("seats 1 gifts", others), ("seats 2 gifts", others * 2))
        told.add(json.dumps(ask("suggest", {"state": seen, "player": "anna"})))
    assert len(told) == 1


def test_what_others_draw_is_of_no_account():
    """b is asked by a rocket of a's; what a drew before it, b did not see."""
    drawing = "\n".join(["...."] * 4 + [".g..", "...."])
    start = state({"a": (0, 1), "b": (4, 1)}, drawing, gifts={"b": "magnet"})
    told = set()
    for card in ("chili", "spring", "unknown"):
        so_far = [{"type": "step", "direction": "forward"}, {"type": "draw", "card": card}]
        told.add(json.dumps(ask_hint(start, "a", so_far=so_far)))
    assert len(told) == 3, "one's own draw is seen"
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
    assert len(answers) == 1, "another's draw is not"


def test_who_can_win_does():
    start = state({"a": (2, 6, 1), "b": (2, 7, 2), "c": (2, 7, 0)}, gifts={"a": "rocket"})
    told = ask_hint(start, "a")
    assert told["best"]["type"] == "step"
    assert told["moves"][0]["value"] == 1.0
    assert told["win_shares"] == {"a": 1.0, "b": 0.0, "c": 0.0}


def test_a_spring_over_the_line_wins():
    start = state({"a": (2, 6, 1), "b": (2, 7, 2)}, stung="a", gifts={"a": "magnet spring"})
    told = ask_hint(start, "a", chosen={"type": "discard"})
    assert told["moves"][0]["value"] == 1.0
    assert told["grade"]["loss"] == 0.0
    lost = state({"a": (2, 6, 1), "b": (2, 7, 2)}, stung="a", gifts={"a": "magnet"})
    assert ask_hint(lost, "a")["moves"][0]["value"] < 1.0


def test_who_is_about_to_lose_stops_the_one_ahead():
    """b would win in the next turn: the rocket is the only hope."""
    start = state({"a": (2, 3, 1), "b": (2, 7, 1)}, gifts={"a": "rocket"})
    told = ask_hint(start, "a")
    assert told["best"]["type"] in ("play", "step")
    best = next(each for each in told["moves"] if each["move"]["type"] == "play")
    ended = next(each for each in told["moves"] if each["move"]["type"] == "end")
    assert best["value"] > 0.01 > ended["value"]


def test_a_magnet_answers_a_rocket():
    start = state({"a": (2, 2, 1), "b": (2, 5, 1)}, gifts={"a": "rocket", "b": "magnet"})
    told = ask_hint(start, "b", so_far=[{"type": "play", "gift": "rocket"}])
    assert told["decision"] == "answer"
    assert told["best"] == {"type": "answer", "player": "b", "card": "magnet", "magnet": True}
    assert len(told["moves"]) == 2


def test_the_first_turn_begins_with_a_hint_for_the_placing():
    start = ask("new", {"seats": [{"player": "a"}, {"player": "b"}], "seed": 4})["state"]
    told = ask("suggest", {"state": start, "player": "a"})
    assert told["decision"] == "place"
    assert [each["move"]["type"] for each in told["moves"]] == ["place"] * 4


def test_a_choice_is_graded():
    classes = []
    for atom in (ROCKET, {"type": "step", "direction": "right"}, {"type": "end"}):
        told = ask("suggest", {"state": STATE, "player": "anna", "chosen": atom})
        [loss] = [each["loss"] for each in told["moves"] if each["move"] == atom]
        assert (told["grade"]["move"], told["grade"]["loss"]) == (atom, loss)
        classes.append((loss, told["grade"]["class"]))
    limits = ask_about()["grades"]["limits"]["win"]
    for loss, class_ in classes:
        within = [name for name, limit in limits.items() if loss <= limit]
        assert class_ == (within[0] if within else "blunder")


def test_a_choice_that_is_none_is_refused():
    for chosen, found in (
        ({"type": "place", "lane": 1}, {("/chosen/type", "wrong-moment")}),
        ({"type": "step"}, {("/chosen/direction", "missing")}),
    ):
        body = {"state": STATE, "player": "anna", "chosen": chosen}
        assert faults("suggest", body) == found


def test_who_has_nothing_to_decide_is_told_so():
    body = {"state": STATE, "player": "hugo"}
    assert faults("suggest", body) == {("/player", "nothing-to-decide")}
    assert faults("suggest", {"state": STATE, "player": "otto"}) == {("/player", "unknown-player")}
    over = changed(("winner", "vincent"))
    assert faults("suggest", {"state": over, "player": "anna"}) == {("/state", "game-over")}


def test_a_deadline_that_has_passed_leaves_nothing_to_tell(monkeypatch):
    monkeypatch.setattr(
        "service.solver.search.turn_expectimax.time", SimpleNamespace(monotonic=lambda: 1e12)
    )
    with pytest.raises(OutOfTime):
        ask("suggest", {"state": STATE, "player": "anna", "deadline_ms": 10})


@pytest.mark.slow
def test_a_deadline_that_passes_on_the_way_leaves_what_was_finished(monkeypatch):
    body = {"state": STATE, "player": "anna", "deadline_ms": 30_000, "effort": "deep"}
    whole = ask("suggest", body)
    calls = []
    counted = SimpleNamespace(monotonic=lambda: calls.append(1) or 0.0)
    monkeypatch.setattr("service.solver.search.turn_expectimax.time", counted)
    narrowest = replace(TURN_BUDGETS["deep"], breadths=TURN_BUDGETS["deep"].breadths[:1])
    monkeypatch.setitem(TURN_BUDGETS, "quick", narrowest)
    ask("suggest", body | {"effort": "quick"})
    clock = iter([0.0] * len(calls))
    late = SimpleNamespace(monotonic=lambda: next(clock, 1e12))
    monkeypatch.setattr("service.solver.search.turn_expectimax.time", late)
    told = ask("suggest", body)
    assert whole["search"]["complete"]
    assert not told["search"]["complete"]
    assert len(told["moves"]) == len(whole["moves"])


@pytest.mark.slow
@pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
def test_every_tier_answers_and_tells_what_it_did(tier):
    told = ask("suggest", {"state": STATE, "player": "anna", "effort": tier})
    search = told["search"]
    assert search["effort"] == tier
    assert search["complete"]
    assert not search["exact"]
    # One gift of eleven kinds is hidden; where there are two, a sample of deals is looked at.
    bare = ("seats 0 gifts", [])
    told = ask("suggest", {"state": changed(bare), "player": "anna", "effort": tier})
    assert told["search"]["determinizations"] == 11
    hidden = changed(bare, ("seats 2 gifts", ["unknown"]))
    told = ask("suggest", {"state": hidden, "player": "anna", "effort": tier})
    assert told["search"]["determinizations"] == {"quick": 2, "standard": 2, "deep": 8}[tier]
    assert all(each["error"] >= 0.0 for each in told["moves"])
    assert any(each["error"] > 0.0 for each in told["moves"])


def test_nothing_is_dealt_where_nothing_is_hidden():
    start = state({"a": (3, 1), "b": (4, 2)}, PLAIN, gifts={"a": "chili"})
    told = ask_hint(start, "a")
    assert told["search"]["determinizations"] == 1
    assert {each["error"] for each in told["moves"]} == {0.0}


# A snowman behind a narrow place: whoever passes it first misses a turn.
NARROW = "\n".join(["...."] * 6 + ["##.."] + ["##.#"] + ["...."] * 4)
CROWD = {"a": (3, 2), "b": (4, 2), "c": (3, 1), "d": (2, 2)}


def test_whoever_is_foremost_goes_first_where_all_would_wait():
    start = state(CROWD, NARROW, turn="b", snowmen=((5, 2),))
    told = ask_hint(start, "b")
    value = {each["move"]["type"]: each["value"] for each in told["moves"]}
    assert told["best"]["type"] == "step"
    assert value["end"] <= value["step"]


def test_a_game_among_followers_of_the_hints_ends():
    now = document(state(CROWD, NARROW, turn="a", snowmen=((5, 2),)))
    for _ in range(60):
        turn = []
        while (due := ask("legal-moves", {"state": now, "so_far": turn}))["decision"] != "none":
            if due["decision"] == "draw":
                turn.append({"type": "draw", "card": due["draw"][0]["card"]})
                continue
            [player] = due["moves"]
            hint = {"state": now, "so_far": turn, "player": player, "effort": "quick"}
            turn.append(ask("suggest", hint)["best"])
        resolved = ask("resolve", {"state": now, "moves": turn})
        if resolved["game_over"]:
            break
        now = resolved["state"]
    assert resolved["game_over"]


def test_one_place_is_judged_by_how_it_was_reached():
    """Who has got on in this turn may end it; who has only stepped aside would wait."""
    keys = []
    for aside, first in (("f", (2, 1)), ("l", (3, 2))):
        play = follow_turn(state({"a": first, "b": (2, 3)}), aside).play
        question = TurnQuestion(play, GAME.pending(play), "a", "quick", None, None)
        assert play.place == (1, 3, 1)
        vector = pack_turn(play, board(play.state.course, play.state.deck))
        keys.append((vector.tobytes(), SlopecrashersTurns().position_key(question)))
    assert keys[0][0] == keys[1][0]
    assert keys[0][1] != keys[1][1]


def test_names_do_not_matter():
    renamed = json.loads(
        json.dumps(STATE).replace("anna", "z").replace("hugo", "y").replace("nina", "x")
    )
    told = ask("suggest", {"state": STATE, "player": "anna"})
    other = ask("suggest", {"state": renamed, "player": "z"})
    assert [each["value"] for each in told["moves"]] == [each["value"] for each in other["moves"]]


def test_the_hint_for_a_turn_is_a_turn_that_can_be_played():
    """Atom by atom, as a person at the table would ask."""
    start = state({"a": (3, 1), "b": (4, 2), "c": (2, 0)}, PLAIN, gifts={"a": "chili spring"})
    so_far = []
    for _ in range(12):
        told = ask_hint(start, "a", so_far=so_far, tier="quick")
        so_far.append(told["best"])
        if told["best"]["type"] == "end":
            break
    answered = ask("resolve", {"state": document(start), "moves": so_far})
    assert answered["state"]["turn"] == "b"
    reached = answered["state"]["seats"][0]
    assert (reached["lap"], reached["row"]) >= (1, 5)


def test_whoever_decides_in_the_middle_of_a_turn_gets_a_hint():
    """What others have is not to be judged anew by what the asker can see."""
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


def test_a_win_at_once_is_worth_more_than_a_sure_one_in_the_next_turn():
    """Nobody is anywhere near; the spring over the line is among the last choices in order."""
    start = state({"a": (2, 7, 1), "b": (1, 0, 2)}, gifts={"a": "spring"})
    told = ask_hint(start, "a")
    assert told["moves"][0]["value"] == 1.0
    worth = [each["value"] for each in told["moves"]]
    assert worth.count(1.0) >= 2
    [waiting] = [each for each in told["moves"] if each["move"] == {"type": "end"}]
    assert 0.99 < waiting["value"] < 1.0


def test_a_sting_counts_for_whoever_moves_next():
    """Without the magnet, b's own next turn would begin with one movement."""
    start = state({"a": (2, 1), "b": (4, 2)}, gifts={"a": "bee-sting", "b": "magnet"})
    told = ask_hint(start, "b", so_far=[{"type": "play", "gift": "bee-sting"}])
    worth = {each["move"]["magnet"]: each["value"] for each in told["moves"]}
    free = state({"a": (2, 1), "b": (4, 2)})
    stung = state({"a": (2, 1), "b": (4, 2)}, stung="b", turn="b")
    shares = {}
    for name, position in (("free", free), ("stung", stung)):
        seen = board(position.course, position.deck)
        vector = pack_turn(GAME.begin(position).play, seen)
        vector[at.TURN] = 1
        out = np.empty(2)
        search.shares(vector, *evaluation_arguments(seen, default_evaluator())[2:], out)
        shares[name] = out[1]
    assert shares["stung"] < shares["free"]
    assert set(worth) == {True, False}


def test_a_stack_deeper_than_what_is_packed_does_no_harm():
    many = " ".join(["rocket"] * 5 + ["magnet"] * 5 + ["spring"])
    start = state({"a": (1, 0), "b": (2, 0)}, stung="a", gifts={"a": many})
    told = ask_hint(start, "a", tier="quick")
    assert {"type": "step", "direction": "forward"} in [each["move"] for each in told["moves"]]


def test_the_depths_of_a_stack_tell_questions_apart():
    top = " ".join(["rocket"] * 5 + ["magnet"] * 5)
    keys = set()
    for rest in ("chili bee-sting", "bee-sting chili"):
        start = state({"a": (3, 0), "b": (5, 0)}, gifts={"a": f"{top} {rest}"})
        play_ = GAME.begin(start).play
        asked = TurnQuestion(play_, GAME.pending(play_), "a", "quick", None, None)
        keys.add(SlopecrashersTurns().position_key(asked))
    assert len(keys) == 2


def test_a_choice_of_somebody_else_is_refused():
    start = state({"a": (2, 1), "b": (4, 1)}, gifts={"a": "rocket", "b": "magnet"})
    body = {
        "state": document(start),
        "player": "b",
        "so_far": [{"type": "play", "gift": "rocket"}],
        "chosen": {"type": "answer", "player": "a", "magnet": True},
    }
    assert faults("suggest", body) == {("/chosen/player", "not-deciding")}
