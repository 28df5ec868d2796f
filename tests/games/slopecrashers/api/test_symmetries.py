"""Equal positions have equal hints: mirror images, other names, and other orders of sets."""

import json
from random import Random

import pytest
from research.sure import GAMES, _decider, _some_decision

from service.games.slopecrashers.api.responses import render_action
from tests import randomized
from tests.games.slopecrashers.courses import relaid
from tests.games.slopecrashers.positions import ask, ask_hint, document, state
from tests.games.slopecrashers.rules.test_properties import turns
from tests.operations.test_turn_solution_cache import CACHED, layer, new_cache

LENGTH = 12
"""Decisions of a test."""
SIDES = {"left": "right", "right": "left"}


def bodies(seed):
    """Return requests for hints at random decisions of a game and of races near the finish."""
    random, races, found = Random(seed), GAMES["slopecrashers"], []
    starts = [before for before, *_ in turns(seed, most=60)]
    starts = random.sample(starts, min(LENGTH // 2, len(starts)))
    starts += [relaid(races.position(random)) for _ in range(LENGTH // 2)]
    for start in starts:
        turn = _some_decision(races, start, random)
        if turn is not None:
            so_far = [render_action(action) for action in turn.actions]
            body = {"state": document(start), "player": _decider(races, turn), "so_far": so_far}
            found.append(body | {"effort": random.choice(("quick", "standard", "deep"))})
    return found


def mirrored(value, last):
    """Return the mirror image of a part of a request or a response."""
    if isinstance(value, list):
        return [mirrored(each, last) for each in value]
    if not isinstance(value, dict):
        return value
    image = {name: mirrored(each, last) for name, each in value.items()}
    if "lane" in value:
        image["lane"] = last - value["lane"]
    if "direction" in value:
        image["direction"] = SIDES.get(value["direction"], value["direction"])
    return image


def last_lane(body):
    state = body["state"]
    pieces, offsets = state["pieces"], state.get("offsets", {})
    return max(len(pieces[name][0]) + offsets.get(name, 0) for name in state["course"]) - 1


def mirror_body(body):
    state, image, last = body["state"], mirrored(body, last_lane(body)), last_lane(body)
    pieces, offsets = state["pieces"], state.get("offsets", {})
    image["state"]["pieces"] = {name: [row[::-1] for row in rows] for name, rows in pieces.items()}
    if "offsets" in state or len({len(rows[0]) for rows in pieces.values()}) > 1:
        ends = {name: len(rows[0]) + offsets.get(name, 0) for name, rows in pieces.items()}
        image["state"]["offsets"] = {name: last + 1 - end for name, end in ends.items()}
    image["state"]["snowmen"] = image["state"].get("snowmen", [])[::-1]
    return image


def numbers(response, last=None):
    """Return the choices in order with their numbers, or their mirror images."""
    moves = [
        (each["move"], each["value"], each["loss"], each["error"], each["comparison"]["parts"])
        for each in response["moves"]
    ]
    return moves if last is None else mirrored([*map(list, moves)], last)


@pytest.mark.parametrize("seed", randomized.case_numbers(6, 120))
def test_a_mirror_image_has_the_mirrored_hint(seed):
    compared = 0
    for body in bodies(seed):
        image = mirror_body(body)
        if json.dumps(image, sort_keys=True) == json.dumps(body, sort_keys=True):
            continue
        compared += 1
        first, second = (ask("suggest", each) for each in (body, image))
        last = last_lane(body)
        assert numbers(second, last) == [list(each) for each in numbers(first)]
        assert mirrored(second["plan"], last) == first["plan"]
    assert compared


@pytest.mark.parametrize("seed", randomized.case_numbers(2, 40))
def test_a_mirror_image_needs_no_other_search(seed):
    for body in bodies(seed):
        cache = new_cache()
        assert layer(body, cache) != CACHED
        assert layer(mirror_body(body), cache) in (CACHED, None)


@pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
def test_in_a_symmetric_position_both_sides_have_the_same_value(effort):
    drawing = ".+g+. .g~g. ..g.. #...# .+.+. ..... ....."
    start = state({"a": (2, 2, 2), "b": (2, 3, 2)}, drawing, gifts={"a": "spring", "b": "?"})
    response = ask_hint(start, "a", effort=effort)
    moves = [(each["move"], each["value"], each["error"]) for each in response["moves"]]
    images = [(mirrored(move, 4), *rest) for move, *rest in moves]
    assert sorted(images, key=str) == sorted(moves, key=str)
    assert any(move.get("direction") == "left" for move, *_ in moves)


def renamed(document):
    """Return a part of a request or a response with other names of players."""
    text = json.dumps(document)
    for name, other in zip("abcdef", ("zoe", "yan", "xin", "wu", "vic", "udo"), strict=True):
        text = text.replace(f'"{name}"', f'"{other}"')
    return json.loads(text)


@pytest.mark.parametrize("seed", randomized.case_numbers(2, 40))
def test_names_and_orders_of_sets_make_no_difference(seed):
    random = Random(seed)
    for body in bodies(seed):
        other = renamed(body)
        for listed in ("snowmen", "discards"):
            random.shuffle(other["state"].get(listed, []))
        first, second = (numbers(ask("suggest", each)) for each in (body, other))
        assert renamed(first) == json.loads(json.dumps(second))
