"""Registers Slopecrashers: its rules and endpoints."""

from __future__ import annotations

from typing import Final

from service.games.common.bodies import Bodies
from service.games.common.fields import Document
from service.games.common.turns.endpoints import turn_endpoints
from service.games.definition import GameDefinition
from service.games.slopecrashers.api import response_schema, responses, schema
from service.games.slopecrashers.api.metadata import metadata
from service.games.slopecrashers.api.requests import SlopecrashersRequests, parse_new
from service.games.slopecrashers.api.violation_codes import VIOLATION_CODES
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.rules import Slopecrashers

_ATTACKED: Final[Document] = {
    "seats": [
        {"player": "anna", "lap": 1, "row": 1, "lane": 3, "gifts": ["rocket"]},
        {"player": "hugo", "lap": 1, "row": 4, "lane": 3, "gifts": ["magnet"]},
    ],
    "turn": "anna",
    "course": ["cedar"],
}
_ATTACK: Final[Document] = {"type": "play", "gift": "rocket"}
_CLOSE: Final[Document] = {
    "seats": [
        {"player": "anna", "lap": 1, "row": 2, "lane": 1},
        {"player": "hugo", "lap": 1, "row": 3, "lane": 0},
    ],
    "turn": "anna",
    "course": ["cedar"],
}
"""Few choices, so that responses are short."""


SLOPECRASHERS: Final = GameDefinition(
    game=Slopecrashers(),
    about=metadata(),
    about_schema=response_schema.MetadataResponse,
    violation_codes=VIOLATION_CODES,
    endpoints=turn_endpoints(
        new=Bodies(
            schema.NewRequest,
            response_schema.NewResponse,
            example={"seats": [{"player": "anna"}, {"player": "hugo"}], "seed": 7},
        ),
        legal_moves=Bodies(
            schema.LegalMovesRequest,
            response_schema.LegalMovesResponse,
            example={"state": _ATTACKED, "so_far": [_ATTACK]},
        ),
        resolve=Bodies(
            schema.ResolveRequest,
            response_schema.ResolveResponse,
            example={
                "state": _ATTACKED,
                "moves": [
                    _ATTACK,
                    {"type": "answer", "player": "hugo", "magnet": True},
                    {"type": "step", "direction": "forward"},
                    {"type": "end"},
                ],
                "seed": 7,
            },
        ),
        suggest=Bodies(
            schema.SuggestRequest,
            response_schema.SuggestResponse,
            example={"state": _CLOSE, "player": "anna"},
        ),
        review=Bodies(
            schema.ReviewRequest,
            response_schema.ReviewResponse,
            example={"state": _CLOSE, "turns": [[{"type": "end"}]], "effort": "quick"},
        ),
        parse_new=parse_new,
        requests=SlopecrashersRequests(),
        responses=responses,
        search=SlopecrashersTurns(),
        drawn="gift",
    ),
)
