"""Definition of Snow Time for the service: rules and endpoints."""

from __future__ import annotations

from typing import Final

from service.games.common.fields import Document
from service.games.definition import (
    GameDefinition,
    LegalMoves,
    New,
    Resolve,
    ResponseUnion,
    ReviewRounds,
    Roll,
    Suggest,
)
from service.games.snow_time.api import (
    hint_responses,
    hint_schema,
    requests,
    response_schema,
    responses,
    review_schema,
    schema,
)
from service.games.snow_time.api.metadata import metadata
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


_REQUESTS: Final = requests.SnowTimeRequests()

SNOW_TIME: Final = GameDefinition(
    game=SnowTime(),
    about=metadata(),
    about_schema=response_schema.MetadataResponse,
    violation_codes=VIOLATION_CODES,
    endpoints=(
        New(
            name="new",
            summary="Set up a game",
            description="Returns the position at the start of a game.",
            request_schema=schema.NewRequest,
            response_schema=response_schema.NewResponse,
            example={"seats": [{"seat": "red"}, {"seat": "blue"}, {"seat": "green"}]},
            parse=requests.parse_new,
            render=responses.render_new,
        ),
        Roll(
            name="grow",
            summary="Let fruit grow, once per round before the card decision",
            description=(
                "Rolls the fruit dice at the start of a round. The dice come from the request "
                "or from a seed."
            ),
            request_schema=schema.GrowRequest,
            response_schema=response_schema.GrowResponse,
            example={"state": _SMALL, "seed": 7},
            parse=requests.parse_grow,
            render=responses.render_grow,
        ),
        LegalMoves(
            name="legal-moves",
            summary="List the legal moves of every seat that has to decide now",
            description=(
                "Returns the legal moves of the next decision, which is about cards, watchers or "
                "healers."
            ),
            request_schema=schema.LegalMovesRequest,
            response_schema=response_schema.LegalMovesResponse,
            example={
                "state": _SMALL,
                "revealed": {
                    "red": {"card": "watcher"},
                    "blue": {"card": "5"},
                    "green": {"card": "4"},
                },
            },
            parse=_REQUESTS.parse_legal_moves,
            render=responses.render_legal_moves,
        ),
        Resolve(
            name="resolve",
            summary="Resolve a round",
            description=(
                "Resolves a round from the complete moves of all seats and returns the "
                "position after it with an event log."
            ),
            request_schema=schema.ResolveRequest,
            response_schema=response_schema.ResolveResponse,
            example={
                "state": _SMALL,
                "moves": {
                    "red": {"card": "6"},
                    "blue": {"card": "5"},
                    "green": {"card": "4"},
                },
                "dice": [2, 5],
            },
            parse=_REQUESTS.parse_resolve,
            render=responses.render_resolve,
        ),
        Suggest(
            name="suggest",
            summary="Return a hint for one player",
            description=(
                "Solves the simultaneous choice of all players and returns the value and the "
                "probability of every move, with reasons."
            ),
            request_schema=schema.SuggestRequest,
            response_schema=hint_schema.CardHint,
            response_union=ResponseUnion(
                "SnowTimeSuggestResponse",
                "A hint for one player, by `hint_level`.",
                "hint_level",
                hint_schema.HINT_SCHEMAS,
            ),
            example={
                "state": {
                    "seats": [
                        {"seat": "red", "score": 25, "hand": ["5", "healer"]},
                        {"seat": "blue", "score": 27, "hand": ["healer"]},
                        {"seat": "green", "score": 26, "hand": ["healer"]},
                    ],
                    "fruit": [0, 0, 0, 0, 0, 1],
                },
                "player": "red",
                "objective": "points",
                "opponents": {"model": "uniform"},
                "chosen": {"red": {"card": "5"}},
            },
            search_game=SnowTimeRoundGame(),
            owners=_REQUESTS.owners,
            parse=_REQUESTS.parse_suggest,
            follow=_REQUESTS.question_after,
            render=hint_responses.render_suggest,
        ),
        ReviewRounds(
            name="review",
            summary="Review the decisions of a played game and separate skill from luck",
            description=(
                "Grades every decision of a played game against the solved strategies, and "
                "separates luck from skill."
            ),
            request_schema=review_schema.ReviewRequest,
            response_schema=review_schema.ReviewResponse,
            example={
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
            },
            search_game=SnowTimeRoundGame(),
            owners=_REQUESTS.owners,
            standing=_REQUESTS.value_question,
            parse=_REQUESTS.parse_review,
            render=responses.render_review,
        ),
    ),
)
