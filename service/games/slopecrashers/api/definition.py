"""Registers Slopecrashers: its rules and endpoints."""

from __future__ import annotations

from typing import Final

from service.games.common.fields import Document
from service.games.common.turn_endpoints import Bodies, turn_endpoints
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
    "course": ["cedar", "fir"],
}
_WORKED_TURN: Final = [
    {"type": "play", "gift": "rocket"},
    {"type": "answer", "player": "hugo", "magnet": True},
    {"type": "step", "direction": "forward"},
    {"type": "step", "direction": "right"},
    {"type": "end"},
]


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
            example={"state": _ATTACKED, "so_far": [{"type": "play", "gift": "rocket"}]},
        ),
        resolve=Bodies(
            schema.ResolveRequest,
            response_schema.ResolveResponse,
            example={
                "state": _ATTACKED,
                "moves": [*_WORKED_TURN[:3], {"type": "end"}],
                "seed": 7,
            },
        ),
        suggest=Bodies(
            schema.SuggestRequest,
            response_schema.SuggestResponse,
            example={
                "state": _ATTACKED,
                "player": "hugo",
                "so_far": _WORKED_TURN[:1],
                "chosen": {"type": "answer", "magnet": True},
            },
        ),
        review=Bodies(
            schema.ReviewRequest,
            response_schema.ReviewResponse,
            example={
                "state": _ATTACKED,
                "turns": [[*_WORKED_TURN[:3], {"type": "draw", "card": "chili"}, {"type": "end"}]],
                "effort": "quick",
            },
        ),
        parse_new=parse_new,
        requests=SlopecrashersRequests(),
        responses=responses,
        search=SlopecrashersTurns(),
        drawn="gift",
    ),
)
