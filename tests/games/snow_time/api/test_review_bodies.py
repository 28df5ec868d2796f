"""Reviews of invalid games, and partial reviews if time runs out."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from service.core.violations import OutOfTime, Overloaded, Rejected, Violation
from service.games.snow_time.api.review_schema import MAX_ROUNDS
from service.operations.context import RequestContext
from service.operations.dispatch import execute, parse
from service.operations.solution_cache import SolutionCache, Solutions
from tests.games.snow_time.api.reviews import (
    Body,
    exact,
    game,
    one_round,
    positions,
    questions,
    reviewed,
    table,
    total,
)
from tests.games.snow_time.positions import (
    DEFINITION,
    ENDPOINTS,
    ask,
    move_documents,
    state_document,
)
from tests.operations.caches import cached_solutions, single_flight

# Violations ----------------------------------------------------------------------------------

START = state_document("136hw", "24hb", "57h")
ROUND = {"dice": [1, 2], "moves": move_documents("6", "2", "7")}


def violations_of(*rounds: Any, state: Body = START) -> set[tuple[str, str, str | None]]:
    with pytest.raises(Rejected) as rejected:
        reviewed({"state": state, "rounds": list(rounds)})
    return {
        (violation.path, violation.code, violation.rule) for violation in rejected.value.violations
    }


def moved(*words: str, dice: Any = (1, 2)) -> Body:
    return {"dice": list(dice), "moves": move_documents(*words)}


@pytest.mark.parametrize(
    ("rounds", "path", "code"),
    [
        ([moved("6", "2", "4")], "/0/moves/c/card", "card-not-in-hand"),
        # The first round has spent b's blizzard.
        ([moved("6", "b", "7"), moved("3", "b", "5")], "/1/moves/b/card", "card-not-in-hand"),
        ([moved("w", "2", "7")], "/0/moves/a/then", "open-decision R2"),
        ([moved("ww", "2", "7")], "/0/moves/a/then/card", "watcher-added R3"),
        ([moved("h", "2", "7")], "/0/moves/a/recover", "open-decision R4"),
        ([moved("h:245", "2", "7")], "/0/moves/a/recover", "illegal-recovery R4"),
        ([moved("6", "2")], "/0/moves/c", "move-missing"),
        ([moved("6", "2", "7", "1")], "/0/moves/d", "unknown-seat"),
        ([moved("6", "2", "7", dice=[1])], "/0/dice", "wrong-dice"),
        ([{"moves": ROUND["moves"]}], "/0/dice", "missing"),
        ([ROUND, 1], "/1", "not-an-object"),
        ([], "", "wrong-length"),
        ([ROUND] * (MAX_ROUNDS + 1), "", "wrong-length"),
    ],
)
def test_an_invalid_round_is_named_by_its_violation(rounds: list[Any], path: str, code: str):
    name, _, rule = code.partition(" ")
    assert violations_of(*rounds) == {("/rounds" + path, name, rule or None)}


def test_all_violations_of_the_first_invalid_round_are_reported_and_none_of_later_ones():
    rounds = ROUND, moved("4", "w", "h", dice=[]), moved("b", "b", "b", dice=[])
    assert violations_of(*rounds) == {
        ("/rounds/1/dice", "wrong-dice", None),
        ("/rounds/1/moves/a/card", "card-not-in-hand", None),
        ("/rounds/1/moves/b/card", "card-not-in-hand", None),
        ("/rounds/1/moves/b/then", "open-decision", "R2"),
        ("/rounds/1/moves/c/recover", "open-decision", "R4"),
    }
    # The shape of every round is checked, and the position of the game.
    state = copy.deepcopy(START)
    state["seats"][1]["score"] = 31
    rounds = moved("4", "2", "7"), moved("4", "2", "7", dice=[7, 1])
    assert violations_of(*rounds, state=state) == {
        ("/state/seats/1/score", "score-off-track", "R9"),
        ("/rounds/0/moves/a/card", "card-not-in-hand", None),
        ("/rounds/1/dice/0", "out-of-range", None),
    }


def test_entries_of_a_history_are_rounds_of_a_review():
    body, _ = game("three", 1)
    now, entries = body["state"], []
    for played in body["rounds"]:
        grown = ask("grow", {"state": now, "dice": played["dice"]})["state"]
        entries.append({"state": grown, "moves": played["moves"]})
        now = ask("resolve", entries[-1])["state"]
    both = [entry | played for entry, played in zip(entries, body["rounds"], strict=True)]
    expected = reviewed(body).document
    assert reviewed(body | {"rounds": entries}).document == expected
    assert reviewed(body | {"rounds": both}).document == expected


GROWN = START | {"fruit": [1, 1, 0, 0, 0, 0]}


RICHER = [START["seats"][0] | {"score": 3}, *START["seats"][1:]]


@pytest.mark.parametrize(
    ("entry", "compared"),
    [
        ({"state": GROWN | {"fruit": [1, 0, 0, 0, 0, 0]}}, "`fruit`"),
        ({"state": GROWN | {"fruit": [1, 1, 1, 0, 0, 0]}}, "`fruit`"),
        ({"state": GROWN, "dice": [2, 3]}, "`dice`"),
        ({"state": GROWN | {"track": {"length": 40, "bonuses": []}}}, "`track`"),
        ({"state": GROWN | {"seats": RICHER}}, "seat a"),
    ],
)
def test_a_position_that_does_not_follow_is_refused(entry: Body, compared: str):
    with pytest.raises(Rejected) as rejected:
        reviewed({"state": START, "rounds": [entry | {"moves": ROUND["moves"]}]})
    [violation] = rejected.value.violations
    assert (violation.path, violation.code) == ("/rounds/0/state", "wrong-position")
    assert violation.detail.endswith(f"compare {compared}.")


def test_rounds_after_the_end_are_rejected():
    body, _ = game("three", 1)
    rounds = body["rounds"]
    assert violations_of(*rounds, ROUND, ROUND, state=body["state"]) == {
        (f"/rounds/{len(rounds)}", "game-over", None)
    }
    over = positions(body)[-1]
    assert ("/state", "game-over", None) in violations_of(ROUND, state=over)


def test_violations_of_the_text_are_reported_with_those_of_the_round():
    twice = Violation("/effort", "duplicate-name", "The name appears twice.")
    body = {"state": START, "rounds": [ROUND]}
    review = parse(DEFINITION, ENDPOINTS["review"], body, (twice,))
    with pytest.raises(Rejected) as rejected:
        review(RequestContext())
    assert rejected.value.violations == (twice,)


# Deadlines and caching -----------------------------------------------------------------------


class Failing(SolutionCache):
    """Raises an error after a number of solves."""

    def __init__(self, after: int, error: type[Exception]) -> None:
        super().__init__()
        self.left, self.error = after, error

    def obtain(self, *asked: Any) -> Any:
        if not self.left:
            raise self.error("late")
        self.left -= 1
        return super().obtain(*asked)


class Counting(SolutionCache):
    """Counts the requested solves."""

    count = 0

    def obtain(self, *asked: Any) -> Any:
        self.count += 1
        return super().obtain(*asked)


@pytest.mark.slow
@pytest.mark.parametrize("error", [OutOfTime, Overloaded])
def test_decisions_judged_before_the_deadline_are_returned(error: type[Exception]):
    body, whole = game("three", 2)
    counting = Counting()
    reviewed(body, Solutions(counting))
    seen = []
    for enough in (*range(1, 8), *range(8, counting.count, 29), counting.count - 1):
        part = reviewed(body, Solutions(Failing(enough, error)))
        review = part.document
        judged, rounds = len(review["decisions"]), len(review["rounds"])
        progress = review["progress"]
        seen.append((judged, rounds, progress["done"]))
        # A prediction is one step and needs further solutions.
        assert enough <= progress["done"] or len(review["rounds"]) == len(whole["rounds"])
        assert progress["done"] < progress["total"] == whole["progress"]["total"]
        assert not part.complete
        assert review["decisions"] == whole["decisions"][:judged]
        assert review["rounds"] == whole["rounds"][:rounds]
        assert not rounds or judged == len(whole["decisions"])
        search = review["search"]
        assert search["complete"] is False
        for player, account in review["players"].items():
            own = [each for each in review["decisions"] if each["player"] == player]
            assert set(account) - {"habits"} == {"classes", "loss"}
            assert exact(account["loss"]) == total(each["loss"] for each in own)
        assert ENDPOINTS["review"].response_schema().validate(review) == {}
    assert seen == sorted(seen)
    assert seen[0][0] < len(whole["decisions"])
    assert {rounds for _, rounds, _ in seen} > {0, len(whole["rounds"])}
    with pytest.raises(Rejected if error is OutOfTime else Overloaded):
        reviewed(body, Solutions(Failing(0, error)))


def test_an_incomplete_solve_does_not_judge_a_decision():
    """The numbers of an incomplete solve depend on the clock."""

    class Stopped(SolutionCache):
        def obtain(self, *asked: Any) -> Any:
            cached = super().obtain(*asked)
            object.__setattr__(cached.solution, "complete", False)
            return cached

    with pytest.raises(Rejected) as rejected:
        reviewed(game("three", 2)[0], Solutions(Stopped()))
    assert rejected.value.code == "deadline-too-short"


def test_a_review_reuses_the_solutions_of_earlier_hints():
    body, review = game("three", 2)
    flight = single_flight()
    solves = Solutions(SolutionCache(flight))
    hints(body, review, solves)
    layers = []

    class Watching(SolutionCache):
        def obtain(self, *asked: Any) -> Any:
            cached = super().obtain(*asked)
            layers.append(cached.layer)
            return cached

    assert reviewed(body, Solutions(Watching(flight))).document == review
    hits = sum(layer == "memory" for layer in layers)
    cards = {each["round"] for each in review["decisions"] if each["decision"] == "card"}
    assert hits >= len(cards)


def test_the_healer_decision_and_the_value_of_the_same_cards_have_separate_cache_keys():
    """The same position and revealed cards give two questions; their order does not matter."""
    body = one_round(table("17h", "26h", "3h", scores=(4, 5, 3)), "h:23", "h:1", "3")
    fresh = reviewed(body).document
    assert [each["decision"] for each in fresh["decisions"]].count("healer") == 2
    asked_first, reviewed_first = cached_solutions(), cached_solutions()
    hints(body, fresh, asked_first)
    for solves in (asked_first, reviewed_first):
        assert reviewed(body, solves).document == fresh
    losses = [hint["grade"]["loss"] for hint in hints(body, fresh, reviewed_first)]
    assert losses == [each["loss"] for each in fresh["decisions"]]


def hints(body: Body, review: Body, solves: Solutions) -> list[Body]:
    """Return the hint for each decision of a review."""
    context = RequestContext(solutions=solves)
    suggest = ENDPOINTS["suggest"]
    return [
        execute(DEFINITION, suggest, asked, context).document
        for _, asked in questions(body, review)
    ]
