"""The history of a question: what is known about earlier rounds."""

from __future__ import annotations

from typing import Any

import pytest

from service.core.hints import ObservedRound
from service.core.violations import Violation
from service.games.common.validation import INVALID, Violations
from service.games.snow_time.api.requests import SnowTimeRequests
from service.games.snow_time.rules.state import Card, Move, State

AT = "/opponents/history"


def state(*hands: str, **changes: Any) -> dict[str, Any]:
    """Return a position of red, blue and green with these hands."""
    labels = {"h": "healer", "w": "watcher", "b": "blizzard"}
    seats = [
        {"seat": name, "score": 5, "hand": [labels.get(card, card) for card in hand]}
        for name, hand in zip(("red", "blue", "green"), hands, strict=True)
    ]
    return {"seats": seats, "fruit": [1, 0, 0, 0, 0, 0]} | changes


def read(*entries: Any) -> tuple[tuple[ObservedRound[State, Move], ...], list[Violation]]:
    violations = Violations()
    return SnowTimeRequests().read_history(list(entries), violations, AT), list(violations)


def test_a_round_with_all_moves_has_all_its_decisions():
    moves = {
        "red": {"card": "watcher", "then": {"card": "6"}},
        "blue": {"card": "healer", "recover": ["3"]},
        "green": {"card": "5"},
    }
    [[cards, watcher, healer]], violations = read(
        {"state": state("6wh", "12h", "5h"), "moves": moves}
    )
    assert violations == []
    assert [each.decision.name for each in (cards, watcher, healer)] == [
        "card",
        "watcher",
        "healer",
    ]
    assert cards.revealed == {}
    assert cards.choices == {
        "red": Move(Card.WATCHER),
        "blue": Move(Card.HEALER),
        "green": Move(Card.FIVE),
    }
    assert set(watcher.choices) == {"red"}
    assert set(healer.choices) == {"blue"}
    assert healer.revealed["red"] == Move(Card.WATCHER, Move(Card.SIX))


@pytest.mark.parametrize("known", [("red",), ("blue", "green")])
def test_a_round_with_some_moves_has_its_card_decision(known: tuple[str, ...]):
    moves = {"red": {"card": "6"}, "blue": {"card": "1"}, "green": {"card": "5"}}
    entry = {
        "state": state("6wh", "12h", "5h"),
        "moves": {name: moves[name] for name in known},
    }
    [[cards]], violations = read(entry)
    assert violations == []
    assert set(cards.choices) == set(known)
    assert set(cards.decision.choices) == {"red", "blue", "green"}


def test_a_move_may_be_known_by_its_card_alone():
    moves = {"red": {"card": "watcher"}, "blue": {"card": "1"}, "green": {"card": "5"}}
    [[cards]], violations = read({"state": state("6wh", "12h", "5h"), "moves": moves})
    assert violations == []
    assert cards.choices["red"] == Move(Card.WATCHER)


def test_of_two_watchers_one_may_be_known():
    moves = {
        "red": {"card": "watcher", "then": {"card": "6"}},
        "blue": {"card": "watcher"},
        "green": {"card": "5"},
    }
    [[_, watchers]], violations = read({"state": state("6wh", "12wh", "5h"), "moves": moves})
    assert violations == []
    assert set(watchers.decision.choices) == {"red", "blue"}
    assert watchers.choices == {"red": Move(Card.WATCHER, Move(Card.SIX))}


def test_rounds_are_independent_and_every_violation_has_its_place():
    good = {"state": state("6wh", "12h", "5h"), "moves": {"red": {"card": "6"}}}
    rounds, violations = read(
        good,
        {"state": state("6wh", "12h", "5h", fruit=[9, 9, 0, 0, 0, 0]), "moves": {}},
        INVALID,
        {
            "state": state("6wh", "12h", "5h"),
            "moves": {"red": {"card": "7"}, "pink": {"card": "1"}},
        },
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
    rounds, [violation] = read({"state": over, "moves": {"red": {"card": "6"}}})
    assert rounds == ()
    assert (violation.path, violation.code) == (f"{AT}/0/state", "game-over")
