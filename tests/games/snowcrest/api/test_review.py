"""Reviews of played games: each decision compared with a hint, skill and luck."""

import copy
from random import Random
from unittest.mock import Mock

import pytest
from golden.snowcrest import SMALL
from golden.turns import random_turn

from service.core.violations import OutOfTime, Rejected
from service.games.registry import GAMES
from service.games.snowcrest.rules.payments import payments
from service.operations.review_run import ReviewRun
from tests.games.snowcrest.hostile_review import hostile_review
from tests.games.snowcrest.positions import ask, draw, pay, play_card, seat, table
from tests.rich_requests import RICH

[REVIEW] = [endpoint for endpoint in GAMES["snowcrest"].endpoints if endpoint.name == "review"]


def test_c13_a_lost_solo_game_has_no_winner() -> None:
    exhausted_row = {0: "farmer!", 1: "monk!", 2: "woodcutter!", 8: "acolyte"}
    state = table(seat("a", exhausted_row, scrolls=3), solo=True, supply=7, rests=3)
    response = ask("review", {"state": state, "turns": [[{"type": "rest"}]], "effort": "quick"})
    assert response["game_over"]
    assert response["winners"] == []
    assert response["players"]["a"]["end"] == 0.0


def test_c4_a_legal_unlisted_payment_is_reviewed() -> None:
    start = copy.deepcopy(RICH["snowcrest"]["review"]["state"])
    start["seats"][0]["tokens"] = {"barley": 3, "gold": 1}
    gold, bowl = pay(tokens={"gold": 1}), {"type": "gain", "resource": "bowl"}
    turn = [play_card("guide", 1), gold, bowl, bowl, draw("miller")]
    response = ask("review", {"state": start, "turns": [turn], "effort": "quick"})
    assert response["decisions"][1]["move"] == gold
    assert response["decisions"][1]["loss"] > 0.0


def test_a_game_with_a_custom_catalogue_is_reviewed() -> None:
    body = {"seats": [{"player": "a"}, {"player": "b"}], "seed": 8, "catalogue": SMALL}
    state = ask("new", body)["state"]
    turns = [random_turn("snowcrest", Random(1), state)]
    response = ask("review", {"state": state, "turns": turns, "effort": "quick"})
    assert response["search"]["complete"]


# Hostile reviews ------------------------------------------------------------------------------


def test_the_replay_of_a_game_lists_no_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 144 payments could be made in more ways than a search can list."""
    searches = Mock(wraps=payments._Search)
    monkeypatch.setattr(payments, "_Search", searches)
    parsed = REVIEW.parse(hostile_review(), [], lambda: None)
    assert len(parsed.decisions) > 150
    assert not searches.called


def test_a_search_for_payments_has_few_steps() -> None:
    turn = REVIEW.parse(hostile_review(1), [], lambda: None).decisions[1].question.play
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
