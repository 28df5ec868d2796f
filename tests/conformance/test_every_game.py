"""Conformance of every game to the contracts of core/game.py and games/definition.py.

A registered game is tested without a line about it here.  A toy of another kind, by turns with
a hidden draw, shows that the contracts carry more than rounds in which everybody chooses.
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

from service.core.game import Chance, Decision, Step, follow
from service.core.violations import Rejected
from service.games.common.validation import validate_shape
from service.games.definition import New
from service.games.registry import GAMES
from service.operations.dispatch import execute
from tests import randomized
from tests.conformance.toy_race import Race, ToyRace
from tests.conformance.walks import Told, walk

ROOT = Path(__file__).resolve().parents[2]
SEEDS = randomized.case_numbers(2, 6)


def start_of(entry):
    """The resting state of the example of the game's New verb."""
    [verb] = [verb for verb in entry.endpoints if isinstance(verb, New)]
    document, faults = validate_shape(verb.request_schema(), verb.example)
    return verb.parse(document, faults)


PLAYED = {name: (entry.game, start_of(entry)) for name, entry in GAMES.items()}
PLAYED[ToyRace.name] = (ToyRace(), Race())


@lru_cache
def walks(name):
    game, start = PLAYED[name]
    return tuple(walk(game, start, seed) for seed in SEEDS)


def nodes(name, kind):
    return [passed for one in walks(name) for passed in one.nodes if isinstance(passed.node, kind)]


@pytest.fixture(params=PLAYED)
def name(request):
    return request.param


@pytest.fixture
def game(name):
    return PLAYED[name][0]


# Playing ------------------------------------------------------------------------------------


def test_random_playouts_end_with_winners(name, game):
    for one in walks(name):
        assert game.winners(one.states[-1])
        assert len(set(game.winners(one.states[-1]))) == len(game.winners(one.states[-1]))


def test_nobody_has_won_while_the_game_goes_on(name, game):
    for one in walks(name):
        assert all(game.winners(state) == () for state in one.states[:-1])
        assert [game.over(state) for state in one.states[-2:]] == [False, True]


def test_a_finished_game_has_nothing_pending_and_stays_as_it_is(name, game):
    for one in walks(name):
        over = game.begin(one.states[-1]).play
        assert game.pending(over) is None
        assert game.rest(over) == one.states[-1]


def test_a_complete_play_leads_to_a_resting_state_of_the_same_kind(name, game):
    for one in walks(name):
        for play, state in zip(one.completed, one.states[1:], strict=True):
            assert game.pending(play) is None
            assert game.rest(play) == state
            assert type(state) is type(one.states[0])


def test_an_unfinished_game_goes_on(name, game):
    for one in walks(name):
        for state in one.states[:-1]:
            begun = game.begin(state)
            node = game.pending(begun.play)
            assert isinstance(node, (Decision, Chance)) or game.rest(begun.play) != state


def test_a_play_begins_anew_from_an_equal_state(name, game):
    for one in walks(name):
        for state in one.states:
            twin = copy.deepcopy(state)
            assert game.begin(twin).play == game.begin(state).play
            assert game.pending(game.begin(twin).play) == game.pending(game.begin(state).play)


# Chance -------------------------------------------------------------------------------------


def test_the_probabilities_of_chance_are_exact_positive_and_sum_to_one(name):
    for passed in nodes(name, Chance):
        probabilities = [probability for _, probability in passed.node.outcomes]
        assert all(isinstance(p, Fraction) and p > 0 for p in probabilities)
        assert sum(probabilities) == 1


def test_the_outcomes_of_chance_are_distinct(name):
    for passed in nodes(name, Chance):
        outcomes = [outcome for outcome, _ in passed.node.outcomes]
        assert len(set(outcomes)) == len(outcomes) > 0


def test_every_outcome_of_chance_can_be_drawn(name, game):
    for passed in nodes(name, Chance)[:20]:
        plays = [game.draw(passed.play, outcome).play for outcome, _ in passed.node.outcomes]
        assert len(set(plays)) == len(plays)


# Decisions ----------------------------------------------------------------------------------


def test_somebody_decides_and_has_a_choice(name):
    assert nodes(name, Decision)
    for passed in nodes(name, Decision):
        assert passed.node.choices
        assert all(passed.node.choices.values())


def test_legal_choices_are_distinct(name):
    for passed in nodes(name, Decision):
        for legal in passed.node.choices.values():
            assert isinstance(legal, tuple)
            assert len(set(legal)) == len(legal)


