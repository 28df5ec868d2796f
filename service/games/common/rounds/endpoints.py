"""Build the endpoints of a game in rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from marshmallow import Schema

from service.core.game import FollowResult
from service.core.hints import Hint, Question, WhatIfs
from service.core.reviews import PlayedRounds, RoundsReview
from service.core.simultaneous import RoundGame
from service.core.violations import Violation
from service.games.common.bodies import Bodies
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.rounds.form import RoundForm
from service.games.common.rounds.requests import RoundRequests
from service.games.definition import (
    Endpoint,
    LegalMoves,
    New,
    Resolve,
    ResponseUnion,
    ReviewRounds,
    Suggest,
)


class Responses(Protocol):
    """The functions that write the responses."""

    def render_new(self, state: Any) -> Document:
        """Return the response to ``new`` for the first position."""

    def render_legal_moves(self, followed: FollowResult[Any, Any, Any, Any]) -> Document:
        """Return the response to ``legal-moves`` at the decision after the revealed moves."""

    def render_resolve(self, play: Any, events: Sequence[Any]) -> Document:
        """Return the response to ``resolve`` for a complete round and its events."""

    def render_suggest(
        self,
        question: Question[Any, Any],
        hint: Hint[Any],
        what_ifs: WhatIfs[Any],
        language: str,
        names: DisplayNames,
    ) -> Document:
        """Return the response to ``suggest``.

        Args:
            question: what was asked.
            hint: the answer.
            what_ifs: the additional results of ``include``.
            language: of the sentences.
            names: display names of players, for the sentences.
        """

    def render_review(
        self,
        played: PlayedRounds[Any, Any, Any],
        review: RoundsReview[Any, Any, Any],
        language: str,
        names: DisplayNames,
    ) -> Document:
        """Return the response to ``review``, with its sentences in a language."""


def round_endpoints(
    *,
    form: RoundForm,
    new: Bodies,
    legal_moves: Bodies,
    resolve: Bodies,
    suggest: Bodies,
    hints: Mapping[str, type[Schema]],
    review: Bodies,
    parse_new: Callable[[Document, list[Violation]], Any],
    requests: RoundRequests[Any, Any, Any, Any, Any, Any],
    responses: Responses,
    search: RoundGame[Any, Any],
) -> tuple[Endpoint, ...]:
    """Return ``new``, ``legal-moves``, ``resolve``, ``suggest`` and ``review`` of a game in rounds.

    It is long because it is one list of endpoints with their texts, without logic.

    Args:
        form: of the schemas.
        new: bodies of ``POST /v1/games/{game}/new``; likewise the others.
        hints: the schema of each hint level.
        parse_new: reads the request of ``new``.
        requests: reads the other requests.
        responses: writes all responses.
        search: what hints and reviews search with.
    """
    return (
        New(
            name="new",
            summary="Set up a game",
            description="Returns the position at the start of a game.",
            request_schema=new.request,
            response_schema=new.response,
            example=new.example,
            parse=parse_new,
            render=responses.render_new,
        ),
        LegalMoves(
            name="legal-moves",
            summary="List the legal moves",
            description="Returns the legal moves of every seat that decides now. The next decision "
            f"is one of: {', '.join(form.decisions)}.",
            request_schema=legal_moves.request,
            response_schema=legal_moves.response,
            example=legal_moves.example,
            parse=requests.parse_legal_moves,
            render=responses.render_legal_moves,
        ),
        Resolve(
            name="resolve",
            summary="Resolve a round",
            description=(
                "Resolves a round from the complete moves of all seats and returns the "
                "position after it with an event log."
            ),
            request_schema=resolve.request,
            response_schema=resolve.response,
            example=resolve.example,
            parse=requests.parse_resolve,
            render=responses.render_resolve,
        ),
        Suggest(
            name="suggest",
            summary="Suggest a move to one player",
            description=(
                "Solves the simultaneous choice of all players and returns the value and the "
                "probability of every move, with reasons."
            ),
            request_schema=suggest.request,
            response_schema=suggest.response,
            response_union=ResponseUnion(
                f"{form.prefix}SuggestResponse",
                "A hint for one player, by `hint_level`.",
                "hint_level",
                hints,
            ),
            example=suggest.example,
            search_game=search,
            owners=requests.owners,
            parse=requests.parse_suggest,
            follow=requests.question_after,
            render=responses.render_suggest,
        ),
        ReviewRounds(
            name="review",
            summary="Review a played game",
            description=(
                "Grades every decision of a played game against the solved strategies, and "
                "separates luck from skill."
            ),
            request_schema=review.request,
            response_schema=review.response,
            example=review.example,
            search_game=search,
            owners=requests.owners,
            standing=requests.value_question,
            parse=requests.parse_review,
            render=responses.render_review,
        ),
    )
