"""From results to the bodies of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.core.hint import Hint, MoveValue, Question, Search
from service.core.play import Decision, Followed
from service.core.rounding import rounded
from service.games.reading import Document
from service.games.snow_time import answer_schema
from service.games.snow_time.resolution import POINT_KINDS, Event
from service.games.snow_time.rules import Dice, Round, winners
from service.games.snow_time.state import Move, State

_NEW = answer_schema.NewAnswer()
_GROW = answer_schema.GrowAnswer()
_LEGAL_MOVES = answer_schema.LegalMovesAnswer()
_RESOLVE = answer_schema.ResolveAnswer()
_SUGGEST = answer_schema.SuggestAnswer()


def write_new(state: State) -> Document:
    return _dump(_NEW, {"state": state})


def write_grow(play: Round, dice: Dice) -> Document:
    return _dump(_GROW, {"state": play.state, "dice": dice})


def write_legal_moves(followed: Followed[Round, Move, Dice, Event]) -> Document:
    node = followed.open
    decision = node if isinstance(node, Decision) else Decision("none", {})
    return _dump(
        _LEGAL_MOVES,
        {
            "decision": decision.name,
            "moves": decision.choices,
            "game_over": bool(winners(followed.play.state)),
        },
    )


def write_resolve(play: Round, events: Sequence[Event]) -> Document:
    resolution = play.resolution
    assert resolution is not None, "only a complete round is written"
    state = resolution.state
    won = winners(state)
    return _dump(
        _RESOLVE,
        {
            "state": state,
            "events": [_event(event) for event in events],
            "points": {
                seat.name: points
                for seat, points in zip(state.seats, resolution.points, strict=True)
            },
            "game_over": bool(won),
            "winners": won,
            "winning_seats": [
                seat.name for seat in state.seats if seat.score == state.board.length
            ],
        },
    )


def _event(event: Event) -> Document:
    """An event's members as far as they say something."""
    told: Document = {"type": event.type, "step": event.step, "rule": event.rule}
    told["level"] = event.level
    told["seats"] = event.seats or None
    told["fallen"] = event.fallen or None
    told["cards"] = dict(event.cards) or None
    told["awards"] = event.awards or None
    told["dice"] = event.dice or None
    return told


def _dump(answer: Any, members: Document) -> Document:
    dumped: Document = answer.dump(members)
    return dumped


def write_suggest(question: Question[State, Move], hint: Hint[Move]) -> Document:
    own = [seat.name for seat in question.position.seats_of(question.player)]
    return _dump(
        _SUGGEST,
        {
            "player": question.player,
            "decision": question.decision.name,
            "pick": hint.pick,
            "pick_public": question.nonce is None,
            "best": hint.best,
            "moves": [_move_value(found, own) for found in hint.moves],
            "strategies": {
                player: [{"move": move, "probability": chance} for move, chance in mixture]
                for player, mixture in hint.strategies.items()
            },
            "outlook": hint.outlook,
            "expected": hint.expected,
            "grade": hint.grade,
            "search": {name: getattr(hint.search, name) for name in Search.__dataclass_fields__}
            | {"tier": question.tier},
        },
    )


def _move_value(found: MoveValue[Move], own: Sequence[str]) -> Document:
    measures = found.measures
    return {
        "move": found.move,
        "value": found.value,
        "loss": found.loss,
        "probability": found.probability,
        "points": {kind: rounded(measures[kind]) for kind in POINT_KINDS},
        "survival": {seat: _survival(measures, seat) for seat in own},
        "reasons": [],
    }


def _survival(measures: Mapping[str, float], seat: str) -> float | None:
    """The chance that a champion of the seat, once played, returns to hand."""
    played = measures[f"played:{seat}"]
    return None if not played else rounded(measures[f"survived:{seat}"] / played)