def test_legal_choices_come_in_the_same_order_every_time(name, game):
    for passed in nodes(name, Decision):
        again = game.pending(copy.deepcopy(passed.play))
        assert list(again.choices.items()) == list(passed.node.choices.items())


def test_every_legal_choice_can_be_made(name, game):
    for passed in nodes(name, Decision)[:40]:
        for actor, legal in passed.node.choices.items():
            for choice in legal:
                step = game.choose(passed.play, {**passed.told, actor: choice})
                assert type(step.play) is type(passed.play)


# Values -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_states_and_plays_are_hashable_values(name):
    for one in walks(name):
        for value in (*one.states, *one.completed, *(passed.play for passed in one.nodes)):
            twin = copy.deepcopy(value)
            assert twin == value
            assert hash(twin) == hash(value)


def test_states_plays_and_steps_are_frozen(name):
    for one in walks(name):
        last = one.nodes[-1]
        for value in (one.states[0], last.play, last.step, last.node):
            first = fields(value)[0].name
            with pytest.raises(FrozenInstanceError):
                setattr(value, first, None)


def test_choosing_and_drawing_leave_everything_as_it_was(name, game):
    for one in walks(name):
        for passed in one.nodes:
            before = (hash(passed.play), repr(passed.play), repr(passed.told))
            if isinstance(passed.node, Chance):
                again = game.draw(passed.play, passed.told)
            else:
                again = game.choose(passed.play, passed.told)
            assert again == passed.step, "the same again gives the same"
            assert (hash(passed.play), repr(passed.play), repr(passed.told)) == before


def test_the_record_of_what_happened_is_a_value_too(name):
    for one in walks(name):
        for passed in one.nodes:
            assert hash(passed.step.events) == hash(copy.deepcopy(passed.step.events))


# Checked play -------------------------------------------------------------------------------


def test_a_told_round_is_followed_to_its_end(name, game):
    for one in walks(name):
        rounds = zip(one.states, one.rounds, one.begun, one.states[1:], strict=False)
        for state, played, begun, after in rounds:
            script = Told([passed.told for passed in played])
            followed = follow(game, game.begin(state), script)
            followed.require_complete()
            assert followed.open is None
            assert game.rest(followed.play) == after
            record = tuple(event for passed in played for event in passed.step.events)
            assert followed.events == begun.events + record
            assert [
                (passed.play, passed.node, passed.choices, passed.before)
                for passed in followed.decided
            ] == [
                (passed.play, passed.node, passed.told, before)
                for before, passed in enumerate(played)
                if isinstance(passed.node, Decision)
            ]


def test_a_round_told_in_part_stops_at_the_first_open_node(name, game):
    for one in walks(name)[:2]:
        for state, played in zip(one.states, one.rounds, strict=False):
            for told in range(len(played)):
                script = Told([passed.told for passed in played[:told]])
                followed = follow(game, game.begin(state), script)
                assert followed.play == played[told].play
                assert followed.open == played[told].node
                with pytest.raises(Rejected) as refused:
                    followed.require_complete()
                codes = {fault.code for fault in refused.value.faults}
                assert codes <= {"open-draw", "open-decision"}


def test_of_those_who_decide_together_the_silent_ones_are_still_asked(name, game):
    for passed in nodes(name, Decision):
        for silent in passed.node.choices:
            told = {actor: c for actor, c in passed.told.items() if actor != silent}
            followed = follow(game, Step(passed.play), Told([told]))
            assert followed.open == Decision(
                passed.node.name, {silent: passed.node.choices[silent]}
            )
            assert followed.play == passed.play


def test_an_illegal_choice_is_refused_with_a_fault_and_nothing_changes(name, game):
    """Choices of other moments of the game are tried wherever they are not legal."""
    random = Random(1)
    seen = {
        choice
        for passed in nodes(name, Decision)
        for legal in passed.node.choices.values()
        for choice in legal
    }
    seen = sorted(seen, key=repr)
    tried = 0
    for passed in nodes(name, Decision)[:120]:
        before = repr(passed.play)
        for actor, legal in passed.node.choices.items():
            foreign = [choice for choice in seen if choice not in legal]
            for choice in random.sample(foreign, min(4, len(foreign))):
                tried += 1
                with pytest.raises(Rejected) as refused:
                    follow(game, Step(passed.play), Told([{**passed.told, actor: choice}]))
                for fault in refused.value.faults:
                    assert fault.path.startswith(f"/told/0/{actor}")
                    assert fault.code
                    assert fault.detail
        assert repr(passed.play) == before
    assert tried > 10


