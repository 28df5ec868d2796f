"""Conformance of every game to the contracts of core/game.py and games/definition.py.

The tests cover every registered game, a toy game of turns with a hidden draw, and a small game of
one round that is served like the registered ones.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from golden.slopecrashers import SETUPS, SMALL_DECK

from service.core.game import Chance, Decision, Step, follow
from service.core.violations import Rejected
from service.games.common.validation import validate_shape
from service.games.definition import New
from service.games.registry import GAMES
from service.operations.dispatch import execute
from tests import randomized
from tests.conformance.toy_race import UNSEEN, Race, ToyRace
from tests.conformance.unique_card import UNIQUE_CARD
from tests.conformance.walks import ListScript, random_playout

ROOT = Path(__file__).resolve().parents[2]
PATH = os.pathsep.join((str(ROOT), str(ROOT / "scripts")))
SEEDS = randomized.case_numbers(2, 6)


def start_of(definition, body=None):
    """Return the state that a body of the game's ``New`` endpoint creates; default: its example."""
    [endpoint] = [endpoint for endpoint in definition.endpoints if isinstance(endpoint, New)]
    document, violations = validate_shape(endpoint.request_schema(), body or endpoint.example)
    return endpoint.parse(document, violations)


DEFINITIONS = GAMES | {UNIQUE_CARD.game.name: UNIQUE_CARD}
"""The registered games, and a small one of the tests' own."""
POSITIONS = {
    name: (definition.game, start_of(definition)) for name, definition in DEFINITIONS.items()
}
POSITIONS[ToyRace.name] = (ToyRace(), Race())
OWN_SETS = {"slopecrashers": {**SETUPS["own-set"][1], "deck": SMALL_DECK}}
"""Another game for the playouts: its request, with data that are not the default ones."""


@lru_cache
def playouts(name):
    game, start = POSITIONS[name]
    starts = [start]
    if name in OWN_SETS:
        starts.append(start_of(DEFINITIONS[name], OWN_SETS[name]))
    return tuple(random_playout(game, each, seed) for each in starts for seed in SEEDS)


def nodes(name, kind):
    return [
        visited
        for playout in playouts(name)
        for visited in playout.nodes
        if isinstance(visited.node, kind)
    ]


@pytest.fixture(params=POSITIONS)
def name(request):
    return request.param


@pytest.fixture
def game(name):
    return POSITIONS[name][0]


# Playing ------------------------------------------------------------------------------------


def test_only_a_finished_game_has_winners(name, game):
    for playout in playouts(name):
        *earlier, last = playout.states
        assert all(game.winners(state) == () for state in earlier)
        assert [game.over(state) for state in playout.states[-2:]] == [False, True]
        assert len(set(game.winners(last))) == len(game.winners(last)) > 0


def test_a_finished_game_has_no_pending_node_and_stays_unchanged(name, game):
    for playout in playouts(name):
        over = game.begin(playout.states[-1]).play
        assert game.pending(over) is None
        assert game.rest(over) == playout.states[-1]


def test_an_unfinished_game_has_a_node_or_changes(name, game):
    for playout in playouts(name):
        for state in playout.states[:-1]:
            play = game.begin(state).play
            assert isinstance(game.pending(play), Decision | Chance) or game.rest(play) != state


def test_states_have_one_type_and_equal_ones_begin_equal_plays(name, game):
    for playout in playouts(name):
        for state in playout.states:
            assert type(state) is type(playout.states[0])
            one, other = game.begin(state).play, game.begin(copy.deepcopy(state)).play
            assert (one, game.pending(one)) == (other, game.pending(other))


# Chance -------------------------------------------------------------------------------------


def test_outcomes_of_chance_are_distinct_with_exact_probabilities_that_sum_to_one(name):
    for visited in nodes(name, Chance):
        outcomes, probabilities = zip(*visited.node.outcomes, strict=True)
        assert all(isinstance(p, Fraction) and p > 0 for p in probabilities)
        assert sum(probabilities) == 1
        assert len(set(outcomes)) == len(outcomes)


def test_every_outcome_of_chance_can_be_drawn(name, game):
    for visited in nodes(name, Chance)[:20]:
        plays = [game.draw(visited.play, outcome).play for outcome, _ in visited.node.outcomes]
        assert len(set(plays)) == len(plays)


# Decisions ----------------------------------------------------------------------------------


def test_every_decision_has_actors_with_distinct_choices_in_a_fixed_order(name, game):
    assert nodes(name, Decision)
    for visited in nodes(name, Decision):
        choices = visited.node.choices
        assert choices
        for legal in choices.values():
            assert isinstance(legal, tuple)
            assert len(set(legal)) == len(legal) > 0
        again = game.pending(copy.deepcopy(visited.play)).choices
        assert list(again.items()) == list(choices.items())


