"""The parser takes actions of Slopecrashers with the fields of their kind."""

from service.games.common.validation import Violations
from service.games.slopecrashers.api.requests import parse_action
from service.games.slopecrashers.api.schema import ActionSchema
from service.games.slopecrashers.rules.gifts import GIFT_BY_LABEL

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
        if name != "play":
            full = {"type": name} | {field: VALUES[field] for field in required | optional}
            assert refusals(full) == set()
            for field in required:
                without = {key: value for key, value in full.items() if key != field}
                assert refusals(without) == {("missing", field)}
            for field in VALUES.keys() - required - optional:
                assert refusals(full | {field: VALUES[field]}) == {("not-of-this-type", field)}


def test_the_parser_allows_a_play_the_fields_of_its_gift_out_of_those_of_the_union():
    (required, optional), used = ActionSchema.union.fields["play"], set()
    assert refusals({"type": "play"}) == {("missing", field) for field in required}
    for gift in GIFT_BY_LABEL:
        base = {"type": "play", "gift": gift}
        needed = {field for _, field in refusals(base)}
        assert needed <= optional
        base |= {field: VALUES[field] for field in needed}
        assert refusals(base) == set()
        for field in VALUES.keys() - base.keys():
            refused = refusals(base | {field: VALUES[field]})
            assert refused <= {("not-of-this-type", field)}
            used |= {field} - {field for _, field in refused}
        used |= needed
    assert used == optional, "every optional field belongs to some gift"
