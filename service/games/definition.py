"""What a game provides to the service: its rules and its endpoints.

An endpoint names the schemas of its body and response, a parser and a renderer. A game lists the
endpoints it has; an endpoint that a game does not have does not exist for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from marshmallow import Schema

from service.core.game import (
    Chance,
    Choice,
    Decision,
    Event,
    FollowResult,
    Game,
    Outcome,
    Play,
    Script,
    State,
    Step,
)
from service.core.hints import Hint, Question, WhatIfs
from service.core.reviews import PlayedRounds, PlayedTurns, RoundsReview, TurnsReview
from service.core.sequential import TurnGame
from service.core.simultaneous import RoundGame
from service.core.turn_hints import TurnHint, TurnPlan, TurnQuestion
from service.core.violation_codes import ErrorCode
from service.core.violations import Violation
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document

Parsed = TypeVar("Parsed")
Parser: TypeAlias = Callable[[Document, list[Violation]], Parsed]
"""Parses a body that its schema has validated, given the violations so far.

Invalid values in the body are ``INVALID``. Raises Rejected with all violations together.
"""


ReviewParser: TypeAlias = Callable[[Document, list[Violation], Callable[[], None]], Parsed]
"""Like :data:`Parser`; the third argument is called between steps of the replay and may raise."""


@dataclass(frozen=True, slots=True)
class ResponseUnion:
    """The kinds of a response, for clients that decode it.

    Attributes:
        component: name of the union in ``openapi.yaml``.
        description: what the response is, in one line.
        tag: the field that decides the kind.
        schemas: the schema of each value of the tag.
    """

    component: str
    description: str
    tag: str
    schemas: Mapping[str, type[Schema]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One route of a game, ``POST /v1/games/{game}/{name}``.

    Attributes:
        name: the last part of its path.
        summary: one line for the documentation.
        description: what it is for, in a paragraph.
        request_schema: of the body.
        response_schema: of the response.
        example: a body that the documentation shows with its real response.
        response_union: the kinds of the response, if it has several.
    """

    localized: ClassVar[bool] = False
    """Whether responses contain sentences, which depend on ``Accept-Language``."""
    streams: ClassVar[bool] = False
    """Whether the response can be a stream of progress lines that ends with the result."""
    solves: ClassVar[bool] = False
    """Whether a response needs the solve slot, unless a cache has it."""

    name: str
    summary: str
    description: str
    request_schema: type[Schema]
    response_schema: type[Schema]
    example: Document
    response_union: ResponseUnion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class New(Endpoint, Generic[State]):
    """Sets up a new game."""

    parse: Parser[State]
    render: Callable[[State], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Endpoint, Generic[Play, Outcome]):
    """Resolves the chance event that opens a round: a given outcome, or one drawn from a seed."""

    parse: Parser[tuple[Play, Outcome | None, int | None]]
    render: Callable[[Play, Outcome], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalMoves(Endpoint, Generic[Play, Choice, Outcome, Event]):
    """Lists the legal choices of the players who decide next."""

    parse: Parser[tuple[Step[Play, Event], Script[Choice, Outcome]]]
    render: Callable[[FollowResult[Play, Choice, Outcome, Event]], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve(Endpoint, Generic[Play, Choice, Outcome, Event]):
    """Resolves a whole round or turn.

    Attributes:
        remedy: returns a sentence on what to add for an open node of a play; None if the parser
            reports missing parts itself.
    """

    parse: Parser[tuple[Step[Play, Event], Script[Choice, Outcome]]]
    render: Callable[[Play, Sequence[Event]], Document]
    remedy: Callable[[Decision[Choice] | Chance[Outcome], Play], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggest(Endpoint, Generic[State, Choice]):
    """Gives one player of a simultaneous game a hint.

    Attributes:
        search_game: the game as the solver sees it.
        owners: the player of each actor, in the order of the position.
        follow: returns a player's next question once all actors have revealed their choices, or
            None if the player has nothing to decide then.
    """

    localized: ClassVar[bool] = True
    solves: ClassVar[bool] = True

    search_game: RoundGame[State, Choice]
    owners: Callable[[State], Mapping[str, str]]
    parse: Parser[Question[State, Choice]]
    follow: Callable[
        [Question[State, Choice], Mapping[str, Choice]], Question[State, Choice] | None
    ]
    render: Callable[
        [Question[State, Choice], Hint[Choice], WhatIfs[Choice], str, DisplayNames], Document
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestTurn(Endpoint, Generic[Play, Choice]):
    """Gives one player of a turn-based game a hint.

    Attributes:
        search_game: the game as the solver sees it.
        players: the players of a turn, in seat order.
    """

    localized: ClassVar[bool] = True
    solves: ClassVar[bool] = True

    search_game: TurnGame[Play, Choice]
    players: Callable[[Play], tuple[str, ...]]
    parse: Parser[TurnQuestion[Play, Choice]]
    render: Callable[
        [
            TurnQuestion[Play, Choice],
            TurnHint[Choice],
            Sequence[TurnPlan[Play, Choice]],
            str,
            DisplayNames,
        ],
        Document,
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTurns(Endpoint, Generic[Play, Choice]):
    """Reviews a played turn-based game, decision by decision.

    Attributes:
        search_game: the game as the solver sees it.
    """

    localized: ClassVar[bool] = True
    streams: ClassVar[bool] = True
    solves: ClassVar[bool] = True

    search_game: TurnGame[Play, Choice]
    parse: ReviewParser[PlayedTurns[Play, Choice]]
    render: Callable[
        [PlayedTurns[Play, Choice], TurnsReview[Play, Choice], str, DisplayNames], Document
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRounds(Endpoint, Generic[State, Choice, Outcome]):
    """Reviews a played simultaneous game, decision by decision, and how its players chose.

    Attributes:
        search_game: the game as the solver sees it.
        owners: the player of each actor, in the order of the position.
        standing: returns the question that values a position within a round: the next decision
            after the revealed choices, or the end of the round.
    """

    localized: ClassVar[bool] = True
    streams: ClassVar[bool] = True
    solves: ClassVar[bool] = True

    search_game: RoundGame[State, Choice]
    owners: Callable[[State], Mapping[str, str]]
    standing: Callable[[Question[State, Choice], Mapping[str, Choice]], Question[State, Choice]]
    parse: ReviewParser[PlayedRounds[State, Choice, Outcome]]
    render: Callable[
        [
            PlayedRounds[State, Choice, Outcome],
            RoundsReview[State, Choice, Outcome],
            str,
            DisplayNames,
        ],
        Document,
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticDocument:
    """A document of a game that never changes, ``GET /v1/games/{game}/{path}``.

    Attributes:
        path: the rest of its path.
        summary: one line for the documentation.
        schema: of the document.
        document: the document.
    """

    path: str
    summary: str
    schema: type[Schema]
    document: Document


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """A registered game.

    Attributes:
        game: the rules.
        about: the response of ``GET /v1/games/{game}``.
        about_schema: of that response.
        violation_codes: the game's own violation codes.
        endpoints: its POST routes.
        documents: its further GET routes.
    """

    game: Game[Any, Any, Any, Any, Any]
    about: Document
    about_schema: type[Schema]
    violation_codes: Mapping[str, ErrorCode]
    endpoints: tuple[Endpoint, ...]
    documents: tuple[StaticDocument, ...] = ()

    @property
    def rules(self) -> str:
        """Name of the game and version of its rules."""
        return f"{self.game.name} {self.about['rules_version']}"