def test_every_legal_choice_can_be_made(name, game):
    for visited in nodes(name, Decision)[:40]:
        for actor, legal in visited.node.choices.items():
            for choice in legal:
                step = game.choose(visited.play, {**visited.revealed, actor: choice})
                assert type(step.play) is type(visited.play)


# Values -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_states_and_plays_are_hashable_values(name):
    for playout in playouts(name):
        visited_plays = (visited.play for visited in playout.nodes)
        for value in (*playout.states, *playout.completed, *visited_plays):
            twin = copy.deepcopy(value)
            assert (twin, hash(twin)) == (value, hash(value))


def test_states_plays_and_steps_are_frozen(name):
    for playout in playouts(name):
        last = playout.nodes[-1]
        for value in (playout.states[0], last.play, last.step, last.node):
            first = fields(value)[0].name
            with pytest.raises(FrozenInstanceError):
                setattr(value, first, None)


def test_choosing_and_drawing_do_not_mutate_their_arguments(name, game):
    for visited in (node for playout in playouts(name) for node in playout.nodes):
        before = (hash(visited.play), repr(visited.play), repr(visited.revealed))
        apply = game.draw if isinstance(visited.node, Chance) else game.choose
        again = apply(visited.play, visited.revealed)
        assert again == visited.step, "the same call must return an equal step"
        assert hash(again.events) == hash(copy.deepcopy(again.events))
        assert (hash(visited.play), repr(visited.play), repr(visited.revealed)) == before


# Checked play -------------------------------------------------------------------------------


def test_a_complete_script_is_followed_to_the_end_of_the_round(name, game):
    for playout in playouts(name):
        rounds = zip(playout.rounds, playout.begun, playout.states[1:], strict=True)
        for played, begun, after in rounds:
            followed = follow(game, begun, ListScript([visited.revealed for visited in played]))
            followed.require_complete()
            assert followed.open is None
            assert game.rest(followed.play) == after
            events = tuple(event for visited in played for event in visited.step.events)
            assert followed.events == begun.events + events
            taken = [(each.play, each.node, each.choices) for each in followed.decided]
            visited_nodes = [(each.play, each.node, each.revealed) for each in played]
            assert taken == [each for each in visited_nodes if isinstance(each[1], Decision)]


def test_input_after_the_end_of_a_round_is_a_violation(name, game):
    playout = playouts(name)[0]
    script = [visited.revealed for visited in playout.rounds[0]]
    with pytest.raises(Rejected) as raised:
        follow(game, playout.begun[0], ListScript([*script, {}, {}]))
    assert [(violation.path, violation.code) for violation in raised.value.violations] == [
        (f"/script/{len(script) + place}", "surplus") for place in range(2)
    ]


def test_a_partial_script_stops_at_the_first_open_node(name, game):
    for playout in playouts(name)[:2]:
        for state, played in zip(playout.states, playout.rounds, strict=False):
            for length in range(len(played)):
                script = ListScript([visited.revealed for visited in played[:length]])
                followed = follow(game, game.begin(state), script)
                assert followed.play == played[length].play
                assert followed.open == played[length].node
                with pytest.raises(Rejected) as raised:
                    followed.require_complete()
                codes = {violation.code for violation in raised.value.violations}
                assert codes <= {"open-draw", "open-decision"}


def test_actors_without_a_given_choice_still_decide(name, game):
    for visited in nodes(name, Decision):
        for silent in visited.node.choices:
            choices = {actor: c for actor, c in visited.revealed.items() if actor != silent}
            followed = follow(game, Step(visited.play), ListScript([choices]))
            silent_choices = {silent: visited.node.choices[silent]}
            assert followed.open == Decision(visited.node.name, silent_choices)
            assert followed.play == visited.play


def test_an_illegal_choice_is_a_violation_and_changes_nothing(name, game):
    """Try legal choices of other decisions where they are not legal."""
    random, tried = Random(1), 0
    listed = [legal for each in nodes(name, Decision) for legal in each.node.choices.values()]
    seen = sorted({choice for legal in listed for choice in legal}, key=repr)
    for visited in nodes(name, Decision)[:120]:
        before = repr(visited.play)
        for actor, legal in visited.node.choices.items():
            illegal = [choice for choice in seen if choice not in legal]
            for choice in random.sample(illegal, min(4, len(illegal))):
                tried += 1
                script = ListScript([{**visited.revealed, actor: choice}])
                with pytest.raises(Rejected) as raised:
                    follow(game, Step(visited.play), script)
                for violation in raised.value.violations:
                    assert violation.path.startswith(f"/script/0/{actor}")
                    assert violation.code
                    assert violation.detail
        assert repr(visited.play) == before
    always_legal = all(set(seen) == set(legal) for legal in listed)
    assert tried > 10 or always_legal


