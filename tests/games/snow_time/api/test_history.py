"""The history of a question: what is known about earlier rounds."""

from __future__ import annotations

from typing import Any

import pytest

from service.core.hints import ObservedRound
from service.core.violations import Violation
from service.games.common.validation import INVALID, Violations
from service.games.snow_time.api.requests import SnowTimeRequests
from service.games.snow_time.rules.state import Move, State
from tests.games.snow_time.positions import move, move_document, seat_document

AT = "/opponents/history"
NAMES = ("red", "blue", "green")


def state(*hands: str, **changes: Any) -> dict[str, Any]:
    """Return a position of red, blue and green with these hands."""
    seats = [seat_document(name, hand, 5) for name, hand in zip(NAMES, hands, strict=True)]
    return {"seats": seats, "fruit": [1, 0, 0, 0, 0, 0]} | changes


def moves(*words: str) -> dict[str, Any]:
    """Return the moves of the first seats."""
    return dict(zip(NAMES, map(move_document, words), strict=False))


def read(*entries: Any) -> tuple[tuple[ObservedRound[State, Move], ...], list[Violation]]:
    violations = Violations()
    return SnowTimeRequests().read_history(list(entries), violations, AT), list(violations)


def test_a_round_with_all_moves_has_all_its_decisions():
    entry = {"state": state("6wh", "12h", "5h"), "moves": moves("w6", "h:3", "5")}
    [[cards, watcher, healer]], violations = read(entry)
    assert violations == []
    names = [each.decision.name for each in (cards, watcher, healer)]
    assert names == ["card", "watcher", "healer"]
    assert cards.revealed == {}
    assert cards.choices == {"red": move("w"), "blue": move("h"), "green": move("5")}
    assert set(watcher.choices) == {"red"}
    assert set(healer.choices) == {"blue"}
    assert healer.revealed["red"] == move("w6")


@pytest.mark.parametrize("known", [("red",), ("blue", "green")])
def test_a_round_with_some_moves_has_its_card_decision(known: tuple[str, ...]):
    given = {name: own for name, own in moves("6", "1", "5").items() if name in known}
    [[cards]], violations = read({"state": state("6wh", "12h", "5h"), "moves": given})
    assert violations == []
    assert set(cards.choices) == set(known)
    assert set(cards.decision.choices) == set(NAMES)


def test_a_move_may_be_known_by_its_card_alone():
    [[cards]], violations = read(
        {"state": state("6wh", "12h", "5h"), "moves": moves("w", "1", "5")}
    )
    assert violations == []
    assert cards.choices["red"] == move("w")


def test_of_two_watchers_one_may_be_known():
    entry = {"state": state("6wh", "12wh", "5h"), "moves": moves("w6", "w", "5")}
    [[_, watchers]], violations = read(entry)
    assert violations == []
    assert set(watchers.decision.choices) == {"red", "blue"}
    assert watchers.choices == {"red": move("w6")}


def test_rounds_are_independent_and_every_violation_has_its_place():
    table = state("6wh", "12h", "5h")
    good = {"state": table, "moves": moves("6")}
    rounds, violations = read(
        good,
        {"state": table | {"fruit": [9, 9, 0, 0, 0, 0]}, "moves": {}},
        INVALID,
        {"state": table, "moves": moves("7") | {"pink": {"card": "1"}}},
        {"state": state("6w", "12h", "5h"), "moves": {}},
        good,
    )
    assert len(rounds) == 2
    assert [(violation.path, violation.code) for violation in violations] == [
        (f"{AT}/1/state/fruit", "too-much-fruit"),
        (f"{AT}/3/moves/red/card", "card-not-in-hand"),
        (f"{AT}/3/moves/pink", "unknown-seat"),
        (f"{AT}/4/state/seats/0/hand", "healer-missing"),
    ]
    assert read(good)[0] == rounds[:1]


def test_a_finished_game_is_no_earlier_round():
    over = state("6wh", "12h", "5h", track={"length": 5, "bonuses": []})
    rounds, [violation] = read({"state": over, "moves": moves("6")})
    assert rounds == ()
    assert (violation.path, violation.code) == (f"{AT}/0/state", "game-over")
