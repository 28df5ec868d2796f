"""Every event and action of Slopecrashers has the fields of its kind, and every kind occurs."""

from functools import lru_cache

from service.games.common.validation import Violations
from service.games.slopecrashers.api.requests import parse_action
from service.games.slopecrashers.api.response_schema import EventSchema
from service.games.slopecrashers.api.schema import ActionSchema
from service.games.slopecrashers.rules.gifts import GIFT_BY_LABEL
from tests import randomized
from tests.games.slopecrashers.positions import ask
from tests.games.slopecrashers.rules import test_rulings_gifts as gifts
from tests.games.slopecrashers.rules import test_rulings_movement as movement
from tests.games.unions import golden_events, misfits, never_absent, playout_turns

GAMES = ({"seats": [{"player": name} for name in "abcd"], "seed": 3},)
ATTACKED = {
    "seats": [
        {"player": "a", "lap": 1, "row": 7, "lane": 1, "gifts": ["rocket"]},
        {"player": "b", "lap": 1, "row": 9, "lane": 1, "gifts": ["magnet"]},
    ],
    "turn": "a",
    "course": ["cedar", "birch", "pine"],
}
"""Random players hardly ever attack somebody with a magnet."""
SEEDS = randomized.case_numbers(2, 6)
RARE = {
    "no-place": movement.test_s3_without_a_legal_turn_the_character_stays_off_the_board,
    "no-gift": gifts.test_s14_with_pile_and_discards_empty_nothing_is_drawn,
}
"""Events that random games hardly reach, each with the test of a ruling that reaches it.

``play`` in these tests checks the fields of all events.
"""


@lru_cache
def turns():
    print(f"seeds {SEEDS}")
    played = [each for new in GAMES for each in playout_turns("slopecrashers", new, SEEDS)]
    for magnet in (True, False):
        answer = {"type": "answer", "player": "b", "magnet": magnet}
        moves = [{"type": "play", "gift": "rocket"}, answer, {"type": "end"}]
        played.append(ask("resolve", {"state": ATTACKED, "moves": moves, "seed": 1}))
    return played


def events():
    return golden_events("slopecrashers") + [event for each in turns() for event in each["events"]]


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
    assert {action["type"] for action in actions} >= set(ActionSchema.union.values)


VALUES = {
    "probability": 0.5,
    "gift": "rocket",
    "card": "rocket",
    "direction": "forward",
    "lane": 0,
    "row": 1,
    "magnet": True,
    "player": "a",
}


def refusals(action):
    violations = Violations()
    parse_action(action, violations, "")
    return {(violation.code, violation.path.removeprefix("/")) for violation in violations}


def test_the_parser_requires_and_allows_the_fields_of_the_union():
    for name, (required, optional) in ActionSchema.union.fields.items():
        if name == "play":
            continue
        full = {"type": name} | {field: VALUES[field] for field in required | optional}
        assert refusals(full) == set()
        for field in required:
            without = {key: value for key, value in full.items() if key != field}
            assert refusals(without) == {("missing", field)}
        for field in VALUES.keys() - required - optional:
            assert refusals(full | {field: VALUES[field]}) == {("not-of-this-type", field)}


def test_the_parser_allows_a_play_the_fields_of_its_gift_out_of_those_of_the_union():
    required, optional = ActionSchema.union.fields["play"]
    assert refusals({"type": "play"}) == {("missing", field) for field in required}
    for gift in GIFT_BY_LABEL:
        base = {"type": "play", "gift": gift}
        needed = {field for _, field in refusals(base)}
        assert needed <= optional
        base |= {field: VALUES[field] for field in needed}
        assert refusals(base) == set()
        for field in VALUES.keys() - base.keys() - optional:
            assert refusals(base | {field: VALUES[field]}) == {("not-of-this-type", field)}
    used = {
        field
        for gift in GIFT_BY_LABEL
        for field in optional
        if ("not-of-this-type", field)
        not in refusals({"type": "play", "gift": gift, field: VALUES[field]})
    }
    assert used == optional, "every optional field belongs to some gift"
