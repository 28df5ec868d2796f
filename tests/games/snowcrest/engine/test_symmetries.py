"""Equal positions have equal hints: moved villages, other names, and lists that are sets."""

import copy
from itertools import permutations
from random import Random

import pytest
from golden.turns import random_turn

from service.games.snowcrest.engine.symmetries import SYMMETRIES, inverse
from service.games.snowcrest.rules.state import LINES, VILLAGE_CELLS
from tests import randomized
from tests.games.snowcrest.positions import ask

SEEDS = randomized.case_numbers(6, 200)
EFFORTS = ("quick", "quick", "standard")


def test_c3_the_symmetries_are_all_permutations_of_the_cells_that_keep_the_lines():
    lines = {frozenset(line) for line in LINES}
    keeping = {
        cells
        for cells in permutations(range(VILLAGE_CELLS))
        if cells[4] == 4 and all(frozenset(map(cells.__getitem__, line)) in lines for line in LINES)
    }
    assert set(SYMMETRIES) == keeping
    assert len(keeping) == 8
    assert all(inverse(each) in keeping for each in keeping)


def moved_action(action, decider, maps):
    """Return an action in JSON after the symmetries of the villages of the players."""
    action, own = copy.deepcopy(action), maps[decider]
    if "cell" in action:
        action["cell"] = (maps[action["owner"]] if "owner" in action else own)[action["cell"]]
    if "village" in action.get("payment", {}):
        action["payment"]["village"] = sorted(own[cell] for cell in action["payment"]["village"])
    return action


def moved_state(state, maps, random):
    """Return a state with moved villages, and its lists in another order."""
    state = copy.deepcopy(state)
    for seat in state["seats"]:
        for resident in seat.get("village", ()):
            resident["cell"] = maps[seat["player"]][resident["cell"]]
        for name in ("village", "hand", "discards"):
            random.shuffle(seat.get(name, []))
    random.shuffle(state["row"])
    random.shuffle(state.get("challenges", []))
    return state


def renamed(document, names):
    """Return a document with other names of players."""
    if isinstance(document, dict):
        return {names.get(key, key): renamed(value, names) for key, value in document.items()}
    if isinstance(document, list):
        return [renamed(value, names) for value in document]
    return names.get(document, document) if isinstance(document, str) else document


def position(random):
    """Return a state, the turn so far, who decided at each of its actions, and who decides now."""
    count = random.choice((1, 2, 2, 3))
    seats = [{"player": f"p{number}"} for number in range(count)]
    state = ask("new", {"seats": seats, "seed": random.randrange(10**6)})["state"]
    for _ in range(random.randrange(4 * count, 12 * count)):
        moves = random_turn("snowcrest", random, state)
        after = ask("resolve", {"state": state, "moves": moves})
        if after["game_over"]:
            break
        state = after["state"]
    if random.random() < 0.4:
        state["supply"] = min(state["supply"], 2)
    so_far, deciders, asked = [], [], None
    for _ in range(random.randrange(1, 7)):
        legal = ask("legal-moves", {"state": state, "so_far": so_far})
        if legal["decision"] == "none":
            break
        if legal["decision"] == "draw":
            player, action = state["turn"], {"type": "draw", "card": legal["draw"][0]["card"]}
        else:
            [(player, choices)] = legal["moves"].items()
            action = random.choice(choices)
            if len(choices) > 1 and not legal.get("truncated"):
                asked = so_far, deciders, player
        so_far, deciders = [*so_far, action], [*deciders, player]
    return (state, *asked) if asked else position(random)


def values_of(hint):
    """Return the choices with their values, in the order of the hint, and the rest of the hint."""
    rows = [(each["move"], each["value"], each["loss"]) for each in hint["moves"]]
    return rows, hint["win_shares"], hint["search"]


@pytest.mark.parametrize("seed", SEEDS)
def test_turned_villages_and_other_orders_and_names_have_the_same_hint(seed):
    random = Random(seed)
    state, so_far, deciders, player = position(random)
    players = [seat["player"] for seat in state["seats"]]
    if not so_far and random.random() < 0.3:
        # The choices are then those that a hand with the stated cards allows.
        own = state["seats"][players.index(player)]
        own["hand"] = ["unknown"] * len(own["hand"])
    effort = random.choice(EFFORTS)
    body = {"state": state, "so_far": so_far, "player": player, "effort": effort}
    rows, shares, search = values_of(ask("suggest", body))
    maps = {each: random.choice(SYMMETRIES) for each in players}
    names = dict(
        zip(players, random.sample(["zoe", "eve", "kim", "abe"], len(players)), strict=True)
    )
    other = {
        "state": moved_state(state, maps, random),
        "so_far": [moved_action(*each, maps) for each in zip(so_far, deciders, strict=True)],
        "player": player,
        "effort": effort,
    }
    other_rows, other_shares, other_search = values_of(ask("suggest", renamed(other, names)))
    assert other_search == search
    assert other_shares == renamed(shares, names)
    assert [row[1:] for row in other_rows] == [row[1:] for row in rows]
    expected = [
        (renamed(moved_action(move, player, maps), names), value) for move, value, _ in rows
    ]
    found = [(move, value) for move, value, _ in other_rows]
    assert sorted(found, key=repr) == sorted(expected, key=repr)
    if is_unique(state):
        assert found == expected


def is_unique(state):
    """Return whether no village equals another form of itself, so that there is one best form."""
    for seat in state["seats"]:
        village = {each["cell"]: each for each in seat.get("village", ())}
        forms = {
            repr([(village.get(cells.index(cell)) or {}) | {"cell": cell} for cell in range(9)])
            for cells in SYMMETRIES
        }
        if len(forms) < len(SYMMETRIES):
            return False
    return True
