"""Faults as values."""

import pytest

from service.core.violations import (
    GAME_OVER,
    INVALID_BODY,
    NOTHING_TO_DECIDE,
    Rejected,
    Violation,
    pointer,
)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ((), ""),
        (("state", "seats", 0), "/state/seats/0"),
        (("",), "/"),
        (("a/b",), "/a~1b"),
        (("m~n",), "/m~0n"),
        (("~1",), "/~01"),
    ],
)
def test_a_pointer_is_escaped_as_rfc_6901_says(tokens, expected):
    assert pointer(*tokens) == expected


def test_a_fault_seen_from_further_out_has_a_longer_path_and_nothing_else():
    fault = Violation("/recover", "illegal-recovery", "Not these.", "R4")
    assert fault.under("/moves/a") == Violation(
        "/moves/a/recover", "illegal-recovery", "Not these.", "R4"
    )
    assert fault.path == "/recover"


def test_a_refusal_for_one_reason_that_has_its_own_code_takes_that_code():
    assert Rejected([Violation("/state", GAME_OVER, "Over.")]).code == GAME_OVER
    twice = [Violation("/a", NOTHING_TO_DECIDE, "No."), Violation("/b", NOTHING_TO_DECIDE, "No.")]
    assert Rejected(twice).code == NOTHING_TO_DECIDE


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        (["out-of-range"], INVALID_BODY),
        ([NOTHING_TO_DECIDE, "out-of-range"], INVALID_BODY),
        ([NOTHING_TO_DECIDE, GAME_OVER], GAME_OVER),
        # A finished game is over, whatever else is asked of it.
        (["out-of-range", GAME_OVER], GAME_OVER),
    ],
)
def test_the_foremost_refusal_gives_the_code_and_any_fault_else_makes_the_body_invalid(codes, code):
    assert Rejected([Violation("", found, "No.") for found in codes]).code == code


def test_a_refusal_keeps_every_fault_in_order_and_names_them():
    faults = (Violation("/b", "missing", "No b."), Violation("", "dice-or-seed", "Both."))
    refused = Rejected(iter(faults))
    assert refused.violations == faults
    assert str(refused) == "/b: missing; /: dice-or-seed"


def test_a_refusal_without_a_fault_is_a_programming_error():
    with pytest.raises(AssertionError):
        Rejected([])
