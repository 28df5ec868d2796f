"""What a game brings to the service: its rules, and how the bodies of its routes are read and
written.  A game lists the verbs it has; none is there to say that it is not available.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from marshmallow import Schema

from service.core.game import Choice, Event, Followed, Game, Outcome, Play, Script, State, Step
from service.core.hints import Further, Hint, Question
from service.core.round_reviews import PlayedRounds, RoundsReview
from service.core.sequential import TurnGame, TurnHint, TurnQuestion
from service.core.simultaneous import RoundGame
from service.core.turn_reviews import PlayedTurns, TurnsReview
from service.core.violations import Violation
from service.games.common.validation import Document

Asked = TypeVar("Asked")
Read: TypeAlias = Callable[[Document, list[Violation]], Asked]
"""Reads a body, with holes and faults as its schema left it; raises Rejected with every fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One route of a game, ``POST /v1/games/{game}/{name}``.

    Attributes:
        name: the last part of its path.
        summary: a line for the documentation.
        request: the shape of the body.
        answer: the shape of the answer.
        example: a body that the documentation shows with its real answer.
        other_answers: further shapes that it may have.
    """

    localized: ClassVar[bool] = False
    """Whether answers hold sentences, which are in the language that was asked for."""

    name: str
    summary: str
    request: type[Schema]
    answer: type[Schema]
    example: Document
    other_answers: tuple[type[Schema], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class New(Endpoint, Generic[State]):
    """Sets a game up."""

    read: Read[State]
    write: Callable[[State], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Endpoint, Generic[Play, Outcome]):
    """The chance event that opens a round, told or drawn from a seed."""

    read: Read[tuple[Play, Outcome | None, int | None]]
    write: Callable[[Play, Outcome], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalMoves(Endpoint, Generic[Play, Choice, Outcome, Event]):
    """What whoever has to decide now may do."""

    read: Read[tuple[Step[Play, Event], Script[Choice, Outcome]]]
    write: Callable[[Followed[Play, Choice, Outcome, Event]], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve(Endpoint, Generic[Play, Choice, Outcome, Event]):
    """A whole round or turn."""

    read: Read[tuple[Step[Play, Event], Script[Choice, Outcome]]]
    write: Callable[[Play, Sequence[Event]], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggest(Endpoint, Generic[State, Choice]):
    """A hint for one player of a game in rounds.

    Attributes:
        owners: the player of each actor, in the position's order.
        follow: the question that a player has once all actors have shown their choices; None if
            that player has nothing to decide then.
    """

    localized: ClassVar[bool] = True

    stages: RoundGame[State, Choice]
    owners: Callable[[State], Mapping[str, str]]
    read: Read[Question[State, Choice]]
    follow: Callable[
        [Question[State, Choice], Mapping[str, Choice]], Question[State, Choice] | None
    ]
    write: Callable[[Question[State, Choice], Hint[Choice], Further[Choice], str], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestTurn(Endpoint, Generic[Play, Choice]):
    """A hint for one player of a game in turns.

    Attributes:
        players: of a turn, in the order of seats.
    """

    localized: ClassVar[bool] = True

    turns: TurnGame[Play, Choice]
    players: Callable[[Play], tuple[str, ...]]
    read: Read[TurnQuestion[Play, Choice]]
    write: Callable[[TurnQuestion[Play, Choice], TurnHint[Choice], str], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTurns(Endpoint, Generic[Play, Choice]):
    """A game in turns that was played, judged decision by decision.

    Attributes:
        turns: what hints are searched with.
    """

    turns: TurnGame[Play, Choice]
    read: Read[PlayedTurns[Play, Choice]]
    write: Callable[[PlayedTurns[Play, Choice], TurnsReview[Play, Choice]], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRounds(Endpoint, Generic[State, Choice, Outcome]):
    """A game in rounds that was played, judged decision by decision.

    Attributes:
        stages: what hints are solved on.
        owners: the player of each actor, in the position's order.
        standing: from a question of a round and what lies on the table by now to the question what
            that is worth: the next decision, or nothing to decide.
    """

    stages: RoundGame[State, Choice]
    owners: Callable[[State], Mapping[str, str]]
    standing: Callable[[Question[State, Choice], Mapping[str, Choice]], Question[State, Choice]]
    read: Read[PlayedRounds[State, Choice, Outcome]]
    write: Callable[[PlayedRounds[State, Choice, Outcome], RoundsReview[Choice, Outcome]], Document]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticDocument:
    """A document of a game that is always the same, ``GET /v1/games/{game}/{path}``.

    Attributes:
        path: the rest of its path.
        summary: a line for the documentation.
        shape: of the document.
        document: itself.
    """

    path: str
    summary: str
    shape: type[Schema]
    document: Document


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """A registered game.

    Attributes:
        game: the rules.
        about: what ``GET /v1/games/{game}`` tells.
        about_shape: the shape of it.
        fault_codes: what the game's own fault codes mean.
        verbs: its routes.
        readings: further documents of it.
    """

    game: Game[Any, Any, Any, Any, Any]
    about: Document
    about_shape: type[Schema]
    fault_codes: Mapping[str, str]
    verbs: tuple[Endpoint, ...]
    readings: tuple[StaticDocument, ...] = ()

    @property
    def rules(self) -> str:
        """The game and the version of its rules."""
        return f"{self.game.name} {self.about['rules_version']}"
