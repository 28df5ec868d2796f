"""The parser takes actions of Snowcrest with the fields of their kind."""

from service.games.common.validation import Violations
from service.games.snowcrest.api.requests import parse_action
from service.games.snowcrest.api.schema import ActionSchema


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
