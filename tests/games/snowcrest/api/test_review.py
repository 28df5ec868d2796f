"""Reviews of played games: each decision compared with a hint, skill and luck."""

from __future__ import annotations

import json
from typing import Any

import pytest
from golden.snowcrest import SMALL

from service.core.violations import OutOfTime, Rejected
from service.games.registry import GAMES
from service.games.snowcrest.rules.payments import payments
from service.operations.review_run import ReviewRun
from tests.games.snowcrest.hostile_review import hostile_review
from tests.games.snowcrest.positions import ask, seat, table
from tests.rich_requests import RICH

ENTRY = GAMES["snowcrest"]
[REVIEW] = [endpoint for endpoint in ENTRY.endpoints if endpoint.name == "review"]
Body = dict[str, Any]


def test_c13_a_lost_solo_game_has_no_winner() -> None:
    exhausted_row = {0: "farmer!", 1: "monk!", 2: "woodcutter!", 8: "acolyte"}
    state = table(seat("a", exhausted_row, scrolls=3), solo=True, supply=7, rests=3)
    response = ask("review", {"state": state, "turns": [[{"type": "rest"}]], "effort": "quick"})
    assert response["game_over"]
    assert response["winners"] == []
    assert response["players"]["a"]["end"] == 0.0


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
