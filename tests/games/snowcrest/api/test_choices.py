"""The choices of ``suggest`` are those of ``legal-moves``, also if own cards are unknown."""

import json
from random import Random

import pytest
from golden.turns import random_turn

from tests import randomized
from tests.games.snowcrest.positions import ask

TURNS = 12


def as_set(moves):
    return {json.dumps(move, sort_keys=True) for move in moves}


def seen_by_some(random, state):
    """Return the state with unknown hands; the player in turn knows all own cards or some."""
    hands = {each["player"]: each["hand"] for each in state["seats"]}
    known = random.choice((0, 1, len(hands[state["turn"]])))
    for player, hand in hands.items():
        left = hand[:known] if player == state["turn"] else []
        hands[player] = left + ["unknown"] * (len(hand) - len(left))
    return state | {"seats": [each | {"hand": hands[each["player"]]} for each in state["seats"]]}


def decisions_compared(random, state):
    """Compare all decisions of a random turn up to its first draw, and return their number."""
    body, compared = {"state": state, "so_far": []}, 0
    while (legal := ask("legal-moves", body))["decision"] not in ("none", "draw"):
        [(player, listed)] = legal["moves"].items()
        hint = ask("suggest", body | {"player": player, "effort": "quick"})
        assert as_set(each["move"] for each in hint["moves"]) == as_set(listed)
        body |= {"so_far": [*body["so_far"], random.choice(listed)]}
        compared += 1
    return compared


@pytest.mark.parametrize("seed", randomized.case_numbers(3, 30))
def test_the_choices_of_a_hint_are_the_legal_moves(seed):
    random = Random(seed)
    seats = [{"player": player} for player in "abcd"[: 1 + seed % 4]]
    state, compared = ask("new", {"seats": seats, "seed": seed})["state"], 0
    for _ in range(TURNS):
        compared += decisions_compared(random, seen_by_some(random, state))
        moves = random_turn("snowcrest", random, state)
        resolved = ask("resolve", {"state": state, "moves": moves})
        state = resolved["state"]
        if resolved["game_over"]:
            break
    assert compared
