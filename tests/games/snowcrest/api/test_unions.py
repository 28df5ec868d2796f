"""Every event and action of Snowcrest has the fields of its kind, and every kind occurs."""

from functools import lru_cache

from service.games.common.validation import Violations
from service.games.snowcrest.api.requests import parse_action
from service.games.snowcrest.api.response_schema import EventSchema
from service.games.snowcrest.api.schema import ActionSchema
from tests import randomized
from tests.games.snowcrest.rules import test_rulings_end as at_end
from tests.games.snowcrest.rules import test_rulings_turns as in_turns
from tests.games.unions import golden_events, misfits, never_absent, playout_turns

GAMES = (
    {"seats": [{"player": name} for name in "abc"], "seed": 7},
    {"seats": [{"player": "a"}], "seed": 4, "difficulty": 2},
)
SEEDS = randomized.case_numbers(2, 6)
RARE = {
    "pass": in_turns.test_c3_a_player_who_can_neither_activate_nor_play_passes,
    "reveal": at_end.test_c11_unknown_hands_are_revealed_at_the_end,
}
"""Events that random games hardly reach, each with the test of a ruling that reaches it.

``play`` in these tests checks the fields of all events.
"""


@lru_cache
def turns():
    print(f"seeds {SEEDS}")
    return [each for new in GAMES for each in playout_turns("snowcrest", new, SEEDS)]


def events():
    return golden_events("snowcrest") + [event for each in turns() for event in each["events"]]


def test_every_event_has_the_fields_of_its_kind():
    assert misfits(events(), EventSchema.union) == set()


def test_every_kind_of_event_occurs_in_a_game_or_in_the_test_of_a_ruling():
    met = {event["type"] for event in events()}
    assert set(EventSchema.union.values) - met <= set(RARE)
    assert all(callable(test) for test in RARE.values())


def test_an_optional_field_of_an_event_is_absent_from_some():
    assert never_absent(events(), EventSchema.union) == set()


def test_every_recorded_action_has_the_fields_of_its_kind():
    actions = [action for each in turns() for action in each["moves"]]
    assert misfits(actions, ActionSchema.union) == set()
    assert {action["type"] for action in actions} >= set(ActionSchema.union.values) - {"pass"}


def refusals(action):
    violations = Violations()
    parse_action(action, None, violations, "")
    return {(violation.code, violation.path.removeprefix("/")) for violation in violations}


def test_the_parser_requires_and_allows_the_fields_of_the_union():
    everything = {
        field for fields in ActionSchema.union.fields.values() for field in fields[0] | fields[1]
    }
    for name, (required, optional) in ActionSchema.union.fields.items():
        full = {"type": name} | dict.fromkeys(required | optional, 0)
        assert refusals(full) == set()
        assert refusals({"type": name}) == {("missing", field) for field in required}
        for field in everything - required - optional:
            assert refusals(full | {field: 0}) == {("not-of-this-type", field)}
