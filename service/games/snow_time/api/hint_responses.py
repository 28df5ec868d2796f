"""Render a hint as a response: everything, a shortlist, or nudges only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from service.core.advice import MIN_PLAYED
from service.core.hints import Hint, MoveValue, Question, Reason, Search, WhatIfs
from service.core.rounding import rounded
from service.core.vocabulary import BRIEF, CARD, FACTS, NUDGE, SHORTLIST
from service.games.common.brief_hints import brief
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.snow_time.api import hint_schema
from service.games.snow_time.api.profile_messages import render_profile
from service.games.snow_time.api.reasons.consequences import Reasons
from service.games.snow_time.api.reasons.headlines import advice
from service.games.snow_time.api.reasons.nudges import nudge_codes, nudge_sentence
from service.games.snow_time.api.reasons.sentences import reason_sentences
from service.games.snow_time.api.what_ifs import render_what_ifs
from service.games.snow_time.rules.resolution import POINT_KINDS
from service.games.snow_time.rules.state import Move, State

MIN_SHORTLIST, MAX_SHORTLIST = 2, 4
"""Number of moves on a shortlist; fewer only if there are fewer legal moves."""
_SCHEMAS = {level: schema() for level, schema in hint_schema.HINT_SCHEMAS.items()}


def render_suggest(
    question: Question[State, Move],
    hint: Hint[Move],
    what_ifs: WhatIfs[Move],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the response of ``suggest`` with texts in the given language."""
    state = question.position
    own = [seat.name for seat in state.seats_of(question.player)]
    response: Document = {
        "player": question.player,
        "decision": question.decision.name,
        "hint_level": question.hint_level,
        "search": _search(question, hint.search),
    }
    if question.hint_level in (NUDGE, SHORTLIST):
        codes = nudge_codes(question, hint)
        response["nudges"] = [
            {"code": code, "text": nudge_sentence(code, language)} for code in codes
        ]
        if question.hint_level == NUDGE:
            return _dump(_SCHEMAS[NUDGE], response)
        return _dump(_SCHEMAS[SHORTLIST], response | {"shortlist": _shortlist(question, hint)})
    reasons, with_facts = Reasons(question, hint), FACTS in question.include
    render = partial(render_reasons, language=language, names=names, of_seat=len(own) > 1)
    document = _dump(
        _SCHEMAS[CARD],
        response
        | {
            "advice": advice(question, hint, language, names),
            "pick": hint.pick,
            "pick_public": question.nonce is None,
            "pick_index": hint.pick_index,
            "moves": [
                _move_value(row, own)
                | {"reasons": render(reasons.of(row))}
                | ({"facts": render(reasons.facts(row))} if with_facts else {})
                for row in hint.moves
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
    return brief(document) if question.detail == BRIEF else document


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


def _move_value(row: MoveValue[Move], own: Sequence[str]) -> Document:
    measures, comparison = row.measures, row.comparison
    return {
        "move": row.move,
        "value": row.value,
        "loss": row.loss,
        "probability": row.probability,
        "points": {kind: rounded(measures[kind]) for kind in POINT_KINDS},
        "survival": {
            seat: chance for seat in own if (chance := _survival(measures, seat)) is not None
        },
        "comparison": comparison
        and {
            "move": comparison.other,
            "difference": comparison.difference,
            "parts": comparison.parts,
        },
    }


def render_reasons(
    reasons: Sequence[Reason], language: str, names: DisplayNames, *, of_seat: bool
) -> list[Document]:
    sentences = reason_sentences(reasons, language, names, of_seat=of_seat)
    return [
        {"code": reason.code, "params": reason.params, "text": sentence}
        for reason, sentence in zip(reasons, sentences, strict=True)
    ]


def _survival(measures: Mapping[str, float], seat: str) -> float | None:
    """Return the probability that a champion of the seat returns, given that it is played."""
    played = measures[f"played:{seat}"]
    return None if not played else rounded(measures[f"survived:{seat}"] / played)


def _shortlist(question: Question[State, Move], hint: Hint[Move]) -> list[Mapping[str, Move]]:
    """Return the moves worth considering, with the pick, in deck order to hide the best one."""

    def deck_order(row: MoveValue[Move]) -> list[int]:
        choices = question.decision.choices
        return [list(choices[seat]).index(move) for seat, move in row.move.items()]

    by_probability = sorted(hint.moves, key=lambda row: -row.probability)
    played = [row for row in by_probability if row.probability >= MIN_PLAYED]
    recommended, _ = hint.good_and_bad
    pick = hint.moves[hint.pick_index]
    chosen = {id(row): row for row in (hint.moves[0], pick, *played, *recommended)}
    for row in hint.moves:
        if len(chosen) >= MIN_SHORTLIST:
            break
        chosen.setdefault(id(row), row)
    return [row.move for row in sorted(list(chosen.values())[:MAX_SHORTLIST], key=deck_order)]
