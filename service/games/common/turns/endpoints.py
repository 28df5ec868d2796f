"""Build the endpoints of a turn-based game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from service.core.game import FollowResult
from service.core.reviews import PlayedTurns, TurnsReview
from service.core.sequential import TurnGame
from service.core.turn_hints import TurnHint, TurnPlan, TurnQuestion
from service.core.violations import Violation
from service.games.common.bodies import Bodies
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.turns.requests import TurnRequests
from service.games.definition import (
    Endpoint,
    LegalMoves,
    New,
    Resolve,
    ReviewTurns,
    SuggestTurn,
)


class TurnResponses(Protocol):
    """The functions that write the responses; a game defines them in its ``responses`` module."""

    def render_new(self, state: Any) -> Document:
        """Return the response to ``new`` for the first position."""

    def render_legal_moves(self, followed: FollowResult[Any, Any, Any, Any]) -> Document:
        """Return the response to ``legal-moves`` at the node after the actions so far."""

    def render_resolve(self, turn: Any, events: Sequence[Any]) -> Document:
        """Return the response to ``resolve`` for a complete turn and its events."""

    def render_suggest(
        self,
        question: TurnQuestion[Any, Any],
        hint: TurnHint[Any],
        plans: Sequence[TurnPlan[Any, Any]],
        language: str,
        names: DisplayNames,
    ) -> Document:
        """Return the response to ``suggest``, with its sentences in a language.

        Args:
            question: what was asked.
            hint: its answer.
            plans: the planned turns that the hint describes.
            language: of the sentences.
            names: display names of players, for the sentences.
        """

    def render_review(
        self,
        played: PlayedTurns[Any, Any],
        review: TurnsReview[Any, Any],
        language: str,
        names: DisplayNames,
    ) -> Document:
        """Return the response to ``review``, with its sentences in a language."""


def turn_endpoints(
    *,
    new: Bodies,
    legal_moves: Bodies,
    resolve: Bodies,
    suggest: Bodies,
    review: Bodies,
    parse_new: Callable[[Document, list[Violation]], Any],
    requests: TurnRequests[Any, Any, Any, Any, Any],
    responses: TurnResponses,
    search: TurnGame[Any, Any],
    drawn: str,
) -> tuple[Endpoint, ...]:
    """Return ``new``, ``legal-moves``, ``resolve``, ``suggest`` and ``review`` of a game of turns.

    It is long because it is one list of endpoints with their texts, without logic.

    Args:
        new: bodies of ``POST /v1/games/{game}/new``; likewise the next four.
        parse_new: reads the request of ``new``.
        requests: reads the other requests.
        responses: writes all responses.
        search: what hints and reviews search with.
        drawn: what a player draws, as in "the gift to draw".
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
            summary=f"List the legal actions, or the {drawn} to draw",
            description=(
                "Returns the position after the actions of the turn so far (for display: a card "
                "in play is in no list) and what is next: the `moves` of the `player` who decides, "
                "or the outcomes of the `draw` of `player`."
            ),
            request_schema=legal_moves.request,
            response_schema=legal_moves.response,
            example=legal_moves.example,
            parse=requests.parse_legal_moves,
            render=responses.render_legal_moves,
        ),
        Resolve(
            name="resolve",
            summary="Resolve a turn",
            description=(
                "Follows a complete turn and returns the position after it with an event log. "
                "Draws come from the request or from a seed."
            ),
            request_schema=resolve.request,
            response_schema=resolve.response,
            example=resolve.example,
            parse=requests.parse_resolve,
            render=responses.render_resolve,
            remedy=partial(requests.remedy, seedable=True),
        ),
        SuggestTurn(
            name="suggest",
            summary="Suggest an action to one player",
            description=(
                "Searches the rest of the turn and returns the value of every action for one "
                "player, with a plan. The response depends only on what that player can see."
            ),
            request_schema=suggest.request,
            response_schema=suggest.response,
            example=suggest.example,
            search_game=search,
            players=lambda turn: turn.state.players,
            parse=requests.parse_suggest,
            render=responses.render_suggest,
        ),
        ReviewTurns(
            name="review",
            summary="Review a played game",
            description=(
                "Grades every decision of a played game against the best action, and "
                "separates luck from skill."
            ),
            request_schema=review.request,
            response_schema=review.response,
            example=review.example,
            search_game=search,
            parse=requests.parse_review,
            render=responses.render_review,
        ),
    )
