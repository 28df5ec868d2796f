"""Reviews of played games: decisions judged like hints, and luck."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from service.core.chance import draw
from service.core.game import Chance
from service.core.violations import OutOfTime, Overloaded, Rejected
from service.games.registry import GAMES
from service.games.slopecrashers.api.responses import render_action, render_new
from service.games.slopecrashers.rules.state import State
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import UNCACHED, SolutionCache, Solutions
from tests.games.slopecrashers.positions import GAME, state
from tests.games.slopecrashers.rules.test_legality import STATE, changed, response_violations
from tests.rich_requests import RICH

DEFINITION = GAMES["slopecrashers"]
[REVIEW] = [endpoint for endpoint in DEFINITION.endpoints if endpoint.name == "review"]
Body = dict[str, Any]
STEP, END = {"type": "step", "direction": "forward"}, {"type": "end"}


def played(start: State, seed: int) -> Body:
    """Return the review request of a random game whose players mostly step forward."""
    random, now, turns = Random(seed), start, []
    while now.winner is None:
        play = GAME.begin(now).play
        while (node := GAME.pending(play)) is not None:
            if isinstance(node, Chance):
                play = GAME.draw(play, draw(node, random.getrandbits(53))).play
                continue
            [(player, choices)] = node.choices.items()
            ahead = [action for action in choices if render_action(action) == STEP]
            chosen = ahead[0] if ahead and random.random() < 0.8 else random.choice(choices)
            play = GAME.choose(play, {player: chosen}).play
        turns.append([render_action(action) for action in play.actions])
        now = GAME.rest(play)
    body = {"state": render_new(start)["state"], "turns": turns, "effort": "quick"}
    body["state"]["pieces"] = {
        piece.name: [[field.label for field in row] for row in piece.rows]
        for piece in start.course.pieces
    }
    return json.loads(json.dumps(body))


def reviewed(body: Body, solves: Solutions = UNCACHED) -> OperationResponse:
    return execute(DEFINITION, REVIEW, body, RequestContext(solutions=solves))


FIELD = "\n".join(["...."] * 2 + [".g.g", "gg.+", "...."])
GAMES_PLAYED = [
    pytest.param(played(state(dict.fromkeys(names), FIELD), seed), id=f"{names}-{seed}")
    for names, seed in (("ab", 1), ("ab", 2), ("abc", 3), ("abcd", 4))
]


@pytest.mark.slow
@pytest.mark.parametrize("body", GAMES_PLAYED)
def test_luck_is_the_change_between_two_decisions(body: Body):
    review = reviewed(body).document
    latest: dict[str, Body] = {}
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
    without_decisions = [
        player for player, account in review["players"].items() if "start" not in account
    ]
    assert without_decisions == ["nina", "vincent"]


def test_s15_hidden_gifts_do_not_change_the_review_of_a_player():
    """The request may contain cards of others; they do not affect anna's decisions."""
    anna = []
    for others in (["magnet"], ["chili"]):
        seen = changed(("seats 2 gifts", others))
        review = reviewed({"state": seen, "turns": [[END]], "effort": "quick"}).document
        anna.append([each for each in review["decisions"] if each["player"] == "anna"])
    assert anna[0] == anna[1] != []


# Violations -----------------------------------------------------------------------------------


UNFINISHED = RICH["slopecrashers"]["review"]["turns"][0]


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
def test_violations_of_a_turn_name_their_path(turns: list[Any], path: str, code: str):
    assert response_violations(
        "review", {"state": RICH["slopecrashers"]["review"]["state"], "turns": turns}
    ) == {(path, code)}


# Time -----------------------------------------------------------------------------------------


class Failing(SolutionCache):
    """Raises an error after a number of solves."""

    def __init__(self, after: int, error: type[Exception]) -> None:
        super().__init__()
        self.left, self.error = after, error

    def obtain(self, *arguments: Any) -> Any:
        if not self.left:
            raise self.error("late")
        self.left -= 1
        return super().obtain(*arguments)


@pytest.mark.parametrize("error", [OutOfTime, Overloaded])
def test_a_review_returns_the_decisions_judged_in_time(error: type[Exception]):
    body = GAMES_PLAYED[1].values[0]
    complete = reviewed(body)
    part = reviewed(body, Solutions(Failing(5, error)))
    assert (complete.complete, part.complete) == (True, False)
    judged = len(part.document["decisions"])
    # An error is solved once more, for its plan.
    assert 3 <= judged <= 5
    assert part.document["decisions"] == complete.document["decisions"][:judged]
    assert part.document["search"]["complete"] is False
    done, total = part.document["progress"].values()
    assert judged <= done < total
    assert complete.document["progress"] == {"done": total, "total": total}
    with pytest.raises(Rejected if error is OutOfTime else Overloaded):
        reviewed(body, Solutions(Failing(0, error)))
