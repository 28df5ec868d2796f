"""Reviews of played games: decisions judged like hints, and luck."""

from functools import cache
from random import Random

import pytest
from golden.turns import random_turn

from service.core.violations import OutOfTime, Overloaded, Rejected
from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import UNCACHED, SolutionCache, Solutions
from tests.games.slopecrashers.positions import ask, document, response_violations, state
from tests.games.slopecrashers.rules.test_legality import STATE
from tests.rich_requests import RICH

STEP, END = {"type": "step", "direction": "forward"}, {"type": "end"}


@cache
def played(names, seed):
    """Return the review request of a random game whose players mostly step forward."""
    start = document(state(dict.fromkeys(names), ".... .... .g.g gg.+ ...."))
    random, now, turns, over = Random(seed), start, [], False
    while not over:
        turns.append(random_turn("slopecrashers", random, now, prefer_ahead))
        resolved = ask("resolve", {"state": now, "moves": turns[-1]})
        now, over = resolved["state"], resolved["game_over"]
    return {"state": start, "turns": turns, "effort": "quick"}


def prefer_ahead(random, choices):
    ahead = [choice for choice in choices if choice == STEP]
    return ahead if ahead and random.random() < 0.8 else choices


def reviewed(body, solves=UNCACHED):
    [review] = [each for each in GAMES["slopecrashers"].endpoints if each.name == "review"]
    return execute(GAMES["slopecrashers"], review, body, RequestContext(solutions=solves))


@pytest.mark.slow
@pytest.mark.parametrize(("names", "seed"), [("ab", 1), ("ab", 2), ("abc", 3), ("abcd", 4)])
def test_luck_is_the_change_between_two_decisions(names, seed):
    body, latest = played(names, seed), {}
    review = reviewed(body).document
    for each in review["decisions"]:
        before = latest.get(each["player"])
        latest[each["player"]] = each
        if before is None:
            assert "luck" not in each
            continue
        share = each["best_value"] - before["value"]
        assert each["luck"]["share"] == pytest.approx(share, abs=1e-9)
        between = body["turns"][each["turn"]][before["action"] : each["action"]]
        if each["turn"] != before["turn"] or each["decision"] == "answer":
            source = "others"
        elif any(action["type"] in ("draw", "answer") for action in between):
            source = "draws"
        else:
            source = "search"
        assert each["luck"]["source"] == source


def test_an_unfinished_game_has_no_winner():
    review = reviewed({"state": STATE, "turns": [[END], [STEP, END]], "effort": "quick"}).document
    assert (review["game_over"], review["winners"]) == (False, [])
    last = [each for each in review["decisions"] if each["player"] == "anna"][-1]
    assert review["players"]["anna"]["end"] == last["value"]
    decided = [name for name, account in review["players"].items() if "start" in account]
    assert decided == ["anna", "hugo"]


[UNFINISHED] = RICH["slopecrashers"]["review"]["turns"]


@pytest.mark.parametrize(
    ("turns", "path", "code"),
    [
        ([UNFINISHED[:3]], "/turns/0/3", "open-draw"),
        ([UNFINISHED[:4]], "/turns/0/4", "open-decision"),
        ([UNFINISHED[:1]], "/turns/0/1", "open-decision"),
        ([[END], [STEP]], "/turns/1/1", "open-decision"),
        ([[END, END]], "/turns/0/1", "surplus"),
        ([[{"type": "step"}]], "/turns/0/0/direction", "missing"),
        ([], "/turns", "wrong-length"),
        ([[END], "x"], "/turns/1", "not-an-array"),
    ],
)
def test_violations_of_a_turn_name_their_path(turns, path, code):
    body = RICH["slopecrashers"]["review"] | {"turns": turns}
    assert response_violations("review", body) == {(path, code)}


class Failing(SolutionCache):
    """Raises an error after a number of solves."""

    def __init__(self, after, error):
        super().__init__()
        self.left, self.error = after, error

    def obtain(self, *arguments):
        if not self.left:
            raise self.error("late")
        self.left -= 1
        return super().obtain(*arguments)


@pytest.mark.parametrize("error", [OutOfTime, Overloaded])
def test_a_review_returns_the_decisions_judged_in_time(error):
    body = played("ab", 2)
    complete, part = reviewed(body), reviewed(body, Solutions(Failing(5, error)))
    assert (complete.complete, part.complete) == (True, False)
    judged = len(part.document["decisions"])
    # An error is solved once more, for its plan.
    assert 3 <= judged <= 5
    assert part.document["decisions"] == complete.document["decisions"][:judged]
    with pytest.raises(Rejected if error is OutOfTime else Overloaded):
        reviewed(body, Solutions(Failing(0, error)))
