"""From a hint to its answer: everything, or only what to think of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.core.hints import Further, Hint, MoveValue, Question, Reason, Search
from service.core.rounding import rounded
from service.core.vocabulary import NUDGE, SHORTLIST
from service.games.common.validation import Document
from service.games.snow_time.api import hint_schema
from service.games.snow_time.api.messages import nudge, sentence
from service.games.snow_time.api.reasons import CODES, MIN_CHANCE, reasons_of
from service.games.snow_time.api.what_ifs import write_what_ifs
from service.games.snow_time.rules.resolution import POINT_KINDS
from service.games.snow_time.rules.state import Move, State

NUDGES: Final = 2
"""At most so many."""
SHORT, LONG = 2, 4
"""Moves on a shortlist, where there are so many."""
NOTHING_MATTERS: Final = "even"

_SUGGEST = hint_schema.SuggestAnswer()
_NUDGE = hint_schema.NudgeAnswer()
_SHORTLIST = hint_schema.ShortlistAnswer()


def write_suggest(
    question: Question[State, Move], hint: Hint[Move], further: Further[Move], language: str
) -> Document:
    """The answer to a question, with sentences in a language."""
    own = [seat.name for seat in question.position.seats_of(question.player)]
    reasons = [list(reasons_of(question, hint, found)) for found in hint.moves]
    told: Document = {
        "player": question.player,
        "decision": question.decision.name,
        "search": {name: getattr(hint.search, name) for name in Search.__dataclass_fields__}
        | {"tier": question.tier},
    }
    if question.hint_level in (NUDGE, SHORTLIST):
        codes = _nudges(hint, reasons)
        told["hint_level"] = question.hint_level
        told["nudges"] = [{"code": code, "text": nudge(code, language)} for code in codes]
        if question.hint_level == NUDGE:
            return _dump(_NUDGE, told)
        return _dump(_SHORTLIST, told | {"shortlist": _shortlist(question, hint)})
    return _dump(
        _SUGGEST,
        told
        | {
            "pick": hint.pick,
            "pick_public": question.nonce is None,
            "best": hint.best,
            "moves": [
                _move_value(found, own, why, language)
                for found, why in zip(hint.moves, reasons, strict=True)
            ],
            "strategies": {
                player: [{"move": move, "probability": chance} for move, chance in mixture]
                for player, mixture in hint.strategies.items()
            },
            "outlook": hint.outlook,
            "expected": hint.expected,
            "grade": hint.grade,
            "next": further.follow_ups,
            **write_what_ifs(question, hint, further),
        },
    )


def _dump(answer: Any, members: Document) -> Document:
    dumped: Document = answer.dump(members)
    return dumped


def _move_value(
    found: MoveValue[Move], own: Sequence[str], reasons: Sequence[Reason], language: str
) -> Document:
    measures = found.measures
    of_seat = len(own) > 1
    return {
        "move": found.move,
        "value": found.value,
        "loss": found.loss,
        "probability": found.probability,
        "points": {kind: rounded(measures[kind]) for kind in POINT_KINDS},
        "survival": {seat: _survival(measures, seat) for seat in own},
        "reasons": [
            {
                "code": why.code,
                "params": why.params,
                "text": sentence(why, language, of_seat=of_seat),
            }
            for why in reasons
        ],
    }


def _survival(measures: Mapping[str, float], seat: str) -> float | None:
    """The chance that a champion of the seat, once played, returns to hand."""
    played = measures[f"played:{seat}"]
    return None if not played else rounded(measures[f"survived:{seat}"] / played)


def _nudges(hint: Hint[Move], reasons: Sequence[Sequence[Reason]]) -> list[str]:
    """What the own strategy has to do with most often, the first codes first among equals."""
    often = dict.fromkeys(CODES, 0.0)
    for found, why in zip(hint.moves, reasons, strict=True):
        for code in {reason.code for reason in why}:
            often[code] += found.probability
    told = sorted((code for code in CODES if often[code] > MIN_CHANCE), key=lambda c: -often[c])
    return told[:NUDGES] or [NOTHING_MATTERS]


def _shortlist(question: Question[State, Move], hint: Hint[Move]) -> list[Mapping[str, Move]]:
    """The moves worth a thought, in deck order so that the best does not stand out."""

    def place(found: MoveValue[Move]) -> list[int]:
        choices = question.decision.choices
        return [list(choices[seat]).index(move) for seat, move in found.move.items()]

    likely = sorted(hint.moves, key=lambda found: -found.probability)
    played = [found for found in likely if found.probability >= MIN_CHANCE]
    chosen = {id(found): found for found in (hint.moves[0], *played)}
    for found in hint.moves:
        if len(chosen) >= SHORT:
            break
        chosen.setdefault(id(found), found)
    return [found.move for found in sorted(list(chosen.values())[:LONG], key=place)]
