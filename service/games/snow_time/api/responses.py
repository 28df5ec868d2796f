"""Write the responses of Snow Time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.core.game import Decision, FollowResult
from service.core.hints import Hint, MoveValue, Question, Reason, WhatIfs
from service.core.rounding import apportion, rounded
from service.core.vocabulary import DICE
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.rounds.responses import RoundResponses
from service.games.snow_time.api import hint_schema, response_schema, review_schema
from service.games.snow_time.api.profile_messages import render_profile
from service.games.snow_time.api.reasons import headlines
from service.games.snow_time.api.reasons.consequences import Reasons
from service.games.snow_time.api.reasons.nudges import nudge_codes, nudge_sentence
from service.games.snow_time.api.reasons.sentences import reason_sentences
from service.games.snow_time.rules.resolution import POINT_KINDS, Event
from service.games.snow_time.rules.rules import (
    Dice,
    Round,
    dice_rolled,
    growth_outcomes,
    winners,
)
from service.games.snow_time.rules.state import Move, State

_NEW: Final = response_schema.NewResponse()
_GROW: Final = response_schema.GrowResponse()
_LEGAL_MOVES: Final = response_schema.LegalMovesResponse()
_RESOLVE: Final = response_schema.ResolveResponse()


class SnowTimeResponses(RoundResponses[State, Move, Dice]):
    """Writes positions, events, hints and reviews."""

    instruction = staticmethod(headlines.instruction)
    label = staticmethod(headlines.choice_label)
    in_sentence = staticmethod(headlines.in_sentence)
    explainer = staticmethod(Reasons)
    profile = staticmethod(render_profile)

    def __init__(self) -> None:
        super().__init__(hint_schema.HINT_SCHEMAS, review_schema.ReviewResponse)

    def render_new(self, state: State) -> Document:
        """Return the response of ``new``."""
        return _dump(_NEW, {"state": state})

    def render_grow(self, play: Round, dice: Dice) -> Document:
        """Return the response of ``grow``."""
        return _dump(_GROW, {"state": play.state, "dice": dice})

    def render_legal_moves(self, followed: FollowResult[Round, Move, Dice, Event]) -> Document:
        """Return the response of ``legal-moves``."""
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

    def render_resolve(self, play: Round, events: Sequence[Event]) -> Document:
        """Return the response of ``resolve``."""
        resolution = play.resolution
        assert resolution is not None, "the round must be complete"
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

    # Hints and reviews ----------------------------------------------------------------------

    def card(self, choice: Move) -> str:
        return choice.card.label

    def nudges(
        self, question: Question[State, Move], hint: Hint[Move], language: str
    ) -> list[Document]:
        codes = nudge_codes(question, hint)
        return [{"code": code, "text": nudge_sentence(code, language)} for code in codes]

    def render_reasons(
        self, reasons: Sequence[Reason], language: str, names: DisplayNames, *, of_seat: bool
    ) -> list[Document]:
        sentences = reason_sentences(reasons, language, names, of_seat=of_seat)
        return [
            {"code": reason.code, "params": reason.params, "text": sentence}
            for reason, sentence in zip(reasons, sentences, strict=True)
        ]

    def has_seats(self, question: Question[State, Move]) -> bool:
        return len(question.position.seats_of(question.player)) > 1

    def numbers(self, question: Question[State, Move], row: MoveValue[Move]) -> Document:
        measures = row.measures
        survival = {
            seat.name: _survival(measures, seat.name)
            for seat in question.position.seats_of(question.player)
        }
        return {
            "points": {kind: rounded(measures[kind]) for kind in POINT_KINDS},
            "survival": {seat: chance for seat, chance in survival.items() if chance is not None},
        }

    def rolls(self, question: Question[State, Move], what_ifs: WhatIfs[Move]) -> Document:
        if what_ifs.rolls is None:
            return {}
        outcomes = growth_outcomes(dice_rolled(question.position.supply))
        chances = apportion(chance for chance, _ in what_ifs.rolls)
        return {
            DICE: [
                {
                    "dice": dice,
                    "probability": chance,
                    "move": rolled.moves[0].move,
                    "value": rolled.expected_values[question.player],
                    "win_shares": rolled.win_shares,
                }
                for (dice, _), (_, rolled), chance in zip(
                    outcomes, what_ifs.rolls, chances, strict=True
                )
            ]
        }


def _survival(measures: Mapping[str, float], seat: str) -> float | None:
    """Return the probability that a champion of the seat returns, given that it is played."""
    played = measures[f"played:{seat}"]
    return None if not played else rounded(measures[f"survived:{seat}"] / played)


def _event(event: Event) -> Document:
    """Return the document of an event; empty fields are None, and the schema omits them."""
    return {
        "type": event.type,
        "step": event.step,
        "rule": event.rule,
        "level": event.level,
        "seats": event.seats or None,
        "fallen": event.fallen or None,
        "cards": dict(event.cards) or None,
        "awards": event.awards or None,
        "dice": event.dice or None,
    }


def _dump(answer: Any, members: Document) -> Document:
    dumped: Document = answer.dump(members)
    return dumped
