"""Definition of Snow Time for the service: rules and endpoints."""

from __future__ import annotations

from typing import Final

from service.core.vocabulary import CARD
from service.games.common.bodies import Bodies
from service.games.common.fields import Document
from service.games.common.rounds.endpoints import round_endpoints
from service.games.definition import GameDefinition, Roll
from service.games.snow_time.api import (
    hint_schema,
    requests,
    response_schema,
    review_schema,
    schema,
)
from service.games.snow_time.api.metadata import metadata
from service.games.snow_time.api.responses import SnowTimeResponses
from service.games.snow_time.api.violation_codes import VIOLATION_CODES
from service.games.snow_time.engine.round_game import SnowTimeRoundGame
from service.games.snow_time.rules.rules import SnowTime

_SMALL: Final[Document] = {
    "seats": [
        {"seat": "red", "score": 25, "hand": ["6", "healer", "watcher"]},
        {"seat": "blue", "score": 27, "hand": ["5", "healer"]},
        {"seat": "green", "score": 25, "hand": ["4", "healer"]},
    ],
    "fruit": [0, 0, 0, 0, 0, 1],
}
"""Few cards, so that responses are short."""
_WON: Final[Document] = {
    "seats": [
        {"seat": "red", "score": 28, "hand": ["5", "healer"]},
        {"seat": "blue", "score": 27, "hand": ["healer"]},
        {"seat": "green", "score": 26, "hand": ["healer"]},
    ],
    "fruit": [0, 0, 0, 0, 2, 0],
}
"""A position with short numbers: red wins with the 5."""
_REVEALED: Final[Document] = {
    "red": {"card": "watcher"},
    "blue": {"card": "5"},
    "green": {"card": "4"},
}
_HINT: Final[Document] = {
    "state": {
        "seats": [
            {"seat": "red", "player": "anna", "score": 25, "hand": ["5", "healer"]},
            {"seat": "blue", "player": "bob", "score": 27, "hand": ["5", "healer"]},
            {"seat": "green", "player": "cleo", "score": 26, "hand": ["7", "healer"]},
        ],
        "fruit": [0, 0, 1, 0, 1, 0],
    },
    "player": "anna",
}
_REVIEW: Final[Document] = {
    "state": _WON,
    "rounds": [
        {
            "dice": [1, 6],
            "moves": {
                "red": {"card": "5"},
                "blue": {"card": "healer"},
                "green": {"card": "healer"},
            },
        }
    ],
    "effort": "quick",
}
_RESPONSES: Final = SnowTimeResponses()
_NEW, *_OTHERS = round_endpoints(
    form=schema.FORM,
    new=Bodies(
        schema.NewRequest,
        response_schema.NewResponse,
        {"seats": [{"seat": "red"}, {"seat": "blue"}, {"seat": "green"}]},
    ),
    legal_moves=Bodies(
        schema.LegalMovesRequest,
        response_schema.LegalMovesResponse,
        {"state": _SMALL, "revealed": _REVEALED},
    ),
    resolve=Bodies(
        schema.ResolveRequest,
        response_schema.ResolveResponse,
        {"state": _SMALL, "moves": _REVEALED | {"red": {"card": "6"}}, "dice": [2, 5]},
    ),
    suggest=Bodies(schema.SuggestRequest, hint_schema.HINT_SCHEMAS[CARD], _HINT),
    hints=hint_schema.HINT_SCHEMAS,
    review=Bodies(review_schema.ReviewRequest, review_schema.ReviewResponse, _REVIEW),
    parse_new=requests.parse_new,
    requests=requests.SnowTimeRequests(),
    responses=_RESPONSES,
    search=SnowTimeRoundGame(),
)

SNOW_TIME: Final = GameDefinition(
    game=SnowTime(),
    about=metadata(),
    about_schema=response_schema.MetadataResponse,
    violation_codes=VIOLATION_CODES,
    endpoints=(
        _NEW,
        Roll(
            name="grow",
            summary="Let the fruit grow, once a round",
            description=(
                "Rolls the fruit dice at the start of a round, before anybody chooses. The dice "
                "come from the request or from a seed."
            ),
            request_schema=schema.GrowRequest,
            response_schema=response_schema.GrowResponse,
            example={"state": _SMALL, "seed": 7},
            parse=requests.parse_grow,
            render=_RESPONSES.render_grow,
        ),
        *_OTHERS,
    ),
)
