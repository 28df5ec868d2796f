"""Slopecrashers' place in the service: its rules and its routes."""

from __future__ import annotations

from typing import Final

from service.games.common.validation import Document
from service.games.definition import (
    GameDefinition,
    LegalMoves,
    New,
    Resolve,
    ReviewTurns,
    SuggestTurn,
)
from service.games.slopecrashers.api import questions, requests, response_schema, responses, schema
from service.games.slopecrashers.api.about import about
from service.games.slopecrashers.api.codes import VIOLATION_CODES
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.turn import Turn

_WORKED_EXAMPLE: Final[Document] = {
    "seats": [
        {"player": "anna", "lap": 1, "row": 7, "lane": 1, "gifts": ["rocket", "spring"]},
        {"player": "hugo", "lap": 1, "row": 9, "lane": 1, "gifts": ["magnet"]},
        {"player": "nina", "lap": 1, "row": 7, "lane": 2},
        {"player": "vincent", "lap": 1, "row": 4, "lane": 0, "gifts": ["unknown"]},
    ],
    "turn": "anna",
    "course": ["cedar", "birch", "pine", "alder", "larch", "fir"],
    "discards": ["chili", "black-ice"],
    "snowmen": [{"row": 10, "lane": 0}],
}
_WORKED_TURN: Final = [
    {"type": "play", "gift": "rocket"},
    {"type": "answer", "player": "hugo", "magnet": True},
    {"type": "step", "direction": "forward"},
    {"type": "step", "direction": "right"},
    {"type": "end"},
]


def _players(turn: Turn) -> tuple[str, ...]:
    return turn.state.players


SLOPECRASHERS: Final = GameDefinition(
    game=Slopecrashers(),
    about=about(),
    about_schema=response_schema.AboutAnswer,
    violation_codes=VIOLATION_CODES,
    endpoints=(
        New(
            name="new",
            summary="Set up a game",
            request_schema=schema.NewRequest,
            response_schema=response_schema.NewAnswer,
            example={"seats": [{"player": "anna"}, {"player": "hugo"}], "seed": 7},
            parse=requests.read_new,
            render=responses.write_new,
        ),
        LegalMoves(
            name="legal-moves",
            summary="What whoever has to decide next may do, or the gift that is to be drawn",
            request_schema=schema.LegalMovesRequest,
            response_schema=response_schema.LegalMovesAnswer,
            example={"state": _WORKED_EXAMPLE, "so_far": [{"type": "play", "gift": "rocket"}]},
            parse=requests.read_legal_moves,
            render=responses.write_legal_moves,
        ),
        Resolve(
            name="resolve",
            summary="Resolve a turn",
            request_schema=schema.ResolveRequest,
            response_schema=response_schema.ResolveAnswer,
            example={
                "state": _WORKED_EXAMPLE,
                "moves": _WORKED_TURN,
                "seed": 7,
            },
            parse=requests.read_resolve,
            render=responses.write_resolve,
        ),
        SuggestTurn(
            name="suggest",
            summary="A hint for whoever has to decide next",
            request_schema=schema.SuggestRequest,
            response_schema=response_schema.SuggestAnswer,
            example={
                "state": _WORKED_EXAMPLE,
                "player": "anna",
                "chosen": {"type": "play", "gift": "rocket"},
            },
            search_game=SlopecrashersTurns(),
            players=_players,
            parse=questions.read_suggest,
            render=responses.write_suggest,
        ),
        ReviewTurns(
            name="review",
            summary="What each decision of a game was worth, and what luck did",
            request_schema=schema.ReviewRequest,
            response_schema=response_schema.SlopesReviewAnswer,
            example={
                "state": _WORKED_EXAMPLE,
                "turns": [
                    [*_WORKED_TURN[:3], {"type": "draw", "card": "chili"}, *_WORKED_TURN[3:]],
                    [{"type": "step", "direction": "forward"}, {"type": "end"}],
                ],
                "tier": "quick",
            },
            search_game=SlopecrashersTurns(),
            parse=questions.read_review,
            render=responses.write_reviewed,
        ),
    ),
)