def test_all_violations_of_a_node_are_reported_together(name, game):
    for visited in nodes(name, Decision)[:40]:
        strangers = {"stranger-1": object(), "stranger-2": object()}
        with pytest.raises(Rejected) as raised:
            follow(game, Step(visited.play), ListScript([visited.revealed | strangers]))
        assert [(violation.path, violation.code) for violation in raised.value.violations] == [
            ("/script/0/stranger-1", "not-deciding"),
            ("/script/0/stranger-2", "not-deciding"),
        ]


def test_an_actor_who_does_not_decide_cannot_choose(name, game):
    actors = {actor for visited in nodes(name, Decision) for actor in visited.node.choices}
    for visited in nodes(name, Decision)[:120]:
        for idle in sorted(actors - set(visited.node.choices)):
            choice = next(iter(visited.revealed.values()))
            with pytest.raises(Rejected) as raised:
                follow(game, Step(visited.play), ListScript([{**visited.revealed, idle: choice}]))
            assert [violation.code for violation in raised.value.violations] == ["not-deciding"]


def test_an_impossible_draw_is_a_violation(name, game):
    for visited in nodes(name, Chance)[:40]:
        with pytest.raises(Rejected) as raised:
            follow(game, Step(visited.play), ListScript(["no such outcome"]))
        [violation] = raised.value.violations
        assert (violation.path, violation.code) == ("/script/0", "impossible-draw")


def test_a_game_can_accept_an_outcome_of_probability_zero():
    script = ListScript([{"ada": "sledge"}, UNSEEN, {"ada": "high"}, {"ben": "doubt"}])
    play = follow(ToyRace(), ToyRace().begin(Race()), script).play
    assert ToyRace().rest(play).spaces == (2, 0, 0)


# Endpoints ----------------------------------------------------------------------------------

ENDPOINTS = [
    pytest.param(definition, endpoint, id=f"{name} {endpoint.name}")
    for name, definition in DEFINITIONS.items()
    for endpoint in definition.endpoints
]


def ask(definition, endpoint, body):
    return execute(definition, endpoint, body).document


@pytest.mark.parametrize(("definition", "endpoint"), ENDPOINTS)
def test_the_example_of_an_endpoint_matches_its_request_schema(definition, endpoint):
    assert validate_shape(endpoint.request_schema(), endpoint.example) == (endpoint.example, [])


@pytest.mark.parametrize(("definition", "endpoint"), ENDPOINTS)
def test_the_response_to_an_example_matches_its_schema(definition, endpoint):
    assert endpoint.response_schema().validate(ask(definition, endpoint, endpoint.example)) == {}


@pytest.mark.parametrize(("definition", "endpoint"), ENDPOINTS)
def test_a_response_is_json_and_deterministic(definition, endpoint):
    before = copy.deepcopy(endpoint.example)
    responses = [
        json.dumps(ask(definition, endpoint, endpoint.example), allow_nan=False) for _ in range(2)
    ]
    assert responses[0] == responses[1]
    assert endpoint.example == before, "a request must not change its body"
    through_json = ask(definition, endpoint, json.loads(json.dumps(endpoint.example)))
    assert json.dumps(through_json, allow_nan=False) == responses[0]
    assert json.loads(responses[0]) == through_json, "a response must consist of JSON types"


@pytest.mark.parametrize(("definition", "endpoint"), ENDPOINTS)
def test_an_endpoint_rejects_unknown_fields(definition, endpoint):
    with pytest.raises(Rejected) as raised:
        ask(definition, endpoint, endpoint.example | {"no-such-member": 1})
    [violation] = raised.value.violations
    assert (violation.path, violation.code) == ("/no-such-member", "unknown-field")


@pytest.mark.parametrize(("definition", "endpoint"), ENDPOINTS)
def test_an_endpoint_names_every_missing_field_of_an_empty_body(definition, endpoint):
    members = endpoint.request_schema().fields.items()
    with pytest.raises(Rejected) as raised:
        ask(definition, endpoint, {})
    missing = {each.path for each in raised.value.violations if each.code == "missing"}
    assert missing == {f"/{name}" for name, field in members if field.required}


@pytest.mark.parametrize("definition", GAMES.values(), ids=list(GAMES))
def test_a_game_is_registered_by_name_with_unique_endpoint_names(definition):
    assert GAMES[definition.game.name] is definition
    names = [endpoint.name for endpoint in definition.endpoints]
    assert len(set(names)) == len(names)
    assert definition.about["game"] == definition.game.name
    assert json.dumps(definition.about, allow_nan=False)


ONE_PROCESS = """
import json
from tests.conformance.test_every_game import GAMES, POSITIONS, ask, random_playout
for name, (game, start) in POSITIONS.items():
    print(name, repr(random_playout(game, start, 7)))
for definition in GAMES.values():
    for endpoint in definition.endpoints:
        print(json.dumps(ask(definition, endpoint, endpoint.example)))
"""


@pytest.mark.slow
def test_playouts_and_responses_do_not_depend_on_the_hash_seed():
    printed = [
        subprocess.run(
            [sys.executable, "-c", ONE_PROCESS],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": PATH, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) > len(POSITIONS)
