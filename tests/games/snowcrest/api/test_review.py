"""Reviews of played games: each decision compared with a hint, skill and luck."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import pytest
from golden.snowcrest import SMALL

from service.core.chance import draw
from service.core.game import Chance
from service.core.violations import OutOfTime, Rejected
from service.games.registry import GAMES
from service.games.snowcrest.api.responses import render_action, render_state
from service.games.snowcrest.rules.payments import payments
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import State
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.operations.review_run import ReviewRun
from tests.games.snowcrest.hostile_review import hostile_review
from tests.games.snowcrest.positions import GAME, ask, response_violations, seat, table
from tests.rich_requests import RICH

ENTRY = GAMES["snowcrest"]
[REVIEW] = [endpoint for endpoint in ENTRY.endpoints if endpoint.name == "review"]
Body = dict[str, Any]


def played(start: State, seed: int, most: int) -> Body:
    """Return a review request for random turns from a state, up to a number of turns."""
    random, now, turns = Random(seed), start, []
    while not GAME.over(now) and len(turns) < most:
        play = GAME.begin(now).play
        while (node := GAME.pending(play)) is not None:
            if isinstance(node, Chance):
                play = GAME.draw(play, draw(node, random.getrandbits(53))).play
                continue
            [(player, choices)] = node.choices.items()
            play = GAME.choose(play, {player: random.choice(choices)}).play
        turns.append([render_action(action, now.catalogue) for action in play.actions])
        now = GAME.rest(play)
    body = {"state": render_state(start), "turns": turns, "effort": "quick"}
    return json.loads(json.dumps(body)) | {"deadline_ms": 30_000}


def near_the_end(players: str, seed: int) -> State:
    """Return a state of a random game shortly before its end."""
    random, now = Random(seed), set_up(players, seed)
    history = [now]
    while not GAME.over(now):
        play = GAME.begin(now).play
        while (node := GAME.pending(play)) is not None:
            if isinstance(node, Chance):
                play = GAME.draw(play, draw(node, random.getrandbits(53))).play
                continue
            [(player, choices)] = node.choices.items()
            play = GAME.choose(play, {player: random.choice(choices)}).play
        now = GAME.rest(play)
        history.append(now)
    return history[-1 - 3 * len(players)]


GAMES_PLAYED = [
    pytest.param(played(near_the_end("ab", 1), 1, 40), id="two"),
    pytest.param(played(near_the_end("abc", 2), 2, 40), id="three"),
    pytest.param(played(near_the_end("a", 3), 3, 60), id="alone"),
]


@pytest.mark.parametrize("body", GAMES_PLAYED)
def test_skill_and_luck_add_up_to_the_result(body: Body) -> None:
    """For each player, start - loss + luck = end in the rounded response."""
    response = ask("review", body)
    assert response["game_over"] or len(body["turns"]) == 40
    assert response["progress"]["done"] == response["progress"]["total"]
    assert len(response["decisions"]) <= response["progress"]["total"]
    for player, account in response["players"].items():
        if response["game_over"]:
            share = 1.0 / len(response["winners"]) if player in response["winners"] else 0.0
            assert account["end"] == share
        if "start" not in account:
            continue
        went = account["start"] - account["loss"] + sum(account["luck"].values())
        assert went == pytest.approx(account["end"], abs=1e-8)
        own = [each for each in response["decisions"] if each["player"] == player]
        assert account["start"] == own[0]["best_value"]
        assert account["loss"] == pytest.approx(sum(each["loss"] for each in own), abs=1e-9)
        assert "luck" not in own[0]


def test_c13_a_lost_solo_game_has_no_winner() -> None:
    exhausted_row = {0: "farmer!", 1: "monk!", 2: "woodcutter!", 8: "acolyte"}
    state = table(seat("a", exhausted_row, scrolls=3), solo=True, supply=7, rests=3)
    response = ask("review", {"state": state, "turns": [[{"type": "rest"}]], "effort": "quick"})
    assert response["game_over"]
    assert response["winners"] == []
    assert response["players"]["a"]["end"] == 0.0


def test_each_reviewed_decision_equals_the_hint_at_that_moment() -> None:
    """The hint sees what the player saw, and grades the actual choice."""
    body = GAMES_PLAYED[0].values[0]
    response = ask("review", body)
    first = response["decisions"][0]
    state = body["state"]
    for number, moves in enumerate(body["turns"][: first["turn"]]):
        state = ask("resolve", {"state": state, "moves": moves, "seed": number})["state"]
    question = {
        "state": state,
        "player": first["player"],
        "so_far": body["turns"][first["turn"]][: first["action"]],
        "chosen": first["move"],
        "effort": "quick",
    }
    hint = ask("suggest", question)
    assert hint["grade"]["loss"] == first["loss"]
    assert hint["grade"]["class"] == first["class"]
    assert hint["moves"][0]["move"] == first["best"]
    assert hint["win_shares"][first["player"]] == first["best_value"]


def test_c4_a_legal_unlisted_payment_is_reviewed() -> None:
    start = json.loads(json.dumps(RICH["snowcrest"]["review"]["state"]))
    start["seats"][0]["tokens"] = {"barley": 3, "gold": 1}
    turn = [
        {"type": "play", "card": "guide", "cell": 1},
        {"type": "pay", "payment": {"tokens": {"gold": 1}}},
        {"type": "gain", "resource": "bowl"},
        {"type": "gain", "resource": "bowl"},
        {"type": "draw", "card": "miller"},
    ]
    response = ask("review", {"state": start, "turns": [turn], "effort": "quick"})
    assert response["decisions"][1]["move"] == turn[1]
    assert response["decisions"][1]["loss"] > 0.0


def test_a_game_with_a_custom_catalogue_is_reviewed() -> None:
    body = {"seats": [{"player": "a"}, {"player": "b"}], "seed": 8, "catalogue": SMALL}
    state = ask("new", body)["state"]
    so_far: list[Body] = []
    while (due := ask("legal-moves", {"state": state, "so_far": so_far}))["decision"] != "none":
        [choices] = due["moves"].values()
        so_far.append(choices[0])
    response = ask("review", {"state": state, "turns": [so_far], "effort": "quick"})
    assert response["search"]["complete"]


def test_a_turn_after_the_end_is_rejected() -> None:
    body = GAMES_PLAYED[0].values[0]
    again = body | {"turns": [*body["turns"], body["turns"][-1]]}
    assert response_violations("review", again) == {(f"/turns/{len(body['turns'])}", "game-over")}


def test_an_incomplete_turn_is_rejected() -> None:
    body = RICH["snowcrest"]["review"]
    short = body | {"turns": [body["turns"][0][:2]]}
    [(path, _)] = response_violations("review", short)
    assert path.startswith("/turns/0/")


def test_a_review_without_time_states_a_sufficient_deadline() -> None:
    body = json.loads(json.dumps(RICH["snowcrest"]["review"])) | {"deadline_ms": 10}
    with pytest.raises(Rejected) as rejected:
        execute(ENTRY, REVIEW, body, RequestContext(received=time.monotonic() - 1.0))
    [violation] = rejected.value.violations
    assert (violation.path, violation.code) == ("/deadline_ms", "deadline-too-short")
    assert "Send `deadline_ms` of at least 5000" in violation.detail


# Hostile reviews ------------------------------------------------------------------------------


def test_the_replay_of_a_game_lists_no_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 144 payments could be made in more ways than a search can list."""
    searches = []
    search = payments._Search

    def counted(*arguments: Any) -> Any:
        searches.append(arguments)
        return search(*arguments)

    monkeypatch.setattr(payments, "_Search", counted)
    body = hostile_review()
    parsed = REVIEW.parse(body, [], lambda: None)
    assert len(parsed.decisions) > 150
    assert searches == []


def test_a_search_for_payments_has_few_steps() -> None:
    body = hostile_review()
    [start] = REVIEW.parse(body | {"turns": body["turns"][:1]}, [], lambda: None).decisions[1:2]
    turn = start.question.play
    search = payments._Search(turn.state, 0, turn.task.cost, turn.acting_cell)
    assert len(list(search.minimal())) <= payments.MAX_LISTED
    assert search._steps <= payments.MAX_SEARCH_STEPS + 1


@pytest.mark.parametrize("steps", [0, 1, 40])
def test_the_replay_stops_at_the_deadline(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def check(run: ReviewRun) -> None:
        calls.append(run)
        if len(calls) > steps:
            raise OutOfTime

    monkeypatch.setattr(ReviewRun, "check", check)
    with pytest.raises(Rejected) as rejected:
        ask("review", hostile_review())
    assert rejected.value.code == "deadline-too-short"
    assert len(calls) == steps + 1
