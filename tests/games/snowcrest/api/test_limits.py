"""Positions that the service returns are positions that it accepts."""

from random import Random

import pytest
from golden.turns import random_turn

from service.core.violations import Rejected
from service.games.snowcrest.api.schema import MAX_TOKENS
from service.games.snowcrest.rules.payments.resources import Resource
from tests.games.snowcrest.positions import ask


def test_a_turn_that_gives_more_tokens_than_a_state_can_have_is_refused():
    """Every player has as many tokens as allowed, after some turns."""
    state = ask("new", {"seats": [{"player": "a"}, {"player": "b"}], "seed": 3})["state"]
    for seed in range(4):
        moves = random_turn("snowcrest", Random(seed), state)
        state = ask("resolve", {"state": state, "moves": moves})["state"]
    for seat in state["seats"]:
        seat["tokens"] = {resource.label: MAX_TOKENS for resource in Resource}
    refused = 0
    for seed in range(8):
        moves = random_turn("snowcrest", Random(seed), state)
        try:
            after = ask("resolve", {"state": state, "moves": moves})["state"]
        except Rejected as rejected:
            [violation] = rejected.violations
            assert (violation.path, violation.code) == ("/state", "out-of-range")
            assert f"at most {MAX_TOKENS}" in violation.detail
            refused += 1
        else:
            assert ask("legal-moves", {"state": after, "so_far": []})
    if not refused:
        pytest.fail("no turn gave a token")
