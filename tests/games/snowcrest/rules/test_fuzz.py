"""Mutated request bodies of real games: answered or rejected, without any other error."""

import copy
import json
from functools import lru_cache
from random import Random

import pytest

from service.core.violations import Rejected
from service.games.registry import GAMES
from tests import randomized
from tests.games.snowcrest.positions import ask

SEEDS = randomized.case_numbers(12, 40)
WORDS = (
    None, True, -1, 0, 1, 2, 4, 8, 200, 5.5, "", "a", "unknown", "monk", "merchant", "barley",
    "bell", "any", "card", "over", "set-up", "snow-leopard", [], {}, [{}], ["unknown"],
    {"barley": 9}, {"tokens": {"gold": 1}}, {"farm": {"up": 2, "spent": 1}}, "play",
    "rest", "bid", "give",
)  # fmt: skip


@lru_cache
def bodies():
    """Return the requests of a random game: each turn complete, and after each of its actions."""
    random = Random(5)
    requests = []
    for players in ("ab", "abc", "a"):
        state = ask("new", {"seats": [{"player": name} for name in players], "seed": 3})["state"]
        for _ in range(12 * len(players)):
            turn = []
            while (asked := ask("legal-moves", {"state": state, "so_far": turn}))["moves"] or (
                "draw" in asked
            ):
                requests.append(("legal-moves", {"state": state, "so_far": list(turn)}))
                if "draw" in asked:
                    turn.append({"type": "draw", "card": random.choice(asked["draw"])["card"]})
                else:
                    [choices] = asked["moves"].values()
                    turn.append(random.choice(choices))
            requests.append(("resolve", {"state": state, "moves": turn, "seed": 1}))
            answer = ask("resolve", {"state": state, "moves": turn})
            if answer["game_over"]:
                break
            state = answer["state"]
    return requests


def places(value, path=()):
    if path:
        yield path
    if isinstance(value, dict):
        items = list(value.items())
    else:
        items = list(enumerate(value)) if isinstance(value, list) else []
    for step, inner in items:
        yield from places(inner, (*path, step))


def mutated(random, body):
    """Return the body with one to three values replaced, duplicated or removed."""
    body = copy.deepcopy(body)
    for _ in range(random.randint(1, 3)):
        path = random.choice(list(places(body)))
        node = body
        for step in path[:-1]:
            node = node[step]
        act = random.random()
        if act < 0.2:
            del node[path[-1]]
        elif act < 0.4 and isinstance(node, list):
            node.insert(path[-1], copy.deepcopy(random.choice(node)))
        elif act < 0.7:
            other = random.choice(list(places(body)))
            value = body
            for step in other:
                value = value[step]
            node[path[-1]] = copy.deepcopy(value)
        else:
            node[path[-1]] = copy.deepcopy(random.choice(WORDS))
    return body


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mutated_body_is_answered_or_rejected_at_existing_paths(seed):
    print(f"seed {seed}")
    random = Random(seed)
    answered = refused = 0
    for _ in range(25):
        endpoint, body = random.choice(bodies())
        body = mutated(random, body)
        before = json.dumps(body)
        try:
            response = ask(endpoint, body)
        except Rejected as rejected:
            refused += 1
            for fault in rejected.violations:
                assert fault.code
                assert path_exists(body, fault.path)
        else:
            answered += 1
            [entry] = [each for each in GAMES["snowcrest"].endpoints if each.name == endpoint]
            assert entry.response_schema().validate(response) == {}
        assert json.dumps(body) == before, "a body is not written to"
    assert refused > 0


def path_exists(body, path):
    """Return whether a path exists, or would exist if a missing member were present."""
    *way, _ = path.split("/")[1:] or [""]
    for step in way:
        if isinstance(body, dict):
            if step not in body:
                return False
            body = body[step]
        elif isinstance(body, list):
            if int(step) >= len(body):
                return False
            body = body[int(step)]
        else:
            return False
    return True
