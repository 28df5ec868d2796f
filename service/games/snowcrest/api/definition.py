"""Registers Snowcrest: its rules, endpoints and documents."""

from __future__ import annotations

from typing import Final

from service.games.common.bodies import Bodies
from service.games.common.fields import Document
from service.games.common.turns.endpoints import turn_endpoints
from service.games.definition import GameDefinition, StaticDocument
from service.games.snowcrest.api import response_schema, responses, schema
from service.games.snowcrest.api.metadata import metadata
from service.games.snowcrest.api.requests import SnowcrestRequests, parse_new
from service.games.snowcrest.api.violation_codes import VIOLATION_CODES
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE_DOCUMENT
from service.games.snowcrest.catalogue.schema import CatalogueSchema, json_schema
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.rules.rules import Snowcrest

_MEDITATION: Final[Document] = {
    "seats": [
        {"player": "anna", "tokens": {"bell": 1}, "village": [{"cell": 4, "card": "monk"}]},
        {"player": "hugo"},
    ],
    "turn": "anna",
    "supply": 11,
    "juniper": 4,
    "row": ["poet", "baker", "guide", "smith", "scribe"],
}
"""Few cards, so that responses are short."""
_MEDITATION_TURN: Final[list[Document]] = [
    {"type": "activate", "cell": 4},
    {"type": "bid", "player": "anna", "payment": {"tokens": {"bell": 2}}},
    {"type": "bid", "player": "hugo", "payment": {}},
]
_SOLO: Final[Document] = {
    "seats": [{"player": "anna", "village": [{"cell": 3, "card": "potter"}]}],
    "turn": "anna",
    "supply": 11,
    "juniper": 3,
    "row": ["poet", "baker", "guide", "smith", "scribe"],
}


SNOWCREST: Final = GameDefinition(
    game=Snowcrest(),
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
            example={"state": _MEDITATION, "so_far": _MEDITATION_TURN[:1]},
        ),
        resolve=Bodies(
            schema.ResolveRequest,
            response_schema.ResolveResponse,
            example={"state": _MEDITATION, "moves": _MEDITATION_TURN},
        ),
        suggest=Bodies(
            schema.SuggestRequest,
            response_schema.SuggestResponse,
            example={"state": _SOLO, "player": "anna"},
        ),
        review=Bodies(
            schema.ReviewRequest,
            response_schema.ReviewResponse,
            example={"state": _MEDITATION, "turns": [_MEDITATION_TURN], "effort": "quick"},
        ),
        parse_new=parse_new,
        requests=SnowcrestRequests(),
        responses=responses,
        search=SnowcrestTurns(),
        drawn="card",
    ),
    documents=(
        StaticDocument(
            path="catalogues/default",
            summary="Get the default catalogue",
            schema=CatalogueSchema,
            document=DEFAULT_CATALOGUE_DOCUMENT,
        ),
        StaticDocument(
            path="catalogues/schema",
            summary="Get the JSON Schema of a catalogue",
            schema=response_schema.CatalogueSchemaResponse,
            document=json_schema(),
        ),
    ),
)
