"""Reviews of games that are none, and what is told of one when time ends."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import COMPUTED, SingleFlight, WaitList
from service.core.violations import OutOfTime, Overloaded, Rejected, Violation
from service.games.snow_time.api.review_schema import MAX_ROUNDS
from service.operations.context import RequestContext
from service.operations.dispatch import execute, parse
from service.operations.solution_cache import SolutionCache
from tests.games.snow_time.api.reviews import (
    Body,
    exact,
    game,
    positions,
    questions,
    reviewed,
    table,
    total,
)
from tests.games.snow_time.positions import (
    ENTRY,
    VERBS,
    move_documents,
    state_document,
)

# Faults ---------------------------------------------------------------------------------------

START = state_document("136hw", "24hb", "57h")
ROUND = {"dice": [1, 2], "moves": move_documents("6", "2", "7")}


def faults(*rounds: Any, state: Body = START) -> set[tuple[str, str, str | None]]:
    with pytest.raises(Rejected) as refused:
        reviewed({"state": state, "rounds": list(rounds)})
    return {(fault.path, fault.code, fault.rule) for fault in refused.value.faults}


def moved(*words: str, dice: Any = (1, 2)) -> Body:
    return {"dice": list(dice), "moves": move_documents(*words)}


@pytest.mark.parametrize(
    ("rounds", "found"),
    [
        ([moved("6", "2", "4")], {("/rounds/0/moves/c/card", "card-not-in-hand", None)}),
        (
            # The first round has spent b's blizzard.
            [moved("6", "b", "7"), moved("3", "b", "5")],
            {("/rounds/1/moves/b/card", "card-not-in-hand", None)},
        ),
        ([moved("w", "2", "7")], {("/rounds/0/moves/a/then", "open-decision", "R2")}),
        ([moved("ww", "2", "7")], {("/rounds/0/moves/a/then/card", "watcher-added", "R3")}),
        ([moved("h", "2", "7")], {("/rounds/0/moves/a/recover", "open-decision", "R4")}),
        ([moved("h:245", "2", "7")], {("/rounds/0/moves/a/recover", "illegal-recovery", "R4")}),
        ([moved("6", "2")], {("/rounds/0/moves/c", "move-missing", None)}),
        (
            [moved("6", "2", "7", "1")],
            {("/rounds/0/moves/d", "unknown-seat", None)},
        ),
        ([moved("6", "2", "7", dice=[1])], {("/rounds/0/dice", "wrong-dice", None)}),
        ([{"moves": ROUND["moves"]}], {("/rounds/0/dice", "missing", None)}),
        ([ROUND, 1], {("/rounds/1", "not-an-object", None)}),
        ([], {("/rounds", "wrong-length", None)}),
        ([ROUND] * (MAX_ROUNDS + 1), {("/rounds", "wrong-length", None)}),
        # Every fault of the first faulty round, and none of those that follow it.
        (
            [ROUND, moved("4", "w", "h", dice=[]), moved("b", "b", "b", dice=[])],
            {
                ("/rounds/1/dice", "wrong-dice", None),
                ("/rounds/1/moves/a/card", "card-not-in-hand", None),
                ("/rounds/1/moves/b/card", "card-not-in-hand", None),
                ("/rounds/1/moves/b/then", "open-decision", "R2"),
                ("/rounds/1/moves/c/recover", "open-decision", "R4"),
            },
        ),
        # But what is no round at all is told wherever it stands.
        (
            [moved("4", "2", "7"), {"dice": [7, 1], "moves": ROUND["moves"]}],
            {
                ("/rounds/0/moves/a/card", "card-not-in-hand", None),
                ("/rounds/1/dice/0", "out-of-range", None),
            },
        ),
    ],
)
def test_a_round_that_is_none_is_named(rounds: list[Any], found: set[Any]):
    assert faults(*rounds) == found


def test_faults_of_the_position_and_of_the_first_round_are_told_together():
    state = copy.deepcopy(START)
    state["seats"][1]["score"] = 31
    assert faults(moved("4", "2", "7"), moved("4", "2", "7"), state=state) == {
        ("/state/seats/1/score", "score-off-track", "R9"),
        ("/rounds/0/moves/a/card", "card-not-in-hand", None),
    }


def test_nothing_is_played_after_the_end():
    body, _ = game("three", 1)
    rounds = body["rounds"]
    assert faults(*rounds, ROUND, ROUND, state=body["state"]) == {
        (f"/rounds/{len(rounds)}", "game-over", None)
    }
    over = positions(body)[-1]
    assert ("/state", "game-over", None) in faults(ROUND, state=over)


def test_a_fault_of_the_text_is_told_with_those_of_the_round():
    twice = Violation("/tier", "duplicate-name", "It is told twice.")
    with pytest.raises(Rejected) as refused:
        parse(ENTRY, VERBS["review"], {"state": START, "rounds": [ROUND]}, (twice,))
    assert refused.value.faults == (twice,)


# Time -----------------------------------------------------------------------------------------


class Failing(SolutionCache):
    """Has no time after so many solves."""

    def __init__(self, after: int, error: type[Exception]) -> None:
        super().__init__()
        self.left, self.error = after, error

    def obtain(self, *asked: Any) -> Any:
        if not self.left:
            raise self.error("late")
        self.left -= 1
        return super().obtain(*asked)


class Counting(SolutionCache):
    """Knows how many solves were asked for."""

    count = 0

    def obtain(self, *asked: Any) -> Any:
        self.count += 1
        return super().obtain(*asked)


@pytest.mark.slow
@pytest.mark.parametrize("error", [OutOfTime, Overloaded])
def test_what_was_judged_in_time_is_told(error: type[Exception]):
    body, whole = game("three", 2)
    counting = Counting()
    reviewed(body, counting)
    seen = []
    for enough in (*range(1, 8), *range(8, counting.count, 29), counting.count - 1):
        try:
            part = reviewed(body, Failing(enough, error))
        except error:
            assert enough < 4
            continue
        told = part.document
        judged, rounds = len(told["decisions"]), len(told["rounds"])
        seen.append((judged, rounds))
        assert not part.complete
        assert told["decisions"] == whole["decisions"][:judged]
        assert told["rounds"] == whole["rounds"][:rounds]
        assert not rounds or judged == len(whole["decisions"])
        search = told["search"]
        assert (search["complete"], search["judged"]) == (False, judged)
        assert search["decisions"] == len(whole["decisions"])
        for player, account in told["players"].items():
            own = [each for each in told["decisions"] if each["player"] == player]
            assert set(account) == {"classes", "loss"}
            assert exact(account["loss"]) == total(each["loss"] for each in own)
        assert VERBS["review"].response_schema().validate(told) == {}
    assert seen == sorted(seen)
    assert 0 < seen[0][0] < len(whole["decisions"])
    assert 0 < seen[-1][1] < len(whole["rounds"])
    with pytest.raises(error):
        reviewed(body, Failing(0, error))


def test_a_solve_that_was_stopped_judges_nothing():
    """Its numbers depend on the clock."""

    class Stopped(SolutionCache):
        def obtain(self, wanted: Any, stop_at: Any) -> Any:
            found = super().obtain(wanted, stop_at)
            object.__setattr__(found.solution, "complete", False)
            return found

    with pytest.raises(OutOfTime):
        reviewed(game("three", 2)[0], Stopped())


def test_a_deadline_counts_from_receipt():
    body = game("three", 2)[0] | {"deadline_ms": 10}
    with pytest.raises(OutOfTime):
        execute(
            ENTRY,
            VERBS["review"],
            body,
            RequestContext(received=time.monotonic() - 1.0, solutions=SolutionCache()),
        )


def test_a_review_asked_again_goes_on_from_what_is_kept():
    solves = SolutionCache(SingleFlight(Cache(Memory(1 << 24)), WaitList(0)))
    body = game("three", 2)[0]
    first, again = reviewed(body, solves), reviewed(body, solves)
    assert first.cost is not None
    assert again.cost is not None
    assert (first.cost.layer, again.cost.layer) == (COMPUTED, "memory")
    assert first.cost.cost_ms > again.cost.cost_ms == 0.0
    assert first.document == again.document
    after_the_end = reviewed(body | {"deadline_ms": 10}, solves)
    assert after_the_end.complete


def test_hints_that_were_given_in_the_game_need_not_be_solved_again():
    body, told = game("three", 2)
    single_flight = SingleFlight(Cache(Memory(1 << 24)), WaitList(0))
    solves = SolutionCache(single_flight)
    for _, asked in questions(body, told):
        execute(ENTRY, VERBS["suggest"], asked, RequestContext(solutions=solves))
    layers = []

    class Watching(SolutionCache):
        def obtain(self, *asked: Any) -> Any:
            found = super().obtain(*asked)
            layers.append(found.layer)
            return found

    assert reviewed(body, Watching(single_flight)).document == told
    hits = sum(layer == "memory" for layer in layers)
    cards = {each["round"] for each in told["decisions"] if each["decision"] == "card"}
    assert hits >= len(cards)


def test_what_healers_are_asked_is_kept_apart_from_what_the_same_cards_are_worth():
    """The same position, the same cards told: two questions, whichever is solved first."""
    state = table("17h", "26h", "3h", scores=(4, 5, 3))
    moves = move_documents("h:23", "h:1", "3")
    body = {"state": state, "rounds": [{"dice": [1, 1], "moves": moves}], "tier": "quick"}
    fresh = reviewed(body).document
    assert [each["decision"] for each in fresh["decisions"]].count("healer") == 2
    solves = SolutionCache(SingleFlight(Cache(Memory(1 << 24)), WaitList(0)))
    for _, asked in questions(body, fresh):
        execute(ENTRY, VERBS["suggest"], asked, RequestContext(solutions=solves))
    assert reviewed(body, solves).document == fresh
    solves = SolutionCache(SingleFlight(Cache(Memory(1 << 24)), WaitList(0)))
    assert reviewed(body, solves).document == fresh
    for each, asked in questions(body, fresh):
        hint = execute(ENTRY, VERBS["suggest"], asked, RequestContext(solutions=solves)).document
        assert hint["grade"]["loss"] == each["loss"]