def test_everything_wrong_at_a_node_is_reported_together(name, game):
    for passed in nodes(name, Decision)[:40]:
        strangers = {"stranger-1": object(), "stranger-2": object()}
        with pytest.raises(Rejected) as refused:
            follow(game, Step(passed.play), Told([passed.told | strangers]))
        assert [(fault.path, fault.code) for fault in refused.value.faults] == [
            ("/told/0/stranger-1", "not-deciding"),
            ("/told/0/stranger-2", "not-deciding"),
        ]


def test_who_does_not_decide_now_cannot_choose(name, game):
    actors = {actor for passed in nodes(name, Decision) for actor in passed.node.choices}
    for passed in nodes(name, Decision)[:120]:
        for idle in sorted(actors - set(passed.node.choices)):
            choice = next(iter(passed.told.values()))
            with pytest.raises(Rejected) as refused:
                follow(game, Step(passed.play), Told([{**passed.told, idle: choice}]))
            assert [fault.code for fault in refused.value.faults] == ["not-deciding"]


def test_an_impossible_draw_is_refused(name, game):
    for passed in nodes(name, Chance)[:40]:
        with pytest.raises(Rejected) as refused:
            follow(game, Step(passed.play), Told(["no such outcome"]))
        [fault] = refused.value.faults
        assert (fault.path, fault.code) == ("/told/0", "impossible-draw")


# Entries ------------------------------------------------------------------------------------

VERBS = [
    pytest.param(entry, verb, id=f"{name} {verb.name}")
    for name, entry in GAMES.items()
    for verb in entry.endpoints
]


def ask(entry, verb, body):
    return execute(entry, verb, body).document


@pytest.mark.parametrize(("entry", "verb"), VERBS)
def test_the_example_of_a_verb_is_of_its_shape(entry, verb):
    assert validate_shape(verb.request_schema(), verb.example) == (verb.example, [])


@pytest.mark.parametrize(("entry", "verb"), VERBS)
def test_the_example_of_a_verb_is_answered_in_the_shape_it_promises(entry, verb):
    assert verb.response_schema().validate(ask(entry, verb, verb.example)) == {}


@pytest.mark.parametrize(("entry", "verb"), VERBS)
def test_an_answer_is_json_and_the_same_every_time(entry, verb):
    before = copy.deepcopy(verb.example)
    answers = [json.dumps(ask(entry, verb, verb.example), allow_nan=False) for _ in range(2)]
    assert answers[0] == answers[1]
    assert verb.example == before, "a body is not written to"
    through_json = ask(entry, verb, json.loads(json.dumps(verb.example)))
    assert json.dumps(through_json, allow_nan=False) == answers[0]
    assert json.loads(answers[0]) == through_json, "nothing but JSON is in an answer"


@pytest.mark.parametrize(("entry", "verb"), VERBS)
def test_a_verb_refuses_what_it_does_not_know(entry, verb):
    with pytest.raises(Rejected) as refused:
        ask(entry, verb, verb.example | {"no-such-member": 1})
    [fault] = refused.value.faults
    assert (fault.path, fault.code) == ("/no-such-member", "unknown-field")


@pytest.mark.parametrize(("entry", "verb"), VERBS)
def test_a_verb_names_every_member_that_an_empty_body_lacks(entry, verb):
    required = {
        f"/{name}" for name, field in verb.request_schema().fields.items() if field.required
    }
    with pytest.raises(Rejected) as refused:
        ask(entry, verb, {})
    missing = {fault.path for fault in refused.value.faults if fault.code == "missing"}
    assert missing == required


@pytest.mark.parametrize("entry", GAMES.values(), ids=list(GAMES))
def test_a_game_is_registered_under_its_name_with_verbs_of_distinct_names(entry):
    assert GAMES[entry.game.name] is entry
    names = [verb.name for verb in entry.endpoints]
    assert len(set(names)) == len(names)
    assert entry.about["game"] == entry.game.name
    assert json.dumps(entry.about, allow_nan=False)


ONE_PROCESS = """
import json
from tests.conformance.test_every_game import GAMES, PLAYED, ask, walk
for name, (game, start) in PLAYED.items():
    print(name, repr(walk(game, start, 7)))
for entry in GAMES.values():
    for verb in entry.endpoints:
        print(json.dumps(ask(entry, verb, verb.example)))
"""


@pytest.mark.slow
def test_playouts_and_answers_are_the_same_in_processes_of_other_hash_seeds():
    printed = [
        subprocess.run(
            [sys.executable, "-c", ONE_PROCESS],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) > len(PLAYED)
