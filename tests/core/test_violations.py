"""Violations as data."""

import pytest

from service.core.violations import (
    GAME_OVER,
    INVALID_BODY,
    NOTHING_TO_DECIDE,
    Rejected,
    Violation,
    pointer,
)


def test_a_pointer_is_escaped_as_in_rfc_6901():
    assert pointer() == ""
    assert pointer("state", "seats", 0) == "/state/seats/0"
    tokens = {"": "/", "a/b": "/a~1b", "m~n": "/m~0n", "~1": "/~01"}
    assert {token: pointer(token) for token in tokens} == tokens


def test_under_changes_only_the_path_of_a_violation():
    violation = Violation("/recover", "illegal-recovery", "Not these.", "R4")
    under = Violation("/moves/a/recover", "illegal-recovery", "Not these.", "R4")
    assert violation.under("/moves/a") == under
    assert violation.path == "/recover"


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ([GAME_OVER], GAME_OVER),
        ([NOTHING_TO_DECIDE] * 2, NOTHING_TO_DECIDE),
        (["out-of-range"], INVALID_BODY),
        ([NOTHING_TO_DECIDE, "out-of-range"], INVALID_BODY),
        ([NOTHING_TO_DECIDE, GAME_OVER], GAME_OVER),
        # A finished game is over, whatever else is wrong.
        (["out-of-range", GAME_OVER], GAME_OVER),
    ],
)
def test_refusal_codes_have_precedence_and_other_codes_make_the_body_invalid(codes, code):
    assert Rejected([Violation("", each, "No.") for each in codes]).code == code


def test_a_rejection_has_all_violations_in_order():
    violations = (Violation("/b", "missing", "No b."), Violation("", "dice-or-seed", "Both."))
    refused = Rejected(iter(violations))
    assert refused.violations == violations
    assert str(refused) == "/b: missing; /: dice-or-seed"


def test_a_rejection_without_violations_is_a_programming_error():
    with pytest.raises(AssertionError):
        Rejected([])
