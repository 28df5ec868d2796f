"""Mutated request bodies of real games: answered or rejected, without any other error."""

import copy
import json
from functools import lru_cache, reduce
from operator import getitem
from random import Random

import pytest
from golden.turns import random_turn

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
    """Return the requests of random games: each turn complete, and after each of its actions."""
    random, requests = Random(5), []
    for players in ("ab", "abc", "a"):
        state = ask("new", {"seats": [{"player": name} for name in players], "seed": 3})["state"]
        for _ in range(12 * len(players)):
            turn = random_turn("snowcrest", random, state)
            starts = (turn[:length] for length in range(len(turn)))
            requests += [("legal-moves", {"state": state, "so_far": each}) for each in starts]
            requests.append(("resolve", {"state": state, "moves": turn, "seed": 1}))
            answer = ask("resolve", {"state": state, "moves": turn})
            if answer["game_over"]:
                break
            state = answer["state"]
    return requests


def places(value, path=()):
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[step], (*path, step))


def mutated(random, body):
    """Return the body with one to three values replaced, duplicated or removed."""
    body = copy.deepcopy(body)
    for _ in range(random.randint(1, 3)):
        *way, last = random.choice(list(places(body)))
        node = reduce(getitem, way, body)
        act = random.random()
        if act < 0.2:
            del node[last]
        elif act < 0.4 and isinstance(node, list):
            node.insert(last, copy.deepcopy(random.choice(node)))
        elif act < 0.7:
            other = random.choice(list(places(body)))
            node[last] = copy.deepcopy(reduce(getitem, other, body))
        else:
            node[last] = copy.deepcopy(random.choice(WORDS))
    return body


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mutated_body_is_answered_or_rejected_at_existing_paths(seed):
    random = Random(seed)
    refused = 0
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
            [entry] = [each for each in GAMES["snowcrest"].endpoints if each.name == endpoint]
            assert entry.response_schema().validate(response) == {}
        assert json.dumps(body) == before, "a body is not written to"
    assert refused > 0


def path_exists(body, path):
    """Return whether a path exists, or would exist if a missing member were present."""
    *way, _ = path.split("/")[1:] or [""]
    try:
        reduce(lambda node, step: node[int(step) if isinstance(node, list) else step], way, body)
    except (LookupError, TypeError):
        return False
    return True
