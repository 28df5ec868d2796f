"""Render a hint as a response: everything, a shortlist, or nudges only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.core.hints import Hint, MoveValue, Question, Reason, Search, WhatIfs
from service.core.rounding import rounded
from service.core.vocabulary import NUDGE, SHORTLIST
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.snow_time.api import hint_schema
from service.games.snow_time.api.messages import nudge, sentence
from service.games.snow_time.api.profile_messages import render_profile
from service.games.snow_time.api.reasons import MIN_CHANCE, REASON_CODES, reasons_of
from service.games.snow_time.api.what_ifs import render_what_ifs
from service.games.snow_time.rules.resolution import POINT_KINDS
from service.games.snow_time.rules.state import Move, State

MAX_NUDGES: Final = 2
MIN_SHORTLIST, MAX_SHORTLIST = 2, 4
"""Number of moves on a shortlist; fewer only if there are fewer legal moves."""
NO_DIFFERENCE: Final = "even"
"""Nudge code if no reason stands out."""

_CARD = hint_schema.CardHint()
_NUDGE = hint_schema.NudgeHint()
_SHORTLIST = hint_schema.ShortlistHint()


def render_suggest(
    question: Question[State, Move],
    hint: Hint[Move],
    what_ifs: WhatIfs[Move],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the response of ``suggest`` with texts in the given language."""
    own = [seat.name for seat in question.position.seats_of(question.player)]
    reasons = [list(reasons_of(question, hint, row)) for row in hint.moves]
    response: Document = {
        "player": question.player,
        "decision": question.decision.name,
        "hint_level": question.hint_level,
        "search": _search(question, hint.search),
    }
    if question.hint_level in (NUDGE, SHORTLIST):
        codes = _nudges(hint, reasons)
        response["nudges"] = [{"code": code, "text": nudge(code, language)} for code in codes]
        if question.hint_level == NUDGE:
            return _dump(_NUDGE, response)
        return _dump(_SHORTLIST, response | {"shortlist": _shortlist(question, hint)})
    return _dump(
        _CARD,
        response
        | {
            "pick": hint.pick,
            "pick_public": question.nonce is None,
            "pick_index": hint.pick_index,
            "moves": [
                _move_value(row, own, row_reasons, language, names)
                for row, row_reasons in zip(hint.moves, reasons, strict=True)
            ],
            "strategies": {
                player: [{"move": move, "probability": chance} for move, chance in mixture]
                for player, mixture in hint.strategies.items()
            },
            "win_shares": hint.win_shares,
            "expected_values": hint.expected_values,
            "grade": hint.grade,
            **({"opponents": _opponents(hint, language)} if hint.profiles else {}),
            "next": what_ifs.follow_ups,
            **render_what_ifs(question, hint, what_ifs),
        },
    )


def _search(question: Question[State, Move], search: Search) -> Document:
    document = {
        "method": search.method,
        "depth": search.depth,
        "effort": question.effort,
        "exact": search.exact,
        "complete": search.complete,
        "nodes": search.nodes,
        "unsearched": search.unsearched,
        "evaluator": search.evaluator,
    }
    if search.epsilon is not None:
        document["epsilon"] = search.epsilon
    if search.quantal_residual is not None:
        document["quantal_residual"] = search.quantal_residual
    if search.learned is not None:
        learned = search.learned
        document |= {
            "trust": learned.trust,
            "risk": learned.risk,
            "library": learned.library,
        }
    return document


def _opponents(hint: Hint[Move], language: str) -> Document:
    """Return how each other player plays."""
    return {player: render_profile(own, language) for player, own in hint.profiles.items()}


def _dump(answer: Any, members: Document) -> Document:
    dumped: Document = answer.dump(members)
    return dumped


def _move_value(
    row: MoveValue[Move],
    own: Sequence[str],
    reasons: Sequence[Reason],
    language: str,
    names: DisplayNames,
) -> Document:
    measures = row.measures
    of_seat = len(own) > 1
    return {
        "move": row.move,
        "value": row.value,
        "loss": row.loss,
        "probability": row.probability,
        "points": {kind: rounded(measures[kind]) for kind in POINT_KINDS},
        "survival": {
            seat: chance for seat in own if (chance := _survival(measures, seat)) is not None
        },
        "reasons": [
            {
                "code": reason.code,
                "params": reason.params,
                "text": sentence(reason, language, names, of_seat=of_seat),
            }
            for reason in reasons
        ],
    }


def _survival(measures: Mapping[str, float], seat: str) -> float | None:
    """Return the probability that a champion of the seat returns, given that it is played."""
    played = measures[f"played:{seat}"]
    return None if not played else rounded(measures[f"survived:{seat}"] / played)


def _nudges(hint: Hint[Move], reasons: Sequence[Sequence[Reason]]) -> list[str]:
    """Return the most frequent reason codes under the strategy; ties in code order."""
    frequency = dict.fromkeys(REASON_CODES, 0.0)
    for row, row_reasons in zip(hint.moves, reasons, strict=True):
        for code in {reason.code for reason in row_reasons}:
            frequency[code] += row.probability
    frequent = [code for code in REASON_CODES if frequency[code] > MIN_CHANCE]
    return sorted(frequent, key=lambda code: -frequency[code])[:MAX_NUDGES] or [NO_DIFFERENCE]


def _shortlist(question: Question[State, Move], hint: Hint[Move]) -> list[Mapping[str, Move]]:
    """Return the moves worth considering, in deck order to hide the best one."""

    def deck_order(row: MoveValue[Move]) -> list[int]:
        choices = question.decision.choices
        return [list(choices[seat]).index(move) for seat, move in row.move.items()]

    by_probability = sorted(hint.moves, key=lambda row: -row.probability)
    played = [row for row in by_probability if row.probability >= MIN_CHANCE]
    chosen = {id(row): row for row in (hint.moves[0], *played)}
    for row in hint.moves:
        if len(chosen) >= MIN_SHORTLIST:
            break
        chosen.setdefault(id(row), row)
    return [row.move for row in sorted(list(chosen.values())[:MAX_SHORTLIST], key=deck_order)]
