"""A game of one round, invented for the tests and served like every other game.

Three to five players each choose one of six cards. The highest card that only one player has chosen
wins; if there is none, the first player does (U1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from marshmallow import fields

from service.core.game import Decision, FollowResult, Step
from service.core.hints import Hint, Question
from service.core.languages import LANGUAGES
from service.core.violations import GAME_OVER, Violation, pointer
from service.core.vocabulary import CARD, EQUILIBRIUM, QUANTAL, UNIFORM
from service.games.common.bodies import Bodies
from service.games.common.display_names import DisplayName, DisplayNames
from service.games.common.fields import (
    Document,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    Ruling,
    StrictSchema,
)
from service.games.common.metadata import RoundGameMetadata
from service.games.common.rounds.endpoints import round_endpoints
from service.games.common.rounds.form import RoundForm
from service.games.common.rounds.hint_schema import NO_DIFFERENCE, hint_schemas, move_value_schema
from service.games.common.rounds.one_round import OneRoundGame
from service.games.common.rounds.request_schema import suggest_request_schema
from service.games.common.rounds.requests import RoundRequests
from service.games.common.rounds.responses import RoundResponses
from service.games.common.rounds.review_schema import review_request_schema, review_response_schema
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.definition import GameDefinition

CARDS = tuple("123456")

# Rules ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """A position: the players, and the cards once they are played."""

    players: tuple[str, ...]
    cards: tuple[str, ...] = ()


class UniqueCard:
    """The rules as a :class:`~service.core.game.Game`; a play is a position."""

    name = "unique-card"

    def begin(self, state: Table) -> Step[Table, tuple[str, ...]]:
        return Step(state)

    def pending(self, play: Table) -> Decision[str] | None:
        return None if play.cards else Decision("card", dict.fromkeys(play.players, CARDS))

    def choose(self, play: Table, choices: Mapping[str, str]) -> Step[Table, tuple[str, ...]]:
        after = replace(play, cards=tuple(choices[player] for player in play.players))
        return Step(after, (self.winners(after),))

    def draw(self, play: Table, outcome: Any) -> Step[Table, tuple[str, ...]]:
        raise NotImplementedError("there is no chance event")

    def rest(self, play: Table) -> Table:
        return play

    def over(self, state: Table) -> bool:
        return bool(state.cards)

    def winners(self, state: Table) -> tuple[str, ...]:
        counts = Counter(state.cards)
        unique = [card for card in state.cards if counts[card] == 1]
        winner = state.cards.index(max(unique)) if unique else 0
        return state.players[winner : winner + 1] if state.cards else ()

    def violations_of(self, play: Table, actor: str | None, choice: Any) -> tuple[Violation, ...]:
        return (Violation("", "not-a-choice", "Choose one of the cards 1 to 6."),)


# Schemas --------------------------------------------------------------------------------------


class SeatSchema(StrictSchema):
    """A seat of one player."""

    component = "UniqueCardSeat"

    seat = Name(required=True)
    name = DisplayName(attribute="display_name")


class MoveSchema(StrictSchema):
    """The card that a player chooses."""

    component = "UniqueCardMove"

    card = OneOf(CARDS, required=True)

    def dump(self, obj: Any, **_: Any) -> Any:
        return {"card": obj}


def moves_by_seat(**options: Any) -> MapOf:
    return MapOf(keys=Name(), values=Nested(MoveSchema), **options)


def seats() -> ListOf:
    return ListOf(Nested(SeatSchema), 3, 5, required=True)


class StateSchema(StrictSchema):
    """A position."""

    component = "UniqueCardState"

    seats = seats()
    cards = ListOf(OneOf(CARDS), 3, 5)


class WinSchema(ResponseSchema):
    """The players who win."""

    component = "UniqueCardWin"

    type = OneOf(("win",), required=True)
    rule = Ruling(required=True)
    seats = fields.List(Name(), required=True)


FORM = RoundForm("UniqueCard", moves_by_seat, ("card",))
_STATE = Nested(StateSchema, required=True)
NEW_REQUEST = FORM.request("NewRequest", "A request to set up a game.", seats=seats())
NEW_RESPONSE = FORM.response("NewResponse", "The start of a game.", state=_STATE)
MOVES_REQUEST = FORM.request(
    "LegalMovesRequest", "A request for the legal moves.", state=_STATE, revealed=moves_by_seat()
)
MOVES_RESPONSE = FORM.response(
    "LegalMovesResponse",
    "The legal moves.",
    decision=OneOf(("card", "none"), required=True),
    moves=MapOf(keys=Name(), values=fields.List(Nested(MoveSchema)), required=True),
    game_over=fields.Boolean(required=True),
)
RESOLVE_REQUEST = FORM.request(
    "ResolveRequest", "A request to resolve.", state=_STATE, moves=moves_by_seat(required=True)
)
RESOLVE_RESPONSE = FORM.response(
    "ResolveResponse",
    "The end of the game.",
    state=_STATE,
    events=fields.List(Nested(WinSchema), required=True),
    game_over=fields.Boolean(required=True),
    winners=fields.List(Name(), required=True),
)
OPPONENTS = FORM.request(
    "Opponents", "How the others play.", model=OneOf((EQUILIBRIUM, QUANTAL, UNIFORM))
)
REASON = FORM.response(
    "Reason", "Why.", code=fields.String(required=True), text=fields.String(required=True)
)
HINTS = hint_schemas(
    FORM, move_value_schema(FORM, REASON, "There are none."), (NO_DIFFERENCE, "forced")
)
SUGGEST_REQUEST = suggest_request_schema(
    FORM,
    StateSchema,
    {"opponents": Nested(OPPONENTS), "include": ListOf(OneOf(("matrix", "conditional")), 0, 2)},
)
REVIEW_REQUEST = review_request_schema(FORM, StateSchema, 1, "The start of the game.")
REVIEW_RESPONSE = review_response_schema(
    FORM, REASON, learned={"prediction_gain": fields.Float(), "profile": fields.Dict()}
)


# Requests and responses -----------------------------------------------------------------------


@dataclass(frozen=True)
class Parsed:
    """The valid parts of a position."""

    state: Table | None
    owners: Mapping[str, Any]

    @property
    def players(self) -> frozenset[str] | None:
        return None if INVALID in self.owners else frozenset(self.owners)


def seat_names(raw: Any, violations: Violations, at: str) -> list[Any]:
    names = [INVALID if seat is INVALID else seat["seat"] for seat in raw or ()]
    for index, name in enumerate(names):
        if name is not INVALID and name in names[:index]:
            detail = f"More than one seat is named {name}."
            violations.add(at + pointer(index, "seat"), "duplicate-seat", detail)
    return names


def parse_new(document: Document, schema_violations: list[Violation]) -> Table:
    violations = Violations(schema_violations)
    names = seat_names(document["seats"], violations, "/seats")
    return violations.require(None if violations else Table(tuple(names)))


class Requests(RoundRequests[Parsed, Table, Table, str, Any, tuple[str, ...]]):
    """Reads positions and moves."""

    game = UniqueCard()
    example_move = '{"card": "1"}'

    def read_position(
        self, raw: Any, violations: Violations, at: str = "/state", *, over: bool = False
    ) -> Parsed:
        if raw is INVALID:
            return Parsed(None, {INVALID: INVALID})
        before = len(violations)
        names = seat_names(raw["seats"], violations, at + "/seats")
        cards = raw.get("cards", ())
        if cards and fully_valid(cards) and len(cards) != len(names):
            violations.add(at + "/cards", "wrong-length", f"Send {len(names)} cards.")
        elif cards and not over:
            violations.add(at, GAME_OVER, "The game is over. Start a new game.")
        legal = len(violations) == before and fully_valid(raw)
        state = Table(tuple(names), tuple(cards)) if legal else None
        return Parsed(state, {name: name for name in names})

    def as_parsed(self, state: Table) -> Parsed:
        return Parsed(state, {player: player for player in state.players})

    def read_moves(
        self, raw: Any, position: Parsed, violations: Violations, at: str, *, every_seat: bool
    ) -> Mapping[str, str]:
        for name in raw or ():
            if position.players is not None and name not in position.players:
                known = position.owners
                violations.unknown(at + pointer(name), "unknown-seat", "seat", name, known)
        for name in position.owners if every_seat and raw is not INVALID else ():
            if name not in (raw or {}):
                detail = f"Add the move of seat {name}, for example {self.example_move}."
                violations.add(at + pointer(name), "move-missing", detail)
        return {name: move["card"] for name, move in (raw or {}).items() if fully_valid(move)}

    def rename(self, state: Table, actors: Mapping[str, str], players: Mapping[str, str]) -> Table:
        return Table(tuple(players.values()), state.cards)


class Responses(RoundResponses[Table, str, Any]):
    """Writes positions and the words of hints."""

    def __init__(self) -> None:
        super().__init__(HINTS, REVIEW_RESPONSE)

    def render_new(self, state: Table) -> Document:
        document: Document = {"seats": [{"seat": player} for player in state.players]}
        return {"state": document | ({"cards": list(state.cards)} if state.cards else {})}

    def render_legal_moves(self, followed: FollowResult[Table, str, Any, Any]) -> Document:
        choices = followed.open.choices if isinstance(followed.open, Decision) else {}
        return {
            "decision": "card" if choices else "none",
            "moves": {who: [{"card": card} for card in legal] for who, legal in choices.items()},
            "game_over": bool(followed.play.cards),
        }

    def render_resolve(self, play: Table, events: Sequence[tuple[str, ...]]) -> Document:
        won = list(UniqueCard().winners(play))
        ended = [{"type": "win", "rule": "U1", "seats": list(event)} for event in events]
        return {**self.render_new(play), "events": ended, "game_over": True, "winners": won}

    card = staticmethod(str)

    def label(self, decision: str, move: Mapping[str, str], language: str, names: DisplayNames):
        return ", ".join(move.values())

    def instruction(self, decision: str, move: Any, language: str, names: DisplayNames) -> str:
        return f"Play {self.label(decision, move, language, names)}"

    def in_sentence(
        self, form: str, decision: str, move: Any, language: str, names: DisplayNames
    ) -> str:
        return self.label(decision, move, language, names)

    def nudges(
        self, question: Question[Table, str], hint: Hint[str], language: str
    ) -> list[Document]:
        return [{"code": NO_DIFFERENCE, "text": "Nothing stands out."}]


# The game -------------------------------------------------------------------------------------

_START: Document = {"seats": [{"seat": seat} for seat in ("ada", "ben", "cleo")]}
_MOVES: Document = {"ada": {"card": "6"}, "ben": {"card": "6"}, "cleo": {"card": "2"}}
REQUESTS = Requests()
SEARCH = OneRoundGame[Table, str](REQUESTS)


def names(name: str) -> Document:
    return dict.fromkeys(LANGUAGES, name)


class About(RoundGameMetadata):
    """What an app needs to know about the game."""

    component = "UniqueCardAboutResponse"


UNIQUE_CARD = GameDefinition(
    game=UniqueCard(),
    about={
        "game": "unique-card",
        "title": names("Unique card"),
        "rules_version": "1",
        "players": {"min": 3, "max": 5},
        "cards": {card: names(card) for card in CARDS},
        "kinds": {},
        "decisions": {"card": "Every player chooses a card; all are revealed together."},
        "rulings": {"U1": "The highest card of a single player wins, or the first player."},
    },
    about_schema=About,
    violation_codes={},
    endpoints=round_endpoints(
        form=FORM,
        new=Bodies(NEW_REQUEST, NEW_RESPONSE, _START),
        legal_moves=Bodies(MOVES_REQUEST, MOVES_RESPONSE, {"state": _START}),
        resolve=Bodies(RESOLVE_REQUEST, RESOLVE_RESPONSE, {"state": _START, "moves": _MOVES}),
        suggest=Bodies(SUGGEST_REQUEST, HINTS[CARD], {"state": _START, "player": "ada"}),
        hints=HINTS,
        review=Bodies(
            REVIEW_REQUEST, REVIEW_RESPONSE, {"state": _START, "rounds": [{"moves": _MOVES}]}
        ),
        parse_new=parse_new,
        requests=REQUESTS,
        responses=Responses(),
        search=SEARCH,
    ),
)
