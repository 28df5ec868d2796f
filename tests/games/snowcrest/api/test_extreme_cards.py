"""Cards that give as much as is allowed: every request ends, with a response or with 422."""

from random import Random

import pytest
from expensive import snowcrest
from expensive.bodies import Body
from expensive.measuring import cost_of
from golden.snowcrest import SMALL

from service.solver.budget import CPU_LIMITS_S
from tests import randomized
from tests.games.snowcrest.positions import ask, response_violations

ACTIVATE = [{"type": "activate", "cell": 4}]
OUTCOMES = {
    "complete", "cut", "out-of-range", "turn-too-long", "open-decision", "deadline-too-short",
    "nothing-to-decide", "game-over",
}  # fmt: skip
"""Outcomes of legal positions and choices: a random turn may be too long, and a seed may open
another decision."""
BUSY = 3.0
"""A busy machine needs more CPU time for the same work, and a hint has work besides its search; an
unbounded request takes many times that."""


def alone(effects, count=1, **catalogue):
    """Return a position whose player can activate a villager with effects, often."""
    digger, *starters = SMALL["starters"]
    digger = digger | {"actions": [{"effects": effects}] * count}
    seat = {
        "player": "a",
        "village": [{"cell": 4, "card": "digger"}],
        "hand": [],
        "tokens": dict.fromkeys(("barley", "bell", "bowl", "juniper", "gold"), 20),
        "buildings": {"farm": {"up": 8}},
    }
    return {
        "seats": [seat],
        "turn": "a",
        "supply": 10,
        "juniper": 1,
        "row": ["hawker"] * 3 + ["keeper"] * 2,
        "catalogue": SMALL | {"starters": [digger, *starters]} | catalogue,
    }


def forest(**reward):
    return [{"id": "stump", "own": {}, "others": {}, "reward": reward}]


JUNIPER = {"type": "gain", "what": "juniper", "count": 12}
PER_FARM = {"type": "per-building", "building": "farm", "what": "juniper", "count": 12}
ANY = {"type": "per-building", "building": "farm", "what": "any", "count": 12}


@pytest.mark.parametrize(
    ("position", "code"),
    [
        (alone([JUNIPER] * 6, 6, forest=forest(juniper=2)), ("/state", "out-of-range")),
        (alone([PER_FARM] * 6, 6, forest=forest(juniper=2)), ("/moves/1", "turn-too-long")),
    ],
    ids=["432 juniper", "3456 juniper"],
)
def test_c8_a_long_chain_of_forest_cards_is_refused(position, code):
    """Every juniper reveals a forest card, which gives two of the three that reveal the next."""
    body = {"state": position, "moves": ACTIVATE, "seed": 1}
    assert response_violations("resolve", body) == {code}


PENALTY = {"barley": 12, "bell": 12, "bowl": 12, "juniper": 12, "any": 12}
DEMANDING = [{"id": "stump", "own": PENALTY, "others": {}, "reward": {}}]


def assert_in_time(body):
    """Ask for a quick hint, and compare its CPU time with the limit."""
    cost_of(Body("snowcrest", "suggest", body))  # Loads the kernels.
    cost = cost_of(Body("snowcrest", "suggest", body))
    assert cost.outcome in {"complete", "cut"}
    assert cost.cpu_s < BUSY * CPU_LIMITS_S["quick"]


@pytest.mark.parametrize(
    ("position", "so_far"),
    [
        (alone([JUNIPER] * 6, 6, forest=forest(juniper=2)), []),
        (alone([PER_FARM] * 6, 6, forest=forest(juniper=1, any=1)), []),
        (alone([ANY] * 6, 6), []),
        (alone([ANY] * 6, 6), ACTIVATE),
        (alone([JUNIPER], forest=DEMANDING), []),
        (alone([JUNIPER], forest=DEMANDING), [*ACTIVATE, {"type": "draw", "card": "stump"}]),
    ],
    ids=["432 juniper", "juniper or any", "3456 any", "next any", "60 items", "next item"],
)
@pytest.mark.parametrize("last", [False, True])
def test_quick_hints_answer_within_their_cpu_time(position, so_far, last):
    position = position | {"supply": 1 if last else 10}
    body = {"state": position, "so_far": so_far, "player": "a", "effort": "quick"}
    assert_in_time(body)
    assert ask("suggest", body)["moves"]


def test_a_last_meditation_against_players_who_know_all_cards_is_answered():
    """All answers of three others to each of 200 bids were compared, for minutes."""
    icons = ("barley", "bell", "bowl", "juniper", "gold")
    villagers = [
        {"id": f"v{kind}", "cost": 1, "icons": {"bell": 1 + kind % 3, icons[2 * kind % 5]: 2}}
        for kind in range(12)
    ]
    others = [{"cell": cell, "card": f"v{cell}"} for cell in range(9) if cell != 4]
    position = alone([{"type": "meditate"}], villagers=villagers)
    [seat] = position["seats"]
    position |= {"supply": 1, "ending": True, "turn": "d", "juniper": 6}
    position["seats"] = [
        seat
        | {"player": player, "village": [{"cell": 4, "card": "digger"}, *others]}
        | {"tokens": dict.fromkeys(icons, 6), "buildings": {"forge": {"up": 4}}}
        for player in "abcd"
    ]
    assert_in_time({"state": position, "so_far": ACTIVATE, "player": "d", "effort": "quick"})


def test_long_lists_are_limited_also_with_many_tokens_and_sizes():
    """A loop over tokens was no step of the search, and a list had a bid of every size."""
    position = alone([{"type": "meditate"}])
    position["seats"][0]["tokens"] = dict.fromkeys(("bell", "gold"), 200)
    legal = ask("legal-moves", {"state": position, "so_far": ACTIVATE})
    assert len(legal["moves"]["a"]) == 200
    assert legal["truncated"]


SEEDS = randomized.case_numbers(16, 4_000)


def test_random_requests_with_extreme_cards_end_within_their_cpu_time():
    for seed in SEEDS:
        print(f"seed {seed}")
        body = Body("snowcrest", *snowcrest.request(Random(seed), "quick"))
        cost = cost_of(body)
        if cost.cpu_s >= BUSY * CPU_LIMITS_S[body.effort]:
            cost = cost_of(body)  # The first one may have loaded kernels.
        assert cost.outcome in OUTCOMES, body.document
        assert cost.cpu_s < BUSY * CPU_LIMITS_S[body.effort], body.document
